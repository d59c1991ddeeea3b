#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

/* The way of a request, with the userspace governor asking at given times. */

#define YAML(driver, speeds, kernel) \
	"machine: tests/data/machines/two-package.yaml\n" \
	"kernel: { version: \"4.8\", hz: 250 " kernel "}\n" \
	"driver: " driver "\n" \
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
	const char *yaml =
		"machine: tests/data/machines/two-package.yaml\n"
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
