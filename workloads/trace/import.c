#include "workloads/trace/import.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "workloads/trace/tree.h"

/* No recording of a machine that runs has a gap like this, and the work of one burst must fit. */
#define GAP_MAX_NS (INT64_C(600) * NSEC_PER_SEC)
#define BURST_MAX_NS (INT64_C(600) * NSEC_PER_SEC)
/* Pids are looked up in two steps, so that only the pages in use cost memory. */
#define PIDS_PER_PAGE INT64_C(4096)
#define PID_PAGES (INT64_C(4194304) / PIDS_PER_PAGE + 1)

struct cpu_track {
	struct trace_task *current;        /* NULL: unknown */
	const struct trace_task *expected; /* the first to be put here since the last switch */
	bool seen;
	bool lost; /* events since lost_ns are missing */
	int64_t lost_ns;
	int64_t chain;   /* pid that the last switch left running; -1: not known */
	int64_t last_ns; /* of its last record */
	int64_t khz, first_khz;
};

struct importer {
	struct arena *arena;
	const struct trace_options *options;
	struct trace_import *import;
	struct trace_reader reader;
	struct cpu_track *cpus;
	struct trace_task ***pids; /* the living task of a pid */
	struct trace_task *last;
	struct trace_task idle; /* of every CPU: pid 0 */
	struct trace_marks marks;
	uint8_t *standin; /* by CPU */
	struct trace_new_tasks new_tasks;
	struct trace_clock *clock; /* used last */
	int64_t origin_ns;         /* of the first event */
	int64_t start_ns;          /* of the part that counts */
	int64_t now_ns;
	int64_t last_ns; /* of the record before this one, of any CPU */
	bool started, stopped;
};

static struct trace_task **pid_slot(struct importer *im, int64_t pid)
{
	struct trace_task ***page = &im->pids[pid / PIDS_PER_PAGE];

	if (!*page)
		*page = arena_array(im->arena, (size_t)PIDS_PER_PAGE, sizeof(**page));
	return &(*page)[pid % PIDS_PER_PAGE];
}

static struct trace_task *task_find(struct importer *im, int64_t pid)
{
	if (pid < 0)
		return NULL;
	return pid == 0 ? &im->idle : *pid_slot(im, pid);
}

static void task_name(struct importer *im, struct trace_task *task, const char *comm)
{
	if (comm[0] == '\0' || task == &im->idle || strcmp(task->comm, comm) == 0)
		return;
	memcpy(task->comm, comm, sizeof(task->comm));
	if (strcmp(comm, im->options->root) == 0)
		task->named = true;
	if (im->options->idle && strcmp(comm, im->options->idle) == 0)
		task->idle = true;
}

static struct trace_task *task_new(struct importer *im, const struct trace_who *who)
{
	struct trace_task *task = arena_alloc(im->arena, sizeof(*task));

	task->pid = who->pid;
	task->cpu = -1;
	task->woken_cpu = -1;
	task->put_cpu = -1;
	task->prio = TRACE_PRIO_NORMAL;
	task->birth_ns = im->start_ns;
	task->since_ns = im->start_ns;
	task_name(im, task, who->comm);
	if (im->last)
		im->last->next = task;
	else
		im->import->tasks = task;
	im->last = task;
	im->import->totals.tasks_seen++;
	*pid_slot(im, who->pid) = task;
	return task;
}

/* The task of a pid that shows signs of life: a dead one's pid has been given away. */
static struct trace_task *task_get(struct importer *im, const struct trace_who *who)
{
	struct trace_task *task = task_find(im, who->pid);

	if (!task || task->state == TRACE_TASK_GONE)
		return task_new(im, who);
	task_name(im, task, who->comm);
	return task;
}

int64_t trace_work(const struct trace_options *options, int cpu, int64_t ns, int64_t khz)
{
	int64_t work = ns * khz;

	if (!options->per_clock || options->per_clock[cpu] == CAPACITY_SCALE)
		return work;
	return work / CAPACITY_SCALE * options->per_clock[cpu] +
		work % CAPACITY_SCALE * options->per_clock[cpu] / CAPACITY_SCALE;
}

static void add_clock(struct importer *im, int cpu, int64_t khz, int64_t ns)
{
	struct trace_clock **at = &im->import->clocks;

	/* Mostly the one used last. */
	if (im->clock && im->clock->cpu == cpu && im->clock->khz == khz) {
		im->clock->ns += ns;
		return;
	}
	while (*at && ((*at)->cpu < cpu || ((*at)->cpu == cpu && (*at)->khz < khz)))
		at = &(*at)->next;
	if (!*at || (*at)->cpu != cpu || (*at)->khz != khz) {
		struct trace_clock *clock = arena_alloc(im->arena, sizeof(*clock));

		*clock = (struct trace_clock){ .next = *at, .cpu = cpu, .khz = khz };
		*at = clock;
	}
	(*at)->ns += ns;
	im->clock = *at;
}

/* Adds run time to the script; a burst is cut where its clock becomes another. */
static void task_work(struct importer *im, struct trace_task *task, int64_t ns)
{
	int64_t khz = im->cpus[task->cpu].khz;
	int cpu = khz ? -1 : task->cpu;
	struct trace_op *op = task->last;

	if (!op || op->kind != TRACE_OP_RUN || op->cpu != cpu || op->ns + ns > BURST_MAX_NS) {
		op = trace_op_add(im->arena, task, TRACE_OP_RUN);
		op->cpu = cpu;
	}
	add_clock(im, task->cpu, khz, ns);
	op->ns += ns;
	op->u.work += trace_work(im->options, task->cpu, ns, khz);
	task->run_ns += ns;
}

/* Accounts a running task up to @t_ns: its point of progress. */
static void task_progress(struct importer *im, struct trace_task *task, int64_t t_ns)
{
	if (task->state != TRACE_TASK_RUNNING || task->idle)
		return;
	if (t_ns > task->since_ns)
		task_work(im, task, t_ns - task->since_ns);
	task->since_ns = max_i64(t_ns, task->since_ns);
}

static void block_begin(struct importer *im, struct trace_task *task, int64_t t_ns, bool device)
{
	task->block = trace_op_add(im->arena, task, TRACE_OP_BLOCK);
	task->block->ns = -1;
	task->block->u.wait.device = device;
	task->state = TRACE_TASK_ASLEEP;
	task->since_ns = t_ns;
}

/* @waker: NULL when it was no task, or when nobody was seen. */
static void block_end(struct trace_task *task, int64_t t_ns, struct trace_task *waker)
{
	task->block->ns = max_i64(t_ns - task->since_ns, 0);
	task->block->u.wait.waker = waker;
	task->block->u.wait.end_ns = t_ns;
	task->block = NULL;
	task->state = TRACE_TASK_READY;
	task->since_ns = t_ns;
}

/* A task alive before the recording has slept, as far as is known; one whose CPU lost events may
 * have. */
static void block_suppose(struct importer *im, struct trace_task *task)
{
	if (task->state == TRACE_TASK_UNSEEN || task->state == TRACE_TASK_ASTRAY)
		block_begin(im, task, task->since_ns, false);
}

static struct trace_op *post(struct importer *im, struct trace_task *waker,
	struct trace_task *sleeper, struct trace_op *block)
{
	task_progress(im, waker, im->now_ns);
	struct trace_op *op = trace_op_add(im->arena, waker, TRACE_OP_POST);
	op->u.post.block = block;
	op->u.post.sleeper = sleeper;
	return op;
}

/* It stops running without a record that says so. */
static void task_astray(struct importer *im, struct trace_task *task, int64_t t_ns)
{
	if (!task || task->state != TRACE_TASK_RUNNING || task == &im->idle)
		return;
	task_progress(im, task, t_ns);
	im->cpus[task->cpu].current = NULL;
	task->state = TRACE_TASK_ASTRAY;
	task->since_ns = t_ns;
}

static void expect(struct importer *im, int cpu, const struct trace_task *task)
{
	if (cpu >= 0 && cpu < TRACE_MAX_CPUS && !im->cpus[cpu].expected)
		im->cpus[cpu].expected = task;
}

/* It has waited for a CPU, and has one. @idle: that had nothing to do, and woke for this task. */
static void wait_ends(
	struct importer *im, struct trace_task *task, int cpu, bool idle, int64_t t_ns)
{
	int64_t wait_ns = max_i64(t_ns - task->since_ns, 0);

	task->waits++;
	task->wait_ns += wait_ns;
	task->wait_max_ns = max_i64(task->wait_max_ns, wait_ns);
	if (task->woken)
		trace_wakeup_add(im->arena, &im->import->wakeups, task,
			!idle                            ? TRACE_WAKEUP_BUSY
				: task->waker_cpu == cpu ? TRACE_WAKEUP_LOCAL
							 : TRACE_WAKEUP_REMOTE,
			wait_ns);
}

static void switch_in(struct importer *im, int cpu, struct trace_task *task, int64_t t_ns)
{
	const struct trace_task *before = im->cpus[cpu].current;
	bool idle = before && before->idle && im->cpus[cpu].expected == task;

	im->cpus[cpu].current = task;
	im->cpus[cpu].expected = NULL;
	if (task->idle && task != &im->idle)
		im->standin[cpu] = 1;
	if (task == &im->idle)
		return;
	if (task->state == TRACE_TASK_RUNNING) {
		task_astray(im, task, t_ns);
		im->cpus[cpu].current = task;
	}
	if (task->state == TRACE_TASK_UNSEEN)
		block_suppose(im, task);
	else if (task->state == TRACE_TASK_ASLEEP)
		im->import->totals.missing_wakeups++;
	if (task->state == TRACE_TASK_ASLEEP)
		block_end(task, t_ns, NULL);
	if (task->state == TRACE_TASK_READY)
		wait_ends(im, task, cpu, idle, t_ns);
	task->woken = false;
	task->state = TRACE_TASK_RUNNING;
	task->cpu = cpu;
	task->since_ns = t_ns;
	task->early = NULL;
	task->spawn = NULL;
}

static void switch_out(struct importer *im, struct trace_task *task, enum trace_state state)
{
	if (task == &im->idle || task->state != TRACE_TASK_RUNNING)
		return;
	task_progress(im, task, im->now_ns);
	task->since_ns = im->now_ns;
	/* On its way out a task may be preempted or wait for a lock, but it does not sleep: a
	 * number that was taken for that is one for death. */
	if (task->exiting && state == TRACE_BLOCKED)
		state = TRACE_DEAD;
	switch (state) {
	case TRACE_RUNNABLE:
		task->state = TRACE_TASK_READY;
		break;
	case TRACE_DEAD:
		task->state = TRACE_TASK_GONE;
		task->death_ns = im->now_ns;
		break;
	case TRACE_BLOCKED:
	case TRACE_BLOCKED_D:
		block_begin(im, task, im->now_ns, state == TRACE_BLOCKED_D);
		/* The waker came while the task was on its way out of the CPU: it has slept, for
		 * no time at all, and depends on that waker. */
		if (task->early) {
			task->early->u.post.block = task->block;
			block_end(task, im->now_ns, task->early_waker);
		}
		break;
	}
	task->early = NULL;
}

/* The head of every line says who runs on its CPU. When the last switch said another task, records
 * are missing: the true one began at its last wake-up on this CPU, or at the record before this
 * one. Who had the CPU until then is not known. */
static void follow_head(struct importer *im, const struct trace_event *event)
{
	struct cpu_track *cpu = &im->cpus[event->cpu];
	int64_t t_ns = im->last_ns;

	if (event->head.pid < 0 || (cpu->current && cpu->current->pid == event->head.pid))
		return;
	struct trace_task *task = task_get(im, &event->head);
	/* Some recorders say that a task runs which sleeps: only a switch is believed. */
	if (cpu->current && task->state == TRACE_TASK_ASLEEP && event->kind != TRACE_SWITCH)
		return;
	if (!cpu->seen)
		t_ns = im->start_ns;
	else if (cpu->lost)
		t_ns = im->now_ns;
	if (task->woken_cpu == event->cpu)
		t_ns = max_i64(t_ns, task->woken_ns);
	if (task->state == TRACE_TASK_UNSEEN && !cpu->seen)
		task->state = TRACE_TASK_READY;
	/* Off the CPU since later than that: no time may be counted twice. */
	if (task != &im->idle && task->state != TRACE_TASK_UNSEEN)
		t_ns = max_i64(t_ns, task->since_ns);
	task_astray(im, cpu->current, t_ns);
	switch_in(im, event->cpu, task, t_ns);
}

/* Of several priorities the one it mostly ran with: a task may be reniced, and lent a priority
 * while it holds a lock (the vote of Boyer and Moore). */
static void vote_prio(struct trace_task *task, int prio)
{
	if (task->prio == prio) {
		task->prio_votes++;
	} else if (task->prio_votes == 0) {
		task->prio = prio;
		task->prio_votes = 1;
	} else {
		task->prio_votes--;
	}
}

static void event_switch(struct importer *im, const struct trace_event *event)
{
	struct cpu_track *cpu = &im->cpus[event->cpu];

	im->import->totals.chain_breaks += cpu->chain >= 0 && cpu->chain != event->a.pid;
	cpu->chain = event->b.pid;
	/* For this event the head may be unknown while the payload is not. */
	struct trace_event out = *event;
	out.head = event->a;
	follow_head(im, &out);
	task_name(im, cpu->current, event->a.comm);
	switch_out(im, cpu->current, event->prev_state);
	bool rests = !cpu->current->idle && event->prev_state != TRACE_RUNNABLE;
	switch_in(im, event->cpu, task_get(im, &event->b), im->now_ns);
	trace_new_tasks_switch(&im->new_tasks, &im->import->machine.newidle, event->cpu,
		cpu->current, rests, cpu->current == &im->idle);
	vote_prio(cpu->current, event->b.prio);
}

/* The task that caused an event, or NULL when that was an interrupt or an idle CPU. */
static struct trace_task *event_cause(struct importer *im, const struct trace_event *event)
{
	struct trace_task *task = task_find(im, event->head.pid);

	if (!task || task->idle || event->context == TRACE_CONTEXT_IRQ ||
		task->state != TRACE_TASK_RUNNING)
		return NULL;
	return task;
}

/* The child that exited first of those the parent does not know of. */
static struct trace_task *reap(struct trace_task *parent)
{
	struct trace_task *child = parent->zombies;

	while (child && child->reaped)
		child = child->next_zombie;
	parent->zombies = child ? child->next_zombie : NULL;
	return child;
}

static void event_exit(struct importer *im, const struct trace_event *event)
{
	struct trace_task *task = task_find(im, event->a.pid);

	if (task)
		task->exiting = true;
	if (!task || task->exit_post || task->state != TRACE_TASK_RUNNING || !task->parent)
		return;
	task->exit_post = post(im, task, task->parent, NULL);
	if (task->parent->zombies)
		task->parent->last_zombie->next_zombie = task;
	else
		task->parent->zombies = task;
	task->parent->last_zombie = task;
}

/* A task that waits for a child which has exited does not block, but it could not have gone on any
 * earlier either: replayed at another pace it may have to. */
static void event_wait(struct importer *im, const struct trace_event *event)
{
	struct trace_task *parent = task_find(im, event->head.pid);

	if (!parent || parent->idle || parent->state != TRACE_TASK_RUNNING)
		return;
	struct trace_task *child = reap(parent);
	if (!child)
		return;
	task_progress(im, parent, im->now_ns);
	struct trace_op *block = trace_op_add(im->arena, parent, TRACE_OP_BLOCK);
	block->u.wait.waker = child;
	child->exit_post->u.post.block = block;
}

static void event_wake(struct importer *im, const struct trace_event *event)
{
	struct trace_task *task = task_find(im, event->b.pid);
	struct trace_task *waker = event_cause(im, event);

	if (task && task->state == TRACE_TASK_GONE)
		return;
	if (!task)
		task = task_new(im, &event->b);
	if (task == &im->idle)
		return;
	task_name(im, task, event->b.comm);
	task->woken_ns = im->now_ns;
	task->woken_cpu = event->target_cpu;
	if (event->kind == TRACE_WAKEUP)
		expect(im, event->target_cpu, task);
	/* Linux leaves a waker's CPU to the task when it says that it will wait soon, and hardly
	 * otherwise; sched_waking still has the CPU it ran on before. */
	if (event->kind == TRACE_WAKEUP && task->woken_by) {
		if (task->woken_by->u.post.wake == WAKE_PLAIN &&
			event->target_cpu == task->waker_cpu)
			task->woken_by->u.post.wake = WAKE_SYNC;
		task->woken_by = NULL;
	}
	if (task->state == TRACE_TASK_RUNNING) {
		/* Either it has not left the CPU yet, or the wake-up finds it awake; the wakeup
		 * record, which follows at once in the second case, tells. */
		task->early = NULL;
		if (event->kind == TRACE_WAKING && waker) {
			task->early = post(im, waker, task, NULL);
			task->early_waker = waker;
		}
		return;
	}
	block_suppose(im, task);
	if (task->state != TRACE_TASK_ASLEEP)
		return;
	if (waker) {
		bool exit = waker->parent == task && waker->exit_post;

		task->woken_by = post(im, waker, task, task->block);
		if (exit)
			task->woken_by->u.post.wake = WAKE_EXITING;
		else if (event->kind == TRACE_WAKEUP && event->target_cpu == event->cpu)
			task->woken_by->u.post.wake = WAKE_SYNC;
		if (event->kind == TRACE_WAKEUP)
			task->woken_by = NULL;
		/* If that was the exit of a child, the sleeper knows now. */
		waker->reaped |= exit;
	}
	block_end(task, im->now_ns, waker);
	task->waker_cpu = event->cpu;
	task->woken = true;
}

static void spawn(struct importer *im, struct trace_task *parent, struct trace_task *child)
{
	task_progress(im, parent, im->now_ns);
	child->spawn = trace_op_add(im->arena, parent, TRACE_OP_SPAWN);
	child->spawn->u.child = child;
	child->parent = parent;
	child->birth_ns = im->now_ns;
	child->since_ns = im->now_ns;
	child->state = TRACE_TASK_READY;
}

/* What a simulated task did beyond what its time at the announced frequency gives: a clock changes
 * a little after the kernel says so, and some time goes to the governor. */
static void event_work(struct importer *im, const struct trace_event *event)
{
	struct trace_task *task = im->cpus[event->target_cpu].current;

	if (!task || task->idle || task->state != TRACE_TASK_RUNNING)
		return;
	task_progress(im, task, im->now_ns);
	struct trace_op *op = task->last;
	if (!op || op->kind != TRACE_OP_RUN || op->cpu >= 0)
		return;
	int64_t most = op->ns * TRACE_KHZ_MAX;
	if (event->work <= most && event->work >= -most)
		op->u.work = min_i64(max_i64(op->u.work + event->work, 0), most);
}

static void event_fork(struct importer *im, const struct trace_event *event)
{
	struct trace_task *parent = task_find(im, event->a.pid);

	if (event->b.pid == 0)
		return;
	/* Where the kernel logs both a fork and a new task, it is one birth. */
	struct trace_task *child = task_find(im, event->b.pid);
	if (child && child->spawn && child->parent == parent)
		return;
	child = task_new(im, &event->b);
	if (parent && parent != &im->idle && parent->state == TRACE_TASK_RUNNING)
		spawn(im, parent, child);
	child->state = TRACE_TASK_READY;
	child->birth_ns = im->now_ns;
}

/* The child can run from here on, which is a little later than the fork. */
static void event_wake_new(struct importer *im, const struct trace_event *event)
{
	struct trace_task *parent = event_cause(im, event);
	struct trace_task *child = task_find(im, event->b.pid);

	if (child == &im->idle)
		return;
	if (!child || child->state == TRACE_TASK_GONE) {
		child = task_new(im, &event->b);
		child->state = TRACE_TASK_READY;
		child->birth_ns = im->now_ns;
		if (parent)
			spawn(im, parent, child);
	} else if (child->spawn && parent && child->parent == parent) {
		int64_t birth_ns = child->birth_ns;

		child->spawn->kind = TRACE_OP_NONE;
		spawn(im, parent, child);
		child->birth_ns = birth_ns;
	}
	child->spawn = NULL;
	child->woken_ns = im->now_ns;
	child->woken_cpu = event->target_cpu;
	trace_new_tasks_put(&im->new_tasks, child, event->target_cpu);
	expect(im, event->target_cpu, child);
}

/* A thread that execs takes over the pid of its process; the others of the process are gone. */
static void event_exec(struct importer *im, const struct trace_event *event)
{
	struct trace_task *task = task_find(im, event->a.pid);
	struct trace_task *leader = task_find(im, event->b.pid);

	if (event->a.pid == event->b.pid || !task || task == &im->idle || leader == &im->idle)
		return;
	if (leader) {
		task_astray(im, leader, im->now_ns);
		leader->state = TRACE_TASK_GONE;
		leader->death_ns = im->now_ns;
	}
	if (im->cpus[event->cpu].chain == event->a.pid)
		im->cpus[event->cpu].chain = event->b.pid;
	*pid_slot(im, event->a.pid) = NULL;
	*pid_slot(im, event->b.pid) = task;
	task->pid = event->b.pid;
}

static void event_mark(struct importer *im, const struct trace_event *event)
{
	if (strncmp(event->text, "workload_start", 14) == 0 && !im->marks.writer) {
		im->marks.writer = task_find(im, event->head.pid);
		im->marks.start_ns = im->now_ns;
	} else if (strncmp(event->text, "workload_end", 12) == 0 && im->marks.writer) {
		im->marks.end_ns = min_i64(im->marks.end_ns, im->now_ns);
	}
}

static void event_frequency(struct importer *im, const struct trace_event *event)
{
	struct cpu_track *cpu = &im->cpus[event->target_cpu];

	if (cpu->current)
		task_progress(im, cpu->current, im->now_ns);
	cpu->khz = event->khz;
	if (!cpu->first_khz)
		cpu->first_khz = event->khz;
}

static void event_lost(struct importer *im, const struct trace_event *event)
{
	im->import->totals.losses++;
	trace_new_tasks_lost(&im->new_tasks);
	if (event->cpu < 0)
		return;
	struct cpu_track *cpu = &im->cpus[event->cpu];
	task_astray(im, cpu->current, cpu->last_ns);
	cpu->current = NULL;
	if (!cpu->lost)
		cpu->lost_ns = cpu->seen ? cpu->last_ns : im->start_ns;
	cpu->lost = true;
	cpu->chain = -1;
}

static void event_apply(struct importer *im, const struct trace_event *event)
{
	struct trace_task *task;

	switch (event->kind) {
	case TRACE_SWITCH:
		event_switch(im, event);
		break;
	case TRACE_WAKING:
	case TRACE_WAKEUP:
		event_wake(im, event);
		break;
	case TRACE_WAKEUP_NEW:
		event_wake_new(im, event);
		break;
	case TRACE_FORK:
		event_fork(im, event);
		break;
	case TRACE_RENAME:
		task = task_find(im, event->a.pid);
		if (task)
			task_name(im, task, event->a.comm);
		break;
	case TRACE_FREQUENCY:
		event_frequency(im, event);
		break;
	case TRACE_WORK:
		event_work(im, event);
		break;
	case TRACE_SYNC:
		task = task_find(im, event->b.pid);
		if (task && task->woken_by && task->woken_by->u.post.wake == WAKE_PLAIN)
			task->woken_by->u.post.wake = WAKE_SYNC;
		break;
	case TRACE_MARK:
		event_mark(im, event);
		break;
	case TRACE_EXIT:
		event_exit(im, event);
		break;
	case TRACE_WAIT:
		event_wait(im, event);
		break;
	case TRACE_EXEC:
	case TRACE_FREE:
	case TRACE_LIMITS:
	case TRACE_IDLE:
	case TRACE_UTIL:
	case TRACE_PSTATE:
	case TRACE_IO_DONE:
	case TRACE_REASON:
	case TRACE_LOST:
	case TRACE_CPUS:
	case TRACE_OTHER:
		break;
	}
}

/* Moves the clock; a record before the last one counts as of the same time. */
static int advance(struct importer *im, const struct trace_event *event, struct error *err)
{
	struct trace_totals *totals = &im->import->totals;

	if (!im->started) {
		im->started = true;
		im->origin_ns = event->t_ns;
		im->now_ns = event->t_ns;
		im->start_ns = event->t_ns + im->options->from_ns;
	}
	if (event->t_ns > im->now_ns && event->t_ns - im->now_ns > GAP_MAX_NS)
		return error_at(err, ERROR_TRACE, trace_where(&im->reader),
			"time stamp is %lld s after the record above; a trace has no gap over %lld "
			"s",
			(long long)((event->t_ns - im->now_ns) / NSEC_PER_SEC),
			(long long)(GAP_MAX_NS / NSEC_PER_SEC));
	im->last_ns = im->now_ns;
	totals->backward += event->t_ns < im->now_ns;
	im->now_ns = max_i64(im->now_ns, event->t_ns);
	return 0;
}

static int event_take(struct importer *im, const struct trace_event *event, struct error *err)
{
	if (event->kind == TRACE_CPUS) {
		im->import->totals.losses += event->lost > 0;
		return 0;
	}
	if (event->kind == TRACE_LOST && event->head.pid == TRACE_PID_UNKNOWN) {
		event_lost(im, event);
		return 0;
	}
	if (advance(im, event, err))
		return -1;
	int64_t at_ns = im->now_ns - im->origin_ns;
	if (at_ns > im->options->to_ns) {
		im->now_ns = im->origin_ns + im->options->to_ns;
		im->stopped = true;
		return 0;
	}
	struct cpu_track *cpu = &im->cpus[event->cpu];
	if (at_ns < im->options->from_ns) {
		if (event->kind == TRACE_FREQUENCY)
			event_frequency(im, event);
		return 0;
	}
	if (event->kind == TRACE_LOST) {
		event_lost(im, event);
	} else {
		if (event->kind == TRACE_EXEC)
			event_exec(im, event);
		if (event->kind != TRACE_SWITCH)
			follow_head(im, event);
		event_apply(im, event);
		if (cpu->lost)
			im->import->totals.lost_ns += max_i64(im->now_ns - cpu->lost_ns, 0);
		cpu->lost = false;
	}
	cpu->seen = true;
	cpu->last_ns = im->now_ns;
	return 0;
}

/* What still runs is cut at the last record: its end is not known. */
static void finish(struct importer *im)
{
	struct trace_totals *totals = &im->import->totals;

	for (struct trace_task *task = im->import->tasks; task; task = task->next) {
		task_progress(im, task, im->now_ns);
		if (task->state != TRACE_TASK_GONE)
			task->death_ns = im->now_ns;
	}
	for (int i = 0; i < TRACE_MAX_CPUS; i++)
		totals->recorded_cpus += im->cpus[i].seen;
	totals->span_ns = max_i64(im->now_ns - im->start_ns, 0);
	im->import->reading = im->reader.reading;
}

static int import_open(struct importer *im, const char *path, struct error *err)
{
	struct trace_event *event = arena_alloc(im->arena, sizeof(*event));
	int got = 0;

	while (!im->stopped && (got = trace_next(&im->reader, event, err)) > 0)
		if (event_take(im, event, err))
			return -1;
	if (got < 0)
		return -1;
	if (!im->reader.reading.events[TRACE_SWITCH])
		return trace_no_scheduling(&im->reader, err);
	finish(im);
	im->import->machine.nr_cpus = im->import->totals.recorded_cpus;
	im->import->machine.standin = im->standin;
	int64_t *first_khz = arena_array(im->arena, TRACE_MAX_CPUS, sizeof(*first_khz));
	for (int i = 0; i < TRACE_MAX_CPUS; i++)
		first_khz[i] = im->cpus[i].first_khz;
	return trace_tree(im->arena, im->import, path, im->options, im->marks,
		(struct trace_clocks){ .first_khz = first_khz }, im->start_ns, err);
}

int trace_import(struct arena *arena, const char *path, const struct trace_options *options,
	struct trace_import *import, struct error *err)
{
	struct importer *const im = arena_alloc(arena, sizeof(*im));
	jmp_buf outer;

	memset(import, 0, sizeof(*import));
	im->arena = arena;
	im->options = options;
	im->import = import;
	im->idle.idle = true;
	im->idle.state = TRACE_TASK_RUNNING;
	im->marks.end_ns = NEVER_NS;
	im->cpus = arena_array(arena, TRACE_MAX_CPUS, sizeof(*im->cpus));
	trace_new_tasks_init(&im->new_tasks, arena);
	im->standin = arena_array(arena, TRACE_MAX_CPUS, sizeof(*im->standin));
	for (int i = 0; i < TRACE_MAX_CPUS; i++)
		im->cpus[i].chain = -1;
	im->pids = arena_array(arena, (size_t)PID_PAGES, sizeof(*im->pids));
	if (trace_open(&im->reader, arena, path, err))
		return -1;
	/* Out of memory must not leave the file open: stand in the way of the caller's guard. */
	memcpy(&outer, &arena->out_of_memory, sizeof(outer));
	if (arena_try(arena)) {
		trace_close(&im->reader);
		memcpy(&arena->out_of_memory, &outer, sizeof(outer));
		longjmp(arena->out_of_memory, 1);
	}
	int rc = import_open(im, path, err);
	memcpy(&arena->out_of_memory, &outer, sizeof(outer));
	trace_close(&im->reader);
	return rc;
}
