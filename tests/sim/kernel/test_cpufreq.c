#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

/* The way of a request, with the userspace governor asking at given times. */

#define YAML(driver, speeds, kernel)                                 \
	"machine: tests/data/machines/two-package.yaml\n"            \
	"kernel: { version: \"4.8\", hz: 250 " kernel "}\n"          \
	"driver: " driver "\n"                                       \
	"governor: { name: userspace, set_speed: \"" speeds "\" }\n" \
	"workload: scripted\n"

#define PCC "{ name: pcc-cpufreq, command_time: 510us }"
#define GHZ(g, ms) (INT64_C(g) * 1000000 * ms * NSEC_PER_MSEC)

static const struct script_step sleeper[] = { SCRIPT_SLEEP(100000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
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

TestSuite(cpufreq, .fini = teardown);

Test(cpufreq, requests_suppressed_ones_and_commands_are_counted_apart)
{
	tiny_run(&tiny, YAML(PCC, "1ms=1.5GHz,20ms=1.5GHz,40ms=1.885GHz", ""), asleep, 1);
	cr_assert(eq(i64, policy(2)->requests, 3));
	cr_assert(eq(i64, policy(2)->suppressed, 1));
	cr_assert(eq(i64, policy(2)->commands, 2));
	cr_assert(eq(i64, policy(2)->cur_khz, 1885000));
	cr_assert(eq(i64, policy(2)->stats.total_trans, 2));
}

Test(cpufreq, cur_keeps_the_request_and_the_clock_what_firmware_makes_of_it)
{
	const struct cpu *cpu;

	tiny_run(&tiny, YAML(PCC, "1ms=1885MHz", ""), asleep, 1);
	cpu = &tiny.run.machine.cpus[1];
	cr_assert(eq(i64, policy(1)->cur_khz, 1885000));
	/* 94.25 % of 2 GHz is sent as 94 %. */
	cr_assert(eq(i64, cpu->domain->clocks_khz[cpu->vote], 1880000));
}

Test(cpufreq, requests_are_held_to_the_limits)
{
	tiny_run(&tiny,
		YAML(PCC, "1ms=2GHz,20ms=1GHz", "") "limits: { scaling_min_freq: 1.2GHz, "
						    "scaling_max_freq: 1.7GHz }\n",
		asleep, 1);
	cr_assert(eq(i64, policy(0)->cur_khz, 1200000));
	cr_assert(eq(i64, policy(0)->commands, 2));
}

/* Work of 12 ms at 1 GHz; the request for 2 GHz at 10 ms holds from 10.51 ms on and its command holds
 * the CPU: 10 ms + 0.51 ms held + 2 ms of work at twice the clock. */
Test(cpufreq, a_command_holds_its_cpu_and_the_clock_changes_at_its_end)
{
	const struct script_step steps[] = { SCRIPT_RUN(GHZ(1, 12)), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };

	/* After 10 ms the task has had enough for the kernel worker to take the CPU from it. */
	tiny_run(&tiny, YAML("{ name: pcc-cpufreq, command_time: 510us }", "10ms=2GHz", ""),
		scripts, 1);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 10000000 + 510000 + 1000000));
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 11000000));
}

Test(cpufreq, commands_of_four_cpus_queue_for_the_one_mailbox)
{
	tiny_run(&tiny, YAML(PCC, "1ms=2GHz", ""), asleep, 1);
	int64_t wait = 0;
	for (int i = 0; i < 4; i++)
		wait += policy(i)->driver_wait_ns;
	cr_assert(eq(i64, tiny_commands(&tiny), 4));
	cr_assert(eq(i64, wait, (1 + 2 + 3) * INT64_C(510000)));
}

Test(cpufreq, without_the_lock_they_do_not)
{
	tiny_run(&tiny,
		YAML("{ name: pcc-cpufreq, command_time: 510us, lock: off }", "1ms=2GHz", ""),
		asleep, 1);
	for (int i = 0; i < 4; i++)
		cr_assert(eq(i64, policy(i)->driver_wait_ns, 0));
}

Test(cpufreq, each_notifier_costs_its_time_before_and_after)
{
	tiny_run(&tiny, YAML(PCC, "1ms=2GHz", ", notifiers: 3, notifier_cost: 2us "), asleep, 1);
	cr_assert(eq(i64, policy(0)->driver_busy_ns, 510000 + 2 * 3 * 2000));
}

Test(cpufreq, a_failed_command_costs_its_time_and_changes_nothing)
{
	tiny_run(&tiny,
		YAML("{ name: pcc-cpufreq, command_time: 510us, fail_every: 1 }", "1ms=2GHz", ""),
		asleep, 1);
	cr_assert(eq(i64, policy(3)->failed, 1));
	cr_assert(eq(i64, policy(3)->cur_khz, 1000000));
	cr_assert(eq(i64, policy(3)->stats.total_trans, 0));
	cr_assert(eq(i64, policy(3)->driver_busy_ns, 510000));
}

Test(cpufreq, time_in_state_goes_by_percent_without_a_table_and_adds_up)
{
	const char *yaml = "machine: tests/data/machines/two-package.yaml\n"
			   "kernel: { version: \"6.1\", hz: 250 }\n"
			   "driver: " PCC "\n"
			   "governor: { name: userspace, set_speed: \"1ms=1.5GHz,41ms=2GHz\" }\n"
			   "workload: scripted\n";
	int64_t sum = 0;

	tiny_run(&tiny, yaml, asleep, 1);
	cr_assert(eq(i64, cpufreq_time_in_state_ns(policy(0), 50), 1510000));
	cr_assert(eq(i64, cpufreq_time_in_state_ns(policy(0), 75), 40000000));
	for (int i = 0; i < policy(0)->stats.nr_states; i++)
		sum += cpufreq_time_in_state_ns(policy(0), i);
	cr_assert(eq(i64, sum, tiny.run.elapsed_ns));
	cr_assert(eq(u32, policy(0)->stats.trans[50 * policy(0)->stats.nr_states + 75], 1));
}

/* --- a hardware slower than its requests, pairs that Linux refuses, limits --- */

#define SLOW(until)                                                                            \
	"machine: rk3588\n"                                                                    \
	"kernel: { version: \"6.1\", hz: 250 }\n"                                              \
	"driver: { name: cpufreq-dt, transition_latency: 10ms }\n"                             \
	"governor: { name: userspace, set_speed: \"1ms=1.416GHz,2ms=1.608GHz,3ms=1.8GHz\" }\n" \
	"workload: scripted\n"                                                                 \
	"run: { duration: " until " }\n"

static int64_t voted_khz(int cpu)
{
	const struct cpu *hw = &tiny.run.machine.cpus[cpu];

	return hw->domain->clocks_khz[hw->vote];
}

/* The first change takes its 10 ms; of the two that wait the newer is left, and takes 10 ms more. */
Test(cpufreq, requests_faster_than_the_hardware_still_move_it)
{
	tiny_run(&tiny, SLOW("10900us"), asleep, 1);
	cr_assert(eq(i64, policy(2)->cur_khz, 1800000));
	cr_assert(eq(i64, voted_khz(6), 1200000));
	again();
	tiny_run(&tiny, SLOW("11100us"), asleep, 1);
	cr_assert(eq(i64, voted_khz(6), 1416000));
	again();
	tiny_run(&tiny, SLOW("20900us"), asleep, 1);
	cr_assert(eq(i64, voted_khz(6), 1416000));
	again();
	tiny_run(&tiny, SLOW("21100us"), asleep, 1);
	cr_assert(eq(i64, voted_khz(6), 1800000));
}

#define PAIR(machine, version, driver, governor)          \
	"machine: " machine "\n"                          \
	"kernel: { version: \"" version "\", hz: 250 }\n" \
	"driver: " driver "\n"                            \
	"governor: " governor "\n"                        \
	"workload: scripted\n"

#define FOUR "tests/data/machines/two-package.yaml"

static const struct {
	const char *yaml, *governor, *why;
} pairs[] = {
	/* more than four CPUs behind one mailbox */
	{ PAIR("dl580-gen8", "4.17", "pcc-cpufreq", "ondemand"), "ondemand", NULL },
	{ PAIR("dl580-gen8", "4.18", "pcc-cpufreq", "ondemand"), "performance",
		"Linux 4.18 refuses governor ondemand and falls back to performance: the driver "
		"wants no governor that changes frequency by itself" },
	{ PAIR("dl580-gen8", "6.1", "pcc-cpufreq", "schedutil"), "performance", "schedutil" },
	{ PAIR("dl580-gen8", "6.1", "pcc-cpufreq", "powersave"), "powersave", NULL },
	{ PAIR(FOUR, "6.1", "pcc-cpufreq", "conservative"), "conservative", NULL },
	/* a latency that is not known, or too long, up to 4.13 */
	{ PAIR(FOUR, "4.5", "pcc-cpufreq", "ondemand"), "performance",
		"Linux 4.5 refuses governor ondemand and falls back to performance: the driver "
		"does not know its transition latency" },
	{ PAIR(FOUR, "4.6", "pcc-cpufreq", "conservative"), "performance", "conservative" },
	{ PAIR(FOUR, "4.5", "pcc-cpufreq", "powersave"), "powersave", NULL },
	{ PAIR(FOUR, "3.16", "pcc-cpufreq", "ondemand"), "ondemand", NULL },
	{ PAIR("rk3588", "4.13", "{ name: cpufreq-dt, transition_latency: 10001us }", "ondemand"),
		"performance", "the driver's transition latency is above 10 ms" },
	{ PAIR("rk3588", "4.13", "{ name: cpufreq-dt, transition_latency: 10000us }", "ondemand"),
		"ondemand", NULL },
	{ PAIR("rk3588", "4.14", "{ name: cpufreq-dt, transition_latency: 10001us }", "ondemand"),
		"ondemand", NULL },
	{ PAIR("i7-3770", "4.8", "cpufreq-dt", "schedutil"), "schedutil", NULL },
};

Test(cpufreq, a_pair_that_linux_refuses_runs_performance_and_says_so)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		cr_assert(eq(int, tiny_build(&tiny, pairs[i].yaml, asleep, 1), 0));
		cr_assert(eq(str, (char *)policy(0)->governor_name, (char *)pairs[i].governor));
		if (pairs[i].why)
			cr_assert(ne(ptr, strstr(tiny.run.note, pairs[i].why), NULL));
		else
			cr_assert(eq(ptr, (void *)tiny.run.note, NULL));
		again();
	}
}

Test(cpufreq, a_version_before_driver_or_governor_is_an_error_that_names_the_first)
{
	cr_assert(lt(int,
		tiny_build(&tiny, PAIR(FOUR, "2.6.32", "pcc-cpufreq", "powersave"), asleep, 1), 0));
	cr_assert(ne(ptr,
		strstr(tiny.err.text,
			"driver pcc-cpufreq is there from Linux 2.6.33 on, this kernel is 2.6.32"),
		NULL));
	again();
	cr_assert(lt(
		int, tiny_build(&tiny, PAIR(FOUR, "4.6", "\"null\"", "schedutil"), asleep, 1), 0));
	cr_assert(ne(ptr,
		strstr(tiny.err.text,
			"governor schedutil is there from Linux 4.7 on, this kernel is 4.6"),
		NULL));
}

/* 1885 MHz and 1.65 GHz are no entries of the i7-3770. */
#define LIMITS(version)                                       \
	PAIR("i7-3770", version, "acpi-cpufreq", "powersave") \
	"limits: { scaling_min_freq: 1650MHz, scaling_max_freq: 1885MHz }\n"

Test(cpufreq, from_5_16_on_limits_become_entries_of_the_table)
{
	tiny_run(&tiny, LIMITS("5.15"), asleep, 1);
	cr_assert(eq(i64, policy(3)->min_khz, 1650000));
	cr_assert(eq(i64, policy(3)->max_khz, 1885000));
	again();
	tiny_run(&tiny, LIMITS("5.16"), asleep, 1);
	cr_assert(eq(i64, policy(3)->min_khz, 1700000));
	cr_assert(eq(i64, policy(3)->max_khz, 1700000));
}

/* schedutil on acpi-cpufreq, one write 5 us: counted per driver, and the task's time. */
Test(cpufreq, a_switch_from_the_hook_is_counted_and_its_clock_follows)
{
	const struct script_step steps[] = { SCRIPT_RUN(GHZ(3, 400)), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 5, false } };
	int64_t sum = 0;

	tiny_run(&tiny,
		PAIR("i7-3770", "6.1", "{ name: acpi-cpufreq, write_time: 5us }", "schedutil"),
		scripts, 1);
	cr_assert(gt(i64, policy(5)->fast_switches, 1));
	cr_assert(eq(i64, policy(5)->requests, policy(5)->commands + policy(5)->suppressed));
	cr_assert(eq(i64, policy(5)->driver_busy_ns, policy(5)->commands * 5000));
	cr_assert(eq(i64, policy(5)->work_runs, 0));
	cr_assert(eq(i64, policy(5)->cur_khz, 3401000));
	cr_assert(eq(i64, voted_khz(5), 3900000));
	for (int i = 0; i < policy(5)->stats.nr_states; i++)
		sum += cpufreq_time_in_state_ns(policy(5), i);
	cr_assert(eq(i64, sum, tiny.run.elapsed_ns));
}

/* 1200 MHz of 2800 is sent as 42 %, which is 1176 MHz: read at the start, and asked for anew. */
Test(cpufreq, what_the_hardware_says_at_the_start_is_believed_until_the_governor_asks)
{
	cr_assert(eq(int,
		tiny_build(&tiny, PAIR("dl580-gen8", "4.8", "pcc-cpufreq", "powersave"), asleep, 1),
		0));
	cr_assert(eq(i64, cpufreq_get(policy(43)), 1176000));
	cr_assert(eq(i64, policy(43)->cur_khz, 1200000));
	again();
	cr_assert(eq(int,
		tiny_build(&tiny, PAIR(FOUR, "4.8", "\"null\"", "performance"), asleep, 1), 0));
	cr_assert(eq(i64, cpufreq_get(policy(0)), 0));
}
