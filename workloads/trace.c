/*
 * trace: a recording of a real machine, played again. Every task of the recorded workload does the
 * work it did, forks where it forked and wakes others where it woke them; how long it waits for a
 * CPU, and at which clock it runs, is up to the simulated machine. Ends when every task has.
 */
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/workload.h"
#include "workloads/trace/import.h"

struct trace_params {
	const char *file, *root, *idle;
	int64_t from_ns, to_ns, memory_share_ppm;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct trace_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	PARAM_TEXT(struct trace_params, file, "file", NULL,
		"text of an ftrace trace, of trace-cmd report or of perf script; may end in .xz"),
	PARAM_TEXT(struct trace_params, root, "root", "auto",
		"replay the task of this pid or name and all it forks; auto: the workload between "
		"the marks workload_start and workload_end, else all"),
	PARAM_TEXT(struct trace_params, idle, "idle", "idle-standin",
		"name of a task that kept a CPU from idling while recording; counts as idle"),
	ROW(from_ns, "from", UNIT_NS, 0, 1000000 * NSEC_PER_SEC, 0,
		"events before this time of the recording are not replayed"),
	ROW(to_ns, "to", UNIT_NS, 0, 1000000 * NSEC_PER_SEC, PARAM_AUTO,
		"events after this time of the recording are not replayed; auto: none"),
	ROW(memory_share_ppm, "memory_share", UNIT_PPM, 0, PPM, 0,
		"share of the work that waits for memory and not for the clock"),
	PARAM_END,
};

/* One task's place in its script. */
struct replay {
	struct trace_op *op;
	int64_t delay_ns;
};

/* Puts together what the recording cut: other clocks, edges that are left out. */
static void next_run(const struct trace_params *p, struct replay *r, struct step *step)
{
	step->kind = STEP_RUN;
	step->mem_ppm = (uint32_t)p->memory_share_ppm;
	for (; r->op; r->op = r->op->next) {
		if (r->op->kind == TRACE_OP_NONE)
			continue;
		if (r->op->kind != TRACE_OP_RUN || step->work > INT64_MAX - r->op->u.work)
			break;
		step->work += r->op->u.work;
	}
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct replay *r = task->priv;
	struct trace_op *op;

	if (r->delay_ns) {
		step->kind = STEP_SLEEP;
		step->ns = r->delay_ns;
		r->delay_ns = 0;
		return;
	}
	while (r->op && r->op->kind == TRACE_OP_NONE)
		r->op = r->op->next;
	op = r->op;
	if (!op) {
		step->kind = STEP_EXIT;
		return;
	}
	if (op->kind == TRACE_OP_RUN) {
		next_run(ctx->params, r, step);
		return;
	}
	r->op = op->next;
	switch (op->kind) {
	case TRACE_OP_SPAWN:
		step->kind = STEP_SPAWN;
		step->child = op->u.child->task;
		break;
	case TRACE_OP_POST:
		step->kind = STEP_POST;
		step->channel = &op->u.post.block->u.wait.channel;
		break;
	case TRACE_OP_BLOCK:
		step->kind = STEP_WAIT;
		step->channel = &op->u.wait.channel;
		break;
	case TRACE_OP_SLEEP:
	case TRACE_OP_IO:
		step->kind = op->kind == TRACE_OP_IO ? STEP_IO : STEP_SLEEP;
		step->ns = op->ns;
		break;
	case TRACE_OP_NONE:
	case TRACE_OP_RUN:
		break;
	}
}

static bool readable(const char *path)
{
	FILE *file = fopen(path, "rb");

	if (file)
		fclose(file);
	return file != NULL;
}

/* A relative name is the scenario's, else the user's. */
static const char *find_file(struct workload_ctx *ctx, const char *file)
{
	if (file[0] != '/' && ctx->scenario_dir) {
		const char *path = arena_printf(ctx->arena, "%s/%s", ctx->scenario_dir, file);

		if (readable(path))
			return path;
	}
	return file;
}

/* Every task is taken at once: which of them will be alive together depends on the run. */
static void make_tasks(struct workload_ctx *ctx, struct trace_import *import)
{
	task_pool(ctx, (size_t)import->totals.tasks);
	for (struct trace_task *t = import->tasks; t; t = t->next) {
		if (!t->in_tree)
			continue;
		struct task *task = task_take(ctx);
		struct replay *r = task->priv;

		t->task = task;
		task->name = t->comm[0] ? t->comm : "trace";
		task->leading = true;
		r->op = t->first;
		r->delay_ns = t->delay_ns;
	}
	for (struct trace_task *t = import->tasks; t; t = t->next)
		if (t->in_tree && (t == import->root || !t->parent || !t->parent->in_tree))
			task_start(ctx, t->task, -1);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct trace_params *p = ctx->params;
	struct trace_import *import = ctx->state;
	struct trace_options options = {
		.root = p->root,
		.idle = p->idle,
		.from_ns = p->from_ns,
		.to_ns = p->to_ns == PARAM_AUTO ? NEVER_NS : p->to_ns,
		.reference_khz = ctx->reference_khz,
	};

	if (!p->file || !p->file[0])
		return error_set(
			err, ERROR_SCENARIO, "workload.file is missing: the recording to replay");
	if (options.to_ns <= options.from_ns)
		return error_set(err, ERROR_SCENARIO,
			"workload.to (%lld ns) is not after "
			"workload.from (%lld ns)",
			(long long)options.to_ns, (long long)options.from_ns);
	const char *path = find_file(ctx, p->file);
	if (trace_import(ctx->arena, path, &options, import, err))
		return -1;
	make_tasks(ctx, import);
	return 0;
}

/* Where the lines of describe() go. */
struct lines {
	void (*line)(void *arg, const char *name, const char *value);
	void *arg;
};

static void say_count(const struct lines *to, const char *name, int64_t nr)
{
	char value[32];

	snprintf(value, sizeof(value), "%lld", (long long)nr);
	to->line(to->arg, name, value);
}

static void say_seconds(const struct lines *to, const char *name, int64_t ns)
{
	char value[48];

	snprintf(value, sizeof(value), "%lld.%06lld s", (long long)(ns / NSEC_PER_SEC),
		(long long)(ns % NSEC_PER_SEC / NSEC_PER_USEC));
	to->line(to->arg, name, value);
}

static void say_clock(const struct lines *to, const struct trace_totals *t, int64_t reference_khz)
{
	char value[128];

	if (!t->clock_assumed)
		snprintf(value, sizeof(value), "as recorded (cpu_frequency)");
	else
		snprintf(value, sizeof(value), "%lld kHz assumed, the machine's reference%s",
			(long long)reference_khz,
			t->clock_recorded ? ", on CPUs without cpu_frequency" : "");
	to->line(to->arg, "recorded at", value);
}

/* What was read, what was left out, what is assumed. */
static void describe(const struct workload_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct trace_import *import = ctx->state;
	const struct trace_totals *t = &import->totals;
	const struct trace_reading *reading = &import->reading;
	const struct lines to = { line, arg };
	char name[64];

	say_clock(&to, t, ctx->reference_khz);
	say_seconds(&to, "recording", t->span_ns);
	say_seconds(&to, "replayed part", t->last_ns - t->first_ns);
	say_seconds(&to, "run time replayed", t->run_ns);
	say_count(&to, "tasks replayed", t->tasks);
	say_count(&to, "tasks recorded", t->tasks_seen);
	say_count(&to, "CPUs recorded", t->recorded_cpus);
	say_count(&to, "forks", t->forks);
	say_count(&to, "wake-ups by a task", t->edges);
	say_count(&to, "sleeps", t->sleeps);
	say_count(&to, "device waits", t->ios);
	say_count(&to, "blocks cut by the end", t->open_blocks);
	say_count(&to, "chain breaks repaired", t->chain_breaks);
	say_count(&to, "missing wake-ups", t->missing_wakeups);
	say_count(&to, "losses of events", t->losses);
	say_count(&to, "time stamps back", t->backward);
	say_count(&to, "lines", reading->lines);
	say_count(&to, "lines without head", reading->foreign);
	say_count(&to, "payloads unreadable", reading->payloads);
	say_count(&to, "lines too long", reading->too_long);
	for (int kind = 0; kind < TRACE_KINDS; kind++) {
		if (!reading->events[kind])
			continue;
		snprintf(name, sizeof(name), "events %s", trace_kind_name((enum trace_kind)kind));
		say_count(&to, name, reading->events[kind]);
	}
}

const struct workload workload_trace = {
	.name = "trace",
	.summary = "a recorded trace (ftrace, trace-cmd report, perf script), played again",
	.params = params,
	.params_size = sizeof(struct trace_params),
	.state_size = sizeof(struct trace_import),
	.task_size = sizeof(struct replay),
	.build = build,
	.next = next,
	.describe = describe,
};
