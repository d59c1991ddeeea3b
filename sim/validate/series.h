/*
 * A policy's frequency over time, as recorded and as predicted, and how far the two are apart.
 * Knows numbers; knows no governor and no trace.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/validate/model.h"

/* From @t_ns on. */
struct series_point {
	int64_t t_ns;
	uint32_t khz;
	struct model_decision decision; /* the last one made by then */
};

struct series {
	struct series_point *points;
	size_t nr, max;
};

void series_add(struct series *series, struct arena *arena, int64_t t_ns, uint32_t khz,
	const struct model_decision *decision);
/* The point in force at @t_ns; NULL before the first. */
const struct series_point *series_at(const struct series *series, int64_t t_ns);

/* What a prediction is worth. Shares are 0..1. */
struct score {
	int64_t evaluations;            /* recorded frequency events that are compared */
	double equal, within1, within2; /* of them: by steps of the policy's list of clocks */
	double time_equal;              /* share of the time */
	double residency_distance;      /* total variation: half the sum of differences in share */
	double mean_khz;
	double mean_error;     /* (predicted mean - recorded mean) / recorded mean */
	double mean_error_khz; /* mean of the absolute differences, over time */
	double changes_per_s;
};

/* One recorded frequency event and what was predicted for it. */
struct moment {
	int64_t t_ns, lasts_ns;
	uint32_t recorded_khz, predicted_khz;
	int steps;
	struct model_decision decision;
};

struct comparison {
	struct arena *arena;
	const struct series *recorded, *predicted;
	const int64_t *clocks_khz; /* ascending */
	size_t nr_clocks;
	int64_t from_ns, to_ns;
	bool at_events;       /* predictions were made at the recorded events, one for each */
	int64_t tolerance_ns; /* else: a prediction may come later by so much */
};

/* The place of @khz among the clocks: the nearest. */
int clock_step(const struct comparison *cmp, uint32_t khz);
struct score score_prediction(const struct comparison *cmp);
/* The same for two predictors that know nothing: for each figure the best that any constant
 * frequency reaches, and the frequency that was recorded before the present one. */
struct score score_constant(const struct comparison *cmp);
struct score score_keep(const struct comparison *cmp);
/* The recorded mean and changes. */
struct score score_recorded(const struct comparison *cmp);
/* The @max moments at which the prediction is farthest off, in order of badness. How many. */
size_t score_worst(const struct comparison *cmp, struct moment *moments, size_t max);
