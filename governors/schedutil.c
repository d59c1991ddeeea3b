/*
 * schedutil: the scheduler itself says how busy its CPUs are, whenever that changes. Decisions are
 * schedutil_core.h's; this file shows them the policy, says when they are asked and carries out
 * what they want: a switch from the hook, a wish in utilisation, or work for the thread.
 */
#include "governors/schedutil_core.h"
#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/decision.h"

/* The machine has been up before the run: time 0 means "never". */
#define UPTIME_NS (1000 * NSEC_PER_SEC)

struct tunables {
	int64_t rate_limit_us;
	int64_t hold;
	/* filled by tune() */
	unsigned version, patches;
	int64_t tick_ns;
};

static const struct param params[] = {
	PARAM_INT(struct tunables, rate_limit_us, "rate_limit_us", UNIT_US, 0, 10000000, PARAM_AUTO,
		"least time between requests; auto: from the driver's latency, by version"),
	PARAM_BOOL(struct tunables, hold, "hold", 1,
		"a CPU that has not idled keeps its frequency; 0, which no kernel has: it need "
		"not"),
	PARAM_END,
};

static int tune(const struct governor_env *env, void *tunables, const char **key, struct error *err)
{
	struct tunables *t = tunables;

	(void)key;
	(void)err;
	if (t->rate_limit_us == PARAM_AUTO)
		t->rate_limit_us = freq_transition_delay_us((uint32_t)env->transition_latency_ns,
			(uint32_t)env->transition_delay_us, env->version);
	t->version = env->version;
	t->tick_ns = tick_ns_of_hz(env->hz);
	if (env->patches & KERNEL_BASE)
		t->patches |= SUGOV_BASE;
	if (env->patches & KERNEL_CONSOLIDATED)
		t->patches |= SUGOV_CONSOLIDATED;
	return 0;
}

static struct sugov_view view_of(const struct policy *policy)
{
	return (struct sugov_view){
		.table = policy->has_table ? &policy->table : NULL,
		.limits = { (uint32_t)policy->min_khz, (uint32_t)policy->max_khz },
		.cur_khz = (uint32_t)policy->cur_khz,
		.cpuinfo_max_khz = (uint32_t)policy->cpuinfo_max_khz,
	};
}

static void read_cpu(void *ctx, int cpu, struct util_input *in)
{
	const struct policy *policy = ctx;

	cpufreq_util_read(policy, policy->first_cpu + cpu, in);
}

static void start(struct policy *policy)
{
	const struct tunables *t = policy->tunables;
	struct sugov_policy *sp = policy->governor_state;

	*sp = (struct sugov_policy){
		.rules = sugov_rules(t->version, t->patches),
		.version = t->version,
		.nr_cpus = policy->nr_cpus,
		.shared = policy->nr_online > 1,
		.tick_ns = (uint64_t)t->tick_ns,
		.delay_ns = (uint64_t)(t->rate_limit_us * NSEC_PER_USEC),
		.fast_switch = cpufreq_can_fast_switch(policy),
		.adjust_perf = cpufreq_can_adjust_perf(policy),
		.needs_limits = cpufreq_needs_limits(policy),
		.invariant = cpufreq_is_invariant(policy),
		.no_hold = !t->hold,
	};
	sugov_start(sp, policy->cpu_state);
}

static void limits(struct policy *policy)
{
	struct sugov_policy *sp = policy->governor_state;
	const struct sugov_view view = view_of(policy);
	unsigned relation;
	uint32_t khz;

	if (!sugov_limits(sp, &view, &khz, &relation))
		return;
	decision_begin(policy, policy->cpu, DECISION_LIMITS, "sugov_limits");
	cpufreq_target(policy, khz, relation);
	decision_end(policy);
}

/* Follows rate_limit_us_store(). */
static void written(struct policy *policy, const char *name, int64_t now_ns)
{
	const struct tunables *t = policy->tunables;
	struct sugov_policy *sp = policy->governor_state;

	(void)name;
	(void)now_ns;
	sp->no_hold = !t->hold;
	sp->delay_ns = (uint64_t)(t->rate_limit_us * NSEC_PER_USEC);
}

static const char *function_of(const struct sugov_policy *sp, const struct sugov_action *action)
{
	if (sp->shared)
		return "sugov_update_shared";
	if (sp->rules.shape != SUGOV_5_10)
		return "sugov_update_single";
	return action->what == SUGOV_ADJUST_PERF ? "sugov_update_single_perf"
						 : "sugov_update_single_freq";
}

static void record_input(
	struct decision_record *record, const struct sugov_call *call, const struct util_input *in)
{
	decision_in(record, "time", (int64_t)call->time_ns, "ns");
	decision_in(record, "flags", call->flags, "");
	decision_in(record, "capacity", (int64_t)in->capacity, "");
	decision_in(record, "cfs_util", (int64_t)in->cfs_util_avg, "");
	decision_in(record, "cfs_runnable", (int64_t)in->cfs_runnable_avg, "");
	decision_in(record, "util_est", (int64_t)in->cfs_util_est, "");
	decision_in(record, "rt_util", (int64_t)in->rt_util, "");
	decision_in(record, "dl_util", (int64_t)in->dl_util, "");
	decision_in(record, "irq_util", (int64_t)in->irq_util, "");
	decision_in(record, "dl_running_bw", (int64_t)in->dl_running_bw, "");
	decision_in(record, "rt_queued", in->rt_queued, "");
	decision_in(record, "uclamp_min", (int64_t)in->uclamp_min, "");
	decision_in(record, "uclamp_max", (int64_t)in->uclamp_max, "");
	decision_in(record, "idle_calls", (int64_t)in->idle_calls, "");
}

/* What the next evaluation starts from. */
static void record_state(
	struct decision_record *record, const struct sugov_policy *sp, const struct sugov_cpu *mine)
{
	decision_out(record, "iowait_pending", mine->iowait_pending, "");
	decision_out(record, "last_update", (int64_t)mine->last_update_ns, "ns");
	decision_out(record, "bw_min", (int64_t)mine->bw_min, "");
	decision_out(record, "last_freq_update", (int64_t)sp->last_freq_update_ns, "ns");
	decision_out(record, "need_update", sp->need_update, "");
	decision_out(record, "limits_changed", sp->limits_changed, "");
	decision_out(record, "work_in_progress", sp->work_in_progress, "");
}

static struct decision_record *record_call(struct policy *policy, int cpu,
	const struct sugov_call *call, const struct sugov_action *action)
{
	const struct sugov_policy *sp = policy->governor_state;
	const struct sugov_cpu *mine = &((const struct sugov_cpu *)policy->cpu_state)[call->cpu];
	struct decision_record *record = decision_begin(
		policy, cpu, sugov_rule(sp->reason), function_of(sp, action));
	struct util_input in;

	if (!record)
		return NULL;
	record->per_cpu = policy->nr_online == 1;
	cpufreq_util_read(policy, cpu, &in);
	record_input(record, call, &in);
	decision_out(record, "iowait_boost", (int64_t)mine->iowait_boost, "");
	decision_out(record, "util", (int64_t)mine->util, "");
	decision_out(record, "next_freq", sp->next_khz, "kHz");
	decision_out(record, "cached_raw_freq", sp->cached_raw_khz, "kHz");
	record_state(record, sp, mine);
	decision_out(record, "perf_min", (int64_t)action->perf_min, "");
	decision_out(record, "perf_target", (int64_t)action->perf_target, "");
	decision_out(record, "perf_capacity", (int64_t)action->perf_capacity, "");
	return record;
}

static void carry_out(struct policy *policy, int cpu, const struct sugov_action *action,
	struct decision_record *record)
{
	switch (action->what) {
	case SUGOV_NOTHING:
		break;
	case SUGOV_FAST_SWITCH:
		cpufreq_fast_switch(policy, cpu, action->khz);
		break;
	case SUGOV_QUEUE_WORK:
		cpufreq_queue_work(policy, cpu);
		if (record)
			record->outcome = DECISION_QUEUED;
		break;
	case SUGOV_ADJUST_PERF:
		cpufreq_adjust_perf(
			policy, cpu, action->perf_min, action->perf_target, action->perf_capacity);
		break;
	}
}

/* What the scheduler of 4.8 handed over; later versions read it themselves. */
static void hand_over(const struct policy *policy, int cpu, struct sugov_call *call)
{
	struct util_input in;

	cpufreq_util_read(policy, cpu, &in);
	call->max = in.capacity;
	call->util = in.cfs_util_avg < in.capacity ? in.cfs_util_avg : in.capacity;
	if (call->flags & (HOOK_RT | HOOK_DL))
		call->util = SUGOV_UTIL_MAX;
}

static void update(struct policy *policy, int cpu, int64_t now_ns, unsigned flags)
{
	struct sugov_policy *sp = policy->governor_state;
	const struct sugov_view view = view_of(policy);
	const struct sugov_source source = { read_cpu, policy };
	struct sugov_call call = {
		.cpu = cpu - policy->first_cpu,
		.time_ns = (uint64_t)(now_ns + UPTIME_NS),
		.flags = flags,
	};
	struct sugov_action action;

	if (sp->rules.shape == SUGOV_4_8)
		hand_over(policy, cpu, &call);
	/* The thread is done when the driver is, which only time tells. */
	if (!policy->work_pending)
		sugov_work_done(sp);
	action = sugov_update(sp, policy->cpu_state, &view, &source, &call);
	carry_out(policy, cpu, &action, record_call(policy, cpu, &call, &action));
	decision_end(policy);
}

static void work(struct policy *policy, int64_t now_ns)
{
	(void)now_ns;
	cpufreq_target(policy, sugov_work(policy->governor_state), RELATION_L);
}

const struct governor governor_schedutil = {
	.name = "schedutil",
	.summary = "the scheduler's own utilisation, evaluated whenever it changes",
	.params = params,
	.tunables_size = sizeof(struct tunables),
	.policy_size = sizeof(struct sugov_policy),
	.cpu_size = sizeof(struct sugov_cpu),
	.flags = GOVERNOR_DYNAMIC | GOVERNOR_OWN_THREAD,
	.first_version = KVER(4, 7, 0),
	.tune = tune,
	.start = start,
	.limits = limits,
	.written = written,
	.update = update,
	.work = work,
};
