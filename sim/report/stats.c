#include "sim/report/stats.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
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
