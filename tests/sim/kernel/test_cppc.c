#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/cppc.h"
#include "sim/kernel/version.h"

static const struct cppc_caps caps = { .highest_perf = 255,
	.nominal_perf = 180,
	.lowest_perf = 33,
	.lowest_freq = 529,
	.nominal_freq = 2900 };

Test(cppc, a_line_through_the_nominal_point_converts_since_6_1)
{
	cr_assert(eq(u32, cppc_perf_to_khz(&caps, 180, KVER(6, 1, 0)), 2900000));
	cr_assert(eq(u32, cppc_khz_to_perf(&caps, 2900000, KVER(6, 1, 0)), 180));
	cr_assert(eq(u32, cppc_perf_to_khz(&caps, 33, KVER(6, 1, 0)), 529000));
	cr_assert(eq(u32, cppc_perf_to_khz(&caps, 0, KVER(6, 1, 0)), 0), "never below 0");
}

Test(cppc, version_5_10_had_slopes_without_an_offset)
{
	struct cppc_caps khz = caps;

	khz.lowest_freq = 529000;
	khz.nominal_freq = 2900000;
	cr_assert(eq(u32, cppc_perf_to_khz(&khz, 100, KVER(5, 10, 0)), 1612925));
	cr_assert(eq(u32, cppc_khz_to_perf(&khz, 1612925, KVER(5, 10, 0)), 100));
	cr_assert(eq(u32, cppc_perf_to_khz(&khz, 255, KVER(5, 10, 0)), 4108333));
	cr_assert(eq(u32, cppc_khz_to_perf(&khz, 4108333, KVER(5, 10, 0)), 254));
}

Test(cppc, without_frequencies_the_smbios_maximum_stands_for_the_highest)
{
	struct cppc_caps dmi = caps;

	dmi.nominal_freq = 0;
	dmi.dmi_max_mhz = 3700;
	cr_assert(eq(u32, cppc_perf_to_khz(&dmi, 255, KVER(6, 1, 0)), 3700000));
	cr_assert(eq(u32, cppc_khz_to_perf(&dmi, 3700000, KVER(5, 10, 0)), 255));
	dmi.dmi_max_mhz = 0;
	cr_assert(eq(u32, cppc_perf_to_khz(&dmi, 255, KVER(5, 10, 0)), 1000));
	cr_assert(eq(u32, cppc_khz_to_perf(&dmi, 500, KVER(6, 1, 0)), 127));
}

Test(cppc, counters_wrap_at_32_bits_when_they_look_so)
{
	cr_assert(eq(u64, cppc_delta(5, 4294967290), 11));
	cr_assert(eq(u64, cppc_delta(5, UINT64_C(1) << 40), 5 - (UINT64_C(1) << 40)));
	cr_assert(eq(u64, cppc_delta(77, 77), 0));
}

Test(cppc, a_sample_without_progress_counts_as_desired_or_not_at_all)
{
	struct cppc_counters prev = { 1000, 2000, 100 }, now = { 1400, 2600, 90 };
	uint64_t scale = 3;

	cppc_freq_scale(&prev, &now, 255, 40, KVER(6, 1, 0), &scale);
	cr_assert(eq(u64, scale, 150 * 1024 / 255), "with the old sample's reference_perf");
	cr_assert(eq(u64, prev.reference_perf, 90));
	cppc_freq_scale(&prev, &now, 255, 40, KVER(6, 12, 0), &scale);
	cr_assert(eq(u64, scale, 150 * 1024 / 255));
	cppc_freq_scale(&prev, &now, 255, 40, KVER(6, 1, 0), &scale);
	cr_assert(eq(u64, scale, 40 * 1024 / 255));
}
