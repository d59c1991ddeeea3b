/*
 * Units and their conversions: nanoseconds, kHz, work. Knows nothing of CPUs.
 *
 * Time is int64_t ns from the start of the run. Work is int64_t in kHz x ns: one cycle is
 * 1,000,000 of them, so that dt ns at f kHz do exactly f * dt, whatever f and dt are. The largest
 * work, 2^63 - 1, is 50 minutes at 3 GHz.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define NSEC_PER_USEC INT64_C(1000)
#define NSEC_PER_MSEC INT64_C(1000000)
#define NSEC_PER_SEC INT64_C(1000000000)
#define WORK_PER_CYCLE INT64_C(1000000)
#define PPM INT64_C(1000000)

/* "No such time": later than any event. */
#define NEVER_NS INT64_MAX

/* Scale of capacity and utilisation, as in the scheduler. */
#define CAPACITY_SCALE 1024

/* Length of a tick in ns as Linux rounds it (TICK_NSEC): 3333333 at 300 Hz. */
static inline int64_t tick_ns_of_hz(int64_t hz)
{
	return (NSEC_PER_SEC + hz / 2) / hz;
}

static inline int64_t min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t max_i64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t clamp_i64(int64_t v, int64_t lo, int64_t hi)
{
	return min_i64(max_i64(v, lo), hi);
}

static inline int64_t ceil_div_i64(int64_t n, int64_t d)
{
	return n / d + (n % d > 0);
}

/* The struct that contains @member at @ptr. */
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
