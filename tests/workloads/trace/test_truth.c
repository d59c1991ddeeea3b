/*
 * Recordings of programs whose doings are known: what import makes of them, beside what they were
 * told to do. The recordings are not part of the tree: $CPUFREQSIM_TRACES names their folder.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "tests/support/recording.h"

static struct arena arena;
static struct trace_import import;

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(truth, .fini = teardown);

static void take(const char *name)
{
	struct trace_options options = {
		.root = "auto", .idle = "idle-standin", .to_ns = NEVER_NS, .reference_khz = 1000000
	};
	const char *named = getenv("CPUFREQSIM_TRACES");
	struct error err = { 0 };
	char path[512];

	snprintf(path, sizeof(path), "%s/recorded/%s", named ? named : "../shared/traces", name);
	if (access(path, R_OK) != 0)
		cr_skip("not checked: no file %s (CPUFREQSIM_TRACES names another place)", path);
	arena_free(&arena);
	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	cr_assert(eq(int, trace_import(&arena, path, &options, &import, &err), 0), "%s", err.text);
}

static void near(double found, double truth, const char *what)
{
	cr_expect(found > 0.98 * truth && found < 1.02 * truth, "%s: %g, in truth %g", what, found,
		truth);
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Processes that the root started one after the other, and what the middle one of them ran. */
static void processes(const char *name, int64_t nr, double median_ms)
{
	static int64_t run_ns[8192];
	size_t found = 0;

	take(name);
	for (const struct trace_task *task = import.tasks; task; task = task->next)
		if (task->in_tree && task != import.root && found < 8192)
			run_ns[found++] = task->run_ns;
	cr_expect(eq(i64, (int64_t)found, nr), "%s", name);
	qsort(run_ns, found, sizeof(*run_ns), compare);
	near((double)run_ns[found / 2] / (double)NSEC_PER_MSEC, median_ms, name);
}

Test(truth, one_process_after_the_other)
{
	processes("forkexec-backtoback-2ms.ftrace.xz", 1793, 1.60);
	processes("forkexec-100hz-2ms.ftrace.xz", 400, 1.77);
	processes("forkexec-100hz-2ms-v7.dat", 400, 1.77);
	processes("forkexec-backtoback-tiny.ftrace.xz", 4460, 0.26);
}

/* Operations of a kind in the script of a task. */
static int64_t ops(const struct trace_task *task, enum trace_op_kind kind)
{
	int64_t nr = 0;

	for (const struct trace_op *op = task->first; op; op = op->next)
		nr += op->kind == kind;
	return nr;
}

/* The n-th task of the tree in order of birth, the root being 0. */
static const struct trace_task *nth(int n)
{
	const struct trace_task *task = import.tasks;

	while (task && (!task->in_tree || n-- > 0))
		task = task->next;
	cr_assert(ne(ptr, (void *)task, NULL));
	return task;
}

Test(truth, twenty_periods_of_a_hundred_ms)
{
	take("rtapp-run20ms-period100ms.ftrace");
	cr_expect(eq(i64, ops(nth(1), TRACE_OP_UNTIL) + ops(nth(1), TRACE_OP_SLEEP), 20));
	near((double)nth(1)->run_ns / 20, 22.2e6, "run of a period"); /* 0.446 s in all */
}

Test(truth, four_threads_with_periods_of_their_own)
{
	static const int cycles[] = { 800, 702, 625, 564 };

	take("cyclictest-4t-5ms.ftrace.xz");
	for (int i = 0; i < 4; i++)
		near((double)(ops(nth(i + 1), TRACE_OP_UNTIL) + ops(nth(i + 1), TRACE_OP_SLEEP)),
			cycles[i], "cycles");
}

Test(truth, six_thousand_round_trips)
{
	take("perfbench-sched-pipe-6000.ftrace.xz");
	for (int i = 0; i < 2; i++)
		near((double)ops(nth(i), TRACE_OP_BLOCK), 6000, "edges");
}

Test(truth, reads_and_a_pause_after_each)
{
	take("fio-randread-think1ms.ftrace.xz");
	/* 942 a second for three seconds. */
	near((double)import.totals.ios, 3 * 942, "reads");
	near((double)ops(nth(4), TRACE_OP_SLEEP), 3 * 942, "pauses");
}

Test(truth, two_hundred_ticks_of_a_timer_a_second)
{
	take("stressng-cpu30-timer200.ftrace");
	near((double)ops(nth(2), TRACE_OP_SLEEP) + (double)ops(nth(2), TRACE_OP_UNTIL), 4 * 200,
		"ticks");
}

Test(truth, twenty_threads_and_a_compiler_with_all_it_starts)
{
	take("hackbench-pT-g2-f5-l2000.ftrace.xz");
	cr_expect(eq(i64, import.totals.forks, 20));
	take("hackbench-pT-g10-l12.ftrace.xz");
	cr_expect(eq(i64, import.totals.forks, 400));
	take("kernelbuild-j2.ftrace.xz");
	cr_expect(eq(i64, import.totals.forks, 950));
}
