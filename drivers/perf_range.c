#include "drivers/perf_range.h"

#include <stdio.h>

#include "sim/base/units.h"

static void fill(int64_t *value, int64_t def)
{
	if (*value == PARAM_AUTO)
		*value = def;
}

int perf_range_fill(struct perf_range *range, const struct opp_table *table, int64_t reference_khz,
	int64_t top, const char *driver, struct error *err)
{
	int64_t max_mhz = table->max_khz / 1000;

	fill(&range->nominal_mhz, min_i64(reference_khz / 1000, max_mhz));
	fill(&range->lowest_mhz, table->min_khz / 1000);
	fill(&range->highest, top ? top : max_mhz);
	fill(&range->nominal, range->nominal_mhz * range->highest / max_mhz);
	fill(&range->lowest, max_i64(range->lowest_mhz * range->highest / max_mhz, 1));
	fill(&range->lowest_nonlinear, range->lowest);
	if (range->lowest >= range->nominal || range->nominal > range->highest ||
		range->lowest_nonlinear < range->lowest || range->lowest_nonlinear > range->nominal)
		return error_set(err, ERROR_SCENARIO,
			"%s: performance has to rise from lowest_perf %lld, lowest_nonlinear_perf "
			"%lld, nominal_perf %lld to highest_perf %lld",
			driver, (long long)range->lowest, (long long)range->lowest_nonlinear,
			(long long)range->nominal, (long long)range->highest);
	if (range->lowest_mhz >= range->nominal_mhz)
		return error_set(err, ERROR_SCENARIO,
			"%s: lowest_freq %lld MHz is not below nominal_freq %lld MHz", driver,
			(long long)range->lowest_mhz, (long long)range->nominal_mhz);
	return 0;
}

struct cppc_caps perf_range_caps(const struct perf_range *range)
{
	return (struct cppc_caps){
		.highest_perf = (uint32_t)range->highest,
		.nominal_perf = (uint32_t)range->nominal,
		.lowest_perf = (uint32_t)range->lowest,
		.lowest_freq = (uint32_t)range->lowest_mhz,
		.nominal_freq = (uint32_t)range->nominal_mhz,
	};
}

void perf_range_clocks(const struct perf_range *range, struct arena *arena,
	int64_t (*clock_khz)(const void *arg, int64_t perf), const void *arg,
	struct driver_info *info)
{
	int64_t *clocks = arena_array(
		arena, (size_t)(range->highest - range->lowest + 1), sizeof(*clocks));
	size_t nr = 0;

	for (int64_t perf = range->lowest; perf <= range->highest; perf++) {
		int64_t khz = clock_khz(arg, perf);

		/* Quotients are truncated: neighbours may be one clock. */
		if (khz > 0 && (nr == 0 || khz > clocks[nr - 1]))
			clocks[nr++] = khz;
	}
	info->clocks_khz = clocks;
	info->nr_clocks = nr;
}

void perf_range_describe(const struct perf_range *range,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	char value[96];

	snprintf(value, sizeof(value), "%lld, %lld, %lld, %lld", (long long)range->lowest,
		(long long)range->lowest_nonlinear, (long long)range->nominal,
		(long long)range->highest);
	line(arg, "lowest, nonlinear, nominal, highest", value);
	snprintf(value, sizeof(value), "%lld MHz, %lld MHz", (long long)range->lowest_mhz,
		(long long)range->nominal_mhz);
	line(arg, "lowest and nominal frequency", value);
}
