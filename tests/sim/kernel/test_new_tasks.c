#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/run.h"

/*
 * A parent that starts one child of 0.49 ms after another, at 4.6 GHz: what utilisation children
 * begin and end with. The numbers are those of the PIDs-per-second thread's mechanism.
 */

#define KHZ 4600000
#define CHILD_NS 490000
#define PARENT_NS 65000
#define CHILDREN 4000

struct pid_task {
	bool is_child;
	int stage;
};

static struct {
	struct channel ended;
	int nr;
	uint64_t begin[CHILDREN], end[CHILDREN];
} log_of;

static void next_child(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct pid_task *t = task->priv;

	(void)ctx;
	switch (t->stage++) {
	case 0:
		log_of.begin[log_of.nr] = task->pelt.sig.util_avg;
		step->kind = STEP_RUN;
		step->work = (int64_t)CHILD_NS * KHZ;
		return;
	case 1:
		log_of.end[log_of.nr++] = task->pelt.sig.util_avg;
		step->kind = STEP_POST;
		step->channel = &log_of.ended;
		step->wake = WAKE_EXITING;
		return;
	default:
		step->kind = STEP_EXIT;
	}
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct pid_task *t = task->priv;

	if (t->is_child) {
		next_child(ctx, task, step);
		return;
	}
	switch (t->stage++ % 3) {
	case 0:
		step->kind = log_of.nr == CHILDREN ? STEP_EXIT : STEP_RUN;
		step->work = (int64_t)PARENT_NS * KHZ;
		return;
	case 1:
		step->kind = STEP_SPAWN;
		step->child = task_take(ctx);
		((struct pid_task *)step->child->priv)->is_child = true;
		return;
	default:
		step->kind = STEP_WAIT;
		step->channel = &log_of.ended;
	}
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	struct task *parent;

	(void)err;
	task_pool(ctx, 4);
	parent = task_take(ctx);
	parent->leading = true;
	task_start(ctx, parent, 0);
	return 0;
}

static const struct workload workload_pids = {
	.name = "pids",
	.summary = "one child after another",
	.task_size = sizeof(struct pid_task),
	.build = build,
	.next = next,
};

static void run_with(const char *placement)
{
	static struct arena arena;
	static struct scenario scenario;
	static struct run run;
	const struct workload *const all[] = { &workload_pids, NULL };
	const struct catalog catalog = { governors, drivers, all };
	struct error err = { 0 };
	struct node *root;
	char yaml[512];

	snprintf(yaml, sizeof(yaml),
		"machine: i5-9600k\n"
		"kernel: { version: \"5.10\", hz: 1000, invariance: cpufreq, placement: %s }\n"
		"driver: 'null'\n"
		"governor: performance\n"
		"workload: pids\n",
		placement);
	cr_assert(not(arena_try(&arena)));
	if (yaml_read_text(&arena, "tests/data/pids.yaml", yaml, &root, &err) < 0 ||
		scenario_from_tree(&arena, &catalog, root, &scenario, &err) < 0 ||
		run_build_watched(&run, &scenario, 0, &err) < 0 || run_execute(&run, &err) < 0)
		cr_fatal("%s", err.text);
	run_free(&run);
	arena_free(&arena);
}

/* The machine has six CPUs, one of them the parent's. */
Test(new_tasks, the_first_on_a_fresh_cpu_begins_with_half_of_it)
{
	run_with("least-utilised");
	for (int i = 0; i < 5; i++) {
		cr_assert(ge(u64, log_of.begin[i], 509));
		cr_assert(le(u64, log_of.end[i], 517));
	}
	/* The second one with half of what the first has left. */
	cr_assert(ge(u64, log_of.begin[6], 253));
	cr_assert(le(u64, log_of.begin[6], 257));
}

Test(new_tasks, on_one_cpu_they_come_to_a_fixed_point)
{
	run_with("first-idle");
	cr_assert(eq(u64, log_of.begin[0], 512));
	for (int i = 1; i < 8; i++) {
		uint64_t half = (1024 - log_of.end[i - 1]) / 2;

		/* Less by what dead tasks leave behind by truncation. */
		cr_assert(le(u64, log_of.begin[i], half));
		cr_assert(ge(u64, log_of.begin[i] + 25, half));
	}
	cr_assert(ge(u64, log_of.begin[7], 318));
	cr_assert(le(u64, log_of.end[7], 348));
}

/* Where the CPU stood before a child that began with half of the rest. */
static double mean_before(int from, int nr)
{
	double sum = 0;

	for (int i = from; i < from + nr; i++)
		sum += 1024 - 2.0 * (double)log_of.begin[i];
	return sum / nr;
}

Test(new_tasks, on_one_cpu_what_dead_tasks_leave_behind_grows)
{
	run_with("first-idle");
	/* More than one per child, on the way to a CPU that is always busy. */
	cr_assert(epsilon_eq(dbl, (mean_before(110, 20) - mean_before(50, 20)) / 60, 1.2, 0.3));
	cr_assert(gt(dbl, mean_before(1110, 20), mean_before(110, 20) + 50));
}
