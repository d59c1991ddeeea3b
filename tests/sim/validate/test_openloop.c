#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/validate/openloop.h"

#define MS NSEC_PER_MSEC

static struct arena arena;
static struct open_loop loop;
static struct kernel_spec kernel;
static unsigned flags_seen;
static int calls;

static void hook(void *ctx, int cpu, int64_t now_ns, unsigned flags)
{
	(void)ctx;
	(void)cpu;
	(void)now_ns;
	flags_seen |= flags;
	calls++;
}

static void start(unsigned version)
{
	static const int64_t capacities[] = { 1024, 1024 };

	cr_assert(eq(int, arena_try(&arena), 0));
	kernel = (struct kernel_spec){
		.version = version, .hz = 250, .blocked_period_ns = 32 * MS
	};
	open_loop_init(&loop, &arena, &kernel, 2, capacities);
	loop.hook = hook;
	flags_seen = 0;
	calls = 0;
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(openloop, .fini = teardown);

static struct trace_who who(int64_t pid, int prio)
{
	return (struct trace_who){ .pid = pid, .prio = prio };
}

static void at(int64_t t_ns, struct trace_event event)
{
	event.t_ns = t_ns;
	open_loop_advance(&loop, t_ns);
	open_loop_event(&loop, &event);
}

static void switches(
	int64_t t_ns, int cpu, struct trace_who from, enum trace_state state, struct trace_who to)
{
	at(t_ns,
		(struct trace_event){ .kind = TRACE_SWITCH,
			.cpu = cpu,
			.target_cpu = -1,
			.a = from,
			.b = to,
			.prev_state = state });
}

static void wakes(int64_t t_ns, int by, int target, struct trace_who task)
{
	at(t_ns,
		(struct trace_event){ .kind = TRACE_WAKEUP,
			.cpu = by,
			.target_cpu = target,
			.b = task,
			.context = TRACE_CONTEXT_TASK });
}

static uint64_t util_at(int64_t t_ns, int cpu)
{
	struct util_input in;

	open_loop_advance(&loop, t_ns);
	open_loop_update(&loop, cpu);
	open_loop_read(&loop, cpu, &in);
	return in.cfs_util_avg;
}

Test(openloop, half_a_life_of_running_is_half_of_the_capacity)
{
	const struct trace_who idle = who(0, 120), task = who(7, 120);

	start(KVER(5, 10, 0));
	switches(0, 0, idle, TRACE_RUNNABLE, task);
	/* 32 periods of 1.048576 ms */
	cr_expect(epsilon_eq(dbl, (double)util_at(33554432, 0), 512, 16));
	switches(400 * MS, 0, task, TRACE_BLOCKED, idle);
	cr_expect(epsilon_eq(dbl, (double)util_at(400 * MS, 0), 1023, 2));
	cr_expect(epsilon_eq(dbl, (double)util_at(400 * MS + 33554432, 0), 512, 16));
	cr_expect(eq(u64, util_at(401 * MS, 1), 0));
}

Test(openloop, a_task_that_wakes_elsewhere_takes_its_load_along)
{
	const struct trace_who idle = who(0, 120), task = who(7, 120);

	start(KVER(5, 10, 0));
	switches(0, 0, idle, TRACE_RUNNABLE, task);
	switches(100 * MS, 0, task, TRACE_BLOCKED, idle);
	const uint64_t before = util_at(100 * MS, 0);
	wakes(101 * MS, 0, 1, task);
	cr_expect(epsilon_eq(dbl, (double)util_at(101 * MS, 1), (double)before, 30));
	cr_expect(util_at(101 * MS, 0) < 10);
	/* Seen running on the first CPU again without a wake-up: it was migrated. */
	switches(102 * MS, 0, idle, TRACE_RUNNABLE, task);
	cr_expect(util_at(102 * MS, 0) > before - 60);
	cr_expect(util_at(102 * MS, 1) < 10);
}

Test(openloop, a_dead_task_leaves_nothing_behind)
{
	const struct trace_who idle = who(0, 120), task = who(7, 120);

	start(KVER(5, 10, 0));
	switches(0, 0, idle, TRACE_RUNNABLE, task);
	switches(100 * MS, 0, task, TRACE_DEAD, idle);
	cr_expect(util_at(101 * MS, 0) < 10);
	/* The pid is another's after a fork: it begins with half of what is free. */
	at(102 * MS,
		(struct trace_event){ .kind = TRACE_FORK, .target_cpu = -1, .a = idle, .b = task });
	at(103 * MS, (struct trace_event){ .kind = TRACE_WAKEUP_NEW, .target_cpu = 1, .b = task });
	cr_expect(epsilon_eq(dbl, (double)util_at(103 * MS, 1), 512, 4));
}

Test(openloop, only_some_wake_ups_are_after_io)
{
	const struct trace_who idle = who(0, 120), task = who(7, 120);

	start(KVER(4, 12, 0));
	switches(0, 0, idle, TRACE_RUNNABLE, task);
	switches(10 * MS, 0, task, TRACE_BLOCKED_D, idle);
	wakes(12 * MS, 0, 0, task);
	/* The waker is idle, so a device interrupted it. */
	cr_expect(ne(u32, flags_seen & HOOK_IOWAIT, 0));
	flags_seen = 0;
	switches(13 * MS, 0, idle, TRACE_RUNNABLE, task);
	switches(20 * MS, 0, task, TRACE_BLOCKED_D, idle);
	/* A recording that shows devices is believed. */
	at(21 * MS, (struct trace_event){ .kind = TRACE_IO_DONE, .target_cpu = -1 });
	wakes(25 * MS, 0, 0, task);
	cr_expect(eq(u32, flags_seen & HOOK_IOWAIT, 0));
	switches(26 * MS, 0, idle, TRACE_RUNNABLE, task);
	switches(30 * MS, 0, task, TRACE_BLOCKED_D, idle);
	at(31 * MS,
		(struct trace_event){
			.kind = TRACE_REASON, .target_cpu = -1, .a = task, .iowait = true });
	wakes(31 * MS, 0, 0, task);
	cr_expect(ne(u32, flags_seen & HOOK_IOWAIT, 0));
}

Test(openloop, real_time_tasks_ask_for_the_maximum_until_4_17)
{
	const struct trace_who idle = who(0, 120), task = who(7, 50);
	struct trace_who stopper = who(8, 0);

	start(KVER(4, 12, 0));
	switches(0, 0, idle, TRACE_RUNNABLE, task);
	switches(5 * MS, 0, task, TRACE_BLOCKED, idle);
	cr_expect(ne(u32, flags_seen & HOOK_RT, 0));
	flags_seen = 0;
	strcpy(stopper.comm, "migration/0");
	switches(6 * MS, 0, idle, TRACE_RUNNABLE, stopper);
	switches(11 * MS, 0, stopper, TRACE_BLOCKED, idle);
	cr_expect(eq(u32, flags_seen & HOOK_RT, 0));
	arena_free(&arena);
	start(KVER(5, 10, 0));
	switches(0, 0, idle, TRACE_RUNNABLE, task);
	switches(5 * MS, 0, task, TRACE_BLOCKED, idle);
	cr_expect(eq(u32, flags_seen & HOOK_RT, 0));
	cr_expect(gt(int, calls, 0));
}

Test(openloop, a_task_made_real_time_leaves_the_fair_queue)
{
	const struct trace_who idle = who(0, 120), task = who(7, 120), boosted = who(7, 40);

	start(KVER(5, 10, 0));
	wakes(0, 0, 1, task);
	cr_expect(ne(ptr, loop.cpus[1].queue, NULL));
	switches(1 * MS, 1, idle, TRACE_RUNNABLE, task);
	switches(50 * MS, 1, task, TRACE_RUNNABLE, idle);
	cr_expect(gt(u64, util_at(50 * MS, 1), 400));
	switches(51 * MS, 1, idle, TRACE_RUNNABLE, boosted);
	cr_expect(eq(ptr, loop.cpus[1].queue, NULL));
	cr_expect(lt(u64, util_at(51 * MS, 1), 10));
	switches(60 * MS, 1, boosted, TRACE_BLOCKED, idle);
	wakes(61 * MS, 0, 0, task);
	cr_expect(ne(ptr, loop.cpus[0].queue, NULL));
	cr_expect(gt(u64, util_at(61 * MS, 0), 300));
}

Test(openloop, idle_periods_count_as_recorded)
{
	const struct trace_who idle = who(0, 120), task = who(7, 120);
	struct util_input in;

	start(KVER(4, 12, 0));
	switches(0, 0, idle, TRACE_RUNNABLE, task);
	switches(1 * MS, 0, task, TRACE_BLOCKED, idle);
	open_loop_read(&loop, 0, &in);
	cr_expect(eq(u64, in.idle_calls, 1));
	at(1 * MS, (struct trace_event){ .kind = TRACE_IDLE, .target_cpu = 0, .idle_state = 2 });
	at(2 * MS, (struct trace_event){ .kind = TRACE_IDLE, .target_cpu = 0, .idle_state = -1 });
	at(2 * MS, (struct trace_event){ .kind = TRACE_IDLE, .target_cpu = 0, .idle_state = 1 });
	switches(3 * MS, 0, idle, TRACE_RUNNABLE, task);
	switches(4 * MS, 0, task, TRACE_BLOCKED, idle);
	open_loop_read(&loop, 0, &in);
	cr_expect(eq(u64, in.idle_calls, 2));
}
