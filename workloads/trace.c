/*
 * trace: a recording of a real machine, played again. Every task of the recorded workload does the
 * work it did, forks where it forked and wakes others where it woke them; how long it waits for a
 * CPU, and at which clock it runs, is up to the simulated machine. Ends when every task has.
 */
#include <stdio.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/base/units.h"
#include "sim/workload.h"
#include "workloads/trace/import.h"
#include "workloads/trace/script_file.h"
#include "workloads/trace/survey.h"

struct trace_params {
	const char *file, *root, *idle, *per_clock;
	int64_t from_ns, to_ns, memory_share_ppm, as_recorded;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct trace_params, field, name, unit, min, max, def, help)

static const char *const as_recorded[] = { "no", "yes", NULL };

static const struct param params[] = {
	PARAM_TEXT(struct trace_params, file, "file", NULL,
		"a recording (ftrace, trace-cmd report, perf script, systrace page, trace.dat; may "
		"be packed with xz, gzip, zstd), or what import -o wrote"),
	PARAM_TEXT(struct trace_params, root, "root", "auto",
		"replay the task of this pid or name and all it forks; auto: the workload between "
		"the marks workload_start and workload_end, else all"),
	PARAM_TEXT(struct trace_params, idle, "idle", "idle-standin",
		"name of a task that kept a CPU from idling while recording; counts as idle"),
	PARAM_TEXT(struct trace_params, per_clock, "per_clock", "1024",
		"work per clock of the recorded CPUs, 1024 the best kind's: one number, or one for "
		"each CPU from 0 on, separated by blanks"),
	ROW(from_ns, "from", UNIT_NS, 0, 1000000 * NSEC_PER_SEC, 0,
		"events before this time of the recording are not replayed"),
	ROW(to_ns, "to", UNIT_NS, 0, 1000000 * NSEC_PER_SEC, PARAM_AUTO,
		"events after this time of the recording are not replayed; auto: none"),
	ROW(memory_share_ppm, "memory_share", UNIT_PPM, 0, PPM, 0,
		"share of the work that waits for memory and not for the clock"),
	PARAM_CHOICE(struct trace_params, as_recorded, "as_recorded", as_recorded, PARAM_AUTO,
		"idle CPUs take as long to wake as they did, and a stand-in for idling is there; "
		"auto: on as many CPUs as recorded"),
	PARAM_END,
};

struct trace_replay {
	struct trace_import import;
	int64_t *waits_ns; /* room for as many as there are wake-ups */
	struct recorded_clock *clocks;
	size_t nr_clocks;
	bool scripts; /* read from a file of scripts: nothing is known of the recording */
};

/* Whether the simulated machine passes for the recorded one. */
static bool is_as_recorded(const struct workload_ctx *ctx, const struct trace_machine *machine)
{
	const struct trace_params *p = ctx->params;

	if (p->as_recorded != PARAM_AUTO)
		return p->as_recorded;
	return machine->nr_cpus == ctx->nr_cpus;
}

static void set_machine(struct workload_ctx *ctx, const struct trace_machine *machine)
{
	if (!is_as_recorded(ctx, machine))
		return;
	kernel_recorded_start(ctx->kernel, machine->start_ns);
	kernel_measured_wakeups(ctx->kernel, machine->wake_ns[0], machine->wake_ns[1]);
	kernel_measured_newidle(ctx->kernel, machine->newidle.looks, machine->newidle.pulls);
	for (int cpu = 0; cpu < ctx->nr_cpus && cpu < TRACE_MAX_CPUS && machine->standin; cpu++)
		if (machine->standin[cpu])
			kernel_idle_standin(ctx->kernel, cpu);
}

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
		step->wake = op->u.post.wake;
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
	case TRACE_OP_UNTIL:
		step->kind = STEP_UNTIL;
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

/* Of real-time tasks a trace does not tell whether their turns end, and of deadline tasks not what
 * they have reserved: they run as the most urgent FIFO tasks. */
static void set_class(struct task *task, int prio)
{
	if (prio < TRACE_PRIO_FAIR)
		task_set_rt(task, (int)min_i64(max_i64(TRACE_PRIO_FAIR - 1 - prio, 1), 99), false);
	else if (prio != TRACE_PRIO_NORMAL)
		task_set_nice(task, (int)min_i64(prio - TRACE_PRIO_NORMAL, 19));
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
		set_class(task, t->prio);
		r->op = t->first;
		r->delay_ns = t->delay_ns;
	}
	for (struct trace_task *t = import->tasks; t; t = t->next)
		if (t->in_tree && (t == import->root || !t->parent || !t->parent->in_tree))
			task_start(ctx, t->task, -1);
}

static int read_per_clock(
	struct arena *arena, const char *text, const int64_t **per_clock, struct error *err)
{
	int64_t *found = arena_array(arena, TRACE_MAX_CPUS, sizeof(*found));
	int nr = 0;

	for (const char *s = text + strspn(text, " "); *s; s += strspn(s, " ")) {
		const char *word = arena_printf(arena, "%.*s", (int)strcspn(s, " "), s);

		if (nr == TRACE_MAX_CPUS || str_to_i64(word, UNIT_NONE, &found[nr]) ||
			found[nr] < 1 || found[nr] > CAPACITY_SCALE)
			return error_set(err, ERROR_SCENARIO,
				"workload.per_clock: \"%.40s\" is not a number in 1..1024 for each "
				"of "
				"at most %d CPUs",
				word, TRACE_MAX_CPUS);
		s += strlen(word);
		nr++;
	}
	if (nr == 0)
		return error_set(err, ERROR_SCENARIO, "workload.per_clock has no number");
	for (int i = nr; i < TRACE_MAX_CPUS; i++)
		found[i] = nr == 1 ? found[0] : CAPACITY_SCALE;
	*per_clock = found;
	return 0;
}

static int check_params(
	const struct trace_params *p, struct trace_options *options, struct error *err)
{
	*options = (struct trace_options){
		.root = p->root,
		.idle = p->idle,
		.from_ns = p->from_ns,
		.to_ns = p->to_ns == PARAM_AUTO ? NEVER_NS : p->to_ns,
	};
	if (!p->file || !p->file[0])
		return error_set(
			err, ERROR_SCENARIO, "workload.file is missing: the recording to replay");
	if (options->to_ns <= options->from_ns)
		return error_set(err, ERROR_SCENARIO,
			"workload.to (%lld ns) is not after "
			"workload.from (%lld ns)",
			(long long)options->to_ns, (long long)options->from_ns);
	return 0;
}

/* What recorded() and clocks() tell once the run is built, when no more memory is to be had. */
static void keep_figures(struct workload_ctx *ctx, struct trace_replay *s)
{
	size_t nr = 0;

	s->waits_ns = arena_array(ctx->arena, s->import.wakeups.nr, sizeof(*s->waits_ns));
	for (const struct trace_clock *c = s->import.clocks; c; c = c->next)
		nr++;
	s->clocks = arena_array(ctx->arena, nr, sizeof(*s->clocks));
	for (const struct trace_clock *c = s->import.clocks; c; c = c->next)
		s->clocks[s->nr_clocks++] = (struct recorded_clock){ c->cpu, c->khz, c->ns };
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct trace_params *p = ctx->params;
	struct trace_replay *s = ctx->state;
	struct trace_options options;

	if (check_params(p, &options, err) ||
		read_per_clock(ctx->arena, p->per_clock, &options.per_clock, err))
		return -1;
	options.reference_khz = ctx->reference_khz;
	const char *path = find_file(ctx, p->file);
	s->scripts = script_file_is(path);
	if (s->scripts ? script_file_load(ctx->arena, path, &s->import, err)
		       : trace_import(ctx->arena, path, &options, &s->import, err))
		return -1;
	keep_figures(ctx, s);
	set_machine(ctx, &s->import.machine);
	make_tasks(ctx, &s->import);
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

/* What of the recorded machine is not work, and whether it holds in this run. */
static void say_machine(const struct lines *to, const struct workload_ctx *ctx)
{
	const struct trace_replay *s = ctx->state;
	const struct trace_machine *machine = &s->import.machine;
	const char *use = is_as_recorded(ctx, machine) ? "" : ", not in this run";
	char value[96];

	if (machine->wake_ns[0] || machine->wake_ns[1]) {
		snprintf(value, sizeof(value),
			"%.2f us by its own interrupt, %.2f us by another CPU%s",
			(double)machine->wake_ns[0] / 1e3, (double)machine->wake_ns[1] / 1e3, use);
		to->line(to->arg, "wake-up of an idle CPU", value);
	}
	if (machine->newidle.looks) {
		snprintf(value, sizeof(value), "%lld of %lld%s", (long long)machine->newidle.pulls,
			(long long)machine->newidle.looks, use);
		to->line(to->arg, "waiting tasks pulled by CPUs out of work", value);
	}
	for (int cpu = 0; machine->standin && cpu < TRACE_MAX_CPUS; cpu++) {
		if (!machine->standin[cpu])
			continue;
		snprintf(value, sizeof(value), "CPU %d%s", cpu, use);
		to->line(to->arg, "stand-in for idling on", value);
	}
}

static void say_scripts(const struct lines *to, const struct trace_totals *t)
{
	char value[48];

	snprintf(value, sizeof(value), "%lld cycles", (long long)(t->work / WORK_PER_CYCLE));
	say_count(to, "tasks replayed", t->tasks);
	to->line(to->arg, "work replayed", value);
	say_count(to, "forks", t->forks);
	say_count(to, "wake-ups by a task", t->edges);
	say_count(to, "sleeps", t->sleeps);
	say_count(to, "device waits", t->ios);
}

static void say_reading(const struct lines *to, const struct trace_reading *reading)
{
	char name[64];

	say_count(to, "lines", reading->lines);
	say_count(to, "lines without head", reading->foreign);
	say_count(to, "payloads unreadable", reading->payloads);
	say_count(to, "lines too long", reading->too_long);
	for (int kind = 0; kind < TRACE_KINDS; kind++) {
		if (!reading->events[kind])
			continue;
		snprintf(name, sizeof(name), "events %s", trace_kind_name((enum trace_kind)kind));
		say_count(to, name, reading->events[kind]);
	}
}

/* What was read, what was left out, what is assumed. */
static void describe(const struct workload_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct trace_replay *s = ctx->state;
	const struct trace_totals *t = &s->import.totals;
	const struct lines to = { line, arg };

	if (s->scripts) {
		say_scripts(&to, t);
		say_machine(&to, ctx);
		return;
	}
	say_clock(&to, t, ctx->reference_khz);
	say_seconds(&to, "recording", t->span_ns);
	say_seconds(&to, "replayed part", t->last_ns - t->first_ns);
	say_seconds(&to, "run time replayed", t->run_ns);
	say_count(&to, "waits for a CPU", t->waits);
	say_seconds(&to, "time of those", t->wait_ns);
	say_seconds(&to, "longest of those", t->wait_max_ns);
	say_machine(&to, ctx);
	say_count(&to, "tasks replayed", t->tasks);
	say_count(&to, "tasks recorded", t->tasks_seen);
	say_count(&to, "CPUs recorded", t->recorded_cpus);
	say_count(&to, "tasks not of nice 0", t->reniced);
	say_count(&to, "real-time tasks", t->urgent);
	say_count(&to, "forks", t->forks);
	say_count(&to, "wake-ups by a task", t->edges);
	say_count(&to, "sleeps", t->sleeps);
	say_count(&to, "sleeps in a beat", t->beats);
	say_count(&to, "device waits", t->ios);
	say_count(&to, "blocks cut by the end", t->open_blocks);
	say_count(&to, "chain breaks repaired", t->chain_breaks);
	say_count(&to, "missing wake-ups", t->missing_wakeups);
	say_count(&to, "losses of events", t->losses);
	say_seconds(&to, "CPU time with losses", t->lost_ns);
	say_count(&to, "time stamps back", t->backward);
	say_reading(&to, &s->import.reading);
}

static void comment(void *arg, const char *name, const char *value)
{
	fprintf(arg, "# %s: %s\n", name, value);
}

static void save(const struct workload_ctx *ctx, FILE *out)
{
	struct trace_replay *s = ctx->state;

	script_file_begin(out);
	describe(ctx, comment, out);
	script_file_save(out, &s->import);
}

static int recorded(const struct workload_ctx *ctx, struct measure *out)
{
	const struct trace_replay *s = ctx->state;
	const struct trace_totals *t = &s->import.totals;
	const double second = (double)NSEC_PER_SEC;
	int nr = 0;

	if (s->scripts)
		return 0;
	out[nr++] = (struct measure){ "elapsed_s", "s",
		(double)(t->last_ns - t->first_ns) / second };
	out[nr++] = (struct measure){ "cpu_seconds_s", "s", (double)t->run_ns / second };
	if (t->clock_recorded && !t->clock_assumed && t->run_ns > 0)
		out[nr++] = (struct measure){ "freq_avg_ghz", "GHz",
			(double)t->work / (double)t->run_ns / 1e6 };
	out[nr++] = (struct measure){ "total_cycles", "",
		(double)t->work / (double)WORK_PER_CYCLE };
	out[nr++] = (struct measure){ "wakeups", "", (double)(t->edges + t->sleeps + t->ios) };
	out[nr++] = (struct measure){ "forks", "", (double)t->forks };
	size_t nr_waits = trace_wakeups_sorted(&s->import.wakeups, s->waits_ns);
	if (nr_waits) {
		out[nr++] = (struct measure){ "wakeup_p50_us", "us",
			(double)s->waits_ns[nr_waits / 2] / 1e3 };
		out[nr++] = (struct measure){ "wakeup_p99_us", "us",
			(double)s->waits_ns[nr_waits * 99 / 100] / 1e3 };
	}
	return nr;
}

static size_t clocks(const struct workload_ctx *ctx, const struct recorded_clock **out)
{
	const struct trace_replay *s = ctx->state;

	*out = s->clocks;
	return s->nr_clocks;
}

static void say_clocks(const struct lines *to, const struct survey *survey, int cpu)
{
	int64_t all_ns = 0;
	char name[32], value[64];

	for (const struct survey_clock *c = survey->cpus[cpu].clocks; c; c = c->next)
		all_ns += c->ns;
	for (const struct survey_clock *c = survey->cpus[cpu].clocks; c; c = c->next) {
		if (c->ns == 0)
			continue;
		snprintf(name, sizeof(name), "cpu%d at", cpu);
		if (c->khz)
			snprintf(value, sizeof(value), "%lld kHz: %.6f s, %.1f %%",
				(long long)c->khz, (double)c->ns / (double)NSEC_PER_SEC,
				100 * (double)c->ns / (double)all_ns);
		else
			snprintf(value, sizeof(value), "not yet known: %.6f s",
				(double)c->ns / (double)NSEC_PER_SEC);
		to->line(to->arg, name, value);
	}
}

static void say_survey(const struct lines *to, const struct survey *survey)
{
	char name[96];

	say_seconds(to, "recording", survey->last_ns - survey->first_ns);
	say_count(to, "CPUs", survey->nr_cpus);
	if (survey->header_cpus)
		say_count(to, "CPUs by the header", survey->header_cpus);
	say_count(to, "tasks", survey->tasks);
	say_seconds(to, "run time", survey->run_ns);
	say_count(to, "wake-ups", survey->wakeups);
	say_count(to, "forks", survey->forks);
	say_count(to, "chain breaks", survey->chain_breaks);
	say_count(to, "losses of events", survey->losses);
	say_count(to, "events lost, at least", survey->lost_events);
	say_seconds(to, "CPU time with losses", survey->lost_ns);
	say_count(to, "time stamps back", survey->backward);
	say_reading(to, &survey->reading);
	for (int i = 0; i < TRACE_MAX_CPUS; i++)
		say_clocks(to, survey, i);
	for (int i = 0; i < survey->nr_top; i++) {
		const struct survey_task *task = survey->top[i];

		snprintf(name, sizeof(name), "run time of %s-%lld",
			task->comm[0] ? task->comm : "?", (long long)task->pid);
		say_seconds(to, name, task->run_ns);
	}
}

static int survey_file(struct arena *arena, const void *given,
	void (*line)(void *arg, const char *name, const char *value), void *arg, struct error *err)
{
	const struct trace_params *p = given;
	struct survey *survey = arena_alloc(arena, sizeof(*survey));
	struct trace_options options;

	if (check_params(p, &options, err) ||
		trace_survey(arena, p->file, options.from_ns, options.to_ns, p->idle, survey, err))
		return -1;
	say_survey(&(struct lines){ line, arg }, survey);
	return 0;
}

const struct workload workload_trace = {
	.name = "trace",
	.summary = "a recorded trace (ftrace, trace-cmd report, perf script), played again",
	.params = params,
	.params_size = sizeof(struct trace_params),
	.state_size = sizeof(struct trace_replay),
	.task_size = sizeof(struct replay),
	.build = build,
	.next = next,
	.describe = describe,
	.save = save,
	.survey = survey_file,
	.recorded = recorded,
	.clocks = clocks,
};
