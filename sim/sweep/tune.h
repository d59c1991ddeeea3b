/*
 * Searches the axes of a plan for the best point. Knows objectives, a budget of runs and seeds; not
 * what a value means.
 *
 * A space-filling start on one seed; the better half gets another seed, and again, as long as there
 * are several; then the simplex of Nelder and Mead walks on from the best over axes of numbers, and
 * steps along all axes end the search. Every point meets the same seeds in the same order, so that
 * points differ by their values. What is chosen is run once more on seeds that the search never
 * saw: that is how good it is.
 */
#pragma once

#include "sim/report/stats.h"
#include "sim/sweep/runner.h"

#define TUNE_MAX_OBJECTIVES 2
#define TUNE_MAX_SEEDS 16

/* METRIC <= FACTOR, or FACTOR times what governor @reference reaches; or >=. */
struct tune_constraint {
	enum metric metric;
	bool at_least;
	double factor;
	const char *reference; /* NULL: the factor is the bound */
};

struct tune_request {
	struct plan_request plan;
	enum metric objectives[TUNE_MAX_OBJECTIVES];
	size_t nr_objectives;
	const struct tune_constraint *constraint; /* NULL: none */
	int64_t budget;                           /* runs, all of them counted */
	int jobs;
};

struct tune_candidate {
	size_t point; /* of the plan below */
	size_t n;     /* seeds it was run on */
	bool failed;
	double values[TUNE_MAX_SEEDS][METRIC_NR];
	bool feasible, front;
};

struct tune_result {
	struct plan plan; /* its points are the candidates */
	struct tune_candidate *candidates;
	size_t nr, chosen;
	double bound;  /* of the constraint */
	int64_t used;  /* runs */
	int64_t fresh; /* of these, how many on seeds that the search did not use */
	struct stats check[TUNE_MAX_OBJECTIVES]; /* of the chosen point, on those */
	struct stats check_constraint;
};

/* 0 or -1 with @err; all memory is @arena's. */
int tune_search(struct tune_result *result, struct arena *arena, const struct catalog *catalog,
	const struct tune_request *request, struct error *err);
