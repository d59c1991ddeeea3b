#include "workloads/trace/survey.h"

#include <setjmp.h>
#include <string.h>

#include "sim/base/units.h"

#define PIDS_PER_PAGE INT64_C(4096)
#define PID_PAGES (INT64_C(4194304) / PIDS_PER_PAGE + 1)

struct surveyor {
	struct arena *arena;
	struct survey *survey;
	struct trace_reader reader;
	struct survey_task ***pids;
	const char *idle;
	int64_t from_ns, to_ns;
	int64_t origin_ns, now_ns;
	bool started, stopped;
};

static struct survey_task *task_of(struct surveyor *sv, const struct trace_who *who)
{
	if (who->pid <= 0)
		return NULL;
	struct survey_task ***page = &sv->pids[who->pid / PIDS_PER_PAGE];
	if (!*page)
		*page = arena_array(sv->arena, (size_t)PIDS_PER_PAGE, sizeof(**page));
	struct survey_task **slot = &(*page)[who->pid % PIDS_PER_PAGE];
	if (!*slot) {
		*slot = arena_alloc(sv->arena, sizeof(**slot));
		(*slot)->pid = who->pid;
		(*slot)->next = sv->survey->all;
		sv->survey->all = *slot;
	}
	if (who->comm[0]) {
		memcpy((*slot)->comm, who->comm, sizeof((*slot)->comm));
		(*slot)->idle = sv->idle && strcmp(who->comm, sv->idle) == 0;
	}
	return *slot;
}

/* The task shows signs of life. */
static struct survey_task *task_lives(struct surveyor *sv, const struct trace_who *who)
{
	struct survey_task *task = task_of(sv, who);

	if (task && !task->alive) {
		task->alive = true;
		sv->survey->tasks++;
	}
	return task;
}

static void clock_account(struct surveyor *sv, struct survey_cpu *cpu)
{
	struct survey_clock **slot = &cpu->clocks;

	while (*slot && (*slot)->khz < cpu->khz)
		slot = &(*slot)->next;
	if (!*slot || (*slot)->khz != cpu->khz) {
		struct survey_clock *clock = arena_alloc(sv->arena, sizeof(*clock));

		clock->khz = cpu->khz;
		clock->next = *slot;
		*slot = clock;
	}
	(*slot)->ns += max_i64(sv->now_ns - cpu->khz_since_ns, 0);
	cpu->khz_since_ns = sv->now_ns;
}

/* The task on the CPU has run until now. */
static void run_account(struct surveyor *sv, struct survey_cpu *cpu, int64_t t_ns)
{
	struct trace_who who = { .pid = cpu->pid };
	struct survey_task *task = task_of(sv, &who);
	int64_t ns = max_i64(t_ns - cpu->since_ns, 0);

	cpu->since_ns = t_ns;
	if (!task || task->idle)
		return;
	task->run_ns += ns;
	sv->survey->run_ns += ns;
}

static void take_switch(
	struct surveyor *sv, struct survey_cpu *cpu, const struct trace_event *event)
{
	sv->survey->chain_breaks += cpu->chain >= 0 && cpu->chain != event->a.pid;
	/* Whoever it was that ran: the switch knows. Since when, only if it was the same. */
	if (cpu->pid < 0 && !cpu->lost)
		cpu->pid = event->a.pid;
	if (cpu->pid == event->a.pid)
		run_account(sv, cpu, sv->now_ns);
	struct survey_task *out = task_lives(sv, &event->a);
	if (out && event->prev_state == TRACE_DEAD)
		out->alive = false;
	struct survey_task *in = task_lives(sv, &event->b);
	if (in)
		in->fresh = false;
	cpu->chain = event->b.pid;
	cpu->pid = event->b.pid;
	cpu->since_ns = sv->now_ns;
}

static void take_birth(struct surveyor *sv, const struct trace_event *event)
{
	struct survey_task *task = task_of(sv, &event->b);

	if (!task || (task->alive && task->fresh))
		return;
	task->alive = false; /* its pid has been given away */
	task_lives(sv, &event->b);
	task->fresh = true;
	sv->survey->forks++;
}

static void take_loss(struct surveyor *sv, const struct trace_event *event)
{
	struct survey *survey = sv->survey;

	survey->losses++;
	survey->lost_events += max_i64(event->lost, 0);
	if (event->cpu < 0)
		return;
	struct survey_cpu *cpu = &survey->cpus[event->cpu];
	if (cpu->seen)
		run_account(sv, cpu, cpu->last_ns);
	if (!cpu->lost)
		cpu->lost_ns = cpu->seen ? cpu->last_ns : sv->now_ns;
	cpu->lost = true;
	cpu->pid = -1;
	cpu->chain = -1;
}

static void take_wakeup(struct surveyor *sv, const struct trace_event *event)
{
	struct survey_task *task = task_lives(sv, &event->b);

	sv->survey->wakeups++;
	if (task)
		task->wakeups++;
}

static void take_frequency(struct surveyor *sv, const struct trace_event *event)
{
	struct survey_cpu *cpu = &sv->survey->cpus[event->target_cpu];

	if (!cpu->clocks)
		cpu->khz_since_ns = sv->origin_ns + sv->from_ns;
	clock_account(sv, cpu);
	cpu->khz = event->khz;
}

static void take_event(struct surveyor *sv, const struct trace_event *event)
{
	struct survey_cpu *cpu = &sv->survey->cpus[event->cpu];

	if (!cpu->seen) {
		cpu->seen = true;
		cpu->since_ns = sv->origin_ns + sv->from_ns;
		sv->survey->nr_cpus++;
	}
	if (cpu->lost) {
		sv->survey->lost_ns += max_i64(sv->now_ns - cpu->lost_ns, 0);
		cpu->since_ns = sv->now_ns;
		cpu->lost = false;
	}
	switch (event->kind) {
	case TRACE_SWITCH:
		take_switch(sv, cpu, event);
		break;
	case TRACE_WAKEUP:
		take_wakeup(sv, event);
		break;
	case TRACE_FORK:
	case TRACE_WAKEUP_NEW:
		take_birth(sv, event);
		break;
	case TRACE_FREQUENCY:
		take_frequency(sv, event);
		break;
	case TRACE_RENAME:
		task_of(sv, &event->a);
		break;
	default:
		break;
	}
	cpu->last_ns = sv->now_ns;
}

/* What stands in no line of a CPU, and the clock; true: the event counts. */
static bool advance(struct surveyor *sv, const struct trace_event *event)
{
	if (event->kind == TRACE_CPUS) {
		sv->survey->header_cpus = max_i64(sv->survey->header_cpus, event->nr_cpus);
		sv->survey->losses += event->lost > 0;
		return false;
	}
	if (event->kind == TRACE_LOST) {
		take_loss(sv, event);
		return false;
	}
	if (!sv->started)
		sv->origin_ns = sv->now_ns = event->t_ns;
	sv->started = true;
	sv->survey->backward += event->t_ns < sv->now_ns;
	sv->now_ns = max_i64(sv->now_ns, event->t_ns);
	if (sv->now_ns - sv->origin_ns > sv->to_ns) {
		sv->now_ns = sv->origin_ns + sv->to_ns;
		sv->stopped = true;
		return false;
	}
	if (sv->now_ns - sv->origin_ns >= sv->from_ns)
		return true;
	if (event->kind == TRACE_FREQUENCY)
		sv->survey->cpus[event->target_cpu].khz = event->khz;
	return false;
}

static void finish(struct surveyor *sv)
{
	struct survey *survey = sv->survey;

	survey->first_ns = sv->origin_ns + sv->from_ns;
	survey->last_ns = max_i64(sv->now_ns, survey->first_ns);
	survey->reading = sv->reader.reading;
	survey->lost_events += survey->reading.overwritten;
	for (int i = 0; i < TRACE_MAX_CPUS; i++) {
		struct survey_cpu *cpu = &survey->cpus[i];

		if (cpu->seen && !cpu->lost && cpu->pid > 0)
			run_account(sv, cpu, sv->now_ns);
		if (cpu->khz)
			clock_account(sv, cpu);
	}
	for (struct survey_task *task = survey->all; task; task = task->next) {
		int at = survey->nr_top;

		if (task->idle)
			continue;
		if (at < SURVEY_TOP)
			survey->nr_top++;
		else if (survey->top[--at]->run_ns >= task->run_ns)
			continue;
		for (; at > 0 && survey->top[at - 1]->run_ns < task->run_ns; at--)
			survey->top[at] = survey->top[at - 1];
		survey->top[at] = task;
	}
}

static int read_all(struct surveyor *sv, struct error *err)
{
	struct trace_event *event = arena_alloc(sv->arena, sizeof(*event));
	int got = 0;

	while (!sv->stopped && (got = trace_next(&sv->reader, event, err)) > 0)
		if (advance(sv, event))
			take_event(sv, event);
	if (got < 0)
		return -1;
	if (!sv->reader.reading.events[TRACE_SWITCH])
		return trace_no_scheduling(&sv->reader, err);
	finish(sv);
	return 0;
}

int trace_survey(struct arena *arena, const char *path, int64_t from_ns, int64_t to_ns,
	const char *idle, struct survey *survey, struct error *err)
{
	struct surveyor *const sv = arena_alloc(arena, sizeof(*sv));
	jmp_buf outer;

	memset(survey, 0, sizeof(*survey));
	sv->arena = arena;
	sv->survey = survey;
	sv->idle = idle;
	sv->from_ns = from_ns;
	sv->to_ns = to_ns;
	sv->pids = arena_array(arena, (size_t)PID_PAGES, sizeof(*sv->pids));
	survey->cpus = arena_array(arena, TRACE_MAX_CPUS, sizeof(*survey->cpus));
	for (int i = 0; i < TRACE_MAX_CPUS; i++)
		survey->cpus[i].pid = survey->cpus[i].chain = -1;
	if (trace_open(&sv->reader, arena, path, err))
		return -1;
	/* Out of memory must not leave the file open: stand in the way of the caller's guard. */
	memcpy(&outer, &arena->out_of_memory, sizeof(outer));
	if (arena_try(arena)) {
		trace_close(&sv->reader);
		memcpy(&arena->out_of_memory, &outer, sizeof(outer));
		longjmp(arena->out_of_memory, 1);
	}
	int rc = read_all(sv, err);
	memcpy(&arena->out_of_memory, &outer, sizeof(outer));
	trace_close(&sv->reader);
	return rc;
}
