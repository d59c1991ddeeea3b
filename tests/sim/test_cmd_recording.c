#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/program.h"
#include "tests/support/recording.h"

#define J4 "configs/traces/kernelbuild-j4.ftrace.xz"
#define V7 "tests/data/traces/tracecmd-v7.dat"

static struct program p;
static char dir[] = "/tmp/cpufreq-sim-test-XXXXXX";

static void setup(void)
{
	cr_assert(ne(ptr, mkdtemp(dir), NULL));
}

static void teardown(void)
{
	recording_remove();
	remove_tree(dir);
}

TestSuite(cmd_recording, .init = setup, .fini = teardown);

static void expect(const char *text)
{
	cr_assert(strstr(p.out, text) != NULL, "\"%s\" is not in:\n%s%s", text, p.out, p.err);
}

static void refused(int status, const char *text)
{
	cr_assert(eq(int, p.status, status), "%s%s", p.out, p.err);
	cr_assert(strstr(p.err, text) != NULL, "\"%s\" is not in:\n%s", text, p.err);
}

/* What the summary says of @name, as a number. */
static double said(const char *name)
{
	const char *at = strstr(p.out, name);

	cr_assert(ne(ptr, (void *)at, NULL), "no %s in:\n%s", name, p.out);
	return strtod(at + strlen(name), NULL);
}

Test(cmd_recording, import_summary_counts_a_recording)
{
	program_run(&p, "import", "--summary", J4, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_expect(eq(dbl, said("events sched_switch"), 9113.0));
	cr_expect(eq(dbl, said("\nwake-ups"), 3776.0));
	cr_expect(eq(dbl, said("\nforks"), 954.0));
	cr_expect(eq(dbl, said("\nchain breaks"), 9.0));
	cr_expect(eq(dbl, said("\ntasks"), 970.0));
	cr_expect(said("\nrun time") > 9.26 && said("\nrun time") < 9.31);
	expect("recording                        5.203461 s\n");
	program_run(&p, "import", "--summary", V7, "--window", "10ms,", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_expect(said("recording") > 0.048 && said("recording") < 0.050);
	program_run(&p, "import", "--summary", "tests/data/traces/tracecmd-v7-dropped.dat", NULL);
	cr_expect(eq(dbl, said("\nevents lost, at least"), 81052.0));
}

Test(cmd_recording, import_summary_shares_out_the_clock)
{
	const char *path = recording_text(
		"a-11 [000] 5.000000: cpu_frequency: state=1000000 cpu_id=0\n"
		"a-11 [000] 5.030000: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 "
		"prev_state=S ==> next_comm=b next_pid=12 next_prio=120\n"
		"b-12 [000] 5.060000: cpu_frequency: state=2000000 cpu_id=0\n"
		"b-12 [000] 5.080000: x: y\n");

	program_run(&p, "import", "--summary", path, NULL);
	expect("cpu0 at                          1000000 kHz: 0.060000 s, 75.0 %\n");
	expect("cpu0 at                          2000000 kHz: 0.020000 s, 25.0 %\n");
	expect("run time of b-12                 0.050000 s\n");
	expect("run time of a-11                 0.030000 s\n");
}

Test(cmd_recording, what_import_writes_runs_like_the_recording)
{
	static const char *const figures[] = { "elapsed_s", "cpu_seconds_s", "total_cycles",
		"wakeups", "switches" };
	char path[64];
	double values[5];

	snprintf(path, sizeof(path), "%s/j4.workload", dir);
	program_run(&p, "import", J4, "-o", path, "--machine", "generic-2cpu", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	expect("tasks replayed                   951\n");
	expect("recorded at                      2940000 kHz assumed, the machine's reference\n");
	program_run(&p, "replay", J4, "--machine", "generic-2cpu", "--governor", "ondemand", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	for (int i = 0; i < 5; i++)
		values[i] = strtod(strstr(p.out, figures[i]) + 41, NULL);
	program_run(
		&p, "replay", path, "--machine", "generic-2cpu", "--governor", "ondemand", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	for (int i = 0; i < 5; i++)
		cr_expect(eq(dbl, strtod(strstr(p.out, figures[i]) + 41, NULL), values[i]),
			"%s\n%s", figures[i], p.out);
	program_run(&p, "import", path, "--machine", "generic-2cpu", NULL);
	expect("work replayed                    27312185460 cycles\n");
}

Test(cmd_recording, replay_stands_beside_the_recording)
{
	program_run(&p, "replay", "--machine", "generic-2cpu", "--governor", "performance", J4,
		"--set", "workload.idle=idle-standin", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	expect(J4 " on generic-2cpu: governor performance, driver acpi-cpufreq\n");
	expect("elapsed_s          s             5.149910 ");
	expect("cpu_seconds_s      s             9.289859         9.289859     +0.0%\n");
	expect("total_cycles                  27312185460      27312185460     +0.0%\n");
	expect("forks                                 950              950     +0.0%\n");
	expect("cpu1          2940MHz ");
	program_run(&p, "replay", "--machine", "generic-2cpu", "--root", "make", "--window", ",2s",
		"--driver", "null", J4, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	expect("governor schedutil, driver null");
}

Test(cmd_recording, the_recorded_machine_says_what_a_clock_is_worth)
{
	program_run(&p, "import", V7, "--machine", "juno-r2", "--root", "all", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	program_run(&p, "import", V7, "--set", "workload.per_clock=1025", NULL);
	refused(2, "workload.per_clock: \"1025\" is not a number in 1..1024");
	program_run(&p, "import", V7, "--set", "workload.per_clock= ", NULL);
	refused(2, "workload.per_clock has no number");
}

Test(cmd_recording, mistakes_are_refused)
{
	program_run(&p, "import", NULL);
	refused(64, "import: the recording is missing");
	program_run(&p, "replay", J4, NULL);
	refused(64, "replay: --machine is missing");
	program_run(&p, "import", J4, "--window", "3s", NULL);
	refused(64, "--window: \"3s\" is not FROM,TO");
	program_run(&p, "import", J4, "--window", "3s,2s", NULL);
	refused(2, "is not after workload.from");
	program_run(&p, "import", J4, "--summary", "--root", "make", NULL);
	refused(64, "--summary imports nothing");
	program_run(&p, "import", J4, "--set", "workload=idle", NULL);
	refused(64, "workload idle takes no recording");
	program_run(&p, "import", J4, "-o", "/none/x", NULL);
	refused(1, "/none/x.partial cannot be written: No such file");
	program_run(&p, "import", "README.md", NULL);
	refused(3, "README.md:3:1: is not a trace");
	program_run(&p, "import", "--summary", "README.md", NULL);
	refused(3, "README.md:3:1: is not a trace");
	program_run(&p, "import", "--summary",
		recording_text("<idle>-0 [000] 5.0: cpu_idle: state=1 cpu_id=0\n"), NULL);
	refused(3, "has no scheduling event");
}

/* A file of scripts with one mistake. */
static void bad_workload(const char *text, const char *message)
{
	program_run(&p, "import", recording_text(text), "--machine", "generic-2cpu", NULL);
	refused(3, message);
}

Test(cmd_recording, mistakes_in_a_workload_file_name_their_line)
{
#define FIRST "cpufreq-sim workload 1\n# comment\n"
#define ONE FIRST "tasks 1 edges 0\ntask 7 0 a\n"
	bad_workload(
		FIRST "recorded 2 5000\n", ":3:1: found \"recorded 2 5000\"; expected recorded");
	bad_workload(FIRST "start -1\n", ":3:1: found \"start -1\"; expected start NS");
	bad_workload(FIRST "newidle 3 2\n", ":3:1: found \"newidle 3 2\"; expected newidle PULLED");
	bad_workload(FIRST "standin 4096\n", ":3:1: found \"standin 4096\"; expected standin CPU");
	bad_workload(FIRST "tasks 4194304 edges 0\n", "expected tasks NUMBER edges NUMBER");
	bad_workload(FIRST "tasks 1 edges 99999999\n", "expected tasks NUMBER edges NUMBER");
	bad_workload(
		FIRST "tasks 1\n", ":3:1: found \"tasks 1\"; expected tasks NUMBER edges NUMBER");
	bad_workload(FIRST "tasks 1 edges 0\nrun 7\n", ":4:1: found \"run 7\"; expected a task");
	bad_workload(FIRST "tasks 1 edges 0\ntask x\n", "expected task PID NS|- NAME");
	bad_workload(ONE "task 8 0 b\n", "expected no more tasks than announced");
	bad_workload(FIRST "tasks 2 edges 0\ntask 7 0 a\n", "expected as many tasks as announced");
	bad_workload(ONE "prio 140\n", ":5:1: found \"prio 140\"; expected prio 0 to 139");
	bad_workload(ONE "jump 7\n", ":5:1: found \"jump 7\"; expected run, spawn, post");
	bad_workload(ONE "run -7\n", ":5:1: found \"run -7\"; expected run, spawn, post");
	bad_workload(ONE "spawn 0\n", "expected a task that no other spawns");
	bad_workload(ONE "post 0\n", "expected an edge that has no such end yet");
	bad_workload(FIRST "tasks 1 edges 1\ntask 7 0 a\nwait 0\n", "edge 0 has no \"post\"");
	bad_workload(FIRST "tasks 1 edges 1\ntask 7 0 a\npostsync 0\n", "edge 0 has no \"wait\"");
	bad_workload(FIRST "tasks 1 edges 0\ntask 7 - a\n", "task 0 starts never");
	bad_workload(FIRST "tasks 2 edges 0\ntask 7 0 a\nspawn 1\ntask 8 5 b\n",
		"task 1 starts twice: alone, and spawned");
}
