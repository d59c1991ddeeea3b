#include "governors/dbs_sampler.h"

#include <inttypes.h>

#include "sim/base/str.h"
#include "sim/base/units.h"

struct dbs_policy dbs_policy(const struct policy *policy, unsigned version)
{
	return (struct dbs_policy){
		.table = policy->has_table ? &policy->table : NULL,
		.limits = { (uint32_t)policy->min_khz, (uint32_t)policy->max_khz },
		.cpuinfo = { (uint32_t)policy->cpuinfo_min_khz, (uint32_t)policy->cpuinfo_max_khz },
		.cur_khz = (uint32_t)policy->cur_khz,
		.version = version,
	};
}

void dbs_apply(struct policy *policy, struct dbs_request request)
{
	if (request.wanted)
		cpufreq_target(policy, request.khz, request.relation);
}

static struct dbs_cpu *dbs_cpus(const struct policy *policy)
{
	return policy->cpu_state;
}

/* The counters of the policy's CPUs as read last; they live behind the CPUs' states. */
static struct dbs_counters *dbs_counters(const struct policy *policy)
{
	return (void *)(dbs_cpus(policy) + policy->nr_cpus);
}

static struct dbs_counters *read_counters(struct policy *policy, const struct dbs_setup *setup)
{
	struct dbs_counters *out = dbs_counters(policy);
	bool ticks = setup->rules->ticks;
	uint64_t per_s = ticks ? setup->hz : 1000000;

	for (int i = 0; i < policy->nr_cpus; i++) {
		struct cputime time;

		cputime_read(policy->kernel, policy->first_cpu + i, &time);
		out[i].wall = time.wall_us * per_s / 1000000;
		out[i].idle = time.idle_us * per_s / 1000000;
		out[i].iowait = time.iowait_us * per_s / 1000000;
		out[i].nice = ticks ? time.nice_us * per_s / 1000000 : time.nice_us * 1000;
	}
	return out;
}

uint64_t dbs_jiffies(const struct dbs_setup *setup, int64_t now_ns)
{
	return (uint64_t)(now_ns / tick_ns_of_hz(setup->hz));
}

struct dbs_load dbs_sampler_load(struct policy *policy, const struct dbs_setup *setup)
{
	return dbs_load(setup, dbs_cpus(policy), read_counters(policy, setup), policy->nr_cpus);
}

void dbs_sampler_limits(struct policy *policy, struct dbs_request request)
{
	decision_begin(policy, policy->cpu, DECISION_LIMITS, "cpufreq_policy_apply_limits");
	dbs_apply(policy, request);
	decision_end(policy);
}

void dbs_sampler_record(struct decision_record *record, const struct policy *policy,
	const struct dbs_setup *setup, struct dbs_load load)
{
	const struct dbs_counters *now = &dbs_counters(policy)[load.cpu];
	bool ticks = setup->rules->ticks;

	decision_in(record, "load", load.load, "%");
	decision_in(record, "of_cpu", policy->first_cpu + load.cpu, "");
	decision_in(record, "elapsed", load.elapsed, ticks ? "jiffies" : "us");
	decision_in(record, "idle", load.idle, ticks ? "jiffies" : "us");
	decision_in(record, "reused", load.reused, "");
	decision_in(record, "wall", (int64_t)now->wall, ticks ? "jiffies" : "us");
	decision_in(record, "idle_time", (int64_t)now->idle, ticks ? "jiffies" : "us");
	decision_in(record, "iowait_time", (int64_t)now->iowait, ticks ? "jiffies" : "us");
	decision_in(record, "nice_time", (int64_t)now->nice, ticks ? "jiffies" : "ns");
	decision_out(record, "prev_load", dbs_cpus(policy)[load.cpu].prev_load, "%");
}

void dbs_sampler_start(struct policy *policy, const struct dbs_setup *setup)
{
	struct dbs_sampler *sampler = policy->governor_state;
	struct dbs_cpu *cpus = dbs_cpus(policy);
	/* Before 3.12 only one CPU of a policy had a timer. */
	bool all = setup->rules->load_at_start;

	dbs_start(setup, cpus, read_counters(policy, setup), policy->nr_cpus);
	dbs_clock_start(&sampler->clock, setup->sampling_rate);
	for (int i = 0; i < policy->nr_cpus; i++)
		cpus[i].expires = policy->first_cpu + i == policy->cpu || all
			? dbs_us_to_jiffies(setup->sampling_rate, setup->hz)
			: DBS_NEVER;
}

void dbs_sampler_restart(struct policy *policy, const struct dbs_setup *setup, bool nice)
{
	dbs_restart(setup, dbs_cpus(policy), read_counters(policy, setup), policy->nr_cpus, nice);
}

void dbs_sampler_rate(
	struct policy *policy, struct dbs_setup *setup, uint32_t rate_us, int64_t rearm_ns)
{
	struct dbs_sampler *sampler = policy->governor_state;

	setup->sampling_rate = rate_us;
	if (!setup->rules->timer) {
		dbs_clock_now(&sampler->clock);
		return;
	}
	if (rearm_ns == DBS_KEEP_TIMER)
		return;
	for (int i = 0; i < policy->nr_cpus; i++) {
		struct dbs_cpu *cpu = &dbs_cpus(policy)[i];
		uint64_t due = dbs_jiffies(setup, rearm_ns) + dbs_us_to_jiffies(rate_us, setup->hz);

		if (cpu->expires != DBS_NEVER && due < cpu->expires)
			cpu->expires = due;
	}
}

/* A timer waits while the policy's work is under way, as the workqueue would make it. */
static bool timer_fires(
	struct policy *policy, const struct dbs_setup *setup, int cpu, int64_t now_ns)
{
	struct dbs_sampler *sampler = policy->governor_state;
	struct dbs_cpu *mine = &dbs_cpus(policy)[cpu - policy->first_cpu];

	if (dbs_jiffies(setup, now_ns) < mine->expires)
		return false;
	mine->expires = DBS_NEVER;
	sampler->fired = cpu - policy->first_cpu;
	return true;
}

void dbs_sampler_update(
	struct policy *policy, const struct dbs_setup *setup, int cpu, int64_t now_ns)
{
	struct dbs_sampler *sampler = policy->governor_state;
	bool fires;

	if (policy->work_pending)
		return;
	if (setup->rules->timer)
		fires = timer_fires(policy, setup, cpu, now_ns);
	else
		fires = dbs_clock_hook(
			&sampler->clock, (uint64_t)now_ns, policy->nr_online > 1, true);
	if (fires)
		cpufreq_queue_work(policy, cpu);
}

bool dbs_sampler_due(struct policy *policy, const struct dbs_setup *setup, int64_t now_ns)
{
	struct dbs_sampler *sampler = policy->governor_state;
	uint64_t now_us = (uint64_t)now_ns / 1000;

	if (!setup->rules->timer || !setup->rules->load_at_start || policy->nr_online == 1)
		return true;
	if (now_us - sampler->evaluated_us < setup->sampling_rate / 2)
		return false;
	sampler->evaluated_us = now_us;
	return true;
}

void dbs_sampler_done(struct policy *policy, const struct dbs_setup *setup, int64_t now_ns,
	uint32_t delay, bool evaluated)
{
	struct dbs_sampler *sampler = policy->governor_state;
	struct dbs_cpu *cpus = dbs_cpus(policy);
	bool all = setup->rules->timer_of_policy || (evaluated && setup->rules->load_at_start);

	if (!setup->rules->timer) {
		dbs_clock_done(&sampler->clock, delay);
		return;
	}
	for (int i = 0; i < policy->nr_cpus; i++)
		if (all || i == sampler->fired)
			cpus[i].expires = dbs_jiffies(setup, now_ns) + delay;
}

unsigned dbs_version(const struct governor_env *env)
{
	bool base = env->patches & KERNEL_BASE && env->version >> 8 == KVER(6, 1, 0) >> 8;

	return base ? KVER(6, 0, 0) : env->version;
}

struct dbs_defaults_env dbs_defaults_env(const struct governor_env *env, enum dbs_governor governor)
{
	return (struct dbs_defaults_env){
		.governor = governor,
		.version = env->version,
		.hz = (uint32_t)env->hz,
		.transition_latency_ns = (uint32_t)env->transition_latency_ns,
		.transition_delay_us = (uint32_t)env->transition_delay_us,
		.micro_accounting = true,
	};
}

int dbs_tune(const struct dbs_defaults *defaults, int64_t *sampling_rate_us, const char **key,
	struct error *err)
{
	uint32_t rate;
	char min[32], max[32];

	if (*sampling_rate_us == PARAM_AUTO) {
		*sampling_rate_us = defaults->sampling_rate;
		return 0;
	}
	*key = "sampling_rate";
	if (dbs_write_rate(defaults, (uint32_t)*sampling_rate_us, &rate) < 0) {
		str_from_i64(defaults->min_sampling_rate, UNIT_US, min, sizeof(min));
		str_from_i64(defaults->max_sampling_rate, UNIT_US, max, sizeof(max));
		return error_set(err, ERROR_SCENARIO,
			"sampling_rate: %" PRId64 "us is not in %s..%s, which this kernel accepts",
			*sampling_rate_us, min, max);
	}
	*sampling_rate_us = rate;
	return 0;
}
