#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/workload.h"
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

/* The same where looking helped in @pulls of 8 cases before. Returns who was moved. */
static int64_t crowd_of(const char *version, int64_t pulls)
{
	const struct script_step steps[] = { SCRIPT_RUN(400 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 1, false }, { steps, 2, false },
		{ steps, 3, false }, { steps, 0, false }, { steps, 0, false },
		{ steps, 0, false } };
	char yaml[512];
	int64_t moved;

	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"%s\", hz: 250, balance: new-idle }\n"
		"driver: 'null'\ngovernor: performance\nworkload: scripted\n",
		version);
	cr_assert(eq(int, tiny_build(&tiny, yaml, scripts, 6), 0), "%s", tiny.err.text);
	kernel_measured_newidle(&tiny.run.kernel, 8, pulls);
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	moved = tiny.run.kernel.migrations;
	tiny_free(&tiny);
	return moved;
}

Test(balance, a_cpu_about_to_idle_looks_as_often_as_it_has_helped)
{
	static const char *const always[] = { "6.12", "6.12.64", "6.13.70", "6.18.4" };
	static const char *const seldom[] = { "6.12.65", "6.18.5", "6.19" };

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		cr_expect(eq(i64, crowd_of(always[i], 0), 2), "%s", always[i]);
	for (size_t i = 0; i < sizeof(seldom) / sizeof(seldom[0]); i++) {
		cr_expect(eq(i64, crowd_of(seldom[i], 0), 0), "%s", seldom[i]);
		cr_expect(eq(i64, crowd_of(seldom[i], 8), 2), "%s", seldom[i]);
	}
}

#define NAPS 1100

/* The one that waits on CPU 1 may not leave it; CPU 2 idles again and again. */
static void naps_beside_a_queue(void)
{
	static struct script_step naps[2 * NAPS + 1];
	static const struct script_step hog[] = { SCRIPT_RUN(9000 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { hog, 1, true, .pin = 1 }, { hog, 1, true, .pin = 1 },
		{ hog, 3, true, .pin = 1 }, { hog, 0, true, .pin = 1 }, { naps, 2, .pin = 1 } };

	for (int i = 0; i < NAPS; i++) {
		naps[2 * i] = (struct script_step)SCRIPT_RUN(MS / 100);
		naps[2 * i + 1] = (struct script_step)SCRIPT_SLEEP(50000);
	}
	naps[2 * NAPS] = (struct script_step)SCRIPT_EXIT;
	tiny_run_jobs(&tiny,
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"6.19\", hz: 250, balance: new-idle }\n"
		"driver: 'null'\ngovernor: performance\nworkload: scripted\n",
		jobs, 5);
}

Test(balance, looks_that_never_help_become_rare)
{
	naps_beside_a_queue();
	/* Half of them, as assumed at the start; after 512 looks a quarter, after 512 more... */
	cr_assert(eq(u32, tiny.run.kernel.rqs[2].newidle.ratio, 128));
	cr_assert(eq(u32, tiny.run.kernel.rqs[0].newidle.ratio, 512));
}
