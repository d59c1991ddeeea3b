#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/util_est.h"

Test(util_est, falls_by_a_quarter_of_the_way_and_rises_at_once)
{
	struct util_est_sample sample = { .util_avg = 311, .runnable_avg = 311, .capacity = 1024 };
	struct util_est pair = { .raw = 611, .ewma = 611 }, single = { .raw = 611 };

	util_est_update(&pair, UTIL_EST_PAIR, &sample);
	cr_assert(eq(u32, pair.ewma, 536));
	cr_assert(eq(u32, pair.raw, 311 | UTIL_EST_UNCHANGED));
	cr_assert(eq(u64, util_est_value(&pair, UTIL_EST_PAIR), 536));
	util_est_update(&single, UTIL_EST_SINGLE, &sample);
	cr_assert(eq(u64, util_est_value(&single, UTIL_EST_SINGLE), 536));
	sample.util_avg = 733;
	single.raw &= ~UTIL_EST_UNCHANGED;
	util_est_update(&single, UTIL_EST_SINGLE, &sample);
	cr_assert(eq(u64, util_est_value(&single, UTIL_EST_SINGLE), 733));
	cr_assert(eq(u64, util_est_task(&single, UTIL_EST_SINGLE, 800), 800));
}

Test(util_est, is_left_alone_when_no_period_has_ended_since)
{
	struct util_est_sample sample = { .util_avg = 311, .capacity = 1024 };
	struct util_est est = { .raw = 611 | UTIL_EST_UNCHANGED, .ewma = 611 };

	util_est_update(&est, UTIL_EST_PAIR, &sample);
	cr_assert(eq(u32, est.ewma, 611));
}

Test(util_est, does_not_learn_from_a_task_its_cpu_held_back)
{
	struct util_est_sample sample = { .util_avg = 431, .runnable_avg = 431, .capacity = 430 };
	struct util_est est = { .raw = 611, .ewma = 611 };

	util_est_update(&est, UTIL_EST_PAIR, &sample);
	cr_assert(eq(u32, est.raw, 611));
	util_est_update(&est, UTIL_EST_SINGLE, &sample);
	cr_assert(eq(u32, est.raw, 611));
	/* One that had to wait keeps its estimate. */
	sample.capacity = 1024;
	sample.runnable_avg = 442;
	util_est_update(&est, UTIL_EST_SINGLE, &sample);
	cr_assert(eq(u32, est.raw, 611 | UTIL_EST_UNCHANGED));
}

Test(util_est, does_not_exist_before_4_17)
{
	struct util_est_sample sample = { .util_avg = 431, .capacity = 1024 };
	struct util_est est = { .raw = 0 };

	util_est_update(&est, UTIL_EST_NONE, &sample);
	cr_assert(eq(u64, util_est_value(&est, UTIL_EST_NONE), 0));
	cr_assert(eq(u32, est.raw, 0));
}
