#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/pelt.h"

#define PERIOD_NS (UINT64_C(1024) * 1024)

static const struct pelt_input runs = { 1, 1, true }, away = { 0, 0, false };

/* Runs or stays away for @periods whole periods, updated once a period. */
static void pass(struct pelt *pelt, struct pelt_input in, int periods)
{
	for (int i = 0; i < periods; i++)
		if (pelt_update_sum(pelt, pelt->last_update_ns + PERIOD_NS, in))
			pelt_update_avg(pelt, 1024);
}

Test(pelt, a_task_that_always_runs_reaches_1024)
{
	struct pelt pelt = { .last_update_ns = 48213377 };

	pass(&pelt, runs, 400);
	/* Truncation of each period's decay keeps it one below when updated so often. */
	cr_assert(ge(u64, pelt.util_avg, 1023));
	cr_assert(le(u64, pelt.util_avg, 1024));
	pelt = (struct pelt){ .last_update_ns = 48213377 };
	cr_assert(pelt_update_sum(&pelt, 48213377 + 500 * PERIOD_NS + 700000, runs));
	pelt_update_avg(&pelt, 1024);
	cr_assert(eq(u64, pelt.util_avg, 1024));
	cr_assert(eq(u64, pelt.runnable_avg, 1024));
	cr_assert(eq(u64, pelt.load_avg, 1024));
}

Test(pelt, half_of_it_is_left_after_32_periods)
{
	struct pelt pelt = { .last_update_ns = 48213377, .util_sum = 1024 * PELT_MIN_DIVIDER };

	cr_assert(pelt_update_sum(&pelt, 48213377 + 32 * PERIOD_NS, away));
	pelt_update_avg(&pelt, 1024);
	cr_assert(eq(u64, pelt.util_avg, 511));
}

Test(pelt, decay_is_a_table_and_never_the_identity)
{
	cr_assert(eq(u64, pelt_decay(47742, 0), 47741));
	cr_assert(eq(u64, pelt_decay(47742, 1), 46718));
	cr_assert(eq(u64, pelt_decay(47742, 32), 23870));
	cr_assert(eq(u64, pelt_decay(UINT64_MAX, 2017), 0));
	/* 96 bits are kept in the product. */
	cr_assert(eq(u64, pelt_decay(UINT64_C(1) << 63, 33), UINT64_C(4512867095200923648)));
}

Test(pelt, nothing_happens_within_a_microsecond_of_1024_ns)
{
	struct pelt pelt = { .last_update_ns = 7919, .load_sum = 11 };

	cr_assert(not(pelt_update_sum(&pelt, 7919 + 1023, runs)));
	cr_assert(eq(u64, pelt.last_update_ns, 7919));
	cr_assert(eq(u64, pelt.load_sum, 11));
	cr_assert(not(pelt_update_sum(&pelt, 7919 + 2050, runs)));
	cr_assert(eq(u64, pelt.last_update_ns, 7919 + 2048), "the rest stays for the next update");
	cr_assert(eq(u64, pelt.load_sum, 13));
}

Test(pelt, time_that_goes_back_is_taken_over_and_changes_no_sum)
{
	struct pelt pelt = { .last_update_ns = 993311, .util_sum = 4711 };

	cr_assert(not(pelt_update_sum(&pelt, 331199, runs)));
	cr_assert(eq(u64, pelt.last_update_ns, 331199));
	cr_assert(eq(u32, pelt.util_sum, 4711));
}

Test(pelt, without_load_a_running_task_adds_nothing)
{
	const struct pelt_input unqueued = { 0, 3, true };
	struct pelt pelt = { .last_update_ns = 0 };

	cr_assert(pelt_update_sum(&pelt, 3 * PERIOD_NS, unqueued));
	cr_assert(eq(u32, pelt.util_sum, 0));
	cr_assert(eq(u64, pelt.runnable_sum, 0));
}

Test(pelt, version_4_8_adds_whole_periods_from_tables)
{
	cr_assert(eq(u32, pelt_contrib_4_8(0), 0));
	cr_assert(eq(u32, pelt_contrib_4_8(1), 1002));
	cr_assert(eq(u32, pelt_contrib_4_8(32), 23371));
	cr_assert(eq(u32, pelt_contrib_4_8(64), 35056));
	cr_assert(eq(u32, pelt_contrib_4_8(345), 47742));
}

Test(pelt, versions_4_8_and_4_12_scale_what_they_add)
{
	const struct pelt_scaled_input half = { .weight = 1024,
		.running = true,
		.run_queue = true,
		.freq_scale = 512,
		.cpu_scale = 768 };
	struct pelt old = { .last_update_ns = 5 }, newer = { .last_update_ns = 5 };

	cr_assert(pelt_update_4_8(&old, 5 + 400 * PERIOD_NS, half));
	cr_assert(pelt_update_4_12(&newer, 5 + 400 * PERIOD_NS + 600, half));
	/* 1024 x 512/1024 x 768/1024, reached to within the constant divider. */
	cr_assert(ge(u64, old.util_avg, 375));
	cr_assert(le(u64, old.util_avg, 384));
	cr_assert(ge(u64, newer.util_avg, 375));
	cr_assert(le(u64, newer.util_avg, 384));
	cr_assert(eq(u64, old.runnable_avg, old.load_avg));
	cr_assert(eq(u64, newer.last_update_ns, 5 + 400 * PERIOD_NS));
	cr_assert(not(pelt_update_4_8(&old, old.last_update_ns + 1030, half)));
	cr_assert(eq(u64, old.last_update_ns, 5 + 400 * PERIOD_NS + 1030),
		"4.8 forgets the rest below a microsecond");
}
