/*
 * Tables of a page of results. Knows runs.csv by its columns, and statistics; not where the page
 * goes.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/report/csv.h"

/* Every row and column as they are. */
void tables_write_all(FILE *out, const char *id, const struct csv *csv);

/* A row per metric: mean over the runs, 95 % interval, spread. @assumed: watts and joules depend on
 * numbers without a source, and are marked. */
void tables_write_metrics(FILE *out, struct arena *arena, const struct csv *csv, bool assumed);

/* A row per point of a sweep: its values, what it took, and the ratio to the first point, paired by
 * common seeds, with marks of significance after Holm over the table. */
void tables_write_points(FILE *out, struct arena *arena, const struct csv *csv, bool assumed);

/* The numbers of the columns between "point" and "repeat": the axes of a sweep. 0 of them in a
 * table that is none. */
size_t tables_axes(const struct csv *csv, int *first);
