/*
 * What a run writes as text of ftrace, read again by our own importer and by an awk script that shares
 * nothing with it.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/program.h"
#include "tests/support/recording.h"

#define J4 "configs/traces/kernelbuild-j4.ftrace.xz"

static struct program p;
static char dir[] = "/tmp/cpufreq-sim-test-XXXXXX";
static char first[64], second[64];

static void setup(void)
{
	cr_assert(ne(ptr, mkdtemp(dir), NULL));
	snprintf(first, sizeof(first), "%s/first.ftrace", dir);
	snprintf(second, sizeof(second), "%s/second.ftrace", dir);
}

static void teardown(void)
{
	remove_tree(dir);
}

TestSuite(cmd_trace, .init = setup, .fini = teardown);

static void check_columns(const char *path)
{
	char command[256];

	snprintf(command, sizeof(command), "awk -f tests/ftrace_columns.awk %s >&2", path);
	cr_assert(eq(int, system(command), 0), "%s", path);
}

/* The replayed value of a line of replay. */
static double replayed(const char *name)
{
	const char *at = strstr(p.out, name);

	cr_assert(ne(ptr, (void *)at, NULL), "no %s in:\n%s%s", name, p.out, p.err);
	return strtod(at + 41, NULL);
}

/* The lines of one event without their heads, one after the other. */
static char *events(const char *path, const char *event)
{
	size_t size;
	char *text = recording_read(path, &size), *to = text;

	for (char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		char *at = strstr(line, event);
		char *next = line + len + (line[len] == '\n');

		if (at && at < line + len) {
			size_t kept = (size_t)(next - at);

			memmove(to, at, kept);
			to += kept;
		}
		line = next;
	}
	*to = '\0';
	return text;
}

struct round {
	char machine[24], governor[16];
};

ParameterizedTestParameters(cmd_trace, a_trace_replayed_is_the_run_it_was_written_by)
{
	static struct round rounds[] = { { "generic-2cpu", "performance" },
		{ "generic-2cpu", "powersave" }, { "generic-2cpu", "conservative" },
		{ "generic-2cpu", "schedutil" }, { "generic-2cpu", "ondemand" },
		{ "generic-desktop", "schedutil" } };

	return cr_make_param_array(struct round, rounds, sizeof(rounds) / sizeof(rounds[0]));
}

ParameterizedTest(struct round *r, cmd_trace, a_trace_replayed_is_the_run_it_was_written_by)
{
	double elapsed, cycles;

	program_run(&p, "replay", J4, "--machine", r->machine, "--governor", r->governor, "--trace",
		first, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	elapsed = replayed("elapsed_s");
	check_columns(first);
	program_run(&p, "import", first, "--root", "make", NULL);
	cr_assert(ne(ptr, strstr(p.out, "tasks replayed                   951\n"), NULL), "%s",
		p.out);
	cr_assert(
		ne(ptr, strstr(p.out, "chain breaks repaired            0\n"), NULL), "%s", p.out);
	cr_assert(
		ne(ptr, strstr(p.out, "payloads unreadable              0\n"), NULL), "%s", p.out);
	program_run(&p, "replay", first, "--root", "make", "--machine", r->machine, "--governor",
		r->governor, "--trace", second, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	/* What is recorded and what is replayed are the same number of cycles. */
	cycles = strtod(strstr(p.out, "total_cycles") + 24, NULL);
	cr_expect(replayed("total_cycles") > cycles - 2 && replayed("total_cycles") < cycles + 2);
	cr_expect(eq(dbl, replayed("elapsed_s"), elapsed));
	char *a = events(first, "cpu_frequency: "), *b = events(second, "cpu_frequency: ");

	cr_expect(eq(str, a, b));
	free(a);
	free(b);
}

Test(cmd_trace, a_run_of_many_kinds_of_events)
{
	char path[64], tree[PATH_MAX];

	cr_assert(getcwd(tree, sizeof(tree)) != NULL);
	snprintf(path, sizeof(path), "%s/rt.yaml", dir);
	FILE *file = fopen(path, "w");
	fprintf(file,
		"machine: generic-2cpu\ngovernor: schedutil\ndriver: acpi-cpufreq\n"
		"workload: { name: rt-app, file: %s/tests/data/workloads/every-event.json }\n",
		tree);
	fclose(file);
	program_run(&p, "run", path, "--trace", first, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	check_columns(first);
	size_t size;
	char *text = recording_read(first, &size);
	static const char *const wanted[] = { "sched_process_fork: comm=waker ",
		"sched_process_exit: comm=child ", "sched_wakeup_new: comm=child ",
		"prev_comm=reserved prev_pid=", "prio=-1", "prio=79", "prio=116",
		"cpu_idle: state=0", "cpu_idle: state=4294967295",
		"cpu_frequency: state=", "d.h2." };
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		cr_expect(ne(ptr, strstr(text, wanted[i]), NULL), "%s", wanted[i]);
	free(text);
	program_run(&p, "import", first, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
}

Test(cmd_trace, a_run_is_the_same_with_and_without)
{
	static struct program other;

	program_run(&other, "replay", J4, "--machine", "generic-2cpu", NULL);
	program_run(&p, "replay", J4, "--machine", "generic-2cpu", "--trace", first, NULL);
	cr_expect(eq(str, p.out, other.out));
}

Test(cmd_trace, a_file_that_cannot_be_written)
{
	program_run(&p, "replay", J4, "--machine", "generic-2cpu", "--trace", "/none/x", NULL);
	cr_expect(eq(int, p.status, 1));
	cr_expect(ne(ptr, strstr(p.err, "/none/x cannot be written: No such file"), NULL), "%s",
		p.err);
	program_run(&p, "replay", J4, "--machine", "generic-2cpu", "--trace", "/dev/full", NULL);
	cr_expect(eq(int, p.status, 1));
	cr_expect(ne(ptr, strstr(p.err, "/dev/full could not be written"), NULL), "%s", p.err);
}

/* A file in the test's directory. */
static const char *in_dir(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void contains(const char *name, const char *wanted)
{
	char *text = file_text(in_dir(name));

	cr_expect(ne(ptr, strstr(text, wanted), NULL), "%s has no \"%s\":\n%.600s", name, wanted,
		text);
	free(text);
}

/* awk finds nothing to say about the lines. */
static void awk(const char *name, const char *script)
{
	char command[512];

	snprintf(command, sizeof(command), "awk %s %s >&2", script, in_dir(name));
	cr_expect(eq(int, system(command), 0), "%s", name);
}

#define POLICY(n) "sys/devices/system/cpu/cpufreq/policy" #n

Test(cmd_trace, further_formats_of_a_replay)
{
	static const char *const files[] = { "log", "counts", "turbo", "sys" };
	char names[4][128];

	for (int i = 0; i < 4; i++)
		snprintf(names[i], sizeof(names[i]), "%s", in_dir(files[i]));
	program_run(&p, "replay", J4, "--machine", "generic-2cpu", "--governor", "ondemand",
		"--rtapp-log", names[0], "--event-counts", names[1], "--turbostat", names[2],
		"--stats", names[3], NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_expect(ne(ptr, strstr(p.out, "recorded        clock      busy time   share\n"), NULL));
	cr_expect(ne(ptr, strstr(p.out, "wakeup_p50_us      us "), NULL));
	contains("log", "#idx perf run period start end rel_st slack c_duration c_period wu_lat");
	awk("log",
		"'NR > 1 && (NF != 12 || $6 - $5 - $3 > 1 || $6 - $5 < $3) { print; bad = 1 } "
		"END { exit bad || NR < 2000 }'");
	contains("counts", "  sched:sched_switch\n");
	awk("counts", "'/%/ { sum += $1 } END { exit sum < 99.8 || sum > 100.2 }'");
	contains("turbo",
		"Package\tCPU\tAvg_MHz\tBusy%\tBzy_MHz\tTSC_MHz\tPOLL%\tC1%\tC6%\t"
		"PkgWatt\n");
	/* Busy and the idle states are all the time there is. */
	awk("turbo",
		"'NR > 1 { s = $4 + $7 + $8 + $9; if (s < 99.9 || s > 100.1) { print; "
		"bad = 1 } } END { exit bad || NR != 4 }'");
	contains(POLICY(1) "/stats/trans_table",
		"   From  :    To\n         :   2940000   2205000   1470000 \n");
	contains(POLICY(0) "/scaling_governor", "ondemand\n");
	/* Time in states is the run's, in units of 10 ms. */
	awk(POLICY(0) "/stats/time_in_state",
		"'{ s += $2 } END { exit NR != 3 || s < 500 || s > 520 }'");
	awk(POLICY(0) "/stats/trans_table",
		"'NR > 2 { for (i = 2; i <= NF; i++) s += $i } END { exit s < 10 }'");
}

Test(cmd_trace, samples_of_intel_pstate_in_the_kernels_columns)
{
	char csv[128];
	int lines = 0, rows = 0;

	snprintf(csv, sizeof(csv), "%s", in_dir("p.csv"));
	program_run(&p, "replay", J4, "--machine", "i7-3770", "--driver", "intel_pstate",
		"--governor", "powersave", "--window", ",1s", "--set", "kernel.version=4.15",
		"--trace", first, "--pstate-csv", csv, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	check_columns(first);
	awk("p.csv", "-F', ' 'NF != 18 { print; bad = 1 } END { exit bad || NR < 50 }'");
	/* As many as the tracepoint shows. */
	char *samples = events(first, "pstate_sample: "), *text = file_text(csv);
	for (const char *s = samples; (s = strchr(s, '\n')); s++)
		lines++;
	for (const char *s = text; (s = strchr(s, '\n')); s++)
		rows++;
	cr_expect(eq(int, lines, rows - 1));
	cr_expect(ne(ptr, strstr(samples, " io_boost="), NULL));
	free(samples);
	free(text);
	samples = events(first, "cpu_frequency_limits: ");
	cr_expect(ne(ptr, strstr(samples, "min=1600000 max=3900000 cpu_id=7"), NULL));
	free(samples);
}

Test(cmd_trace, trees_that_cannot_be_made)
{
	program_run(&p, "replay", J4, "--machine", "generic-2cpu", "--stats", "/proc/x", NULL);
	cr_expect(eq(int, p.status, 1));
	cr_expect(ne(ptr, strstr(p.err, "/proc/x cannot be made: "), NULL), "%s", p.err);
}
