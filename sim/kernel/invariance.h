/*
 * How the kernel knows the speed of a CPU: frequency scale from requests or counters, capacity of
 * unlike CPUs, capacity lost to a thermal cap (CPPC is in cppc.h). Knows numbers as firmware and
 * counters give them. Scales and capacities are 0..1024.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* @cur over @max, not limited to 1024; @prev when either is 0. Follows
 * topology_set_freq_scale(). */
uint64_t freq_scale_of(uint64_t prev, uint64_t cur, uint64_t max);

/* APERF and MPERF deltas of a tick; @max_ratio: 1024 x turbo over base. False: invariance is off
 * for good and *scale stays. Follows scale_freq_tick() of arch/x86/kernel/cpu/aperfmperf.c. */
bool x86_freq_scale(uint64_t aperf, uint64_t mperf, uint64_t max_ratio, uint64_t *scale);

/* arm64 activity monitors: core cycles at the real clock, constant cycles at a fixed one. */
struct amu_counters {
	uint64_t core, constant;
};

/* Constant rate over largest core rate. Follows freq_inv_set_max_ratio(). */
uint64_t amu_max_scale(uint64_t ref_hz, uint64_t max_hz);
/* *scale stays when a counter did not advance. Follows amu_scale_freq_tick(). */
void amu_freq_scale(
	struct amu_counters prev, struct amu_counters now, uint64_t max_scale, uint64_t *scale);

/* Capacities of @nr CPUs from what firmware says they do per MHz (before 6.8) or kHz. Follows
 * topology_normalize_cpu_scale(). */
void capacity_normalize(
	const uint64_t *raw, const uint64_t *freq, uint64_t *capacity, int nr, unsigned version);

/* Capacity that a frequency cap takes away. @max: MHz before 6.8, then kHz. Follows
 * topology_update_thermal_pressure() and topology_update_hw_pressure(). */
uint64_t capacity_pressure(uint64_t capacity, uint64_t max, uint64_t capped_khz, unsigned version);
