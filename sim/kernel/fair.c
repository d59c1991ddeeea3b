#include "sim/kernel/fair.h"

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/task_heap.h"

/* Linux scales these with the CPU count: 1 + log2 of at most 8 CPUs (sched_tunable_scaling). */
static int64_t scale_factor(const struct kernel *kernel)
{
	int cpus = kernel->machine->nr_cpus, factor = 1;

	for (int n = 2; n <= cpus && n <= 8; n *= 2)
		factor++;
	return factor;
}

static int64_t sched_latency_ns(const struct kernel *kernel)
{
	return 6 * NSEC_PER_MSEC * scale_factor(kernel);
}

int64_t fair_slice_ns(const struct rq *rq, const struct task *task)
{
	int64_t nr = rq->nr_waiting + 1;
	int64_t least = 750 * NSEC_PER_USEC * scale_factor(rq->kernel);
	int64_t period = max_i64(sched_latency_ns(rq->kernel), nr * least);

	return period * task->weight / (rq->waiting_weight + task->weight);
}

void fair_place_new(const struct rq *rq, struct task *task)
{
	/* It starts one slice behind. */
	task->vruntime_ns = rq->min_vruntime_ns +
		fair_slice_ns(rq, task) * CAPACITY_SCALE / task->weight;
}

void fair_place_sleeper(const struct rq *rq, struct task *task)
{
	/* It gets half a period of credit. */
	task->vruntime_ns = max_i64(
		task->vruntime_ns, rq->min_vruntime_ns - sched_latency_ns(rq->kernel) / 2);
}

bool fair_preempts(const struct rq *rq, const struct task *task)
{
	int64_t granularity_ns = NSEC_PER_MSEC * scale_factor(rq->kernel);

	return rq->curr->vruntime_ns - task->vruntime_ns >
		granularity_ns * CAPACITY_SCALE / task->weight;
}

/* Whether there is a waiting task that another CPU may take: one is the CPU's own; it runs, is
 * about to, or waits, cache-hot, for a kernel worker to end. */
static void note_overload(struct rq *rq)
{
	cpumask_assign(&rq->kernel->overloaded, rq->cpu->id, rq->nr_waiting > 0);
}

void fair_add(struct rq *rq, struct task *task)
{
	task_heap_add(&rq->heap, task);
	rq->nr_waiting++;
	rq->waiting_weight += task->weight;
	rq->kernel->nr_waiting++;
	note_overload(rq);
}

static void forget(struct rq *rq, const struct task *task)
{
	rq->nr_waiting--;
	rq->waiting_weight -= task->weight;
	rq->kernel->nr_waiting--;
	note_overload(rq);
}

struct task *fair_pop(struct rq *rq)
{
	struct task *task = task_heap_pop(&rq->heap);

	forget(rq, task);
	return task;
}

struct task *fair_pop_for(struct rq *rq, int cpu)
{
	struct task *others = NULL, *task = NULL;

	while (rq->heap && !task) {
		struct task *first = task_heap_pop(&rq->heap);

		if (task_may_run(first, cpu)) {
			task = first;
		} else {
			first->q_next = others;
			others = first;
		}
	}
	while (others) {
		struct task *next = others->q_next;

		task_heap_add(&rq->heap, others);
		others = next;
	}
	if (task)
		forget(rq, task);
	return task;
}

void fair_charge(struct rq *rq, struct task *task, int64_t ns)
{
	task->vruntime_ns += ns * CAPACITY_SCALE / task->weight;
	if (task->weight < CAPACITY_SCALE)
		rq->nice_ns += ns;
	fair_update_min(rq);
}

void fair_update_min(struct rq *rq)
{
	const struct task *first = rq->heap, *curr = rq->curr;

	if (curr && curr->class == TASK_FAIR && (!first || curr->vruntime_ns < first->vruntime_ns))
		first = curr;
	if (first)
		rq->min_vruntime_ns = max_i64(rq->min_vruntime_ns, first->vruntime_ns);
}
