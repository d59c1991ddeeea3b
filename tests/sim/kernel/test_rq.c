#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

/* Tasks on the two-package machine, 2 GHz under performance with a free driver. */

#define YAML                                              \
	"machine: tests/data/machines/two-package.yaml\n" \
	"kernel: { version: \"4.8\", hz: 250 }\n"         \
	"driver: 'null'\n"                                \
	"governor: performance\n"                         \
	"workload: scripted\n"

#define MS (INT64_C(2000000) * NSEC_PER_MSEC) /* work of one ms */

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(rq, .fini = teardown);

Test(rq, a_task_alone_runs_without_interruption)
{
	const struct script_step steps[] = { SCRIPT_RUN(43 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };

	tiny_run(&tiny, YAML, scripts, 1);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 43000000));
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 43000000));
	cr_assert(eq(i64, tiny.run.kernel.switches, 1));
}

Test(rq, five_equal_tasks_on_four_cpus_share_the_time)
{
	const struct script_step steps[] = { SCRIPT_RUN(400 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false }, { steps, 0, false },
		{ steps, 1, false }, { steps, 2, false }, { steps, 3, false } };

	tiny_run(&tiny, YAML, scripts, 5);
	/* All the work is done, no CPU idles while somebody waits: 2000 ms on 4 CPUs is the bound,
	 * two tasks that share one CPU to the end the worst. */
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 2000000000));
	cr_assert(ge(i64, tiny.run.elapsed_ns, 500000000));
	cr_assert(le(i64, tiny.run.elapsed_ns, 800000000));
	cr_assert(gt(i64, tiny.run.kernel.switches, 10));
}

Test(rq, two_tasks_on_one_cpu_end_within_a_slice_of_each_other)
{
	const struct script_step steps[] = { SCRIPT_RUN(200 * MS), SCRIPT_EXIT };
	/* Busy tasks on the other CPUs keep the two together. */
	const struct script_step busy[] = { SCRIPT_RUN(1000 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { busy, 1, true }, { busy, 2, true }, { busy, 3, true },
		{ steps, 0, false }, { steps, 0, false } };

	tiny_run(&tiny, YAML, scripts, 5);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 400000000));
	cr_assert(lt(i64, tiny.exit_ns[4] - tiny.exit_ns[3], 20000000));
}

Test(rq, a_sleeper_that_wakes_preempts_a_task_that_has_run_long)
{
	const struct script_step hog[] = { SCRIPT_RUN(500 * MS), SCRIPT_EXIT };
	const struct script_step sleeper[] = { SCRIPT_SLEEP(101000000), SCRIPT_RUN(1 * MS),
		SCRIPT_EXIT };
	const struct script scripts[] = { { sleeper, 0, false }, { hog, 1, true }, { hog, 2, true },
		{ hog, 3, true }, { hog, 0, true } };

	tiny_run(&tiny, YAML, scripts, 5);
	cr_assert(eq(i64, tiny.exit_ns[0], 102000000));
}

Test(rq, an_idle_cpu_takes_work_that_waits_elsewhere)
{
	const struct script_step lead[] = { SCRIPT_RUN(2 * MS), SCRIPT_EXIT };
	const struct script_step steps[] = { SCRIPT_RUN(50 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { lead, 1, false }, { steps, 2, false },
		{ steps, 3, false }, { steps, 0, false }, { steps, 0, false } };

	tiny_run(&tiny, YAML, scripts, 5);
	/* CPU 1 is free after 2 ms and pulls the fifth task. */
	cr_assert(le(i64, tiny.run.elapsed_ns, 54000000));
	cr_assert(ge(i64, tiny.run.kernel.migrations, 1));
}

Test(rq, a_child_and_its_parent_meet_through_channels)
{
	struct channel ended = { 0 };
	const struct script_step parent[] = { SCRIPT_RUN(1 * MS), SCRIPT_SPAWN(1),
		SCRIPT_RUN(2 * MS), SCRIPT_WAIT(&ended), SCRIPT_RUN(3 * MS), SCRIPT_EXIT };
	const struct script_step child[] = { SCRIPT_RUN(10 * MS), SCRIPT_POST(&ended),
		SCRIPT_EXIT };
	const struct script scripts[] = { { parent, 0, false }, { child, -1, true } };

	tiny_run(&tiny, YAML, scripts, 2);
	cr_assert(eq(i64, tiny.exit_ns[1], 11000000));
	cr_assert(eq(i64, tiny.run.elapsed_ns, 14000000));
	cr_assert(eq(i64, tiny.run.kernel.forks, 1));
}

Test(rq, a_token_posted_early_is_kept)
{
	struct channel channel = { 0 };
	const struct script_step early[] = { SCRIPT_POST(&channel), SCRIPT_POST(&channel),
		SCRIPT_EXIT };
	const struct script_step late[] = { SCRIPT_RUN(7 * MS), SCRIPT_WAIT(&channel),
		SCRIPT_WAIT(&channel), SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { early, 0, false }, { late, 1, false } };

	tiny_run(&tiny, YAML, scripts, 2);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 8000000));
}

Test(rq, tasks_that_wait_for_each_other_for_ever_are_an_error)
{
	struct channel a = { 0 }, b = { 0 };
	const struct script_step one[] = { SCRIPT_WAIT(&a), SCRIPT_POST(&b), SCRIPT_EXIT };
	const struct script_step two[] = { SCRIPT_WAIT(&b), SCRIPT_POST(&a), SCRIPT_EXIT };
	const struct script scripts[] = { { one, 0, false }, { two, 1, false } };

	cr_assert(not(tiny_build(&tiny, YAML, scripts, 2)));
	cr_assert(lt(int, run_execute(&tiny.run, &tiny.err), 0));
	cr_assert(eq(int, tiny.err.code, ERROR_RUN));
	cr_assert(strstr(tiny.err.text, "wait for each other for ever") != NULL);
}

Test(rq, the_tick_runs_at_hz_on_busy_cpus_only)
{
	const struct script_step steps[] = { SCRIPT_RUN(100 * MS), SCRIPT_SLEEP(100000000),
		SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };

	tiny_run(&tiny, YAML, scripts, 1);
	/* 25 in the first 100 ms, one that finds the CPU idle and stops. */
	cr_assert(ge(i64, tiny.run.kernel.ticks, 24));
	cr_assert(le(i64, tiny.run.kernel.ticks, 26));
}

Test(rq, a_task_that_wakes_behind_a_spinning_worker_waits_for_it)
{
	/* Four policies ask at 1 ms and take the mailbox in turn, 510 us each; CPU 3 is last. */
	const char *yaml = "machine: tests/data/machines/two-package.yaml\n"
			   "kernel: { version: \"4.8\", hz: 250 }\n"
			   "driver: { name: pcc-cpufreq, command_time: 510us, stall: 345us }\n"
			   "governor: { name: userspace, set_speed: \"1ms=2GHz\" }\n"
			   "workload: scripted\n";
	const struct script_step steps[] = { SCRIPT_SLEEP(1100000), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 3, false } };

	tiny_run(&tiny, yaml, scripts, 1);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 1000000 + 4 * 510000));
}
