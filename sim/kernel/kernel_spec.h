/*
 * The kernel of a run as plain data: version, tick, placement rule and the costs of its own work.
 * Filled by scenario.c, read by kernel.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* How the kernel learns how fast a CPU really runs, for load tracking. */
enum invariance_rule {
	INVARIANCE_NONE,     /* it does not: utilisation is relative to the current speed */
	INVARIANCE_CPUFREQ,  /* from the requests of cpufreq */
	INVARIANCE_COUNTERS, /* from APERF and MPERF at each tick */
	INVARIANCE_AMU,      /* from the activity monitors of arm64 at each tick */
	INVARIANCE_CPPC,     /* from the feedback counters of ACPI firmware, after each tick */
};

/* Where a new task goes. A task that wakes goes to its last CPU, or an idle one beside it. */
enum placement_rule {
	PLACEMENT_SPREAD_RANDOM, /* any idle CPU of the package with fewest busy ones */
	PLACEMENT_IDLE_SIBLING,  /* as a task that wakes on its parent's CPU */
	PLACEMENT_IDLEST_CPU, /* before 5.5: of that package the one that idles for the shortest */
	PLACEMENT_FIRST_IDLE, /* 5.5 to 5.8: the first idle CPU after the parent's */
	PLACEMENT_LEAST_UTILISED, /* from 5.9 on: the idle one with the least stored utilisation */
};

enum balance_rule {
	BALANCE_NEW_IDLE, /* a CPU about to idle pulls a task, and nobody else */
	BALANCE_PERIODIC, /* busy and idle CPUs pull as well */
};

/* Which of several sources of one version is meant. */
enum kernel_patches {
	KERNEL_BASE = 1 << 0,         /* "6.1base": as first released, without later backports */
	KERNEL_CONSOLIDATED = 1 << 1, /* patch "Consolidate cpufreq updates", v7 */
};

/* How CPU time is split into user and sys. */
enum cputime_rule {
	CPUTIME_TICK,    /* by where each tick found the task, as most kernels are built */
	CPUTIME_PRECISE, /* at each entry to the kernel and exit (CONFIG_VIRT_CPU_ACCOUNTING) */
};

struct kernel_spec {
	const char *version_text; /* "4.8" */
	int64_t version;          /* KVER() of it */
	unsigned patches;         /* enum kernel_patches */
	bool no_preempt_site;     /* KERNEL_CONSOLIDATED without its call at wake-ups */
	int64_t hz;               /* 100, 250, 300 or 1000 */
	int64_t tick_latency_ns;  /* a tick's interrupt is up to so much late */
	int64_t nohz;             /* the tick stops on an idle CPU */
	int64_t cputime;          /* enum cputime_rule */
	int64_t placement;        /* enum placement_rule */
	int64_t energy_aware;     /* placement asks the energy model; PARAM_AUTO: as Linux does */
	int64_t balance;          /* enum balance_rule */
	int64_t cpuidle;          /* enum cpuidle_governor */
	int64_t exit_latency_ppm; /* of the tabled exit latency that a wake-up takes */
	/* From a wake-up that finds its CPU idle until the task runs, by an interrupt of that CPU
	 * and by another CPU, under an ideal cpuidle; PARAM_AUTO: as the workload was recorded, if
	 * it was (kernel.h). */
	int64_t wake_local_ns, wake_remote_ns;
	int64_t invariance;        /* enum invariance_rule; PARAM_AUTO: as the version has it */
	int64_t tick_cost_ns;      /* CPU time of that at a tick; PARAM_AUTO: as the rule takes */
	int64_t notifier_cost_ns;  /* CPU time of one walk of one notifier */
	int64_t notifiers;         /* registered transition notifiers */
	int64_t blocked_period_ns; /* between two looks at the load that idle CPUs were left with */
	int64_t rt_runtime_us;     /* sched_rt_runtime_us: real-time tasks' part of each second */
	int64_t remote_hook;       /* a task that another CPU enqueues is told as if by its own */
	int64_t hook_cost_ns;      /* CPU time of one call of a governor by the scheduler */
	int64_t work_cost_ns;      /* CPU time of a governor's deferred work itself */
	int64_t worker_load;       /* load tracking sees the thread that does it */
};
