/*
 * Many runs at once, results in order. Knows scenarios and threads, not what the results are for.
 *
 * The items are handed out in order to a number of threads; what an item becomes does not depend
 * on how many there are.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/report/result.h"

struct run;
struct scenario;

/* Who wants to see a run itself, and not only its result. Called in the thread of the run. */
struct batch_probe {
	/* Built, not yet executed. 0 or -1 with @err. */
	int (*built)(void *arg, struct run *run, struct error *err);
	void (*done)(void *arg, struct run *run); /* executed to its end */
};

struct batch_item {
	const struct scenario *scenario;
	int64_t repeat;                  /* from 0 */
	const struct batch_probe *probe; /* NULL: nobody */
	void *arg;                       /* of the probe */
	struct result result;
	struct error error;
};

/* Processors online: the default number of threads. */
int batch_default_jobs(void);

/* Runs every item in @jobs >= 1 threads. 0, or -1 with the error of the first item that failed;
 * items after a failed one may not have run. batch_free() in either case. */
int batch_run(struct batch_item *items, size_t nr, int jobs, struct error *err);
void batch_free(struct batch_item *items, size_t nr);
