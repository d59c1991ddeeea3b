#include "sim/base/rng.h"

#include <assert.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/* A bijective 32-bit mix: distinct inputs stay distinct. */
static uint32_t mix32(uint32_t x)
{
	x ^= x >> 16;
	x *= UINT32_C(0x7feb352d);
	x ^= x >> 15;
	x *= UINT32_C(0x846ca68b);
	x ^= x >> 16;
	return x;
}

static gsl_rng rng_gsl(struct rng *rng)
{
	return (gsl_rng){ .type = gsl_rng_taus2, .state = rng->state };
}

void rng_set(struct rng *rng, uint64_t seed, uint64_t stream)
{
	gsl_rng r = rng_gsl(rng);
	uint32_t s = mix32((uint32_t)stream ^ mix32((uint32_t)(stream >> 32)));

	assert(gsl_rng_taus2->size <= sizeof(rng->state));
	/* One mix more on this side, or stream 3 of seed 5 would be stream 5 of seed 3. */
	s = mix32(mix32(s) + mix32((uint32_t)seed ^ mix32((uint32_t)(seed >> 32))));
	/* GSL replaces seed 0 by its default: keep it apart from that one. */
	gsl_rng_set(&r, s ? s : UINT32_C(0x9e3779b9));
}

uint32_t rng_below(struct rng *rng, uint32_t n)
{
	gsl_rng r = rng_gsl(rng);

	assert(n > 0);
	return (uint32_t)gsl_rng_uniform_int(&r, n);
}

/* Rounding to whole nanoseconds also takes away last-digit differences between math libraries. */
static int64_t whole_ns(double ns)
{
	return ns < 1.0 ? 1 : (int64_t)llround(ns);
}

int64_t rng_exponential_ns(struct rng *rng, int64_t mean_ns)
{
	gsl_rng r = rng_gsl(rng);

	return whole_ns(gsl_ran_exponential(&r, (double)mean_ns));
}

int64_t rng_lognormal_ns(struct rng *rng, int64_t mean_ns, double sigma)
{
	gsl_rng r = rng_gsl(rng);
	double zeta = log((double)mean_ns) - sigma * sigma / 2.0;

	return whole_ns(gsl_ran_lognormal(&r, zeta, sigma));
}

int rng_chance(struct rng *rng, int64_t ppm)
{
	return rng_below(rng, 1000000) < ppm;
}

int64_t rng_jitter_ns(struct rng *rng, int64_t v_ns, double sigma)
{
	gsl_rng r = rng_gsl(rng);

	return whole_ns((double)v_ns * (1.0 + gsl_ran_gaussian(&r, sigma)));
}
