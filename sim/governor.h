/*
 * CONTRACT: what a governor is. It answers one question: what frequency does this policy want?
 *
 * A governor is one const struct. It states the size of its state; the host gives it zeroed. It
 * may read the policy, cputime and util, and call cpufreq_target(), cpufreq_queue_work() and
 * cpufreq_work_at(). It never sees a driver, a cost or the real clock.
 */
#pragma once

#include "sim/base/error.h"
#include "sim/base/param.h"
#include "sim/kernel/cpufreq.h"
#include "sim/kernel/cputime.h"
#include "sim/kernel/kernel_spec.h"
#include "sim/kernel/version.h"

enum governor_flags {
	GOVERNOR_DYNAMIC = 1 << 0,       /* changes frequency by itself */
	GOVERNOR_STRICT_TARGET = 1 << 1, /* wants exactly the target, not a floor */
	GOVERNOR_LATENCY_LIMIT = 1 << 2, /* up to 4.13: takes no driver slower than 10 ms */
	/* Its deferred work runs in a real-time thread of its own, not in a kernel worker. */
	GOVERNOR_OWN_THREAD = 1 << 3,
	GOVERNOR_NEEDS_HWP = 1 << 4, /* writes levels: for drivers that tell theirs */
};

/* Why update() is called, beside the time that has passed. */
enum hook_flags {
	HOOK_IOWAIT = 1 << 0,   /* a task wakes that waited for I/O */
	HOOK_FORCE = 1 << 1,    /* whatever the rate limit (patch "Consolidate cpufreq updates") */
	HOOK_ENQUEUED = 1 << 2, /* a task waits behind the running one (same patch) */
	HOOK_RT = 1 << 3,       /* a real-time or deadline task runs (up to 4.17) */
	HOOK_DL = 1 << 4,
};

/* What tune() may look at: the kernel's rules and what the driver says of itself. */
struct governor_env {
	unsigned version; /* KVER() */
	unsigned patches; /* enum kernel_patches */
	int64_t hz, tick_latency_ns;
	int64_t transition_latency_ns; /* as cpuinfo_transition_latency shows it */
	int64_t transition_delay_us;   /* 0: the driver sets none */
	bool has_table;
};

struct governor {
	const char *name;    /* as in scaling_governor */
	const char *summary; /* one line for `list` */
	const struct param *params;
	size_t tunables_size;
	size_t policy_size, cpu_size; /* private state, zeroed */
	unsigned flags;
	unsigned first_version; /* KVER() of the kernel it appeared in; 0 = ever */

	/* Fills tunables left at PARAM_AUTO, applies the version's ranges. A mistake names the
	 * tunable in @key so that the caller can point at its line. */
	int (*tune)(const struct governor_env *env, void *tunables, const char **key,
		struct error *err);
	/* Takes over the policy / reacts to a change of its limits. Costs no simulated time. */
	void (*start)(struct policy *policy);
	void (*limits)(struct policy *policy);
	/* A tunable was written while the governor runs: policy->tunables are the new ones, which
	 * tune() has gone over, @name is the row's. Called for every policy they hold for; what the
	 * kernel does then beside taking the value. NULL: nothing to do. */
	void (*written)(struct policy *policy, const char *name, int64_t now_ns);
	/* Scheduler hook of a CPU of the policy; must be cheap, may queue work. */
	void (*update)(struct policy *policy, int cpu, int64_t now_ns, unsigned flags);
	/* The deferred part, in process context on one of the policy's CPUs. */
	void (*work)(struct policy *policy, int64_t now_ns);
	/* Extra "name: value" lines for `show`, once started; a load-to-frequency map is one line
	 * "map load N" per load, in kHz. May be NULL. */
	void (*describe)(const struct policy *policy,
		void (*line)(void *arg, const char *name, const char *value), void *arg);
};
