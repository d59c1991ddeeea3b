/*
 * CONTRACT: what a driver is. It answers: what does a request cost, and which clock then runs?
 *
 * A driver is a pure model: it schedules nothing and knows no governor, load or task. It is told
 * the time and keeps what the hardware would keep (when the one mailbox is free again). The core
 * charges the costs it returns and makes the clock change.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/base/param.h"
#include "sim/hw/hwp.h"
#include "sim/hw/machine.h"
#include "sim/kernel/freq_table.h"

/* What one request does, in the order it happens from now on:
 *   wait_ns   the caller spins for a lock, nothing else is affected
 *   stall_ns  from then on nothing runs in stall_scope (part of busy_ns for the caller)
 *   busy_ns   the caller is held this long after the wait
 *   delay_ns  after the wait: when the new clock runs (usually busy_ns) */
struct transition {
	int64_t khz;       /* what cur_khz becomes: the request as the driver took it; 0: stays */
	int64_t clock_khz; /* the clock the hardware is told to run, quantised */
	int64_t wait_ns, busy_ns, delay_ns, stall_ns;
	enum stall_scope stall_scope;
	bool failed;  /* costs as above, but the clock stays and the core undoes the request */
	bool skipped; /* the driver returned without touching the hardware: no transition at all */
	bool autonomous; /* clock_khz does not count: the hardware chooses inside hwp */
	struct hwp_request hwp;
};

/* As struct cpufreq_driver states them, or as the policy is set up at init. */
enum driver_flags {
	DRIVER_NEED_UPDATE_LIMITS = 1 << 0,        /* hears of requests equal to cur, too */
	DRIVER_DVFS_FROM_ANY_CPU = 1 << 1,         /* any CPU may change any policy's clock */
	DRIVER_NO_AUTO_DYNAMIC_SWITCHING = 1 << 2, /* wants no governor that moves by itself */
	DRIVER_FAST_SWITCH = 1 << 3,               /* fast_switch() works on this policy */
	DRIVER_ADJUST_PERF = 1 << 4,               /* adjust_perf() works on this policy */
	DRIVER_FEEDBACK = 1 << 5,                  /* reads CPPC's counters for load tracking */
};

/* Linux's way to say that a latency is not known. */
#define LATENCY_ETERNAL_NS INT64_C(4294967295)

/* What init() says of a policy; cpuinfo files come from here. */
struct driver_info {
	int64_t cpuinfo_min_khz, cpuinfo_max_khz;
	int64_t min_khz, max_khz;      /* the policy's first limits; 0: cpuinfo's */
	int64_t boot_khz;              /* cur when the governor takes over */
	int64_t transition_latency_ns; /* as cpuinfo_transition_latency shows it */
	int64_t transition_delay_us;   /* 0: none set */
	unsigned flags;                /* enum driver_flags */
	bool has_table;
	struct freq_table table;   /* when has_table */
	const int64_t *clocks_khz; /* every clock that can really run, ascending */
	size_t nr_clocks;
	struct hwp_request boot_hwp; /* with hwp: the range until somebody writes one */
	struct hwp_rule hwp;         /* how the hardware chooses; period 0: it does not */
	uint64_t hwp_capability;     /* the register that tells its levels; 0: there is none */
};

struct driver_ctx {
	struct arena *arena;
	const struct machine_spec *machine;
	unsigned version;
	void *params;        /* this run's copy: probe() fills in what is PARAM_AUTO */
	void *machine_state; /* shared by all policies */
};

/* A request as the core passes it on. */
struct driver_request {
	int policy; /* its place among the policies */
	int64_t now_ns;
	int64_t khz;       /* inside the limits; a table entry when there is a table */
	int index;         /* its place in the table, -1 without one */
	unsigned relation; /* as asked */
	int64_t cur_khz;
	int64_t min_khz, max_khz; /* the policy's limits */
	bool strict;              /* the governor wants exactly this, not a floor */
};

/* A wish in utilisation instead of kHz. */
struct perf_request {
	uint64_t min, target, capacity;
};

struct driver {
	const char *name; /* as in scaling_driver */
	const char *summary;
	const struct param *params;
	size_t params_size, machine_size;
	unsigned first_version; /* KVER() of the kernel it appeared in; 0 = ever */

	/* Once per run: checks that machine and driver fit; then once per policy. */
	int (*probe)(struct driver_ctx *ctx, struct error *err);
	int (*init)(
		struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err);
	/* A request from process context. */
	void (*target)(struct driver_ctx *ctx, const struct driver_request *request,
		struct transition *out);
	/* The same from the scheduler's hook: no sleeping, no notifiers. khz 0 in @out: failed.
	 * NULL: cannot. */
	void (*fast_switch)(struct driver_ctx *ctx, const struct driver_request *request,
		struct transition *out);
	/* The hook's wish in utilisation; khz and index of @request mean nothing. NULL: cannot. */
	void (*adjust_perf)(struct driver_ctx *ctx, const struct driver_request *request,
		const struct perf_request *perf, struct transition *out);
	/* The boost file is written: from now on the clocks that requests get are with or without
	 * turbo. The core asks for every policy's frequency anew. NULL: there is no such file. */
	void (*set_turbo)(struct driver_ctx *ctx, bool on);
	/* The request register as a governor of this driver's own computes it; NULL: none. */
	void (*write_hwp)(struct driver_ctx *ctx, const struct driver_request *request,
		uint64_t value, struct transition *out);
	/* A driver with policies instead of governors (Linux: setpolicy): the algorithm behind
	 * "powersave", by name; "performance" asks for the maximum. NULL: takes any governor. */
	const char *(*powersave)(const void *params);
	/* What cpuinfo_cur_freq would read when the hardware runs at @clock_khz; may be NULL. */
	int64_t (*get)(const struct driver_ctx *ctx, int64_t clock_khz);
	/* Extra "name: value unit" lines for `show` (firmware header, deadband); may be NULL. */
	void (*describe)(const struct driver_ctx *ctx,
		void (*line)(void *arg, const char *name, const char *value), void *arg);
};
