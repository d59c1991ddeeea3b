#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define RUN(machine, version, driver, governor)           \
	"machine: " machine "\n"                          \
	"kernel: { version: \"" version "\", hz: 250 }\n" \
	"driver: { name: cpufreq-dt" driver " }\n"        \
	"governor: " governor "\n"                        \
	"workload: scripted\n"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(30000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static const struct script_step runner[] = { SCRIPT_RUN(INT64_C(2000000) * 90 * NSEC_PER_MSEC),
	SCRIPT_EXIT };
static const struct script busy[] = { { runner, 5, false } };
static struct tiny tiny;

static const struct policy *policy(int i)
{
	return &tiny.run.kernel.policies[i];
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

TestSuite(cpufreq_dt, .fini = teardown);

Test(cpufreq_dt, each_kind_of_cpu_has_its_own_table)
{
	tiny_run(&tiny, RUN("rk3588", "6.12", ", transition_latency: 62us", "performance"), asleep,
		1);
	cr_assert(eq(i64, policy(0)->cur_khz, 1800000));
	cr_assert(eq(i64, policy(2)->cur_khz, 2400000));
	cr_assert(eq(int, policy(0)->table.order, FREQ_ASCENDING));
	cr_assert(eq(i64, policy(1)->transition_latency_ns, 62000));
}

Test(cpufreq_dt, a_table_can_be_listed_the_other_way)
{
	tiny_run(&tiny,
		RUN("power9-2x64", "6.1",
			", table_order: descending, transition_latency: 0us, fast_switch: 1",
			"powersave"),
		asleep, 1);
	cr_assert(eq(int, policy(7)->table.order, FREQ_DESCENDING));
	cr_assert(cpufreq_can_fast_switch(policy(7)));
}

Test(cpufreq_dt, schedutil_asks_through_its_thread_unless_the_hook_may_switch)
{
	tiny_run(&tiny, RUN("rk3588", "6.12", ", transition_latency: 182us", "schedutil"), busy, 1);
	cr_assert(gt(i64, policy(1)->work_runs, 0));
	cr_assert(eq(i64, policy(1)->fast_switches, 0));
	cr_assert(eq(i64, policy(1)->cur_khz, 2400000));
	again();
	tiny_run(&tiny,
		RUN("rk3588", "6.12", ", transition_latency: 182us, fast_switch: 1", "schedutil"),
		busy, 1);
	cr_assert(eq(i64, policy(1)->work_runs, 0));
	cr_assert(gt(i64, policy(1)->fast_switches, 0));
}

/* 16 us of CPU time, the clock 182 us after the request. */
Test(cpufreq_dt, the_call_takes_cpu_time_and_the_regulator_only_time)
{
	tiny_run(&tiny,
		RUN("rk3588", "6.1", ", transition_latency: 182us, call_time: 16us",
			"{ name: userspace, set_speed: \"1ms=1.4GHz\" }"),
		asleep, 1);
	cr_assert(eq(i64, policy(2)->driver_busy_ns, 16000));
	cr_assert(eq(i64, policy(2)->coming.delay_ns, 182000));
	again();
	tiny_run(&tiny,
		RUN("rk3588", "6.1", ", transition_latency: 182us, settle_time: 77us",
			"{ name: userspace, set_speed: \"1ms=1.4GHz\" }"),
		asleep, 1);
	cr_assert(eq(i64, policy(2)->coming.delay_ns, 77000));
}

/* The i7-3770 has a table without a latency. */
Test(cpufreq_dt, a_latency_that_nobody_knows_is_eternal)
{
	tiny_run(&tiny, RUN("i7-3770", "4.8", "", "conservative"), asleep, 1);
	cr_assert(eq(i64, policy(0)->transition_latency_ns, LATENCY_ETERNAL_NS));
	cr_assert(eq(i64, policy(0)->coming.delay_ns, 0));
	cr_assert(eq(str, (char *)policy(0)->governor_name, "performance"));
}

Test(cpufreq_dt, statistics_add_up_over_the_table)
{
	int64_t sum = 0;

	tiny_run(&tiny,
		RUN("rk3588", "6.1", ", transition_latency: 62us",
			"{ name: userspace, set_speed: \"1ms=1.3GHz,7ms=1.5GHz,19ms=600MHz\" }"),
		asleep, 1);
	for (int i = 0; i < policy(1)->stats.nr_states; i++)
		sum += cpufreq_time_in_state_ns(policy(1), i);
	cr_assert(eq(i64, sum, tiny.run.elapsed_ns));
	cr_assert(eq(i64, policy(1)->stats.total_trans, 3));
}

Test(cpufreq_dt, it_needs_a_table_and_a_kernel_that_has_it)
{
	cr_assert(lt(int,
		tiny_build(&tiny,
			RUN("tests/data/machines/pstate-quad.yaml", "6.1", "", "performance"),
			asleep, 1),
		0));
	cr_assert(strstr(tiny.err.text, "has no frequency table") != NULL);
	again();
	cr_assert(
		lt(int, tiny_build(&tiny, RUN("rk3588", "3.16", "", "performance"), asleep, 1), 0));
	cr_assert(strstr(tiny.err.text, "is there from Linux 3.18 on") != NULL);
}
