#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "sim/kernel/cpuidle.h"

/* The states of a desktop part: polling, then 2 to 800 us of target residency. */
static struct cstate_spec states[] = {
	{ .name = "POLL" },
	{ .name = "C1", .exit_latency_us = 2, .target_residency_us = 2 },
	{ .name = "C1E", .exit_latency_us = 10, .target_residency_us = 20 },
	{ .name = "C3", .exit_latency_us = 70, .target_residency_us = 100 },
	{ .name = "C6", .exit_latency_us = 85, .target_residency_us = 200 },
	{ .name = "C7s", .exit_latency_us = 124, .target_residency_us = 800 },
};
static struct cpuidle idle;
static int64_t now_ns;

#define US NSEC_PER_USEC

/* Idles @times stays of @stay_us with a timer @timer_us away; the last choice. */
static struct cpuidle_choice stay(int times, int64_t stay_us, int64_t timer_us, bool tick_stopped)
{
	struct cpuidle_choice choice = { 0 };

	for (int i = 0; i < times; i++) {
		const struct cpuidle_query query = {
			.now_ns = now_ns,
			.next_timer_ns = timer_us * US,
			.next_tick_ns = min_i64(timer_us, 700) * US,
			.tick_ns = 1000 * US,
			.tick_stopped = tick_stopped,
		};

		choice = cpuidle_select(&idle, &query);
		now_ns += stay_us * US;
		cpuidle_reflect(&idle, now_ns, false);
	}
	return choice;
}

Test(cpuidle, ideal_takes_what_the_stay_pays_for_and_stops_the_tick)
{
	cpuidle_init(&idle, CPUIDLE_IDEAL, states, 6);
	cr_assert(eq(int, stay(1, 43, 43, false).state, 2));
	cr_assert(eq(int, stay(1, 43815, 43815, false).state, 5));
	cr_assert(stay(1, 43, 43, false).stop_tick);
}

Test(cpuidle, teo_believes_the_timer_until_it_has_been_woken_early)
{
	cpuidle_init(&idle, CPUIDLE_TEO, states, 6);
	struct cpuidle_choice first = stay(1, 3000, 3000, false);
	cr_assert(eq(int, first.state, 5));
	cr_assert(first.stop_tick);
}

Test(cpuidle, teo_learns_early_wake_ups_and_keeps_the_tick)
{
	cpuidle_init(&idle, CPUIDLE_TEO, states, 6);
	struct cpuidle_choice choice = stay(20, 150, 3000, false);
	/* 150 us less half of the exit latency pay for 100 us, not for 200. */
	cr_assert(eq(int, choice.state, 3));
	cr_assert(not(choice.stop_tick));
}

Test(cpuidle, teo_forgets_early_wake_ups_when_timers_come_true_again)
{
	cpuidle_init(&idle, CPUIDLE_TEO, states, 6);
	stay(20, 150, 3000, false);
	struct cpuidle_choice choice = stay(20, 3000, 3000, false);
	cr_assert(eq(int, choice.state, 5));
	cr_assert(choice.stop_tick);
}

Test(cpuidle, teo_does_not_go_shallow_with_the_tick_stopped)
{
	cpuidle_init(&idle, CPUIDLE_TEO, states, 6);
	stay(20, 150, 3000, false);
	cr_assert(eq(int, stay(1, 150, 3000, true).state, 5));
}

Test(cpuidle, a_tick_that_wakes_counts_as_a_full_sleep_for_teo)
{
	cpuidle_init(&idle, CPUIDLE_TEO, states, 6);
	for (int i = 0; i < 20; i++) {
		const struct cpuidle_query query = { now_ns, 3000 * US, 700 * US, 1000 * US, false,
			0 };

		cpuidle_select(&idle, &query);
		now_ns += 700 * US;
		cpuidle_reflect(&idle, now_ns, true);
	}
	cr_assert(eq(int, stay(1, 700, 3000, false).state, 5));
}

Test(cpuidle, menu_finds_an_interval_that_repeats)
{
	cpuidle_init(&idle, CPUIDLE_MENU, states, 6);
	struct cpuidle_choice choice = stay(20, 260, 5000, false);
	/* 260 us less 124 of exit latency are 136: enough for 100 us, not for 200. */
	cr_assert(eq(int, choice.state, 3));
	cr_assert(not(choice.stop_tick));
}

Test(cpuidle, menu_scales_the_timer_by_what_became_of_it)
{
	cpuidle_init(&idle, CPUIDLE_MENU, states, 6);
	/* It takes eight stays to forget that it knew nothing. */
	cr_assert(stay(10, 5000, 5000, false).stop_tick);
	/* Stays of a tenth of the timer, too uneven to be an interval. */
	for (int i = 0; i < 40; i++)
		stay(1, i % 2 ? 120 : 880, 5000, false);
	cr_assert(not(stay(1, 500, 5000, false).stop_tick));
}

Test(cpuidle, menu_avoids_slow_exits_while_somebody_waits_for_io)
{
	cpuidle_init(&idle, CPUIDLE_MENU, states, 6);
	stay(10, 300, 300, false);
	const struct cpuidle_query query = { .next_timer_ns = 300 * US,
		.next_tick_ns = 300 * US,
		.tick_ns = 1000 * US,
		.nr_iowait = 3 };
	/* Under 300 us / 31 are left for the exit. */
	cr_assert(eq(int, cpuidle_select(&idle, &query).state, 1));
}

Test(cpuidle, with_the_tick_on_nothing_deeper_than_it_pays_is_chosen)
{
	cpuidle_init(&idle, CPUIDLE_TEO, states, 6);
	const struct cpuidle_query query = {
		.next_timer_ns = 900 * US, .next_tick_ns = 60 * US, .tick_ns = 1000 * US
	};
	struct cpuidle_choice choice = cpuidle_select(&idle, &query);
	cr_assert(not(choice.stop_tick));
	cr_assert(eq(int, choice.state, 2));
}
