/*
 * Comma-separated text: the tables of results out, published tables in. Knows columns by name.
 *
 * Written: one header row, one row per observation, a line feed at the end, fields quoted only
 * where they must be. Read: the same, and carriage returns are dropped; every row has as many
 * fields as the header.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/report/result.h"

struct csv {
	const char *path;
	const char **header;
	size_t nr_columns;
	const char **cells; /* rows x columns */
	size_t nr_rows;
};

/* 0, or -1 with @err (code 2) that names file and line. */
int csv_read(struct arena *arena, const char *path, struct csv *csv, struct error *err);
/* The number of a column, or -1. */
int csv_column(const struct csv *csv, const char *name);
const char *csv_cell(const struct csv *csv, size_t row, int column);

/* One field, quoted when it has a comma, a quote or a line feed. */
void csv_field(FILE *out, const char *text);
/* One metric with its decimals. */
void csv_metric(FILE *out, enum metric metric, double value);

/* Nanoseconds as exact decimal seconds. */
void csv_seconds(FILE *out, int64_t ns);

/* runs.csv: scenario, repeat, seed, governor, driver, workload, then every metric. */
void csv_write_runs(FILE *out, const struct report *report);
/* series-power.csv: repeat, t_s, power_w. */
void csv_write_power(FILE *out, const struct report *report);
/* residency.csv: repeat, policy, khz (0 = idle), seconds. */
void csv_write_residency(FILE *out, const struct report *report);
/* hooks.csv: repeat, site, calls, dropped_rate_limit, dropped_other, changes. */
void csv_write_hooks(FILE *out, const struct report *report);
/* idle.csv: repeat, policy, state, usage (finished stays), seconds. */
void csv_write_idle(FILE *out, const struct report *report);
/* wakeup-latency.csv: repeat, from_us, to_us, wakeups: a histogram of the waits between a wake-up
 * or fork and the CPU. */
void csv_write_latency(FILE *out, const struct report *report);
