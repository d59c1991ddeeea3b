/*
 * How often whole numbers occurred, in buckets that grow with the number: exact below 256, beyond
 * that 128 buckets for every doubling, so that a bucket's middle is at most 0.4 % off. Knows
 * numbers from 0 on, not what they count; one count takes no search and no memory.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define LOG_HISTOGRAM_BITS 7
#define LOG_HISTOGRAM_BUCKETS ((64 - LOG_HISTOGRAM_BITS) << LOG_HISTOGRAM_BITS)

/* All zero is an empty one. */
struct log_histogram {
	int64_t n, sum, max; /* exact; numbers whose sum stays below 2^63 */
	int64_t counts[LOG_HISTOGRAM_BUCKETS];
};

void log_histogram_add(struct log_histogram *histogram, int64_t value);

/* The bucket that @value is counted in, and a bucket's lowest and highest value. */
size_t log_histogram_bucket(int64_t value);
int64_t log_histogram_low(size_t bucket);
int64_t log_histogram_high(size_t bucket);

/* The middle of the bucket that holds the least value which at least @ppm millionths of all do not
 * exceed; never above the largest. 0 of an empty histogram. */
int64_t log_histogram_quantile(const struct log_histogram *histogram, int64_t ppm);
