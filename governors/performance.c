#include "governors/fixed.h"

static void performance_limits(struct policy *policy)
{
	fixed_apply(policy, fixed_performance(fixed_limits(policy)), DECISION_LIMITS);
}

const struct governor governor_performance = {
	.name = "performance",
	.summary = "always the highest frequency the limits allow",
	.flags = GOVERNOR_STRICT_TARGET,
	.limits = performance_limits,
};
