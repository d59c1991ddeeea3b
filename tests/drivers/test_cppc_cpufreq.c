#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

/* pstate-quad: 1600 to 3800 MHz, 3400 of which are sustained. */
#define RUN(version, driver, speeds)                                 \
	"machine: tests/data/machines/pstate-quad.yaml\n"            \
	"kernel: { version: \"" version "\", hz: 250 }\n"            \
	"driver: { name: cppc_cpufreq" driver " }\n"                 \
	"governor: { name: userspace, set_speed: \"" speeds "\" }\n" \
	"workload: scripted\n"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(30000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static struct tiny tiny;

static const struct policy *policy(void)
{
	return &tiny.run.kernel.policies[2];
}

static int64_t voted_khz(void)
{
	const struct cpu *cpu = &tiny.run.machine.cpus[2];

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

TestSuite(cppc_cpufreq, .fini = teardown);

Test(cppc_cpufreq, performance_counts_mhz_when_firmware_says_nothing_else)
{
	tiny_run(&tiny, RUN("6.1", "", "1ms=1885MHz"), asleep, 1);
	cr_assert(eq(i64, policy()->cpuinfo_min_khz, 1600000));
	cr_assert(eq(i64, policy()->cpuinfo_max_khz, 3400000));
	cr_assert(eq(i64, policy()->cur_khz, 1885000));
	cr_assert(eq(i64, voted_khz(), 1885000));
}

Test(cppc_cpufreq, the_clock_is_that_of_the_performance_and_an_equal_one_is_not_written)
{
	tiny_run(&tiny, RUN("6.1", ", highest_perf: 380", "1ms=1885MHz,9ms=1889MHz"), asleep, 1);
	/* 188.5 is written as 188; 188.9 would be, too. */
	cr_assert(eq(i64, voted_khz(), 1880000));
	cr_assert(eq(i64, policy()->commands, 1));
	cr_assert(eq(i64, policy()->suppressed, 1));
	cr_assert(eq(i64, policy()->cur_khz, 1885000));
}

Test(cppc_cpufreq, boost_and_the_nonlinear_floor_move_the_limits)
{
	tiny_run(&tiny, RUN("6.1", ", boost: 1, lowest_nonlinear_perf: 2100", "1ms=1.7GHz"), asleep,
		1);
	cr_assert(eq(i64, policy()->cpuinfo_max_khz, 3800000));
	cr_assert(eq(i64, policy()->cpuinfo_min_khz, 1600000));
	cr_assert(eq(i64, policy()->min_khz, 2100000));
	cr_assert(eq(i64, policy()->cur_khz, 2100000));
}

/* In 5.10 the way from performance to kHz has no offset. */
Test(cppc_cpufreq, before_6_1_the_conversions_were_others)
{
	const char *caps = RUN("5.10",
		", highest_perf: 4000, nominal_perf: 3000, lowest_perf: 1000", "1ms=1.9GHz");

	tiny_run(&tiny, caps, asleep, 1);
	/* 1000 * 1800000 / 2000, and 3000 * 3400000 / 3000 at nominal */
	cr_assert(eq(i64, policy()->cpuinfo_min_khz, 900000));
	cr_assert(eq(i64, policy()->cpuinfo_max_khz, 3400000));
	/* 1900000 * 1000 / 1600000 = 1187 is asked for, and runs as hardware has it. */
	cr_assert(eq(i64, voted_khz(), 700000 + 1187 * 900));
	cr_assert(not(cpufreq_needs_limits(policy())));
}

Test(cppc_cpufreq, the_kind_of_register_decides_delay_and_fast_switch)
{
	static const struct {
		const char *yaml;
		int64_t delay_us;
		bool fast;
	} rows[] = {
		{ RUN("6.1", "", "1ms=2GHz"), 0, true },
		{ RUN("6.1", ", desired_register: ffh", "1ms=2GHz"), 1000, true },
		{ RUN("6.1", ", desired_register: pcc, pcc_latency: 770us", "1ms=2GHz"), 770,
			false },
		{ RUN("5.18", "", "1ms=2GHz"), 0, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert(eq(int, tiny_build(&tiny, rows[i].yaml, asleep, 1), 0));
		cr_assert(eq(i64, policy()->transition_delay_us, rows[i].delay_us));
		cr_assert(eq(int, cpufreq_can_fast_switch(policy()), rows[i].fast));
		again();
	}
}

Test(cppc_cpufreq, schedutil_switches_from_the_hook)
{
	static const struct script_step steps[] = {
		SCRIPT_RUN(INT64_C(3400000) * 90 * NSEC_PER_MSEC), SCRIPT_EXIT
	};
	static const struct script busy[] = { { steps, 2, false } };
	const char *yaml = "machine: tests/data/machines/pstate-quad.yaml\n"
			   "kernel: { version: \"6.12\", hz: 250 }\n"
			   "driver: { name: cppc_cpufreq, settle_time: 1450us }\n"
			   "governor: schedutil\n"
			   "workload: scripted\n";

	tiny_run(&tiny, yaml, busy, 1);
	cr_assert(gt(i64, policy()->fast_switches, 0));
	cr_assert(eq(i64, voted_khz(), 3400000));
}

Test(cppc_cpufreq, either_spelling_of_its_name_is_taken)
{
	cr_assert(eq(int,
		tiny_build(&tiny,
			"machine: tests/data/machines/pstate-quad.yaml\n"
			"driver: cppc-cpufreq\ngovernor: performance\nworkload: scripted\n",
			asleep, 1),
		0));
	cr_assert(eq(str, (char *)policy()->driver->name, "cppc_cpufreq"));
}

Test(cppc_cpufreq, numbers_no_firmware_has_are_refused)
{
	cr_assert(lt(int,
		tiny_build(&tiny, RUN("6.1", ", nominal_perf: 4100", "1ms=2GHz"), asleep, 1), 0));
	cr_assert(strstr(tiny.err.text,
			  "lowest_nonlinear_perf 1600, nominal_perf 4100 to "
			  "highest_perf 3800") != NULL);
	again();
	cr_assert(lt(int,
		tiny_build(&tiny, RUN("6.1", ", lowest_freq: 3400", "1ms=2GHz"), asleep, 1), 0));
	again();
	cr_assert(lt(int,
		tiny_build(&tiny, RUN("6.1", ", lowest_freq: 3400, lowest_perf: 1600", "1ms=2GHz"),
			asleep, 1),
		0));
	cr_assert(strstr(tiny.err.text,
			  "lowest_freq 3400 MHz is not below nominal_freq 3400 MHz") != NULL);
}

Test(cppc_cpufreq, kinds_of_cpus_have_ranges_of_their_own)
{
	tiny_run(&tiny,
		"machine: juno-r2\ndriver: cppc_cpufreq\ngovernor: performance\n"
		"workload: scripted\n",
		asleep, 1);
	cr_assert(eq(i64, tiny.run.infos[0].cpuinfo_min_khz, 450000));
	cr_assert(eq(i64, tiny.run.infos[0].cpuinfo_max_khz, 950000));
	cr_assert(eq(i64, tiny.run.infos[1].cpuinfo_min_khz, 600000));
	cr_assert(eq(i64, tiny.run.infos[1].cpuinfo_max_khz, 1200000));
	cr_assert(eq(i64, tiny.run.kernel.policies[1].cur_khz, 1200000));
}
