#include "sim/validate/openloop.h"

#include <string.h>

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/kernel.h"

/* A task that wakes so soon after a device has finished was waiting for it: both happen in one
 * interrupt and the softirq that follows it. */
#define DEVICE_NS (200 * NSEC_PER_USEC)
#define NICE_0_WEIGHT ((uint64_t)CAPACITY_SCALE << 10)
/* After so long without any event load tracking has forgotten what was before. */
#define GAP_NS (4 * NSEC_PER_SEC)
/* Later time stamps, of a damaged file, count as this one. */
#define T_MAX_NS (INT64_MAX / 4)

static void pelt_calls(void *ctx, unsigned flags)
{
	struct open_cpu *cpu = ctx;
	struct open_loop *loop = cpu->loop;

	if (loop->hook)
		loop->hook(loop->ctx, (int)(cpu - loop->cpus), loop->now_ns, flags);
}

void open_loop_init(struct open_loop *loop, struct arena *arena, const struct kernel_spec *spec,
	int nr_cpus, const int64_t *capacities)
{
	*loop = (struct open_loop){
		.arena = arena,
		.spec = spec,
		.nr_cpus = nr_cpus,
		.tick_ns = tick_ns_of_hz(spec->hz),
		.cpus = arena_array(arena, (size_t)nr_cpus, sizeof(*loop->cpus)),
		.now_ns = KERNEL_UPTIME_NS,
		.next_window_ns = NEVER_NS,
		.device_cpu = -1,
	};
	for (int i = 0; i < nr_cpus; i++) {
		struct open_cpu *cpu = &loop->cpus[i];

		*cpu = (struct open_cpu){ .loop = loop, .pelt_ns = KERNEL_UPTIME_NS };
		cpu->pelt = (struct rq_pelt){
			.rules = pelt_rules((unsigned)spec->version),
			.scale = { .cpu = (uint64_t)capacities[i], .freq = CAPACITY_SCALE },
			.cpufreq = pelt_calls,
			.ctx = cpu,
		};
		rq_pelt_clock(&cpu->pelt, KERNEL_UPTIME_NS, 0);
	}
}

static void advance_cpu(struct open_loop *loop, struct open_cpu *cpu)
{
	rq_pelt_clock(&cpu->pelt, (uint64_t)(loop->now_ns - cpu->pelt_ns), 0);
	cpu->pelt_ns = loop->now_ns;
}

/* Real-time and deadline tasks call the governor when their time is accounted, later when they come
 * or go (hook_rt() and hook_dl()). */
static void call_realtime(struct open_loop *loop, struct open_cpu *cpu, bool charged)
{
	bool hears_charges = loop->spec->version < KVER(4, 18, 0);
	unsigned flags = cpu->deadline ? HOOK_DL : HOOK_RT;

	if (cpu->realtime && charged == hears_charges && loop->hook)
		loop->hook(loop->ctx, (int)(cpu - loop->cpus), loop->now_ns, charged ? flags : 0);
}

static void refresh_idle(struct open_loop *loop)
{
	if (loop->now_ns <= loop->next_blocked_ns)
		return;
	loop->next_blocked_ns = loop->now_ns + loop->spec->blocked_period_ns;
	for (int i = 0; i < loop->nr_cpus; i++) {
		struct open_cpu *cpu = &loop->cpus[i];

		if (cpu->running || cpu->pelt.cfs.sig.util_avg == 0)
			continue;
		advance_cpu(loop, cpu);
		rq_pelt_blocked(&cpu->pelt);
	}
}

static void tick(struct open_loop *loop)
{
	for (int i = 0; i < loop->nr_cpus; i++) {
		struct open_cpu *cpu = &loop->cpus[i];

		if (!cpu->running)
			continue;
		loop->by = i;
		if (loop->ticked)
			loop->ticked(loop->ctx, i);
		refresh_idle(loop);
		advance_cpu(loop, cpu);
		rq_pelt_tick(&cpu->pelt);
		call_realtime(loop, cpu, true);
	}
}

static void pass(struct open_loop *loop, int64_t now_ns)
{
	if (loop->passed)
		loop->passed(loop->ctx, now_ns);
	loop->now_ns = now_ns;
}

/* Ticks and windows of a long gap are left out. */
static void skip(struct open_loop *loop, int64_t to_ns)
{
	pass(loop, to_ns);
	loop->next_tick_ns = to_ns + loop->tick_ns;
	if (loop->next_window_ns != NEVER_NS)
		loop->next_window_ns = to_ns + loop->window_ns;
}

void open_loop_advance(struct open_loop *loop, int64_t t_ns)
{
	int64_t now_ns;

	t_ns = min_i64(t_ns, T_MAX_NS);
	if (!loop->started) {
		loop->started = true;
		loop->offset_ns = KERNEL_UPTIME_NS - t_ns;
		loop->next_tick_ns = KERNEL_UPTIME_NS + loop->tick_ns;
	}
	now_ns = t_ns + loop->offset_ns;
	if (now_ns - loop->now_ns > GAP_NS)
		skip(loop, now_ns - GAP_NS);
	while (min_i64(loop->next_tick_ns, loop->next_window_ns) <= now_ns) {
		if (loop->next_window_ns <= loop->next_tick_ns) {
			pass(loop, loop->next_window_ns);
			loop->next_window_ns += loop->window_ns;
			loop->window(loop->ctx);
			continue;
		}
		pass(loop, loop->next_tick_ns);
		loop->next_tick_ns += loop->tick_ns;
		tick(loop);
	}
	if (now_ns > loop->now_ns)
		pass(loop, now_ns);
}

static struct open_task **find(struct open_loop *loop, int64_t pid)
{
	struct open_task **link = &loop->buckets[(uint64_t)pid % OPEN_LOOP_BUCKETS];

	while (*link && (*link)->pid != pid)
		link = &(*link)->next;
	return link;
}

static struct open_task *task_of(struct open_loop *loop, int64_t pid)
{
	struct open_task **link = find(loop, pid);

	if (!*link) {
		*link = arena_alloc(loop->arena, sizeof(**link));
		(*link)->pid = pid;
		(*link)->cpu = -1;
		task_pelt_init(&(*link)->pelt, NICE_0_WEIGHT);
	}
	return *link;
}

/* The queue on which a task is current no longer has it there: a switch is missing. */
static void unseat(struct open_loop *loop, struct open_task *task)
{
	struct open_cpu *cpu = &loop->cpus[task->cpu];

	if (cpu->curr != task)
		return;
	advance_cpu(loop, cpu);
	rq_pelt_switch_idle(&cpu->pelt);
	cpu->curr = NULL;
	cpu->running = false;
}

static void queue_add(struct open_cpu *cpu, struct open_task *task)
{
	task->queue_next = cpu->queue;
	task->queue_link = &cpu->queue;
	if (task->queue_next)
		task->queue_next->queue_link = &task->queue_next;
	cpu->queue = task;
}

static void queue_del(struct open_task *task)
{
	*task->queue_link = task->queue_next;
	if (task->queue_next)
		task->queue_next->queue_link = task->queue_link;
	task->queue_link = NULL;
}

/* The task is on @cpu's queue from now on, wherever it was. */
static void place(struct open_loop *loop, struct open_task *task, struct open_cpu *cpu, bool iowait)
{
	int id = (int)(cpu - loop->cpus), from = task->cpu;
	bool fresh = task->fresh;

	if (!task->pelt.queued)
		task->woken_ns = loop->now_ns;
	if (task->pelt.queued && from == id)
		return;
	task->fresh = false;
	task->cpu = id;
	if (task->pelt.queued) {
		task->cpu = from;
		unseat(loop, task);
		task->cpu = id;
		advance_cpu(loop, &loop->cpus[from]);
		rq_pelt_leave(&loop->cpus[from].pelt, &task->pelt);
		queue_del(task);
		queue_add(cpu, task);
		advance_cpu(loop, cpu);
		rq_pelt_join(&cpu->pelt, &task->pelt);
		return;
	}
	queue_add(cpu, task);
	if (from >= 0 && from != id)
		rq_pelt_remove(&loop->cpus[from].pelt, &task->pelt);
	advance_cpu(loop, cpu);
	if (fresh)
		rq_pelt_fork(&cpu->pelt, &task->pelt);
	else
		rq_pelt_wake(&cpu->pelt, &task->pelt, iowait);
}

/* Whether a task that is woken now waited for a device. Without a word of the recording a sleep
 * that was uninterruptible and that an interrupt ends is taken for one. */
static bool waited(
	const struct open_loop *loop, const struct open_task *task, const struct trace_event *event)
{
	if (task->told)
		return task->iowait;
	if (!task->device)
		return false;
	if (loop->shows_devices)
		return loop->device_cpu == event->cpu &&
			loop->now_ns - loop->device_ns <= DEVICE_NS;
	return event->context == TRACE_CONTEXT_IRQ || event->head.pid == 0;
}

static bool is_fair(const struct trace_who *who)
{
	return who->prio >= TRACE_PRIO_FAIR;
}

/* The stop class has one thread per CPU. It comes before all others, shows the highest real-time
 * priority, and never calls the governor. */
static bool is_stopper(const struct trace_who *who)
{
	return strncmp(who->comm, "migration/", 10) == 0 && !is_fair(who);
}

static void take_waking(struct open_loop *loop, const struct trace_event *event)
{
	struct open_task *task = task_of(loop, event->b.pid);

	if (event->target_cpu == event->cpu && waited(loop, task, event))
		loop->cpus[event->cpu].waking = task;
}

static void take_wakeup(struct open_loop *loop, const struct trace_event *event)
{
	struct open_task *task = task_of(loop, event->b.pid);
	int id = event->target_cpu >= 0 ? event->target_cpu : event->cpu;
	struct open_cpu *cpu = &loop->cpus[id];
	bool iowait = waited(loop, task, event);

	if (loop->cpus[event->cpu].waking == task)
		loop->cpus[event->cpu].waking = NULL;
	task->told = task->iowait = task->device = false;
	task->woken_ns = loop->now_ns;
	if (is_fair(&event->b)) {
		place(loop, task, cpu, iowait);
		return;
	}
	advance_cpu(loop, cpu);
	if (loop->spec->version >= KVER(4, 18, 0) && loop->hook && !is_stopper(&event->b))
		loop->hook(loop->ctx, id, loop->now_ns, 0);
}

/* Who ran leaves the CPU, or goes on waiting for it. */
static void leave(struct open_loop *loop, struct open_cpu *cpu, const struct trace_event *event)
{
	struct open_task *task;

	call_realtime(loop, cpu, true);
	if (event->a.pid == 0 || !is_fair(&event->a)) {
		call_realtime(loop, cpu, false);
		return;
	}
	task = task_of(loop, event->a.pid);
	place(loop, task, cpu, false);
	if (cpu->curr != task) {
		/* It ran unseen: since when is not known. */
		rq_pelt_switch(&cpu->pelt, &task->pelt);
		cpu->curr = task;
	}
	if (event->prev_state == TRACE_RUNNABLE)
		return;
	task->device = event->prev_state == TRACE_BLOCKED_D;
	task->told = task->iowait = false;
	queue_del(task);
	rq_pelt_sleep(&cpu->pelt, &task->pelt);
	if (event->prev_state == TRACE_DEAD) {
		rq_pelt_remove(&cpu->pelt, &task->pelt);
		task->cpu = -1;
	}
}

/* A fair task has become a real-time one: its load leaves the fair class. */
static void promote(struct open_loop *loop, struct open_task *task)
{
	struct open_cpu *cpu = &loop->cpus[task->cpu];

	unseat(loop, task);
	advance_cpu(loop, cpu);
	rq_pelt_leave(&cpu->pelt, &task->pelt);
	queue_del(task);
	task->cpu = -1;
}

static void enter(struct open_loop *loop, struct open_cpu *cpu, const struct trace_event *event)
{
	struct open_task *task = event->b.pid != 0 ? task_of(loop, event->b.pid) : NULL;
	bool fair = task && is_fair(&event->b);

	if (fair)
		place(loop, task, cpu, false);
	else if (task && task->pelt.queued)
		promote(loop, task);
	cpu->curr = fair ? task : NULL;
	cpu->running = task != NULL;
	cpu->realtime = task && !fair && !is_stopper(&event->b);
	cpu->deadline = cpu->realtime && event->b.prio < 0;
	if (fair)
		rq_pelt_switch(&cpu->pelt, &task->pelt);
	else if (cpu->deadline)
		rq_pelt_switch_dl(&cpu->pelt);
	else if (task)
		rq_pelt_switch_rt(&cpu->pelt);
	else
		rq_pelt_switch_idle(&cpu->pelt);
	if (!task)
		cpu->idle_calls += !loop->shows_idle;
}

static void take_switch(struct open_loop *loop, const struct trace_event *event)
{
	struct open_cpu *cpu = &loop->cpus[event->cpu];

	cpu->seen = true;
	advance_cpu(loop, cpu);
	leave(loop, cpu, event);
	enter(loop, cpu, event);
}

/* A new task, also where the pid was another's before: what that one left stays behind. */
static void take_fork(struct open_loop *loop, const struct trace_event *event)
{
	struct open_task *task = task_of(loop, event->b.pid);

	if (task->pelt.queued || task->cpu >= 0)
		return;
	task_pelt_init(&task->pelt, NICE_0_WEIGHT);
	task->fresh = true;
}

static void take_idle(struct open_loop *loop, const struct trace_event *event)
{
	if (!loop->shows_idle)
		for (int i = 0; i < loop->nr_cpus; i++)
			loop->cpus[i].idle_calls = 0;
	loop->shows_idle = true;
	if (event->target_cpu >= 0 && event->target_cpu < loop->nr_cpus && event->idle_state >= 0)
		loop->cpus[event->target_cpu].idle_calls++;
}

static void take_reason(struct open_loop *loop, const struct trace_event *event)
{
	struct open_task *task = task_of(loop, event->a.pid);

	task->told = true;
	task->iowait = event->iowait;
}

void open_loop_event(struct open_loop *loop, const struct trace_event *event)
{
	if (event->cpu < 0 || event->cpu >= loop->nr_cpus || event->target_cpu >= loop->nr_cpus)
		return;
	loop->by = event->cpu;
	switch (event->kind) {
	case TRACE_SWITCH:
		take_switch(loop, event);
		break;
	case TRACE_WAKING:
		take_waking(loop, event);
		break;
	case TRACE_WAKEUP:
	case TRACE_WAKEUP_NEW:
		if (event->b.pid != 0)
			take_wakeup(loop, event);
		break;
	case TRACE_FORK:
		take_fork(loop, event);
		break;
	case TRACE_IDLE:
		take_idle(loop, event);
		break;
	case TRACE_REASON:
		take_reason(loop, event);
		break;
	case TRACE_IO_DONE:
		loop->shows_devices = true;
		loop->device_ns = loop->now_ns;
		loop->device_cpu = event->cpu;
		break;
	default:
		break;
	}
}

void open_loop_update(struct open_loop *loop, int cpu)
{
	void (*hook)(void *ctx, int cpu, int64_t now_ns, unsigned flags) = loop->hook;

	loop->hook = NULL;
	advance_cpu(loop, &loop->cpus[cpu]);
	rq_pelt_blocked(&loop->cpus[cpu].pelt);
	loop->hook = hook;
}

void open_loop_read(const struct open_loop *loop, int cpu, struct util_input *in)
{
	rq_pelt_read(&loop->cpus[cpu].pelt, in);
	in->idle_calls = loop->cpus[cpu].idle_calls;
}
