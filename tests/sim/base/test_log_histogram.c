#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/log_histogram.h"
#include "sim/base/units.h"

static struct log_histogram histogram;

Test(log_histogram, buckets_follow_each_other_without_gaps)
{
	for (size_t i = 0; i + 1 < LOG_HISTOGRAM_BUCKETS; i++) {
		cr_assert(le(i64, log_histogram_low(i), log_histogram_high(i)));
		cr_assert(eq(i64, log_histogram_high(i) + 1, log_histogram_low(i + 1)));
	}
	cr_assert(eq(i64, log_histogram_high(LOG_HISTOGRAM_BUCKETS - 1), INT64_MAX));
}

Test(log_histogram, a_value_lies_in_its_bucket)
{
	for (int64_t value = 0; value >= 0 && value < INT64_MAX / 3; value += 1 + value / 97) {
		size_t bucket = log_histogram_bucket(value);

		cr_assert(le(i64, log_histogram_low(bucket), value));
		cr_assert(ge(i64, log_histogram_high(bucket), value));
	}
	cr_assert(eq(sz, log_histogram_bucket(INT64_MAX), LOG_HISTOGRAM_BUCKETS - 1));
}

Test(log_histogram, small_numbers_are_exact_and_the_largest_always_is)
{
	static const int64_t values[] = { 17, 3, 255, 43, 91, 3, 4381500 };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		log_histogram_add(&histogram, values[i]);
	cr_assert(eq(i64, histogram.n, 7));
	cr_assert(eq(i64, histogram.sum, 4381912));
	cr_assert(eq(i64, histogram.max, 4381500));
	cr_assert(eq(i64, log_histogram_quantile(&histogram, 0), 3));
	cr_assert(eq(i64, log_histogram_quantile(&histogram, 285714), 3));
	cr_assert(eq(i64, log_histogram_quantile(&histogram, 500000), 43));
	cr_assert(eq(i64, log_histogram_quantile(&histogram, 857142), 255));
	/* The bucket's middle lies above it. */
	cr_assert(le(i64, log_histogram_quantile(&histogram, PPM), 4381500));
	cr_assert(ge(i64, log_histogram_quantile(&histogram, PPM), 4381500 - 4381500 / 250));
}

Test(log_histogram, an_empty_one_answers_with_zero)
{
	cr_assert(eq(i64, log_histogram_quantile(&histogram, 990000), 0));
}

/* Values spread evenly below a limit: each quantile is a known number, within a bucket. */
Test(log_histogram, quantiles_are_within_the_stated_error)
{
	static const int64_t ppm[] = { 100000, 500000, 900000, 990000, 999000 };
	const int64_t top = 7352941;

	for (int64_t value = 1; value <= top; value++)
		log_histogram_add(&histogram, value);
	for (size_t i = 0; i < sizeof(ppm) / sizeof(ppm[0]); i++) {
		double expected = (double)top * (double)ppm[i] / 1e6;

		cr_assert(epsilon_eq(dbl, (double)log_histogram_quantile(&histogram, ppm[i]),
			expected, 0.004 * expected + 1));
	}
}
