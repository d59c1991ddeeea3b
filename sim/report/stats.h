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
