/*
 * The power sampler: what a user sees who reads the packages' energy counters at an interval.
 * Knows the counters (power.h), nothing of the exact energy behind them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/engine/engine.h"
#include "sim/hw/power.h"

struct run;

/* One reading: the counters' growth over the interval. */
struct power_sample {
	int64_t t_ns; /* end of the interval */
	double watts; /* all packages */
};

/* A package's counter, and what the last reading saw. */
struct counter_reading {
	struct power_counter counter;
	uint64_t seen;
};

struct sampler {
	struct timer timer; /* the counters' last update before the next reading */
	int64_t reading_ns; /* when that is */
	struct counter_reading *packages;
};

/* Build, under arena_try(). -1 with @err when the counters might wrap more than once an
 * interval. */
int sampler_build(struct run *run, struct error *err);
/* Plans the first reading; the engine has been started. */
void sampler_start(struct run *run);
