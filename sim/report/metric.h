/*
 * What is measured of a run: numbers computed once, from the final state. Knows the run's counters
 * and residencies, not how they are printed. Units are in the names (metrics.def).
 */
#pragma once

struct measure;
struct run;

enum metric_better { LESS, MORE, NEITHER };

enum metric {
#define METRIC(name_, unit_, decimals_, scope_, better_, help_) METRIC_##name_,
#include "sim/report/metrics.def"
#undef METRIC
	METRIC_NR
};

struct metric_info {
	const char *name, *unit;
	int decimals;
	const char *scope; /* what one value is summed over */
	enum metric_better better;
	const char *help;
};

extern const struct metric_info metric_infos[METRIC_NR];

/* The metric called @name, or METRIC_NR. */
enum metric metric_find(const char *name);

/* The workload's own figures, into @out[MEASURES_MAX]; how many there are. */
int metric_measures(const struct run *run, struct measure *out);

/* Fills @values[METRIC_NR]; machine_account() must have been called. A quotient by zero is 0. */
void metric_collect(const struct run *run, double *values);
