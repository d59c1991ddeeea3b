/* The commands sweep and export from outside; what goes on inside a store: tests/sweep/. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/program.h"

static struct program p;
static char top[64], scenario[96], out[96];

static void enter(void)
{
	strcpy(top, "/tmp/test_sweep_XXXXXX");
	cr_assert(ne(ptr, mkdtemp(top), NULL));
	snprintf(scenario, sizeof(scenario), "%s/periods.yaml", top);
	snprintf(out, sizeof(out), "%s/out", top);
	FILE *file = fopen(scenario, "w");
	fputs("machine: generic-2cpu\ngovernor: { name: ondemand }\n"
	      "workload: { name: periodic, tasks: 3, period: 43ms, run: 7ms, jitter: 0.21, loops: "
	      "13 }\nrun: { seed: 43815, repeats: 2 }\n",
		file);
	fclose(file);
}

static void leave(void)
{
	remove_tree(top);
}

TestSuite(sweep, .init = enter, .fini = leave);

static void refused(int status, const char *message)
{
	cr_assert(eq(int, p.status, status), "%s", p.err);
	cr_assert(ne(ptr, strstr(p.err, message), NULL), "%s", p.err);
}

Test(sweep, a_row_per_run_in_order_of_the_axes)
{
	program_run(&p, "sweep", scenario, "--sweep", "kernel.version=4.8,6.1", "--sweep",
		"governor=performance,{ name: ondemand, up_threshold: 71 }", "-o", out, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(ne(ptr, strstr(p.out, "8 runs in "), NULL));
	cr_assert(ne(ptr, strstr(p.out, ": 8 done now, 0 there before, 0 failed, 0 points"), NULL));
	cr_assert(eq(str, p.err, ""));
	program_run(&p, "export", out, NULL);
	cr_assert(eq(int,
		strncmp(p.out,
			"scenario,point,kernel.version,governor,repeat,seed,"
			"elapsed_s,",
			61),
		0));
	cr_assert(ne(ptr, strstr(p.out, "\nperiods,1,4.8,performance,1,43815,"), NULL));
	cr_assert(ne(ptr,
		strstr(p.out,
			"\nperiods,4,6.1,\"{ name: ondemand, up_threshold: 71 }\","
			"2,43816,"),
		NULL));
	program_run(&p, "export", out, "--format", "json", NULL);
	cr_assert(ne(ptr,
		strstr(p.out,
			"{ \"point\": 1, \"kernel.version\": \"4.8\", "
			"\"governor\": \"performance\", \"repeat\": 1, \"seed\": 43815, "
			"\"elapsed_s\": "),
		NULL));
}

/* The row of a sweep is the row of the run with the same values. */
Test(sweep, a_point_is_what_run_makes_of_the_same_values)
{
	char *comma;

	program_run(&p, "sweep", scenario, "--sweep", "governor.up_threshold=63,71", "--repeats",
		"1", "-o", out, NULL);
	program_run(&p, "export", out, NULL);
	char *row = strdup(strstr(p.out, "\nperiods,2,71,1,43815,") + 22);
	comma = strrchr(row, ',');
	*comma = '\0';
	program_run(&p, "run", scenario, "--set", "governor.up_threshold=71", "--repeats", "1",
		"--format", "csv", NULL);
	cr_assert(ne(ptr, strstr(p.out, row), NULL), "%s\n%s", row, p.out);
	free(row);
}

Test(sweep, values_that_make_no_sense_are_refused_or_listed)
{
	program_run(&p, "sweep", scenario, "--sweep", "governor.name=ondemand,performance",
		"--sweep", "governor.up_threshold=63", "-o", out, NULL);
	refused(2, "point 2 (governor.name=performance governor.up_threshold=63): ");
	cr_assert(ne(int, access(out, F_OK), 0));
	program_run(&p, "sweep", scenario, "--sweep", "governor.name=ondemand,performance",
		"--sweep", "governor.up_threshold=63", "-o", out, "--skip-invalid", NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(ne(ptr, strstr(p.err, "skipped: point 2 (governor.name=performance "), NULL));
	cr_assert(ne(ptr, strstr(p.out, "2 runs in "), NULL));
	cr_assert(ne(ptr, strstr(p.out, "1 points skipped"), NULL));
	program_run(&p, "sweep", scenario, "--sweep", "governor.name=performance", "--sweep",
		"governor.up_threshold=63", "-o", out, "--skip-invalid", NULL);
	refused(2, "no point makes sense; the first: point 1 (");
}

/* With one loop more than an hour of simulated time the run fails, and only there. */
Test(sweep, a_failed_run_is_a_row_and_the_others_are_done)
{
	program_run(&p, "sweep", scenario, "--sweep", "workload.loops=100000,17", "-o", out, NULL);
	refused(1, "2 of 4 runs failed, such as point 1, repeat ");
	cr_assert(ne(ptr, strstr(p.err, "has not ended after 3600 s"), NULL));
	program_run(&p, "export", out, NULL);
	cr_assert(ne(ptr, strstr(p.out, "\nperiods,1,100000,1,43815,,,,"), NULL));
	cr_assert(ne(ptr, strstr(p.out, "\nperiods,2,17,2,43816,"), NULL));
	program_run(&p, "sweep", scenario, "--sweep", "workload.loops=100000,17", "-o", out, NULL);
	refused(1, "2 of 4 runs failed, such as point 1, repeat 1");
	cr_assert(ne(ptr, strstr(p.out, "0 done now, 4 there before, 2 failed"), NULL));
	program_run(&p, "sweep", scenario, "--sweep", "workload.loops=100000,17", "-o", out,
		"--retry-failed", NULL);
	cr_assert(ne(ptr, strstr(p.out, "2 done now, 2 there before, 2 failed"), NULL));
}

Test(sweep, equal_points_are_run_once_and_more_repeats_go_on)
{
	program_run(&p, "sweep", scenario, "--sweep", "workload.run=7ms,7000us", "-o", out, NULL);
	cr_assert(ne(ptr, strstr(p.out, "2 runs in "), NULL));
	program_run(&p, "export", out, NULL);
	cr_assert(ne(ptr, strstr(p.out, "\nperiods,2,7000us,2,43816,"), NULL));
	program_run(&p, "sweep", scenario, "--sweep", "workload.run=7ms,7000us", "-o", out,
		"--repeats", "5", NULL);
	cr_assert(ne(ptr, strstr(p.out, "3 done now, 2 there before"), NULL));
}

Test(sweep, a_dry_run_prints_points_and_leaves_nothing)
{
	program_run(
		&p, "sweep", scenario, "--sweep", "run.seed=3:9:3", "--dry-run", "-o", out, NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(eq(str, p.out, "point,run.seed\n1,3\n2,6\n3,9\n"));
	cr_assert(ne(ptr, strstr(p.err, "3 points, 2 repeats: about 0:00:00 with "), NULL));
	cr_assert(ne(int, access(out, F_OK), 0));
}

Test(sweep, wrong_usage_is_explained)
{
	program_run(&p, "sweep", NULL);
	refused(64, "sweep: the scenario is missing");
	program_run(&p, "sweep", scenario, NULL);
	refused(64, "sweep: -o DIR is missing");
	program_run(&p, "sweep", scenario, "-o", out, "--shard", "4/3", NULL);
	refused(64, "--shard: \"4\" is not a whole number in 1..3");
	program_run(&p, "sweep", scenario, "-o", out, "--shard", "2", NULL);
	refused(64, "--shard: \"2\" is not K/N, such as 2/8");
	program_run(&p, "sweep", scenario, "-o", out, "--precision", "much", NULL);
	refused(64, "--precision: \"much\" is no share such as 1% or 0.01");
	program_run(&p, "sweep", scenario, "-o", out, "--precision", "1%", "--shard", "1/2", NULL);
	refused(64, "--precision looks at all repeats of a point, --shard at some: use one");
	program_run(&p, "sweep", scenario, "-o", out, "--max-repeats", "9", NULL);
	refused(64, "--max-repeats goes with --precision");
	program_run(&p, "sweep", scenario, "-o", out, "--precision", "1%", "--max-repeats", "9",
		"--repeats", "17", NULL);
	refused(64, "--max-repeats 9 is below the 17 repeats of the scenario");
	program_run(&p, "sweep", scenario, "-o", out, "--sweep", "run.repeats=1,2", NULL);
	refused(2, "run.repeats is no axis; expected --repeats N");
	program_run(&p, "sweep", scenario, "-o", "/dev/null/nowhere", NULL);
	cr_assert(eq(int, p.status, 1));
	program_run(&p, "export", NULL);
	refused(64, "export: the directory is missing");
}

Test(sweep, check_builds_every_point_of_a_file)
{
	char path[96];

	program_run(&p, "check", "configs/sweeps/pcc-thresholds.yaml", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	snprintf(path, sizeof(path), "%s/sweep.yaml", top);
	FILE *file = fopen(path, "w");
	fputs("machine: generic-2cpu\ngovernor: ondemand\nworkload: { name: periodic, loops: 7 }\n"
	      "sweep: { governor.up_threshold: [ 71, 185 ] }\n",
		file);
	fclose(file);
	program_run(&p, "check", path, NULL);
	refused(2, "point 2 (governor.up_threshold=185): ");
}
