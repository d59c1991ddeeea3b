#include "sim/kernel/rt.h"

#include <assert.h>

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/placement.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/step.h"
#include "sim/kernel/version.h"

/* The products of two times are made without their lowest bits. */
#define DL_SCALE 10
/* sched_rt_period_us. */
#define RT_PERIOD_NS NSEC_PER_SEC

bool task_outranks(const struct task *a, const struct task *b)
{
	if (a->class == TASK_DEADLINE)
		return b->class != TASK_DEADLINE || a->dl.deadline_ns < b->dl.deadline_ns;
	if (a->class == TASK_FAIR || b->class == TASK_DEADLINE)
		return false;
	return b->class == TASK_FAIR || a->rt_priority > b->rt_priority;
}

void rt_add(struct rq *rq, struct task *task, bool before)
{
	struct task **link = &rq->urgent;

	while (*link && (before ? task_outranks(*link, task) : !task_outranks(task, *link)))
		link = &(*link)->q_next;
	task->q_next = *link;
	*link = task;
	rq->nr_urgent++;
	rq->kernel->nr_urgent++;
}

struct task *rt_pop(struct rq *rq)
{
	struct task *task = rq->urgent;

	rq->urgent = task->q_next;
	rq->nr_urgent--;
	rq->kernel->nr_urgent--;
	return task;
}

/* Follows __add_running_bw() and __sub_running_bw(). */
static void uncount_bandwidth(struct task *task)
{
	struct rq *rq = task->dl.counted;

	if (!rq)
		return;
	task->dl.counted = NULL;
	rq->dl_bw -= task->dl.bandwidth;
	hook_dl(rq, false, false);
}

static void count_bandwidth(struct rq *rq, struct task *task)
{
	if (task->dl.counted == rq)
		return;
	uncount_bandwidth(task);
	task->dl.counted = rq;
	rq->dl_bw += task->dl.bandwidth;
	hook_dl(rq, false, true);
}

/* What is left of the budget fits the time until the deadline, or a new period begins; follows
 * dl_entity_overflow() and update_dl_entity(). */
static void wake_deadline(struct rq *rq, struct task *task)
{
	int64_t now = rq->kernel->engine->now_ns;
	struct dl_state *dl = &task->dl;

	timer_cancel(&task->dl_timer);
	count_bandwidth(rq, task);
	if (dl->deadline_ns <= now ||
		(dl->period_ns >> DL_SCALE) * (dl->budget_ns >> DL_SCALE) >
			((dl->deadline_ns - now) >> DL_SCALE) * (dl->runtime_ns >> DL_SCALE)) {
		dl->deadline_ns = now + dl->period_ns;
		dl->budget_ns = dl->runtime_ns;
	}
}

void rt_enqueue(struct rq *rq, struct task *task)
{
	if (task->class == TASK_DEADLINE) {
		wake_deadline(rq, task);
	} else {
		rq->nr_rt++;
		hook_rt(rq, false);
	}
	task->state = TASK_RUNNABLE;
	rt_add(rq, task, false);
}

/* The bandwidth of a task that sleeps counts on until what it has used fits its share of the time;
 * follows task_non_contending(). */
static void sleep_deadline(struct rq *rq, struct task *task)
{
	struct dl_state *dl = &task->dl;
	int64_t zero_lag_ns = dl->deadline_ns - dl->budget_ns * dl->period_ns / dl->runtime_ns;

	if (zero_lag_ns <= rq->kernel->engine->now_ns)
		uncount_bandwidth(task);
	else
		timer_arm(&task->dl_timer, zero_lag_ns);
}

void rt_dequeue(struct rq *rq, struct task *task)
{
	if (task->class == TASK_DEADLINE) {
		sleep_deadline(rq, task);
		return;
	}
	rq->nr_rt--;
	hook_rt(rq, false);
}

/* Real-time tasks leave a part of each second to others; follows sched_rt_runtime_exceeded(), which
 * is looked at when time is charged. */
static void charge_share(struct rq *rq, int64_t ns)
{
	int64_t now = rq->kernel->engine->now_ns;

	if (now >= rq->rt_period_ends_ns) {
		rq->rt_used_ns = 0;
		rq->rt_period_ends_ns = (now / RT_PERIOD_NS + 1) * RT_PERIOD_NS;
	}
	rq->rt_used_ns += ns;
	if (rq->rt_throttled || rq->rt_used_ns <= rq->kernel->spec->rt_runtime_us * NSEC_PER_USEC)
		return;
	rq->rt_throttled = true;
	rq->preempt = true;
	timer_arm(&rq->rt_timer, rq->rt_period_ends_ns);
	hook_rt(rq, false);
	rq_resched(rq);
}

static void rt_timer(struct timer *timer)
{
	struct rq *rq = container_of(timer, struct rq, rt_timer);

	if (rq->cpu->frozen) {
		timer_arm(timer, rq->cpu->frozen_until_ns);
		return;
	}
	rq->rt_throttled = false;
	rq_note_idle(rq);
	if (!rq->urgent)
		return;
	hook_rt(rq, false);
	rq_check_preempt(rq, rq->urgent);
}

void rt_init(struct rq *rq)
{
	timer_init(rq->kernel->engine, &rq->rt_timer, ORDER_WAKE, rt_timer);
}

bool rt_may_not_run(const struct rq *rq)
{
	const struct task *curr = rq->curr;

	return rt_is_throttled(curr) ||
		(rq->rt_throttled && (curr->class == TASK_FIFO || curr->class == TASK_RR));
}

void rt_charge(struct rq *rq, struct task *task, int64_t ns)
{
	if (task->class == TASK_DEADLINE) {
		task->dl.budget_ns -= ns;
		hook_dl(rq, true, false);
	} else {
		hook_rt(rq, true);
		charge_share(rq, ns);
	}
}

bool rt_is_throttled(const struct task *task)
{
	return task->class == TASK_DEADLINE && task->dl.budget_ns <= 0;
}

bool rt_turn_is_over(const struct rq *rq)
{
	const struct task *task = rq->curr;

	if (task->class == TASK_RR)
		return task->slice_ns >= RR_SLICE_NS && rq->urgent &&
			!task_outranks(task, rq->urgent);
	return rt_is_throttled(task);
}

void rt_throttle(struct rq *rq, struct task *task)
{
	task->state = TASK_THROTTLED;
	timer_arm(&task->dl_timer, max_i64(task->dl.deadline_ns, rq->kernel->engine->now_ns));
}

/* A throttled task gets its next budget; follows replenish_dl_entity(). */
static void replenish(struct task *task)
{
	struct dl_state *dl = &task->dl;

	while (dl->budget_ns <= 0) {
		dl->deadline_ns += dl->period_ns;
		dl->budget_ns += dl->runtime_ns;
	}
	task_unthrottle(task);
}

static void dl_timer(struct timer *timer)
{
	struct task *task = container_of(timer, struct task, dl_timer);
	struct rq *rq = &task->kernel->rqs[task->cpu];

	if (rq->cpu->frozen)
		timer_arm(timer, rq->cpu->frozen_until_ns);
	else if (task->state == TASK_THROTTLED)
		replenish(task);
	else
		uncount_bandwidth(task);
}

bool rt_admits(const struct kernel *kernel, const struct cpumask *online)
{
	uint64_t share = dl_bandwidth(
		RT_PERIOD_NS, (uint64_t)(kernel->spec->rt_runtime_us * NSEC_PER_USEC));
	uint64_t capacity = 0;

	for (int i = 0; i < kernel->machine->nr_cpus; i++) {
		if (!cpumask_test(online, i))
			continue;
		capacity += kernel->spec->version < KVER(5, 9, 0)
			? CAPACITY_SCALE
			: (uint64_t)kernel->machine->cpus[i].capacity;
	}
	return kernel->dl_reserved <= share * capacity / CAPACITY_SCALE;
}

void rt_forget(struct task *task)
{
	timer_cancel(&task->dl_timer);
	uncount_bandwidth(task);
}

void rt_timer_init(struct kernel *kernel, struct task *task)
{
	timer_init(kernel->engine, &task->dl_timer, ORDER_WAKE, dl_timer);
}

/* Nothing here is as urgent. A kernel worker at its work holds a lock and gives way to nobody. */
static bool would_run(const struct rq *rq, const struct task *task)
{
	return !rq->working && (!rq->curr || task_outranks(task, rq->curr)) &&
		(!rq_urgent(rq) || task_outranks(task, rq_urgent(rq))) &&
		(!rq->rt_throttled || task->class == TASK_DEADLINE);
}

int rt_select_cpu(struct kernel *kernel, struct task *task)
{
	int idle, last = task->cpu;

	placement_unbind(kernel, task);
	if (task_may_run(task, last) && would_run(&kernel->rqs[last], task))
		return last;
	idle = placement_idle_near(kernel, task, last);
	if (idle >= 0)
		return idle;
	for (int i = 1; i < kernel->machine->nr_cpus; i++) {
		int cpu = (last + i) % kernel->machine->nr_cpus;

		if (task_may_run(task, cpu) && would_run(&kernel->rqs[cpu], task))
			return cpu;
	}
	return placement_allowed(kernel, task, last);
}

static bool is_about_to_run(const struct rq *rq)
{
	const struct task *first = rq_urgent(rq);

	return first && !rq->working && !rq->cpu->frozen &&
		(!rq->curr || task_outranks(first, rq->curr));
}

/* A task that waits, and is on no list now, goes to another CPU's. */
static void move(struct rq *rq, struct rq *from, struct task *task)
{
	struct kernel *kernel = rq->kernel;

	if (kernel->uclamp_used) {
		uclamp_rq_remove(&from->uclamp, &task->uclamp);
		uclamp_rq_add(&rq->uclamp, &task->uclamp);
	}
	if (task->class == TASK_DEADLINE) {
		count_bandwidth(rq, task);
	} else {
		from->nr_rt--;
		rq->nr_rt++;
	}
	task->cpu = rq->cpu->id;
	kernel->migrations++;
	rt_add(rq, task, false);
	rq_note_idle(from);
	rq_note_idle(rq);
}

void rt_pull(struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	struct task **best = NULL;
	struct rq *from = NULL;

	if (kernel->nr_urgent == rq->nr_urgent)
		return;
	for (int i = 0; i < kernel->machine->nr_cpus; i++) {
		struct task **link = &kernel->rqs[i].urgent;

		if (&kernel->rqs[i] == rq)
			continue;
		/* The first may be about to run there. */
		if (*link && is_about_to_run(&kernel->rqs[i]))
			link = &(*link)->q_next;
		while (*link && !task_may_run(*link, rq->cpu->id))
			link = &(*link)->q_next;
		if (*link && (!best || task_outranks(*link, *best))) {
			best = link;
			from = &kernel->rqs[i];
		}
	}
	if (!best || (rq_urgent(rq) && !task_outranks(*best, rq_urgent(rq))) ||
		(rq->rt_throttled && (*best)->class != TASK_DEADLINE))
		return;
	struct task *task = *best;
	*best = task->q_next;
	from->nr_urgent--;
	kernel->nr_urgent--;
	move(rq, from, task);
}

void rt_evict(struct rq *from, struct rq *to)
{
	struct task *task = rt_pop(from);

	move(to, from, task);
	rq_check_preempt(to, task);
}
