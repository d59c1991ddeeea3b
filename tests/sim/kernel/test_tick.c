#include "sim/kernel/tick.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/workload.h"
#include "tests/support/tiny.h"

#define MS (INT64_C(2000000) * NSEC_PER_MSEC)

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(tick, .fini = teardown);

static const char *yaml_of(int hz, const char *more)
{
	static char yaml[600];

	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"5.10\", hz: %d%s }\n"
		"driver: 'null'\ngovernor: performance\nworkload: scripted\n"
		"run: { duration: 1100ms }\n",
		hz, more);
	return yaml;
}

/* Two CPUs that begin to work at odd times. */
static const struct script_step early[] = { SCRIPT_SLEEP(51300000), SCRIPT_RUN(1000 * MS),
	SCRIPT_EXIT };
static const struct script_step late[] = { SCRIPT_SLEEP(53770000), SCRIPT_RUN(1000 * MS),
	SCRIPT_EXIT };
static const struct job both[] = { { early, 1, .pin = 1 }, { late, 2, .pin = 1 } };

static void ticks_at(int hz, int64_t tick_ns)
{
	tiny_run_jobs(&tiny, yaml_of(hz, ""), both, 2);
	cr_assert(eq(i64, tiny.run.kernel.tick_ns, tick_ns));
	/* A second of each CPU, and what is left of a tick at its ends. */
	cr_assert(ge(i64, tiny.run.kernel.ticks, 2 * (NSEC_PER_SEC / tick_ns - 1)));
	cr_assert(le(i64, tiny.run.kernel.ticks, 2 * (NSEC_PER_SEC / tick_ns + 2)));
	teardown();
}

Test(tick, runs_at_each_hz_while_a_cpu_is_busy)
{
	ticks_at(100, 10000000);
	ticks_at(250, 4000000);
	ticks_at(300, 3333333);
	ticks_at(1000, 1000000);
}

Test(tick, is_on_one_grid_for_all_cpus)
{
	static const int hzs[] = { 100, 250, 300, 1000 };

	for (int i = 0; i < 4; i++) {
		static const struct script_step endless[] = { SCRIPT_SLEEP(7770000),
			SCRIPT_RUN(90000 * MS), SCRIPT_EXIT };
		const struct job jobs[] = { { endless, 1, true, .pin = 1 },
			{ endless, 2, true, .pin = 1 }, { endless, 3, true, .pin = 1 } };

		tiny_run_jobs(&tiny, yaml_of(hzs[i], ""), jobs, 3);
		for (int cpu = 1; cpu < 4; cpu++) {
			const struct timer *tick = &tiny.run.kernel.rqs[cpu].tick;

			cr_assert(timer_armed(tick));
			cr_assert(eq(i64, tick->when_ns % tiny.run.kernel.tick_ns, 0));
			cr_assert(eq(i64, tick->when_ns, tiny.run.kernel.rqs[1].tick.when_ns));
		}
		teardown();
	}
}

/* CPU 1 works for 100 ms and sleeps on, CPU 2 is busy all the time. */
static uint64_t left_behind(const char *more)
{
	static const struct script_step burst[] = { SCRIPT_RUN(100 * MS), SCRIPT_SLEEP(2000000000),
		SCRIPT_EXIT };
	static const struct script_step endless[] = { SCRIPT_RUN(90000 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { burst, 1, true, .pin = 1 }, { endless, 2, true, .pin = 1 } };
	uint64_t util;

	tiny_run_jobs(&tiny, yaml_of(250, more), jobs, 2);
	util = tiny.run.kernel.rqs[1].pelt.cfs.sig.util_avg;
	teardown();
	return util;
}

Test(tick, of_a_busy_cpu_decays_what_sleepers_left_on_tickless_ones)
{
	/* A second is thirty half-lives. */
	cr_assert(eq(u64, left_behind(""), 0));
	/* Seldom looked at, it stays as it was stored. */
	cr_assert(gt(u64, left_behind(", blocked_period: 10s"), 800));
}

/* A run that begins 2.9 ms after a tick has the next 1.1 ms after its start. */
Test(tick, goes_on_with_the_grid_of_a_recording)
{
	static const struct script_step busy[] = { SCRIPT_RUN(1000 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { busy, 1, false } };
	struct kernel *kernel = &tiny.run.kernel;

	cr_assert(not(tiny_build(&tiny, yaml_of(250, ""), scripts, 1)));
	kernel_recorded_start(kernel, 7 * NSEC_PER_SEC + 2900000);
	cr_assert(eq(i64, tick_after_ns(kernel, 0), 1100000));
	cr_assert(eq(i64, tick_after_ns(kernel, 1099999), 1100000));
	cr_assert(eq(i64, tick_after_ns(kernel, 1100000), 5100000));
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	cr_assert(eq(i64, kernel->rqs[1].tick.when_ns % kernel->tick_ns, 1100000));
}
