/*
 * The points of a plan, each tried before anything runs. Knows which make sense, and what each is
 * called by its content.
 */
#pragma once

#include <stdbool.h>

#include "sim/sweep/identity.h"
#include "sim/sweep/plan.h"

struct point {
	struct digest digest; /* of its effective scenario */
	size_t same_as;       /* the first point with that digest: what is run for both */
	int64_t seed;         /* of its first repeat */
	const char *skipped;  /* why it makes no sense; NULL when it does */
};

struct points {
	struct point *list;
	size_t nr, nr_skipped;
	struct digest digest; /* of the sweep as a whole: the axes and every point */
	const char *scenario; /* its name */
	const char *manifest; /* every value in effect at the first point that makes sense */
	int64_t repeats;      /* as the scenario says */
};

/* Tries every point in @jobs threads. A point that makes no sense is an error, or with @skip noted
 * as skipped; when all are, it is an error in any case. 0 or -1 with @err. */
int points_check(struct points *points, const struct plan *plan, struct arena *arena, bool skip,
	int jobs, struct error *err);
