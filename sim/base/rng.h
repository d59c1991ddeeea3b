/*
 * Numbered random streams on GSL's taus2. Knows numbers, not what they decide.
 *
 * A stream is numbered by what an entity is (compile unit 417), never by when it came to life, so
 * that two governors face the same draws. The generator's state lives inside struct rng: no
 * allocation, and a stream can be set again for the next entity.
 */
#pragma once

#include <stdint.h>

struct rng {
	uint64_t state[4]; /* taus2 keeps three unsigned longs */
};

/* Starts stream @stream of master seed @seed. Different (seed, stream) pairs give different GSL
 * seeds as far as 32 bits allow; the GSL seed is never 0. */
void rng_set(struct rng *rng, uint64_t seed, uint64_t stream);

/* Whole number in [0, n), n in 1..2^32-1. */
uint32_t rng_below(struct rng *rng, uint32_t n);
/* Nanoseconds, rounded to the nearest and at least 1: exponential with mean @mean_ns; lognormal
 * with mean (not median) @mean_ns and @sigma of the logarithm. */
int64_t rng_exponential_ns(struct rng *rng, int64_t mean_ns);
int64_t rng_lognormal_ns(struct rng *rng, int64_t mean_ns, double sigma);
/* 1 with probability @ppm / 1e6. */
int rng_chance(struct rng *rng, int64_t ppm);
/* Gaussian with mean 0: the result is @v times (1 + sigma z), at least 1. */
int64_t rng_jitter_ns(struct rng *rng, int64_t v_ns, double sigma);
