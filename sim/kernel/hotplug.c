#include "sim/kernel/hotplug.h"

#include "sim/base/units.h"
#include "sim/kernel/balance.h"
#include "sim/kernel/fair.h"
#include "sim/kernel/placement.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/rt.h"

int64_t hotplug_wait_ns(const struct kernel *kernel, int cpu)
{
	const struct policy *policy = kernel->policy_of_cpu[cpu];

	for (int i = 0; i < policy->nr_cpus; i++) {
		const struct rq *rq = &kernel->rqs[policy->first_cpu + i];

		if (rq->working)
			return max_i64(rq->work_end.when_ns, kernel->engine->now_ns + 1);
	}
	return kernel->rqs[cpu].cpu->frozen ? kernel->rqs[cpu].cpu->frozen_until_ns : 0;
}

/* The first CPU of the same package that the task may run on, else the first of all. */
static struct rq *refuge(struct kernel *kernel, const struct rq *rq, struct task *task)
{
	const struct package *package = rq->cpu->package;

	placement_unbind(kernel, task);
	for (int i = package->first_cpu; i < package->first_cpu + package->nr_cpus; i++)
		if (task_may_run(task, i))
			return &kernel->rqs[i];
	return &kernel->rqs[placement_allowed(kernel, task, 0)];
}

static void evict_fair(struct rq *rq)
{
	struct task *task = fair_evict(rq);
	struct rq *to;

	if (task->eevdf.delayed) {
		task->eevdf.delayed = false;
		rq_pelt_advance(rq, HOOK_SITE_DEQUEUE);
		rq_pelt_delay_ends(&rq->pelt, &task->pelt);
		return;
	}
	to = refuge(rq->kernel, rq, task);
	rq_charge(to);
	balance_move(to, rq, task);
	rq_check_preempt(to, task);
}

static void evict_all(struct rq *rq)
{
	while (rq->urgent)
		rt_evict(rq, refuge(rq->kernel, rq, rq->urgent));
	while (rq->heap)
		evict_fair(rq);
}

static void go_offline(struct kernel *kernel, int cpu)
{
	struct rq *rq = &kernel->rqs[cpu];

	cpumask_clear(&kernel->online, cpu);
	rq_leave_sets(rq);
	cpufreq_cpu_gone(kernel->policy_of_cpu[cpu]);
	if (rq->curr)
		rq_put_curr(rq);
	if (!rq->idle)
		rq_go_idle(rq);
	evict_all(rq);
	idle_timers_move(rq, &kernel->rqs[0]);
	idle_park(rq);
}

static void go_online(struct kernel *kernel, int cpu)
{
	struct rq *rq = &kernel->rqs[cpu];

	cpumask_set(&kernel->online, cpu);
	rq_join_sets(rq);
	/* Nobody asked for the time it was away. */
	rq->idle_from_ns = kernel->engine->now_ns;
	rq_pelt_advance(rq, HOOK_SITE_BLOCKED);
	idle_enter(rq);
	cpufreq_cpu_came(kernel->policy_of_cpu[cpu]);
	rq_resched(rq);
}

void hotplug_set_online(struct kernel *kernel, int cpu, bool online)
{
	if (cpumask_test(&kernel->online, cpu) == online)
		return;
	if (online)
		go_online(kernel, cpu);
	else
		go_offline(kernel, cpu);
}
