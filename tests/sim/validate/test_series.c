#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/validate/series.h"

static const int64_t clocks[] = { 800000, 1200000, 1600000, 2000000 };

static struct arena arena;
static struct series recorded, predicted;

static void setup(void)
{
	recorded = predicted = (struct series){ 0 };
	cr_assert(eq(int, arena_try(&arena), 0));
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(series, .init = setup, .fini = teardown);

static void add(struct series *series, int64_t t_ns, uint32_t khz)
{
	const struct model_decision none = { 0 };

	series_add(series, &arena, t_ns, khz, &none);
}

static struct comparison compare(bool at_events)
{
	return (struct comparison){
		.arena = &arena,
		.recorded = &recorded,
		.predicted = &predicted,
		.clocks_khz = clocks,
		.nr_clocks = 4,
		.from_ns = 1000,
		.to_ns = 2000,
		.at_events = at_events,
		.tolerance_ns = 10,
	};
}

/* Recorded: 300 ns at 800, 500 at 2000, 200 at 1200 MHz. */
static void record(void)
{
	add(&recorded, 1000, 800000);
	add(&recorded, 1300, 2000000);
	add(&recorded, 1800, 1200000);
}

Test(series, a_perfect_prediction_scores_as_one)
{
	struct comparison cmp = compare(false);
	struct moment worst[3];

	record();
	predicted = recorded;
	const struct score score = score_prediction(&cmp);
	cr_expect(eq(i64, score.evaluations, 2));
	cr_expect(epsilon_eq(dbl, score.equal, 1, 1e-12));
	cr_expect(epsilon_eq(dbl, score.time_equal, 1, 1e-12));
	cr_expect(epsilon_eq(dbl, score.residency_distance, 0, 1e-12));
	cr_expect(epsilon_eq(dbl, score.mean_khz, 1480000, 1e-6));
	cr_expect(epsilon_eq(dbl, score.changes_per_s, 2e6, 1e-6));
	cr_expect(eq(sz, score_worst(&cmp, worst, 3), 0));
}

Test(series, distances_are_those_computed_by_hand)
{
	const struct comparison cmp = compare(false);

	record();
	/* 400 ns at 800, 400 at 1600, 200 at 1200 MHz. */
	add(&predicted, 1000, 800000);
	add(&predicted, 1400, 1600000);
	add(&predicted, 1805, 1200000);
	const struct score score = score_prediction(&cmp);
	/* Of 1300 the prediction is still 800: three steps off; of 1800 it comes in time. */
	cr_expect(epsilon_eq(dbl, score.equal, 0.5, 1e-12));
	cr_expect(epsilon_eq(dbl, score.within2, 0.5, 1e-12));
	cr_expect(epsilon_eq(dbl, score.time_equal, 0.495, 1e-12));
	cr_expect(epsilon_eq(dbl, score.residency_distance, 0.505, 1e-12));
	cr_expect(epsilon_eq(
		dbl, score.mean_error_khz, 0.1 * 1200000 + 0.4 * 400000 + 0.005 * 400000, 1e-6));
}

Test(series, the_best_constant_is_the_best_for_each_figure)
{
	struct comparison cmp = compare(true);

	record();
	predicted = recorded;
	const struct score score = score_constant(&cmp);
	cr_expect(epsilon_eq(dbl, score.equal, 0.5, 1e-12));
	cr_expect(epsilon_eq(dbl, score.within2, 1, 1e-12));
	cr_expect(epsilon_eq(dbl, score.residency_distance, 0.5, 1e-12));
	cr_expect(epsilon_eq(dbl, score.time_equal, 0.5, 1e-12));
	cr_expect(epsilon_eq(dbl, score.mean_khz, 2000000, 1e-6));
}

Test(series, keeping_the_last_frequency_is_one_event_late)
{
	const struct comparison cmp = compare(true);

	record();
	add(&recorded, 1900, 1200000);
	predicted = recorded;
	const struct score score = score_keep(&cmp);
	cr_expect(eq(i64, score.evaluations, 3));
	cr_expect(epsilon_eq(dbl, score.equal, 1.0 / 3, 1e-12));
	/* 800 ns at 800, 100 at 2000, 100 at 1200 MHz. */
	cr_expect(epsilon_eq(dbl, score.residency_distance, 0.5, 1e-12));
	cr_expect(epsilon_eq(dbl, score.time_equal, 0.4, 1e-12));
}

Test(series, what_was_left_out_does_not_count)
{
	struct comparison cmp = compare(false);

	record();
	predicted = recorded;
	cmp.from_ns = 1500;
	const struct score score = score_recorded(&cmp);
	cr_expect(eq(i64, score.evaluations, 1));
	cr_expect(epsilon_eq(dbl, score.mean_khz, 0.6 * 2000000 + 0.4 * 1200000, 1e-6));
}

Test(series, the_worst_moments_come_first)
{
	const struct comparison cmp = compare(true);
	struct moment worst[2];

	record();
	add(&recorded, 1900, 1600000);
	add(&predicted, 1000, 800000);
	add(&predicted, 1300, 1600000);
	add(&predicted, 1800, 2000000);
	add(&predicted, 1900, 2000000);
	cr_assert(eq(sz, score_worst(&cmp, worst, 2), 2));
	cr_expect(eq(i64, worst[0].t_ns, 1800));
	cr_expect(eq(int, worst[0].steps, 2));
	cr_expect(eq(u32, worst[0].predicted_khz, 2000000));
	/* Of two that are one step off the longer one. */
	cr_expect(eq(i64, worst[1].t_ns, 1300));
	cr_expect(eq(i64, worst[1].lasts_ns, 500));
}
