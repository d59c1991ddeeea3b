#include "sim/validate/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"

void series_add(struct series *series, struct arena *arena, int64_t t_ns, uint32_t khz,
	const struct model_decision *decision)
{
	if (series->nr == series->max) {
		size_t max = series->max ? 2 * series->max : 64;
		struct series_point *points = arena_array(arena, max, sizeof(*points));

		if (series->nr)
			memcpy(points, series->points, series->nr * sizeof(*points));
		series->points = points;
		series->max = max;
	}
	series->points[series->nr++] = (struct series_point){ t_ns, khz, *decision };
}

const struct series_point *series_at(const struct series *series, int64_t t_ns)
{
	size_t low = 0, high = series->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (series->points[middle].t_ns <= t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &series->points[low - 1] : NULL;
}

int clock_step(const struct comparison *cmp, uint32_t khz)
{
	int best = 0;

	for (size_t i = 1; i < cmp->nr_clocks; i++)
		if (llabs(cmp->clocks_khz[i] - khz) <= llabs(cmp->clocks_khz[best] - khz))
			best = (int)i;
	return best;
}

/* The recorded event @i is one of those compared. */
static bool counts(const struct comparison *cmp, size_t i)
{
	return i > 0 && cmp->recorded->points[i].t_ns >= cmp->from_ns;
}

/* What was predicted for recorded event @i: the prediction may come a little later, but not after
 * the next event. */
static const struct series_point *predicted_at(const struct comparison *cmp, size_t i)
{
	const struct series *recorded = cmp->recorded;
	int64_t t_ns = recorded->points[i].t_ns;

	if (cmp->at_events)
		return i < cmp->predicted->nr ? &cmp->predicted->points[i] : NULL;
	t_ns += cmp->tolerance_ns;
	if (i + 1 < recorded->nr && recorded->points[i + 1].t_ns <= t_ns)
		t_ns = recorded->points[i + 1].t_ns - 1;
	return series_at(cmp->predicted, t_ns);
}

static void count_step(struct score *score, int steps)
{
	score->evaluations++;
	score->equal += steps == 0;
	score->within1 += steps <= 1;
	score->within2 += steps <= 2;
}

static void finish_shares(struct score *score)
{
	double nr = score->evaluations ? (double)score->evaluations : 1;

	score->equal /= nr;
	score->within1 /= nr;
	score->within2 /= nr;
}

static int step_apart(const struct comparison *cmp, uint32_t a, uint32_t b)
{
	return abs(clock_step(cmp, a) - clock_step(cmp, b));
}

/* Time spent at each clock by a series, in shares of [from, to]. */
static void residency(const struct comparison *cmp, const struct series *series, double *shares)
{
	double all = (double)(cmp->to_ns - cmp->from_ns);

	memset(shares, 0, cmp->nr_clocks * sizeof(*shares));
	for (size_t i = 0; i < series->nr; i++) {
		const struct series_point *point = &series->points[i];
		int64_t from = max_i64(point->t_ns, cmp->from_ns);
		int64_t to = i + 1 < series->nr ? series->points[i + 1].t_ns : cmp->to_ns;

		to = min_i64(to, cmp->to_ns);
		if (to > from)
			shares[clock_step(cmp, point->khz)] += (double)(to - from) / all;
	}
}

static double distance(const double *a, const double *b, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += fabs(a[i] - b[i]);
	return sum / 2;
}

static double mean_khz(const struct comparison *cmp, const double *shares)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < cmp->nr_clocks; i++) {
		sum += shares[i] * (double)cmp->clocks_khz[i];
		all += shares[i];
	}
	return all > 0 ? sum / all : 0;
}

static double changes_per_s(const struct comparison *cmp, const struct series *series)
{
	int64_t nr = 0;

	for (size_t i = 1; i < series->nr; i++)
		nr += series->points[i].t_ns >= cmp->from_ns &&
			series->points[i].khz != series->points[i - 1].khz;
	return (double)nr * (double)NSEC_PER_SEC / (double)max_i64(cmp->to_ns - cmp->from_ns, 1);
}

/* Walks both series at once: time in which they agree, and by how much they do not. */
static void compare_over_time(
	const struct comparison *cmp, const struct series *predicted, struct score *score)
{
	const struct series *recorded = cmp->recorded;
	int64_t t_ns = cmp->from_ns;
	double all = (double)max_i64(cmp->to_ns - cmp->from_ns, 1);
	size_t r = 0, p = 0;

	while (t_ns < cmp->to_ns) {
		int64_t next_ns = cmp->to_ns;

		while (r + 1 < recorded->nr && recorded->points[r + 1].t_ns <= t_ns)
			r++;
		while (p + 1 < predicted->nr && predicted->points[p + 1].t_ns <= t_ns)
			p++;
		if (r + 1 < recorded->nr)
			next_ns = min_i64(next_ns, recorded->points[r + 1].t_ns);
		if (p + 1 < predicted->nr)
			next_ns = min_i64(next_ns, predicted->points[p + 1].t_ns);
		double share = (double)(next_ns - t_ns) / all;
		double diff = (double)predicted->points[p].khz - (double)recorded->points[r].khz;
		if (recorded->points[r].khz == predicted->points[p].khz)
			score->time_equal += share;
		score->mean_error_khz += fabs(diff) * share;
		t_ns = next_ns;
	}
}

static double *shares_of(const struct comparison *cmp, const struct series *series)
{
	double *shares = arena_array(cmp->arena, cmp->nr_clocks, sizeof(*shares));

	residency(cmp, series, shares);
	return shares;
}

/* All figures that do not go by evaluations. */
static void score_time(
	const struct comparison *cmp, const struct series *predicted, struct score *score)
{
	const double *recorded = shares_of(cmp, cmp->recorded);
	const double *mine = shares_of(cmp, predicted);
	double mean = mean_khz(cmp, recorded);

	compare_over_time(cmp, predicted, score);
	score->residency_distance = distance(recorded, mine, cmp->nr_clocks);
	score->mean_khz = mean_khz(cmp, mine);
	score->mean_error = mean > 0 ? score->mean_khz / mean - 1 : 0;
	score->changes_per_s = changes_per_s(cmp, predicted);
}

struct score score_recorded(const struct comparison *cmp)
{
	struct score score = { 0 };

	score_time(cmp, cmp->recorded, &score);
	for (size_t i = 0; i < cmp->recorded->nr; i++)
		score.evaluations += counts(cmp, i);
	return score;
}

struct score score_prediction(const struct comparison *cmp)
{
	const struct series *recorded = cmp->recorded;
	struct score score = { 0 };

	for (size_t i = 0; i < recorded->nr; i++) {
		const struct series_point *point = predicted_at(cmp, i);

		if (counts(cmp, i) && point)
			count_step(&score, step_apart(cmp, recorded->points[i].khz, point->khz));
	}
	finish_shares(&score);
	score_time(cmp, cmp->predicted, &score);
	return score;
}

struct score score_keep(const struct comparison *cmp)
{
	const struct series *recorded = cmp->recorded;
	struct series late = { 0 };
	struct score score = { 0 };

	for (size_t i = 0; i < recorded->nr; i++) {
		const struct series_point *before = &recorded->points[i > 0 ? i - 1 : 0];

		series_add(&late, cmp->arena, recorded->points[i].t_ns, before->khz,
			&before->decision);
		if (counts(cmp, i))
			count_step(&score, step_apart(cmp, recorded->points[i].khz, before->khz));
	}
	finish_shares(&score);
	score_time(cmp, &late, &score);
	return score;
}

static struct score score_one_constant(const struct comparison *cmp, uint32_t khz)
{
	struct series_point point = { .t_ns = INT64_MIN, .khz = khz };
	const struct series constant = { .points = &point, .nr = 1 };
	const struct series *recorded = cmp->recorded;
	struct score score = { 0 };

	for (size_t i = 0; i < recorded->nr; i++)
		if (counts(cmp, i))
			count_step(&score, step_apart(cmp, recorded->points[i].khz, khz));
	finish_shares(&score);
	score_time(cmp, &constant, &score);
	return score;
}

struct score score_constant(const struct comparison *cmp)
{
	struct score best = score_one_constant(cmp, (uint32_t)cmp->clocks_khz[0]);

	for (size_t i = 1; i < cmp->nr_clocks; i++) {
		struct score score = score_one_constant(cmp, (uint32_t)cmp->clocks_khz[i]);

		best.equal = fmax(best.equal, score.equal);
		best.within1 = fmax(best.within1, score.within1);
		best.within2 = fmax(best.within2, score.within2);
		best.time_equal = fmax(best.time_equal, score.time_equal);
		best.mean_error_khz = fmin(best.mean_error_khz, score.mean_error_khz);
		if (score.residency_distance < best.residency_distance) {
			best.residency_distance = score.residency_distance;
			best.mean_khz = score.mean_khz;
			best.mean_error = score.mean_error;
		}
	}
	return best;
}

static bool is_worse(const struct moment *a, const struct moment *b)
{
	if (a->steps != b->steps)
		return a->steps > b->steps;
	return a->lasts_ns > b->lasts_ns;
}

static void keep_worst(struct moment *moments, size_t *nr, size_t max, const struct moment *moment)
{
	size_t at = *nr;

	while (at > 0 && is_worse(moment, &moments[at - 1]))
		at--;
	if (at == max)
		return;
	*nr = *nr < max ? *nr + 1 : max;
	for (size_t i = *nr - 1; i > at; i--)
		moments[i] = moments[i - 1];
	moments[at] = *moment;
}

size_t score_worst(const struct comparison *cmp, struct moment *moments, size_t max)
{
	const struct series *recorded = cmp->recorded;
	size_t nr = 0;

	for (size_t i = 0; i < recorded->nr; i++) {
		const struct series_point *point = &recorded->points[i];
		const struct series_point *predicted = predicted_at(cmp, i);
		int64_t to_ns = i + 1 < recorded->nr ? recorded->points[i + 1].t_ns : cmp->to_ns;

		if (!counts(cmp, i) || !predicted || predicted->khz == point->khz)
			continue;
		const struct moment moment = {
			.t_ns = point->t_ns,
			.lasts_ns = to_ns - point->t_ns,
			.recorded_khz = point->khz,
			.predicted_khz = predicted->khz,
			.steps = step_apart(cmp, point->khz, predicted->khz),
			.decision = cmp->at_events ? predicted->decision : point->decision,
		};
		keep_worst(moments, &nr, max, &moment);
	}
	return nr;
}
