/*
 * Executes runs of a plan one after the other. Knows one scenario at a time; neither schedule nor
 * store.
 */
#pragma once

#include "sim/sweep/plan.h"
#include "sim/sweep/store.h"

struct runner {
	const struct plan *plan;
	struct arena arena; /* of the scenario that is loaded */
	struct scenario scenario;
	size_t point;
	bool loaded;
};

void runner_start(struct runner *runner, const struct plan *plan);
/* Whatever goes wrong is the outcome's message. */
void runner_run(struct runner *runner, size_t point, int64_t repeat, struct outcome *outcome);
void runner_end(struct runner *runner);
