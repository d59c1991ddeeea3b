/*
 * A directory of result files that appears complete or not at all. Knows names, not contents.
 *
 * Files are written under a temporary name beside their own and renamed together by
 * outdir_commit(); outdir_abort() removes them, and the directories made for them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

#define OUTDIR_MAX_FILES 16

struct outdir {
	struct arena *arena;
	const char *path;
	size_t nr_made; /* directories of the path that were made: from the right */
	const char *names[OUTDIR_MAX_FILES];
	size_t nr_files;
	FILE *file; /* being written */
};

/* Checks, before the work is done, that the directory can be made or written to. */
int outdir_check(struct arena *arena, const char *path, struct error *err);
/* Makes the directory and its parents. On failure nothing is left. */
int outdir_open(struct outdir *dir, struct arena *arena, const char *path, struct error *err);
/* Starts the next file (the one before is finished); NULL with @err. */
FILE *outdir_file(struct outdir *dir, const char *name, struct error *err);
/* Gives every file its name. On failure everything is removed. */
int outdir_commit(struct outdir *dir, struct error *err);
void outdir_abort(struct outdir *dir);
