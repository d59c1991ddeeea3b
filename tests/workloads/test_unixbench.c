#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: unixbench" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(unixbench, .fini = teardown);

#define SECOND ", duration: 1s"

static void expect_ops(const char *yaml, double cycles, double within)
{
	tiny_run(&tiny, yaml, NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "operations"), 2e9 / cycles, within), "%s", yaml);
	cr_assert(ge(i64, tiny.run.elapsed_ns, NSEC_PER_SEC));
	cr_assert(le(i64, tiny.run.elapsed_ns, NSEC_PER_SEC + 20 * NSEC_PER_MSEC));
}

Test(unixbench, a_second_holds_as_many_as_their_cycles_allow)
{
	expect_ops(YAML("performance", SECOND ", test: execl"), 950000, 1);
	tiny_free(&tiny);
	expect_ops(YAML("performance", SECOND ", test: spawn"), 363000, 1);
	tiny_free(&tiny);
	expect_ops(YAML("performance", SECOND ", test: pipe"), 1300, 800);
	tiny_free(&tiny);
	expect_ops(YAML("performance", SECOND ", test: context1"), 8000, 2);
}

Test(unixbench, execl_keeps_its_pid_and_spawn_does_not)
{
	tiny_run(&tiny, YAML("performance", SECOND ", test: execl"), NULL, 0);
	cr_assert(eq(i64, tiny.run.kernel.forks, 0));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("performance", SECOND ", test: spawn"), NULL, 0);
	cr_assert(epsilon_eq(dbl, (double)tiny.run.kernel.forks, measured(&tiny, "operations"), 1));
}

Test(unixbench, a_script_is_five_pairs_of_processes)
{
	/* A pair: two forks, then one process after the other, as the second reads the first. */
	expect_ops(YAML("performance", SECOND ", test: shell1"), 5 * (2 * 240000 + 2 * 960000), 1);
	double scripts = measured(&tiny, "operations");
	cr_assert(epsilon_eq(dbl, (double)tiny.run.kernel.forks, 11 * scripts, 11));
	/* Per pair the reader and the script twice, and the runner per script. */
	cr_assert(ge(dbl, (double)tiny.run.kernel.wakeups / scripts, 11));
	cr_assert(le(dbl, (double)tiny.run.kernel.wakeups / scripts, 17));
}

Test(unixbench, eight_scripts_keep_four_cpus_busy)
{
	tiny_run(&tiny, YAML("performance", SECOND ", test: shell8"), NULL, 0);
	double done = measured(&tiny, "operations");
	cr_assert(gt(dbl, done, 0.8 * 4 * 2e9 / 12e6));
	cr_assert(le(dbl, done, 1.03 * 4 * 2e9 / 12e6));
}

Test(unixbench, copies_have_cpus_of_their_own)
{
	tiny_run(&tiny, YAML("performance", SECOND ", test: execl, copies: 4"), NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "operations"), 4 * 2e9 / 950000, 4));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("performance", SECOND ", test: context1, copies: 3"), NULL, 0);
	cr_assert(gt(dbl, measured(&tiny, "operations"), 2.9 * 2e9 / 8000));
}
