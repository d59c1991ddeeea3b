#include "sim/kernel/rq.h"

#include <assert.h>

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/balance.h"
#include "sim/kernel/cputime.h"
#include "sim/kernel/fair.h"
#include "sim/kernel/rt.h"
#include "sim/kernel/step.h"
#include "sim/kernel/tick.h"
#include "sim/kernel/worker.h"

/* A core is idle when all its threads are. */
static void note_idle_core(struct kernel *kernel, const struct core *core, int change)
{
	bool before = kernel->core_idle[core->id] == core->nr_cpus, after;

	kernel->core_idle[core->id] += change;
	after = kernel->core_idle[core->id] == core->nr_cpus;
	for (int i = 0; i < core->nr_cpus && before != after; i++) {
		int cpu = core->first_cpu + i * core->step;

		cpumask_assign(
			&kernel->idle_cores, cpu, after && cpumask_test(&kernel->online, cpu));
	}
}

void rq_note_idle(struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	bool idle = rq_is_idle(rq);

	if (!rq_is_online(rq) || cpumask_test(&kernel->idle, rq->cpu->id) == idle)
		return;
	cpumask_assign(&kernel->idle, rq->cpu->id, idle);
	kernel->nr_idle[rq->cpu->package->id] += idle ? 1 : -1;
	note_idle_core(kernel, rq->cpu->core, idle ? 1 : -1);
}

void rq_leave_sets(struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	int cpu = rq->cpu->id;

	/* A thread that is offline does not keep the others from having the core alone. */
	if (!cpumask_test(&kernel->idle, cpu))
		note_idle_core(kernel, rq->cpu->core, 1);
	else
		kernel->nr_idle[rq->cpu->package->id]--;
	cpumask_clear(&kernel->idle, cpu);
	cpumask_clear(&kernel->idle_cores, cpu);
	cpumask_clear(&kernel->blocked, cpu);
	kernel->nr_online--;
	kernel->nr_online_in[rq->cpu->package->id]--;
}

void rq_join_sets(struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	const struct core *core = rq->cpu->core;
	int cpu = rq->cpu->id;

	kernel->nr_online++;
	kernel->nr_online_in[rq->cpu->package->id]++;
	kernel->nr_idle[rq->cpu->package->id]++;
	cpumask_set(&kernel->idle, cpu);
	cpumask_assign(&kernel->idle_cores, cpu, kernel->core_idle[core->id] == core->nr_cpus);
	cpumask_set(&kernel->blocked, cpu);
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
	task->slice_ns += ns;
	if (task->class == TASK_FAIR)
		fair_charge(rq, task, ns);
	else
		rt_charge(rq, task, ns);
}

void rq_check_preempt(struct rq *rq, const struct task *task)
{
	const struct task *curr = rq->curr;
	bool both_fair = curr && task->class == TASK_FAIR && curr->class == TASK_FAIR;

	if (both_fair && !fair_preempts(rq, task))
		hook_no_preempt(rq);
	else if (both_fair || (curr && task_outranks(task, curr)))
		rq->preempt = true;
	if (!curr || rq->preempt)
		rq_resched(rq);
}

void rq_pelt_advance(struct rq *rq, enum hook_site site)
{
	int64_t now = rq->kernel->engine->now_ns;

	rq->site = site;
	rq_pelt_clock(&rq->pelt, (uint64_t)(now - rq->pelt_ns), 0);
	rq->pelt_ns = now;
}

/* Whether the turn of what runs is over. */
static bool turn_is_over(struct rq *rq)
{
	const struct task *curr = rq->curr;

	if (!curr)
		return false;
	if (curr->class != TASK_FAIR)
		return rt_turn_is_over(rq);
	return fair_turn_is_over(rq) && (rq->heap || rq->work_first);
}

static void end_turn(struct rq *rq)
{
	if (!turn_is_over(rq))
		return;
	rq->preempt = true;
	rq_resched(rq);
}

static void enqueue_fair(struct rq *rq, struct task *task, enum enqueue_reason reason)
{
	task->state = TASK_RUNNABLE;
	task->woke_from_io = reason == ENQUEUE_IO;
	/* Deadlines are looked at whenever time is accounted, turns before 6.6 at ticks alone. */
	if (rq->kernel->fair->eevdf && rq->curr && rq->curr->class == TASK_FAIR)
		end_turn(rq);
	if (task->eevdf.delayed) {
		fair_requeue(rq, task);
		rq_pelt_requeue(&rq->pelt, &task->pelt);
		return;
	}
	if (reason == ENQUEUE_FORK) {
		fair_place(rq, task, FAIR_NEW);
		rq_pelt_fork(&rq->pelt, &task->pelt);
	} else {
		fair_place(rq, task, FAIR_WOKEN);
		rq_pelt_wake(&rq->pelt, &task->pelt, reason == ENQUEUE_IO);
	}
	fair_add(rq, task);
}

void rq_enqueue(struct rq *rq, struct task *task, enum enqueue_reason reason)
{
	rq_charge(rq);
	if (rq->kernel->uclamp_used)
		uclamp_rq_add(&rq->uclamp, &task->uclamp);
	rq_pelt_advance(rq, HOOK_SITE_ENQUEUE);
	if (task->class == TASK_FAIR)
		enqueue_fair(rq, task, reason);
	else
		rt_enqueue(rq, task);
	rq_note_idle(rq);
	rq_check_preempt(rq, task);
}

void rq_tick(struct rq *rq)
{
	rq_charge(rq);
	if (rq->curr)
		cputime_tick(rq->curr);
	rq_pelt_advance(rq, HOOK_SITE_TICK);
	rq_pelt_tick(&rq->pelt);
	hook_tick(rq);
	end_turn(rq);
	balance_tick(rq);
}

void rq_put_curr(struct rq *rq)
{
	struct task *task = rq->curr;

	rq_charge(rq);
	rq->curr = NULL;
	if (task->class == TASK_FAIR) {
		task->state = TASK_RUNNABLE;
		fair_add(rq, task);
	} else if (rt_is_throttled(task)) {
		if (rq->kernel->uclamp_used)
			uclamp_rq_remove(&rq->uclamp, &task->uclamp);
		rt_throttle(rq, task);
	} else {
		/* Who is preempted stays first among equals, unless its turn was over. */
		task->state = TASK_RUNNABLE;
		rt_add(rq, task, task->class != TASK_RR || task->slice_ns < RR_SLICE_NS);
	}
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_LEAVE, .cpu = rq->cpu->id, .task = task);
	rq_note_idle(rq);
}

void rq_block(struct rq *rq, bool leaves)
{
	struct task *task = rq->curr;

	rq_charge(rq);
	if (task->class == TASK_FAIR) {
		task->eevdf.delayed = !leaves && fair_delays(rq, task);
		fair_leave(rq, task);
	}
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_LEAVE, .cpu = rq->cpu->id, .task = task);
	rq->curr = NULL;
	if (rq->kernel->uclamp_used)
		uclamp_rq_remove(&rq->uclamp, &task->uclamp);
	rq_pelt_advance(rq, HOOK_SITE_DEQUEUE);
	if (task->eevdf.delayed) {
		rq_pelt_delay(&rq->pelt, &task->pelt);
		fair_add(rq, task);
	} else if (task->class == TASK_FAIR) {
		rq_pelt_sleep(&rq->pelt, &task->pelt);
	} else {
		rt_dequeue(rq, task);
	}
	rq_note_idle(rq);
	rq_resched(rq);
}

/* Who only waits for its debt to be paid goes to sleep when its turn comes. */
static void drop_delayed(struct rq *rq)
{
	struct task *task;

	while ((task = fair_pop_asleep(rq))) {
		rq_pelt_advance(rq, HOOK_SITE_DEQUEUE);
		rq_pelt_delay_ends(&rq->pelt, &task->pelt);
		rq_note_idle(rq);
	}
}

void rq_leave_idle(struct rq *rq)
{
	if (!rq->idle)
		return;
	cputime_idle_passed(rq);
	rq->idle = false;
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_IDLE, .cpu = rq->cpu->id, .value = -1);
	idle_leave(rq);
}

void rq_go_idle(struct rq *rq)
{
	if (!rq->idle) {
		rq_pelt_advance(rq, HOOK_SITE_SWITCH);
		rq_pelt_switch_idle(&rq->pelt);
		hook_switch(rq, NULL);
		rq->idle = true;
		rq->idle_from_ns = rq->idling.since_ns = rq->kernel->engine->now_ns;
		cpumask_set(&rq->kernel->blocked, rq->cpu->id);
		TRACEPOINT(rq->kernel, .kind = TRACEPOINT_RUN, .cpu = rq->cpu->id);
		idle_enter(rq);
	} else if (rq->idling.awake) {
		/* What woke it has gone elsewhere. */
		idle_leave(rq);
		idle_enter(rq);
	}
}

static void switch_pelt(struct rq *rq, struct task *task)
{
	rq_pelt_advance(rq, HOOK_SITE_SWITCH);
	if (task->class == TASK_FAIR)
		rq_pelt_switch(&rq->pelt, &task->pelt);
	else if (task->class == TASK_DEADLINE)
		rq_pelt_switch_dl(&rq->pelt);
	else
		rq_pelt_switch_rt(&rq->pelt);
}

/* The wait between a wake-up and the CPU is over. */
static void count_latency(struct rq *rq, struct task *task)
{
	struct kernel *kernel = rq->kernel;

	if (task->woken_ns >= 0 && task->charged)
		log_histogram_add(&kernel->wakeup_latency, kernel->engine->now_ns - task->woken_ns);
	task->woken_ns = -1;
}

/* Brings the first waiting task onto the CPU. It may block at once without having run. */
static void switch_in(struct rq *rq)
{
	struct task *task = rq_urgent(rq) ? rt_pop(rq) : fair_pop(rq);

	rq_leave_idle(rq);
	rq->curr = task;
	rq->charged_ns = rq->kernel->engine->now_ns;
	rq->preempt = false;
	task->state = TASK_RUNNING;
	task->slice_ns = 0;
	count_latency(rq, task);
	rq->kernel->switches++;
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_RUN, .cpu = rq->cpu->id, .task = task);
	if (task->class == TASK_FAIR)
		fair_update_min(rq);
	switch_pelt(rq, task);
	hook_switch(rq, task);
	task->woke_from_io = false;
	if (!burst_is_over(&task->burst) || task_advance(task)) {
		cpu_run(rq->cpu, &task->burst);
		tick_start(rq);
	}
}

static void schedule(struct rq *rq)
{
	if (!rq_is_online(rq))
		return;
	for (;;) {
		if (rq->working || (rq->idle && !rq_is_idle(rq) && !idle_exit(rq)))
			return;
		if (rq->curr && rq->preempt &&
			(rq->heap || rq_urgent(rq) || rq->work_first || rt_may_not_run(rq)))
			rq_put_curr(rq);
		rq->preempt = false;
		if (rq->curr)
			return;
		rt_pull(rq);
		if (!rq_urgent(rq))
			drop_delayed(rq);
		if (worker_is_next(rq)) {
			worker_run(rq);
			continue;
		}
		/* Where a stand-in spins the CPU never becomes idle; it looks when told to. */
		if (!rq->heap && !rq_urgent(rq) && (rq->idle || !rq->idling.standin))
			balance_new_idle(rq);
		if (!rq->heap && !rq_urgent(rq))
			break;
		switch_in(rq);
	}
	rq_go_idle(rq);
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
	hook_pelt(ctx, flags);
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
}

void rq_init(struct rq *rq, struct kernel *kernel, struct cpu *cpu)
{
	rq->kernel = kernel;
	rq->cpu = cpu;
	rq->idle = true;
	rq->idle_calls = 1; /* it has idled before the run */
	rq_note_idle(rq);
	init_pelt(rq);
	uclamp_rq_init(&rq->uclamp);
	worker_init(rq);
	rt_init(rq);
	idle_init(rq);
	balance_init(&rq->newidle, NEWIDLE_RATIO);
	tick_init(rq);
}
