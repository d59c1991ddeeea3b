#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "sim/kernel/kernel.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

/* Waits of known length on the two-package machine, 2 GHz under performance. */

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

TestSuite(wakeup_latency, .fini = teardown);

static const struct script_step hog[] = { SCRIPT_SLEEP(1000000), SCRIPT_RUN(7 * MS), SCRIPT_EXIT };
static const struct script_step meek[] = { SCRIPT_SLEEP(1517000), SCRIPT_RUN(1 * MS), SCRIPT_EXIT };

Test(wakeup_latency, is_the_wait_between_wake_up_and_the_cpu)
{
	const struct job jobs[] = { { hog, 0, false, .fifo = 50, .pin = 1 },
		{ meek, 0, false, .pin = 1 } };
	const struct log_histogram *latency = &tiny.run.kernel.wakeup_latency;

	tiny_run_jobs(&tiny, YAML, jobs, 2);
	/* Both start at 0 without a wait and sleep. The fair one wakes at 1.517 ms and waits until
	 * the other ends at 8 ms. */
	cr_assert(eq(i64, latency->n, 4));
	cr_assert(eq(i64, latency->max, 6483000));
	cr_assert(eq(i64, latency->sum, 6483000));
	cr_assert(eq(i64, log_histogram_quantile(latency, 750000), 0));
	cr_assert(epsilon_eq(
		dbl, (double)log_histogram_quantile(latency, 990000), 6483000, 0.004 * 6483000));
}

/* Who is preempted waits too, but not for its first time on the CPU. */
Test(wakeup_latency, a_preemption_is_no_wake_up)
{
	static const struct script_step long_run[] = { SCRIPT_RUN(20 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { long_run, 0, false, .pin = 1 },
		{ hog, 0, false, .fifo = 50, .pin = 1 } };

	tiny_run_jobs(&tiny, YAML, jobs, 2);
	cr_assert(eq(i64, tiny.exit_ns[0], 27 * NSEC_PER_MSEC));
	cr_assert(eq(i64, tiny.run.kernel.wakeup_latency.n, 3));
	cr_assert(eq(i64, tiny.run.kernel.wakeup_latency.max, 0));
}

/* All CPUs are taken: a child waits for its parent. */
Test(wakeup_latency, counts_from_a_fork_too)
{
	static const struct script_step parent[] = { SCRIPT_SPAWN(4), SCRIPT_RUN(3 * MS),
		SCRIPT_EXIT };
	static const struct script_step taken[] = { SCRIPT_RUN(20 * MS), SCRIPT_EXIT };
	static const struct script_step child[] = { SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { taken, 1, true, .fifo = 60, .pin = 1 },
		{ taken, 2, true, .fifo = 60, .pin = 1 }, { taken, 3, true, .fifo = 60, .pin = 1 },
		{ parent, 0, false, .fifo = 50, .pin = 1 }, { child, -1, false, .fifo = 49 } };

	tiny_run_jobs(&tiny, YAML, jobs, 5);
	cr_assert(eq(i64, tiny.run.kernel.wakeup_latency.n, 5));
	cr_assert(eq(i64, tiny.run.kernel.wakeup_latency.max, 3 * NSEC_PER_MSEC));
}

Test(wakeup_latency, is_measured_of_the_workload_alone)
{
	tiny_run(&tiny,
		"machine: tests/data/machines/two-package.yaml\n"
		"driver: 'null'\ngovernor: performance\nworkload: idle\n"
		"beside: [ { name: periodic, period: 10ms, run: 1ms } ]\nrun: { duration: 1s }\n",
		NULL, 0);
	cr_assert(gt(i64, tiny.run.kernel.wakeups, 90));
	cr_assert(eq(i64, tiny.run.kernel.wakeup_latency.n, 0));
}
