/*
 * P-states of Intel processors as plain numbers: the levels a CPU has, the range that policy and
 * user limits leave of them, the value of the control register. Shared by the active governor and
 * the passive driver, which in Linux are one driver; knows neither. Follows
 * drivers/cpufreq/intel_pstate.c of Linux 5.10, 5.11 and 6.1.
 *
 * A level is a multiple of scaling_khz (100000 but for hybrid parts); frequencies are kHz.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* With HWP: min is the lowest, max the guaranteed, turbo the highest performance. */
struct pstate_levels {
	int32_t min, max, turbo;
	int32_t max_physical;    /* not lowered by a configured TDP */
	int32_t scaling_khz;     /* of one level */
	int32_t ctl_scaling_khz; /* of one step of the control register; differs on hybrid parts */
	uint32_t max_khz, turbo_khz; /* pstate_levels_name() */
};

/* Who wants no turbo: the user (no_turbo in sysfs) or the firmware. */
struct pstate_turbo {
	bool user_off, firmware_off;
};

/* The range left by scaling_{min,max}_freq and {min,max}_perf_pct. */
struct pstate_ratios {
	int32_t min, max;
};

/* The user's share of the limits; per_cpu switches it off. */
struct pstate_user_limits {
	int32_t min_pct, max_pct;
	bool per_cpu;
};

/* A register write, or none. */
struct pstate_write {
	bool written;
	uint64_t value;
};

enum pstate_desired {
	DESIRED_KEEP,   /* the field stays as it was */
	DESIRED_ZERO,   /* the hardware chooses between min and max */
	DESIRED_TARGET, /* the level itself */
};

/* What a kernel version changed. */
struct pstate_rules {
	unsigned since;     /* KVER() */
	bool boost_at_once; /* a wake-up by I/O is evaluated at once, at full boost */
	bool firmware_live; /* the firmware's flag is read anew before every decision */
	bool limits_by_top; /* policy limits are a share of the top level, in u32 */
	bool named_khz;     /* turbo_khz and max_khz are looked at before dividing */
	enum pstate_desired desired;
	bool adjust_perf;       /* there is an entry that takes utilisation instead of kHz */
	bool adjust_min_capped; /* its floor does not exceed the range's upper end */
};

const struct pstate_rules *pstate_rules(unsigned version);

/* Fills max_khz and turbo_khz: what the levels give, in whole steps of the control register. */
void pstate_levels_name(struct pstate_levels *levels);

/* Has the firmware switched turbo off? */
bool pstate_turbo_is_disabled(const struct pstate_rules *rules, const struct pstate_levels *levels,
	struct pstate_turbo turbo);

/* Is max the highest level that may be asked for? */
bool pstate_turbo_is_off(const struct pstate_rules *rules, const struct pstate_levels *levels,
	struct pstate_turbo turbo);

/* The value of PERF_CTL that asks for @pstate. */
uint64_t pstate_ctl_value(const struct pstate_rules *rules, const struct pstate_levels *levels,
	struct pstate_turbo turbo, int32_t pstate);

/* @pstate brought into the range. */
int32_t pstate_clamp(
	const struct pstate_levels *levels, struct pstate_ratios ratios, int32_t pstate);

/* The range after a change of the policy's or the user's limits. */
struct pstate_ratios pstate_limits(const struct pstate_rules *rules,
	const struct pstate_levels *levels, struct pstate_turbo turbo,
	const struct pstate_user_limits *user, uint32_t policy_min_khz, uint32_t policy_max_khz);

/* kHz to level with the rounding of a relation (L, H, C). */
int32_t pstate_of_khz(const struct pstate_rules *rules, const struct pstate_levels *levels,
	uint32_t khz, unsigned relation);

static inline int32_t min_s32(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static inline int32_t max_s32(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

/* With lo > hi the result is hi, as in the kernel. */
static inline int32_t clamp_s32(int32_t v, int32_t lo, int32_t hi)
{
	return min_s32(max_s32(v, lo), hi);
}
