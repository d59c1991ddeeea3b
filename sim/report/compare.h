/*
 * Results set side by side: of directories that run -o or sweep -o wrote, or of the values of one
 * axis of a sweep. Knows tables by their columns, not how they came about.
 *
 * A series is one column of the comparison: a kernel, a governor, a driver's setting. Its runs fall
 * into rows by the values of all other axes. Where both of two series have a seed, the runs with
 * that seed are compared with each other: what chance did to both cancels.
 */
#pragma once

#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/report/metric.h"
#include "sim/report/stats.h"

/* What is compared: metrics, and what the field derives from them. */
enum derived {
	DERIVED_EDP = METRIC_NR,
	DERIVED_PERFORMANCE,
	DERIVED_EFFICIENCY,
	DERIVED_RESIDENCY, /* of a set that compare_read_residency() has read */
	QUANTITY_NR
};

struct quantity {
	const char *name, *unit;
	int decimals;
	enum metric_better better;
};

/* The measure with number @i in 0..QUANTITY_NR - 1. */
struct quantity quantity_at(int i);
/* The number of the one called @name; -1 with @err that knows the nearest. */
int quantity_find(const char *name, struct error *err);

struct sample {
	const char *row; /* values of the axes, joined by blanks */
	const char *seed;
	double values[METRIC_NR]; /* NaN for a column the table has not */
	double residency_pct;     /* of the row's clock */
};

struct series {
	const char *name;
	struct sample *samples;
	size_t nr, nr_failed;
};

#define COMPARE_MAX_SERIES 64

struct comparison_set {
	struct arena *arena;
	struct series series[COMPARE_MAX_SERIES];
	size_t nr_series;
	size_t baseline;       /* the denominator */
	const char *across;    /* the axis that makes the series; NULL: the directories do */
	const char *row_names; /* of the axes, joined by blanks; "" without any */
	const char **rows;
	size_t nr_rows;
	int performance, powersave; /* series that performance and efficiency refer to; -1 */
};

/* Reads DIR/runs.csv of each. @across names an axis whose values are the series; NULL: the
 * directories are, or with one directory its first axis. @baseline names the denominator; NULL: the
 * first. 0 or -1 with @err. */
int compare_read(struct comparison_set *set, struct arena *arena, const char *const *dirs,
	size_t nr_dirs, const char *across, const char *baseline, struct error *err);

/* Reads DIR/residency.csv of each, as run -o wrote it: rows are idle time and the clocks, or bands
 * of them where there are many. 0 or -1 with @err. */
int compare_read_residency(struct comparison_set *set, struct arena *arena, const char *const *dirs,
	size_t nr_dirs, const char *baseline, struct error *err);

/* One row of one measure for one series. */
struct cell_stats {
	size_t n;      /* runs of this series */
	size_t paired; /* of these, how many share a seed with the baseline; 0: compared freely */
	struct stats stats;
	struct contrast contrast; /* against the baseline */
	double p_ranks;           /* Mann-Whitney */
	double p;                 /* of the contrast, by Holm for all cells of the measure */
};

/* The cells of a measure, [row][series]; n is 0 where there are no runs. NULL with @err. */
struct cell_stats *compare_measure(
	const struct comparison_set *set, int measure, struct error *err);

/* "***" below 0.001, "**" below 0.01, "*" below 0.05, else "". */
const char *compare_mark(double p);

/* The ways to print it. LKML is plain text for a mail: rows, a column per series, ratios last, no
 * line over 72 columns. */
enum compare_format { COMPARE_TABLE, COMPARE_MARKDOWN, COMPARE_CSV, COMPARE_LKML };
extern const char *const compare_formats[]; /* NULL-terminated */

/* Writes the measures given by number. 0 or -1 with @err. */
int compare_write(FILE *out, const struct comparison_set *set, enum compare_format format,
	const int *measures, size_t nr_measures, struct error *err);
