/*
 * The counters APERF, MPERF and TSC of CPUs whose scheduling was recorded. They follow from who ran
 * when and from what the model itself has asked for; CPUs that share a clock run at the highest
 * request that counts. Knows the machine's clocks, no governor.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/kernel/perf_counters.h"

struct model;

struct clock_counter {
	int64_t busy_ns;
	int64_t rest; /* work below one cycle */
	uint64_t cycles;
	struct perf_counters ticked; /* at the last tick, for invariance */
};

struct clocks {
	struct clock_counter *counters; /* by CPU */
	int *domain_of;                 /* by CPU: those that share a clock */
	int64_t *khz;                   /* by domain: as of the last look */
	int64_t since_ns;
};

void clocks_init(struct model *model);
/* Up to @now_ns everything ran as it does now. */
void clocks_pass(struct model *model, int64_t now_ns);
/* MPERF and TSC advance with the machine's reference clock. */
struct perf_counters clocks_read(const struct model *model, int cpu, int64_t now_ns);
/* An interrupt on an idle CPU: it is awake for a moment, whose length is assumed. */
void clocks_wake(struct model *model, int cpu);
/* What load tracking learns at a tick of how fast the CPU was; follows scale_freq_tick(). */
void clocks_tick(struct model *model, int cpu, int64_t now_ns);
