/*
 * The decisions of schedutil over plain data: when it evaluates, which frequency it takes, what it
 * then asks for. Knows no policy, driver or run queue: the caller shows a view of the policy, a way
 * to read a CPU's utilisation, and carries out the action. Times in ns, frequencies in kHz.
 *
 * Follows kernel/sched/cpufreq_schedutil.c of 4.8 to 6.12, and the patch "Consolidate cpufreq
 * updates" (v7, July 2024) on top of 6.12.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/kernel/decision.h"
#include "sim/kernel/freq_table.h"
#include "sim/kernel/util.h"

enum sugov_shape {
	SUGOV_4_8,  /* the scheduler hands over util and max */
	SUGOV_4_12, /* flags of every CPU are remembered, boost in kHz */
	SUGOV_5_10, /* utilisation is read from the run queue */
};

enum sugov_raw { SUGOV_RAW_FREQ_HEADROOM, SUGOV_RAW_UTIL_HEADROOM, SUGOV_RAW_REFERENCE };

/* What differs between versions; one row a range. */
struct sugov_rules {
	unsigned first_version; /* KVER() */
	enum sugov_shape shape;
	enum sugov_raw raw;
	bool perf;          /* drivers may take a performance level, not a frequency */
	bool boost_clamped; /* the run queue's clamp holds for the I/O boost, too */
	bool largest_util;  /* shared: of all CPUs, on the caller's capacity; else largest ratio */
	bool cfs_boosted;   /* fair utilisation counts waiting tasks */
	bool util_is_perf;  /* utilisation comes with headroom, floor and ceiling */
	bool limits_once;   /* a limits change is served once, for any driver (fix of 2025) */
	bool limits_free;   /* ... and is not held back by a busy CPU (fix of 2025) */
	bool consolidated;  /* the patch */
};

/* Which source a version stands for. */
enum sugov_patches {
	SUGOV_BASE = 1 << 0,         /* as first released, without the fixes of 2025 */
	SUGOV_CONSOLIDATED = 1 << 1, /* with the patch */
};

struct sugov_rules sugov_rules(unsigned version, unsigned patches);

/* What decided the last evaluation. */
enum sugov_reason {
	SUGOV_RATE_LIMIT,  /* too soon after the last request */
	SUGOV_IN_PROGRESS, /* up to 4.16: the worker still has the last one */
	SUGOV_UTIL,        /* utilisation */
	SUGOV_IO_BOOST,    /* the boost of a CPU that waits for I/O exceeds it */
	SUGOV_RT_MAX,      /* up to 4.16: a real-time or deadline task runs */
	SUGOV_HOLD,        /* the CPU has not idled since: no slower */
	SUGOV_CACHE,       /* the raw frequency is that of last time */
};

enum decision_rule sugov_rule(enum sugov_reason reason);

struct sugov_cpu {
	uint64_t iowait_boost; /* 0..1024; up to 4.12 kHz */
	bool iowait_pending;
	uint64_t last_update_ns; /* the patch: of the boost alone */
	uint64_t util, max;
	uint64_t bw_min; /* floor, or reserved bandwidth */
	uint64_t saved_idle_calls;
	bool boosted;            /* util is the boost's */
	unsigned flags;          /* 4.12 */
	uint32_t cached_raw_khz; /* 4.8 */
};

struct sugov_policy {
	struct sugov_rules rules;
	unsigned version;
	int nr_cpus;
	bool shared; /* several of them are online */
	uint64_t tick_ns;
	uint64_t delay_ns;             /* rate_limit_us, may change at any time */
	bool fast_switch, adjust_perf; /* what the driver offers */
	bool needs_limits;             /* its flag NEED_UPDATE_LIMITS */
	bool invariant;                /* utilisation is scaled by frequency */
	uint32_t ref_khz;              /* reference of invariance, 0: none */
	bool no_hold;                  /* a CPU that has not idled may slow down */

	const struct util_rules *util_rules; /* of the version, from the start on */
	uint32_t next_khz, cached_raw_khz;
	uint64_t last_freq_update_ns;
	bool need_update, limits_changed, work_in_progress;
	enum sugov_reason reason;
};

/* The policy as it is at the call. */
struct sugov_view {
	const struct freq_table *table; /* NULL: none */
	struct freq_limits limits;
	uint32_t cur_khz, cpuinfo_max_khz;
};

/* Reads a CPU of the policy, 0 being the first. */
struct sugov_source {
	void (*read)(void *ctx, int cpu, struct util_input *in);
	void *ctx;
};

struct sugov_call {
	int cpu; /* of the policy, whose hook it is */
	uint64_t time_ns;
	unsigned flags;     /* enum hook_flags */
	uint64_t util, max; /* 4.8; util SUGOV_UTIL_MAX: a real-time or deadline task runs */
};

#define SUGOV_UTIL_MAX UINT64_MAX

enum sugov_what { SUGOV_NOTHING, SUGOV_FAST_SWITCH, SUGOV_QUEUE_WORK, SUGOV_ADJUST_PERF };

struct sugov_action {
	enum sugov_what what;
	uint32_t khz; /* fast switch, before the core clamps it */
	uint64_t perf_min, perf_target, perf_capacity;
};

/* Sets the state a governor starts with; the configuration above it is the caller's. */
void sugov_start(struct sugov_policy *sp, struct sugov_cpu *cpus);
struct sugov_action sugov_update(struct sugov_policy *sp, struct sugov_cpu *cpus,
	const struct sugov_view *view, const struct sugov_source *source,
	const struct sugov_call *call);
/* The policy's limits have changed. True when the clock has to move into them by a request of
 * *khz and *relation now. */
bool sugov_limits(
	struct sugov_policy *sp, const struct sugov_view *view, uint32_t *khz, unsigned *relation);
/* The deferred work: the frequency to request, relation L; sugov_work_done() after the driver. */
uint32_t sugov_work(struct sugov_policy *sp);
void sugov_work_done(struct sugov_policy *sp);

/* Parts of it. The frequency for @util of @max; @cached_raw_khz as the version keeps it. */
uint32_t sugov_next_khz(struct sugov_policy *sp, const struct sugov_view *view, uint64_t util,
	uint64_t max, uint32_t *cached_raw_khz);
void sugov_iowait_boost(
	const struct sugov_policy *sp, struct sugov_cpu *cpu, uint64_t time_ns, unsigned flags);
/* The boost in capacity units of @capacity, 0 when there is none; it ages. */
uint64_t sugov_iowait_apply(const struct sugov_policy *sp, struct sugov_cpu *cpu, uint64_t time_ns,
	uint64_t capacity, unsigned flags);
