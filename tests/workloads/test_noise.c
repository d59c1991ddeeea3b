#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: noise" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(noise, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

#define FOR(workload) YAML("performance", workload) "run: { duration: 10s }\n"

Test(noise, the_monitor_visits_every_cpu_each_interval)
{
	tiny_run(&tiny, FOR(", logger: 0, monitor: 500ms"), NULL, 0);
	/* At 0, 0.5 s ... 10 s; the last may be cut off. */
	cr_assert(ge(dbl, measured(&tiny, "wake-ups"), 4 * 20));
	cr_assert(le(dbl, measured(&tiny, "wake-ups"), 4 * 21 + 1));
	for (int i = 0; i < 4; i++) {
		cr_assert(ge(u64, tiny.run.machine.cpus[i].cycles, 20 * 100000));
		cr_assert(le(u64, tiny.run.machine.cpus[i].cycles, 21 * 100000));
	}
	cr_assert(eq(i64, tiny.run.kernel.user_ns + tiny.run.kernel.sys_ns, 0));
}

Test(noise, timers_keep_their_period)
{
	tiny_run(&tiny, FOR(", logger: 0, monitor: 0, timers: 3, timer: 5ms"), NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "wake-ups"), 3 * 2000, 3));
}

Test(noise, the_logger_waits_for_the_disk)
{
	tiny_run(&tiny, FOR(", monitor: 0, logger: 100ms"), NULL, 0);
	cr_assert(gt(dbl, measured(&tiny, "wake-ups"), 60));
	cr_assert(lt(dbl, measured(&tiny, "wake-ups"), 140));
}

Test(noise, real_time_work_runs_on_any_cpu)
{
	int visited = 0;

	tiny_run(&tiny, FOR(", monitor: 0, logger: 0, realtime: 50ms, realtime_work: 30us"), NULL,
		0);
	double runs = measured(&tiny, "wake-ups");
	cr_assert(epsilon_eq(dbl, runs, 200, 4 * 14.2));
	cr_assert(epsilon_eq(dbl, cycles_done(&tiny), runs * 60000, 1));
	for (int i = 0; i < 4; i++)
		visited += tiny.run.machine.cpus[i].cycles > 0;
	cr_assert(eq(int, visited, 4));
}

Test(noise, schedutil_answers_real_time_work_with_the_maximum)
{
	tiny_run(&tiny,
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"5.10\" }\n"
		"driver: 'null'\n"
		"governor: schedutil\n"
		"workload: { name: noise, monitor: 0, logger: 0, realtime: 100ms }\n"
		"run: { duration: 2s }\n",
		NULL, 0);
	for (int i = 0; i < 4; i++)
		cr_assert(eq(i64, tiny.run.kernel.policies[i].cur_khz,
			tiny.run.kernel.policies[i].cpuinfo_max_khz));
}

Test(noise, without_a_duration_it_would_never_end)
{
	refused(YAML("performance", ""), "run.duration is missing");
}
