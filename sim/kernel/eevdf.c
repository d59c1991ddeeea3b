#include "sim/kernel/eevdf.h"

#include "sim/base/units.h"
#include "sim/kernel/rq.h"

static void sum_add(struct eevdf_sum *sum, const struct rq *rq, const struct task *task)
{
	sum->vruntime += (task->vruntime_ns - rq->min_vruntime_ns) * task->weight;
	sum->weight += task->weight;
}

static bool is_queued(const struct task *worker)
{
	return worker->class == TASK_FAIR && worker->state != TASK_SLEEPING;
}

struct eevdf_sum eevdf_sum(const struct rq *rq)
{
	struct eevdf_sum sum = { rq->waiting_vruntime, rq->waiting_weight };

	if (rq->curr && rq->curr->class == TASK_FAIR)
		sum_add(&sum, rq, rq->curr);
	if (is_queued(&rq->worker))
		sum_add(&sum, rq, &rq->worker);
	return sum;
}

/* Rounded down on both sides of zero, as avg_vruntime() does. */
static int64_t average_ns(const struct rq *rq, const struct eevdf_sum *sum)
{
	int64_t above = sum->vruntime;

	if (sum->weight == 0)
		return rq->min_vruntime_ns;
	if (above < 0)
		above -= sum->weight - 1;
	return rq->min_vruntime_ns + above / sum->weight;
}

bool eevdf_is_eligible(const struct rq *rq, const struct eevdf_sum *sum, const struct task *task)
{
	return sum->vruntime >= (task->vruntime_ns - rq->min_vruntime_ns) * sum->weight;
}

void eevdf_recentre(struct rq *rq)
{
	struct eevdf_sum sum = eevdf_sum(rq);
	int64_t average = average_ns(rq, &sum);

	rq->waiting_vruntime -= (average - rq->min_vruntime_ns) * rq->waiting_weight;
	rq->min_vruntime_ns = average;
}

int64_t eevdf_slice_ns(const struct rq *rq)
{
	return rq->kernel->fair->base_slice_ns * fair_scale(rq->kernel);
}

/* CPU time in the task's virtual time. */
static int64_t virtual_ns(const struct task *task, int64_t ns)
{
	return ns * CAPACITY_SCALE / task->weight;
}

void eevdf_place(struct rq *rq, struct task *task, enum fair_arrival arrival)
{
	const struct fair_rules *rules = rq->kernel->fair;
	struct eevdf_sum sum = eevdf_sum(rq);
	int64_t turn_ns = virtual_ns(task, eevdf_slice_ns(rq)), lag_ns = 0;

	/* The task itself will move the average: its lag is stretched to stay what it was. */
	if (sum.weight > 0)
		lag_ns = task->eevdf.lag_ns * (sum.weight + task->weight) / sum.weight;
	task->vruntime_ns = average_ns(rq, &sum) - lag_ns;
	if (arrival == FAIR_MOVED && rules->keeps_deadline)
		turn_ns = task->eevdf.left_ns;
	else if (arrival == FAIR_NEW && rules->half_first_turn)
		turn_ns /= 2;
	task->eevdf.deadline_ns = task->vruntime_ns + turn_ns;
}

void eevdf_leave(struct rq *rq, struct task *task)
{
	struct eevdf_sum sum;
	int64_t limit_ns, lag_ns;

	rq_charge(rq);
	sum = eevdf_sum(rq);
	limit_ns = virtual_ns(task, max_i64(2 * eevdf_slice_ns(rq), rq->kernel->tick_ns));
	lag_ns = average_ns(rq, &sum) - task->vruntime_ns;
	task->eevdf.lag_ns = max_i64(min_i64(lag_ns, limit_ns), -limit_ns);
	task->eevdf.left_ns = task->eevdf.deadline_ns - task->vruntime_ns;
}

bool eevdf_preempts(const struct rq *rq, const struct task *task, const struct task *first)
{
	const struct task *curr = rq->curr;
	struct eevdf_sum sum = eevdf_sum(rq);

	if (!eevdf_is_eligible(rq, &sum, task))
		return false;
	if (eevdf_is_eligible(rq, &sum, curr) &&
		(curr->eevdf.picked_deadline_ns == curr->eevdf.deadline_ns ||
			curr->eevdf.deadline_ns < task->eevdf.deadline_ns))
		return false;
	return !first || first == task || task->eevdf.deadline_ns < first->eevdf.deadline_ns;
}

bool eevdf_renew(const struct rq *rq, struct task *task)
{
	if (task->vruntime_ns < task->eevdf.deadline_ns)
		return false;
	task->eevdf.deadline_ns = task->vruntime_ns + virtual_ns(task, eevdf_slice_ns(rq));
	return true;
}
