#include "workloads/trace/newidle.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* CPU 0 runs out of work beside CPU 1, where something runs and new tasks wait. */

static struct arena arena;
static struct trace_new_tasks tasks;
static struct trace_newidle newidle;
static struct trace_task idle = { .idle = true, .put_cpu = -1 }, old = { .put_cpu = -1 };
static struct trace_task born[3] = { { .put_cpu = -1 }, { .put_cpu = -1 }, { .put_cpu = -1 } };

static void setup(void)
{
	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	trace_new_tasks_init(&tasks, &arena);
	trace_new_tasks_switch(&tasks, &newidle, 1, &old, false, false);
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(newidle, .init = setup, .fini = teardown);

static void found(int64_t pulls, int64_t looks)
{
	cr_expect(eq(i64, newidle.pulls, pulls));
	cr_expect(eq(i64, newidle.looks, looks));
}

Test(newidle, counts_who_idles_beside_a_new_task_and_who_takes_it)
{
	trace_new_tasks_switch(&tasks, &newidle, 0, &idle, true, true);
	found(0, 0);
	trace_new_tasks_put(&tasks, &born[0], 1);
	trace_new_tasks_put(&tasks, &born[1], 1);
	trace_new_tasks_switch(&tasks, &newidle, 0, &idle, true, true);
	found(0, 1);
	trace_new_tasks_switch(&tasks, &newidle, 0, &born[0], true, false);
	found(1, 2);
	/* The other has its turn where it was put, and nobody is left to be taken. */
	trace_new_tasks_switch(&tasks, &newidle, 1, &born[1], true, false);
	trace_new_tasks_switch(&tasks, &newidle, 0, &idle, true, true);
	found(1, 2);
}

Test(newidle, who_is_preempted_or_idled_before_did_not_look)
{
	trace_new_tasks_put(&tasks, &born[0], 1);
	trace_new_tasks_switch(&tasks, &newidle, 0, &idle, false, true);
	trace_new_tasks_switch(&tasks, &newidle, 0, &born[0], false, false);
	found(0, 0);
}

Test(newidle, an_idle_cpu_takes_what_is_put_there)
{
	trace_new_tasks_switch(&tasks, &newidle, 1, &idle, true, true);
	trace_new_tasks_put(&tasks, &born[0], 1);
	trace_new_tasks_switch(&tasks, &newidle, 0, &idle, true, true);
	found(0, 0);
	/* A stand-in is in the way. */
	trace_new_tasks_switch(&tasks, &newidle, 1, &idle, false, false);
	trace_new_tasks_switch(&tasks, &newidle, 0, &idle, true, true);
	found(0, 1);
}

Test(newidle, who_waits_is_forgotten_where_events_are_missing)
{
	trace_new_tasks_put(&tasks, &born[0], 1);
	trace_new_tasks_lost(&tasks);
	trace_new_tasks_put(&tasks, &born[2], 5000000);
	trace_new_tasks_switch(&tasks, &newidle, 0, &idle, true, true);
	trace_new_tasks_switch(&tasks, &newidle, 0, &born[0], true, false);
	found(0, 0);
	trace_new_tasks_put(&tasks, &born[1], 1);
	trace_new_tasks_switch(&tasks, &newidle, 0, &idle, true, true);
	found(0, 1);
}
