/*
 * What the parts of the benchmark share: a clock and a source of numbers. Times are ns.
 */
#pragma once

#include <stdint.h>
#include <time.h>

#include "sim/base/units.h"

static inline int64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

/* Numbers with no pattern that a branch predictor could learn; xorshift. */
static inline uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* PELT updates and schedutil evaluations, each against an empty call. */
void bench_decisions(void);
