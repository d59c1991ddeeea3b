#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

/* Three tasks on CPU 0 and one on each of the three others of the two-package machine, equally
 * long, 2 GHz under performance. */

#define YAML(balance)                                                   \
	"machine: tests/data/machines/two-package.yaml\n"               \
	"kernel: { version: \"4.8\", hz: 250, balance: " balance " }\n" \
	"driver: 'null'\n"                                              \
	"governor: performance\n"                                       \
	"workload: scripted\n"

#define MS (INT64_C(2000000) * NSEC_PER_MSEC) /* work of one ms */
#define ALONE_NS (400 * NSEC_PER_MSEC)

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(balance, .fini = teardown);

static void crowd(const char *yaml)
{
	const struct script_step steps[] = { SCRIPT_RUN(400 * MS), SCRIPT_EXIT };
	/* The lonely ones first: a CPU without its own task yet would pull. */
	const struct script scripts[] = { { steps, 1, false }, { steps, 2, false },
		{ steps, 3, false }, { steps, 0, false }, { steps, 0, false },
		{ steps, 0, false } };

	tiny_run(&tiny, yaml, scripts, 6);
}

/* Tasks of CPUs 1 to 3 that ended as early as they would have alone. */
static int undisturbed(void)
{
	int nr = 0;

	for (int i = 0; i < 3; i++)
		nr += tiny.exit_ns[i] == ALONE_NS;
	return nr;
}

Test(balance, a_busy_cpu_pulls_from_one_with_two_tasks_more)
{
	crowd(YAML("periodic"));
	/* One pull makes it 2, 2, 1, 1: nobody has two more than another. */
	cr_assert(eq(int, undisturbed(), 2));
}

Test(balance, only_a_cpu_about_to_idle_pulls_where_that_is_the_rule)
{
	crowd(YAML("new-idle"));
	cr_assert(eq(int, undisturbed(), 3));
	/* Three CPUs come free at once and take the two tasks that wait. */
	cr_assert(eq(i64, tiny.run.kernel.migrations, 2));
}
