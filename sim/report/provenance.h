/*
 * Where the numbers behind results come from: every value in effect, with a mark where the machine
 * file says that it has no public source. Knows a manifest's tree and text, not what a value does.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/scenario/yaml.h"

struct provenance {
	struct arena *arena;
	const char *text;        /* of the manifest */
	const struct node *root; /* its tree */
	const char *const *axes; /* paths that a sweep varies */
	size_t nr_axes;
};

/* Whether "power.ceff" or "idle.0.power" of the machine is one of those it assumes. */
bool provenance_assumed(const struct provenance *provenance, const char *path);

/* A table: path, value, mark. */
void provenance_write_values(FILE *out, const struct provenance *provenance);
/* A list of what the kernel's rules are taken from, where that is not a checked source; nothing
 * when all are. */
void provenance_write_kernel(FILE *out, const struct provenance *provenance);
