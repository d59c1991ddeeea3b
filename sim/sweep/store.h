/*
 * The results of a sweep in one SQLite file. Knows rows and transactions, not how a run is made.
 *
 * A row per run, keyed by the digest of what it depends on, in the file when store_add() returns:
 * whatever happens to the program afterwards, finished runs stay finished. Axes, points and their
 * values are there as well, so that a store explains itself. The journal is a write-ahead log:
 * one program writes, others may read at the same time.
 */
#pragma once

#include <sqlite3.h>

#include "sim/report/metric.h"
#include "sim/sweep/points.h"

#define STORE_FILE "results.sqlite"

struct store {
	sqlite3 *db;
	sqlite3_stmt *add;
	const char *path, *dir;
	int lock; /* file that keeps a second writer out; -1 when reading */
	int64_t session;
};

/* One run that has ended. */
struct outcome {
	uint64_t point;
	int64_t repeat; /* from 0 */
	int failed;
	double wall_s;
	double metrics[METRIC_NR]; /* unless it failed */
	char message[512];         /* when it failed */
};

/* A row read back. @values as in struct outcome; message NULL when it did not fail. */
struct store_row {
	size_t point;
	int64_t repeat, seed;
	const char *message;
	const double *values;
};

/* Makes the directory and the store, or opens the one that is there, which must be of the same
 * sweep and version. 0 or -1 with @err. */
int store_create(struct store *store, struct arena *arena, const char *dir, const struct plan *plan,
	const struct points *points, struct error *err);
/* Opens for reading. */
int store_open(struct store *store, struct arena *arena, const char *dir, struct error *err);
void store_close(struct store *store);

/* Adds a row; it is an error if the run is there already. */
int store_add(struct store *store, const struct points *points, const struct outcome *outcome,
	struct error *err);
/* Forgets every failed run. */
int store_forget_failed(struct store *store, struct error *err);

/* Calls @each for every row of every point, in order of points and repeats; stops when it returns
 * below 0. 0 or -1 with @err. */
typedef int store_each(void *ctx, const struct store_row *row);
int store_read(struct store *store, store_each *each, void *ctx, struct error *err);

/* What a store says of itself, all memory @arena's. */
struct store_info {
	const char *scenario, *design, *digest, *version;
	const char *manifest; /* of the first point that makes sense */
	const char **axes;
	size_t nr_axes, nr_points;
	const char ***values; /* [point][axis] */
	const char **skipped; /* [point]; NULL when it was not */
};
int store_describe(
	struct store *store, struct arena *arena, struct store_info *info, struct error *err);

/* Opens or makes the store in @dir for what the stores of @dirs hold, which must be parts of one
 * sweep, and copies what it has not. @added counts the rows. 0 or -1 with @err. */
int store_merge(struct store *store, struct arena *arena, const char *dir, const char *const *dirs,
	size_t nr, int64_t *added, struct error *err);
