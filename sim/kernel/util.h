/*
 * How busy a CPU counts as, for the choice of its frequency: what its classes use, put together,
 * with the limits that uclamp and deadline reservations set. Knows numbers, not run queues. All
 * utilisations and capacities are 0..1024 (and may exceed it where the kernel's may).
 *
 * Follows kernel/sched/{fair,core,sched,cpufreq_schedutil} as the version has it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/units.h"

#define DL_BW_SHIFT 20
#define DL_RUNTIME_UNLIMITED UINT64_MAX

/* A CPU as a governor's callback finds it. */
struct util_input {
	uint64_t capacity;
	uint64_t cfs_util_avg, cfs_runnable_avg, cfs_util_est;
	uint64_t rt_util, dl_util, irq_util;
	uint64_t dl_running_bw; /* share reserved, with DL_BW_SHIFT fraction bits */
	bool rt_queued;
	bool uclamp_used;                /* some task has asked for a clamp */
	uint64_t uclamp_min, uclamp_max; /* of the run queue */
	uint64_t idle_calls; /* idle entries that went on to stop the tick (4.12: all) */
};

/* What differs between versions; one row a range. */
struct util_rules {
	unsigned first_version; /* KVER() */
	bool cfs_estimate;      /* cfs utilisation knows util_est */
	bool cfs_limited;       /* ... and is limited to the capacity */
	bool knows_capped;      /* asks whether uclamp holds the run queue down */
	bool limits_apart;      /* effective utilisation comes with a floor and a ceiling */
};

const struct util_rules *util_rules(unsigned version);

/* Follows cpu_util_cfs(), and cpu_util_cfs_boost() of 6.5. */
uint64_t util_cfs(const struct util_rules *rules, const struct util_input *in);
uint64_t util_cfs_boost(const struct util_input *in);
/* Follows cpu_bw_dl(). */
static inline uint64_t util_bw_dl(const struct util_input *in)
{
	return in->dl_running_bw * CAPACITY_SCALE >> DL_BW_SHIFT;
}

/* @util inside the run queue's clamp. Follows uclamp_rq_util_with(). */
uint64_t util_clamped(const struct util_input *in, uint64_t util);
/* The clamp holds the run queue down. Follows uclamp_rq_is_capped(). */
bool util_is_capped(const struct util_rules *rules, const struct util_input *in);

struct util_effective {
	uint64_t util, min, max; /* min and max from 6.8 on */
};

/* Follows effective_cpu_util(), schedutil_cpu_util() in 5.10. Which utilisation of the fair class
 * goes in, boosted or not, is the caller's choice. */
struct util_effective util_effective(
	const struct util_rules *rules, const struct util_input *in, uint64_t cfs_util);
/* The same for an energy estimate, up to 6.7: no clamp, all of the deadline class. */
uint64_t util_energy(const struct util_input *in, uint64_t cfs_util);

/* 25 % of headroom. Follows map_util_perf(). */
static inline uint64_t util_with_headroom(uint64_t util)
{
	return util + (util >> 2);
}

/* @freq scaled by @util of @capacity. Follows map_util_freq() of 6.1. */
static inline uint64_t util_to_freq(uint64_t util, uint64_t freq, uint64_t capacity)
{
	return freq * util / capacity;
}

/* The larger of utilisation and @boost with headroom, then inside floor and ceiling; the floor
 * wins. Follows sugov_get_util() and sugov_effective_cpu_perf() of 6.8. */
uint64_t util_to_perf(const struct util_effective *eff, uint64_t boost);

/* Share of a deadline reservation, with DL_BW_SHIFT fraction bits. Follows to_ratio(). */
uint64_t dl_bandwidth(uint64_t period_ns, uint64_t runtime_ns);
