#include "sim/kernel/util.h"

#include "sim/base/units.h"
#include "sim/kernel/version.h"

static const struct util_rules all_rules[] = {
	{ KVER(6, 8, 0), true, true, true, true },
	{ KVER(5, 17, 0), true, true, true, false },
	{ KVER(4, 17, 0), true, false, false, false },
	{ 0, false, true, false, false },
};

const struct util_rules *util_rules(unsigned version)
{
	const struct util_rules *rules = all_rules;

	while (version < rules->first_version)
		rules++;
	return rules;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

uint64_t util_cfs(const struct util_rules *rules, const struct util_input *in)
{
	uint64_t util = in->cfs_util_avg;

	if (rules->cfs_estimate)
		util = max_u64(util, in->cfs_util_est);
	return rules->cfs_limited ? min_u64(util, in->capacity) : util;
}

uint64_t util_cfs_boost(const struct util_input *in)
{
	uint64_t util = max_u64(in->cfs_util_avg, in->cfs_runnable_avg);

	return min_u64(max_u64(util, in->cfs_util_est), in->capacity);
}

uint64_t util_clamped(const struct util_input *in, uint64_t util)
{
	uint64_t min = in->uclamp_min, max = in->uclamp_max;

	if (!in->uclamp_used)
		return util;
	/* Crossed limits come from tasks with different wishes: the floor wins. */
	if (min >= max)
		return min;
	return min_u64(max_u64(util, min), max);
}

bool util_is_capped(const struct util_rules *rules, const struct util_input *in)
{
	return rules->knows_capped && in->uclamp_used && in->uclamp_max != CAPACITY_SCALE &&
		util_cfs(rules, in) + in->rt_util >= in->uclamp_max;
}

/* What is left of @util after interrupts took their share. Follows scale_irq_capacity(). */
static uint64_t without_irq(uint64_t util, uint64_t irq, uint64_t capacity)
{
	/* Mostly there is none, and a division is what an evaluation waits for. */
	return irq == 0 ? util : util * (capacity - irq) / capacity;
}

static uint64_t effective_5_10(const struct util_input *in, uint64_t cfs_util)
{
	uint64_t capacity = in->capacity, irq = in->irq_util;
	uint64_t util;

	if (!in->uclamp_used && in->rt_queued)
		return capacity;
	if (irq >= capacity)
		return capacity;
	util = util_clamped(in, cfs_util + in->rt_util);
	if (util + in->dl_util >= capacity)
		return capacity;
	util = without_irq(util, irq, capacity) + irq + util_bw_dl(in);
	return min_u64(capacity, util);
}

uint64_t util_energy(const struct util_input *in, uint64_t cfs_util)
{
	uint64_t capacity = in->capacity, irq = in->irq_util;
	uint64_t util;

	if (irq >= capacity)
		return capacity;
	util = cfs_util + in->rt_util + in->dl_util;
	if (util >= capacity)
		return capacity;
	return min_u64(capacity, without_irq(util, irq, capacity) + irq);
}

static struct util_effective effective_6_8(const struct util_input *in, uint64_t cfs_util)
{
	uint64_t capacity = in->capacity, irq = in->irq_util;
	/* Without uclamp the floor is 0 and the ceiling the full scale. */
	uint64_t min = irq + util_bw_dl(in), max = capacity;

	if (irq >= capacity) {
		min = capacity;
	} else if (in->uclamp_used) {
		min = max_u64(min, in->uclamp_min);
		max = min_u64(max, in->uclamp_max);
	} else if (in->rt_queued) {
		min = max_u64(min, capacity);
	}
	return (struct util_effective){ util_energy(in, cfs_util), min, max };
}

struct util_effective util_effective(
	const struct util_rules *rules, const struct util_input *in, uint64_t cfs_util)
{
	if (rules->limits_apart)
		return effective_6_8(in, cfs_util);
	return (struct util_effective){ .util = effective_5_10(in, cfs_util) };
}

uint64_t util_to_perf(const struct util_effective *eff, uint64_t boost)
{
	uint64_t perf = util_with_headroom(max_u64(eff->util, boost));

	return max_u64(eff->min, min_u64(perf, eff->max));
}

uint64_t dl_bandwidth(uint64_t period_ns, uint64_t runtime_ns)
{
	if (runtime_ns == DL_RUNTIME_UNLIMITED)
		return UINT64_C(1) << DL_BW_SHIFT;
	if (period_ns == 0)
		return 0;
	return (runtime_ns << DL_BW_SHIFT) / period_ns;
}
