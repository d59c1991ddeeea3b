#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(machine, driver)                                                      \
	"machine: " machine "\n"                                                   \
	"kernel: { version: \"6.1\", hz: 250 }\n"                                  \
	"driver: { name: acpi-cpufreq" driver " }\n"                               \
	"governor: { name: userspace, set_speed: \"1ms=3.45GHz,20ms=2550MHz\" }\n" \
	"workload: scripted\n"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(30000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(acpi_cpufreq, .fini = teardown);

Test(acpi_cpufreq, the_table_is_descending_and_the_turbo_entry_runs_faster_than_its_name)
{
	tiny_run(&tiny, YAML("i7-3770", ""), asleep, 1);
	const struct policy *policy = &tiny.run.kernel.policies[0];
	cr_assert(eq(int, policy->table.order, FREQ_DESCENDING));
	cr_assert(eq(i64, policy->cpuinfo_max_khz, 3401000));
	cr_assert(eq(i64, policy->commands, 2));
	/* L of 2550 MHz. */
	cr_assert(eq(i64, policy->cur_khz, 2600000));
	const struct domain *domain = &tiny.run.machine.domains[0];
	cr_assert(gt(i64, domain->clocks_khz[domain->nr_clocks - 1], 3401000));
}

Test(acpi_cpufreq, latency_above_20_us_counts_as_20)
{
	cr_assert(not(tiny_build(&tiny, YAML("i7-3770", ", transition_latency: 25us"), asleep, 1)));
	cr_assert(eq(i64, tiny.run.kernel.policies[0].transition_latency_ns, 20000));
}

Test(acpi_cpufreq, a_machine_without_a_table_is_refused)
{
	cr_assert(lt(int,
		tiny_build(&tiny, YAML("tests/data/machines/two-package.yaml", ""), asleep, 1), 0));
	cr_assert(strstr(tiny.err.text, "has no frequency table") != NULL);
}
