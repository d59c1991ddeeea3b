#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/report/stats.h"

static const double values[] = { 43.815, 44.207, 43.119, 45.001, 43.733 };

Test(stats, mean_deviation_and_interval_of_five_values)
{
	struct stats s;

	stats_of(values, 1, 5, &s);
	cr_assert(eq(sz, s.n, 5));
	cr_assert(epsilon_eq(dbl, s.mean, 43.975, 1e-12));
	cr_assert(epsilon_eq(dbl, s.sd, 0.6934334864, 1e-9));
	/* t(0.975, 4) = 2.776445 */
	cr_assert(epsilon_eq(dbl, s.ci95, 2.7764451052 * s.sd / 2.2360679775, 1e-8));
	cr_assert(eq(dbl, s.min, 43.119));
	cr_assert(eq(dbl, s.max, 45.001));
}

Test(stats, a_single_value_has_no_spread)
{
	struct stats s;

	stats_of(values, 1, 1, &s);
	cr_assert(eq(dbl, s.mean, 43.815));
	cr_assert(eq(dbl, s.sd, 0));
	cr_assert(eq(dbl, s.ci95, 0));
}

Test(stats, a_stride_skips_what_lies_between)
{
	struct stats s;

	stats_of(values, 2, 3, &s);
	cr_assert(epsilon_eq(dbl, s.mean, (43.815 + 43.119 + 43.733) / 3, 1e-12));
}

Test(stats, quantiles_are_interpolated)
{
	static const double sorted[] = { 2.5, 3.75, 9.25 };

	cr_assert(epsilon_eq(dbl, stats_quantile(sorted, 3, 0.5), 3.75, 1e-12));
	cr_assert(epsilon_eq(dbl, stats_quantile(sorted, 3, 0.75), 6.5, 1e-12));
	cr_assert(epsilon_eq(dbl, stats_quantile(sorted, 3, 1), 9.25, 1e-12));
}

/* Student's data on two soporifics, as R ships it (sleep), and what R's t.test() says of it. */
static const double sleep_a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
static const double sleep_b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };

Test(stats, paired_differences_agree_with_r)
{
	struct contrast c;

	stats_paired(sleep_a, sleep_b, 10, &c);
	cr_assert(epsilon_eq(dbl, c.difference.value, 1.58, 1e-12));
	cr_assert(epsilon_eq(dbl, c.difference.lo, 0.7001142, 1e-6));
	cr_assert(epsilon_eq(dbl, c.difference.hi, 2.4598858, 1e-6));
	cr_assert(epsilon_eq(dbl, c.df, 9, 0));
	cr_assert(epsilon_eq(dbl, c.p, 0.002833, 1e-6));
}

Test(stats, welch_agrees_with_r)
{
	struct contrast c;

	stats_welch(sleep_a, 10, sleep_b, 10, &c);
	cr_assert(epsilon_eq(dbl, c.difference.lo, -0.2054832, 1e-6));
	cr_assert(epsilon_eq(dbl, c.difference.hi, 3.3654832, 1e-6));
	cr_assert(epsilon_eq(dbl, c.df, 17.776, 1e-3));
	cr_assert(epsilon_eq(dbl, c.p, 0.07939, 1e-5));
	/* 1.58 over the pooled deviation 1.898625, times 1 - 3 / 71. */
	cr_assert(epsilon_eq(dbl, c.effect, 1.58 / 1.898625 * (1 - 3.0 / 71), 1e-5));
}

/* Permeability constants, from Hollander and Wolfe; wilcox.test() gives W = 35, one-sided 0.1272. */
Test(stats, mann_whitney_agrees_with_r)
{
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	double scratch[60], u, p;

	p = stats_mann_whitney(x, 10, y, 5, scratch, &u);
	cr_assert(epsilon_eq(dbl, u, 35, 0));
	cr_assert(epsilon_eq(dbl, p, 2 * 0.1272, 1e-4));
	p = stats_mann_whitney(y, 5, x, 10, scratch, &u);
	cr_assert(epsilon_eq(dbl, u, 15, 0));
	cr_assert(epsilon_eq(dbl, p, 2 * 0.1272, 1e-4));
	/* With ties: W = 25.5, p = 0.06933. */
	p = stats_mann_whitney(sleep_a, 10, sleep_b, 10, scratch, &u);
	cr_assert(epsilon_eq(dbl, u, 25.5, 0));
	cr_assert(epsilon_eq(dbl, p, 0.06933, 1e-5));
}

Test(stats, holm_agrees_with_r)
{
	double p[] = { 0.03, 0.01, 0.05, 0.02, 0.04 };
	size_t order[5];

	stats_holm(p, 5, order);
	cr_assert(epsilon_eq(dbl, p[1], 0.05, 1e-12));
	cr_assert(epsilon_eq(dbl, p[3], 0.08, 1e-12));
	cr_assert(epsilon_eq(dbl, p[0], 0.09, 1e-12));
	cr_assert(epsilon_eq(dbl, p[4], 0.09, 1e-12));
	cr_assert(epsilon_eq(dbl, p[2], 0.09, 1e-12));
}

Test(stats, too_few_values_have_no_interval)
{
	struct contrast c;

	stats_paired(values, values + 1, 1, &c);
	cr_assert(epsilon_eq(dbl, c.difference.value, 44.207 - 43.815, 1e-12));
	cr_assert(isnan(c.difference.lo) && isnan(c.ratio.hi) && isnan(c.p) && isnan(c.effect));
	stats_welch(values, 1, values, 5, &c);
	cr_assert(isnan(c.difference.lo) && isnan(c.p));
}

Test(stats, values_without_spread_differ_for_sure_or_not_at_all)
{
	static const double same[] = { 43.815, 43.815, 43.815 }, other[] = { 44, 44, 44 };
	struct contrast c;

	stats_paired(same, same, 3, &c);
	cr_assert(eq(dbl, c.p, 1));
	cr_assert(eq(dbl, c.ratio.lo, 1));
	stats_paired(same, other, 3, &c);
	cr_assert(eq(dbl, c.p, 0));
	cr_assert(epsilon_eq(dbl, c.ratio.hi, 44 / 43.815, 1e-12));
	stats_welch(same, 3, other, 3, &c);
	cr_assert(eq(dbl, c.p, 0));
}

/* A denominator that may be 0 leaves the ratio without bounds. */
Test(stats, a_ratio_to_almost_nothing_has_no_interval)
{
	static const double a[] = { -0.5, 0.7, 0.1 }, b[] = { 43.8, 44.1, 43.9 };
	struct contrast c;

	stats_welch(a, 3, b, 3, &c);
	cr_assert(isnan(c.ratio.lo) && isnan(c.ratio.hi) && !isnan(c.difference.lo));
}

#define TRIALS 2000

struct coverage {
	int mean, paired, welch, ratio, called;
};

/* Samples of 5 and 7 with what both of a pair have in common; b is larger by @difference. */
static struct coverage cover(double difference)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	struct coverage covered = { 0 };

	gsl_rng_set(rng, 885);
	for (int trial = 0; trial < TRIALS; trial++) {
		double a[5], b[5], c[7];
		struct contrast contrast;
		struct stats stats;

		for (int i = 0; i < 5; i++) {
			double common = 43.815 + gsl_ran_gaussian(rng, 2);

			a[i] = common + gsl_ran_gaussian(rng, 0.7);
			b[i] = common + difference + gsl_ran_gaussian(rng, 0.7);
		}
		for (int i = 0; i < 7; i++)
			c[i] = 43.815 + difference + gsl_ran_gaussian(rng, 1.1);
		stats_of(a, 1, 5, &stats);
		covered.mean += fabs(stats.mean - 43.815) <= stats.ci95;
		stats_paired(a, b, 5, &contrast);
		covered.paired += contrast.difference.lo <= difference &&
			difference <= contrast.difference.hi;
		covered.ratio += contrast.ratio.lo <= 1 + difference / 43.815 &&
			1 + difference / 43.815 <= contrast.ratio.hi;
		covered.called += contrast.p < 0.05;
		stats_welch(a, 5, c, 7, &contrast);
		covered.welch += contrast.difference.lo <= difference &&
			difference <= contrast.difference.hi;
	}
	gsl_rng_free(rng);
	return covered;
}

static bool within(int count, double low_pct, double high_pct)
{
	return count >= low_pct * TRIALS / 100 && count <= high_pct * TRIALS / 100;
}

Test(stats, intervals_cover_a_known_difference)
{
	struct coverage covered = cover(1.37);

	printf("of %d: mean %d, paired %d, ratio %d, Welch %d\n", TRIALS, covered.mean,
		covered.paired, covered.ratio, covered.welch);
	cr_assert(within(covered.mean, 93, 97));
	cr_assert(within(covered.paired, 93, 97));
	cr_assert(within(covered.ratio, 93, 97));
	cr_assert(within(covered.welch, 93, 97));
}

Test(stats, no_difference_is_rarely_called_one)
{
	struct coverage covered = cover(0);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	int welch = 0, ranks = 0;

	for (int trial = 0; trial < TRIALS; trial++) {
		double a[9], b[11], scratch[60], u;
		struct contrast contrast;

		for (int i = 0; i < 9; i++)
			a[i] = gsl_ran_gaussian(rng, 2.3);
		for (int i = 0; i < 11; i++)
			b[i] = gsl_ran_gaussian(rng, 2.3);
		stats_welch(a, 9, b, 11, &contrast);
		welch += contrast.p < 0.05;
		ranks += stats_mann_whitney(a, 9, b, 11, scratch, &u) < 0.05;
	}
	gsl_rng_free(rng);
	printf("of %d: paired %d, Welch %d, Mann-Whitney %d\n", TRIALS, covered.called, welch,
		ranks);
	cr_assert(within(covered.called, 3, 7));
	cr_assert(within(welch, 3, 7));
	cr_assert(within(ranks, 3, 7));
}
