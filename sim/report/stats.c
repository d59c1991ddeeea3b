#include "sim/report/stats.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

void stats_of(const double *values, size_t stride, size_t n, struct stats *out)
{
	assert(n >= 1);
	*out = (struct stats){ .n = n, .mean = gsl_stats_mean(values, stride, n) };
	gsl_stats_minmax(&out->min, &out->max, values, stride, n);
	if (n < 2)
		return;
	out->sd = gsl_stats_sd_m(values, stride, n, out->mean);
	out->ci95 = gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * out->sd / sqrt((double)n);
}

double stats_quantile(const double *sorted, size_t n, double p)
{
	assert(n >= 1 && p >= 0 && p <= 1);
	return gsl_stats_quantile_from_sorted_data(sorted, 1, n, p);
}

/* Means, and variances and covariance of the means. */
struct moments {
	double a, b;
	double va, vb, vab;
	double df;
};

/* Fieller: the ratios r for which b - r a may be 0. There is no bounded set of them when a itself
 * may be. */
static struct interval ratio_of(const struct moments *m, double t)
{
	struct interval ratio = { m->a != 0 ? m->b / m->a : NAN, NAN, NAN };
	double r = ratio.value, t2 = t * t / (m->a * m->a);
	double g = t2 * m->va;

	if (isnan(r) || isnan(t) || g >= 1)
		return ratio;
	double inside = m->vb - 2 * r * m->vab + r * r * m->va -
		t2 * (m->va * m->vb - m->vab * m->vab);
	double middle = r - t2 * m->vab;
	double half = t / fabs(m->a) * sqrt(inside > 0 ? inside : 0);
	ratio.lo = (middle - half) / (1 - g);
	ratio.hi = (middle + half) / (1 - g);
	return ratio;
}

static void contrast_of(const struct moments *m, struct contrast *out)
{
	double difference = m->b - m->a;
	double se = sqrt(fmax(m->va + m->vb - 2 * m->vab, 0));
	double t = m->df > 0 ? gsl_cdf_tdist_Pinv(0.975, m->df) : NAN;

	out->df = m->df;
	out->difference = (struct interval){ difference, difference - t * se, difference + t * se };
	out->ratio = ratio_of(m, t);
	if (isnan(t))
		out->p = NAN;
	else if (se > 0)
		out->p = 2 * gsl_cdf_tdist_Q(fabs(difference) / se, m->df);
	else
		out->p = difference == 0 ? 1 : 0;
}

/* Hedges' g: corrected for the bias of few values. */
static double effect_of(
	double difference, double variance_a, size_t na, double variance_b, size_t nb)
{
	double df = (double)(na + nb) - 2;
	double pooled = ((double)(na - 1) * variance_a + (double)(nb - 1) * variance_b) / df;

	if (difference == 0)
		return 0;
	return difference / sqrt(pooled) * (1 - 3 / (4 * df - 1));
}

void stats_paired(const double *a, const double *b, size_t n, struct contrast *out)
{
	struct moments m = { .a = gsl_stats_mean(a, 1, n), .b = gsl_stats_mean(b, 1, n) };
	double count = (double)n;

	assert(n >= 1);
	*out = (struct contrast){ .effect = NAN };
	if (n > 1) {
		m.va = gsl_stats_variance_m(a, 1, n, m.a) / count;
		m.vb = gsl_stats_variance_m(b, 1, n, m.b) / count;
		m.vab = gsl_stats_covariance_m(a, 1, b, 1, n, m.a, m.b) / count;
		m.df = count - 1;
		out->effect = effect_of(m.b - m.a, m.va * count, n, m.vb * count, n);
	}
	contrast_of(&m, out);
}

void stats_welch(const double *a, size_t na, const double *b, size_t nb, struct contrast *out)
{
	struct moments m = { .a = gsl_stats_mean(a, 1, na), .b = gsl_stats_mean(b, 1, nb) };

	assert(na >= 1 && nb >= 1);
	*out = (struct contrast){ .effect = NAN };
	if (na > 1 && nb > 1) {
		double variance_a = gsl_stats_variance_m(a, 1, na, m.a);
		double variance_b = gsl_stats_variance_m(b, 1, nb, m.b);

		m.va = variance_a / (double)na;
		m.vb = variance_b / (double)nb;
		double sum = m.va + m.vb;
		/* Without any spread every number of degrees says the same. */
		m.df = sum > 0 ? sum * sum /
				(m.va * m.va / (double)(na - 1) + m.vb * m.vb / (double)(nb - 1))
			       : (double)(na + nb - 2);
		out->effect = effect_of(m.b - m.a, variance_a, na, variance_b, nb);
	}
	contrast_of(&m, out);
}

#define EXACT_MAX 30

/* The share of the arrangements of two samples without ties whose U is at most @u: how many there
 * are for each U are the coefficients of a Gaussian binomial. */
static double exact_share(size_t na, size_t nb, size_t u)
{
	double ways[EXACT_MAX * EXACT_MAX + 1] = { 1 };
	size_t top = na * nb;
	double sum = 0, all = 0;

	for (size_t i = 1; i <= na; i++) {
		for (size_t k = top; k >= nb + i; k--)
			ways[k] -= ways[k - nb - i];
		for (size_t k = i; k <= top; k++)
			ways[k] += ways[k - i];
	}
	for (size_t k = 0; k <= top; k++) {
		all += ways[k];
		sum += k <= u ? ways[k] : 0;
	}
	return sum / all;
}

/* Ranks of ascending values, equal ones sharing theirs. Returns the sum of t^3 - t over groups of
 * t equal values. */
static double rank_values(const double *sorted, size_t n, double *ranks)
{
	double ties = 0;

	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && sorted[to] == sorted[from]; to++)
			;
		double t = (double)(to - from);

		ties += t * t * t - t;
		for (size_t i = from; i < to; i++)
			ranks[i] = (double)(from + 1 + to) / 2;
	}
	return ties;
}

static double normal_p(double u, double na, double nb, double ties)
{
	double n = na + nb;
	double sd = sqrt(na * nb / 12 * (n + 1 - ties / (n * (n - 1))));
	double z = fmax(fabs(u - na * nb / 2) - 0.5, 0);

	return sd > 0 ? 2 * gsl_cdf_ugaussian_Q(z / sd) : 1;
}

double stats_mann_whitney(
	const double *a, size_t na, const double *b, size_t nb, double *scratch, double *u)
{
	size_t n = na + nb;
	double *sorted = scratch, *is_a = scratch + n, *ranks = scratch + 2 * n;
	double sum = 0;

	assert(na >= 1 && nb >= 1);
	for (size_t i = 0; i < n; i++) {
		sorted[i] = i < na ? a[i] : b[i - na];
		is_a[i] = i < na;
	}
	gsl_sort2(sorted, 1, is_a, 1, n);
	double ties = rank_values(sorted, n, ranks);
	for (size_t i = 0; i < n; i++)
		sum += is_a[i] * ranks[i];
	*u = sum - (double)na * (double)(na + 1) / 2;
	if (ties > 0 || na > EXACT_MAX || nb > EXACT_MAX)
		return normal_p(*u, (double)na, (double)nb, ties);
	double lower = fmin(*u, (double)(na * nb) - *u);
	return fmin(2 * exact_share(na, nb, (size_t)(lower + 0.5)), 1);
}

void stats_holm(double *p, size_t n, size_t *order)
{
	double highest = 0;

	gsl_sort_index(order, p, 1, n);
	for (size_t i = 0; i < n; i++) {
		double *value = &p[order[i]];

		/* NaN says nothing and counts for nothing. */
		if (isnan(*value))
			continue;
		highest = fmax(highest, fmin(*value * (double)(n - i), 1));
		*value = highest;
	}
}
