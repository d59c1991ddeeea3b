/*
 * The load-based generation of intel_pstate in active mode without HWP (since 4.14): the level
 * follows the busy share of the CPU, with a boost for tasks woken by I/O. Pure functions over plain
 * structs. Follows intel_pstate_update_util() and get_target_pstate() of Linux 4.15, 5.11 and 6.1.
 *
 * Values called _fp have 8 fractional bits; times are ns.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "governors/pstate_sample.h"
#include "sim/kernel/pstate.h"

#define PSTATE_LOAD_PERIOD_NS INT64_C(10000000)

struct pstate_load_params {
	const struct pstate_rules *rules;
	struct pstate_levels levels;
	struct pstate_turbo turbo;
	struct pstate_ratios ratios;
	int32_t aperf_mperf_shift; /* 10 where aperf counts in units of 1024 mperf */
	uint64_t tick_ns;
};

struct pstate_load_cpu {
	struct pstate_sample sample;
	uint32_t iowait_boost_fp;
	uint64_t last_update_ns;
	int32_t pstate;
	int32_t busy_scaled_fp; /* percent, with the boost, of the last decision */
	bool boosted;           /* the boost was more than the busy share, in that decision */
	int32_t average;        /* level the CPU had in the last sample */
};

struct pstate_load_outcome {
	enum pstate_taken taken;
	int32_t raw;               /* what was wanted, before the limits; of SAMPLE_TAKEN only */
	struct pstate_write write; /* of PERF_CTL */
};

/* The scheduler hook on the CPU itself; calls from other CPUs are ignored by the caller. First the
 * boost moves; true when the CPU is to be evaluated now. */
bool pstate_load_note(const struct pstate_load_params *params, struct pstate_load_cpu *cpu,
	uint64_t now_ns, bool iowait);
/* Takes a sample and decides on it. */
struct pstate_load_outcome pstate_load_evaluate(const struct pstate_load_params *params,
	struct pstate_load_cpu *cpu, const struct perf_counters *counters, uint64_t now_ns);
/* Both. */
struct pstate_load_outcome pstate_load_step(const struct pstate_load_params *params,
	struct pstate_load_cpu *cpu, const struct perf_counters *counters, uint64_t now_ns,
	bool iowait);
