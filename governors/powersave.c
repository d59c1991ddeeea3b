#include "governors/fixed.h"

static void powersave_limits(struct policy *policy)
{
	fixed_apply(policy, fixed_powersave(fixed_limits(policy)), DECISION_LIMITS);
}

const struct governor governor_powersave = {
	.name = "powersave",
	.summary = "always the lowest frequency the limits allow",
	.flags = GOVERNOR_STRICT_TARGET,
	.limits = powersave_limits,
};
