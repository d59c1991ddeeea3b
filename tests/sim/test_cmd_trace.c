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
