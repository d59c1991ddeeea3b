#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/pelt.h"
#include "sim/kernel/rq_clock.h"

Test(rq_clock, interrupts_take_their_time_off_the_task_clock)
{
	struct rq_clock clock = { .prev_irq_ns = 1000 };

	cr_assert(eq(u64, rq_clock_advance(&clock, 50321, 8000), 7000));
	cr_assert(eq(u64, clock.clock_ns, 50321));
	cr_assert(eq(u64, clock.task_ns, 43321));
	/* Never more than has passed; the rest is taken off later. */
	cr_assert(eq(u64, rq_clock_advance(&clock, 500, 9777), 500));
	cr_assert(eq(u64, rq_clock_advance(&clock, 4000, 9777), 1277));
	cr_assert(eq(u64, clock.task_ns, 43321 + 2723));
}

Test(rq_clock, a_small_or_slow_cpu_makes_the_load_clock_slow)
{
	const struct rq_scale scale = { 446, 768 };
	struct rq_clock clock = { .pelt_ns = 100 };

	rq_clock_advance_pelt(&clock, 1000000, false, scale);
	cr_assert(eq(u64, clock.pelt_ns, 100 + 326659));
}

Test(rq_clock, the_capacity_is_truncated_first)
{
	struct rq_clock clock = { .pelt_ns = 0 };

	rq_clock_advance_pelt(&clock, 1000, false, (struct rq_scale){ 731, 853 });
	cr_assert(eq(u64, clock.pelt_ns, 593), "the other order gives 594");
	clock.pelt_ns = 0;
	rq_clock_advance_pelt(&clock, 1000, false, (struct rq_scale){ 731, 853 });
	cr_assert(eq(u64, clock.pelt_ns, 593), "a single truncation gives 594");
}

Test(rq_clock, idling_gives_the_stretched_time_back)
{
	struct rq_clock clock = { .task_ns = 900000, .pelt_ns = 400000, .lost_idle_ns = 17 };

	rq_clock_enter_idle(&clock, 1000, true);
	cr_assert(eq(u64, clock.pelt_ns, 900000));
	cr_assert(eq(u64, rq_clock_pelt_ns(&clock), 899983));
}

Test(rq_clock, a_saturated_cpu_loses_it)
{
	struct rq_clock clock = { .task_ns = 900000, .pelt_ns = 400000 };
	uint32_t saturated = (PELT_MIN_DIVIDER << 10) - PELT_MAX;

	rq_clock_enter_idle(&clock, saturated - 1, false);
	cr_assert(eq(u64, clock.lost_idle_ns, 0));
	rq_clock_enter_idle(&clock, saturated, false);
	cr_assert(eq(u64, clock.lost_idle_ns, 500000));
	cr_assert(eq(u64, clock.pelt_ns, 400000), "5.10 catches up at the next update");
	rq_clock_advance_pelt(&clock, 0, true, (struct rq_scale){ 1024, 1024 });
	cr_assert(eq(u64, clock.pelt_ns, 900000));
}
