#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/invariance.h"
#include "sim/kernel/version.h"

Test(invariance, a_scale_is_current_over_largest_and_may_exceed_1024)
{
	cr_assert(eq(u64, freq_scale_of(533, 1455442, 5419647), 274));
	cr_assert(eq(u64, freq_scale_of(533, 2100000, 1400000), 1536));
	cr_assert(eq(u64, freq_scale_of(533, 0, 1400000), 533));
	cr_assert(eq(u64, freq_scale_of(533, 1400000, 0), 533));
}

Test(invariance, x86_turns_it_off_when_its_counters_overflow)
{
	uint64_t scale = 312;

	cr_assert(x86_freq_scale(216509859, 158036394, 1715, &scale));
	cr_assert(eq(u64, scale, 837));
	cr_assert(x86_freq_scale(500000000, 158036394, 1024, &scale));
	cr_assert(eq(u64, scale, 1024));
	scale = 77;
	cr_assert(not(x86_freq_scale(UINT64_C(1) << 44, 158036394, 1715, &scale)));
	cr_assert(not(x86_freq_scale(216509859, UINT64_MAX / 2, 1715, &scale)));
	cr_assert(not(x86_freq_scale(216509859, 0, 1715, &scale)));
	cr_assert(not(x86_freq_scale(1, UINT64_C(1) << 40, 1715, &scale)));
	cr_assert(eq(u64, scale, 77));
}

Test(invariance, arm64_keeps_its_scale_when_a_counter_stands)
{
	struct amu_counters prev = { 1000000, 50000 }, now = { 5800000, 98000 };
	uint64_t max_scale = amu_max_scale(24000000, 2400000000), scale = 5;

	cr_assert(eq(u64, max_scale, 10485));
	amu_freq_scale(prev, now, max_scale, &scale);
	cr_assert(eq(u64, scale, 1023));
	now.core = prev.core;
	amu_freq_scale(prev, now, max_scale, &scale);
	cr_assert(eq(u64, scale, 1023));
}

Test(invariance, capacities_are_relative_to_the_largest)
{
	const uint64_t raw[] = { 485, 1024 }, mhz[] = { 1800, 2208 };
	uint64_t capacity[2];

	capacity_normalize(raw, mhz, capacity, 2, KVER(6, 1, 0));
	cr_assert(eq(u64, capacity[0], 395));
	cr_assert(eq(u64, capacity[1], 1024));
}

Test(invariance, a_cap_takes_capacity_away)
{
	cr_assert(eq(u64, capacity_pressure(1024, 4481311, 3034529, KVER(6, 12, 0)), 331));
	cr_assert(eq(u64, capacity_pressure(1024, 5311, 197993, KVER(6, 1, 0)), 987));
	cr_assert(eq(u64, capacity_pressure(1024, 5311, 5311000, KVER(6, 1, 0)), 0));
}
