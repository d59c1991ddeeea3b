#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(driver, speeds)                                         \
	"machine: tests/data/machines/two-package.yaml\n"            \
	"kernel: { version: \"4.8\", hz: 250 }\n"                    \
	"driver: { name: pcc-cpufreq" driver " }\n"                  \
	"governor: { name: userspace, set_speed: \"" speeds "\" }\n" \
	"workload: scripted\n"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(100000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(pcc_cpufreq, .fini = teardown);

Test(pcc_cpufreq, an_asynchronous_doorbell_is_polled_until_the_bound_and_fails_there)
{
	tiny_run(&tiny,
		YAML(", doorbell: asynchronous, poll_read: 100ns, command_time: 510us", "1ms=2GHz"),
		asleep, 1);
	cr_assert(eq(i64, tiny.run.kernel.policies[0].failed, 1));
	cr_assert(eq(i64, tiny.run.kernel.policies[0].driver_busy_ns, 301 * 100));
}

Test(pcc_cpufreq, an_asynchronous_command_inside_the_bound_succeeds)
{
	tiny_run(&tiny,
		YAML(", doorbell: asynchronous, poll_read: 2us, command_time: 509us", "1ms=2GHz"),
		asleep, 1);
	cr_assert(eq(i64, tiny.run.kernel.policies[0].failed, 0));
	/* 254 reads find it at work, one finds it done, one makes sure. */
	cr_assert(eq(i64, tiny.run.kernel.policies[0].driver_busy_ns, 256 * 2000));
}

Test(pcc_cpufreq, firmware_may_enforce_the_time_between_commands)
{
	tiny_run(&tiny,
		YAML(", command_time: 510us, min_time_between_commands: 5ms, enforce_min_time: on",
			"1ms=2GHz"),
		asleep, 1);
	cr_assert(eq(i64, tiny.run.kernel.policies[3].driver_wait_ns, 15000000));
}

/* The deadband of 1 to 2 GHz ends at 1000 + 1000 x 1000 / 2000 = 1500 MHz. */
Test(pcc_cpufreq, under_the_v1_patch_low_requests_become_the_minimum)
{
	tiny_run(&tiny,
		YAML(", command_time: 510us, deadband_v1: on",
			"1ms=1499MHz,20ms=1500MHz,40ms=1200MHz"),
		asleep, 1);
	/* The first is the minimum already and goes no further. */
	cr_assert(eq(i64, tiny.run.kernel.policies[0].commands, 2));
	cr_assert(eq(i64, tiny.run.kernel.policies[0].suppressed, 1));
	cr_assert(eq(i64, tiny.run.kernel.policies[0].cur_khz, 1000000));
}

Test(pcc_cpufreq, a_stall_longer_than_its_command_is_refused)
{
	cr_assert(lt(int,
		tiny_build(
			&tiny, YAML(", command_time: 510us, stall: 511us", "1ms=2GHz"), asleep, 1),
		0));
	cr_assert(eq(int, tiny.err.code, ERROR_SCENARIO));
	cr_assert(strstr(tiny.err.text, "stall 511000 ns is longer than") != NULL);
}

Test(pcc_cpufreq, a_minimum_above_nominal_is_refused)
{
	cr_assert(lt(int,
		tiny_build(
			&tiny, YAML(", minimum_freq_unthrottled: 2.1GHz", "1ms=2GHz"), asleep, 1),
		0));
	cr_assert(strstr(tiny.err.text, "is not below nominal_freq") != NULL);
}

Test(pcc_cpufreq, the_hardware_frequency_reads_back_in_whole_percents)
{
	cr_assert(not(tiny_build(&tiny, YAML("", "1ms=2GHz"), asleep, 1)));
	const struct driver *driver = tiny.scenario.driver;
	cr_assert(eq(i64, driver->get(&tiny.run.driver_ctx, 1880000), 1880000));
	cr_assert(eq(i64, driver->get(&tiny.run.driver_ctx, 1881000), 1900000));
}
