#include "governors/pstate_hwp_active.h"

#include "sim/base/units.h"

/* The boost ends this long after its last raise. */
#define HOLD_NS UINT64_C(3000000)

/* Touched only when the policy changes: what the user sets meanwhile stays. */
static uint64_t set_preference(
	struct hwp_active *active, uint64_t request, enum pstate_policy policy)
{
	if (policy == active->policy)
		return request;
	active->policy = policy;
	if (policy == POLICY_PERFORMANCE) {
		active->epp_powersave = hwp_get(request, HWP_EPP);
		return hwp_set(request, HWP_EPP, 0);
	}
	if (active->epp_powersave < 0 || hwp_get(request, HWP_EPP) != 0)
		return request;
	return hwp_set(request, HWP_EPP, active->epp_powersave);
}

uint64_t hwp_active_set(struct hwp_active *active, uint64_t request, enum pstate_policy policy,
	struct pstate_ratios ratios)
{
	int32_t min = policy == POLICY_PERFORMANCE ? ratios.max : ratios.min;

	request = hwp_set(hwp_set(request, HWP_MIN, min), HWP_MAX, ratios.max);
	return set_preference(active, request, policy);
}

/* The next floor up: halfway to guaranteed, guaranteed, then the maximum; 0: no further. */
static int32_t floor_above(int32_t floor, int32_t min, int32_t max, int32_t guaranteed)
{
	int32_t halfway = (guaranteed + min) >> 1;

	if (floor < halfway)
		return halfway;
	if (floor < guaranteed)
		return guaranteed;
	if (floor == guaranteed && max != guaranteed)
		return max;
	return 0;
}

static struct pstate_write boost_up(
	struct hwp_boost *boost, uint64_t capability, uint64_t request, uint64_t now_ns)
{
	struct pstate_write write = { .written = false };
	int32_t min = hwp_get(request, HWP_MIN);
	int32_t max = hwp_get(request, HWP_MAX);
	int32_t next;

	if (max == min || boost->min >= max)
		return write;
	/* The floor is remembered as boosted even when nothing is written below. */
	if (boost->min == 0)
		boost->min = min;
	next = floor_above(boost->min, min, max, hwp_guaranteed(capability));
	if (next == 0)
		return write;
	boost->min = next;
	boost->last_update_ns = now_ns;
	write.written = true;
	write.value = hwp_set(request, HWP_MIN, next);
	return write;
}

static struct pstate_write boost_down(struct hwp_boost *boost, uint64_t request, uint64_t now_ns)
{
	struct pstate_write write = { .written = false };

	if (boost->min != 0 && now_ns > boost->last_update_ns + HOLD_NS) {
		write.written = true;
		write.value = request;
		boost->min = 0;
	}
	boost->last_update_ns = now_ns;
	return write;
}

struct pstate_write hwp_boost_step(struct hwp_boost *boost, uint64_t capability, uint64_t request,
	uint64_t tick_ns, uint64_t now_ns, bool iowait, bool remote)
{
	bool again;

	boost->iowait |= iowait;
	if (remote)
		return (struct pstate_write){ .written = false };
	if (!boost->iowait)
		return boost_down(boost, request, now_ns);
	boost->iowait = false;
	/* One wake-up alone may be chance; two within two ticks are I/O. */
	again = now_ns < boost->last_io_ns + 2 * tick_ns;
	boost->last_io_ns = now_ns;
	if (!again)
		return (struct pstate_write){ .written = false };
	return boost_up(boost, capability, request, now_ns);
}
