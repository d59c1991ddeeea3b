#include "governors/fixed.h"

struct freq_limits fixed_limits(const struct policy *policy)
{
	return (struct freq_limits){ (uint32_t)policy->min_khz, (uint32_t)policy->max_khz };
}

struct fixed_request fixed_performance(struct freq_limits limits)
{
	return (struct fixed_request){ limits.max_khz, RELATION_H };
}

struct fixed_request fixed_powersave(struct freq_limits limits)
{
	return (struct fixed_request){ limits.min_khz, RELATION_L };
}

struct fixed_request fixed_userspace(uint32_t setspeed)
{
	return (struct fixed_request){ setspeed, RELATION_L };
}

struct fixed_request fixed_userspace_limits(struct freq_limits limits, uint32_t setspeed)
{
	if (limits.max_khz < setspeed)
		return (struct fixed_request){ limits.max_khz, RELATION_H };
	if (limits.min_khz > setspeed)
		return (struct fixed_request){ limits.min_khz, RELATION_L };
	return fixed_userspace(setspeed);
}

void fixed_apply(struct policy *policy, struct fixed_request request, enum decision_rule rule)
{
	decision_begin(policy, policy->cpu, rule,
		rule == DECISION_SETSPEED ? "cpufreq_set" : "cpufreq_governor_limits");
	cpufreq_target(policy, request.khz, request.relation);
	decision_end(policy);
}
