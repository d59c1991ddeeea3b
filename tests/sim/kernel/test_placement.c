#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(rule) \
	"machine: tests/data/machines/two-package.yaml\n" \
	"kernel: { version: \"4.8\", hz: 250, placement: " rule " }\n" \
	"driver: 'null'\n" \
	"governor: performance\n" \
	"workload: scripted\n"

#define MS (INT64_C(2000000) * NSEC_PER_MSEC)

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(placement, .fini = teardown);

Test(placement, spread_random_sends_a_child_to_the_package_with_fewest_busy_cpus)
{
	const struct script_step parent[] = { SCRIPT_RUN(1 * MS), SCRIPT_SPAWN(1),
		SCRIPT_RUN(9 * MS), SCRIPT_EXIT };
	const struct script_step child[] = { SCRIPT_RUN(5 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { parent, 0, false }, { child, -1, true } };

	tiny_run(&tiny, YAML("spread-random"), scripts, 2);
	cr_assert(ge(int, tiny.exit_cpu[1], 2));
}

Test(placement, without_an_idle_cpu_a_child_stays_with_its_parent)
{
	const struct script_step busy[] = { SCRIPT_RUN(50 * MS), SCRIPT_EXIT };
	const struct script_step parent[] = { SCRIPT_RUN(1 * MS), SCRIPT_SPAWN(4),
		SCRIPT_RUN(30 * MS), SCRIPT_EXIT };
	const struct script_step child[] = { SCRIPT_EXIT };
	const struct script scripts[] = { { busy, 0, true }, { busy, 2, true }, { busy, 3, true },
		{ parent, 1, false }, { child, -1, false } };

	tiny_run(&tiny, YAML("spread-random"), scripts, 5);
	cr_assert(eq(int, tiny.exit_cpu[4], 1));
}

Test(placement, idle_sibling_keeps_a_child_in_the_package)
{
	const struct script_step parent[] = { SCRIPT_RUN(1 * MS), SCRIPT_SPAWN(1),
		SCRIPT_RUN(9 * MS), SCRIPT_EXIT };
	const struct script_step child[] = { SCRIPT_RUN(5 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { parent, 2, false }, { child, -1, true } };

	tiny_run(&tiny, YAML("idle-sibling"), scripts, 2);
	cr_assert(eq(int, tiny.exit_cpu[1], 3));
}

Test(placement, a_waking_task_goes_to_its_last_cpu_or_an_idle_one_beside_it)
{
	const struct script_step sleeper[] = { SCRIPT_RUN(1 * MS), SCRIPT_SLEEP(10000000),
		SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	const struct script_step busy[] = { SCRIPT_SLEEP(2000000), SCRIPT_RUN(50 * MS),
		SCRIPT_EXIT };
	const struct script alone[] = { { sleeper, 1, false } };
	const struct script beside[] = { { busy, 1, true }, { sleeper, 1, false } };

	tiny_run(&tiny, YAML("idle-sibling"), alone, 1);
	cr_assert(eq(int, tiny.exit_cpu[0], 1));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("idle-sibling"), beside, 2);
	cr_assert(eq(int, tiny.exit_cpu[1], 0));
}
