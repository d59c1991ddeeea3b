#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "governors/fixed.h"
#include "tests/support/tiny.h"

static const struct script_step asleep[] = { SCRIPT_SLEEP(43815000), SCRIPT_EXIT };
static const struct script one[] = { { asleep, 0, false } };
static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(performance, .fini = teardown);

Test(performance, the_upper_limit_is_asked_for_from_below)
{
	struct fixed_request request = fixed_performance((struct freq_limits){ 1200000, 1885000 });

	cr_assert(eq(u32, request.khz, 1885000));
	cr_assert(eq(u32, request.relation, RELATION_H));
}

Test(performance, a_policy_stays_at_the_upper_limit)
{
	tiny_run(&tiny,
		"machine: tests/data/machines/two-package.yaml\n"
		"driver: { name: pcc-cpufreq, command_time: 43us }\n"
		"governor: performance\n"
		"workload: scripted\n"
		"limits: { scaling_max_freq: 1.7GHz }\n",
		one, 1);
	cr_assert(eq(i64, tiny.run.kernel.policies[1].cur_khz, 1700000));
	cr_assert(eq(i64, tiny_commands(&tiny), 0));
	cpufreq_set_limits(&tiny.run.kernel.policies[1], 1200000, 1885000);
	cr_assert(eq(i64, tiny.run.kernel.policies[1].pending_khz, 1885000));
}
