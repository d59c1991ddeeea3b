#include "tests/support/tiny.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "workloads/workloads.h"

#define MAX_PLUGINS 64

/* Criterion runs every test in a process of its own: one tiny at a time. */
static struct {
	struct tiny *tiny;
	const struct script *scripts;
	const struct job *jobs;
	int nr;
	struct task *tasks[16];
} scripted;

struct scripted_task {
	int script, at;
};

static void scripted_next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct scripted_task *t = task->priv;
	const struct script_step *s = &scripted.scripts[t->script].steps[t->at++];

	*step = s->step;
	if (step->kind == STEP_SPAWN)
		step->child = scripted.tasks[s->spawn];
	if (step->kind == STEP_EXIT) {
		scripted.tiny->exit_ns[t->script] = ctx->kernel->engine->now_ns;
		scripted.tiny->exit_cpu[t->script] = task->cpu;
	}
}

static void set_class(struct task *task, const struct job *script)
{
	static struct cpumask pins[16];

	if (script->nice)
		task_set_nice(task, script->nice);
	if (script->fifo)
		task_set_rt(task, script->fifo, script->round_robin);
	if (script->dl_period_ns)
		task_set_deadline(task, script->dl_runtime_ns, script->dl_period_ns);
	if (!script->pin)
		return;
	cpumask_set(&pins[script->cpu], script->cpu);
	task_set_cpus(task, &pins[script->cpu]);
}

static int scripted_build(struct workload_ctx *ctx, struct error *err)
{
	(void)err;
	task_pool(ctx, (size_t)scripted.nr);
	for (int i = 0; i < scripted.nr; i++) {
		struct task *task = task_take(ctx);

		((struct scripted_task *)task->priv)->script = i;
		scripted.tasks[i] = task;
		task->name = "scripted";
		if (scripted.jobs)
			set_class(task, &scripted.jobs[i]);
		task->leading = !scripted.scripts[i].background;
		rng_set(&task->rng, ctx->seed, (uint64_t)i + 1);
		if (scripted.scripts[i].cpu >= 0)
			task_start(ctx, task, scripted.scripts[i].cpu);
	}
	return 0;
}

static const struct workload workload_scripted = {
	.name = "scripted",
	.summary = "tasks that follow a test's script",
	.task_size = sizeof(struct scripted_task),
	.build = scripted_build,
	.next = scripted_next,
};

int tiny_build(struct tiny *tiny, const char *yaml, const struct script *scripts, int nr)
{
	const struct workload *all[MAX_PLUGINS] = { &workload_scripted };
	const struct catalog catalog = { governors, drivers, all };
	struct node *root;

	for (int i = 0; workloads[i] && i < MAX_PLUGINS - 2; i++)
		all[i + 1] = workloads[i];
	scripted.tiny = tiny;
	scripted.scripts = scripts;
	scripted.nr = nr;
	cr_assert(not(arena_try(&tiny->arena)));
	if (yaml_read_text(&tiny->arena, "tests/data/tiny.yaml", yaml, &root, &tiny->err))
		return -1;
	if (scenario_from_tree(&tiny->arena, &catalog, root, &tiny->scenario, &tiny->err))
		return -1;
	return run_build(&tiny->run, &tiny->scenario, 0, &tiny->err);
}

void tiny_run(struct tiny *tiny, const char *yaml, const struct script *scripts, int nr)
{
	if (tiny_build(tiny, yaml, scripts, nr) || run_execute(&tiny->run, &tiny->err))
		cr_fatal("%s", tiny->err.text);
}

void tiny_run_jobs(struct tiny *tiny, const char *yaml, const struct job *jobs, int nr)
{
	static struct script scripts[16];

	for (int i = 0; i < nr; i++)
		scripts[i] = (struct script){ jobs[i].steps, jobs[i].cpu, jobs[i].background };
	scripted.jobs = jobs;
	tiny_run(tiny, yaml, scripts, nr);
}

void tiny_free(struct tiny *tiny)
{
	run_free(&tiny->run);
	arena_free(&tiny->arena);
}

int64_t tiny_commands(const struct tiny *tiny)
{
	int64_t commands = 0;

	for (int i = 0; i < tiny->run.kernel.nr_policies; i++)
		commands += tiny->run.kernel.policies[i].commands;
	return commands;
}
