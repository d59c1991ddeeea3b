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

TestSuite(powersave, .fini = teardown);

Test(powersave, the_lower_limit_is_asked_for_from_above)
{
	struct fixed_request request = fixed_powersave((struct freq_limits){ 1200000, 1885000 });

	cr_assert(eq(u32, request.khz, 1200000));
	cr_assert(eq(u32, request.relation, RELATION_L));
}

Test(powersave, a_policy_stays_at_the_lower_limit)
{
	tiny_run(&tiny,
		"machine: tests/data/machines/two-package.yaml\n"
		"driver: { name: pcc-cpufreq, command_time: 43us }\n"
		"governor: powersave\n"
		"workload: scripted\n"
		"limits: { scaling_min_freq: 1.3GHz }\n",
		one, 1);
	cr_assert(eq(i64, tiny.run.kernel.policies[1].cur_khz, 1300000));
	cpufreq_set_limits(&tiny.run.kernel.policies[1], 1443000, 1885000);
	cr_assert(eq(i64, tiny.run.kernel.policies[1].pending_khz, 1443000));
}
