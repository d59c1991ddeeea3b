/*
 * One run: build, execute, collect, free. The only lifecycle. A run is a value: no globals, any
 * number of them go in parallel threads.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/driver.h"
#include "sim/engine/engine.h"
#include "sim/governor.h"
#include "sim/hw/machine.h"
#include "sim/kernel/kernel.h"
#include "sim/sampler.h"
#include "sim/scenario/scenario.h"
#include "sim/watch.h"
#include "sim/workload.h"

/* A run without a duration whose workload has not ended by then is stopped and has failed. */
#define RUN_MAX_NS (INT64_C(3600) * NSEC_PER_SEC)

struct events;

struct run {
	const struct scenario *scenario;
	struct arena arena; /* everything below lives here */
	uint64_t seed;      /* scenario seed mixed with the repeat */
	struct engine engine;
	struct machine machine;
	struct kernel kernel;
	struct driver_ctx driver_ctx;
	struct driver_info *infos;       /* per policy, as the driver said */
	const struct governor *governor; /* the scenario's, or the one that stands in for it */
	const char *governor_name;       /* as scaling_governor shows it */
	const char *note; /* what Linux does otherwise than asked, one sentence; NULL: nothing */
	void *tunables;   /* the scenario's, with PARAM_AUTO filled in by tune() */
	struct workload_ctx workload_ctx;
	struct workload_ctx *beside; /* per scenario->beside */
	struct events *events;       /* events.h; NULL: none */
	struct sampler sampler;
	struct power_sample *samples;
	size_t nr_samples, max_samples;
	double *scratch;    /* three times as many: for statistics of the samples */
	struct watch watch; /* in debug builds, or where watch_start() was called */
	bool stuck;         /* nothing can happen any more, and the workload has not ended */
	int64_t elapsed_ns; /* simulated time from the start to the last leading task's exit */
};

/* Builds everything, executes nothing: what `check` and `show` need. @repeat counts from 0. On
 * failure the run is freed. 0 or -1 with @err. */
int run_build(struct run *run, const struct scenario *scenario, int64_t repeat, struct error *err);
/* The same under a watch (watch.h): it fails when something does not hold that must. */
int run_build_watched(
	struct run *run, const struct scenario *scenario, int64_t repeat, struct error *err);
/* When a run ends at the latest. */
int64_t run_limit_ns(const struct scenario *scenario);
/* From start to end of the workload (or duration). */
int run_execute(struct run *run, struct error *err);
void run_free(struct run *run);
