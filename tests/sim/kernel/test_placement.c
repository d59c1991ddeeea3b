#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(rule)                                                     \
	"machine: tests/data/machines/two-package.yaml\n"              \
	"kernel: { version: \"4.8\", hz: 250, placement: " rule " }\n" \
	"driver: 'null'\n"                                             \
	"governor: performance\n"                                      \
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

/* --- rules by version --- */

#define ONE_PACKAGE(kernel)                                                  \
	"machine:\n"                                                         \
	"  name: five\n"                                                     \
	"  summary: five CPUs of one package\n"                              \
	"  reference: 2GHz\n"                                                \
	"  cpus: [{ cpus: 0-4, package: 0 }]\n"                              \
	"  policies: per-cpu\n"                                              \
	"  clock: { scope: package, vote: non-idle }\n"                      \
	"  voltage_points: [{ freq: 2GHz, voltage: 1V }]\n"                  \
	"  idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }]\n" \
	"  power: { ceff: 1000 }\n"                                          \
	"kernel: { version: " kernel " }\n"                                  \
	"driver: 'null'\n"                                                   \
	"governor: performance\n"                                            \
	"workload: scripted\n"

/* A parent on CPU 2 forks three children, one after another has ended; CPU 4 works at first. */
static const struct script_step three_forks[] = { SCRIPT_RUN(7 * MS), SCRIPT_SPAWN(2),
	SCRIPT_RUN(9 * MS), SCRIPT_SPAWN(3), SCRIPT_RUN(9 * MS), SCRIPT_SPAWN(4),
	SCRIPT_RUN(9 * MS), SCRIPT_EXIT };
static const struct script_step child_5ms[] = { SCRIPT_RUN(5 * MS), SCRIPT_EXIT };
static const struct script family[] = { { three_forks, 2, false }, { child_5ms, 4, true },
	{ child_5ms, -1, true }, { child_5ms, -1, true }, { child_5ms, -1, true } };

static void cpus_of_children(const char *yaml, int first, int second, int third)
{
	tiny_run(&tiny, yaml, family, 5);
	cr_assert(eq(int, tiny.exit_cpu[2], first));
	cr_assert(eq(int, tiny.exit_cpu[3], second));
	cr_assert(eq(int, tiny.exit_cpu[4], third));
	tiny_free(&tiny);
}

Test(placement, before_5_5_a_child_goes_to_the_cpu_that_became_idle_last)
{
	cpus_of_children(ONE_PACKAGE("\"4.8\""), 4, 4, 4);
}

Test(placement, from_5_5_to_5_8_a_child_goes_to_the_first_idle_cpu_after_its_parents)
{
	cpus_of_children(ONE_PACKAGE("\"5.5\""), 3, 3, 3);
	cpus_of_children(ONE_PACKAGE("\"5.8\""), 3, 3, 3);
}

Test(placement, from_5_9_on_a_child_goes_where_stored_utilisation_is_least)
{
	cpus_of_children(ONE_PACKAGE("\"5.9\""), 3, 0, 1);
	cpus_of_children(ONE_PACKAGE("\"6.12\""), 3, 0, 1);
}

Test(placement, the_rule_can_be_chosen)
{
	cpus_of_children(ONE_PACKAGE("\"6.12\", placement: first-idle"), 3, 3, 3);
	cpus_of_children(ONE_PACKAGE("\"6.12\", placement: idlest-cpu"), 4, 4, 4);
	cpus_of_children(ONE_PACKAGE("\"6.12\", placement: idle-sibling"), 3, 3, 3);
}

Test(placement, a_child_of_5_10_goes_to_a_package_with_more_idle_cpus)
{
	const struct script_step parent[] = { SCRIPT_RUN(1 * MS), SCRIPT_SPAWN(1),
		SCRIPT_RUN(9 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { parent, 3, false }, { child_5ms, -1, true } };

	tiny_run(&tiny, YAML("least-utilised"), scripts, 2);
	cr_assert(eq(int, tiny.exit_cpu[1], 0));
}

/* CPUs 0 to 2 are taken; a sleeper that ran last on CPU 0 is woken from CPU 3. */
static int woken_cpu(const char *kernel, enum wake_kind kind)
{
	struct channel channel = { 0 };
	const struct script_step sleeper[] = { SCRIPT_WAIT(&channel), SCRIPT_RUN(1 * MS),
		SCRIPT_EXIT };
	const struct script_step hog[] = { SCRIPT_RUN(100 * MS), SCRIPT_EXIT };
	struct script_step waker[] = { SCRIPT_RUN(30 * MS), SCRIPT_POST(&channel),
		SCRIPT_SLEEP(50000000), SCRIPT_EXIT };
	const struct script scripts[] = { { sleeper, 0, false }, { hog, 0, true }, { hog, 1, true },
		{ hog, 2, true }, { waker, 3, true } };
	char yaml[512];

	waker[1].step.wake = kind;
	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"%s\", hz: 250, balance: new-idle }\n"
		"driver: 'null'\ngovernor: performance\nworkload: scripted\n",
		kernel);
	tiny_run(&tiny, yaml, scripts, 5);
	return tiny.exit_cpu[0];
}

Test(placement, a_waker_that_will_sleep_gives_way)
{
	cr_assert(eq(int, woken_cpu("5.10", WAKE_SYNC), 3));
}

Test(placement, a_plain_wake_up_stays)
{
	cr_assert(eq(int, woken_cpu("5.10", WAKE_PLAIN), 0));
}

Test(placement, one_that_ends_is_not_believed_from_5_10_on)
{
	cr_assert(eq(int, woken_cpu("5.10", WAKE_EXITING), 0));
	tiny_free(&tiny);
	cr_assert(eq(int, woken_cpu("5.9", WAKE_EXITING), 3));
}
