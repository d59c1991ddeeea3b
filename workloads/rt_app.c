/*
 * rt-app: the tasks of an rt-app file. "run" is work of the reference clock, so that it takes
 * longer at a lower one; "runtime" takes its time at any. Ends after the file's duration, or when
 * all tasks have ended.
 */
#include <stdio.h>

#include "sim/base/units.h"
#include "sim/workload.h"
#include "workloads/rt_app/program.h"

/* Events in a row that take no time: more than this, and the task would never do anything else. */
#define STEPS_MAX 1000000

struct rt_params {
	const char *file;
	int64_t duration_ns, forked;
};

static const struct param params[] = {
	PARAM_TEXT(struct rt_params, file, "file", NULL,
		"an rt-app JSON file; several, separated by blanks, are one program"),
	PARAM_INT(struct rt_params, duration_ns, "duration", UNIT_NS, 1, 86400 * NSEC_PER_SEC,
		PARAM_AUTO, "when to stop; auto: what the file says"),
	PARAM_INT(struct rt_params, forked, "forked", UNIT_NONE, 0, 1000000, 1000,
		"tasks that fork events may have alive at once; a fork beyond fails"),
	PARAM_END,
};

struct rt_state {
	struct rt_program program;
	bool timed;   /* one task of our own ends the run */
	bool over;    /* the others stop at their next event */
	int64_t room; /* for forked tasks */
	int64_t failed_forks, spinning;
};

/* A task's place in its program. */
struct play {
	const struct rt_task *task; /* NULL: the one that ends the run */
	const struct rt_phase *phase;
	const struct rt_event *event;
	int64_t task_loops, phase_loops;
	int stage; /* within the event */
	int64_t steps;
	int64_t first_ns, now_ns;
	int64_t next_ns; /* timer "unique" */
	bool timer_set, begun, forked;
};

static void wait(struct step *step, struct channel *channel)
{
	step->kind = STEP_WAIT;
	step->channel = channel;
}

static bool post(struct step *step, struct channel *channel)
{
	step->kind = STEP_POST;
	step->channel = channel;
	return true;
}

/* Wakes one who waits, if there is one: a condition has no memory. */
static bool signal(struct rt_object *object, struct step *step)
{
	if (object->waiters == 0)
		return false;
	object->waiters--;
	return post(step, &object->channel);
}

/* Each of the following does the next stage of an event: true with a step, or false at its end. */
static bool do_lock(struct play *p, struct rt_object *mutex, const struct task *task, int stage,
	struct step *step)
{
	if (p->stage == stage) {
		p->stage++;
		wait(step, &mutex->channel);
		return true;
	}
	mutex->owner = task;
	return false;
}

static bool do_unlock(struct rt_object *mutex, const struct task *task, struct step *step)
{
	if (mutex->owner != task)
		return false;
	mutex->owner = NULL;
	return post(step, &mutex->channel);
}

static bool do_wait(
	struct play *p, const struct rt_event *event, const struct task *task, struct step *step)
{
	enum { SIGNAL, UNLOCK, WAIT, LOCK };

	if (p->stage == SIGNAL) {
		p->stage++;
		if (event->kind == RT_SYNC && signal(event->object, step))
			return true;
	}
	if (p->stage == UNLOCK) {
		p->stage++;
		if (do_unlock(event->mutex, task, step))
			return true;
	}
	if (p->stage == WAIT) {
		p->stage++;
		event->object->waiters++;
		wait(step, &event->object->channel);
		return true;
	}
	return do_lock(p, event->mutex, task, LOCK, step);
}

static bool do_suspend(struct play *p, struct rt_object *object, struct step *step)
{
	if (p->stage++ > 0)
		return false;
	object->waiters++;
	wait(step, &object->channel);
	return true;
}

/* The last of a barrier's users wakes the others. */
static bool do_barrier(struct play *p, struct rt_object *gate, struct step *step)
{
	enum { ARRIVE, WAKE, GO };

	if (p->stage == ARRIVE) {
		if (++gate->arrived < gate->users) {
			p->stage = GO;
			gate->waiters++;
			wait(step, &gate->channel);
			return true;
		}
		gate->arrived = 0;
		p->stage = WAKE;
	}
	return p->stage == WAKE && signal(gate, step);
}

static bool do_timer(struct play *p, const struct rt_event *event, struct step *step)
{
	bool *set = event->object ? &event->object->set : &p->timer_set;
	int64_t *next_ns = event->object ? &event->object->next_ns : &p->next_ns;

	if (p->stage == 0) {
		p->stage++;
		step->kind = STEP_STAMP;
		step->stamp_ns = &p->now_ns;
		return true;
	}
	if (p->stage > 1)
		return false;
	p->stage++;
	if (!*set)
		*next_ns = p->first_ns;
	*set = true;
	*next_ns += event->ns;
	if (*next_ns <= p->now_ns) {
		if (!event->absolute)
			*next_ns = p->now_ns;
		return false;
	}
	step->kind = STEP_UNTIL;
	step->ns = *next_ns;
	return true;
}

static struct task *make_task(struct workload_ctx *ctx, const struct rt_task *from)
{
	struct rt_state *s = ctx->state;
	struct task *task = task_take(ctx);
	struct play *p = task->priv;

	*p = (struct play){ .task = from, .phase = from->first, .task_loops = from->loops };
	p->phase_loops = from->first->loops;
	p->event = from->first->first;
	task->name = from->name;
	task->leading = !s->timed;
	task_set_uclamp(
		task, (uint32_t)min_i64(from->util_min, from->util_max), (uint32_t)from->util_max);
	if (from->allowed)
		task_set_cpus(task, from->allowed);
	switch (from->class) {
	case TASK_FAIR:
		task_set_nice(task, (int)from->priority);
		break;
	case TASK_FIFO:
	case TASK_RR:
		task_set_rt(task, (int)from->priority, from->class == TASK_RR);
		break;
	case TASK_DEADLINE:
		task_set_deadline(task, from->dl_runtime_ns, from->dl_period_ns);
		break;
	}
	return task;
}

static bool do_fork(
	struct workload_ctx *ctx, struct play *p, const struct rt_event *event, struct step *step)
{
	struct rt_state *s = ctx->state;

	if (p->stage++ > 0)
		return false;
	if (s->room == 0) {
		s->failed_forks++;
		return false;
	}
	s->room--;
	step->kind = STEP_SPAWN;
	step->child = make_task(ctx, event->child);
	((struct play *)step->child->priv)->forked = true;
	return true;
}

static bool do_time(struct workload_ctx *ctx, struct play *p, struct step *step)
{
	if (p->stage++ > 0 || p->event->ns == 0)
		return false;
	p->steps = 0;
	step->kind = p->event->kind == RT_SLEEP ? STEP_SLEEP : STEP_RUN;
	if (p->event->kind == RT_RUN)
		step->work = p->event->ns * ctx->reference_khz;
	else if (p->event->kind == RT_RUNTIME)
		step->fixed_ns = p->event->ns;
	else
		step->ns = p->event->ns;
	return true;
}

static bool do_event(
	struct workload_ctx *ctx, struct play *p, const struct task *task, struct step *step)
{
	const struct rt_event *event = p->event;

	switch (event->kind) {
	case RT_RUN:
	case RT_RUNTIME:
	case RT_SLEEP:
		return do_time(ctx, p, step);
	case RT_TIMER:
		return do_timer(p, event, step);
	case RT_LOCK:
		return do_lock(p, event->object, task, 0, step);
	case RT_UNLOCK:
		return do_unlock(event->object, task, step);
	case RT_WAIT:
	case RT_SYNC:
		return do_wait(p, event, task, step);
	case RT_SIGNAL:
		return p->stage++ == 0 && signal(event->object, step);
	case RT_BROAD:
		return signal(event->object, step);
	case RT_SUSPEND:
		return do_suspend(p, event->object, step);
	case RT_BARRIER:
		return do_barrier(p, event->object, step);
	case RT_SEM_POST:
		return p->stage++ == 0 && post(step, &event->object->channel);
	case RT_SEM_WAIT:
		if (p->stage++ > 0)
			return false;
		wait(step, &event->object->channel);
		return true;
	case RT_FORK:
		return do_fork(ctx, p, event, step);
	}
	return false;
}

/* To the next event; false when the program has ended. */
static bool advance(struct play *p)
{
	p->stage = 0;
	if (p->event)
		p->event = p->event->next;
	while (!p->event) {
		if (++p->steps > STEPS_MAX)
			return true;
		if (p->phase_loops > 0)
			p->phase_loops--;
		if (p->phase_loops == 0) {
			p->phase = p->phase->next;
			if (!p->phase) {
				if (p->task_loops > 0)
					p->task_loops--;
				if (p->task_loops == 0)
					return false;
				p->phase = p->task->first;
			}
			p->phase_loops = p->phase->loops;
		}
		if (p->phase_loops != 0)
			p->event = p->phase->first;
	}
	return true;
}

static void leave(struct workload_ctx *ctx, const struct play *p, struct step *step)
{
	struct rt_state *s = ctx->state;

	s->room += p->forked;
	step->kind = STEP_EXIT;
}

/* The task that ends the run. */
static void next_clock(struct workload_ctx *ctx, struct play *p, struct step *step)
{
	struct rt_state *s = ctx->state;

	if (p->begun) {
		s->over = true;
		step->kind = STEP_EXIT;
		return;
	}
	p->begun = true;
	step->kind = STEP_UNTIL;
	step->ns = s->program.duration_ns;
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct rt_state *s = ctx->state;
	struct play *p = task->priv;

	if (!p->task) {
		next_clock(ctx, p, step);
		return;
	}
	if (!p->begun) {
		/* The delay, then the time from which timers count. */
		p->begun = p->stage++ == 1 || p->task->delay_ns == 0;
		step->kind = p->begun ? STEP_STAMP : STEP_SLEEP;
		step->ns = p->task->delay_ns;
		step->stamp_ns = &p->first_ns;
		p->stage = p->begun ? 0 : 1;
		return;
	}
	while (!s->over && ++p->steps <= STEPS_MAX) {
		if (p->event && do_event(ctx, p, task, step)) {
			if (step->kind == STEP_UNTIL)
				p->steps = 0;
			return;
		}
		if (!advance(p))
			break;
	}
	s->spinning += p->steps > STEPS_MAX;
	leave(ctx, p, step);
}

static int check_cpus(const struct workload_ctx *ctx, struct error *err)
{
	const struct rt_state *s = ctx->state;

	for (const struct rt_task *task = s->program.tasks; task; task = task->next)
		if (task->last_cpu >= ctx->nr_cpus)
			return error_set(err, ERROR_SCENARIO,
				"workload.file: task \"%.60s\" runs on CPU %lld, and the machine "
				"has %d",
				task->name, (long long)task->last_cpu, ctx->nr_cpus);
	return 0;
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct rt_params *opt = ctx->params;
	struct rt_state *s = ctx->state;

	if (!opt->file || !opt->file[0])
		return error_set(
			err, ERROR_SCENARIO, "workload.file is missing: the rt-app file to run");
	if (rt_program_read(ctx->arena, ctx->scenario_dir, opt->file, &s->program, err) ||
		check_cpus(ctx, err))
		return -1;
	if (opt->duration_ns != PARAM_AUTO)
		s->program.duration_ns = opt->duration_ns;
	/* Tasks without an end leave that to the clock; others may be done before. */
	s->timed = s->program.endless && s->program.duration_ns >= 0;
	s->room = s->program.forks ? opt->forked : 0;
	task_pool(ctx, (size_t)(s->program.nr_instances + s->room + 1));
	for (const struct rt_task *task = s->program.tasks; task; task = task->next)
		for (int64_t i = 0; i < task->instances; i++)
			task_start(ctx, make_task(ctx, task), -1);
	if (s->program.duration_ns >= 0) {
		struct task *clock = task_take(ctx);

		clock->name = "rt-app";
		clock->leading = s->timed;
		task_start(ctx, clock, -1);
	}
	return 0;
}

static void describe(const struct workload_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct rt_state *s = ctx->state;
	char value[64];

	snprintf(value, sizeof(value), "%lld", (long long)s->program.nr_instances);
	line(arg, "tasks at the start", value);
	if (s->program.duration_ns >= 0) {
		snprintf(value, sizeof(value), "%.3f s",
			(double)s->program.duration_ns / (double)NSEC_PER_SEC);
		line(arg, "duration", value);
	}
	if (s->program.bytes)
		line(arg, "mem, memrun, iorun", "0.1 ns a byte at any clock, assumed");
}

const struct workload workload_rt_app = {
	.name = "rt-app",
	.summary = "the tasks of an rt-app JSON file",
	.params = params,
	.params_size = sizeof(struct rt_params),
	.state_size = sizeof(struct rt_state),
	.task_size = sizeof(struct play),
	.build = build,
	.next = next,
	.describe = describe,
};
