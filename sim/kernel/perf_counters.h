/*
 * The counters a processor offers to tell how fast it ran: APERF counts at the real clock while
 * busy, MPERF at the base clock while busy, TSC at the base clock always. What Linux may read of
 * the silicon; in cycles, modulo 2^64.
 */
#pragma once

#include <stdint.h>

struct kernel;

struct perf_counters {
	uint64_t aperf, mperf, tsc;
};

void perf_counters_read(struct kernel *kernel, int cpu, struct perf_counters *out);

/* The base clock, as the processor states it: its highest without turbo. */
int64_t perf_counters_base_khz(const struct kernel *kernel);
