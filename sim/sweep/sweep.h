/*
 * A sweep as it runs: threads take runs off the schedule and put outcomes into the store. Knows
 * when to stop; what was done before is not done again.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "sim/sweep/schedule.h"
#include "sim/sweep/store.h"

struct sweep {
	const struct plan *plan;
	const struct points *points;
	struct store *store;
	struct schedule schedule;
	pthread_mutex_t lock; /* of all below and of schedule and store */
	pthread_cond_t changed;
	struct error error; /* of the store */
	bool stopping;
	size_t done_now;
	double start_s;
	bool shows_progress; /* standard error is a terminal */
	char failure[640];   /* the first run that failed, with its point */
};

/* Reads what the store has already. SIGINT and SIGTERM are held back from here to sweep_end(), so
 * that they stop the sweep between runs; a second one ends the program at once. */
int sweep_start(struct sweep *sweep, struct arena *arena, const struct plan *plan,
	const struct points *points, struct store *store, const struct schedule_request *request,
	struct error *err);
/* Runs what is left in @jobs threads of this process. */
void sweep_run(struct sweep *sweep, int jobs);
void sweep_end(struct sweep *sweep);

/* The steps of it, for those who run elsewhere. sweep_put() is called with every outcome;
 * sweep_poll() now and then: it looks for a signal, shows progress, and says whether to go on. */
enum schedule_next sweep_take(struct sweep *sweep, size_t *point, int64_t *repeat);
void sweep_put(struct sweep *sweep, const struct outcome *outcome);
bool sweep_poll(struct sweep *sweep);
