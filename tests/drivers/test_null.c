#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "tests/support/tiny.h"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(1885000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(null, .fini = teardown);

Test(null, changes_hold_at_once_and_cost_nothing)
{
	tiny_run(&tiny,
		"machine: tests/data/machines/two-package.yaml\n"
		"driver: 'null'\n"
		"governor: { name: userspace, set_speed: \"1ms=1885MHz\" }\n"
		"workload: scripted\n",
		asleep, 1);
	const struct policy *policy = &tiny.run.kernel.policies[2];
	const struct cpu *cpu = &tiny.run.machine.cpus[2];
	cr_assert(eq(i64, policy->commands, 1));
	cr_assert(eq(i64, policy->driver_busy_ns, 0));
	cr_assert(eq(i64, policy->cur_khz, 1885000));
	cr_assert(eq(i64, cpu->domain->clocks_khz[cpu->vote], 1885000));
}
