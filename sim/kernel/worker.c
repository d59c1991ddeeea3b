#include "sim/kernel/worker.h"

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/fair.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/rt.h"

/* MAX_USER_RT_PRIO / 2: sugov_kthread_create() of 4.8 to 4.15. */
#define THREAD_PRIORITY 50

static void set_class(struct rq *rq, const struct policy *policy)
{
	struct task *worker = &rq->worker;

	worker->class = TASK_FAIR;
	worker->name = "kworker";
	if (!(policy->governor->flags & GOVERNOR_OWN_THREAD))
		return;
	worker->name = "sugov";
	worker->rt_priority = THREAD_PRIORITY;
	worker->dl.deadline_ns = INT64_MIN;
	worker->class = rq->kernel->spec->version < KVER(4, 16, 0) ? TASK_FIFO : TASK_DEADLINE;
}

/* Load tracking can be told to overlook it (kernel.worker_load). */
static bool is_tracked(const struct rq *rq)
{
	return rq->worker.class == TASK_FAIR && rq->kernel->spec->worker_load;
}

static void wake_worker(struct rq *rq, const struct policy *policy)
{
	struct task *worker = &rq->worker;

	rq_charge(rq);
	set_class(rq, policy);
	if (worker->class == TASK_FAIR)
		fair_place(rq, worker, FAIR_WOKEN);
	worker->state = TASK_RUNNABLE;
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_WAKING, .cpu = rq->cpu->id, .task = worker,
		.other = rq->curr, .target_cpu = rq->cpu->id);
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_WAKEUP, .cpu = rq->cpu->id, .task = worker,
		.target_cpu = rq->cpu->id);
	if (is_tracked(rq)) {
		rq_pelt_advance(rq, HOOK_SITE_ENQUEUE);
		rq_pelt_wake(&rq->pelt, &worker->pelt, false);
	} else if (worker->class == TASK_FIFO) {
		rq->nr_rt++;
	}
}

void rq_queue_work(struct rq *rq, struct policy *policy)
{
	policy->work_next = NULL;
	if (rq->work_last)
		rq->work_last->work_next = policy;
	else
		rq->work_first = policy;
	rq->work_last = policy;
	if (rq->worker.state == TASK_SLEEPING)
		wake_worker(rq, policy);
	rq_check_preempt(rq, &rq->worker);
	rq_note_idle(rq);
}

bool worker_is_next(struct rq *rq)
{
	const struct task *worker = &rq->worker;

	const struct task *urgent = rq_urgent(rq);

	if (!rq->work_first || (urgent && task_outranks(urgent, worker)))
		return false;
	if (worker->class != TASK_FAIR)
		return true;
	return !urgent && fair_goes_first(rq, worker);
}

static void switch_pelt(struct rq *rq)
{
	rq_pelt_advance(rq, HOOK_SITE_SWITCH);
	switch (rq->worker.class) {
	case TASK_FAIR:
		if (is_tracked(rq))
			rq_pelt_switch(&rq->pelt, &rq->worker.pelt);
		else
			rq_pelt_switch_unseen(&rq->pelt);
		break;
	case TASK_FIFO:
	case TASK_RR:
		rq_pelt_switch_rt(&rq->pelt);
		break;
	case TASK_DEADLINE:
		rq_pelt_switch_dl(&rq->pelt);
		break;
	}
}

static void sleep_worker(struct rq *rq)
{
	struct task *worker = &rq->worker;

	rq_pelt_advance(rq, HOOK_SITE_DEQUEUE);
	if (worker->class == TASK_FAIR)
		fair_leave(rq, worker);
	if (is_tracked(rq))
		rq_pelt_sleep(&rq->pelt, &worker->pelt);
	else if (worker->class == TASK_FIFO)
		rq->nr_rt--;
	worker->state = TASK_SLEEPING;
	/* Going to sleep may itself have called the governor. */
	if (rq->work_first)
		wake_worker(rq, rq->work_first);
}

/* True when it was in this queue. */
static bool take_out(struct rq *rq, const struct policy *policy)
{
	struct policy **link = &rq->work_first, *before = NULL;

	while (*link && *link != policy) {
		before = *link;
		link = &before->work_next;
	}
	if (!*link)
		return false;
	*link = policy->work_next;
	if (rq->work_last == policy)
		rq->work_last = before;
	return true;
}

void worker_cancel(struct policy *policy)
{
	struct kernel *kernel = policy->kernel;

	for (int i = 0; i < policy->nr_cpus; i++) {
		struct rq *rq = &kernel->rqs[policy->first_cpu + i];

		if (!take_out(rq, policy))
			continue;
		if (!rq->work_first && !rq->working)
			sleep_worker(rq);
		rq_note_idle(rq);
	}
}

static void work_finish(struct rq *rq)
{
	struct task *worker = &rq->worker;
	struct policy *policy = rq->working;

	worker->sys_ns += policy->held_ns;
	rq->kernel->worker_ns += policy->held_ns;
	worker->vruntime_ns += policy->held_ns;
	policy->work_pending = policy->work_running = false;
	rq->working = NULL;
	worker->state = rq->work_first ? TASK_RUNNABLE : TASK_WAITING;
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_LEAVE, .cpu = rq->cpu->id, .task = worker);
	if (!rq->work_first)
		sleep_worker(rq);
	rq_note_idle(rq);
	if (policy->work_again) {
		policy->work_again = false;
		cpufreq_queue_work(policy, rq->cpu->id);
	}
}

void worker_run(struct rq *rq)
{
	struct policy *policy = rq->work_first;
	struct kernel *kernel = rq->kernel;

	rq_leave_idle(rq);
	cpu_hold(rq->cpu);
	rq->work_first = policy->work_next;
	if (!rq->work_first)
		rq->work_last = NULL;
	rq->working = policy;
	rq->worker.state = TASK_RUNNING;
	TRACEPOINT(kernel, .kind = TRACEPOINT_RUN, .cpu = rq->cpu->id, .task = &rq->worker);
	switch_pelt(rq);
	hook_switch(rq, &rq->worker);
	policy->work_runs++;
	policy->held_ns = kernel->spec->work_cost_ns;
	policy->work_running = true;
	cpufreq_work(policy);
	if (policy->held_ns > 0)
		timer_arm(&rq->work_end, kernel->engine->now_ns + policy->held_ns);
	else
		work_finish(rq);
}

static void work_end(struct timer *timer)
{
	struct rq *rq = container_of(timer, struct rq, work_end);

	if (rq->cpu->frozen) {
		timer_arm(timer, rq->cpu->frozen_until_ns);
		return;
	}
	work_finish(rq);
	rq_resched(rq);
}

void worker_init(struct rq *rq)
{
	rq->worker = (struct task){
		.kernel = rq->kernel,
		.cpu = rq->cpu->id,
		.state = TASK_SLEEPING,
		.weight = CAPACITY_SCALE,
		.name = "kworker",
		.pid = ++rq->kernel->trace.last_pid,
	};
	task_pelt_init(&rq->worker.pelt, (uint64_t)CAPACITY_SCALE << 10);
	timer_init(rq->kernel->engine, &rq->work_end, ORDER_WORK, work_end);
}
