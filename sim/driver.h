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
#include "sim/hw/machine.h"
#include "sim/kernel/freq_table.h"

/* What one request does, in the order it happens from now on:
 *   wait_ns   the caller spins for a lock, nothing else is affected
 *   stall_ns  from then on nothing runs in stall_scope (part of busy_ns for the caller)
 *   busy_ns   the caller is held this long after the wait
 *   delay_ns  after the wait: when the new clock runs (usually busy_ns) */
struct transition {
	int64_t khz;       /* what cur_khz becomes: the request as the driver took it */
	int64_t clock_khz; /* the clock the hardware is told to run, quantised */
	int64_t wait_ns, busy_ns, delay_ns, stall_ns;
	enum stall_scope stall_scope;
	bool failed; /* costs as above, but the clock stays and the core undoes the request */
	bool skipped; /* the driver returned before doing anything: no transition at all */
};

/* What init() says of a policy; cpuinfo files come from here. */
struct driver_info {
	int64_t cpuinfo_min_khz, cpuinfo_max_khz;
	int64_t boot_khz;              /* cur when the governor takes over */
	int64_t transition_latency_ns; /* as cpuinfo_transition_latency shows it */
	int64_t transition_delay_us;   /* 0: none set */
	bool has_table;
	struct freq_table table; /* when has_table */
	const int64_t *clocks_khz; /* every clock that can really run, ascending */
	size_t nr_clocks;
};

struct driver_ctx {
	struct arena *arena;
	const struct machine_spec *machine;
	unsigned version;
	void *params;        /* this run's copy: probe() fills in what is PARAM_AUTO */
	void *machine_state; /* shared by all policies */
};

struct driver {
	const char *name;    /* as in scaling_driver */
	const char *summary;
	const struct param *params;
	size_t params_size, machine_size, policy_size;

	/* Once per run: checks that machine and driver fit; then once per policy. */
	int (*probe)(struct driver_ctx *ctx, struct error *err);
	int (*init)(struct driver_ctx *ctx, int policy, struct driver_info *info,
		struct error *err);
	/* @khz is within limits (and a table entry when there is a table), @index its place there.
	 * @min_khz is the policy's lower limit. */
	void (*target)(struct driver_ctx *ctx, int policy, int64_t now_ns, int64_t khz, int index,
		int64_t cur_khz, int64_t min_khz, struct transition *out);
	/* What cpuinfo_cur_freq would read when the hardware runs at @clock_khz; may be NULL. */
	int64_t (*get)(const struct driver_ctx *ctx, int64_t clock_khz);
	/* Extra "name: value unit" lines for `show` (firmware header, deadband); may be NULL. */
	void (*describe)(const struct driver_ctx *ctx,
		void (*line)(void *arg, const char *name, const char *value), void *arg);
};
