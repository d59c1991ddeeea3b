/*
 * One sample of intel_pstate: how far the counters moved since the last one and what share of the
 * base clock that means. Knows counters and time in ns, not levels. Follows intel_pstate_sample()
 * of Linux 4.5 to 6.1.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/kernel/perf_counters.h"

enum pstate_taken {
	SAMPLE_NONE,   /* too early, or the counters stood still */
	SAMPLE_PRIMED, /* the first one only fills the fields */
	SAMPLE_TAKEN,
};

/* How aperf / mperf is kept. */
enum pstate_perf {
	PERF_PERCENT, /* percent with 8 fractional bits, until 4.6 */
	PERF_RATIO,   /* 14 fractional bits */
};

struct pstate_sample {
	struct perf_counters prev;  /* when it was taken */
	struct perf_counters delta; /* since the one before */
	uint64_t time_ns, last_time_ns;
	int32_t perf; /* aperf / mperf in the format of enum pstate_perf */
};

/* Has a period of @period_ns passed? A time before the sample has not. */
bool pstate_sample_due(const struct pstate_sample *sample, uint64_t now_ns, int64_t period_ns);

/* Takes a sample. @prime: one that follows time 0 is SAMPLE_PRIMED and leaves perf alone. */
enum pstate_taken pstate_sample_take(struct pstate_sample *sample,
	const struct perf_counters *counters, uint64_t now_ns, enum pstate_perf format, bool prime);
