/*
 * Firmware that speaks of abstract performance (CPPC): the levels a processor states, and the
 * clocks they stand for. Shared by cppc_cpufreq and amd-pstate.
 */
#pragma once

#include "sim/driver.h"
#include "sim/kernel/cppc.h"

struct perf_range {
	int64_t highest, nominal, lowest_nonlinear, lowest; /* performance */
	int64_t nominal_mhz, lowest_mhz;
};

/* Fills what is PARAM_AUTO from a kind of CPU, highest being @top performance at its top clock (0:
 * performance counts MHz). -1 when the levels are out of order. */
int perf_range_fill(struct perf_range *range, const struct opp_table *table, int64_t reference_khz,
	int64_t top, const char *driver, struct error *err);

/* The same as firmware's own numbers. */
struct cppc_caps perf_range_caps(const struct perf_range *range);

/* Lists the clocks of every performance from lowest to highest, clock_khz(arg, perf) giving one. */
void perf_range_clocks(const struct perf_range *range, struct arena *arena,
	int64_t (*clock_khz)(const void *arg, int64_t perf), const void *arg,
	struct driver_info *info);

void perf_range_describe(const struct perf_range *range,
	void (*line)(void *arg, const char *name, const char *value), void *arg);
