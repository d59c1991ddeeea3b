/*
 * The cpufreq core: policies, limits, the way from a request to the driver, statistics. The only
 * go-between of governors and drivers. Belief: cur_khz is what was asked for, not what runs.
 * Follows drivers/cpufreq/cpufreq.c and cpufreq_stats.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/engine/engine.h"
#include "sim/hw/hwp.h"
#include "sim/kernel/cpufreq_stats.h"
#include "sim/kernel/freq_table.h"

struct kernel;
struct governor;
struct driver;
struct driver_ctx;
struct driver_info;
struct driver_request;
struct util_input;

/* What the hardware has been told and has yet to do. */
struct clock_change {
	int64_t clock_khz;
	bool autonomous; /* it is told a range instead */
	struct hwp_request hwp;
	int64_t delay_ns;
};

struct policy {
	int id; /* its first CPU */
	int first_cpu, nr_cpus;
	int nr_online; /* of these; 0: the policy is inactive, no governor runs it */
	int cpu;       /* the one that acts for it, the first online */
	struct kernel *kernel;
	const struct governor *governor;
	const char *governor_name; /* as scaling_governor shows it */
	const void *tunables;
	void *governor_state;
	void *cpu_state; /* nr_cpus x governor->cpu_size */
	const struct driver *driver;
	struct driver_ctx *driver_ctx;
	int index; /* among the policies */

	int64_t min_khz, max_khz, cur_khz;
	int64_t cpuinfo_min_khz, cpuinfo_max_khz;
	int64_t transition_latency_ns, transition_delay_us;
	bool has_table;
	struct freq_table table;
	unsigned driver_flags;   /* enum driver_flags; FAST_SWITCH only without notifiers */
	uint64_t hwp_capability; /* the register of levels; 0: there is none */

	bool work_running; /* the governor's part of it has begun */
	bool work_again;   /* queued once more meanwhile */
	bool work_pending; /* queued or running */
	bool work_stale;   /* queued by a governor that has gone since */
	struct policy *work_next;
	int64_t held_ns;                 /* by the work that runs: its own cost and the driver's */
	struct timer work_at;            /* cpufreq_work_at() */
	struct timer begin, effect, end; /* stages of the transition in flight */
	int64_t pending_khz;
	struct clock_change coming, behind; /* effect's, and the newest request after it */
	bool has_behind;
	int64_t pending_stall_ns;
	int pending_stall_scope; /* enum stall_scope */
	bool pending_failed;

	int64_t requests;   /* governor asked for a frequency */
	int64_t suppressed; /* of these: equal to cur, the driver was not asked */
	int64_t commands;   /* driver calls that reached the hardware */
	int64_t failed;
	int64_t fast_switches, perf_adjusts; /* of the requests: made by the hook itself */
	int64_t driver_wait_ns, driver_busy_ns, stall_ns;
	int64_t work_runs;
	struct cpufreq_stats stats;
};

/* Asks for @khz. Clamps to the limits, resolves in the table, returns early when that is cur,
 * else calls the driver; the transition takes effect later. What it costs the caller is charged by
 * the core. */
void cpufreq_target(struct policy *policy, int64_t khz, unsigned relation);

/* The same from the hook of @cpu, at once and without notifiers, for a policy that can
 * (cpufreq_can_fast_switch()). Where a register write takes CPU time, the task that runs on @cpu
 * pays it. Follows cpufreq_driver_fast_switch(). */
void cpufreq_fast_switch(struct policy *policy, int cpu, int64_t khz);
bool cpufreq_can_fast_switch(const struct policy *policy);
/* A wish in utilisation, for a policy whose driver takes one; cur_khz follows only where the driver
 * says so. Follows cpufreq_driver_adjust_perf(). */
void cpufreq_adjust_perf(
	struct policy *policy, int cpu, uint64_t min, uint64_t target, uint64_t capacity);
bool cpufreq_can_adjust_perf(const struct policy *policy);
/* The driver's own governor writes the request register of a CPU whose hardware chooses. */
void cpufreq_write_hwp(struct policy *policy, int cpu, uint64_t value);
/* The driver wants to hear of limits that change nothing else (NEED_UPDATE_LIMITS). */
bool cpufreq_needs_limits(const struct policy *policy);

/* What load tracking knows of CPU @cpu. */
void cpufreq_util_read(const struct policy *policy, int cpu, struct util_input *in);
/* Load tracking knows how fast the CPU really runs. */
bool cpufreq_is_invariant(const struct policy *policy);

/* Why a kernel of @version lets this governor not run a policy of this driver; NULL: it does.
 * performance runs it then. Follows cpufreq_init_governor(). */
const char *cpufreq_refusal(
	const struct governor *governor, const struct driver_info *info, unsigned version);

/* Queues governor->work() to run on @cpu as a kernel worker. False when it is pending already;
 * while it runs it is queued once more behind itself. */
bool cpufreq_queue_work(struct policy *policy, int cpu);
/* The same at a given time (userspace governor's own script, timer-driven sampling). */
void cpufreq_work_at(struct policy *policy, int64_t when_ns);

/* The worker has come to the policy's work. */
void cpufreq_work(struct policy *policy);

/* scaling_governor is written: the old one stops, the new one starts. Its state fits into the room
 * there is. Follows cpufreq_set_policy(). */
void cpufreq_change_governor(struct policy *policy, const struct governor *governor,
	const char *name, const void *tunables);
/* boost is written, for a driver that has it. Follows store_boost(). */
void cpufreq_set_turbo(struct kernel *kernel, bool on);

/* scaling_min_freq / scaling_max_freq; follows cpufreq_set_policy(). */
void cpufreq_set_limits(struct policy *policy, int64_t min_khz, int64_t max_khz);

/* Walks of the notifier chain in one transition: PRECHANGE and POSTCHANGE, and both once more to
 * undo one that failed. */
static inline int transition_walks(bool failed)
{
	return failed ? 4 : 2;
}

/* A CPU of the policy goes or has come: the governor stops, and starts again for those that are
 * left; with the last one it only stops, and limits and tunables are kept. Follows
 * cpufreq_offline() and cpufreq_online(). */
void cpufreq_cpu_gone(struct policy *policy);
void cpufreq_cpu_came(struct policy *policy);

/* What cpuinfo_cur_freq reads of the hardware; 0: its driver cannot. Follows cpufreq_get(). */
int64_t cpufreq_get(const struct policy *policy);

/* cpufreq_stats time_in_state of one state up to now. */
int64_t cpufreq_time_in_state_ns(const struct policy *policy, int state);

/* Build: the policy's identity (kernel, CPUs, governor, driver) is set; the driver has said @info.
 * Then, while kernel->booting: the governor takes over and the first limits are set. */
void policy_init(struct policy *policy, const struct driver_info *info, struct arena *arena);
void policy_start(struct policy *policy, int64_t min_khz, int64_t max_khz);
