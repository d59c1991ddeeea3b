/*
 * Statistics of a handful of numbers, by GSL. Knows numbers, not what they measure; every result is
 * in the unit of its input.
 */
#pragma once

#include <stddef.h>

struct stats {
	size_t n;
	double mean;
	double sd;   /* with n - 1; 0 for a single value */
	double ci95; /* half width of the mean's 95 % interval (Student's t); 0 for one value */
	double min, max;
};

/* @n >= 1 values, each @stride doubles after the last. */
void stats_of(const double *values, size_t stride, size_t n, struct stats *out);

/* Quantile @p in 0..1 of @n ascending values, interpolated. */
double stats_quantile(const double *sorted, size_t n, double p);

/* A difference or a ratio with its 95 % interval. Of too few values lo and hi are NaN. */
struct interval {
	double value, lo, hi;
};

/* A comparison of two samples: what lies between them, and how likely at least so much is by
 * chance, when there is no difference (two-sided; NaN when too few values say so). */
struct contrast {
	struct interval difference; /* mean of b minus mean of a */
	struct interval ratio;      /* mean of b over mean of a, by Fieller's theorem */
	double df;                  /* degrees of freedom of Student's t */
	double p;
	double effect; /* difference over the pooled deviation (Hedges' g) */
};

/* @a[i] and @b[i] belong together, such as by a common seed: what both have in common cancels. */
void stats_paired(const double *a, const double *b, size_t n, struct contrast *out);
/* Independent samples whose variances may differ (Welch). */
void stats_welch(const double *a, size_t na, const double *b, size_t nb, struct contrast *out);

/* Mann-Whitney's U of @a, and its p: exact for small samples without ties, else by the normal
 * distribution with corrections for ties and continuity. @scratch: room for 3 (na + nb). */
double stats_mann_whitney(
	const double *a, size_t na, const double *b, size_t nb, double *scratch, double *u);

/* Holm's correction for @n comparisons made together, in place. @order: room for @n. */
void stats_holm(double *p, size_t n, size_t *order);
