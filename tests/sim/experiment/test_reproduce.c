#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"

/* A user's own experiment, outside the tree: three tasks under two governors. */
static struct program p;
static char top[64], file[128], out[128];

static void write_file(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	FILE *f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
}

#define HEAD                                                                            \
	"name: mine\nsummary: three tasks\nscenario: three.yaml\nrepeats: 3\n"          \
	"null_model: nobody is slower\n"                                                \
	"variants:\n"                                                                   \
	"  - { name: fast, where: { who: fast } }\n"                                    \
	"  - { name: slow, set: { governor.name: powersave }, where: { who: slow } }\n" \
	"parameters:\n"                                                                 \
	"  - { path: workload.loops, value: 7, status: fitted, cells: fast,\n"          \
	"      start: 5, min: 1, max: 20, step: 1, round: 1 }\n"                        \
	"comparisons:\n"

static void enter(void)
{
	snprintf(top, sizeof(top), "/tmp/test_reproduce_XXXXXX");
	cr_assert(mkdtemp(top) != NULL);
	snprintf(file, sizeof(file), "%s/mine.yaml", top);
	snprintf(out, sizeof(out), "%s/out", top);
	write_file("three.yaml",
		"machine: generic-2cpu\n"
		"governor: performance\n"
		"workload: { name: periodic, tasks: 3, period: 20ms, run: 3ms, jitter: 0.3 }\n"
		"run: { duration: 1s }\n");
	write_file("numbers.csv", "who,busy,switches\nfast,0.064,99\nslow,0.13,1\n");
	write_file("mine.yaml",
		HEAD
		"  - file: numbers.csv\n"
		"    variants: [fast]\n"
		"    role: calibration\n"
		"    tolerance: factor 100\n"
		"    why: a test\n"
		"    quantities: [{ id: \"busy_{variant}\", value: busy_s, published: busy, unit: "
		"s }]\n"
		"  - file: numbers.csv\n"
		"    variants: [fast, slow]\n"
		"    tolerance: factor 9\n"
		"    why: a test\n"
		"    null: { variant: fast }\n"
		"    quantities:\n"
		"      - { id: \"switches_{variant}\", value: switches, published: switches }\n"
		"      - { id: \"ratio_{variant}\", value: busy_s / busy_s@fast }\n");
}

static void leave(void)
{
	remove_tree(top);
}

TestSuite(reproduce, .init = enter, .fini = leave);

static bool says(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

Test(reproduce, rows_have_intervals_verdicts_and_roles)
{
	program_run(&p, "reproduce", file, "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(says(p.out,
			  "experiment,target_id,unit,published,simulated,ci95_lo,ci95_hi,error_pct,"
			  "tolerance,verdict,role\nmine,busy_fast,s,0.064,"),
		"%s", p.out);
	cr_assert(says(p.out, ",factor 100,within,calibration\n"));
	cr_assert(says(p.out, "mine,switches_slow,,1,"));
	cr_assert(says(p.out, ",factor 9,outside,prediction\n"));
	cr_assert(says(p.out, "mine,ratio_fast,,,1,1,1,,,prediction,calibration\n"));
	cr_assert(says(p.err, "calibration: 2 numbers, mean abs error"));
	cr_assert(says(p.err, "prediction: 1 numbers, mean abs error"));
	cr_assert(says(p.err, "null model (nobody is slower): mean abs error 4900.00 % on 2"));
	cr_assert(says(p.err, "order: right in 0 of 1 pairs"));
	cr_assert(says(p.err, "1 fitted parameters, 2 cells, 3 repeats"));
}

Test(reproduce, one_repeat_has_no_interval)
{
	program_run(&p, "reproduce", file, "--format", "csv", "--repeats", "1", NULL);
	cr_assert(says(p.out, "mine,ratio_fast,,,1,,,,,prediction,calibration\n"), "%s", p.out);
}

Test(reproduce, the_number_of_threads_changes_nothing)
{
	char *before;

	program_run(&p, "reproduce", file, "-j", "1", NULL);
	before = strdup(p.out);
	program_run(&p, "reproduce", file, "-j", "3", NULL);
	cr_assert(eq(str, p.out, before));
	free(before);
}

Test(reproduce, a_directory_gets_tables_and_what_the_figure_needs)
{
	char path[256];

	program_run(&p, "reproduce", file, "-o", out, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	snprintf(path, sizeof(path), "%s/summary.csv", out);
	char *text = file_text(path);
	cr_assert(says(text, "mine,calibration,cells,2\n"));
	cr_assert(says(text, "mine,all,fitted_parameters,1\n"));
	free(text);
	snprintf(path, sizeof(path), "%s/figure.csv", out);
	text = file_text(path);
	cr_assert(says(text, "1,busy_s,1,fast,0,1,fast,s,0.064,"));
	free(text);
}

Test(reproduce, a_name_that_the_run_does_not_have_is_said)
{
	write_file("mine.yaml",
		HEAD "  - variants: [fast]\n    quantities: [{ id: x, value: busy_ss }]\n");
	program_run(&p, "reproduce", file, NULL);
	cr_assert(eq(int, p.status, 2));
	cr_assert(says(p.err, "mine.yaml:14:18: \"busy_ss\" is neither a metric nor a figure of"),
		"%s", p.err);
	cr_assert(says(p.err, "did you mean \"busy_s\"?"));
	write_file("mine.yaml",
		HEAD "  - variants: [fast]\n    quantities: [{ id: x, value: \"change_khz[90000]\" "
		     "}]\n");
	program_run(&p, "reproduce", file, NULL);
	cr_assert(eq(int, p.status, 2));
	cr_assert(says(p.err, "change_khz[90000]: the run has"), "%s", p.err);
}

Test(reproduce, what_there_is_can_be_listed)
{
	program_run(&p, "reproduce", file, "--list", NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out,
			  "mine                    2 cells    5 numbers   1 fitted  three tasks\n"),
		"%s", p.out);
}

/* The packets' work is what the published busy time fixes: the fit finds it from a rounded start. */
Test(reproduce, calibrate_finds_a_value_and_writes_it)
{
	char path[256];

	write_file("numbers.csv", "who,busy,switches\nfast,0.0867,99\nslow,0.1734,1\n");
	write_file("mine.yaml",
		"name: mine\nscenario: three.yaml\nrepeats: 2\n"
		"variants:\n"
		"  - { name: fast, where: { who: fast } }\n"
		"  - { name: slow, set: { governor.name: powersave }, where: { who: slow } }\n"
		"parameters:\n"
		"  - { path: workload.loops, value: 7, status: assumed, reason: a test }\n"
		"  - { path: workload.run, value: \"3ms\", status: fitted, cells: all,\n"
		"      start: 5ms, min: 1ms, max: 9ms, step: 0.5ms, round: 0.01ms }\n"
		"comparisons:\n"
		"  - file: numbers.csv\n    variants: [fast, slow]\n    role: calibration\n"
		"    tolerance: 5%\n    why: a test\n"
		"    quantities: [{ id: \"busy_{variant}\", value: busy_s, published: busy, unit: "
		"s }]\n");
	snprintf(path, sizeof(path), "%s/fitted.yaml", top);
	program_run(&p, "calibrate", file, "-o", path, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(says(p.out, "mine: 1 parameters fitted on 2 numbers of 2 cells, 2 repeats\n"));
	cr_assert(says(p.err, "step 1: objective"));
	cr_assert(says(p.out, "calibration: 2 numbers, mean abs error 0."), "%s", p.out);
	char *text = file_text(path);
	cr_assert(says(text, "  - { path: workload.run, value: \"3.9") ||
			says(text, "  - { path: workload.run, value: \"4"),
		"%s", text);
	cr_assert(says(text, "busy_{variant}"));
	free(text);
}

/* Two tasks of 7 loops of 4 ms, and beside them one of 5 loops of 6 ms: both lengths stand in the
 * middle of what a comparison sets. */
Test(reproduce, calibrate_finds_values_inside_what_a_comparison_sets)
{
	char path[256];

	write_file("numbers.csv", "who,busy\nalone,0.056\nboth,0.086\n");
	write_file("mine.yaml",
		"name: mine\nscenario: three.yaml\nrepeats: 1\ncalibrate: { repeats: 3 }\n"
		"variants: [{ name: fast }]\n"
		"parameters:\n"
		"  - { name: run, value: 7ms, status: fitted, cells: alone,\n"
		"      start: 6ms, min: 1ms, max: 9ms, step: 0.5ms, round: 0.1ms }\n"
		"  - { name: other, value: \"3ms\", status: fitted, cells: both,\n"
		"      start: 3ms, min: 1ms, max: 12ms, step: 0.5ms, round: 0.1ms }\n"
		"comparisons:\n"
		"  - file: numbers.csv\n    where: { who: alone }\n    variants: fast\n"
		"    role: calibration\n    tolerance: 1%\n    why: a test\n"
		"    set:\n"
		"      workload: { name: periodic, tasks: 2, loops: 7, run: $run, jitter: 0 }\n"
		"    quantities: [{ id: alone, value: busy_s, published: busy }]\n"
		"  - file: numbers.csv\n    where: { who: both }\n    variants: fast\n"
		"    role: calibration\n    tolerance: 1%\n    why: a test\n"
		"    set:\n"
		"      workload: { name: periodic, tasks: 2, loops: 7, run: $run, jitter: 0 }\n"
		"      beside: [ { name: periodic, loops: 5, run: $other, jitter: 0 } ]\n"
		"    quantities: [{ id: both, value: busy_s, published: busy }]\n");
	snprintf(path, sizeof(path), "%s/fitted.yaml", top);
	program_run(&p, "calibrate", file, "-o", path, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(says(p.out, "mine: 2 parameters fitted on 2 numbers of 2 cells, 3 repeats\n"),
		"%s", p.out);
	char *text = file_text(path);
	cr_assert(says(text, "{ name: run, value: 4ms, status"), "%s", text);
	cr_assert(says(text, "{ name: other, value: \"6ms\", status"), "%s", text);
	cr_assert(says(text, "run: $other, jitter"));
	free(text);
}

Test(reproduce, calibrate_says_what_it_cannot_fit)
{
	write_file("other.yaml",
		"name: other\nscenario: three.yaml\nvariants: [{ name: fast }]\n"
		"parameters: mine.yaml\n"
		"comparisons: [{ variants: fast, quantities: [{ id: x, value: busy_s }] }]\n");
	char path[256];
	snprintf(path, sizeof(path), "%s/other.yaml", top);
	program_run(&p, "calibrate", path, NULL);
	cr_assert(eq(int, p.status, 2));
	cr_assert(says(p.err, "no parameter of its own has start, min, max and step"), "%s", p.err);
	program_run(&p, "calibrate", NULL);
	cr_assert(eq(int, p.status, 64));
}
