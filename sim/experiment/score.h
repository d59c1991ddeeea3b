/*
 * Runs an experiment's cells and judges its targets. Knows numbers, not how they are shown.
 */
#pragma once

#include "sim/batch.h"
#include "sim/experiment/experiment.h"
#include "sim/experiment/observe.h"

/* The runs of all cells: repeat r of cell c is number c x repeats + r. */
struct runs {
	const struct experiment *experiment;
	struct batch_item *items;
	struct observation *observations;
	size_t nr;
};

/* 0, or -1 with @err; runs_free() in either case. */
int runs_execute(struct runs *runs, struct arena *arena, const struct experiment *experiment,
	int jobs, struct error *err);
void runs_free(struct runs *runs);

/* What a target came out as: the mean over the repeats and its 95 % interval (NaN for one). */
struct outcome {
	double simulated, lo, hi;
	double error_pct; /* NaN without a published number */
	const char *verdict;
};

/* Absolute errors of the targets of one role that have a published number. */
struct role_summary {
	size_t nr, nr_ok;
	double sum_pct, worst_pct;
	size_t worst; /* target */
};

struct summary {
	struct role_summary roles[NR_ROLES];
	size_t nr_null; /* scored targets for which the null model says something */
	double null_sum_pct, own_sum_pct; /* absolute errors on these: its and ours */
	/* Pairs of scored targets of one quantity that differ in one respect, and in what was
	 * published by more than their tolerances. */
	size_t nr_pairs, nr_agreed;
};

/* One outcome per target. 0 or -1 with @err. */
int score_outcomes(
	const struct runs *runs, struct arena *arena, struct outcome *outcomes, struct error *err);
void score_summary(const struct experiment *experiment, const struct outcome *outcomes,
	struct summary *summary);
