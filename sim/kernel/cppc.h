/*
 * CPPC as the kernel reads it: abstract performance to kHz and back, and the frequency scale from
 * its feedback counters. Knows numbers as firmware gives them; scales are 0..1024.
 *
 * Follows drivers/acpi/cppc_acpi.c and drivers/cpufreq/cppc_cpufreq.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cppc_caps {
	uint32_t highest_perf, nominal_perf, lowest_perf;
	uint32_t lowest_freq, nominal_freq; /* MHz, in 5.10 kHz; 0: firmware does not say */
	uint32_t dmi_max_mhz;               /* used then; 0: unknown */
};

/* Follow cppc_perf_to_khz() and cppc_khz_to_perf() of 6.1; in 5.10 each had its own slopes. The two
 * are not inverse. */
uint32_t cppc_perf_to_khz(const struct cppc_caps *caps, uint32_t perf, unsigned version);
uint32_t cppc_khz_to_perf(const struct cppc_caps *caps, uint32_t khz, unsigned version);

struct cppc_counters {
	uint64_t reference, delivered, reference_perf;
};

/* @now - @then of a counter of 64 bits, or of 32 when it looks like one. Follows get_delta(). */
uint64_t cppc_delta(uint64_t now, uint64_t then);
/* One sample of a tick. @prev becomes @now, unless (6.12) the two make no performance; *scale stays
 * then. Follows cppc_scale_freq_workfn(). */
void cppc_freq_scale(struct cppc_counters *prev, const struct cppc_counters *now,
	uint64_t highest_perf, uint64_t desired_perf, unsigned version, uint64_t *scale);
