#include "sim/kernel/pstate_hwp.h"

#include <assert.h>

#include "sim/kernel/freq_table.h"

/* The register is written only when a field really changes. */
static void request_write(struct pstate_passive *passive, int32_t min, int32_t max, int32_t desired,
	struct pstate_write *write)
{
	uint64_t request = hwp_set(hwp_set(passive->request, HWP_MIN, min), HWP_MAX, max);

	switch (passive->rules->desired) {
	case DESIRED_KEEP:
		break;
	case DESIRED_ZERO:
	case DESIRED_TARGET:
		request = hwp_set(request, HWP_DESIRED, desired);
		break;
	}
	write->written = request != passive->request;
	write->value = write->written ? request : 0;
	passive->request = request;
}

/* Follows intel_cpufreq_update_pstate() of Linux 6.1. */
static uint32_t level_request(
	struct pstate_passive *passive, int32_t pstate, struct pstate_write *write)
{
	const struct pstate_levels *levels = &passive->levels;
	int32_t desired;

	pstate = pstate_clamp(levels, passive->ratios, pstate);
	if (passive->hwp) {
		desired = passive->rules->desired == DESIRED_TARGET ? pstate : 0;
		request_write(passive, pstate, passive->strict ? pstate : passive->ratios.max,
			desired, write);
	} else {
		write->written = pstate != passive->pstate;
		write->value = 0;
		if (write->written)
			write->value = pstate_ctl_value(
				passive->rules, levels, passive->turbo, pstate);
	}
	passive->pstate = pstate;
	return (uint32_t)pstate * (uint32_t)levels->scaling_khz;
}

uint32_t pstate_passive_target(
	struct pstate_passive *passive, uint32_t khz, unsigned relation, struct pstate_write *write)
{
	int32_t pstate = pstate_of_khz(passive->rules, &passive->levels, khz, relation);

	return level_request(passive, pstate, write);
}

uint32_t pstate_passive_fast_switch(
	struct pstate_passive *passive, uint32_t khz, struct pstate_write *write)
{
	return pstate_passive_target(passive, khz, RELATION_L, write);
}

/* The level for @perf out of @capacity, rounded up; the top when there is no less to ask for. */
static int32_t level_of_perf(int32_t top, uint64_t perf, uint64_t capacity)
{
	if (perf >= capacity)
		return top;
	return (int32_t)(((uint64_t)top * perf + capacity - 1) / capacity);
}

/* Follows intel_cpufreq_adjust_perf(). */
void pstate_passive_adjust_perf(struct pstate_passive *passive, uint64_t min, uint64_t target,
	uint64_t capacity, struct pstate_write *write)
{
	const struct pstate_levels *levels = &passive->levels;
	bool disabled = pstate_turbo_is_disabled(passive->rules, levels, passive->turbo);
	/* The user's no_turbo does not count here: it has already lowered the range. */
	int32_t top = disabled ? levels->max : levels->turbo;
	int32_t floor = level_of_perf(top, min, capacity);
	int32_t ceiling;

	assert(passive->hwp && passive->rules->adjust_perf);
	floor = max_s32(max_s32(floor, levels->min), passive->ratios.min);
	if (passive->rules->adjust_min_capped)
		floor = min_s32(floor, passive->ratios.max);
	ceiling = max_s32(min_s32(top, passive->ratios.max), floor);
	passive->pstate = clamp_s32(level_of_perf(top, target, capacity), floor, ceiling);
	request_write(passive, floor, ceiling, passive->pstate, write);
}
