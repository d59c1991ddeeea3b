#include "sim/kernel/pstate.h"

#include <assert.h>

#include "sim/kernel/freq_table.h"
#include "sim/kernel/version.h"

#define CTL_NO_TURBO (UINT64_C(1) << 32)

static const struct pstate_rules rows[] = {
	{ .since = KVER(6, 1, 0),
		.named_khz = true,
		.desired = DESIRED_TARGET,
		.adjust_perf = true,
		.adjust_min_capped = true },
	{ .since = KVER(5, 11, 0),
		.firmware_live = true,
		.limits_by_top = true,
		.desired = DESIRED_ZERO,
		.adjust_perf = true },
	{ .since = KVER(5, 1, 0),
		.firmware_live = true,
		.limits_by_top = true,
		.desired = DESIRED_KEEP },
	{ .since = 0,
		.firmware_live = true,
		.limits_by_top = true,
		.desired = DESIRED_KEEP,
		.boost_at_once = true },
};

const struct pstate_rules *pstate_rules(unsigned version)
{
	const struct pstate_rules *row = rows;

	while (version < row->since)
		row++;
	return row;
}

static uint32_t level_khz(const struct pstate_levels *levels, int32_t level)
{
	uint32_t khz = (uint32_t)level * (uint32_t)levels->scaling_khz;

	return khz - khz % (uint32_t)levels->ctl_scaling_khz;
}

void pstate_levels_name(struct pstate_levels *levels)
{
	levels->max_khz = level_khz(levels, levels->max);
	levels->turbo_khz = level_khz(levels, levels->turbo);
}

bool pstate_turbo_is_disabled(const struct pstate_rules *rules, const struct pstate_levels *levels,
	struct pstate_turbo turbo)
{
	/* The older kernels also say so when there is no level above max. */
	return turbo.firmware_off || (rules->firmware_live && levels->max == levels->turbo);
}

bool pstate_turbo_is_off(const struct pstate_rules *rules, const struct pstate_levels *levels,
	struct pstate_turbo turbo)
{
	/* From 6.1 on the firmware's flag is read once, when it sets the user's. */
	return turbo.user_off ||
		(rules->firmware_live && pstate_turbo_is_disabled(rules, levels, turbo));
}

uint64_t pstate_ctl_value(const struct pstate_rules *rules, const struct pstate_levels *levels,
	struct pstate_turbo turbo, int32_t pstate)
{
	uint64_t value = (uint64_t)(uint32_t)pstate << 8;

	if (turbo.user_off && !pstate_turbo_is_disabled(rules, levels, turbo))
		value |= CTL_NO_TURBO;
	return value;
}

/* Follows intel_pstate_prepare_request() of Linux 6.1. */
int32_t pstate_clamp(
	const struct pstate_levels *levels, struct pstate_ratios ratios, int32_t pstate)
{
	int32_t lo = max_s32(levels->min, ratios.min);
	int32_t hi = max_s32(lo, ratios.max);

	return clamp_s32(pstate, lo, hi);
}

/* A share of @level in percent, rounded up. */
static int32_t level_share(int32_t level, int32_t pct)
{
	return (level * pct + 99) / 100;
}

static uint32_t ceil_div_u32(uint32_t n, uint32_t d)
{
	return (n + d - 1) / d;
}

/* The policy's limit in steps of the level (6.1) or as a share of the top level (before). */
static int32_t policy_level(const struct pstate_rules *rules, const struct pstate_levels *levels,
	int32_t top, uint32_t khz)
{
	uint32_t scaling = (uint32_t)levels->scaling_khz;

	if (rules->limits_by_top)
		return (int32_t)((uint32_t)top * khz / ((uint32_t)top * scaling));
	return (int32_t)(khz / (uint32_t)levels->ctl_scaling_khz);
}

static uint32_t step_khz(const struct pstate_levels *levels, int32_t step)
{
	return (uint32_t)step * (uint32_t)levels->ctl_scaling_khz;
}

/* Follows intel_pstate_update_perf_limits(). */
struct pstate_ratios pstate_limits(const struct pstate_rules *rules,
	const struct pstate_levels *levels, struct pstate_turbo turbo,
	const struct pstate_user_limits *user, uint32_t policy_min_khz, uint32_t policy_max_khz)
{
	int32_t top = pstate_turbo_is_off(rules, levels, turbo) ? levels->max : levels->turbo;
	int32_t hi = policy_level(rules, levels, top, policy_max_khz);
	int32_t lo = hi;
	int32_t user_hi, user_lo, ratio_lo, ratio_hi;

	if (policy_min_khz != policy_max_khz)
		lo = clamp_s32(policy_level(rules, levels, top, policy_min_khz), 0, hi);
	if (!rules->limits_by_top && levels->scaling_khz != levels->ctl_scaling_khz) {
		/* On hybrid parts those are steps of the control register: back through kHz. */
		hi = pstate_of_khz(rules, levels, step_khz(levels, hi), RELATION_L);
		lo = pstate_of_khz(rules, levels, step_khz(levels, lo), RELATION_L);
	}
	if (user->per_cpu)
		return (struct pstate_ratios){ .min = lo, .max = hi };
	user_hi = level_share(levels->turbo, user->max_pct);
	user_lo = clamp_s32(level_share(levels->turbo, user->min_pct), 0, user_hi);
	ratio_lo = min_s32(max_s32(lo, user_lo), hi);
	ratio_hi = max_s32(min_s32(hi, user_hi), lo);
	return (struct pstate_ratios){ .min = min_s32(ratio_lo, ratio_hi), .max = ratio_hi };
}

int32_t pstate_of_khz(const struct pstate_rules *rules, const struct pstate_levels *levels,
	uint32_t khz, unsigned relation)
{
	uint32_t scaling = (uint32_t)levels->scaling_khz;

	assert(scaling > 0);
	if (rules->named_khz && khz == levels->turbo_khz)
		return levels->turbo;
	if (rules->named_khz && khz == levels->max_khz)
		return levels->max;
	if (relation == RELATION_H)
		return (int32_t)(khz / scaling);
	if (relation == RELATION_C)
		return (int32_t)((khz + scaling / 2) / scaling);
	return (int32_t)ceil_div_u32(khz, scaling);
}
