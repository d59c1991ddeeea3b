/*
 * intel_pstate in active mode, by load, over recorded scheduling: decisions are pstate_load.h's.
 * The counters it reads are clocks.h's; when it evaluates the recording says.
 */
#include "governors/pstate_load.h"
#include "sim/base/units.h"
#include "sim/validate/model.h"

struct policy_state {
	struct pstate_load_params params;
};

static void set_ratios(const struct model_policy *policy, struct pstate_load_params *params)
{
	const struct model *model = policy->model;
	int64_t min_pct = model_tunable(model, "min_perf_pct");
	struct pstate_user_limits user = {
		.max_pct = (int32_t)model_tunable(model, "max_perf_pct"),
		.min_pct = min_pct == PARAM_AUTO ? 100 * params->levels.min / params->levels.turbo
						 : (int32_t)min_pct,
	};

	params->ratios = pstate_limits(params->rules, &params->levels, params->turbo, &user,
		policy->limits.min_khz, policy->limits.max_khz);
}

void model_pstate_params(const struct model_policy *policy, struct pstate_load_params *params)
{
	const struct model *model = policy->model;
	const struct driver_info *info = &policy->info;
	int32_t scaling = 100000;
	struct pstate_levels levels = {
		.min = (int32_t)(info->clocks_khz[0] / scaling),
		.turbo = (int32_t)(info->clocks_khz[info->nr_clocks - 1] / scaling),
		.scaling_khz = scaling,
		.ctl_scaling_khz = scaling,
	};

	levels.max = levels.max_physical = (int32_t)clamp_i64(
		model->scenario->machine.reference_khz / scaling, levels.min, levels.turbo);
	pstate_levels_name(&levels);
	*params = (struct pstate_load_params){
		.rules = pstate_rules((unsigned)model->scenario->kernel.version),
		.levels = levels,
		.turbo = { .user_off = model_tunable(model, "no_turbo") != 0 },
		.tick_ns = (uint64_t)model->loop.tick_ns,
	};
	set_ratios(policy, params);
}

static void start(struct model_policy *policy)
{
	struct policy_state *state = policy->state;

	model_pstate_params(policy, &state->params);
}

/* The first event is the end of an evaluation whose sample began before the recording. */
static void first(struct model_policy *policy, uint32_t khz, int64_t now_ns)
{
	const struct policy_state *state = policy->state;
	struct pstate_load_cpu *cpus = policy->cpu_state;

	for (int i = 0; i < policy->nr_cpus; i++) {
		struct pstate_load_cpu *cpu = &cpus[i];

		cpu->pstate = (int32_t)clamp_i64(khz / (uint32_t)state->params.levels.scaling_khz,
			state->params.levels.min, state->params.levels.turbo);
		cpu->last_update_ns = (uint64_t)now_ns;
		cpu->sample.time_ns = (uint64_t)now_ns;
		cpu->sample.prev = clocks_read(policy->model, policy->first_cpu + i, now_ns);
	}
}

static void limits(struct model_policy *policy)
{
	struct policy_state *state = policy->state;

	set_ratios(policy, &state->params);
}

static void hook(struct model_policy *policy, int cpu, int64_t now_ns, unsigned flags)
{
	const struct policy_state *state = policy->state;
	struct pstate_load_cpu *cpus = policy->cpu_state;

	/* Calls from other CPUs are ignored. When it evaluates the recording says. */
	if (policy->model->loop.by == cpu)
		pstate_load_note(&state->params, &cpus[cpu - policy->first_cpu], (uint64_t)now_ns,
			flags & HOOK_IOWAIT);
}

/* Every CPU asks for its level; the policy gets the highest. */
static void request(struct model_policy *policy)
{
	const struct policy_state *state = policy->state;
	const struct pstate_load_cpu *cpus = policy->cpu_state;
	int32_t pstate = 0;

	for (int i = 0; i < policy->nr_cpus; i++)
		pstate = cpus[i].pstate > pstate ? cpus[i].pstate : pstate;
	model_set_cur(policy, (uint32_t)(pstate * state->params.levels.scaling_khz));
}

static void describe(struct model_policy *policy, int cpu, const struct pstate_load_cpu *mine,
	const struct pstate_load_outcome *outcome, uint32_t boost)
{
	struct model_decision *decision = model_decide(policy, cpu,
		outcome->taken != SAMPLE_TAKEN ? DECISION_NO_SAMPLE
			: mine->boosted        ? DECISION_IO_BOOST
					       : DECISION_UTIL);

	model_fact(decision, "duration",
		(int64_t)(mine->sample.time_ns - mine->sample.last_time_ns), "ns");
	model_fact(decision, "aperf", (int64_t)mine->sample.delta.aperf, "cycles");
	model_fact(decision, "mperf", (int64_t)mine->sample.delta.mperf, "cycles");
	model_fact(decision, "tsc", (int64_t)mine->sample.delta.tsc, "cycles");
	model_fact(decision, "iowait_boost_fp", boost, "");
	model_fact(decision, "average", mine->average, "");
	model_fact(decision, "raw", outcome->raw, "");
	model_fact(decision, "next_pstate", mine->pstate, "");
}

static void evaluate(struct model_policy *policy, int cpu, int64_t now_ns)
{
	const struct policy_state *state = policy->state;
	struct model *model = policy->model;
	struct open_cpu *open = &model->loop.cpus[cpu];
	struct pstate_load_cpu *cpus = policy->cpu_state, *mine = &cpus[cpu - policy->first_cpu];
	struct perf_counters counters;
	bool due = pstate_sample_due(&mine->sample, (uint64_t)now_ns, PSTATE_LOAD_PERIOD_NS);
	/* Before the period is over a wake-up after I/O is the only way here. */
	bool iowait = open->waking || (!due && state->params.rules->boost_at_once);
	struct pstate_load_outcome outcome;
	uint32_t boost;

	counters = clocks_read(model, cpu, now_ns);
	if (counters.mperf == mine->sample.prev.mperf) {
		/* The interrupt that brought it here is all that ran. */
		clocks_wake(model, cpu);
		counters = clocks_read(model, cpu, now_ns);
	}
	if (open->waking)
		open->waking->told = open->waking->device = false;
	open->waking = NULL;
	pstate_load_note(&state->params, mine, (uint64_t)now_ns, iowait);
	boost = mine->iowait_boost_fp;
	outcome = pstate_load_evaluate(&state->params, mine, &counters, (uint64_t)now_ns);
	describe(policy, cpu, mine, &outcome, boost);
	request(policy);
}

const struct model_governor model_intel_pstate = {
	.name = "intel_pstate",
	.policy_size = sizeof(struct policy_state),
	.cpu_size = sizeof(struct pstate_load_cpu),
	.at_events = true,
	.start = start,
	.first = first,
	.limits = limits,
	.hook = hook,
	.evaluate = evaluate,
};
