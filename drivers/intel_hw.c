#include "drivers/intel_hw.h"

#include <stdio.h>

#define LEVEL_KHZ 100000

const char *const intel_hwp_rules[] = {
	[HWP_STEP] = "step", [HWP_PROPORTIONAL] = "proportional", NULL
};

/* A turbo entry of a firmware table stands for a clock above its name. */
static int64_t top_khz(const struct opp_table *table)
{
	int64_t khz = table->max_khz;

	for (size_t i = 0; i < table->nr_opps; i++)
		khz = max_i64(khz, table->opps[i].clock_khz);
	return khz;
}

struct pstate_levels intel_levels(
	const struct driver_ctx *ctx, const struct intel_hw *hw, int policy)
{
	const struct opp_table *table = machine_table(ctx->machine, policy);
	int64_t base_khz = hw->base_khz == PARAM_AUTO ? ctx->machine->reference_khz : hw->base_khz;
	struct pstate_levels levels = {
		.min = (int32_t)max_i64(table->min_khz / LEVEL_KHZ, 1),
		.turbo = (int32_t)min_i64(max_i64(top_khz(table) / LEVEL_KHZ, 1), 255),
		.scaling_khz = LEVEL_KHZ,
		.ctl_scaling_khz = LEVEL_KHZ,
	};

	levels.max = levels.max_physical = clamp_s32(
		(int32_t)(base_khz / LEVEL_KHZ), levels.min, levels.turbo);
	pstate_levels_name(&levels);
	return levels;
}

static int64_t level_khz(const struct pstate_levels *levels, int32_t level)
{
	return (int64_t)level * levels->scaling_khz;
}

static struct hwp_request request_khz(const struct pstate_levels *levels, uint64_t request)
{
	return (struct hwp_request){
		.min_khz = level_khz(levels, hwp_get(request, HWP_MIN)),
		.max_khz = level_khz(levels, hwp_get(request, HWP_MAX)),
		.desired_khz = level_khz(levels, hwp_get(request, HWP_DESIRED)),
		.epp = hwp_get(request, HWP_EPP),
	};
}

uint64_t intel_boot_request(const struct intel_hw *hw, const struct pstate_levels *levels)
{
	uint64_t request = hwp_set(0, HWP_MIN, levels->min);

	request = hwp_set(request, HWP_MAX, levels->turbo);
	return hwp_set(request, HWP_EPP, (int32_t)hw->epp);
}

/* Highest, guaranteed, most efficient and lowest performance, a byte each. */
static uint64_t capability(const struct pstate_levels *levels)
{
	return (uint64_t)levels->turbo | (uint64_t)levels->max << 8 | (uint64_t)levels->min << 16 |
		(uint64_t)levels->min << 24;
}

void intel_info(struct driver_ctx *ctx, const struct intel_hw *hw,
	const struct pstate_levels *levels, struct driver_info *info)
{
	size_t nr = (size_t)(levels->turbo - levels->min) + 1;
	int64_t *clocks = arena_array(ctx->arena, nr, sizeof(*clocks));

	for (size_t i = 0; i < nr; i++)
		clocks[i] = level_khz(levels, levels->min + (int32_t)i);
	info->clocks_khz = clocks;
	info->nr_clocks = nr;
	info->cpuinfo_min_khz = info->boot_khz = clocks[0];
	info->cpuinfo_max_khz = clocks[nr - 1];
	if (!hw->hwp)
		return;
	info->hwp = (struct hwp_rule){
		.period_ns = hw->period_ns,
		.threshold_pct = hw->threshold_pct,
		.choice = (enum hwp_choice)hw->choice,
	};
	info->boot_hwp = request_khz(levels, intel_boot_request(hw, levels));
	info->hwp_capability = capability(levels);
}

static void write_costs(const struct intel_hw *hw, struct transition *out)
{
	out->busy_ns = hw->write_ns;
	out->delay_ns = max_i64(hw->settle_ns, hw->write_ns);
}

void intel_write_level(const struct intel_hw *hw, const struct pstate_levels *levels, int32_t level,
	struct transition *out)
{
	out->clock_khz = level_khz(levels, level);
	write_costs(hw, out);
}

void intel_write_request(const struct intel_hw *hw, const struct pstate_levels *levels,
	uint64_t request, struct transition *out)
{
	out->autonomous = true;
	out->hwp = request_khz(levels, request);
	write_costs(hw, out);
}

void intel_describe(const struct pstate_levels *levels,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	char value[64];

	snprintf(value, sizeof(value), "%d, %d without turbo, %d", (int)levels->min,
		(int)levels->max, (int)levels->turbo);
	line(arg, "P-states, in 100 MHz", value);
}
