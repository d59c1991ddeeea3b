/* The command compare from outside, on tables whose answers are known. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/program.h"

static struct program p;
static char top[64], new_map[96], old_map[96], sweep[96];

/* runs.csv in a directory of that name. */
static void table(char *dir, const char *name, const char *text)
{
	char path[128];

	snprintf(dir, 96, "%s/%s", top, name);
	mkdir(dir, 0777);
	snprintf(path, sizeof(path), "%s/runs.csv", dir);
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

#define RUN_HEAD "scenario,repeat,seed,governor,driver,workload,elapsed_s,energy_pkg_j\n"
#define SWEEP_HEAD \
	"scenario,point,governor,workload.jobs,repeat,seed,elapsed_s,energy_pkg_j,failure\n"

static void enter(void)
{
	strcpy(top, "/tmp/test_compare_XXXXXX");
	cr_assert(ne(ptr, mkdtemp(top), NULL));
	table(new_map, "new-map",
		RUN_HEAD "pcc,1,885,o,p,k,43.815,197.5\npcc,2,885,o,p,k,44.207,"
			 "199.1\npcc,3,885,o,p,k,43.119,196.3\n");
	table(old_map, "old-map",
		RUN_HEAD "pcc,1,885,o,p,k,83.815,187.5\npcc,2,885,o,p,k,84.307,"
			 "189.1\npcc,3,885,o,p,k,83.019,186.3\n");
	table(sweep, "sweep",
		SWEEP_HEAD "pcc,1,performance,8,1,7,20,100,\npcc,1,performance,8,2,8,22,100,\n"
			   "pcc,2,performance,16,1,7,10,100,\npcc,2,performance,16,2,8,11,100,\n"
			   "pcc,3,powersave,8,1,7,60,90,\npcc,3,powersave,8,2,8,62,90,\n"
			   "pcc,4,powersave,16,1,7,,,out of luck\npcc,4,powersave,16,2,8,31,90,\n"
			   "pcc,5,ondemand,8,1,7,30,90,\npcc,5,ondemand,8,2,8,32,90,\n"
			   "pcc,6,ondemand,16,1,7,15,90,\npcc,6,ondemand,16,2,8,16,90,\n");
}

static void leave(void)
{
	remove_tree(top);
}

TestSuite(compare, .init = enter, .fini = leave);

static void says(const char *text)
{
	cr_assert(ne(ptr, strstr(p.out, text), NULL), "%s\n%s", p.out, p.err);
}

static void refused(int status, const char *message)
{
	cr_assert(eq(int, p.status, status), "%s", p.err);
	cr_assert(ne(ptr, strstr(p.err, message), NULL), "%s", p.err);
}

/* Differences 40, 40.1 and 39.9: 40 +- 4.302653 * 0.1 / sqrt(3). */
Test(compare, two_directories_paired_by_seed)
{
	program_run(&p, "compare", new_map, old_map, "--metric", "elapsed_s", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	says("mean of 3 runs each, paired by seed");
	says("against\nnew-map, the denominator");
	says("old-map     3  83.714  0.6500  +40.000 [+39.752, +40.248]");
	says("1.9150 [1.8927, 1.9389]  ***");
	says("***");
}

Test(compare, power_without_a_source_is_marked)
{
	char dir[96];

	table(dir, "assumed",
		"scenario,repeat,seed,governor,driver,workload,elapsed_s,energy_pkg_j,power_"
		"assumed\n"
		"pcc,1,885,o,p,k,43.815,197.5,1\npcc,2,885,o,p,k,44.207,199.1,1\n");
	program_run(&p, "compare", new_map, dir, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	says("elapsed_s (s): ");
	says("energy_pkg_j (J), assumed power: ");
	says("edp_js (Js), assumed power: ");
}

Test(compare, another_baseline_is_another_denominator)
{
	program_run(&p, "compare", new_map, old_map, "--baseline", "old-map", "--metric",
		"elapsed_s", "--format", "csv", NULL);
	says("\nelapsed_s,,new-map,old-map,3,3,43.7136667,");
	says(",-40,-40.2484138,-39.7515862,0.522180767,");
}

Test(compare, an_axis_is_compared_across_rows_of_the_other)
{
	program_run(&p, "compare", sweep, "--metric", "performance_pct,efficiency_pct", "--format",
		"csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	/* 20/30 and 22/32 of the speed of performance. */
	says("\nperformance_pct,8,ondemand,performance,2,2,67.7083333,");
	/* (60 - 30) / (60 - 20) and (62 - 32) / (62 - 22). */
	says("\nefficiency_pct,8,ondemand,performance,2,2,75,0,");
	program_run(
		&p, "compare", sweep, "--across", "workload.jobs", "--metric", "elapsed_s", NULL);
	says("powersave    16         1  31.000       -  -30.000 -");
	says("16: 1 failed runs are left out.");
}

Test(compare, a_failed_run_is_left_out_and_counted)
{
	program_run(&p, "compare", sweep, "--metric", "elapsed_s", NULL);
	says("1 to 2 runs each, some paired by seed");
	says("powersave: 1 failed runs are left out.");
}

Test(compare, a_mail_has_72_columns_and_no_blanks_at_the_end)
{
	program_run(&p, "compare", sweep, "--format", "lkml", NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(eq(ptr, strstr(p.out, " \n"), NULL));
	for (char *line = strtok(p.out, "\n"); line; line = strtok(NULL, "\n"))
		cr_assert(le(sz, strlen(line), 72), "%s", line);
	program_run(
		&p, "compare", new_map, old_map, "--format", "lkml", "--metric", "elapsed_s", NULL);
	says("   new-map   old-map  ratio\n");
	says("    43.714    83.714  1.9150+-0.0231***");
}

Test(compare, markdown_has_a_rule_below_its_head)
{
	program_run(&p, "compare", new_map, old_map, "--format", "markdown", NULL);
	says("| series  | runs |");
	says("\n|---------|------|");
	says("\nedp_js (Js)");
}

static void residencies(const char *dir, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/residency.csv", dir);
	FILE *file = fopen(path, "w");
	fputs("repeat,policy,khz,seconds\n", file);
	fputs(text, file);
	fclose(file);
}

/* Shares of idle 50, 40 and 45 % against 60, 50 and 55: 10 +- 0 in each repeat. */
Test(compare, residencies_are_compared_by_clock)
{
	residencies(new_map,
		"1,0,0,5\n1,0,885000,5\n2,0,0,4\n2,0,885000,6\n3,0,0,4.5\n3,0,885000,5.5\n");
	residencies(old_map,
		"1,0,0,3\n1,0,1200000,2\n2,0,0,5\n2,0,885000,5\n3,0,0,1.1\n3,4,0,0\n"
		"3,4,885000,0.9\n");
	program_run(&p, "compare", new_map, old_map, "--metric", "residency_pct", "--format", "csv",
		NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	says("\nresidency_pct,idle,old-map,new-map,3,3,55,");
	says(",10,10,10,");
	says("\nresidency_pct,1.2 GHz,new-map,new-map,3,3,0,");
	says("\nresidency_pct,1.2 GHz,old-map,new-map,3,3,13.3333333,");
	says("\nresidency_pct,0.885 GHz,new-map,new-map,3,3,55,");
	program_run(&p, "compare", new_map, old_map, "--metric", "residency_pct,elapsed_s", NULL);
	refused(64, "residency_pct has the clocks for rows");
	program_run(&p, "compare", new_map, sweep, "--metric", "residency_pct", NULL);
	refused(2, "residency.csv: No such file");
}

Test(compare, mistakes_are_explained)
{
	char other[96], empty[96];

	table(other, "other", SWEEP_HEAD "pcc,1,performance,8,1,7,20,100,\n");
	table(empty, "empty", "a,b\n1,2\n");
	program_run(&p, "compare", NULL);
	refused(64, "compare: the directory is missing");
	program_run(&p, "compare", new_map, NULL);
	refused(64, "has one series only: nothing to compare it with");
	program_run(&p, "compare", new_map, new_map, NULL);
	refused(64, "new-map is given twice");
	program_run(&p, "compare", new_map, other, NULL);
	refused(2, "has axes \"governor workload.jobs\", others \"\": their rows do not match");
	program_run(&p, "compare", new_map, empty, NULL);
	refused(2, "no columns repeat and seed");
	program_run(&p, "compare", new_map, old_map, "--baseline", "oldmap", NULL);
	refused(64, "no series \"oldmap\" to compare with; did you mean \"old-map\"?");
	program_run(&p, "compare", sweep, "--across", "governer", NULL);
	refused(64, "no axis \"governer\"; did you mean \"governor\"?");
	program_run(&p, "compare", new_map, old_map, "--metric", "elapsed", NULL);
	refused(64, "unknown metric \"elapsed\"; did you mean \"elapsed_s\"?");
	program_run(&p, "compare", new_map, old_map, "--metric", "efficiency_pct", NULL);
	refused(64, "efficiency_pct needs a series called performance");
	program_run(&p, "compare", new_map, old_map, "--metric", "ticks", NULL);
	refused(2, "no run has a value of ticks");
	program_run(&p, "compare", "/nowhere", NULL);
	refused(2, "/nowhere/runs.csv: No such file");
}

#define PERIODIC                                                                       \
	"machine: generic-2cpu\ngovernor: performance\n"                               \
	"workload: { name: periodic, tasks: 3, period: 43ms, run: 7ms, jitter: 0.31, " \
	"loops: 31 }\nrun: { seed: 43815, repeats: 5, duration: 4s }\n"

static double interval_width(const char *metric)
{
	char row[64], *at;
	double values[16] = { 0 };

	snprintf(row, sizeof(row), "\n%s,,longer,base,", metric);
	at = strstr(p.out, row);
	cr_assert(ne(ptr, at, NULL));
	at += strlen(row);
	for (int i = 0; i < 8; i++, at = strchr(at, ',') + 1)
		values[i] = strtod(at, NULL);
	return values[7] - values[6];
}

/* One per cent more work is seen with five repeats when they have seeds in common, in an interval
 * that is at least three times narrower than when they have not. */
Test(compare, common_seeds_show_what_others_hide)
{
	char scenario[96], out[2][96], free_dir[96];

	snprintf(scenario, sizeof(scenario), "%s/periodic.yaml", top);
	FILE *file = fopen(scenario, "w");
	fputs(PERIODIC, file);
	fclose(file);
	snprintf(out[0], sizeof(out[0]), "%s/base", top);
	snprintf(out[1], sizeof(out[1]), "%s/longer", top);
	snprintf(free_dir, sizeof(free_dir), "%s/free/longer", top);
	program_run(&p, "run", scenario, "-o", out[0], NULL);
	program_run(&p, "run", scenario, "--set", "workload.run=7070us", "-o", out[1], NULL);
	program_run(&p, "run", scenario, "--set", "workload.run=7070us", "--seed", "885", "-o",
		free_dir, NULL);
	program_run(&p, "compare", out[0], out[1], "--metric", "user_s", "--format", "csv", NULL);
	cr_assert(ne(ptr, strstr(p.out, "***\n"), NULL), "%s%s", p.out, p.err);
	double paired = interval_width("user_s");
	program_run(&p, "compare", out[0], free_dir, "--metric", "user_s", "--format", "csv", NULL);
	double apart = interval_width("user_s");
	printf("interval of the difference: %.4f s with common seeds, %.4f s without\n", paired,
		apart);
	cr_assert(gt(dbl, apart, 3 * paired));
}
