#include "sim/base/log_histogram.h"

#include <assert.h>

#include "sim/base/units.h"

/* Whether a number's highest bit is above @bit: the number of halvings that leave the bucket. */
static unsigned halvings(uint64_t value)
{
	unsigned shift = 0;

	for (unsigned step = 32; step; step /= 2)
		if (value >> (shift + step) >= UINT64_C(1) << LOG_HISTOGRAM_BITS)
			shift += step;
	return shift;
}

size_t log_histogram_bucket(int64_t value)
{
	unsigned shift = halvings((uint64_t)value);

	/* What is left of the value has the next higher bit set, unless it is small anyway. */
	return ((size_t)shift << LOG_HISTOGRAM_BITS) + (size_t)((uint64_t)value >> shift);
}

static unsigned shift_of(size_t bucket)
{
	size_t group = bucket >> LOG_HISTOGRAM_BITS;

	return group ? (unsigned)group - 1 : 0;
}

int64_t log_histogram_low(size_t bucket)
{
	unsigned shift = shift_of(bucket);

	return (int64_t)(bucket - ((size_t)shift << LOG_HISTOGRAM_BITS)) << shift;
}

int64_t log_histogram_high(size_t bucket)
{
	return log_histogram_low(bucket) + (int64_t)((UINT64_C(1) << shift_of(bucket)) - 1);
}

void log_histogram_add(struct log_histogram *histogram, int64_t value)
{
	assert(value >= 0);
	histogram->n++;
	histogram->sum += value;
	histogram->max = max_i64(histogram->max, value);
	histogram->counts[log_histogram_bucket(value)]++;
}

int64_t log_histogram_quantile(const struct log_histogram *histogram, int64_t ppm)
{
	/* The product of the whole and of the rest apart: n may be large. */
	int64_t rank = histogram->n / PPM * ppm + ceil_div_i64(histogram->n % PPM * ppm, PPM);
	int64_t seen = 0;

	for (size_t i = 0; i < LOG_HISTOGRAM_BUCKETS; i++) {
		int64_t low = log_histogram_low(i);

		seen += histogram->counts[i];
		if (histogram->counts[i] && seen >= rank)
			return min_i64(low + (log_histogram_high(i) - low) / 2, histogram->max);
	}
	return histogram->max;
}
