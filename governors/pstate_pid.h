/*
 * The PID generation of intel_pstate (until 4.13): a controller that keeps a scaled busyness at a
 * set point. Pure functions over plain structs. Follows drivers/cpufreq/intel_pstate.c of Linux
 * 4.5, 4.6.2 and 4.8; the versions between take the row below them.
 *
 * Values called _fp have 8 fractional bits. Percentages are whole, times ns unless named.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "governors/pstate_sample.h"
#include "sim/kernel/pstate.h"

/* What a kernel version changed. */
struct pstate_pid_rules {
	unsigned since;     /* KVER() */
	bool by_timer;      /* own deferrable timer; decides even when there is no new sample */
	bool clock_us;      /* the hold-off compares truncated us, not ns */
	bool idle_rule;     /* a CPU busy for less than 1 % counts as idle */
	bool own_limits;    /* the performance policy has its own limits when below the maximum */
	bool limits_raised; /* max_perf in eighths; a turbo maximum below the top is the top */
	enum pstate_perf perf;
};

const struct pstate_pid_rules *pstate_pid_rules(unsigned version);

enum pstate_algorithm {
	PSTATE_CORE, /* APERF/MPERF against the level asked for */
	PSTATE_ATOM, /* busy share with a credit for I/O wait */
};

/* What happens to the busyness of a CPU that was not sampled for long. */
enum pstate_holdoff {
	HOLDOFF_SCALE, /* shrink it by period / elapsed, as every release does */
	HOLDOFF_ZERO,  /* take the CPU as idle */
};

struct pstate_pid_params {
	enum pstate_algorithm algorithm;
	uint32_t sample_rate_ms;
	int32_t setpoint_pct, p_gain_pct, i_gain_pct, d_gain_pct, deadband_pct;
	uint32_t holdoff_mult; /* in sample periods; 3 in every release */
	enum pstate_holdoff holdoff;
};

struct pstate_pid {
	int32_t setpoint_fp, deadband_fp, p_gain_fp, i_gain_fp, d_gain_fp;
	int32_t integral_fp, last_err_fp;
};

void pstate_pid_reset(struct pstate_pid *pid, const struct pstate_pid_params *params);
/* The number of levels to go down. */
int32_t pstate_pid_calc(struct pstate_pid *pid, int32_t busy_fp);

/* What decided the scaled busyness. */
enum pstate_pid_reason {
	PSTATE_PID_BUSY,    /* the busyness as measured */
	PSTATE_PID_HOLDOFF, /* not sampled for long */
	PSTATE_PID_IDLE,    /* busy for less than 1 % */
};

struct pstate_pid_cpu {
	struct pstate_sample sample;
	struct pstate_pid pid;
	int32_t pstate;
	int32_t busy_scaled_fp;
	enum pstate_pid_reason reason; /* of it */
	uint64_t iowait_us;            /* as last read */
};

/* The scaled busyness of the current sample; follows get_target_pstate_use_performance() and
 * get_target_pstate_use_cpu_load(). The latter reads @iowait_us. */
int32_t pstate_pid_busy(const struct pstate_pid_rules *rules,
	const struct pstate_pid_params *params, const struct pstate_levels *levels,
	struct pstate_pid_cpu *cpu, uint64_t iowait_us);

/* aperf / mperf in whole percent, as the trace event shows it. */
int32_t pstate_pid_core_pct(
	const struct pstate_pid_rules *rules, const struct pstate_sample *sample);

/* Limits as shares of the top level. */
struct pstate_pid_limits {
	int32_t min_perf_pct, max_perf_pct;
	int32_t min_perf_fp, max_perf_fp;
	bool performance; /* these are the ones of the performance policy */
};

/* Follows intel_pstate_set_policy(). */
struct pstate_pid_limits pstate_pid_limits(const struct pstate_pid_rules *rules,
	const struct pstate_levels *levels, bool performance, uint32_t policy_min_khz,
	uint32_t policy_max_khz, uint32_t cpuinfo_max_khz, struct pstate_ratios sysfs_pct);

/* The levels that @limits allow; follows intel_pstate_get_min_max(). */
struct pstate_ratios pstate_pid_range(const struct pstate_levels *levels, struct pstate_turbo turbo,
	int32_t min_perf_fp, int32_t max_perf_fp);

struct pstate_pid_outcome {
	enum pstate_taken taken;
	bool ran;     /* the controller was asked */
	int32_t raw;  /* what it wanted, before the limits */
	bool written; /* the level changed */
};

/* One run of the timer (4.5) or of the scheduler hook. */
struct pstate_pid_outcome pstate_pid_step(const struct pstate_pid_rules *rules,
	const struct pstate_pid_params *params, const struct pstate_levels *levels,
	struct pstate_ratios range, struct pstate_pid_cpu *cpu,
	const struct perf_counters *counters, uint64_t iowait_us, uint64_t now_ns);
