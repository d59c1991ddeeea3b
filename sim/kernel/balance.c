#include "sim/kernel/balance.h"

#include "sim/base/units.h"
#include "sim/kernel/fair.h"
#include "sim/kernel/placement.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/version.h"

/* A busy CPU balances this many times less often than an idle one; sched_domain.busy_factor of 5.10
 * and later. */
#define BUSY_FACTOR 16

/* Tasks that another CPU may take: one is the CPU's own; it runs, is about to, or waits, cache-hot,
 * for a kernel worker to end. */
static int spare_tasks(const struct rq *rq)
{
	return rq->nr_waiting - (rq->curr ? 0 : 1);
}

/* The first CPU of a level in from .. end - 1 that has a task to spare; -1: none. */
static int first_to_spare(const struct rq *rq, int level, int from, int end)
{
	const struct kernel *kernel = rq->kernel;
	const struct cpumask *waiting = &kernel->waiting[level];
	int cpu = cpumask_next(waiting, NULL, from, end);

	while (cpu >= 0 && (cpu == rq->cpu->id || spare_tasks(&kernel->rqs[cpu]) <= 0))
		cpu = cpumask_next(waiting, NULL, cpu + 1, end);
	return cpu;
}

/* Of all queues too long for a level of their own the longest; of equals one of the own package. */
static struct rq *longest(const struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	int level = WAITING_LEVELS - 1, nr = kernel->machine->nr_cpus;
	struct rq *busiest = NULL;

	for (int i = first_to_spare(rq, level, 0, nr); i >= 0;
		i = first_to_spare(rq, level, i + 1, nr)) {
		struct rq *other = &kernel->rqs[i];

		if (!busiest || other->nr_waiting > busiest->nr_waiting ||
			(other->nr_waiting == busiest->nr_waiting &&
				other->cpu->package == rq->cpu->package &&
				busiest->cpu->package != rq->cpu->package))
			busiest = other;
	}
	return busiest;
}

static struct rq *busiest_for(const struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	const struct package *package = rq->cpu->package;
	struct rq *busiest = kernel->nr_at_level[WAITING_LEVELS - 1] ? longest(rq) : NULL;

	for (int level = WAITING_LEVELS - 2; level >= 0 && !busiest; level--) {
		int cpu;

		if (!kernel->nr_at_level[level])
			continue;
		cpu = first_to_spare(
			rq, level, package->first_cpu, package->first_cpu + package->nr_cpus);
		if (cpu < 0)
			cpu = first_to_spare(rq, level, 0, kernel->machine->nr_cpus);
		if (cpu >= 0)
			busiest = &kernel->rqs[cpu];
	}
	return busiest;
}

void balance_move(struct rq *rq, struct rq *from, struct task *task)
{
	struct kernel *kernel = rq->kernel;

	if (kernel->uclamp_used) {
		uclamp_rq_remove(&from->uclamp, &task->uclamp);
		uclamp_rq_add(&rq->uclamp, &task->uclamp);
	}
	if (!kernel->spec->remote_hook)
		kernel->executing = rq;
	rq_pelt_advance(from, HOOK_SITE_DEQUEUE);
	rq_pelt_leave(&from->pelt, &task->pelt);
	rq_pelt_advance(rq, HOOK_SITE_ENQUEUE);
	rq_pelt_join(&rq->pelt, &task->pelt);
	kernel->executing = NULL;
	fair_move(task, from, rq);
	fair_place(rq, task, FAIR_MOVED);
	task->cpu = rq->cpu->id;
	kernel->migrations++;
	fair_add(rq, task);
	rq_note_idle(from);
	rq_note_idle(rq);
}

static void pull(struct rq *rq, struct rq *from)
{
	struct task *task = fair_pop_for(from, rq->cpu->id);

	if (task)
		balance_move(rq, from, task);
}

/* Linux 6.19 looks as often as that has helped ("sched/fair: Proportional newidle balance"), and so
 * do the stable releases that have it. */
static bool is_proportional(unsigned version)
{
	return version >= KVER(6, 18, 5) ||
		(version >= KVER(6, 12, 65) && version < KVER(6, 13, 0));
}

void balance_init(struct newidle *newidle, uint32_t ratio)
{
	newidle->ratio = ratio;
	newidle->calls = NEWIDLE_CALLS / 2;
	newidle->successes = ratio / 2;
}

/* Follows update_newidle_stats(). */
static void count_look(struct newidle *newidle, uint32_t success)
{
	newidle->calls++;
	newidle->successes += success;
	if (newidle->calls < NEWIDLE_CALLS)
		return;
	newidle->ratio = newidle->successes;
	newidle->calls /= 2;
	newidle->successes /= 2;
}

/* A die decides whether a CPU about to idle looks; who looks although that is rare counts for as
 * many. Follows sched_balance_newidle(), of one domain. */
static void pull_by_chance(struct rq *rq, struct rq *from)
{
	struct newidle *newidle = &rq->newidle;
	uint32_t weight = 1 + newidle->ratio;
	int64_t before = rq->kernel->migrations;

	if (rng_below(&newidle->rng, NEWIDLE_CALLS) > weight) {
		count_look(newidle, 0);
		return;
	}
	pull(rq, from);
	count_look(newidle,
		rq->kernel->migrations > before ? (NEWIDLE_CALLS + weight / 2) / weight : 0);
}

void balance_new_idle(struct rq *rq)
{
	struct rq *from;

	if (rq->kernel->nr_waiting == 0)
		return;
	from = busiest_for(rq);
	if (!from)
		return;
	/* One that idles already has been told to look. */
	if (rq->idle || !is_proportional((unsigned)rq->kernel->spec->version))
		pull(rq, from);
	else
		pull_by_chance(rq, from);
}

/* Milliseconds as the CPUs of the domain are many; follows get_sd_balance_interval(). */
static int64_t busy_interval_ns(const struct rq *rq)
{
	return rq->cpu->package->nr_cpus * BUSY_FACTOR * NSEC_PER_MSEC;
}

static int nr_fair(const struct rq *rq)
{
	return rq->nr_waiting + (rq->curr && rq->curr->class == TASK_FAIR);
}

void balance_tick(struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	int64_t now = kernel->engine->now_ns;
	struct rq *from;
	int idle;

	if (kernel->spec->balance != BALANCE_PERIODIC || kernel->nr_waiting == 0)
		return;
	if (spare_tasks(rq) > 0) {
		idle = placement_idle_near(kernel, rq->heap, rq->cpu->id);
		if (idle >= 0)
			rq_resched(&kernel->rqs[idle]);
	}
	if (now < rq->balance_next_ns)
		return;
	rq->balance_next_ns = now + busy_interval_ns(rq);
	from = busiest_for(rq);
	if (from && nr_fair(from) >= nr_fair(rq) + 2)
		pull(rq, from);
}
