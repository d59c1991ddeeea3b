#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/rt.h"
#include "tests/support/tiny.h"

/* Real-time and deadline tasks on the two-package machine, 2 GHz under performance. */

#define YAML                                              \
	"machine: tests/data/machines/two-package.yaml\n" \
	"kernel: { version: \"5.10\", hz: 250 }\n"        \
	"driver: 'null'\n"                                \
	"governor: performance\n"                         \
	"workload: scripted\n"

#define MS (INT64_C(2000000) * NSEC_PER_MSEC) /* work of one ms */

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(rt, .fini = teardown);

static const struct hook_count *at(enum hook_site site)
{
	return &tiny.run.kernel.hooks.by_site[site];
}

static const struct script_step hog[] = { SCRIPT_RUN(300 * MS), SCRIPT_EXIT };
static const struct script_step waker[] = { SCRIPT_SLEEP(10130000), SCRIPT_RUN(7 * MS),
	SCRIPT_EXIT };

Test(rt, a_real_time_task_takes_the_cpu_from_a_fair_one_at_once)
{
	const struct job jobs[] = { { waker, 0, false, .fifo = 1 }, { hog, 0, true, .pin = 0 },
		{ hog, 1, true, .pin = 0 }, { hog, 2, true, .pin = 0 },
		{ hog, 3, true, .pin = 0 } };

	tiny_run_jobs(&tiny, YAML, jobs, 5);
	cr_assert(eq(i64, tiny.exit_ns[0], 17130000));
	cr_assert(eq(int, tiny.exit_cpu[0], 0));
}

Test(rt, fair_tasks_wait_until_a_real_time_task_is_done)
{
	static const struct script_step fair[] = { SCRIPT_SLEEP(1000), SCRIPT_RUN(1 * MS),
		SCRIPT_EXIT };
	const struct job jobs[] = { { hog, 0, false, .fifo = 1 }, { hog, 1, false, .fifo = 1 },
		{ hog, 2, false, .fifo = 1 }, { hog, 3, false, .fifo = 1 },
		{ fair, 0, false, .pin = 0 } };

	tiny_run_jobs(&tiny, YAML, jobs, 5);
	cr_assert(eq(i64, tiny.exit_ns[4], 301 * NSEC_PER_MSEC + 1000));
}

Test(rt, among_real_time_tasks_the_higher_priority_comes_first)
{
	const struct job jobs[] = { { hog, 0, true, .fifo = 50 }, { hog, 1, true, .fifo = 51 },
		{ hog, 2, true, .fifo = 52 }, { hog, 3, true, .fifo = 53 },
		{ waker, 3, false, .fifo = 51 }, { waker, 3, false, .fifo = 49 } };

	tiny_run_jobs(&tiny, YAML, jobs, 6);
	/* Priority 51 takes the CPU of the one below it; 49 waits for whoever ends first. */
	cr_assert(eq(i64, tiny.exit_ns[4], 17130000));
	cr_assert(eq(int, tiny.exit_cpu[4], 0));
	cr_assert(eq(i64, tiny.exit_ns[5], (300 + 7) * NSEC_PER_MSEC + 10130000));
}

Test(rt, a_waiting_real_time_task_is_taken_by_the_first_cpu_that_could_run_it)
{
	static const struct script_step short_hog[] = { SCRIPT_RUN(43 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { hog, 0, true, .fifo = 50 }, { hog, 1, true, .fifo = 50 },
		{ short_hog, 2, true, .fifo = 50 }, { hog, 3, true, .fifo = 50 },
		{ hog, 2, true, .pin = 0 }, { waker, 0, false, .fifo = 50 } };

	tiny_run_jobs(&tiny, YAML, jobs, 6);
	/* It gets to its first step, the sleep, when CPU 2 is free. */
	cr_assert(eq(i64, tiny.exit_ns[5], (43 + 7) * NSEC_PER_MSEC + 10130000));
	cr_assert(eq(int, tiny.exit_cpu[5], 2));
}

Test(rt, round_robin_gives_equals_a_tenth_of_a_second_in_turn)
{
	const struct job jobs[] = { { hog, 0, false, .fifo = 7, .round_robin = true, .pin = 1 },
		{ hog, 0, false, .fifo = 7, .round_robin = true, .pin = 1 } };

	tiny_run_jobs(&tiny, YAML, jobs, 2);
	cr_assert(ge(i64, tiny.exit_ns[0], 500 * NSEC_PER_MSEC));
	cr_assert(eq(i64, tiny.exit_ns[1], 600 * NSEC_PER_MSEC));
	tiny_free(&tiny);
	const struct job fifo[] = { { hog, 0, false, .fifo = 7, .pin = 1 },
		{ hog, 0, false, .fifo = 7, .pin = 1 } };
	tiny_run_jobs(&tiny, YAML, fifo, 2);
	cr_assert(eq(i64, tiny.exit_ns[0], 300 * NSEC_PER_MSEC));
}

Test(rt, a_deadline_task_has_its_budget_in_every_period_and_no_more)
{
	static const struct script_step greedy[] = { SCRIPT_RUN(40 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { greedy, 0, false, .dl_runtime_ns = 8000000,
					    .dl_period_ns = 40000000, .pin = 1 },
		{ hog, 0, true, .fifo = 99, .pin = 1 } };

	tiny_run_jobs(&tiny, YAML, jobs, 2);
	/* 8 ms at 0, 40, 80, 120 and 160 ms: the budget is looked at by ticks of 4 ms. */
	cr_assert(eq(i64, tiny.exit_ns[0], 168 * NSEC_PER_MSEC));
}

Test(rt, of_two_deadline_tasks_the_earlier_deadline_runs)
{
	const struct job jobs[] = { { waker, 0, false, .dl_runtime_ns = 8000000,
					    .dl_period_ns = 30000000, .pin = 1 },
		{ hog, 0, true, .dl_runtime_ns = 400000000, .dl_period_ns = 900000000, .pin = 1 } };

	tiny_run_jobs(&tiny, YAML, jobs, 2);
	cr_assert(eq(i64, tiny.exit_ns[0], 17130000));
}

Test(rt, a_governor_is_told_when_a_real_time_task_comes_and_goes)
{
	const struct job jobs[] = { { waker, 0, false, .fifo = 1 } };
	const char *ondemand = "machine: tests/data/machines/two-package.yaml\n"
			       "kernel: { version: \"5.10\", hz: 250 }\n"
			       "driver: 'null'\n"
			       "governor: ondemand\n"
			       "workload: scripted\n";

	tiny_run_jobs(&tiny, ondemand, jobs, 1);
	/* Twice it comes, to sleep at once and after that, and twice it goes. */
	cr_assert(eq(i64, at(HOOK_SITE_RT)->calls, 4));
}

Test(rt, up_to_4_17_the_time_of_a_real_time_task_is_told)
{
	const struct job jobs[] = { { waker, 0, false, .fifo = 1 } };
	const char *ondemand = "machine: tests/data/machines/two-package.yaml\n"
			       "kernel: { version: \"4.12\", hz: 1000 }\n"
			       "driver: 'null'\n"
			       "governor: ondemand\n"
			       "workload: scripted\n";

	tiny_run_jobs(&tiny, ondemand, jobs, 1);
	/* A tick every ms of the 14 that it takes at 1 GHz, and its end. */
	cr_assert(eq(i64, at(HOOK_SITE_RT)->calls, 15));
}

Test(rt, the_bandwidth_of_a_deadline_task_counts_until_its_share_is_used)
{
	const struct job jobs[] = { { waker, 0, false, .dl_runtime_ns = 10000000,
		.dl_period_ns = 40000000 } };
	const char *ondemand = "machine: tests/data/machines/two-package.yaml\n"
			       "kernel: { version: \"5.10\", hz: 250 }\n"
			       "driver: 'null'\n"
			       "governor: ondemand\n"
			       "workload: scripted\n";

	tiny_run_jobs(&tiny, ondemand, jobs, 1);
	/* Added at 0; the whole budget is left, so it is taken off at once; added when it wakes,
	 * taken off when it ends. */
	cr_assert(eq(i64, at(HOOK_SITE_DL)->calls, 4));
	cr_assert(eq(u64, tiny.run.kernel.rqs[0].dl_bw, 0));
}

Test(rt, a_deadline_outranks_priorities_and_a_priority_outranks_fairness)
{
	struct task late = { .class = TASK_DEADLINE, .dl.deadline_ns = 91 };
	struct task soon = { .class = TASK_DEADLINE, .dl.deadline_ns = 17 };
	struct task high = { .class = TASK_FIFO, .rt_priority = 99 };
	struct task low = { .class = TASK_RR, .rt_priority = 1 };
	struct task fair = { .class = TASK_FAIR };
	const struct task *order[] = { &soon, &late, &high, &low, &fair };

	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 5; j++)
			cr_assert(eq(int, task_outranks(order[i], order[j]), i < j));
}

/* Work of 2 s against a fair task of 90 ms on one CPU. */
static int64_t end_of_fair_ns(const char *yaml, int64_t elapsed_ms)
{
	static const struct script_step two_seconds[] = { SCRIPT_RUN(2000 * MS), SCRIPT_EXIT };
	static const struct script_step fair[] = { SCRIPT_RUN(90 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { two_seconds, 0, false, .fifo = 60, .pin = 1 },
		{ fair, 0, false, .pin = 1 } };

	tiny_run_jobs(&tiny, yaml, jobs, 2);
	cr_assert(eq(i64, tiny.run.elapsed_ns, elapsed_ms * NSEC_PER_MSEC));
	return tiny.exit_ns[1];
}

Test(rt, real_time_tasks_leave_a_twentieth_of_each_second_to_others)
{
	/* 48 ms, as ticks of 4 ms see it, in the first second and 42 ms in the next; the rest of
	 * that is idle. */
	cr_assert(eq(i64, end_of_fair_ns(YAML, 2096), 1994 * NSEC_PER_MSEC));
}

Test(rt, unless_all_of_it_is_theirs)
{
	cr_assert(eq(i64,
		end_of_fair_ns("machine: tests/data/machines/two-package.yaml\n"
			       "kernel: { version: \"5.10\", hz: 250, sched_rt_runtime_us: 1s }\n"
			       "driver: 'null'\ngovernor: performance\nworkload: scripted\n",
			2090),
		2090 * NSEC_PER_MSEC));
}

/* @tasks of 3 ms in 8 ms each, on four CPUs. */
static int admitted(const char *more, int tasks)
{
	char yaml[1000];

	tiny.err = (struct error){ 0 };
	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"6.1\" }\n"
		"driver: 'null'\ngovernor: performance\n"
		"workload: { name: periodic, class: deadline, runtime: 3ms, period: 8ms, run: 1ms, "
		"tasks: %d }\n%s",
		tasks, more);
	return tiny_build(&tiny, yaml, NULL, 0);
}

Test(rt, deadline_tasks_that_do_not_fit_are_refused)
{
	/* Each reserves 0.375 of a CPU; 0.95 of four hold ten and not eleven. */
	cr_assert(eq(int, admitted("", 10), 0));
	tiny_free(&tiny);
	cr_assert(lt(int, admitted("", 11), 0));
	cr_assert(strstr(tiny.err.text, "more than sched_rt_runtime_us leaves them on 4 CPUs") !=
		NULL);
	arena_free(&tiny.arena);
	/* Seven fit on three CPUs, eight do not. */
	cr_assert(eq(int, admitted("events: [{ at: 1ms, cpu: 2, online: no }]\n", 7), 0));
	tiny_free(&tiny);
	cr_assert(lt(int, admitted("events: [{ at: 1ms, cpu: 2, online: no }]\n", 8), 0));
	cr_assert(strstr(tiny.err.text, "without CPU 2 the deadline tasks do not fit") != NULL);
	arena_free(&tiny.arena);
	cr_assert(eq(int, admitted("", 1), 0));
}

/* A real-time task that wakes at odd times on a CPU that fair tasks keep busy. */
static void never_delayed(const char *version)
{
	static const struct script_step often[] = { SCRIPT_SLEEP(1234567), SCRIPT_RUN(1 * MS),
		SCRIPT_SLEEP(777), SCRIPT_RUN(2 * MS), SCRIPT_SLEEP(8765432), SCRIPT_RUN(3 * MS),
		SCRIPT_SLEEP(313), SCRIPT_RUN(1 * MS), SCRIPT_SLEEP(40000001), SCRIPT_RUN(5 * MS),
		SCRIPT_EXIT };
	const struct job jobs[] = { { often, 0, false, .fifo = 1, .pin = 1 },
		{ hog, 0, true, .nice = -20, .pin = 1 }, { hog, 0, true, .pin = 1 },
		{ hog, 0, true, .nice = 19, .pin = 1 } };
	char yaml[400];

	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"%s\", hz: 250 }\n"
		"driver: 'null'\ngovernor: performance\nworkload: scripted\n",
		version);
	tiny_run_jobs(&tiny, yaml, jobs, 4);
	/* Its sleeps and its work, and nothing else. */
	cr_assert(eq(i64, tiny.exit_ns[0], 1234567 + 777 + 8765432 + 313 + 40000001 + 12000000),
		"%s", version);
	teardown();
}

Test(rt, a_real_time_task_is_never_delayed_by_fair_ones)
{
	never_delayed("4.8");
	never_delayed("5.10");
	never_delayed("6.6");
	never_delayed("6.12");
}
