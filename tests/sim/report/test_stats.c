#include <criterion/criterion.h>
#include <criterion/new/assert.h>
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
