/*
 * The load sampler that ondemand and conservative share: when a sample is taken, how busy the CPUs
 * of a policy were since the last one, and which defaults a kernel version gives. Knows counters
 * and time; of frequencies only the limits that a policy has.
 *
 * Every function is pure: it sees what it is given and changes nothing else. Times are microseconds
 * unless a name says otherwise; arithmetic has the kernel's widths and wraps as there. What changed
 * between kernel versions is one row of a table. Follows drivers/cpufreq/cpufreq_governor.c and,
 * for 2.6, cpufreq_ondemand.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/kernel/freq_table.h"
#include "sim/kernel/version.h"

#define DBS_NO_IDLE_PERIODS UINT32_MAX
#define DBS_MICRO_BASE_US 10000

/* What a long time since the last sample lets a CPU keep its last load for. */
enum dbs_reuse {
	DBS_REUSE_NEVER,
	DBS_REUSE_LONG_WINDOW, /* the window was long, idle or busy */
	DBS_REUSE_LONG_IDLE,   /* the CPU was idle for long */
};

/* What becomes of idle time that ran backwards or beyond the window. */
enum dbs_bad_idle {
	DBS_BAD_IDLE_SKIP_CPU,
	DBS_BAD_IDLE_SIGNED, /* busy when negative, else idle */
	DBS_BAD_IDLE_ZERO,   /* backwards counts as no idle time */
};

/* How the default sampling rate comes from the driver's latency. */
enum dbs_rate { DBS_RATE_2620, DBS_RATE_2639, DBS_RATE_316, DBS_RATE_415 };

struct dbs_rules {
	unsigned since; /* KVER() */
	enum dbs_rate rate;
	enum dbs_reuse reuse;
	enum dbs_bad_idle bad_idle;
	bool ticks;           /* counters are jiffies */
	bool idle_has_iowait; /* the idle counter holds iowait, which is taken out again */
	bool load_at_start;   /* prev_load starts as the load since boot */
	bool nice_of_policy;  /* one prev_nice for all CPUs of the policy */
	bool nice_ns;         /* nice time is exact, not whole jiffies */
	bool never_backwards; /* a smaller idle counter is taken as unchanged */
	bool timer;           /* samples come from a deferrable timer in jiffies */
	bool timer_of_policy; /* one timer expiry re-arms all CPUs of the policy */
};

const struct dbs_rules *dbs_rules(unsigned version);

/* CPU time since boot. With rules->ticks every field is in jiffies. */
struct dbs_counters {
	uint64_t wall, idle, iowait; /* us; idle without iowait */
	uint64_t nice;               /* ns */
};

/* What the sampler keeps of a CPU. */
struct dbs_cpu {
	uint64_t prev_wall, prev_idle, prev_iowait, prev_nice;
	uint32_t prev_load;
	uint64_t expires; /* jiffies; when its timer may fire (before 4.6) */
};

struct dbs_setup {
	const struct dbs_rules *rules;
	uint32_t hz;
	uint32_t sampling_rate, rate_mult;
	bool io_is_busy, ignore_nice;
};

struct dbs_load {
	bool valid; /* false: no time has passed, there is no load (2.6.20) */
	uint32_t load;
	int cpu;                /* of the policy, whose load it is; the first of equal ones */
	uint32_t elapsed, idle; /* of that CPU since the last call */
	bool reused;            /* it is the load of the time before */
	uint32_t idle_periods;  /* the fewest of a CPU; DBS_NO_IDLE_PERIODS */
};

/* The governor starts; a tunable was written that changes what counts as idle (io_is_busy, or
 * ignore_nice with @nice): the next window begins now. */
void dbs_start(const struct dbs_setup *setup, struct dbs_cpu *cpus, const struct dbs_counters *now,
	int nr);
void dbs_restart(const struct dbs_setup *setup, struct dbs_cpu *cpus,
	const struct dbs_counters *now, int nr, bool nice);

/* Load of a policy of @nr CPUs since the last call. */
struct dbs_load dbs_load(const struct dbs_setup *setup, struct dbs_cpu *cpus,
	const struct dbs_counters *now, int nr);

/* When the scheduler's hook may sample (4.6 and later). */
struct dbs_clock {
	uint64_t last_sample_ns;
	int64_t sample_delay_ns;
	bool work_in_progress;
	uint32_t work_count; /* policies of several CPUs: the hook that won */
};

void dbs_clock_start(struct dbs_clock *clock, uint32_t sampling_rate);
/* A hook at @time_ns on a CPU that @may_update the policy: true when work is to be queued. */
bool dbs_clock_hook(struct dbs_clock *clock, uint64_t time_ns, bool is_shared, bool may_update);
/* The work is done and wants the next sample after @delay. */
void dbs_clock_done(struct dbs_clock *clock, uint32_t delay);
/* Limits or sampling_rate changed: the next hook samples. */
void dbs_clock_now(struct dbs_clock *clock);

/* Kernel time units. */
uint32_t dbs_jiffies_to_us(uint64_t jiffies, uint32_t hz);
uint64_t dbs_us_to_jiffies(uint32_t us, uint32_t hz);
/* Jiffies until the next deferrable expiry; @align puts all CPUs on common jiffies. */
uint32_t dbs_timer_delay(uint32_t us, uint32_t hz, uint64_t jiffies, bool align);

enum dbs_governor { DBS_ONDEMAND, DBS_CONSERVATIVE };

struct dbs_defaults_env {
	enum dbs_governor governor;
	unsigned version;
	uint32_t hz;
	uint32_t transition_latency_ns, transition_delay_us;
	bool micro_accounting; /* idle microseconds exist (NOHZ) */
};

struct dbs_defaults {
	uint32_t sampling_rate;
	uint32_t min_sampling_rate, max_sampling_rate;
	bool rate_clamped; /* a smaller rate is raised instead of rejected */
	uint32_t up_threshold, min_up_threshold;
	uint32_t down_differential; /* 2.6 */
	uint32_t sampling_down_factor;
};

struct dbs_defaults dbs_defaults(const struct dbs_rules *rules, const struct dbs_defaults_env *env);

/* A write to sampling_rate: 0 and the value to use, or -1 when it is rejected. */
int dbs_write_rate(const struct dbs_defaults *defaults, uint32_t value, uint32_t *sampling_rate);

/* Idle and wall microseconds of a kernel that counts ticks only: what is not busy is idle. */
struct dbs_ticks {
	uint64_t jiffies;
	uint64_t user_ns, nice_ns, system_ns, softirq_ns, irq_ns, steal_ns;
};

void dbs_clocks_from_ticks(const struct dbs_ticks *ticks, uint32_t hz, struct dbs_counters *out);

/* A policy as a sampling governor sees it. */
struct dbs_policy {
	const struct freq_table *table; /* NULL: the driver takes any frequency */
	struct freq_limits limits, cpuinfo;
	uint32_t cur_khz;
	unsigned version;
};

struct dbs_request {
	bool wanted;
	uint32_t khz;
	unsigned relation;
};

/* Forces the current frequency into new limits; @efficient is 0 or RELATION_E. */
struct dbs_request dbs_limits(const struct dbs_policy *policy, unsigned efficient);
