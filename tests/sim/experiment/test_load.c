#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/experiment/experiment.h"
#include "sim/experiment/observe.h"
#include "tests/support/program.h"
#include "workloads/workloads.h"

static const struct catalog catalog = { governors, drivers, workloads };
static struct arena arena;
static struct experiment experiment;
static struct error err;

#define QUANTITY            \
	"    quantities:\n" \
	"      - { id: t, value: elapsed_s, unit: s, published: real_s }\n"

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
	snprintf(top, sizeof(top), "/tmp/test_load_XXXXXX");
	cr_assert(mkdtemp(top) != NULL);
	snprintf(path_x, sizeof(path_x), "%s/x.yaml", top);
	write_file("small.yaml",
		"machine: generic-2cpu\n"
		"governor: { name: performance }\n"
		"workload: { name: periodic, loops: 3 }\n");
	write_file("numbers.csv",
		"kind,tasks,real_s,user_s,sys_s\n"
		"a,1,4.25,1.5,0.25\na,3,5.75,2.5,0.5\nb,3,bad,1,1\n");
	write_file("targets.csv",
		"target_id,tolerance_kind,tolerance\nt_a_1,relative_percent,3\nt,absolute,0.5\n"
		"odd,about,7\n");
	write_file("x.yaml", text);
	err = (struct error){ .code = ERROR_NONE };
	if (arena_try(&arena))
		abort();
	int result = experiment_load(&arena, &catalog, path_x, quick, &experiment, &err);
	remove_tree(top);
	return result;
}

#define NAMES                    \
	"name: small\n"          \
	"scenario: small.yaml\n" \
	"repeats: 2\n"
#define VARIANTS                                                                           \
	"variants:\n"                                                                      \
	"  - { name: fast, set: { governor.name: performance }, where: { color: red } }\n" \
	"  - { name: slow, set: { governor: { name: powersave } } }\n"
#define SMALL_HEAD NAMES VARIANTS
#define SMALL_FILE "comparisons:\n  - file: numbers.csv\n    variants: fast\n"
#define TOLERANCE "    tolerance: 3%\n    why: a reason\n"
#define AXIS "    axes: [{ path: workload.tasks, column: tasks, values: [1, 3] }]\n"

static void assert_loaded(const char *text, bool quick)
{
	cr_assert(eq(int, load(text, quick), 0), "%s", err.text);
}

static void assert_refused(const char *text, const char *message)
{
	cr_assert(eq(int, load(text, false), -1), "expected: %s", message);
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
	cr_assert(strstr(err.text, message) != NULL, "%s", err.text);
	arena_free(&arena);
}

Test(load, targets_follow_the_axis_and_share_cells)
{
	assert_loaded(SMALL_HEAD SMALL_FILE TOLERANCE
		"    where: { kind: a }\n" AXIS "    quantities:\n"
		"      - { id: \"t_{tasks}_{variant}_{kind}\", value: elapsed_s, published: real_s "
		"}\n"
		"      - { id: \"c_{tasks}\", value: cpu_seconds_s, published: user_s + sys_s,\n"
		"          tolerance: +-1.5, why: counts }\n",
		false);
	cr_assert(eq(sz, experiment.nr_cells, 2));
	cr_assert(eq(sz, experiment.nr_targets, 4));
	cr_assert(eq(i64, experiment.repeats, 2));
	const struct target *target = &experiment.targets[2];
	cr_assert(eq(str, (char *)target->id, "t_3_fast_a"));
	cr_assert(eq(dbl, target->published, 5.75));
	cr_assert(eq(dbl, target->tolerance.value, 3));
	cr_assert(eq(int, (int)target->role, ROLE_PREDICTION));
	cr_assert(eq(dbl, target->axes[0].number, 3));
	cr_assert(eq(dbl, experiment.targets[3].published, 3.0));
	cr_assert(eq(int, (int)experiment.targets[3].tolerance.kind, TOLERANCE_ABSOLUTE));
	cr_assert(eq(sz, experiment.targets[3].cell, 1));
	arena_free(&arena);
}

Test(load, two_axes_make_a_grid_and_a_range_its_values)
{
	assert_loaded(SMALL_HEAD
		"comparisons:\n"
		"  - variants: [fast, slow]\n"
		"    axes:\n"
		"      - { path: kernel.hz, values: [100, 250] }\n"
		"      - { name: n, values: \"0:6:3\" }\n"
		"    quantities: [{ id: \"f_{hz}_{n}\", value: \"change_khz[n]\" }]\n",
		false);
	cr_assert(eq(sz, experiment.nr_cells, 4));
	cr_assert(eq(sz, experiment.nr_targets, 12));
	cr_assert(eq(str, (char *)experiment.targets[5].id, "f_250_6"));
	cr_assert(eq(str, (char *)experiment.targets[5].panel, "hz=250"));
	cr_assert(experiment.cells[0].observe & OBSERVE_CHANGES);
	cr_assert(not(experiment.targets[5].has_published));
	arena_free(&arena);
}

Test(load, another_variant_is_the_same_cell_with_its_values)
{
	assert_loaded(SMALL_HEAD "comparisons:\n"
				 "  - variants: slow\n" AXIS "    quantities:\n"
				 "      - { id: ratio, value: elapsed_s / elapsed_s@fast }\n",
		false);
	cr_assert(eq(sz, experiment.nr_cells, 4));
	const struct target *target = &experiment.targets[1];
	const struct cell *other = &experiment.cells[target->cells[1]];
	cr_assert(eq(sz, target->cells[0], target->cell));
	cr_assert(eq(str, (char *)other->set[0], "governor.name=performance"));
	cr_assert(eq(str, (char *)other->set[1], "workload.tasks=3"));
	arena_free(&arena);
}

Test(load, quick_takes_what_is_marked_and_what_quick_sets)
{
	assert_loaded(NAMES
		"quick: { repeats: 1, set: { workload.loops: 2 } }\n" VARIANTS SMALL_FILE TOLERANCE
		"    where: { kind: a }\n" AXIS "    quick: [3]\n" QUANTITY
		"  - file: numbers.csv\n"
		"    variants: slow\n"
		"    where: { kind: a, tasks: 1 }\n" TOLERANCE QUANTITY,
		true);
	cr_assert(eq(sz, experiment.nr_targets, 1));
	cr_assert(eq(i64, experiment.repeats, 1));
	cr_assert(eq(str, (char *)experiment.cells[0].set[2], "workload.loops=2"));
	arena_free(&arena);
}

Test(load, a_cell_that_was_fitted_on_is_calibration_in_every_comparison)
{
	assert_loaded(SMALL_HEAD SMALL_FILE TOLERANCE
		"    where: { kind: a }\n    role: calibration\n" AXIS QUANTITY
		"  - file: numbers.csv\n    variants: [fast, slow]\n    where: { kind: a, tasks: 3 "
		"}\n"
		"    set: { workload.tasks: 3 }\n" TOLERANCE QUANTITY,
		false);
	cr_assert(eq(sz, experiment.nr_targets, 4));
	cr_assert(eq(int, (int)experiment.targets[2].role, ROLE_CALIBRATION));
	cr_assert(eq(dbl, experiment.targets[2].weight, 0));
	cr_assert(eq(dbl, experiment.targets[1].weight, 1));
	cr_assert(eq(int, (int)experiment.targets[3].role, ROLE_PREDICTION));
	arena_free(&arena);
}

Test(load, a_target_in_the_table_has_its_tolerance)
{
	assert_loaded(NAMES
		"targets: targets.csv\n" VARIANTS SMALL_FILE
		"    where: { kind: a }\n" AXIS TOLERANCE "    quantities:\n"
		"      - { id: \"t_{kind}_{tasks}\", value: elapsed_s, published: real_s }\n"
		"      - { id: u, target: t, value: elapsed_s, published: real_s }\n",
		false);
	cr_assert(eq(dbl, experiment.targets[0].tolerance.value, 3));
	cr_assert(experiment.targets[0].why == NULL);
	cr_assert(eq(dbl, experiment.targets[1].tolerance.value, 0.5));
	cr_assert(eq(str, (char *)experiment.targets[2].why, "a reason"));
	arena_free(&arena);
	assert_refused(NAMES
		"targets: targets.csv\n" VARIANTS SMALL_FILE
		"    where: { kind: a, tasks: 1 }\n    quantities:\n"
		"      - { id: t, value: elapsed_s, published: real_s, tolerance: 50%, why: x }\n",
		"t has a tolerance in");
	assert_refused(NAMES "targets: targets.csv\n" VARIANTS SMALL_FILE
			     "    where: { kind: a, tasks: 1 }\n    quantities:\n"
			     "      - { id: odd, value: elapsed_s, published: real_s }\n",
		"no tolerance of odd that could be read");
}

Test(load, the_null_model_is_a_number_or_another_row)
{
	assert_loaded(SMALL_HEAD SMALL_FILE TOLERANCE
		"    where: { kind: a }\n    null: { variant: slow, where: { tasks: 1 } }\n" AXIS
			QUANTITY
		"  - file: numbers.csv\n    variants: fast\n    where: { kind: a, tasks: 3 }\n"
		"    null: 1.5\n" TOLERANCE QUANTITY,
		false);
	cr_assert(eq(dbl, experiment.targets[1].null, 4.25));
	cr_assert(eq(dbl, experiment.targets[2].null, 1.5));
	arena_free(&arena);
	assert_refused(SMALL_HEAD SMALL_FILE TOLERANCE
		"    where: { kind: a, tasks: 1 }\n    null: one\n" QUANTITY,
		"null: found \"one\"; expected a number or a map");
}

#define PARAMETER(text)                                                   \
	SMALL_HEAD "parameters:\n  - { " text " }\n" SMALL_FILE TOLERANCE \
		   "    where: { kind: a, tasks: 1 }\n" QUANTITY

Test(load, a_parameter_says_what_is_known_of_it)
{
	assert_loaded(PARAMETER("path: workload.run, value: 7.25ms, status: fitted, cells: t,\n"
				"      start: 7ms, min: 1ms, max: 9ms, step: 0.5ms"),
		false);
	cr_assert(eq(sz, experiment_count(&experiment, STATUS_FITTED), 1));
	cr_assert(eq(dbl, experiment.parameters[0].round, 0.05));
	cr_assert(eq(sz, experiment.cells[0].nr_parameters, 1));
	arena_free(&arena);
	assert_refused(PARAMETER("path: workload.run, status: assumed, source: x"),
		"\"reason\" is missing: what is assumed needs it");
	assert_refused(PARAMETER("path: workload.loops, value: 3, status: known, source: x"),
		"status: \"known\" is not one of fact, fitted, assumed");
	assert_refused(PARAMETER("path: workload.run, value: 7ms, status: fitted, cells: t,\n"
				 "      start: 7us, min: 1ms, max: 9ms, step: 1ms"),
		"start: found \"7us\"; expected the unit of the value, \"ms\"");
	assert_refused(PARAMETER("path: workload.run, value: 7ms, status: fitted, cells: t,\n"
				 "      start: 7ms, min: 8ms, max: 9ms, step: 1ms"),
		"expected min < start < max");
	assert_refused(PARAMETER("path: workload.run, value: 7ms, status: fitted, cells: t,\n"
				 "      start: 7ms, min: 8ms, max: 9ms"),
		"\"step\" is missing");
	assert_refused(PARAMETER("path: workload.run, value: 7ms, status: fitted, cells: t"),
		"\"start\" is missing; a fit needs start, min, max and step");
}

#define NAMED(parameters, set)                                     \
	SMALL_HEAD "parameters:\n" parameters SMALL_FILE TOLERANCE \
		   "    where: { kind: a, tasks: 1 }\n    set: " set "\n" QUANTITY
#define LOOPS "  - { name: loops, value: 5, status: assumed, reason: x }\n"

Test(load, a_named_value_stands_where_a_text_says_its_name)
{
	assert_loaded(NAMED(LOOPS "  - { path: beside, status: assumed, reason: x,\n"
				  "      value: \"[{ name: periodic, loops: $loops }]\" }\n",
			      "{ workload: { name: periodic, loops: $loops }, run.seed: 7$loops }"),
		false);
	const struct scenario *scenario = experiment.cells[0].scenario;
	cr_assert(eq(str, (char *)experiment.parameters[0].path, "$loops"));
	cr_assert(eq(int, (int)scenario->run.seed, 75));
	cr_assert(eq(sz, experiment.cells[0].nr_parameters, 1));
	arena_free(&arena);
}

Test(load, a_name_that_no_parameter_has_names_the_nearest)
{
	assert_refused(NAMED(LOOPS, "{ workload: { name: periodic, loops: $lops } }"),
		"x.yaml:15:47: \"$lops\": no parameter is called so; did you mean \"loops\"?");
	assert_refused(NAMED("  - { path: kernel.hz, value: 250, status: fact, source: x }\n",
			       "{ workload.loops: $loops }"),
		"\"$loops\": no parameter has a name");
	assert_refused(NAMED(LOOPS "  - { path: kernel.hz, value: $hz, status: fact, source: x }\n",
			       "{ workload.loops: $loops }"),
		"x.yaml:9:31: \"$hz\": no parameter is called so");
}

Test(load, a_named_value_is_one_word_that_is_used)
{
	assert_refused(NAMED(LOOPS, "{ workload.loops: 3 }"),
		"x.yaml:8:27: parameter loops: no text to set says \"$loops\"");
	assert_refused(NAMED(LOOPS LOOPS, "{ workload.loops: $loops }"),
		"name: another parameter is called \"loops\"");
	assert_refused(PARAMETER("name: x, path: kernel.hz, value: 1, status: assumed, reason: x"),
		"name: \"$x\" is where texts to set say so; expected no path");
	assert_refused(PARAMETER("name: x, variants: fast, value: 1, status: assumed, reason: x"),
		"expected no path, scenario or variants");
	assert_refused(PARAMETER("name: 1st, value: 1, status: assumed, reason: x"),
		"name: found \"1st\"; expected letters, digits and _, no digit first");
	assert_refused(PARAMETER("name: x, status: assumed, reason: x"),
		"parameter: \"value\" is missing; \"$x\" stands for it");
	assert_refused(PARAMETER("name: x, value: 1 2, status: assumed, reason: x"),
		"value: found \"1 2\"; expected one word or number");
	assert_refused(PARAMETER("value: 1, status: assumed, reason: x"), "\"path\" is missing");
}

Test(load, a_mistake_in_what_is_set_is_the_scenarios)
{
	assert_refused(PARAMETER("path: workload.lops, value: 3, status: fact, source: x"),
		"unknown key \"lops\"");
}

Test(load, a_parameter_reaches_into_the_machine)
{
	assert_loaded(
		PARAMETER("path: machine.reference, value: 1GHz, status: fact, source: x"), false);
	cr_assert(eq(i64, experiment.cells[0].scenario->machine.reference_khz, 1000000));
	arena_free(&arena);
}

Test(load, keys_that_are_missing_or_unknown_are_named)
{
	assert_refused("name: x\n", "\"variants\" is missing");
	assert_refused(SMALL_HEAD "comparison: 3\n", "did you mean \"comparisons\"?");
	assert_refused(SMALL_HEAD "calibrate: { repeat: 3 }\n" SMALL_FILE,
		"unknown key \"repeat\" in calibrate; did you mean \"repeats\"?");
	assert_refused(
		"name: x\n" VARIANTS
		"comparisons: [{ variants: fast, quantities: [{ id: t, value: elapsed_s }] }]\n",
		"\"scenario\" is missing, here, of the variant and of the experiment");
	assert_refused(SMALL_HEAD "figure: tea\n" SMALL_FILE TOLERANCE
				  "    where: { kind: a, tasks: 1 }\n" QUANTITY,
		"no quantity has the label \"tea\"");
}

Test(load, an_unknown_variant_names_the_nearest)
{
	assert_refused(SMALL_HEAD "comparisons:\n  - file: numbers.csv\n"
				  "    variants: [fats]\n" QUANTITY,
		"x.yaml:9:16: unknown variant \"fats\"; did you mean \"fast\"?");
}

Test(load, a_row_must_be_found_exactly_once)
{
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { kind: c }\n" QUANTITY,
		"numbers.csv match; expected one");
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { kind: a }\n" QUANTITY, "2 rows of");
}

Test(load, columns_must_exist_and_hold_numbers)
{
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { king: a }\n" QUANTITY,
		"has no column \"king\"; did you mean \"kind\"?");
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { kind: b }\n" QUANTITY,
		"\"bad\" is not a number");
	assert_refused(SMALL_HEAD SMALL_FILE
		"    where: { kind: b }\n    quantities:\n"
		"      - { id: t, value: elapsed_s, published: rael_s }\n",
		"has no column \"rael_s\"");
	assert_refused(SMALL_HEAD SMALL_FILE
		"    where: { kind: a }\n"
		"    axes: [{ path: workload.tasks, column: task, values: [1] }]\n" QUANTITY,
		"has no column \"task\"");
	assert_refused(SMALL_HEAD SMALL_FILE
		"    where: { kind: a, tasks: 1 }\n    quantities:\n"
		"      - { id: t, value: elapsed_s, published: real_s@slow }\n",
		"a column has neither index nor variant");
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { kind: a, tasks: 1 }\n    quantities:\n"
					     "      - { id: \"t_{colour}\", value: elapsed_s }\n",
		"\"{colour}\" is neither variant nor an axis nor a column");
}

Test(load, tolerances_need_a_form_and_a_reason)
{
	assert_refused(SMALL_HEAD SMALL_FILE "    where: { kind: a, tasks: 1 }\n" QUANTITY,
		"t: \"tolerance\" is missing");
	assert_refused(SMALL_HEAD SMALL_FILE
		"    tolerance: 3%\n    where: { kind: a, tasks: 1 }\n" QUANTITY,
		"t: \"why\" is missing");
	assert_refused(SMALL_HEAD SMALL_FILE
		"    tolerance: three\n    why: x\n    where: { kind: a, tasks: 1 }\n" QUANTITY,
		"tolerance: found \"three\"; expected such as 4%");
}

Test(load, names_in_values_take_an_index_or_not)
{
	assert_refused(SMALL_HEAD "comparisons:\n  - variants: fast\n    quantities:\n"
				  "      - { id: t, value: change_khz }\n",
		"\"change_khz\" needs an index, as in name[0]");
	assert_refused(SMALL_HEAD "comparisons:\n  - variants: fast\n    quantities:\n"
				  "      - { id: t, value: \"elapsed_s[3]\" }\n",
		"\"elapsed_s\" takes no index");
}

Test(load, weights_are_for_calibration_rows)
{
	assert_refused(SMALL_HEAD "comparisons:\n  - variants: fast\n    quantities:\n"
				  "      - { id: t, value: elapsed_s, weight: 2 }\n",
		"only calibration rows are fitted on");
	assert_refused(SMALL_HEAD
		"comparisons:\n  - variants: fast\n    role: calibration\n    quantities:\n"
		"      - { id: t, value: elapsed_s, weight: much }\n",
		"weight: found \"much\"; expected a number from 0");
}

Test(load, what_is_published_needs_a_file)
{
	assert_refused(SMALL_HEAD "comparisons:\n  - variants: fast\n" TOLERANCE QUANTITY,
		"\"file\" is missing, from which to take what was published");
}
