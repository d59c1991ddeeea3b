/*
 * The governor that is judged, over recorded scheduling: its decisions by the same functions as in
 * a run, its requests answered by the scenario's driver. Knows policies and what they were allowed;
 * of recorded frequencies it is told the first one and the limits, nothing else.
 *
 * Frequencies in kHz, times in ns on the open loop's clock. What the driver's work would cost and
 * when its thread would run is part of the recording, so a request holds at once.
 */
#pragma once

#include "sim/base/error.h"
#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/kernel/decision.h"
#include "sim/scenario/scenario.h"
#include "sim/validate/clocks.h"
#include "sim/validate/openloop.h"

#define MODEL_FACTS 10

/* Why a frequency was chosen. */
struct model_decision {
	int64_t t_ns;
	int cpu;
	enum decision_rule rule; /* DECISION_NONE: there was none yet */
	struct decision_value facts[MODEL_FACTS];
	int nr_facts;
};

struct model_policy {
	int index, first_cpu, nr_cpus;
	struct model *model;
	struct driver_info info;
	struct freq_limits limits;
	uint32_t cur_khz; /* 0: not known yet */
	bool aside;       /* a copy for a check of its own: nobody hears of its frequency */
	void *state, *cpu_state;
	struct model_decision last;
};

/* A governor as this room runs it. */
struct model_governor {
	const char *name;
	size_t policy_size, cpu_size;
	/* The recording has one cpu_frequency event for each evaluation, changed or not: the model
	 * is asked where it was, not where it would be. */
	bool at_events;
	int64_t warmup_ns; /* that its inputs take to forget what was before the recording */
	void (*start)(struct model_policy *policy);
	void (*first)(struct model_policy *policy, uint32_t khz, int64_t now_ns);
	void (*limits)(struct model_policy *policy);
	void (*hook)(struct model_policy *policy, int cpu, int64_t now_ns, unsigned flags);
	void (*evaluate)(struct model_policy *policy, int cpu, int64_t now_ns); /* at_events */
	void (*passed)(struct model *model, int64_t now_ns);                    /* may be NULL */
	void (*ticked)(struct model *model, int cpu);                           /* may be NULL */
	void (*window)(struct model *model); /* a window of load tracking ends; may be NULL */
};

extern const struct model_governor model_schedutil, model_schedutil_walt, model_intel_pstate;

/* How the kernel knew how busy a CPU was. */
enum model_tracking { TRACKING_PELT, TRACKING_WALT };

struct model {
	struct arena *arena;
	const struct scenario *scenario;
	const struct model_governor *governor;
	void *tunables; /* of this run, filled in */
	struct open_loop loop;
	struct clocks clocks;
	struct driver_ctx driver_ctx;
	struct model_policy *policies;
	int nr_policies;
	struct model_policy **policy_of_cpu;
	void *state; /* the governor's, of the machine; may be NULL */
	/* A policy's frequency is another from @now_ns on. */
	void (*changed)(void *ctx, const struct model_policy *policy, int64_t now_ns);
	void *ctx;
};

/* 0, or -1 with @err. */
int model_build(struct model *model, struct arena *arena, const struct scenario *scenario,
	enum model_tracking tracking, struct error *err);
/* The recording tells the first frequency of a policy, or its limits. */
void model_first(struct model_policy *policy, uint32_t khz);
void model_limits(struct model_policy *policy, struct freq_limits limits);

/* For governors: a request from the hook, or from where it may sleep. */
void model_fast_switch(struct model_policy *policy, uint32_t khz);
void model_target(struct model_policy *policy, uint32_t khz, unsigned relation);
/* A wish in utilisation. */
void model_adjust_perf(struct model_policy *policy, const struct perf_request *perf);
/* The frequency is @khz now: load tracking hears of it where it is invariant. */
void model_set_cur(struct model_policy *policy, uint32_t khz);
/* The value of tunable @name. */
int64_t model_tunable(const struct model *model, const char *name);
/* The decision that is made now, to be described. */
struct model_decision *model_decide(struct model_policy *policy, int cpu, enum decision_rule rule);
void model_fact(struct model_decision *decision, const char *name, int64_t value, const char *unit);

/* What schedutil's state starts with; intel_pstate's parameters. For checks of single decisions. */
struct sugov_policy;
struct pstate_load_params;
void model_schedutil_configure(const struct model_policy *policy, struct sugov_policy *sp);
void model_pstate_params(const struct model_policy *policy, struct pstate_load_params *params);
