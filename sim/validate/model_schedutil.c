/*
 * schedutil over recorded scheduling: decisions are schedutil_core.h's, as in a run.
 */
#include "governors/schedutil_core.h"
#include "sim/base/units.h"
#include "sim/validate/model.h"

static struct sugov_view view_of(const struct model_policy *policy)
{
	const struct driver_info *info = &policy->info;

	return (struct sugov_view){
		.table = info->has_table ? &info->table : NULL,
		.limits = policy->limits,
		.cur_khz = policy->cur_khz,
		.cpuinfo_max_khz = (uint32_t)info->clocks_khz[info->nr_clocks - 1],
	};
}

void model_schedutil_configure(const struct model_policy *policy, struct sugov_policy *sp)
{
	const struct model *model = policy->model;
	const struct kernel_spec *kernel = &model->scenario->kernel;
	const struct driver *driver = model->scenario->driver;
	unsigned patches = 0;

	if (kernel->patches & KERNEL_BASE)
		patches |= SUGOV_BASE;
	if (kernel->patches & KERNEL_CONSOLIDATED)
		patches |= SUGOV_CONSOLIDATED;
	*sp = (struct sugov_policy){
		.rules = sugov_rules((unsigned)kernel->version, patches),
		.version = (unsigned)kernel->version,
		.nr_cpus = policy->nr_cpus,
		.tick_ns = (uint64_t)model->loop.tick_ns,
		.delay_ns = (uint64_t)(model_tunable(model, "rate_limit_us") * NSEC_PER_USEC),
		.fast_switch = driver->fast_switch && policy->info.flags & DRIVER_FAST_SWITCH,
		.adjust_perf = driver->adjust_perf && policy->info.flags & DRIVER_ADJUST_PERF,
		.needs_limits = policy->info.flags & DRIVER_NEED_UPDATE_LIMITS,
		.invariant = kernel->invariance != INVARIANCE_NONE,
		.no_hold = !model_tunable(model, "hold"),
	};
}

static void start(struct model_policy *policy)
{
	model_schedutil_configure(policy, policy->state);
	sugov_start(policy->state, policy->cpu_state);
}

static void first(struct model_policy *policy, uint32_t khz, int64_t now_ns)
{
	struct sugov_policy *sp = policy->state;

	sp->next_khz = khz;
	sp->last_freq_update_ns = (uint64_t)now_ns;
}

static void limits(struct model_policy *policy)
{
	const struct sugov_view view = view_of(policy);
	unsigned relation;
	uint32_t khz;

	if (sugov_limits(policy->state, &view, &khz, &relation) && policy->cur_khz)
		model_target(policy, khz, relation);
}

static void read_cpu(void *ctx, int cpu, struct util_input *in)
{
	const struct model_policy *policy = ctx;

	open_loop_read(&policy->model->loop, policy->first_cpu + cpu, in);
}

static void carry_out(struct model_policy *policy, const struct sugov_action *action)
{
	const struct perf_request perf = { action->perf_min, action->perf_target,
		action->perf_capacity };

	switch (action->what) {
	case SUGOV_NOTHING:
		break;
	case SUGOV_FAST_SWITCH:
		model_fast_switch(policy, action->khz);
		break;
	case SUGOV_QUEUE_WORK:
		model_target(policy, sugov_work(policy->state), RELATION_L);
		sugov_work_done(policy->state);
		break;
	case SUGOV_ADJUST_PERF:
		model_adjust_perf(policy, &perf);
		break;
	}
}

static void describe(struct model_policy *policy, int cpu, unsigned flags)
{
	const struct sugov_policy *sp = policy->state;
	const struct sugov_cpu *mine = policy->cpu_state;
	struct model_decision *decision = model_decide(policy, cpu, sugov_rule(sp->reason));
	struct util_input in;

	mine += cpu - policy->first_cpu;
	open_loop_read(&policy->model->loop, cpu, &in);
	model_fact(decision, "flags", flags, "");
	model_fact(decision, "capacity", (int64_t)in.capacity, "");
	model_fact(decision, "cfs_util", (int64_t)in.cfs_util_avg, "");
	model_fact(decision, "util_est", (int64_t)in.cfs_util_est, "");
	model_fact(decision, "rt_util", (int64_t)in.rt_util, "");
	model_fact(decision, "util", (int64_t)mine->util, "");
	model_fact(decision, "iowait_boost", (int64_t)mine->iowait_boost, "");
	model_fact(decision, "next_freq", sp->next_khz, "kHz");
	model_fact(decision, "min", policy->limits.min_khz, "kHz");
	model_fact(decision, "max", policy->limits.max_khz, "kHz");
}

static void hook(struct model_policy *policy, int cpu, int64_t now_ns, unsigned flags)
{
	struct sugov_policy *sp = policy->state;
	const struct sugov_view view = view_of(policy);
	const struct sugov_source source = { read_cpu, policy };
	struct sugov_call call = {
		.cpu = cpu - policy->first_cpu,
		.time_ns = (uint64_t)now_ns,
		.flags = flags,
	};
	struct sugov_action action;
	struct util_input in;

	/* What the scheduler of 4.8 handed over; later versions read it themselves. */
	open_loop_read(&policy->model->loop, cpu, &in);
	call.max = in.capacity;
	call.util = flags & (HOOK_RT | HOOK_DL)
		? SUGOV_UTIL_MAX
		: (uint64_t)min_i64((int64_t)in.cfs_util_avg, (int64_t)in.capacity);
	action = sugov_update(sp, policy->cpu_state, &view, &source, &call);
	if (sp->reason != SUGOV_RATE_LIMIT)
		describe(policy, cpu, flags);
	carry_out(policy, &action);
}

const struct model_governor model_schedutil = {
	.name = "schedutil",
	.policy_size = sizeof(struct sugov_policy),
	.cpu_size = sizeof(struct sugov_cpu),
	.warmup_ns = 500 * NSEC_PER_MSEC,
	.start = start,
	.first = first,
	.limits = limits,
	.hook = hook,
};
