#include "sim/sweep/schedule.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#include "sim/report/metric.h"

static struct arena arena;
static struct error err;
static struct point list[5];
static struct points points;
static struct schedule schedule;

/* Five points: the second makes no sense, the fifth is the same as the third. */
static void init(const struct schedule_request *request)
{
	for (size_t i = 0; i < 5; i++)
		list[i] = (struct point){ .same_as = i };
	list[1].skipped = "because";
	list[4].same_as = 2;
	points = (struct points){ .list = list, .nr = 5, .nr_skipped = 1 };
	cr_assert(eq(int, arena_try(&arena), 0));
	cr_assert(eq(int, schedule_init(&schedule, &arena, &points, request, &err), 0));
}

static void fill(double *metrics, double elapsed_s)
{
	for (int m = 0; m < METRIC_NR; m++)
		metrics[m] = 0;
	metrics[METRIC_elapsed_s] = elapsed_s;
	metrics[METRIC_energy_pkg_j] = 197.5;
}

static void takes(size_t point, int64_t repeat)
{
	size_t p = 99;
	int64_t r = 99;

	cr_assert(eq(int, schedule_take(&schedule, &p, &r), SCHEDULE_JOB));
	cr_assert(eq(sz, p, point));
	cr_assert(eq(i64, r, repeat));
}

static void ends(enum schedule_next how)
{
	size_t p;
	int64_t r;

	cr_assert(eq(int, schedule_take(&schedule, &p, &r), how));
}

Test(schedule, points_in_order_without_those_that_are_not_run)
{
	double metrics[METRIC_NR];

	init(&(struct schedule_request){ .repeats = 2, .max_repeats = 2, .nr_shards = 1 });
	fill(metrics, 43.8);
	schedule_found(&schedule, 0, 1, metrics);
	schedule_found(&schedule, 3, 0, NULL);
	schedule_start(&schedule);
	cr_assert(eq(sz, schedule.total, 6));
	cr_assert(eq(sz, schedule.ended, 2));
	cr_assert(eq(sz, schedule.failed, 1));
	takes(0, 0);
	takes(2, 0);
	takes(2, 1);
	takes(3, 1);
	ends(SCHEDULE_END);
	schedule_ended(&schedule, 2, 0, metrics);
	schedule_ended(&schedule, 3, 1, NULL);
	cr_assert(eq(sz, schedule.ended, 4));
	cr_assert(eq(sz, schedule.failed, 2));
	cr_assert(eq(sz, schedule.running, 2));
}

Test(schedule, a_lost_run_comes_again)
{
	init(&(struct schedule_request){ .repeats = 1, .max_repeats = 1, .nr_shards = 1 });
	schedule_start(&schedule);
	takes(0, 0);
	takes(2, 0);
	takes(3, 0);
	schedule_lost(&schedule, 2, 0);
	takes(2, 0);
	ends(SCHEDULE_END);
}

Test(schedule, shards_share_the_runs_out)
{
	bool seen[5][7] = { { false } };
	size_t nr = 0, p;
	int64_t r;

	for (int64_t shard = 0; shard < 3; shard++) {
		init(&(struct schedule_request){
			.repeats = 7, .max_repeats = 7, .shard = shard, .nr_shards = 3 });
		schedule_start(&schedule);
		cr_assert(schedule.total >= 6 && schedule.total <= 8);
		while (schedule_take(&schedule, &p, &r) == SCHEDULE_JOB) {
			cr_assert(not(seen[p][r]));
			seen[p][r] = true;
			nr++;
		}
	}
	cr_assert(eq(sz, nr, 21));
}

Test(schedule, a_shuffled_order_has_the_same_runs)
{
	bool seen[5] = { false };
	size_t p;
	int64_t r;

	init(&(struct schedule_request){
		.repeats = 1, .max_repeats = 1, .nr_shards = 1, .shuffle = 885 });
	schedule_start(&schedule);
	while (schedule_take(&schedule, &p, &r) == SCHEDULE_JOB) {
		cr_assert(not(seen[p]));
		seen[p] = true;
	}
	cr_assert(seen[0] && seen[2] && seen[3] && !seen[1] && !seen[4]);
}

Test(schedule, repeats_are_added_until_the_interval_is_narrow)
{
	double metrics[METRIC_NR];
	int64_t counts[5] = { 0 };
	enum schedule_next next;
	size_t p;
	int64_t r;

	init(&(struct schedule_request){
		.repeats = 3, .max_repeats = 40, .nr_shards = 1, .precision = 0.01 });
	schedule_start(&schedule);
	takes(0, 0);
	takes(0, 1);
	takes(0, 2);
	takes(2, 0);
	takes(2, 1);
	takes(2, 2);
	takes(3, 0);
	takes(3, 1);
	takes(3, 2);
	ends(SCHEDULE_WAIT);
	for (int64_t i = 2; i >= 0; i--)
		for (size_t q = 0; q < 4; q += q ? 1 : 2) {
			/* The first hardly varies, the second by 2 %, the third by 50 %. */
			static const double spread[] = { 0.001, 0, 0.02, 0.5 };

			fill(metrics, 43.815 * (1 + spread[q] * (double)(i % 2 ? 1 : -1)));
			schedule_ended(&schedule, q, i, metrics);
		}
	while ((next = schedule_take(&schedule, &p, &r)) == SCHEDULE_JOB) {
		fill(metrics, 43.815 * (1 + (p == 3 ? 0.5 : 0.02) * (double)(r % 2 ? 1 : -1)));
		schedule_ended(&schedule, p, r, metrics);
		counts[p] = r + 1;
	}
	cr_assert(eq(int, next, SCHEDULE_END));
	cr_assert(eq(i64, counts[0], 0));
	/* n with t(n - 1) 2 % sqrt(n / (n - 1)) / sqrt(n) <= 1 %: 18 is the first. */
	cr_assert(counts[2] >= 18 && counts[2] <= 24);
	cr_assert(not(schedule.coarse[2]));
	cr_assert(eq(i64, counts[3], 40));
	cr_assert(schedule.coarse[3]);
}

Test(schedule, a_failed_repeat_does_not_ask_for_more)
{
	double metrics[METRIC_NR];

	init(&(struct schedule_request){
		.repeats = 2, .max_repeats = 40, .nr_shards = 1, .precision = 0.01 });
	fill(metrics, 43.815);
	for (int64_t r = 0; r < 2; r++) {
		schedule_found(&schedule, 0, r, r ? metrics : NULL);
		schedule_found(&schedule, 2, r, metrics);
		schedule_found(&schedule, 3, r, metrics);
	}
	schedule_start(&schedule);
	ends(SCHEDULE_END);
	cr_assert(eq(sz, schedule.total, 6));
}

Test(schedule, too_many_runs_are_refused)
{
	const struct schedule_request request = {
		.repeats = 1, .max_repeats = 100000000, .nr_shards = 1
	};

	points = (struct points){ .list = list, .nr = 5 };
	cr_assert(lt(int, schedule_init(&schedule, &arena, &points, &request, &err), 0));
	cr_assert(eq(str, err.text,
		"5 points with up to 100000000 repeats are more than 100000000 runs"));
}
