/*
 * The plug-in side of a sampling governor, the same for ondemand and conservative: what the hook,
 * the work and start do around a decision. Knows the policy; the decisions are in dbs.h.
 *
 * The policy state of such a governor starts with a struct dbs_sampler, its CPU state is
 * DBS_CPU_SIZE bytes a CPU.
 */
#pragma once

#include "governors/dbs.h"
#include "sim/governor.h"
#include "sim/kernel/decision.h"

#define DBS_CPU_SIZE (sizeof(struct dbs_cpu) + sizeof(struct dbs_counters))
#define DBS_NEVER UINT64_MAX
#define DBS_KEEP_TIMER (-1)

struct dbs_sampler {
	struct dbs_clock clock;
	uint64_t evaluated_us; /* when a load was computed last (timers of shared policies) */
	int fired;             /* which CPU's timer queued the work */
};

struct dbs_policy dbs_policy(const struct policy *policy, unsigned version);
void dbs_apply(struct policy *policy, struct dbs_request request);

void dbs_sampler_start(struct policy *policy, const struct dbs_setup *setup);
/* The hook of a CPU: queues the work when a sample is due. A deferrable timer fires here too: like
 * the hook it is only heard on a CPU that is not idle. */
void dbs_sampler_update(
	struct policy *policy, const struct dbs_setup *setup, int cpu, int64_t now_ns);
/* Whether the work is to look at the load: of a shared policy only one CPU's timer counts. */
bool dbs_sampler_due(struct policy *policy, const struct dbs_setup *setup, int64_t now_ns);
void dbs_sampler_done(struct policy *policy, const struct dbs_setup *setup, int64_t now_ns,
	uint32_t delay, bool evaluated);
struct dbs_load dbs_sampler_load(struct policy *policy, const struct dbs_setup *setup);

/* An evaluation that a change of limits makes: the request that @request is, and only that. */
void dbs_sampler_limits(struct policy *policy, struct dbs_request request);
/* Into a record: what the last dbs_sampler_load() gave and the counters it came from. */
void dbs_sampler_record(struct decision_record *record, const struct policy *policy,
	const struct dbs_setup *setup, struct dbs_load load);

/* A tunable was written that changes what counts as idle: see dbs_restart(). */
void dbs_sampler_restart(struct policy *policy, const struct dbs_setup *setup, bool nice);
/* sampling_rate was written: the next hook samples. Before 4.6 a timer goes on, unless the new
 * period, if it began at @rearm_ns, would end earlier (DBS_KEEP_TIMER: whatever it would). */
void dbs_sampler_rate(
	struct policy *policy, struct dbs_setup *setup, uint32_t rate_us, int64_t rearm_ns);

uint64_t dbs_jiffies(const struct dbs_setup *setup, int64_t now_ns);

/* Fills sampling_rate when it is PARAM_AUTO, checks it against the kernel's bounds otherwise. */
int dbs_tune(const struct dbs_defaults *defaults, int64_t *sampling_rate_us, const char **key,
	struct error *err);
/* The version whose rules of sampler and decision hold: 6.1 without its backports decides as the
 * release before it. */
unsigned dbs_version(const struct governor_env *env);
struct dbs_defaults_env dbs_defaults_env(
	const struct governor_env *env, enum dbs_governor governor);
