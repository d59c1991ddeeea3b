#include "sim/kernel/hook.h"

#include <stdbool.h>

#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/rq.h"

static const struct {
	const char *name, *meaning;
} infos[HOOK_SITES] = {
	[HOOK_SITE_ENQUEUE] = { "enqueue", "a period ended in the update at an enqueue" },
	[HOOK_SITE_DEQUEUE] = { "dequeue", "a period ended in the update at a dequeue" },
	[HOOK_SITE_SWITCH] = { "switch", "a period ended in the update at a context switch" },
	[HOOK_SITE_TICK] = { "tick", "a period ended in the update at a tick" },
	[HOOK_SITE_ATTACH] = { "attach", "a task brought or took away its load" },
	[HOOK_SITE_IOWAIT] = { "iowait", "a task woke that had waited for I/O" },
	[HOOK_SITE_RT] = { "rt", "a real-time task came, went or was accounted" },
	[HOOK_SITE_DL] = { "dl", "the bandwidth of deadline tasks changed" },
	[HOOK_SITE_BLOCKED] = { "blocked", "the load that sleeping tasks left decayed" },
	[HOOK_SITE_PREEMPT] = { "preempt", "a task woke and did not preempt" },
};

const char *hook_site_name(enum hook_site site)
{
	return infos[site].name;
}

const char *hook_site_meaning(enum hook_site site)
{
	return infos[site].meaning;
}

void hooks_build(struct hooks *hooks, int nr_policies, struct arena *arena)
{
	hooks->locks = arena_array(arena, (size_t)nr_policies, sizeof(*hooks->locks));
}

/* What there is to see of a callback's outcome. */
struct traces {
	bool work_pending;
	int64_t asked, evaluations, too_early;
};

static struct traces look(const struct policy *policy)
{
	const struct decisions *decisions = &policy->kernel->decisions;

	return (struct traces){
		.work_pending = policy->work_pending,
		.asked = policy->commands,
		.evaluations = decisions->evaluations,
		.too_early = decisions->by_rule[DECISION_RATE_LIMIT],
	};
}

static void count(struct hook_count *count, const struct traces *before, const struct traces *after)
{
	count->calls++;
	if (after->asked != before->asked || (after->work_pending && !before->work_pending))
		count->changes++;
	else if (after->too_early != before->too_early)
		count->rate_limited++;
	else if (after->evaluations != before->evaluations || before->work_pending)
		count->dropped++;
	else
		count->rate_limited++;
}

void hook_owe(struct rq *rq, int64_t ns)
{
	struct hooks *hooks = &rq->kernel->hooks;

	if (ns == 0)
		return;
	if (rq->hook_debt_ns == 0) {
		rq->debtor_next = hooks->debtors;
		hooks->debtors = rq;
	}
	rq->hook_debt_ns += ns;
}

/* The call takes CPU time of who makes it; in a shared policy it may first have to wait for a call
 * of another CPU to end. */
static void charge(struct rq *caller, const struct policy *policy)
{
	struct hooks *hooks = &caller->kernel->hooks;
	struct hook_lock *lock = &hooks->locks[policy->index];
	int64_t cost_ns = caller->kernel->spec->hook_cost_ns;
	int64_t start_ns = caller->kernel->engine->now_ns + caller->hook_debt_ns;

	if (cost_ns == 0)
		return;
	if (policy->nr_cpus > 1 && lock->holder != caller && lock->free_ns > start_ns) {
		hooks->contended++;
		cost_ns += lock->free_ns - start_ns;
	}
	lock->holder = caller;
	lock->free_ns = start_ns + cost_ns;
	hook_owe(caller, cost_ns);
	hooks->cost_ns += cost_ns;
}

/* Another CPU does the update: told from 4.14 on, and heard inside the policy, or where the driver
 * can change a clock from anywhere; follows cpufreq_this_cpu_can_update(). */
static bool hears(const struct rq *rq, const struct policy *policy)
{
	const struct kernel *kernel = rq->kernel;
	const struct rq *by = kernel->executing;

	if (!by || by == rq)
		return true;
	return kernel->spec->version >= KVER(4, 14, 0) &&
		(kernel->policy_of_cpu[by->cpu->id] == policy ||
			(policy->driver_flags & DRIVER_DVFS_FROM_ANY_CPU));
}

void hook_call(struct rq *rq, enum hook_site site, unsigned flags)
{
	struct kernel *kernel = rq->kernel;
	struct policy *policy = kernel->policy_of_cpu[rq->cpu->id];
	struct traces before, after;

	if (!rq_is_online(rq) || !hears(rq, policy))
		return;
	if (!policy->governor->update)
		return;
	before = look(policy);
	policy->governor->update(policy, rq->cpu->id, kernel->engine->now_ns, flags);
	after = look(policy);
	count(&kernel->hooks.by_site[site], &before, &after);
	charge(kernel->executing ? kernel->executing : rq, policy);
}

static bool is_consolidated(const struct rq *rq)
{
	return rq->kernel->spec->patches & KERNEL_CONSOLIDATED;
}

void hook_pelt(struct rq *rq, unsigned flags)
{
	enum hook_site site = rq->site;

	if (flags & HOOK_IOWAIT)
		site = HOOK_SITE_IOWAIT;
	else if (rq->pelt.attaching)
		site = HOOK_SITE_ATTACH;
	if (!is_consolidated(rq) || site == HOOK_SITE_BLOCKED)
		hook_call(rq, site, flags);
}

/* Up to 4.17 the governor hears whenever a running task's time is accounted; later when one comes
 * or goes. */
static bool hears_charges(const struct rq *rq)
{
	return rq->kernel->spec->version < KVER(4, 18, 0);
}

void hook_rt(struct rq *rq, bool charged)
{
	if (charged == hears_charges(rq) && !is_consolidated(rq))
		hook_call(rq, HOOK_SITE_RT, charged ? HOOK_RT : 0);
}

void hook_dl(struct rq *rq, bool charged, bool grown)
{
	if (is_consolidated(rq)) {
		if (grown)
			hook_call(rq, HOOK_SITE_DL, HOOK_FORCE);
		return;
	}
	/* running_bw came with 4.14, next to the old call. */
	if (charged ? hears_charges(rq) : rq->kernel->spec->version >= KVER(4, 14, 0))
		hook_call(rq, HOOK_SITE_DL, hears_charges(rq) ? HOOK_DL : 0);
}

static bool is_realtime(enum task_class class)
{
	return class == TASK_FIFO || class == TASK_RR;
}

/* What load tracking noticed since the last call is told once. */
static void call_if_decayed(struct rq *rq, enum hook_site site)
{
	if (!rq->pelt.decayed)
		return;
	rq->pelt.decayed = false;
	hook_call(rq, site, 0);
}

static void call_switch(struct rq *rq, const struct last_run *last, const struct task *next)
{
	bool from_rt = last->ran && is_realtime(last->class);

	if (last->governor_thread || next->class == TASK_DEADLINE)
		return;
	if (next->class == TASK_FAIR) {
		if (next->woke_from_io) {
			hook_call(rq, HOOK_SITE_SWITCH, HOOK_IOWAIT | HOOK_FORCE);
			return;
		}
		rq->pelt.decayed |= last->ran && last->class != TASK_FAIR;
		call_if_decayed(rq, HOOK_SITE_SWITCH);
		return;
	}
	if (!from_rt || (rq->kernel->uclamp_used && last->uclamp_min != next->uclamp.min))
		hook_call(rq, HOOK_SITE_SWITCH, HOOK_FORCE);
}

void hook_switch(struct rq *rq, const struct task *next)
{
	struct last_run last = rq->last;

	if (!is_consolidated(rq) || (next && last.task == next))
		return;
	rq->last = (struct last_run){ 0 };
	if (!next)
		return;
	rq->last = (struct last_run){
		.task = next,
		.ran = true,
		.class = next->class,
		.governor_thread = next == &rq->worker && next->class != TASK_FAIR,
		.uclamp_min = next->uclamp.min,
	};
	call_switch(rq, &last, next);
}

void hook_tick(struct rq *rq)
{
	if (is_consolidated(rq) && rq->curr && rq->curr->class == TASK_FAIR)
		call_if_decayed(rq, HOOK_SITE_TICK);
}

void hook_no_preempt(struct rq *rq)
{
	if (!is_consolidated(rq))
		return;
	/* Without the site the next switch or tick still tells. */
	rq->pelt.decayed = true;
	if (!rq->kernel->spec->no_preempt_site)
		hook_call(rq, HOOK_SITE_PREEMPT, HOOK_ENQUEUED);
}

static void pay(struct rq *rq)
{
	struct cpu *cpu = rq->cpu;
	int64_t ns = rq->hook_debt_ns;

	rq->hook_debt_ns = 0;
	if (rq->working) {
		rq->working->held_ns += ns;
		timer_arm(&rq->work_end, rq->work_end.when_ns + ns);
	} else if (cpu->mode == CPU_RUN) {
		cpu_account(cpu);
		cpu->burst->fixed_ns += ns;
		cpu_replan(cpu);
	}
}

void hooks_pay(struct hooks *hooks)
{
	while (hooks->debtors) {
		struct rq *rq = hooks->debtors;

		hooks->debtors = rq->debtor_next;
		pay(rq);
	}
}

struct hook_count hooks_total(const struct hooks *hooks)
{
	struct hook_count total = { 0 };

	for (int i = 0; i < HOOK_SITES; i++) {
		total.calls += hooks->by_site[i].calls;
		total.rate_limited += hooks->by_site[i].rate_limited;
		total.dropped += hooks->by_site[i].dropped;
		total.changes += hooks->by_site[i].changes;
	}
	return total;
}
