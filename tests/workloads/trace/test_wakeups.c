#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "workloads/trace/wakeups.h"

static struct arena arena;
static struct trace_task in = { .in_tree = true }, out;
static struct trace_wakeups list;

static void add(const struct trace_task *task, int64_t ns, bool idle, bool remote)
{
	trace_wakeup_add(&arena, &list, task,
		!idle            ? TRACE_WAKEUP_BUSY
			: remote ? TRACE_WAKEUP_REMOTE
				 : TRACE_WAKEUP_LOCAL,
		ns);
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(wakeups, .fini = teardown);

Test(wakeups, the_mean_leaves_out_the_ends_busy_cpus_and_tasks_outside)
{
	int64_t mean_ns[2];

	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	for (int i = 0; i < 40; i++) {
		add(&in, 3000 + 10 * i, true, false);
		add(&in, 7000 + 10 * i, true, true);
		add(&in, 123456, false, true);
		add(&out, 654321, true, true);
	}
	add(&in, 4000000, true, true);
	trace_wakeups_mean(&arena, &list, mean_ns);
	cr_assert(eq(i64, mean_ns[0], 3195));
	cr_assert(eq(i64, mean_ns[1], 7200));
}

Test(wakeups, what_was_hardly_seen_takes_as_long_as_the_rest)
{
	int64_t mean_ns[2];

	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	for (int i = 0; i < 31; i++)
		add(&in, 2300, true, false);
	trace_wakeups_mean(&arena, &list, mean_ns);
	cr_assert(eq(i64, mean_ns[0], 0));
	cr_assert(eq(i64, mean_ns[1], 0));
	add(&in, 2300, true, true);
	trace_wakeups_mean(&arena, &list, mean_ns);
	cr_assert(eq(i64, mean_ns[0], 2300));
	cr_assert(eq(i64, mean_ns[1], 2300));
}

Test(wakeups, all_waits_come_sorted)
{
	int64_t ns[4];

	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	add(&in, 23, true, false);
	add(&out, 5, true, false);
	add(&in, 17, false, true);
	add(&in, 41, true, true);
	cr_assert(eq(sz, trace_wakeups_sorted(&list, ns), 3));
	cr_assert(eq(i64, ns[0], 17));
	cr_assert(eq(i64, ns[1], 23));
	cr_assert(eq(i64, ns[2], 41));
}
