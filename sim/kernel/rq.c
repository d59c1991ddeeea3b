#include "sim/kernel/rq.h"

#include <assert.h>

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/step.h"
#include "sim/kernel/task_heap.h"
#include "sim/kernel/tick.h"

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

static int64_t wakeup_granularity_ns(const struct kernel *kernel)
{
	return NSEC_PER_MSEC * scale_factor(kernel);
}

/* A task's share of the period in which every runnable task gets a turn. */
static int64_t slice_ns(const struct rq *rq)
{
	int64_t nr = rq->nr_waiting + 1;
	int64_t least = 750 * NSEC_PER_USEC * scale_factor(rq->kernel);

	return max_i64(sched_latency_ns(rq->kernel), nr * least) / nr;
}

bool rq_is_idle(const struct rq *rq)
{
	return !rq->curr && !rq->heap && !rq->working && !rq->work_first;
}

void rq_resched(struct rq *rq)
{
	struct kernel *kernel = rq->kernel;

	if (rq->need_resched)
		return;
	rq->need_resched = true;
	rq->resched_next = NULL;
	if (kernel->resched_last)
		kernel->resched_last->resched_next = rq;
	else
		kernel->resched = rq;
	kernel->resched_last = rq;
}

static void update_min_vruntime(struct rq *rq)
{
	const struct task *first = rq->heap;

	if (rq->curr && (!first || rq->curr->vruntime_ns < first->vruntime_ns))
		first = rq->curr;
	if (first)
		rq->min_vruntime_ns = max_i64(rq->min_vruntime_ns, first->vruntime_ns);
}

/* Splits CPU time into user and sys; what is below one ns is carried on. */
static void task_charge(struct task *task, int64_t ns)
{
	int64_t sys = ns * task->sys_ppm + task->sys_rest;

	task->sys_rest = (uint32_t)(sys % PPM);
	sys /= PPM;
	task->sys_ns += sys;
	task->user_ns += ns - sys;
	if (task->charged) {
		task->kernel->sys_ns += sys;
		task->kernel->user_ns += ns - sys;
	}
}

void rq_charge(struct rq *rq)
{
	int64_t now = rq->kernel->engine->now_ns;
	int64_t ns = now - rq->charged_ns;
	struct task *task = rq->curr;

	rq->charged_ns = now;
	if (!task || ns == 0)
		return;
	task_charge(task, ns);
	task->vruntime_ns += ns * CAPACITY_SCALE / task->weight;
	task->slice_ns += ns;
	if (task->weight < CAPACITY_SCALE)
		rq->nice_ns += ns;
	update_min_vruntime(rq);
}

static void heap_add(struct rq *rq, struct task *task)
{
	task->state = TASK_RUNNABLE;
	task_heap_add(&rq->heap, task);
	rq->nr_waiting++;
	rq->kernel->nr_waiting++;
}

static struct task *heap_pop(struct rq *rq)
{
	rq->nr_waiting--;
	rq->kernel->nr_waiting--;
	return task_heap_pop(&rq->heap);
}

/* A sleeper gets half a period of credit. */
static int64_t place_sleeper(const struct rq *rq, int64_t vruntime_ns)
{
	return max_i64(vruntime_ns, rq->min_vruntime_ns - sched_latency_ns(rq->kernel) / 2);
}

/* Something that waits at @vruntime_ns takes the CPU from the task on it, if that has had more. */
static void check_preempt(struct rq *rq, int64_t vruntime_ns)
{
	if (rq->curr && rq->curr->vruntime_ns - vruntime_ns > wakeup_granularity_ns(rq->kernel))
		rq->preempt = true;
	if (!rq->curr || rq->preempt)
		rq_resched(rq);
}

void rq_pelt_advance(struct rq *rq, enum hook_site site)
{
	int64_t now = rq->kernel->engine->now_ns;

	rq->site = site;
	rq_pelt_clock(&rq->pelt, (uint64_t)(now - rq->pelt_ns), 0);
	rq->pelt_ns = now;
}

void rq_enqueue(struct rq *rq, struct task *task, enum enqueue_reason reason)
{
	bool fresh = reason == ENQUEUE_FORK;

	rq_charge(rq);
	/* A new task starts one slice behind. */
	task->vruntime_ns = fresh ? rq->min_vruntime_ns + slice_ns(rq)
				  : place_sleeper(rq, task->vruntime_ns);
	rq_pelt_advance(rq, HOOK_SITE_ENQUEUE);
	if (fresh)
		rq_pelt_fork(&rq->pelt, &task->pelt);
	else
		rq_pelt_wake(&rq->pelt, &task->pelt, reason == ENQUEUE_IO);
	heap_add(rq, task);
	check_preempt(rq, task->vruntime_ns);
}

void rq_tick(struct rq *rq)
{
	rq_charge(rq);
	rq_pelt_advance(rq, HOOK_SITE_TICK);
	rq_pelt_tick(&rq->pelt);
	if ((rq->heap || rq->work_first) && rq->curr && rq->curr->slice_ns >= slice_ns(rq)) {
		rq->preempt = true;
		rq_resched(rq);
	}
}

static void put_curr(struct rq *rq)
{
	rq_charge(rq);
	heap_add(rq, rq->curr);
	rq->curr = NULL;
}

void rq_block(struct rq *rq)
{
	struct task *task = rq->curr;

	rq_charge(rq);
	rq->curr = NULL;
	rq_pelt_advance(rq, HOOK_SITE_DEQUEUE);
	rq_pelt_sleep(&rq->pelt, &task->pelt);
	rq_resched(rq);
}

void rq_queue_work(struct rq *rq, struct policy *policy)
{
	policy->work_next = NULL;
	if (rq->work_last)
		rq->work_last->work_next = policy;
	else
		rq->work_first = policy;
	rq->work_last = policy;
	if (!rq->worker.queued) {
		rq_charge(rq);
		rq->worker_vruntime_ns = place_sleeper(rq, rq->worker_vruntime_ns);
		rq_pelt_advance(rq, HOOK_SITE_ENQUEUE);
		rq_pelt_wake(&rq->pelt, &rq->worker, false);
	}
	check_preempt(rq, rq->worker_vruntime_ns);
}

static void cputime_leave_idle(struct rq *rq)
{
	if (!rq->idle)
		return;
	cputime_idle_passed(rq);
	rq->idle = false;
}

static void work_finish(struct rq *rq)
{
	struct policy *policy = rq->working;

	rq_pelt_advance(rq, HOOK_SITE_DEQUEUE);
	rq_pelt_sleep(&rq->pelt, &rq->worker);
	rq->worker_vruntime_ns += policy->held_ns;
	policy->work_pending = policy->work_running = false;
	rq->working = NULL;
	if (policy->work_again) {
		policy->work_again = false;
		cpufreq_queue_work(policy, rq->cpu->id);
	}
}

/* The kernel worker runs the governor at once; what the driver made it wait keeps the CPU. */
static void work_start(struct rq *rq)
{
	struct policy *policy = rq->work_first;
	struct kernel *kernel = rq->kernel;

	cputime_leave_idle(rq);
	cpu_hold(rq->cpu);
	rq->work_first = policy->work_next;
	if (!rq->work_first)
		rq->work_last = NULL;
	rq->working = policy;
	rq_pelt_advance(rq, HOOK_SITE_SWITCH);
	rq_pelt_switch(&rq->pelt, &rq->worker);
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

/* An idle CPU takes the first waiting task of the longest queue, of its own package if it can:
 * new-idle balancing. */
static void pull_task(struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	struct rq *busiest = NULL;

	if (kernel->nr_waiting == 0)
		return;
	for (int i = 0; i < kernel->machine->nr_cpus; i++) {
		struct rq *other = &kernel->rqs[i];
		/* One fair task is the CPU's own: it runs, is about to, or waits, cache-hot, for a
		 * kernel worker to end. */
		int spare = other->nr_waiting - (other->curr ? 0 : 1);

		/* A pinned task at the head hides those behind it. */
		if (spare <= 0 || other->heap->pinned)
			continue;
		if (!busiest || other->nr_waiting > busiest->nr_waiting ||
			(other->nr_waiting == busiest->nr_waiting &&
				other->cpu->package == rq->cpu->package &&
				busiest->cpu->package != rq->cpu->package))
			busiest = other;
	}
	if (!busiest)
		return;
	struct task *task = heap_pop(busiest);
	rq_pelt_advance(busiest, HOOK_SITE_DEQUEUE);
	rq_pelt_leave(&busiest->pelt, &task->pelt);
	rq_pelt_advance(rq, HOOK_SITE_ENQUEUE);
	rq_pelt_join(&rq->pelt, &task->pelt);
	task->vruntime_ns += rq->min_vruntime_ns - busiest->min_vruntime_ns;
	task->cpu = rq->cpu->id;
	kernel->migrations++;
	heap_add(rq, task);
}

static void go_idle(struct rq *rq)
{
	if (!rq->idle) {
		rq_pelt_advance(rq, HOOK_SITE_SWITCH);
		rq_pelt_switch_idle(&rq->pelt);
		rq->idle_calls += rq->kernel->spec->nohz != 0;
		rq->idle = true;
		rq->idle_from_ns = rq->kernel->engine->now_ns;
	}
	cpu_idle(rq->cpu);
}

/* Brings the first waiting task onto the CPU. It may block at once without having run. */
static void switch_in(struct rq *rq)
{
	struct task *task = heap_pop(rq);

	cputime_leave_idle(rq);
	rq->curr = task;
	rq->charged_ns = rq->kernel->engine->now_ns;
	rq->preempt = false;
	task->state = TASK_RUNNING;
	task->slice_ns = 0;
	rq->kernel->switches++;
	update_min_vruntime(rq);
	rq_pelt_advance(rq, HOOK_SITE_SWITCH);
	rq_pelt_switch(&rq->pelt, &task->pelt);
	if (!burst_is_over(&task->burst) || task_advance(task)) {
		cpu_run(rq->cpu, &task->burst);
		tick_start(rq);
	}
}

static bool worker_is_next(const struct rq *rq)
{
	return rq->work_first && (!rq->heap || rq->worker_vruntime_ns <= rq->heap->vruntime_ns);
}

static void schedule(struct rq *rq)
{
	for (;;) {
		if (rq->working)
			return;
		if (rq->curr && rq->preempt && (rq->heap || rq->work_first))
			put_curr(rq);
		rq->preempt = false;
		if (rq->curr)
			return;
		if (worker_is_next(rq)) {
			work_start(rq);
			continue;
		}
		if (!rq->heap)
			pull_task(rq);
		if (!rq->heap)
			break;
		switch_in(rq);
	}
	go_idle(rq);
}

void kernel_settle(void *arg)
{
	struct kernel *kernel = arg;

	while (kernel->resched) {
		struct rq *rq = kernel->resched;

		kernel->resched = rq->resched_next;
		if (!kernel->resched)
			kernel->resched_last = NULL;
		rq->need_resched = false;
		/* A frozen CPU decides when it thaws: kernel_thawed() asks again. */
		if (rq->cpu->frozen)
			rq->postponed = true;
		else
			schedule(rq);
	}
	hooks_pay(&kernel->hooks);
}

/* Load tracking calls the governor where the kernel does. */
static void pelt_calls(void *ctx, unsigned flags)
{
	struct rq *rq = ctx;

	hook_call(rq,
		flags & HOOK_IOWAIT          ? HOOK_SITE_IOWAIT
			: rq->pelt.attaching ? HOOK_SITE_ATTACH
					     : rq->site,
		flags);
}

static void init_pelt(struct rq *rq)
{
	rq->pelt = (struct rq_pelt){
		.rules = pelt_rules((unsigned)rq->kernel->spec->version),
		.scale = { .cpu = (uint64_t)rq->cpu->capacity, .freq = CAPACITY_SCALE },
		.cpufreq = pelt_calls,
		.ctx = rq,
	};
	/* The machine has been up for a while: to load tracking time 0 means "never". */
	rq_pelt_clock(&rq->pelt, KERNEL_UPTIME_NS, 0);
	task_pelt_init(&rq->worker, (uint64_t)CAPACITY_SCALE << 10);
}

void rq_init(struct rq *rq, struct kernel *kernel, struct cpu *cpu)
{
	rq->kernel = kernel;
	rq->cpu = cpu;
	rq->idle = true;
	init_pelt(rq);
	timer_init(kernel->engine, &rq->work_end, ORDER_WORK, work_end);
	tick_init(rq);
}
