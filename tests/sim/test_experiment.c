#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/experiment.h"
#include "tests/support/program.h"
#include "workloads/workloads.h"

static const struct catalog catalog = { governors, drivers, workloads };
static struct arena arena;
static struct experiment experiment;
static struct error err;

#define QUANTITY            \
	"    quantities:\n" \
	"      - { id: t, metric: elapsed_s, unit: s, columns: [real_s], tolerance_pct: 3 }\n"

/* Tests run at the same time: each has a directory of its own. */
static char top[64], path_x[128];

static void write_file(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static int load(const char *text, bool quick)
{
	snprintf(top, sizeof(top), "/tmp/test_experiment_XXXXXX");
	cr_assert(mkdtemp(top) != NULL);
	snprintf(path_x, sizeof(path_x), "%s/x.yaml", top);
	write_file("small.yaml",
		"machine: generic-2cpu\n"
		"governor: { name: performance }\n"
		"workload: { name: periodic, loops: 3 }\n");
	write_file("numbers.csv",
		"kind,tasks,real_s,user_s,sys_s\n"
		"a,1,4.25,1.5,0.25\na,3,5.75,2.5,0.5\nb,3,bad,1,1\n");
	write_file("x.yaml", text);
	if (arena_try(&arena))
		abort();
	int result = experiment_load(&arena, &catalog, path_x, quick, &experiment, &err);
	remove_tree(top);
	return result;
}

#define SMALL_HEAD                                                  \
	"name: small\n"                                             \
	"scenario: small.yaml\n"                                    \
	"repeats: 2\n"                                              \
	"variants:\n"                                               \
	"  - { name: fast, set: { governor.name: performance } }\n" \
	"  - { name: slow, set: { governor.name: powersave } }\n"
#define SMALL_FILE "comparisons:\n  - file: numbers.csv\n    variant: fast\n"
#define AXIS "    axis: { path: workload.tasks, column: tasks, values: [1, 3] }\n"

static void assert_refused(const char *text, const char *message)
{
	cr_assert(eq(int, load(text, false), -1));
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
	cr_assert(strstr(err.text, message) != NULL, "%s", err.text);
	arena_free(&arena);
}

Test(experiment, targets_follow_the_axis_and_share_cells)
{
	cr_assert(eq(int,
			  load(SMALL_HEAD SMALL_FILE
				  "    where: { kind: a }\n"
				  "    role: prediction\n" AXIS "    quantities:\n"
				  "      - { id: t, metric: elapsed_s, columns: [real_s],"
				  " tolerance_pct: [3, 7] }\n"
				  "      - { id: c, metric: cpu_seconds_s,"
				  " columns: [user_s, sys_s], tolerance_pct: 1.5 }\n",
				  false),
			  0),
		"%s", err.text);
	cr_assert(eq(sz, experiment.nr_cells, 2));
	cr_assert(eq(sz, experiment.nr_targets, 4));
	cr_assert(eq(i64, experiment.repeats, 2));
	const struct target *target = &experiment.targets[2];
	cr_assert(eq(str, (char *)target->id, "t_3"));
	cr_assert(eq(dbl, target->published, 5.75));
	cr_assert(eq(dbl, target->tolerance_pct, 7));
	cr_assert(eq(int, target->role, ROLE_PREDICTION));
	cr_assert(eq(dbl, experiment.targets[3].published, 3.0));
	cr_assert(eq(sz, experiment.targets[3].cell, 1));
	arena_free(&arena);
}

Test(experiment, quick_takes_what_is_marked_and_one_repeat)
{
	cr_assert(eq(int,
			  load(SMALL_HEAD SMALL_FILE "    where: { kind: a }\n" AXIS
						     "    quick: [3]\n" QUANTITY
						     "  - file: numbers.csv\n"
						     "    variant: slow\n"
						     "    where: { kind: a, tasks: 1 }\n" QUANTITY,
				  true),
			  0),
		"%s", err.text);
	cr_assert(eq(sz, experiment.nr_targets, 1));
	cr_assert(eq(i64, experiment.repeats, 1));
	arena_free(&arena);
}

Test(experiment, keys_that_are_missing_or_unknown_are_named)
{
	assert_refused("name: x\n", "\"scenario\" is missing");
	err = (struct error){ 0 };
	assert_refused(SMALL_HEAD "comparison: 3\n", "did you mean \"comparisons\"?");
}

Test(experiment, an_unknown_variant_names_the_nearest)
{
	assert_refused(SMALL_HEAD "comparisons:\n  - file: numbers.csv\n"
				  "    variant: fats\n" QUANTITY,
		"x.yaml:9:14: unknown variant \"fats\"; did you mean \"fast\"?");
}

Test(experiment, a_row_must_be_found_exactly_once)
{
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { kind: c }\n" QUANTITY,
		"numbers.csv match; expected one");
	err = (struct error){ 0 };
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { kind: a }\n" QUANTITY, "2 rows of");
}

Test(experiment, columns_must_exist_and_hold_numbers)
{
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { king: a }\n" QUANTITY,
		"has no column \"king\"");
	err = (struct error){ 0 };
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { kind: b }\n" QUANTITY,
		"\"bad\" is not a number");
	err = (struct error){ 0 };
	assert_refused(SMALL_HEAD SMALL_FILE
		"    where: { kind: b }\n    quantities:\n"
		"      - { id: t, metric: elapsed_s, columns: [rael_s], tolerance_pct: 3 }\n",
		"has no column \"rael_s\"");
	err = (struct error){ 0 };
	assert_refused(SMALL_HEAD SMALL_FILE
		"    axis: { path: workload.tasks, column: task, values: [1] }\n" QUANTITY,
		"has no column \"task\"");
}

Test(experiment, metrics_and_tolerances_are_checked)
{
	assert_refused(SMALL_HEAD SMALL_FILE
		"    where: { kind: b }\n    quantities:\n"
		"      - { id: t, metric: elapsd_s, columns: [user_s], tolerance_pct: 3 }\n",
		"unknown metric \"elapsd_s\"; did you mean \"elapsed_s\"?");
	err = (struct error){ 0 };
	assert_refused(SMALL_HEAD SMALL_FILE
		"    where: { kind: b }\n    quantities:\n"
		"      - { id: t, metric: elapsed_s, columns: [user_s], tolerance_pct: x }\n",
		"tolerance_pct: found \"x\"; expected a percentage");
	err = (struct error){ 0 };
	assert_refused(SMALL_HEAD SMALL_FILE AXIS
		"    where: { kind: a }\n    quantities:\n"
		"      - { id: t, metric: elapsed_s, columns: [user_s], tolerance_pct: [3] }\n",
		"tolerance_pct: 1 values; expected one per value of the axis");
}

Test(experiment, a_mistake_in_what_is_set_is_the_scenarios)
{
	assert_refused(SMALL_HEAD
		"parameters:\n"
		"  - { path: workload.lops, value: 3, status: fact, source: x }\n" SMALL_FILE
		"    where: { kind: a, tasks: 1 }\n" QUANTITY,
		"unknown key \"lops\"");
	err = (struct error){ 0 };
	assert_refused(SMALL_HEAD
		"parameters:\n"
		"  - { path: workload.loops, value: 3, status: known, source: x }\n" SMALL_FILE
			QUANTITY,
		"status: \"known\" is not one of fact, fitted, assumed");
}
