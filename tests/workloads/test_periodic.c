#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: periodic" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(periodic, .fini = teardown);

Test(periodic, a_packet_every_period_and_the_end_after_the_last)
{
	tiny_run(&tiny, YAML("performance", ", period: 100ms, run: 20ms, loops: 7"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 620000000));
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 140000000));
}

Test(periodic, at_half_the_clock_a_packet_takes_twice_as_long)
{
	tiny_run(&tiny, YAML("powersave", ", period: 100ms, run: 20ms, loops: 7"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 640000000));
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 280000000));
}

Test(periodic, packets_that_come_too_fast_are_late_not_lost)
{
	tiny_run(&tiny, YAML("powersave", ", period: 30ms, run: 20ms, loops: 10"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 400000000));
}

Test(periodic, tasks_spread_their_periods)
{
	tiny_run(&tiny, YAML("performance", ", tasks: 4, period: 40ms, run: 5ms, loops: 2"), NULL,
		0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 30000000 + 40000000 + 5000000));
}

Test(periodic, jitter_changes_the_work_but_not_from_governor_to_governor)
{
	const char *workload = ", period: 100ms, run: 20ms, jitter: 0.3, loops: 20";
	char yaml[512];
	uint64_t cycles[2];

	for (int i = 0; i < 2; i++) {
		snprintf(yaml, sizeof(yaml), YAML("%s", "%s"), i ? "powersave" : "performance",
			workload);
		tiny_run(&tiny, yaml, NULL, 0);
		cycles[i] = tiny.run.machine.cpus[0].cycles;
		tiny_free(&tiny);
	}
	cr_assert(eq(u64, cycles[0], cycles[1]));
	cr_assert(ne(u64, cycles[0], 20 * 40000000));
}

Test(periodic, a_schedule_beyond_the_clock_is_refused)
{
	cr_assert(lt(int,
		tiny_build(&tiny,
			YAML("performance", ", period: 3600s, run: 1ms, loops: 1000000000"), NULL,
			0),
		0));
	cr_assert(strstr(tiny.err.text, "do not fit in the clock") != NULL);
}

static int64_t hook_calls(enum hook_site site)
{
	return tiny.run.kernel.hooks.by_site[site].calls;
}

Test(periodic, tasks_may_be_real_time)
{
	tiny_run(&tiny,
		YAML("ondemand", ", tasks: 2, run: 5ms, loops: 9, class: fifo, priority: 3"), NULL,
		0);
	cr_assert(gt(i64, hook_calls(HOOK_SITE_RT), 17));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("ondemand", ", run: 1ms, loops: 9, class: deadline, runtime: 6ms"),
		NULL, 0);
	cr_assert(gt(i64, hook_calls(HOOK_SITE_DL), 9));
}

Test(periodic, tasks_may_be_confined_to_some_cpus)
{
	tiny_run(&tiny,
		YAML("performance", ", tasks: 3, run: 90ms, loops: 2, first_cpu: 2, cpus: 1"), NULL,
		0);
	/* Three times 180 ms on one CPU. */
	cr_assert(eq(i64, tiny.run.elapsed_ns, 540000000));
	cr_assert(eq(i64, tiny.run.machine.cpus[3].cycles, 0));
}

Test(periodic, a_clamp_holds_the_frequency_down)
{
	const char *capped = "machine: i7-3770\n"
			     "kernel: { version: \"6.1\", hz: 250, invariance: cpufreq }\n"
			     "driver: 'null'\n"
			     "governor: schedutil\n"
			     "workload: { name: periodic, period: 100ms, run: 99ms, loops: 10, "
			     "uclamp_max: 307 }\n";
	const char *floor = "machine: i7-3770\n"
			    "kernel: { version: \"6.1\", hz: 250, invariance: cpufreq }\n"
			    "driver: 'null'\n"
			    "governor: schedutil\n"
			    "workload: { name: periodic, period: 100ms, run: 5ms, loops: 10, "
			    "uclamp_min: 1024 }\n";

	tiny_run(&tiny, capped, NULL, 0);
	cr_assert(le(i64, tiny.run.kernel.policies[0].cur_khz, 1600000));
	tiny_free(&tiny);
	tiny_run(&tiny, floor, NULL, 0);
	cr_assert(ge(i64, tiny.run.kernel.policies[0].cur_khz, 3400000));
}

Test(periodic, wrong_classes_are_refused)
{
	static const struct {
		const char *yaml, *why;
	} wrong[] = {
		{ YAML("performance", ", class: deadline, runtime: 101ms"),
			"a deadline task's runtime is at most its period, and that 1 s" },
		{ YAML("performance", ", uclamp_min: 512, uclamp_max: 511"),
			"uclamp_min is above uclamp_max" },
		{ YAML("performance", ", first_cpu: 3, cpus: 2"), "the machine has 4 CPUs only" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		tiny.err = (struct error){ 0 };
		cr_assert(lt(int, tiny_build(&tiny, wrong[i].yaml, NULL, 0), 0));
		cr_assert(strstr(tiny.err.text, wrong[i].why) != NULL, "%s", tiny.err.text);
		arena_free(&tiny.arena);
	}
}
