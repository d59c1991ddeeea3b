#include "sim/base/rng.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>

#define DRAWS 200000

Test(rng, the_same_stream_gives_the_same_draws)
{
	struct rng a, b;

	rng_set(&a, 4711, 417);
	rng_set(&b, 4711, 417);
	for (int i = 0; i < 100; i++)
		cr_assert(eq(u32, rng_below(&a, 1000003), rng_below(&b, 1000003)));
}

Test(rng, draws_never_change_between_versions)
{
	struct rng rng;

	rng_set(&rng, 1, 0);
	uint32_t first = rng_below(&rng, 1000000);
	uint32_t second = rng_below(&rng, 1000000);
	int64_t third = rng_exponential_ns(&rng, 188000000);
	cr_assert(eq(u32, first, 145724));
	cr_assert(eq(u32, second, 641639));
	cr_assert(eq(i64, third, 295746345));
}

Test(rng, neighbouring_streams_and_seeds_differ)
{
	struct rng rng;
	uint32_t seen[64];
	size_t nr = 0;

	for (uint64_t seed = 0; seed < 8; seed++)
		for (uint64_t stream = 0; stream < 8; stream++) {
			rng_set(&rng, seed, stream);
			seen[nr] = rng_below(&rng, 4000000007u);
			for (size_t i = 0; i < nr; i++)
				cr_assert(ne(u32, seen[i], seen[nr]));
			nr++;
		}
}

Test(rng, high_words_of_seed_and_stream_count)
{
	struct rng a, b, c;

	rng_set(&a, 7, 9);
	rng_set(&b, 7 + (UINT64_C(1) << 32), 9);
	rng_set(&c, 7, 9 + (UINT64_C(1) << 32));
	uint32_t x = rng_below(&a, 4000000007u);
	cr_assert(ne(u32, x, rng_below(&b, 4000000007u)));
	cr_assert(ne(u32, x, rng_below(&c, 4000000007u)));
}

Test(rng, below_stays_below_and_reaches_all)
{
	struct rng rng;
	int count[7] = { 0 };

	rng_set(&rng, 3, 14);
	for (int i = 0; i < 70000; i++)
		count[rng_below(&rng, 7)]++;
	for (int i = 0; i < 7; i++)
		cr_assert(lt(int, abs(count[i] - 10000), 500));
	cr_assert(eq(u32, rng_below(&rng, 1), 0));
}

Test(rng, exponential_has_the_mean_asked_for)
{
	struct rng rng;
	double sum = 0;

	rng_set(&rng, 5, 1);
	for (int i = 0; i < DRAWS; i++)
		sum += (double)rng_exponential_ns(&rng, 940000);
	cr_assert(lt(dbl, fabs(sum / DRAWS / 940000 - 1), 0.01));
}

Test(rng, lognormal_has_the_mean_not_the_median_asked_for)
{
	struct rng rng;
	double sum = 0, logs = 0;

	rng_set(&rng, 5, 2);
	for (int i = 0; i < DRAWS; i++) {
		double ns = (double)rng_lognormal_ns(&rng, 188000000, 0.5);

		sum += ns;
		logs += log(ns);
	}
	cr_assert(lt(dbl, fabs(sum / DRAWS / 188000000 - 1), 0.01));
	cr_assert(lt(dbl, fabs(logs / DRAWS - (log(188000000.0) - 0.125)), 0.01));
}

Test(rng, chance_and_jitter_keep_their_mean)
{
	struct rng rng;
	double sum = 0;
	int hits = 0;

	rng_set(&rng, 5, 3);
	for (int i = 0; i < DRAWS; i++) {
		hits += rng_chance(&rng, 12000);
		sum += (double)rng_jitter_ns(&rng, 510000, 0.03);
	}
	cr_assert(lt(int, abs(hits - 2400), 200));
	cr_assert(lt(dbl, fabs(sum / DRAWS / 510000 - 1), 0.001));
	cr_assert(eq(int, rng_chance(&rng, 0), 0));
	cr_assert(eq(int, rng_chance(&rng, 1000000), 1));
}

Test(rng, durations_are_at_least_one)
{
	struct rng rng;

	rng_set(&rng, 5, 4);
	for (int i = 0; i < 1000; i++) {
		cr_assert(ge(i64, rng_exponential_ns(&rng, 1), 1));
		cr_assert(ge(i64, rng_jitter_ns(&rng, 1, 5.0), 1));
	}
}
