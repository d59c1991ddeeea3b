#include "sim/kernel/step.h"

#include <assert.h>

#include "sim/base/units.h"
#include "sim/kernel/fair.h"
#include "sim/kernel/cputime.h"
#include "sim/kernel/placement.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/rt.h"
#include "sim/workload.h"

/* Steps without any time between two bursts: more than this is a workload that never ends. */
#define STEPS_AT_ONCE_MAX 10000000

/* Timers of an offline CPU run on the one that took it off (hrtimers_cpu_dying()). */
static struct rq *online_rq(struct kernel *kernel, int cpu)
{
	return &kernel->rqs[cpumask_test(&kernel->online, cpu) ? cpu : 0];
}

static void wake_timer(struct timer *timer)
{
	struct task *task = container_of(timer, struct task, wake);
	struct rq *by = online_rq(task->kernel, task->cpu);

	/* The interrupt is served when the CPU runs again. */
	if (by->cpu->frozen) {
		timer_arm(timer, by->cpu->frozen_until_ns);
		return;
	}
	TRACEPOINT(task->kernel, .kind = TRACEPOINT_WAKING, .cpu = by->cpu->id, .task = task,
		.target_cpu = task->cpu);
	task_wake(task, by, WAKE_PLAIN);
}

/* @by's CPU puts the task on @rq. A wake-up in another package is only announced there, and done by
 * the CPU itself; follows ttwu_queue_cond(). */
static void enqueue_by(struct rq *by, struct rq *rq, struct task *task, enum enqueue_reason reason)
{
	struct kernel *kernel = rq->kernel;

	rq->idling.by_other = by != rq;
	rq->idling.by_fork = reason == ENQUEUE_FORK;
	if (by != rq && (reason == ENQUEUE_FORK || by->cpu->package == rq->cpu->package) &&
		!kernel->spec->remote_hook)
		kernel->executing = by;
	rq_enqueue(rq, task, reason);
	kernel->executing = NULL;
}

void task_timer_init(struct kernel *kernel, struct task *task)
{
	timer_init(kernel->engine, &task->wake, ORDER_WAKE, wake_timer);
}

void task_wake(struct task *task, struct rq *by, enum wake_kind kind)
{
	struct kernel *kernel = task->kernel;
	struct rq *old = &kernel->rqs[task->cpu];
	/* Who has not left its queue yet wakes there (ttwu_runnable()). */
	int cpu = task->eevdf.delayed ? task->cpu : placement_wake(kernel, task, by, kind);
	struct rq *rq = &kernel->rqs[cpu];
	enum enqueue_reason reason = ENQUEUE_WAKE;

	idle_timer_del(task);
	if (task->state == TASK_IOWAIT) {
		reason = ENQUEUE_IO;
		if (old->idle)
			cputime_idle_passed(old);
		old->nr_iowait--;
	}
	if (cpu != task->cpu) {
		rq_pelt_remove(&old->pelt, &task->pelt);
		fair_move(task, old, rq);
		task->cpu = cpu;
		kernel->migrations++;
	}
	kernel->wakeups++;
	task->woken_ns = kernel->engine->now_ns;
	TRACEPOINT(kernel, .kind = TRACEPOINT_WAKEUP, .cpu = by->cpu->id, .task = task,
		.target_cpu = cpu);
	enqueue_by(by, rq, task, reason);
}

void task_unthrottle(struct task *task)
{
	task->cpu = rt_select_cpu(task->kernel, task);
	rq_enqueue(&task->kernel->rqs[task->cpu], task, ENQUEUE_WAKE);
}

static void task_spawn(struct task *parent, struct task *child)
{
	struct kernel *kernel = parent->kernel;

	assert(child->state == TASK_NEW);
	child->pinned = child->pinned && cpumask_test(child->ctx->cpuset, child->cpu);
	if (!child->pinned)
		child->cpu = parent->cpu;
	child->cpu = placement_fork(kernel, child);
	kernel->forks++;
	child->woken_ns = kernel->engine->now_ns;
	child->leading = child->leading && !child->ctx->beside;
	if (child->leading)
		kernel->leading++;
	TRACEPOINT(kernel, .kind = TRACEPOINT_FORK, .cpu = parent->cpu, .task = child,
		.other = parent, .target_cpu = child->cpu);
	enqueue_by(&kernel->rqs[parent->cpu], &kernel->rqs[child->cpu], child, ENQUEUE_FORK);
}

static void task_sleep(struct task *task, enum task_state state, int64_t until_ns, int move_cpu)
{
	struct rq *rq = &task->kernel->rqs[task->cpu];

	task->state = state;
	if (state == TASK_IOWAIT)
		rq->nr_iowait++;
	rq_block(rq, move_cpu >= 0);
	timer_arm(&task->wake, until_ns);
	if (move_cpu >= 0)
		task->cpu = move_cpu;
	if (state == TASK_SLEEPING)
		idle_timer_add(online_rq(task->kernel, task->cpu), task);
}

static void channel_post(struct channel *channel, const struct task *by, enum wake_kind kind)
{
	struct task *task = channel->first;

	if (!task) {
		channel->tokens++;
		return;
	}
	channel->first = task->wait_next;
	if (!channel->first)
		channel->last = NULL;
	TRACEPOINT(by->kernel, .kind = TRACEPOINT_WAKING, .cpu = by->cpu, .task = task, .other = by,
		.target_cpu = task->cpu, .value = kind);
	task_wake(task, &by->kernel->rqs[by->cpu], kind);
}

/* True when there was a token to take. */
static bool channel_take(struct channel *channel, struct task *task)
{
	if (channel->tokens > 0) {
		channel->tokens--;
		return true;
	}
	task->wait_next = NULL;
	if (channel->last)
		channel->last->wait_next = task;
	else
		channel->first = task;
	channel->last = task;
	return false;
}

static void task_exit(struct task *task)
{
	struct kernel *kernel = task->kernel;

	TRACEPOINT(kernel, .kind = TRACEPOINT_EXIT, .cpu = task->cpu, .task = task);
	rq_block(&kernel->rqs[task->cpu], true);
	/* Its load goes at the queue's next update; follows task_dead_fair(). */
	if (task->class == TASK_FAIR)
		rq_pelt_remove(&kernel->rqs[task->cpu].pelt, &task->pelt);
	rt_forget(task);
	cputime_exit(task);
	if (task->leading && --kernel->leading == 0)
		kernel->engine->stop = true;
	task->state = TASK_FREE;
	task->wait_next = task->ctx->pool;
	task->ctx->pool = task;
}

/* One step that may end the task's turn on the CPU; true when it goes on at once. */
static bool step_do(struct task *task, const struct step *step)
{
	int64_t now = task->kernel->engine->now_ns, start_ns = task->ctx->start_ns;

	switch (step->kind) {
	case STEP_RUN:
		task->burst = (struct burst){ step->fixed_ns, step->work, step->mem_ppm };
		task->sys_ppm = step->sys_ppm;
		task->kernel->work_given += (uint64_t)step->work;
		return true;
	case STEP_SLEEP:
		if (step->ns <= 0)
			return true;
		task_sleep(task, TASK_SLEEPING, now + step->ns, step->move_cpu);
		return false;
	case STEP_UNTIL:
		if (step->ns <= now - start_ns)
			return true;
		task_sleep(task, TASK_SLEEPING, start_ns + step->ns, step->move_cpu);
		return false;
	case STEP_IO:
		if (step->ns <= 0)
			return true;
		task_sleep(task, TASK_IOWAIT, now + step->ns, -1);
		return false;
	case STEP_SPAWN:
		task_spawn(task, step->child);
		return true;
	case STEP_WAIT:
		if (channel_take(step->channel, task))
			return true;
		task->state = TASK_WAITING;
		rq_block(&task->kernel->rqs[task->cpu], false);
		return false;
	case STEP_POST:
		channel_post(step->channel, task, step->wake);
		return true;
	case STEP_STAMP:
		*step->stamp_ns = now - start_ns;
		return true;
	case STEP_EXIT:
		task_exit(task);
		return false;
	}
	return true;
}

bool task_advance(struct task *task)
{
	for (int i = 0; i < STEPS_AT_ONCE_MAX; i++) {
		struct step step = { .move_cpu = -1 };

		task->ctx->workload->next(task->ctx, task, &step);
		if (!step_do(task, &step))
			return false;
		if (!burst_is_over(&task->burst))
			return true;
	}
	assert(0 && "a workload takes time");
	return false;
}
