#include "sim/kernel/cpufreq.h"

#include <assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/kernel/hook.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/version.h"
#include "sim/kernel/worker.h"

static struct freq_limits policy_limits(const struct policy *policy)
{
	return (struct freq_limits){ (uint32_t)policy->min_khz, (uint32_t)policy->max_khz };
}

static struct cpu *policy_cpu(const struct policy *policy)
{
	return &policy->kernel->machine->cpus[policy->cpu];
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

	return cpufreq_stats_clock_ns(
		(unsigned)kernel->spec->version, kernel->spec->hz, kernel->engine->now_ns);
}

int64_t cpufreq_time_in_state_ns(const struct policy *policy, int state)
{
	return cpufreq_stats_time_ns(&policy->stats, state, stats_now_ns(policy));
}

/* The hardware follows: every CPU of the policy now asks its domain for the new clock, or has a
 * new range to choose from. */
static void policy_vote(struct policy *policy, const struct clock_change *change)
{
	struct cpu *cpu = &policy->kernel->machine->cpus[policy->first_cpu];

	for (int i = 0; i < policy->nr_cpus; i++, cpu++) {
		if (change->autonomous)
			hwp_write(cpu->hwp, &change->hwp);
		else
			cpu_vote(cpu, domain_clock_index(cpu->domain, change->clock_khz));
	}
}

static void transition_begin(struct timer *timer)
{
	struct policy *policy = container_of(timer, struct policy, begin);

	machine_stall(policy->kernel->machine, policy_cpu(policy),
		(enum stall_scope)policy->pending_stall_scope, policy->pending_stall_ns);
}

static void at_or_now(struct timer *timer, int64_t now_ns, int64_t delay_ns)
{
	if (delay_ns > 0)
		timer_arm(timer, now_ns + delay_ns);
	else
		timer->fire(timer);
}

static void transition_effect(struct timer *timer)
{
	struct policy *policy = container_of(timer, struct policy, effect);

	policy_vote(policy, &policy->coming);
	if (!policy->has_behind)
		return;
	policy->has_behind = false;
	policy->coming = policy->behind;
	at_or_now(timer, policy->kernel->engine->now_ns, policy->coming.delay_ns);
}

static struct clock_change change_of(const struct transition *t)
{
	return (struct clock_change){
		.clock_khz = t->clock_khz,
		.autonomous = t->autonomous,
		.hwp = t->hwp,
		.delay_ns = t->delay_ns,
	};
}

/* The hardware makes one change at a time: a request that finds it at work waits, and of those that
 * wait only the newest is left. So a stream of requests faster than the hardware still moves it. */
static void change_clock(struct policy *policy, const struct transition *t)
{
	struct clock_change change = change_of(t);

	if (timer_armed(&policy->effect)) {
		policy->behind = change;
		policy->has_behind = true;
		return;
	}
	policy->coming = change;
	at_or_now(&policy->effect, policy->kernel->engine->now_ns, t->wait_ns + t->delay_ns);
}

static void tell_freq(struct policy *policy, int64_t khz)
{
	for (int i = 0; i < policy->nr_cpus; i++)
		kernel_freq_changed(
			policy->kernel, policy->first_cpu + i, khz, policy->cpuinfo_max_khz);
}

/* What the kernel believes follows what it asked for, not what runs. */
static void set_cur(struct policy *policy, int64_t khz)
{
	policy->cur_khz = khz;
	TRACEPOINT(policy->kernel, .kind = TRACEPOINT_FREQUENCY, .cpu = policy->first_cpu,
		.policy = policy, .khz = khz);
	if (!policy->kernel->booting)
		cpufreq_stats_record(
			&policy->stats, stats_state(policy, khz), stats_now_ns(policy));
	tell_freq(policy, khz);
}

/* POSTCHANGE. */
static void transition_end(struct timer *timer)
{
	struct policy *policy = container_of(timer, struct policy, end);

	if (policy->pending_failed)
		policy->failed++;
	else
		set_cur(policy, policy->pending_khz);
}

static int64_t notifier_ns(const struct policy *policy, bool failed)
{
	const struct kernel_spec *spec = policy->kernel->spec;

	return transition_walks(failed) * spec->notifiers * spec->notifier_cost_ns;
}

/* Time spent by who does not run in a worker's time: a hook, or a user's write. It is that of
 * whatever runs on the CPU; on an idle CPU nobody waits for it. */
static void charge_hook(struct policy *policy, int cpu, int64_t ns)
{
	policy->driver_busy_ns += ns;
	hook_owe(&policy->kernel->rqs[cpu], ns);
}

/* A command is on its way: its cost is the caller's, its stages follow by timers. */
static void transition_start(struct policy *policy, const struct transition *t)
{
	int64_t now = policy->kernel->engine->now_ns;
	int64_t busy = t->busy_ns + notifier_ns(policy, t->failed);

	/* A transition waits for the one before it; that has only its end left to wait for. */
	if (timer_armed(&policy->end)) {
		timer_cancel(&policy->end);
		transition_end(&policy->end);
	}
	policy->commands++;
	policy->driver_wait_ns += t->wait_ns;
	policy->stall_ns += t->stall_ns;
	if (policy->work_pending) {
		policy->driver_busy_ns += busy;
		policy->held_ns += t->wait_ns + busy;
	} else {
		charge_hook(policy, policy->cpu, t->wait_ns + busy);
	}
	policy->pending_khz = t->khz;
	policy->pending_failed = t->failed;
	policy->pending_stall_ns = t->stall_ns;
	policy->pending_stall_scope = (int)t->stall_scope;
	if (t->stall_ns > 0)
		at_or_now(&policy->begin, now, t->wait_ns);
	if (!t->failed)
		change_clock(policy, t);
	at_or_now(&policy->end, now, t->wait_ns + busy);
}

/* Before time 0 the machine is being set up: requests hold at once and nothing is counted. */
static void boot_target(struct policy *policy, const struct transition *t)
{
	const struct clock_change change = change_of(t);

	policy->kernel->boot_ns += t->wait_ns + t->busy_ns;
	if (t->failed)
		return;
	if (t->khz)
		set_cur(policy, t->khz);
	policy_vote(policy, &change);
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

static struct driver_request request_of(
	const struct policy *policy, int64_t khz, int index, unsigned relation)
{
	const struct kernel *kernel = policy->kernel;

	return (struct driver_request){
		.policy = policy->index,
		.now_ns = kernel->booting ? kernel->boot_ns : kernel->engine->now_ns,
		.khz = khz,
		.index = index,
		.relation = relation,
		.cur_khz = policy->cur_khz,
		.min_khz = policy->min_khz,
		.max_khz = policy->max_khz,
		.strict = policy->governor->flags & GOVERNOR_STRICT_TARGET,
	};
}

static void take_outcome(struct decision_record *record, bool called, const struct transition *t)
{
	if (record)
		record->outcome = !called ? DECISION_EQUAL
			: t->skipped      ? DECISION_IGNORED
			: t->failed       ? DECISION_FAILED
					  : DECISION_APPLIED;
}

void cpufreq_target(struct policy *policy, int64_t khz, unsigned relation)
{
	struct kernel *kernel = policy->kernel;
	const struct freq_request wish = {
		.table = policy->has_table ? &policy->table : NULL,
		.limits = policy_limits(policy),
		.cur_khz = (uint32_t)policy->cur_khz,
		.needs_limits = cpufreq_needs_limits(policy),
		.version = (unsigned)kernel->spec->version,
	};
	struct freq_outcome out = freq_request(&wish, (uint32_t)khz, relation);
	struct decision_record *record = asking(policy, khz, relation, out.khz);
	struct transition t = { 0 };

	policy->requests += !kernel->booting;
	if (out.driver_called) {
		const struct driver_request request = request_of(
			policy, out.khz, out.index, relation);

		policy->driver->target(policy->driver_ctx, &request, &t);
	}
	take_outcome(record, out.driver_called, &t);
	if (!out.driver_called || t.skipped) {
		policy->suppressed += !kernel->booting;
		if (out.driver_called && t.khz != policy->cur_khz)
			set_cur(policy, t.khz);
		return;
	}
	if (kernel->booting)
		boot_target(policy, &t);
	else
		transition_start(policy, &t);
}

/* The hook has asked: no notifiers and no stages, cur follows at once. */
static void hook_asked(struct policy *policy, int cpu, const struct transition *t)
{
	policy->requests++;
	if (t->failed) {
		policy->failed++;
		return;
	}
	if (t->khz)
		set_cur(policy, t->khz);
	if (t->skipped) {
		policy->suppressed++;
		return;
	}
	policy->commands++;
	charge_hook(policy, cpu, t->busy_ns);
	change_clock(policy, t);
}

void cpufreq_fast_switch(struct policy *policy, int cpu, int64_t khz)
{
	const struct freq_limits limits = policy_limits(policy);
	uint32_t target = freq_fast_switch_khz(
		(uint32_t)khz, limits, (unsigned)policy->kernel->spec->version);
	int index = policy->has_table
		? freq_table_find(&policy->table, target, limits, RELATION_L, false)
		: -1;
	struct driver_request request = request_of(policy, target, index, RELATION_L);
	struct decision_record *record;
	struct transition t = { 0 };

	if (index >= 0)
		request.khz = policy->table.entries[index].khz;
	record = asking(policy, khz, RELATION_L, request.khz);
	policy->driver->fast_switch(policy->driver_ctx, &request, &t);
	take_outcome(record, true, &t);
	policy->fast_switches++;
	hook_asked(policy, cpu, &t);
}

void cpufreq_adjust_perf(
	struct policy *policy, int cpu, uint64_t min, uint64_t target, uint64_t capacity)
{
	const struct perf_request perf = { min, target, capacity };
	const struct driver_request request = request_of(policy, policy->cur_khz, -1, RELATION_L);
	struct decision_record *record = asking(policy, 0, RELATION_L, 0);
	struct transition t = { 0 };

	policy->driver->adjust_perf(policy->driver_ctx, &request, &perf, &t);
	take_outcome(record, true, &t);
	policy->perf_adjusts++;
	hook_asked(policy, cpu, &t);
}

void cpufreq_write_hwp(struct policy *policy, int cpu, uint64_t value)
{
	const struct driver_request request = request_of(policy, policy->cur_khz, -1, RELATION_L);
	struct transition t = { 0 };

	policy->driver->write_hwp(policy->driver_ctx, &request, value, &t);
	if (policy->kernel->booting)
		boot_target(policy, &t);
	else
		hook_asked(policy, cpu, &t);
}

bool cpufreq_can_fast_switch(const struct policy *policy)
{
	return policy->driver->fast_switch && policy->driver_flags & DRIVER_FAST_SWITCH;
}

bool cpufreq_can_adjust_perf(const struct policy *policy)
{
	return policy->driver->adjust_perf && policy->driver_flags & DRIVER_ADJUST_PERF;
}

bool cpufreq_needs_limits(const struct policy *policy)
{
	return policy->driver_flags & DRIVER_NEED_UPDATE_LIMITS;
}

void cpufreq_util_read(const struct policy *policy, int cpu, struct util_input *in)
{
	kernel_util_read(policy->kernel, cpu, in);
}

bool cpufreq_is_invariant(const struct policy *policy)
{
	return policy->kernel->spec->invariance != INVARIANCE_NONE;
}

/* The longest latency that a sampling governor took, up to 4.13. */
#define SAMPLING_LATENCY_MAX_NS (10 * NSEC_PER_MSEC)

const char *cpufreq_refusal(
	const struct governor *governor, const struct driver_info *info, unsigned version)
{
	if (governor->flags & GOVERNOR_LATENCY_LIMIT && version < KVER(4, 14, 0) &&
		info->transition_latency_ns > SAMPLING_LATENCY_MAX_NS)
		return info->transition_latency_ns == LATENCY_ETERNAL_NS
			? "the driver does not know its transition latency"
			: "the driver's transition latency is above 10 ms";
	if (governor->flags & GOVERNOR_DYNAMIC && version >= KVER(4, 14, 0) &&
		info->flags & DRIVER_NO_AUTO_DYNAMIC_SWITCHING)
		return "the driver wants no governor that changes frequency by itself";
	return NULL;
}

bool cpufreq_queue_work(struct policy *policy, int cpu)
{
	/* What another governor left in the queue serves this one. */
	if (policy->work_stale) {
		policy->work_stale = false;
		return true;
	}
	if (policy->work_pending) {
		policy->work_again |= policy->work_running;
		return false;
	}
	policy->work_pending = true;
	rq_queue_work(&policy->kernel->rqs[cpu], policy);
	return true;
}

void cpufreq_work(struct policy *policy)
{
	if (!policy->work_stale)
		policy->governor->work(policy, policy->kernel->engine->now_ns);
	policy->work_stale = false;
}

int64_t cpufreq_get(const struct policy *policy)
{
	const struct domain *domain = policy_cpu(policy)->domain;

	if (!policy->driver->get)
		return 0;
	return policy->driver->get(policy->driver_ctx, domain->clocks_khz[domain->clock]);
}

/* Where the hardware can be read, cur becomes what it says. Follows cpufreq_update_current_freq();
 * later kernels forgive a difference below 1 MHz (cpufreq_verify_current_freq()). */
static void verify_current(struct policy *policy)
{
	int64_t khz = cpufreq_get(policy);
	int64_t apart = khz > policy->cur_khz ? khz - policy->cur_khz : policy->cur_khz - khz;
	bool forgives = policy->kernel->spec->version >= KVER(6, 1, 0);

	if (khz && apart >= (forgives ? 1000 : 1))
		set_cur(policy, khz);
}

static void governor_begin(struct policy *policy)
{
	const struct governor *governor = policy->governor;

	if (governor->policy_size)
		memset(policy->governor_state, 0, governor->policy_size);
	if (governor->cpu_size)
		memset(policy->cpu_state, 0, (size_t)policy->nr_cpus * governor->cpu_size);
	if (governor->start)
		governor->start(policy);
	if (governor->limits)
		governor->limits(policy);
}

void cpufreq_change_governor(struct policy *policy, const struct governor *governor,
	const char *name, const void *tunables)
{
	timer_cancel(&policy->work_at);
	policy->work_stale = policy->work_pending && !policy->work_running;
	policy->work_again = false;
	policy->governor = governor;
	policy->governor_name = name;
	policy->tunables = tunables;
	if (policy->nr_online > 0)
		governor_begin(policy);
}

static void count_online(struct policy *policy)
{
	const struct cpumask *online = &policy->kernel->online;
	int end = policy->first_cpu + policy->nr_cpus;
	int first = cpumask_next(online, NULL, policy->first_cpu, end);

	policy->nr_online = cpumask_count(online, NULL, policy->first_cpu, end);
	if (first >= 0 && !cpumask_test(online, policy->cpu))
		policy->cpu = first;
}

/* Its queued work is cancelled; what runs has been waited for (hotplug_wait_ns()). */
static void governor_stop(struct policy *policy)
{
	timer_cancel(&policy->work_at);
	if (policy->work_pending)
		worker_cancel(policy);
	policy->work_pending = policy->work_again = policy->work_stale = false;
}

/* Follows cpufreq_start_governor(). */
static void governor_again(struct policy *policy)
{
	verify_current(policy);
	governor_begin(policy);
}

void cpufreq_cpu_gone(struct policy *policy)
{
	governor_stop(policy);
	count_online(policy);
	if (policy->nr_online > 0)
		governor_again(policy);
}

void cpufreq_cpu_came(struct policy *policy)
{
	governor_stop(policy);
	count_online(policy);
	governor_again(policy);
}

void cpufreq_set_turbo(struct kernel *kernel, bool on)
{
	for (int i = 0; i < kernel->nr_policies; i++) {
		struct policy *policy = &kernel->policies[i];
		int index = policy->has_table
			? freq_table_index(&policy->table, (uint32_t)policy->cur_khz)
			: -1;
		const struct driver_request request = request_of(
			policy, policy->cur_khz, index, RELATION_L);
		struct transition t = { 0 };
		struct clock_change change;

		if (i == 0)
			policy->driver->set_turbo(policy->driver_ctx, on);
		if (policy->nr_online == 0)
			continue;
		policy->driver->target(policy->driver_ctx, &request, &t);
		if (t.skipped || t.failed)
			continue;
		if (t.khz)
			set_cur(policy, t.khz);
		change = change_of(&t);
		policy_vote(policy, &change);
	}
}

static void work_due(struct timer *timer)
{
	struct policy *policy = container_of(timer, struct policy, work_at);

	cpufreq_queue_work(policy, policy->cpu);
}

void cpufreq_work_at(struct policy *policy, int64_t when_ns)
{
	timer_arm(&policy->work_at, max_i64(when_ns, policy->kernel->engine->now_ns));
}

/* From 5.16 on limits are made frequencies of the table: neither is over- or undershot. */
static void resolve_limits(const struct policy *policy, struct freq_limits *limits)
{
	const struct freq_table *table = &policy->table;
	unsigned version = (unsigned)policy->kernel->spec->version;
	int max = freq_table_target(
		table, limits->max_khz, *limits, RELATION_H | RELATION_E, version);
	int min = freq_table_target(
		table, limits->min_khz, *limits, RELATION_L | RELATION_E, version);

	if (max >= 0)
		limits->max_khz = table->entries[max].khz;
	if (min >= 0)
		limits->min_khz = table->entries[min].khz;
	if (limits->min_khz > limits->max_khz)
		limits->min_khz = limits->max_khz;
}

void cpufreq_set_limits(struct policy *policy, int64_t min_khz, int64_t max_khz)
{
	struct freq_limits limits = { (uint32_t)min_khz, (uint32_t)max_khz };
	const struct freq_limits cpuinfo = { (uint32_t)policy->cpuinfo_min_khz,
		(uint32_t)policy->cpuinfo_max_khz };
	unsigned version = (unsigned)policy->kernel->spec->version;

	if (policy->has_table)
		freq_table_verify(&policy->table, &limits, cpuinfo, version);
	else
		freq_limits_verify(&limits, cpuinfo);
	if (policy->has_table && version >= KVER(5, 16, 0))
		resolve_limits(policy, &limits);
	policy->min_khz = limits.min_khz;
	policy->max_khz = limits.max_khz;
	TRACEPOINT(policy->kernel, .kind = TRACEPOINT_LIMITS, .cpu = policy->cpu, .policy = policy,
		.khz = policy->max_khz, .value = policy->min_khz);
	if (policy->governor->limits && policy->nr_online > 0)
		policy->governor->limits(policy);
}

static void policy_info(struct policy *policy, const struct driver_info *info)
{
	policy->cpuinfo_min_khz = policy->min_khz = info->cpuinfo_min_khz;
	policy->cpuinfo_max_khz = policy->max_khz = info->cpuinfo_max_khz;
	if (info->min_khz)
		policy->min_khz = info->min_khz;
	if (info->max_khz)
		policy->max_khz = info->max_khz;
	policy->transition_latency_ns = info->transition_latency_ns;
	policy->transition_delay_us = info->transition_delay_us;
	policy->driver_flags = info->flags;
	/* Notifiers may sleep: while one is registered nothing is switched from the hook. */
	if (policy->kernel->spec->notifiers > 0)
		policy->driver_flags &= ~(unsigned)(DRIVER_FAST_SWITCH | DRIVER_ADJUST_PERF);
	policy->hwp_capability = info->hwp_capability;
	policy->has_table = info->has_table;
	policy->table = info->table;
	policy->cur_khz = info->boot_khz;
}

void policy_init(struct policy *policy, const struct driver_info *info, struct arena *arena)
{
	struct engine *engine = policy->kernel->engine;

	policy_info(policy, info);
	/* The machine has been up: its first frequency was set by a transition, too. */
	policy->cpu = policy->first_cpu;
	policy->nr_online = policy->nr_cpus;
	tell_freq(policy, policy->cur_khz);
	for (int i = 0; i < policy->nr_cpus; i++)
		policy->kernel->policy_of_cpu[policy->first_cpu + i] = policy;
	timer_init(engine, &policy->work_at, ORDER_WORK, work_due);
	timer_init(engine, &policy->begin, ORDER_CLOCK, transition_begin);
	timer_init(engine, &policy->effect, ORDER_CLOCK, transition_effect);
	timer_init(engine, &policy->end, ORDER_CLOCK, transition_end);
	policy->governor_state = arena_alloc(arena, policy->governor->policy_size);
	policy->cpu_state = arena_array(arena, (size_t)policy->nr_cpus, policy->governor->cpu_size);
	cpufreq_stats_init(&policy->stats,
		policy->has_table ? cpufreq_stats_states(&policy->table) : 101, arena);
}

void policy_start(struct policy *policy, int64_t min_khz, int64_t max_khz)
{
	verify_current(policy);
	if (policy->governor->start)
		policy->governor->start(policy);
	cpufreq_set_limits(policy, min_khz, max_khz);
	cpufreq_stats_start(
		&policy->stats, stats_state(policy, policy->cur_khz), stats_now_ns(policy));
}
