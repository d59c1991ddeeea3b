#include "sim/validate/model.h"

#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/invariance.h"

static const struct model_governor *const governors[][2] = {
	[TRACKING_PELT] = { &model_schedutil, &model_intel_pstate },
	[TRACKING_WALT] = { &model_schedutil_walt, &model_intel_pstate },
};

static void hook(void *ctx, int cpu, int64_t now_ns, unsigned flags)
{
	struct model *model = ctx;
	struct model_policy *policy = model->policy_of_cpu[cpu];
	const struct model_policy *by = model->policy_of_cpu[model->loop.by];
	unsigned version = (unsigned)model->scenario->kernel.version;

	/* Another CPU does the update: hears() in hook.c. */
	if (model->loop.by != cpu &&
		(version < KVER(4, 14, 0) ||
			(by != policy && !(policy->info.flags & DRIVER_DVFS_FROM_ANY_CPU))))
		return;
	if (policy->cur_khz != 0)
		model->governor->hook(policy, cpu, now_ns, flags);
}

static void passed(void *ctx, int64_t now_ns)
{
	struct model *model = ctx;

	clocks_pass(model, now_ns);
	if (model->governor->passed)
		model->governor->passed(model, now_ns);
}

static void ticked(void *ctx, int cpu)
{
	struct model *model = ctx;

	clocks_tick(model, cpu, model->loop.now_ns);
	if (model->governor->ticked)
		model->governor->ticked(model, cpu);
}

static void window(void *ctx)
{
	struct model *model = ctx;

	model->governor->window(model);
}

static int find_governor(struct model *model, enum model_tracking tracking, struct error *err)
{
	const struct scenario *scenario = model->scenario;

	for (size_t i = 0; i < sizeof(governors[0]) / sizeof(governors[0][0]); i++)
		if (strcmp(scenario->governor->name, governors[tracking][i]->name) == 0)
			model->governor = governors[tracking][i];
	if (!model->governor)
		return error_set(err, ERROR_USAGE,
			"governor %s is not validated: validate knows schedutil and intel_pstate",
			scenario->governor->name);
	if (model->governor->at_events && scenario->kernel.version < KVER(4, 14, 0))
		return error_set(err, ERROR_USAGE,
			"governor %s of Linux %s is not validated: only from 4.14 on, by load",
			scenario->governor->name, scenario->kernel.version_text);
	return 0;
}

static int build_driver(struct model *model, struct error *err)
{
	const struct scenario *scenario = model->scenario;
	const struct driver *driver = scenario->driver;
	struct arena *arena = model->arena;

	model->driver_ctx = (struct driver_ctx){
		.arena = arena,
		.machine = &scenario->machine,
		.version = (unsigned)scenario->kernel.version,
		.params = arena_alloc(arena, driver->params_size),
		.machine_state = arena_alloc(arena, driver->machine_size),
	};
	if (driver->params_size)
		memcpy(model->driver_ctx.params, scenario->driver_params, driver->params_size);
	if (driver->probe && driver->probe(&model->driver_ctx, err))
		return -1;
	for (int i = 0; i < model->nr_policies; i++) {
		struct driver_info *info = &model->policies[i].info;

		if (driver->init(&model->driver_ctx, i, info, err))
			return -1;
	}
	return 0;
}

static int tune(struct model *model, struct error *err)
{
	const struct scenario *scenario = model->scenario;
	const struct governor *governor = scenario->governor;
	const struct driver_info *info = &model->policies[0].info;
	const struct governor_env env = {
		.version = (unsigned)scenario->kernel.version,
		.patches = scenario->kernel.patches,
		.hz = scenario->kernel.hz,
		.transition_latency_ns = info->transition_latency_ns,
		.transition_delay_us = info->transition_delay_us,
		.has_table = info->has_table,
	};
	const char *key = NULL;

	model->tunables = arena_alloc(model->arena, governor->tunables_size);
	memcpy(model->tunables, scenario->tunables, governor->tunables_size);
	return governor->tune(&env, model->tunables, &key, err);
}

static void build_policy(struct model *model, int index)
{
	const struct policy_spec *spec = &model->scenario->machine.policies[index];
	struct model_policy *policy = &model->policies[index];

	policy->index = index;
	policy->first_cpu = spec->first;
	policy->nr_cpus = spec->last - spec->first + 1;
	policy->model = model;
	for (int cpu = spec->first; cpu <= spec->last; cpu++)
		model->policy_of_cpu[cpu] = policy;
}

static void start_policy(struct model_policy *policy)
{
	const struct driver_info *info = &policy->info;
	const struct model_governor *governor = policy->model->governor;
	struct freq_limits cpuinfo;

	if (info->has_table)
		freq_table_cpuinfo(&info->table, true, &policy->limits, &cpuinfo);
	else
		policy->limits = (struct freq_limits){ (uint32_t)info->cpuinfo_min_khz,
			(uint32_t)info->cpuinfo_max_khz };
	policy->state = arena_alloc(policy->model->arena, governor->policy_size);
	policy->cpu_state = arena_array(
		policy->model->arena, (size_t)policy->nr_cpus, governor->cpu_size);
	governor->start(policy);
}

int model_build(struct model *model, struct arena *arena, const struct scenario *scenario,
	enum model_tracking tracking, struct error *err)
{
	const struct machine_spec *machine = &scenario->machine;
	int64_t *capacities = arena_array(arena, (size_t)machine->nr_cpus, sizeof(*capacities));

	*model = (struct model){ .arena = arena, .scenario = scenario };
	model->nr_policies = (int)machine->nr_policies;
	model->policies = arena_array(arena, machine->nr_policies, sizeof(*model->policies));
	model->policy_of_cpu = arena_array(
		arena, (size_t)machine->nr_cpus, sizeof(struct model_policy *));
	for (int i = 0; i < model->nr_policies; i++)
		build_policy(model, i);
	if (find_governor(model, tracking, err) || build_driver(model, err) || tune(model, err))
		return -1;
	for (size_t i = 0; i < machine->nr_cpu_ranges; i++)
		for (int cpu = machine->cpus[i].first; cpu <= machine->cpus[i].last; cpu++)
			capacities[cpu] = machine->cpus[i].capacity;
	open_loop_init(&model->loop, arena, &scenario->kernel, machine->nr_cpus, capacities);
	clocks_init(model);
	model->loop.hook = hook;
	model->loop.passed = passed;
	model->loop.ticked = ticked;
	model->loop.window = window;
	model->loop.ctx = model;
	for (int i = 0; i < model->nr_policies; i++)
		start_policy(&model->policies[i]);
	return 0;
}

int64_t model_tunable(const struct model *model, const char *name)
{
	const struct param *row = param_find(model->scenario->governor->params, name);

	return *param_i64(row, model->tunables);
}

void model_set_cur(struct model_policy *policy, uint32_t khz)
{
	struct model *model = policy->model;
	bool invariant = model->scenario->kernel.invariance == INVARIANCE_CPUFREQ;

	if (khz == 0 || khz == policy->cur_khz)
		return;
	if (policy->aside) {
		policy->cur_khz = khz;
		return;
	}
	passed(model, model->loop.now_ns);
	policy->cur_khz = khz;
	for (int i = 0; invariant && i < policy->nr_cpus; i++) {
		uint64_t *scale = &model->loop.cpus[policy->first_cpu + i].pelt.scale.freq;

		*scale = freq_scale_of(
			*scale, khz, (uint64_t)policy->info.clocks_khz[policy->info.nr_clocks - 1]);
	}
	if (model->changed)
		model->changed(model->ctx, policy, model->loop.now_ns);
}

static struct driver_request request_of(
	const struct model_policy *policy, uint32_t khz, int index, unsigned relation)
{
	return (struct driver_request){
		.policy = policy->index,
		.now_ns = policy->model->loop.now_ns,
		.khz = khz,
		.index = index,
		.relation = relation,
		.cur_khz = policy->cur_khz,
		.min_khz = policy->limits.min_khz,
		.max_khz = policy->limits.max_khz,
	};
}

void model_fast_switch(struct model_policy *policy, uint32_t khz)
{
	const struct model *model = policy->model;
	const struct driver_info *info = &policy->info;
	uint32_t target = freq_fast_switch_khz(
		khz, policy->limits, (unsigned)model->scenario->kernel.version);
	int index = info->has_table
		? freq_table_find(&info->table, target, policy->limits, RELATION_L, false)
		: -1;
	struct driver_request request = request_of(policy, target, index, RELATION_L);
	struct transition t = { 0 };

	if (index >= 0)
		request.khz = info->table.entries[index].khz;
	model->scenario->driver->fast_switch(&policy->model->driver_ctx, &request, &t);
	model_set_cur(policy, (uint32_t)t.khz);
}

void model_target(struct model_policy *policy, uint32_t khz, unsigned relation)
{
	const struct model *model = policy->model;
	const struct driver_info *info = &policy->info;
	const struct freq_request wish = {
		.table = info->has_table ? &info->table : NULL,
		.limits = policy->limits,
		.cur_khz = policy->cur_khz,
		.needs_limits = info->flags & DRIVER_NEED_UPDATE_LIMITS,
		.version = (unsigned)model->scenario->kernel.version,
	};
	struct freq_outcome out = freq_request(&wish, khz, relation);
	struct transition t = { 0 };

	if (!out.driver_called)
		return;
	const struct driver_request request = request_of(policy, out.khz, out.index, relation);

	model->scenario->driver->target(&policy->model->driver_ctx, &request, &t);
	if (!t.failed)
		model_set_cur(policy, (uint32_t)t.khz);
}

void model_adjust_perf(struct model_policy *policy, const struct perf_request *perf)
{
	const struct driver_request request = request_of(policy, policy->cur_khz, -1, RELATION_L);
	struct transition t = { 0 };

	policy->model->scenario->driver->adjust_perf(
		&policy->model->driver_ctx, &request, perf, &t);
	if (!t.failed)
		model_set_cur(policy, (uint32_t)t.khz);
}

void model_first(struct model_policy *policy, uint32_t khz)
{
	model_set_cur(policy, khz);
	policy->model->governor->first(policy, khz, policy->model->loop.now_ns);
}

void model_limits(struct model_policy *policy, struct freq_limits limits)
{
	const struct freq_limits cpuinfo = { (uint32_t)policy->info.clocks_khz[0],
		(uint32_t)policy->info.clocks_khz[policy->info.nr_clocks - 1] };

	freq_limits_verify(&limits, cpuinfo);
	if (limits.min_khz == policy->limits.min_khz && limits.max_khz == policy->limits.max_khz)
		return;
	policy->limits = limits;
	policy->model->governor->limits(policy);
}

struct model_decision *model_decide(struct model_policy *policy, int cpu, enum decision_rule rule)
{
	policy->last = (struct model_decision){
		.t_ns = policy->model->loop.now_ns,
		.cpu = cpu,
		.rule = rule,
	};
	return &policy->last;
}

void model_fact(struct model_decision *decision, const char *name, int64_t value, const char *unit)
{
	if (decision->nr_facts < MODEL_FACTS)
		decision->facts[decision->nr_facts++] = (struct decision_value){
			.name = name, .unit = unit, .value = value
		};
}
