#include "sim/kernel/fair.h"

#include "sim/base/units.h"
#include "sim/kernel/eevdf.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/task_heap.h"
#include "sim/kernel/version.h"

static const struct fair_rules all_rules[] = {
	{ KVER(6, 15, 0), true, true, true, true, 700 * NSEC_PER_USEC },
	{ KVER(6, 12, 0), true, true, true, true, 750 * NSEC_PER_USEC },
	{ KVER(6, 6, 0), true, false, false, false, 750 * NSEC_PER_USEC },
	{ .since = 0 },
};

const struct fair_rules *fair_rules(unsigned version)
{
	const struct fair_rules *rules = all_rules;

	while (version < rules->since)
		rules++;
	return rules;
}

static bool is_eevdf(const struct rq *rq)
{
	return rq->kernel->fair->eevdf;
}

int64_t fair_scale(const struct kernel *kernel)
{
	int cpus = kernel->nr_online, factor = 1;

	for (int n = 2; n <= cpus && n <= 8; n *= 2)
		factor++;
	return factor;
}

static int64_t sched_latency_ns(const struct kernel *kernel)
{
	return 6 * NSEC_PER_MSEC * fair_scale(kernel);
}

/* A turn of a task before 6.6: its share, by weight, of the period in which everybody has one. */
static int64_t slice_ns(const struct rq *rq, const struct task *task)
{
	int64_t nr = rq->nr_waiting + 1;
	int64_t least = 750 * NSEC_PER_USEC * fair_scale(rq->kernel);
	int64_t period = max_i64(sched_latency_ns(rq->kernel), nr * least);

	return period * task->weight / (rq->waiting_weight + task->weight);
}

void fair_place(struct rq *rq, struct task *task, enum fair_arrival arrival)
{
	if (is_eevdf(rq)) {
		eevdf_place(rq, task, arrival);
		return;
	}
	switch (arrival) {
	case FAIR_NEW:
		/* It starts one slice behind. */
		task->vruntime_ns = rq->min_vruntime_ns +
			slice_ns(rq, task) * CAPACITY_SCALE / task->weight;
		break;
	case FAIR_WOKEN:
		/* It gets half a period of credit. */
		task->vruntime_ns = max_i64(
			task->vruntime_ns, rq->min_vruntime_ns - sched_latency_ns(rq->kernel) / 2);
		break;
	case FAIR_MOVED:
		break;
	}
}

void fair_leave(struct rq *rq, struct task *task)
{
	if (is_eevdf(rq))
		eevdf_leave(rq, task);
}

void fair_move(struct task *task, const struct rq *old, const struct rq *rq)
{
	if (!is_eevdf(rq))
		task->vruntime_ns += rq->min_vruntime_ns - old->min_vruntime_ns;
}

static int level_of(const struct rq *rq)
{
	return (int)min_i64(rq->nr_waiting, WAITING_LEVELS) - 1;
}

/* The sets of CPUs where tasks wait; @in: the queue is as long as now, else it was. */
static void note_waiting(struct rq *rq, bool in)
{
	struct kernel *kernel = rq->kernel;
	int level = level_of(rq);

	if (level < 0)
		return;
	cpumask_assign(&kernel->waiting[level], rq->cpu->id, in);
	kernel->nr_at_level[level] += in ? 1 : -1;
}

/* What is in the heap; @change is 1 or -1. */
static void count_weight(struct rq *rq, const struct task *task, int change)
{
	rq->waiting_weight += change * (int64_t)task->weight;
	if (is_eevdf(rq))
		rq->waiting_vruntime += change * (task->vruntime_ns - rq->min_vruntime_ns) *
			task->weight;
}

/* Of that, who wants to run. */
static void count_waiting(struct rq *rq, int change)
{
	note_waiting(rq, false);
	rq->nr_waiting += change;
	rq->kernel->nr_waiting += change;
	note_waiting(rq, true);
}

static void count(struct rq *rq, const struct task *task, int change)
{
	count_weight(rq, task, change);
	if (task->eevdf.delayed)
		rq->nr_delayed += change;
	else
		count_waiting(rq, change);
}

void fair_add(struct rq *rq, struct task *task)
{
	task->order_ns = task->vruntime_ns;
	if (is_eevdf(rq)) {
		eevdf_renew(rq, task);
		task->order_ns = task->eevdf.deadline_ns;
	}
	task_heap_add(&rq->heap, task);
	count(rq, task, 1);
}

/* What is asked of a task that is looked for. */
struct wanted {
	const struct rq *rq;
	struct eevdf_sum sum; /* eligible by it */
	int cpu;              /* allowed there; -1: need not be */
	bool awake;           /* and not asleep in all but name */
};

static bool is_wanted(const struct wanted *wanted, const struct task *task)
{
	if (wanted->awake && task->eevdf.delayed)
		return false;
	if (wanted->cpu >= 0)
		return task_may_run(task, wanted->cpu);
	return eevdf_is_eligible(wanted->rq, &wanted->sum, task);
}

/* Takes the first wanted task out of the heap; NULL: none is there. */
static struct task *take(struct rq *rq, const struct wanted *wanted)
{
	struct task *others = NULL, *task = NULL;

	while (rq->heap && !task) {
		struct task *first = task_heap_pop(&rq->heap);

		if (is_wanted(wanted, first)) {
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
	return task;
}

/* Of the tasks that wait the first eligible one, which goes on waiting; NULL: none is eligible. */
static struct task *first_eligible(struct rq *rq)
{
	const struct wanted wanted = { rq, eevdf_sum(rq), -1, false };
	struct task *task = rq->heap;

	if (!task || is_wanted(&wanted, task))
		return task;
	task = take(rq, &wanted);
	if (task)
		task_heap_add(&rq->heap, task);
	return task;
}

struct task *fair_pop(struct rq *rq)
{
	struct task *task = NULL;

	if (is_eevdf(rq)) {
		/* Who sleeps has been let go; one may still have the same deadline as the first. */
		const struct wanted wanted = { rq, eevdf_sum(rq), -1, true };

		task = take(rq, &wanted);
	}
	/* None is eligible when only a kworker is, which has been passed over. */
	if (!task)
		task = task_heap_pop(&rq->heap);
	task->eevdf.picked_deadline_ns = task->eevdf.deadline_ns;
	count(rq, task, -1);
	return task;
}

bool fair_delays(const struct rq *rq, const struct task *task)
{
	struct eevdf_sum sum;

	if (!rq->kernel->fair->delays_sleep)
		return false;
	sum = eevdf_sum(rq);
	return !eevdf_is_eligible(rq, &sum, task);
}

struct task *fair_pop_asleep(struct rq *rq)
{
	struct task *task = rq->nr_delayed > 0 ? first_eligible(rq) : NULL;

	if (!task || !task->eevdf.delayed)
		return NULL;
	eevdf_leave(rq, task);
	task->eevdf.lag_ns = min_i64(task->eevdf.lag_ns, 0);
	task_heap_remove(&rq->heap, task);
	count(rq, task, -1);
	task->eevdf.delayed = false;
	return task;
}

void fair_requeue(struct rq *rq, struct task *task)
{
	eevdf_leave(rq, task);
	rq->nr_delayed--;
	task->eevdf.delayed = false;
	if (task->eevdf.lag_ns > 0) {
		/* It has waited long enough to be owed time, which it gets no credit for. */
		task_heap_remove(&rq->heap, task);
		count_weight(rq, task, -1);
		task->eevdf.lag_ns = 0;
		eevdf_place(rq, task, FAIR_WOKEN);
		task->order_ns = task->eevdf.deadline_ns;
		task_heap_add(&rq->heap, task);
		count_weight(rq, task, 1);
	}
	count_waiting(rq, 1);
}

struct task *fair_evict(struct rq *rq)
{
	struct task *task = rq->heap;

	fair_leave(rq, task);
	task_heap_pop(&rq->heap);
	count(rq, task, -1);
	return task;
}

struct task *fair_pop_for(struct rq *rq, int cpu)
{
	const struct wanted wanted = { .rq = rq, .cpu = cpu, .awake = true };
	struct task *task = take(rq, &wanted);

	if (!task)
		return NULL;
	fair_leave(rq, task);
	count(rq, task, -1);
	return task;
}

bool fair_preempts(struct rq *rq, const struct task *task)
{
	int64_t granularity_ns = NSEC_PER_MSEC * fair_scale(rq->kernel);

	if (is_eevdf(rq))
		return eevdf_preempts(rq, task, first_eligible(rq));
	return rq->curr->vruntime_ns - task->vruntime_ns >
		granularity_ns * CAPACITY_SCALE / task->weight;
}

bool fair_goes_first(struct rq *rq, const struct task *task)
{
	struct eevdf_sum sum;
	const struct task *first;

	if (!rq->heap)
		return true;
	if (!is_eevdf(rq))
		return task->vruntime_ns <= rq->heap->vruntime_ns;
	sum = eevdf_sum(rq);
	first = first_eligible(rq);
	return !first ||
		(eevdf_is_eligible(rq, &sum, task) &&
			task->eevdf.deadline_ns <= first->eevdf.deadline_ns);
}

bool fair_turn_is_over(struct rq *rq)
{
	struct task *curr = rq->curr;

	return is_eevdf(rq) ? eevdf_renew(rq, curr) : curr->slice_ns >= slice_ns(rq, curr);
}

void fair_charge(struct rq *rq, struct task *task, int64_t ns)
{
	task->vruntime_ns += ns * CAPACITY_SCALE / task->weight;
	if (task->weight < CAPACITY_SCALE)
		rq->nice_ns += ns;
	if (!is_eevdf(rq))
		fair_update_min(rq);
}

void fair_update_min(struct rq *rq)
{
	const struct task *first = rq->heap, *curr = rq->curr;

	if (is_eevdf(rq)) {
		eevdf_recentre(rq);
		return;
	}
	if (curr && curr->class == TASK_FAIR && (!first || curr->vruntime_ns < first->vruntime_ns))
		first = curr;
	if (first)
		rq->min_vruntime_ns = max_i64(rq->min_vruntime_ns, first->vruntime_ns);
}
