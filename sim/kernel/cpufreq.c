#include "sim/kernel/cpufreq.h"

#include <assert.h>

#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/rq.h"

static struct cpu *policy_cpu(const struct policy *policy)
{
	return &policy->kernel->machine->cpus[policy->first_cpu];
}

/* Statistics of a driver without a table go by whole percents of nominal. */
static int stats_state(const struct policy *policy, int64_t khz)
{
	if (policy->has_table)
		return cpufreq_stats_state(&policy->table, (uint32_t)khz);
	return (int)(khz * 100 / policy->cpuinfo_max_khz);
}

static int64_t stats_now_ns(const struct policy *policy)
{
	const struct kernel *kernel = policy->kernel;

	return cpufreq_stats_clock_ns((unsigned)kernel->spec->version, kernel->spec->hz,
		kernel->engine->now_ns);
}

int64_t cpufreq_time_in_state_ns(const struct policy *policy, int state)
{
	return cpufreq_stats_time_ns(&policy->stats, state, stats_now_ns(policy));
}

/* The hardware follows: every CPU of the policy now asks its domain for the new clock. */
static void policy_vote(struct policy *policy, int64_t clock_khz)
{
	struct cpu *cpu = policy_cpu(policy);

	for (int i = 0; i < policy->nr_cpus; i++, cpu++)
		cpu_vote(cpu, domain_clock_index(cpu->domain, clock_khz));
}

static void transition_begin(struct timer *timer)
{
	struct policy *policy = container_of(timer, struct policy, begin);

	machine_stall(policy->kernel->machine, policy_cpu(policy),
		(enum stall_scope)policy->pending_stall_scope, policy->pending_stall_ns);
}

static void transition_effect(struct timer *timer)
{
	struct policy *policy = container_of(timer, struct policy, effect);

	policy_vote(policy, policy->pending_clock_khz);
}

/* POSTCHANGE: what the kernel believes follows what it asked for, not what runs. */
static void transition_end(struct timer *timer)
{
	struct policy *policy = container_of(timer, struct policy, end);

	if (policy->pending_failed) {
		policy->failed++;
		return;
	}
	cpufreq_stats_record(&policy->stats, stats_state(policy, policy->pending_khz),
		stats_now_ns(policy));
	policy->cur_khz = policy->pending_khz;
}

static int64_t notifier_ns(const struct policy *policy, bool failed)
{
	const struct kernel_spec *spec = policy->kernel->spec;

	return transition_walks(failed) * spec->notifiers * spec->notifier_cost_ns;
}

static void at_or_now(struct timer *timer, int64_t now_ns, int64_t delay_ns)
{
	if (delay_ns > 0)
		timer_arm(timer, now_ns + delay_ns);
	else
		timer->fire(timer);
}

/* A command is on its way: its cost is the caller's, its stages follow by timers. */
static void transition_start(struct policy *policy, int64_t khz, const struct transition *t)
{
	int64_t now = policy->kernel->engine->now_ns;
	int64_t busy = t->busy_ns + notifier_ns(policy, t->failed);

	policy->commands++;
	policy->driver_wait_ns += t->wait_ns;
	policy->driver_busy_ns += busy;
	policy->stall_ns += t->stall_ns;
	policy->held_ns += t->wait_ns + busy;
	policy->pending_khz = khz;
	policy->pending_clock_khz = t->clock_khz;
	policy->pending_failed = t->failed;
	policy->pending_stall_ns = t->stall_ns;
	policy->pending_stall_scope = (int)t->stall_scope;
	if (t->stall_ns > 0)
		at_or_now(&policy->begin, now, t->wait_ns);
	if (!t->failed)
		at_or_now(&policy->effect, now, t->wait_ns + t->delay_ns);
	at_or_now(&policy->end, now, t->wait_ns + busy);
}

/* Before time 0 the machine is being set up: requests hold at once and nothing is counted. */
static void boot_target(struct policy *policy, int64_t khz, const struct transition *t)
{
	policy->kernel->boot_ns += t->wait_ns + t->busy_ns;
	if (t->failed)
		return;
	policy->cur_khz = khz;
	policy_vote(policy, t->clock_khz);
}

/* The record of the evaluation that asks, when there is one. */
static struct decision_record *asking(
	const struct policy *policy, int64_t khz, unsigned relation, int64_t resolved_khz)
{
	struct decision_record *record = policy->kernel->decisions.open;

	if (!record)
		return NULL;
	record->requested_khz = khz;
	record->relation = relation;
	record->resolved_khz = resolved_khz;
	return record;
}

void cpufreq_target(struct policy *policy, int64_t khz, unsigned relation)
{
	struct kernel *kernel = policy->kernel;
	const struct freq_request request = {
		.table = policy->has_table ? &policy->table : NULL,
		.limits = { (uint32_t)policy->min_khz, (uint32_t)policy->max_khz },
		.cur_khz = (uint32_t)policy->cur_khz,
		.version = (unsigned)kernel->spec->version,
	};
	struct freq_outcome out = freq_request(&request, (uint32_t)khz, relation);
	struct transition t = { 0 };
	struct decision_record *record = asking(policy, khz, relation, out.khz);

	if (!kernel->booting)
		policy->requests++;
	if (out.driver_called)
		policy->driver->target(policy->driver_ctx, policy->index,
			kernel->booting ? kernel->boot_ns : kernel->engine->now_ns, out.khz,
			out.index, policy->cur_khz, policy->min_khz, &t);
	if (record)
		record->outcome = !out.driver_called ? DECISION_EQUAL
			: t.skipped                  ? DECISION_IGNORED
			: t.failed                   ? DECISION_FAILED
						     : DECISION_APPLIED;
	if (!out.driver_called || t.skipped) {
		policy->suppressed += !kernel->booting;
		return;
	}
	if (kernel->booting)
		boot_target(policy, t.khz, &t);
	else
		transition_start(policy, t.khz, &t);
}

bool cpufreq_queue_work(struct policy *policy, int cpu)
{
	if (policy->work_pending)
		return false;
	policy->work_pending = true;
	rq_queue_work(&policy->kernel->rqs[cpu], policy);
	return true;
}

static void work_due(struct timer *timer)
{
	struct policy *policy = container_of(timer, struct policy, work_at);

	cpufreq_queue_work(policy, policy->first_cpu);
}

void cpufreq_work_at(struct policy *policy, int64_t when_ns)
{
	timer_arm(&policy->work_at, max_i64(when_ns, policy->kernel->engine->now_ns));
}

void cpufreq_set_limits(struct policy *policy, int64_t min_khz, int64_t max_khz)
{
	struct freq_limits limits = { (uint32_t)min_khz, (uint32_t)max_khz };
	const struct freq_limits cpuinfo = { (uint32_t)policy->cpuinfo_min_khz,
		(uint32_t)policy->cpuinfo_max_khz };

	if (policy->has_table)
		freq_table_verify(&policy->table, &limits, cpuinfo,
			(unsigned)policy->kernel->spec->version);
	else
		freq_limits_verify(&limits, cpuinfo);
	policy->min_khz = limits.min_khz;
	policy->max_khz = limits.max_khz;
	if (policy->governor->limits)
		policy->governor->limits(policy);
}

static void policy_info(struct policy *policy, const struct driver_info *info)
{
	policy->cpuinfo_min_khz = policy->min_khz = info->cpuinfo_min_khz;
	policy->cpuinfo_max_khz = policy->max_khz = info->cpuinfo_max_khz;
	policy->transition_latency_ns = info->transition_latency_ns;
	policy->transition_delay_us = info->transition_delay_us;
	policy->has_table = info->has_table;
	policy->table = info->table;
	policy->cur_khz = info->boot_khz;
}

void policy_init(struct policy *policy, const struct driver_info *info, struct arena *arena)
{
	struct engine *engine = policy->kernel->engine;

	policy_info(policy, info);
	for (int i = 0; i < policy->nr_cpus; i++)
		policy->kernel->policy_of_cpu[policy->first_cpu + i] = policy;
	timer_init(engine, &policy->work_at, ORDER_WORK, work_due);
	timer_init(engine, &policy->begin, ORDER_CLOCK, transition_begin);
	timer_init(engine, &policy->effect, ORDER_CLOCK, transition_effect);
	timer_init(engine, &policy->end, ORDER_CLOCK, transition_end);
	policy->governor_state = arena_alloc(arena, policy->governor->policy_size);
	policy->cpu_state = arena_array(arena, (size_t)policy->nr_cpus,
		policy->governor->cpu_size);
	cpufreq_stats_init(&policy->stats,
		policy->has_table ? cpufreq_stats_states(&policy->table) : 101, arena);
}

void policy_start(struct policy *policy, int64_t min_khz, int64_t max_khz)
{
	if (policy->governor->start)
		policy->governor->start(policy);
	cpufreq_set_limits(policy, min_khz, max_khz);
	cpufreq_stats_start(&policy->stats, stats_state(policy, policy->cur_khz),
		stats_now_ns(policy));
}
