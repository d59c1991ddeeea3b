#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "tests/support/tiny.h"

#define KERNEL(version)                                    \
	"machine: tests/data/machines/two-package.yaml\n"  \
	"kernel: { version: \"" version "\", hz: 1000 }\n" \
	"driver: 'null'\n"                                 \
	"governor: performance\n"                          \
	"workload: scripted\n"                             \
	"run: { duration: 40s }\n"
#define YAML KERNEL("5.10")

#define MS (INT64_C(2000000) * NSEC_PER_MSEC)

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(fair, .fini = teardown);

/* The CPU time of what runs or waits on CPU 0, by weight. */
static int64_t time_of_weight(uint32_t weight)
{
	struct rq *rq = &tiny.run.kernel.rqs[0];

	rq_charge(rq);
	if (rq->curr->weight == weight)
		return rq->curr->user_ns;
	return rq->heap->user_ns;
}

static void share(const char *yaml, int nice_a, int nice_b)
{
	static const struct script_step endless[] = { SCRIPT_RUN(100000 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { endless, 0, true, .nice = nice_a, .pin = 1 },
		{ endless, 0, true, .nice = nice_b, .pin = 1 } };

	tiny_run_jobs(&tiny, yaml, jobs, 2);
	double a = (double)time_of_weight(nice_weight(nice_a));
	double b = (double)time_of_weight(nice_weight(nice_b));
	double wanted = (double)nice_weight(nice_a) / (double)nice_weight(nice_b);
	cr_assert(epsilon_eq(dbl, a + b, 40e9, 1));
	cr_assert(epsilon_eq(dbl, a / b / wanted, 1, 0.01), "nice %d and %d: %f, not %f", nice_a,
		nice_b, a / b, wanted);
}

Test(fair, nice_levels_share_a_cpu_in_the_ratio_of_their_weights)
{
	share(KERNEL("5.10"), 0, 3);
}

Test(fair, far_apart_levels_share_too)
{
	share(KERNEL("5.10"), -5, 5);
}

Test(fair, nice_levels_share_by_their_weights_under_virtual_deadlines)
{
	share(KERNEL("6.6"), 0, 3);
	teardown();
	share(KERNEL("6.12"), 0, 3);
}

Test(fair, far_apart_levels_share_too_under_virtual_deadlines)
{
	share(KERNEL("6.6"), -5, 5);
	teardown();
	share(KERNEL("6.12"), -5, 5);
}

Test(fair, a_level_is_a_fourth_more)
{
	for (int nice = -20; nice < 19; nice++)
		cr_assert(epsilon_eq(dbl, (double)nice_weight(nice) / (double)nice_weight(nice + 1),
			1.25, 0.07));
	cr_assert(eq(u32, nice_weight(0), 1024));
}

Test(fair, a_pinned_task_waits_for_its_cpu_while_others_idle)
{
	static const struct script_step steps[] = { SCRIPT_RUN(50 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { steps, 2, false, .pin = 1 }, { steps, 2, false, .pin = 1 },
		{ steps, 2, false, .pin = 0 } };

	tiny_run_jobs(&tiny, YAML, jobs, 3);
	/* The free one moves away. */
	cr_assert(eq(int, tiny.exit_cpu[0], 2));
	cr_assert(eq(int, tiny.exit_cpu[1], 2));
	cr_assert(ne(int, tiny.exit_cpu[2], 2));
	cr_assert(eq(i64, tiny.run.elapsed_ns, 100 * NSEC_PER_MSEC));
}
