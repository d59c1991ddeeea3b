#include "sim/run.h"

#include <string.h>

#include "sim/base/debug.h"
#include "sim/base/units.h"
#include "sim/events.h"
#include "sim/hw/ceiling.h"
#include "sim/kernel/eas.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/rt.h"

int64_t run_limit_ns(const struct scenario *scenario)
{
	int64_t duration = scenario->run.duration_ns;

	return duration == PARAM_AUTO ? RUN_MAX_NS : duration;
}

#define TICK_STREAM (UINT64_C(0x7469636b) << 32)
#define NEWIDLE_STREAM (UINT64_C(0x6e696469) << 32)

static void *copy_params(struct arena *arena, const void *from, size_t size)
{
	return size ? memcpy(arena_alloc(arena, size), from, size) : NULL;
}

/* "4.10" of KVER(4, 10, 0), "2.6.31" of KVER(2, 6, 31). */
static const char *version_text(struct arena *arena, unsigned version)
{
	if (version & 0xff)
		return arena_printf(
			arena, "%u.%u.%u", version >> 16, version >> 8 & 0xff, version & 0xff);
	return arena_printf(arena, "%u.%u", version >> 16, version >> 8 & 0xff);
}

static int check_versions(struct run *run, struct error *err)
{
	const struct scenario *scenario = run->scenario;
	unsigned version = (unsigned)scenario->kernel.version;
	const struct {
		const char *noun, *name;
		unsigned first;
	} parts[] = {
		{ "driver", scenario->driver->name, scenario->driver->first_version },
		{ "governor", scenario->governor->name, scenario->governor->first_version },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (version < parts[i].first)
			return error_at(err, ERROR_SCENARIO,
				scenario_where(scenario, "kernel.version"),
				"%s %s is there from Linux %s on, this kernel is %s", parts[i].noun,
				parts[i].name, version_text(&run->arena, parts[i].first),
				scenario->kernel.version_text);
	return 0;
}

static int build_driver(struct run *run, struct error *err)
{
	const struct scenario *scenario = run->scenario;
	const struct driver *driver = scenario->driver;
	struct driver_ctx *ctx = &run->driver_ctx;
	size_t nr = scenario->machine.nr_policies;

	if (check_versions(run, err))
		return -1;
	*ctx = (struct driver_ctx){
		.arena = &run->arena,
		.machine = &scenario->machine,
		.version = (unsigned)scenario->kernel.version,
		.params = copy_params(&run->arena, scenario->driver_params, driver->params_size),
		.machine_state = arena_alloc(&run->arena, driver->machine_size),
	};
	run->infos = arena_array(&run->arena, nr, sizeof(*run->infos));
	if (driver->probe && driver->probe(ctx, err))
		return -1;
	for (size_t i = 0; i < nr; i++)
		if (driver->init(ctx, (int)i, &run->infos[i], err))
			return -1;
	if (scenario->kernel.invariance == INVARIANCE_CPPC &&
		!(run->infos[0].flags & DRIVER_FEEDBACK))
		return error_at(err, ERROR_SCENARIO, scenario_where(scenario, "kernel.invariance"),
			"invariance: driver %s reads no counters of cppc; expected cppc_cpufreq",
			driver->name);
	return 0;
}

/* The governor that really runs: where Linux refuses the pair, performance. */
static int choose_governor(struct run *run, struct error *err)
{
	const struct scenario *scenario = run->scenario;
	const char *why = cpufreq_refusal(
		scenario->governor, &run->infos[0], (unsigned)scenario->kernel.version);

	run->governor = scenario->governor;
	run->governor_name = scenario->governor_name;
	if (!why) {
		if (strcmp(run->governor_name, run->governor->name) != 0)
			run->note = arena_printf(&run->arena,
				"driver %s: the algorithm behind governor %s is %s",
				scenario->driver->name, run->governor_name, run->governor->name);
		return 0;
	}
	if (!scenario->fallback)
		return error_at(err, ERROR_SCENARIO, scenario_where(scenario, "governor"),
			"Linux %s refuses governor %s: %s", scenario->kernel.version_text,
			scenario->governor->name, why);
	run->governor = scenario->fallback;
	run->governor_name = scenario->fallback->name;
	run->note = arena_printf(&run->arena,
		"Linux %s refuses governor %s and falls back to %s: %s",
		scenario->kernel.version_text, scenario->governor->name, run->governor->name, why);
	return 0;
}

static int build_governor(struct run *run, struct error *err)
{
	const struct scenario *scenario = run->scenario;
	const struct governor *governor = scenario->governor;
	const struct driver_info *info = &run->infos[0];
	const struct governor_env env = {
		.version = (unsigned)scenario->kernel.version,
		.patches = scenario->kernel.patches,
		.hz = scenario->kernel.hz,
		.tick_latency_ns = scenario->kernel.tick_latency_ns,
		.transition_latency_ns = info->transition_latency_ns,
		.transition_delay_us = info->transition_delay_us,
		.has_table = info->has_table,
	};
	const char *key = NULL;
	struct error inner = { 0 };

	if (governor->flags & GOVERNOR_NEEDS_HWP && !info->hwp_capability)
		return error_at(err, ERROR_SCENARIO, scenario_where(scenario, "governor"),
			"governor %s needs hardware that takes levels (HWP); driver %s has none",
			governor->name, scenario->driver->name);
	run->tunables = copy_params(&run->arena, scenario->tunables, governor->tunables_size);
	if (choose_governor(run, err))
		return -1;
	if (run->governor != governor)
		return 0;
	if (!governor->tune || !governor->tune(&env, run->tunables, &key, &inner))
		return 0;
	const char *path = key ? arena_printf(&run->arena, "governor.%s", key) : "governor";
	return error_at(err, inner.code, scenario_where(scenario, path), "%s", inner.text);
}

static void build_policy(struct run *run, struct policy *policy, int index)
{
	const struct scenario *scenario = run->scenario;
	const struct policy_spec *cpus = &scenario->machine.policies[index];

	policy->index = index;
	policy->id = policy->first_cpu = cpus->first;
	policy->nr_cpus = cpus->last - cpus->first + 1;
	policy->kernel = &run->kernel;
	policy->governor = run->governor;
	policy->governor_name = run->governor_name;
	policy->tunables = run->governor == scenario->governor ? run->tunables : NULL;
	policy->driver = scenario->driver;
	policy->driver_ctx = &run->driver_ctx;
	policy_init(policy, &run->infos[index], &run->arena);
}

static void build_policies(struct run *run)
{
	struct kernel *kernel = &run->kernel;

	kernel->nr_policies = (int)run->scenario->machine.nr_policies;
	kernel->policies = arena_array(
		&run->arena, (size_t)kernel->nr_policies, sizeof(*kernel->policies));
	for (int i = 0; i < kernel->nr_policies; i++)
		build_policy(run, &kernel->policies[i], i);
	for (int d = 0; d < run->machine.nr_domains; d++) {
		struct domain *domain = &run->machine.domains[d];
		const struct policy *policy = kernel->policy_of_cpu[domain->cpus[0]->id];
		const struct driver_info *info = &run->infos[policy->index];

		size_t nr = info->nr_clocks;
		const int64_t *clocks_khz = ceiling_clocks(
			run->machine.spec, info->clocks_khz, &nr, &run->arena);

		domain_set_clocks(domain, clocks_khz, nr, info->boot_khz, &run->arena);
	}
}

/* Hardware that chooses has the whole range until a governor writes one. */
static void build_hwp(struct run *run)
{
	const struct driver_info *infos = run->infos;

	if (!infos[0].hwp.period_ns)
		return;
	hwp_build(&run->machine, &infos[0].hwp, &run->arena);
	for (int i = 0; i < run->machine.nr_cpus; i++)
		hwp_write(run->machine.cpus[i].hwp,
			&infos[run->kernel.policy_of_cpu[i]->index].boot_hwp);
}

/* The folder of the scenario file: names of input files are relative to it. */
static const char *scenario_dir(struct arena *arena, const struct scenario *scenario)
{
	const char *slash = scenario->path ? strrchr(scenario->path, '/') : NULL;

	if (!slash)
		return ".";
	return arena_printf(arena, "%.*s", (int)(slash - scenario->path), scenario->path);
}

static int build_one_workload(struct run *run, const struct workload_use *use,
	struct workload_ctx *ctx, struct error *err)
{
	const struct workload *workload = use->workload;
	const struct scenario *scenario = run->scenario;

	*ctx = (struct workload_ctx){
		.workload = workload,
		.arena = &run->arena,
		.kernel = &run->kernel,
		.beside = ctx != &run->workload_ctx,
		.params = use->params,
		.cpuset = use->place.cpuset ? &use->place.cpuset->cpus : NULL,
		.start_ns = use->place.start_ns,
		.state = arena_alloc(&run->arena, workload->state_size),
		.task_size = workload->task_size,
		.seed = run->seed,
		.version = (unsigned)scenario->kernel.version,
		.nr_cpus = scenario->machine.nr_cpus,
		.reference_khz = scenario->machine.reference_khz,
		.tick_ns = run->kernel.tick_ns,
		.scenario_dir = scenario_dir(&run->arena, scenario),
	};
	return workload->build(ctx, err);
}

static int build_workloads(struct run *run, struct error *err)
{
	const struct scenario *scenario = run->scenario;
	const struct workload *workload = scenario->workload;

	run->beside = arena_array(&run->arena, scenario->nr_beside, sizeof(*run->beside));
	const struct workload_use leader = { workload, scenario->workload_params,
		scenario->workload_place };

	if (build_one_workload(run, &leader, &run->workload_ctx, err))
		return -1;
	for (size_t i = 0; i < scenario->nr_beside; i++)
		if (build_one_workload(run, &scenario->beside[i], &run->beside[i], err))
			return -1;
	if (!rt_admits(&run->kernel, NULL))
		return error_at(err, ERROR_SCENARIO, scenario_where(scenario, "workload"),
			"deadline tasks ask for more than sched_rt_runtime_us leaves them on %d "
			"CPUs (EBUSY)",
			scenario->machine.nr_cpus);
	if (run->kernel.leading == 0 && scenario->run.duration_ns == PARAM_AUTO)
		return error_at(err, ERROR_SCENARIO, scenario_where(scenario, "run"),
			"workload %s does not end by itself: run.duration is missing",
			workload->name);
	return 0;
}

/* The governor takes over before time 0, as it did on the real machine long before the test. */
static void start_policies(struct run *run)
{
	const struct policy_limits_spec *limits = &run->scenario->limits;
	struct kernel *kernel = &run->kernel;

	kernel->booting = true;
	kernel->boot_ns = -RUN_MAX_NS;
	for (int i = 0; i < kernel->nr_policies; i++) {
		struct policy *policy = &kernel->policies[i];

		policy_start(policy,
			limits->min_khz == PARAM_AUTO ? policy->min_khz : limits->min_khz,
			limits->max_khz == PARAM_AUTO ? policy->max_khz : limits->max_khz);
	}
	kernel->booting = false;
}

/* What the kernel leaves to chance has streams per CPU, apart from those of the workloads. */
static void seed_cpus(struct run *run)
{
	for (int i = 0; i < run->machine.nr_cpus; i++) {
		struct rq *rq = &run->kernel.rqs[i];

		rng_set(&rq->tick_rng, run->seed, TICK_STREAM + (uint64_t)i);
		rng_set(&rq->newidle.rng, run->seed, NEWIDLE_STREAM + (uint64_t)i);
	}
}

static int build_all(struct run *run, struct error *err)
{
	machine_build(&run->machine, &run->scenario->machine, &run->engine, &run->arena);
	kernel_build(
		&run->kernel, &run->scenario->kernel, &run->machine, &run->engine, &run->arena);
	seed_cpus(run);
	if (sampler_build(run, err) || build_driver(run, err) || build_governor(run, err))
		return -1;
	build_policies(run);
	ceilings_build(&run->machine, &run->arena);
	build_hwp(run);
	eas_build(&run->kernel, &run->arena);
	if (events_build(run, err) || build_workloads(run, err) || events_check(run, err))
		return -1;
	engine_start(&run->engine, &run->arena);
	start_policies(run);
	events_start(run);
	task_start_all(&run->kernel);
	return 0;
}

static int build(struct run *run, const struct scenario *scenario, int64_t repeat, bool watched,
	struct error *err)
{
	*run = (struct run){ .scenario = scenario,
		.seed = (uint64_t)scenario->run.seed + (uint64_t)repeat };
	if (arena_try(&run->arena)) {
		run_free(run);
		return error_set(err, ERROR_RUN, "out of memory while building the run");
	}
	if (build_all(run, err) == 0) {
		if (watched)
			watch_start(&run->watch, run);
		return 0;
	}
	run_free(run);
	return -1;
}

int run_build(struct run *run, const struct scenario *scenario, int64_t repeat, struct error *err)
{
	return build(run, scenario, repeat, DEBUG_BUILD, err);
}

int run_build_watched(
	struct run *run, const struct scenario *scenario, int64_t repeat, struct error *err)
{
	return build(run, scenario, repeat, true, err);
}

int run_execute(struct run *run, struct error *err)
{
	const struct scenario *scenario = run->scenario;
	int64_t limit = run_limit_ns(scenario);

	sampler_start(run);
	ceilings_start(&run->machine);
	engine_run(&run->engine, limit);
	run->elapsed_ns = run->engine.now_ns;
	machine_account(&run->machine);
	if (run->watch.broken[0])
		return error_set(
			err, ERROR_RUN, "the simulator broke its own rules %s", run->watch.broken);
	if (run->stuck)
		return error_set(err, ERROR_RUN,
			"workload %s: its tasks wait for each other for "
			"ever from %.6f s on",
			scenario->workload->name, (double)run->elapsed_ns / (double)NSEC_PER_SEC);
	if (run->kernel.leading > 0 && scenario->run.duration_ns == PARAM_AUTO)
		return error_set(err, ERROR_RUN,
			"workload %s has not ended after %lld s; set "
			"run.duration to stop it earlier",
			scenario->workload->name, (long long)(RUN_MAX_NS / NSEC_PER_SEC));
	return 0;
}

void run_free(struct run *run)
{
	arena_free(&run->arena);
}
