#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

/* pstate-quad: levels 16 to 38, of which those above 34 are turbo. */
#define RUN(version, driver, governor)                    \
	"machine: tests/data/machines/pstate-quad.yaml\n" \
	"kernel: { version: \"" version "\", hz: 250 }\n" \
	"driver: { name: intel_cpufreq" driver " }\n"     \
	"governor: " governor "\n"                        \
	"workload: scripted\n"

#define HWP ", hwp: 1"
#define SPEEDS(speeds) "{ name: userspace, set_speed: \"" speeds "\" }"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(30000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static const struct script_step runner[] = { SCRIPT_RUN(INT64_C(3800000) * 50 * NSEC_PER_MSEC),
	SCRIPT_EXIT };
static const struct script busy[] = { { runner, 1, false } };
static const struct script_step runner_for_long[] = {
	SCRIPT_RUN(INT64_C(3800000) * 400 * NSEC_PER_MSEC),
	SCRIPT_EXIT,
};
static const struct script busy_for_long[] = { { runner_for_long, 1, false } };
static struct tiny tiny;

static const struct policy *policy(int i)
{
	return &tiny.run.kernel.policies[i];
}

static const struct hwp_request *request(int i)
{
	return &tiny.run.machine.cpus[i].hwp->request;
}

static int64_t voted_khz(int i)
{
	const struct cpu *cpu = &tiny.run.machine.cpus[i];

	return cpu->domain->clocks_khz[cpu->vote];
}

static void teardown(void)
{
	tiny_free(&tiny);
}

/* For the next run of the same test. */
static void again(void)
{
	tiny_free(&tiny);
	tiny.err = (struct error){ 0 };
}

TestSuite(intel_cpufreq, .fini = teardown);

Test(intel_cpufreq, a_request_becomes_the_level_above_and_cur_says_so)
{
	tiny_run(&tiny, RUN("6.1", "", SPEEDS("1ms=1885MHz")), asleep, 1);
	cr_assert(eq(i64, policy(3)->cur_khz, 1900000));
	cr_assert(eq(i64, voted_khz(3), 1900000));
	cr_assert(eq(i64, policy(3)->transition_latency_ns, 20000));
	cr_assert(eq(i64, policy(3)->transition_delay_us, 500));
}

Test(intel_cpufreq, another_frequency_of_the_same_level_is_no_write)
{
	tiny_run(&tiny, RUN("6.1", "", SPEEDS("1ms=1885MHz,5ms=1812MHz")), asleep, 1);
	cr_assert(eq(i64, policy(0)->requests, 2));
	cr_assert(eq(i64, policy(0)->commands, 1));
	cr_assert(eq(i64, policy(0)->suppressed, 1));
	cr_assert(eq(i64, policy(0)->stats.total_trans, 1));
}

Test(intel_cpufreq, no_turbo_and_percentages_limit_the_levels)
{
	tiny_run(&tiny, RUN("6.1", ", no_turbo: 1", SPEEDS("1ms=3.8GHz")), asleep, 1);
	cr_assert(eq(i64, policy(0)->cur_khz, 3400000));
	again();
	/* 77 % of 38, rounded up. */
	tiny_run(&tiny, RUN("5.11", ", max_perf_pct: 77", SPEEDS("1ms=3.8GHz")), asleep, 1);
	cr_assert(eq(i64, policy(0)->cur_khz, 3000000));
}

Test(intel_cpufreq, the_base_clock_is_the_machines_or_said)
{
	tiny_run(&tiny, RUN("6.1", ", no_turbo: 1, base_freq: 2.9GHz", SPEEDS("1ms=3.8GHz")),
		asleep, 1);
	cr_assert(eq(i64, policy(0)->cur_khz, 2900000));
}

Test(intel_cpufreq, with_hwp_a_request_is_a_floor_and_from_6_1_a_wish)
{
	static const struct {
		const char *yaml;
		int64_t desired_khz;
	} rows[] = {
		{ RUN("5.10", HWP, SPEEDS("1ms=1885MHz")), 0 },
		{ RUN("5.11", HWP, SPEEDS("1ms=1885MHz")), 0 },
		{ RUN("6.1", HWP, SPEEDS("1ms=1885MHz")), 1900000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tiny_run(&tiny, rows[i].yaml, asleep, 1);
		cr_assert(eq(i64, request(2)->min_khz, 1900000));
		cr_assert(eq(i64, request(2)->max_khz, 3800000));
		cr_assert(eq(i64, request(2)->desired_khz, rows[i].desired_khz));
		cr_assert(eq(i64, request(2)->epp, 128));
		cr_assert(eq(i64, policy(2)->transition_delay_us, 5000));
		again();
	}
}

Test(intel_cpufreq, performance_is_floor_and_ceiling)
{
	tiny_run(&tiny, RUN("6.1", HWP ", energy_performance_preference: 192", "performance"),
		asleep, 1);
	cr_assert(eq(i64, request(0)->min_khz, 3800000));
	cr_assert(eq(i64, request(0)->max_khz, 3800000));
	cr_assert(eq(i64, request(0)->epp, 192));
	cr_assert(eq(i64, voted_khz(0), 3800000));
}

Test(intel_cpufreq, limits_reach_the_register_though_the_frequency_stays)
{
	tiny_run(&tiny,
		RUN("6.1", HWP, SPEEDS("1ms=2GHz")) "limits: { scaling_max_freq: 2.7GHz }\n",
		asleep, 1);
	cr_assert(eq(i64, request(0)->max_khz, 2700000));
	cr_assert(cpufreq_needs_limits(policy(0)));
}

Test(intel_cpufreq, schedutil_switches_from_the_hook)
{
	tiny_run(&tiny, RUN("6.1", "", "schedutil"), busy_for_long, 1);
	cr_assert(gt(i64, policy(1)->fast_switches, 0));
	cr_assert(eq(i64, policy(1)->work_runs, 0));
	cr_assert(eq(i64, policy(1)->cur_khz, 3800000));
	cr_assert(eq(i64, policy(1)->cur_khz, voted_khz(1)));
}

Test(intel_cpufreq, a_notifier_forbids_it)
{
	const char *yaml = "machine: tests/data/machines/pstate-quad.yaml\n"
			   "kernel: { version: \"6.1\", hz: 250, notifiers: 1 }\n"
			   "driver: intel_cpufreq\n"
			   "governor: schedutil\n"
			   "workload: scripted\n";

	tiny_run(&tiny, yaml, busy, 1);
	cr_assert(eq(i64, policy(1)->fast_switches, 0));
	cr_assert(gt(i64, policy(1)->work_runs, 0));
}

/* December 2020: before, schedutil raised the floor and the hardware went to the top by itself. */
Test(intel_cpufreq, in_5_10_schedutil_raises_the_floor_of_the_hardware)
{
	tiny_run(&tiny, RUN("5.10", HWP, "schedutil"), busy, 1);
	cr_assert(gt(i64, policy(1)->fast_switches, 0));
	cr_assert(eq(i64, policy(1)->perf_adjusts, 0));
	cr_assert(eq(i64, request(1)->desired_khz, 0));
	/* 1 ms at the bottom, then the top. */
	cr_assert(lt(i64, tiny.run.elapsed_ns, 51 * NSEC_PER_MSEC));
}

Test(intel_cpufreq, from_5_11_on_schedutil_wishes_in_utilisation)
{
	tiny_run(&tiny, RUN("6.1", HWP, "schedutil"), busy, 1);
	cr_assert(gt(i64, policy(1)->perf_adjusts, 0));
	cr_assert(eq(i64, policy(1)->fast_switches, 0));
	cr_assert(gt(i64, request(1)->desired_khz, 1600000));
	/* The wish does not move cur. */
	cr_assert(eq(i64, policy(1)->cur_khz, 1600000));
	cr_assert(gt(i64, tiny.run.elapsed_ns, 55 * NSEC_PER_MSEC));
}

Test(intel_cpufreq, the_cost_of_a_write_is_the_running_tasks)
{
	tiny_run(&tiny, RUN("6.1", ", write_time: 70us, settle_time: 0us", "schedutil"), busy, 1);
	cr_assert(gt(i64, policy(1)->commands, 0));
	cr_assert(eq(i64, policy(1)->driver_busy_ns, policy(1)->commands * 70000));
	int64_t with_cost = tiny.run.elapsed_ns;
	again();
	tiny_run(&tiny, RUN("6.1", ", settle_time: 0us", "schedutil"), busy, 1);
	cr_assert(gt(i64, with_cost, tiny.run.elapsed_ns));
}

Test(intel_cpufreq, what_linux_does_not_have_is_refused)
{
	cr_assert(lt(int, tiny_build(&tiny, RUN("5.8", HWP, "ondemand"), asleep, 1), 0));
	cr_assert(strstr(tiny.err.text, "passive mode with hwp appeared in Linux 5.9") != NULL);
	again();
	cr_assert(lt(int, tiny_build(&tiny, RUN("4.9", "", "ondemand"), asleep, 1), 0));
	cr_assert(strstr(tiny.err.text,
			  "driver intel_cpufreq is there from Linux 4.10 on, this kernel is 4.9") !=
		NULL);
	again();
	cr_assert(lt(int,
		tiny_build(&tiny, RUN("6.1", ", min_perf_pct: 60, max_perf_pct: 43", "ondemand"),
			asleep, 1),
		0));
	cr_assert(strstr(tiny.err.text, "min_perf_pct 60 is above max_perf_pct 43") != NULL);
}
