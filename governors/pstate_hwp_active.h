/*
 * Active mode with HWP: the hardware chooses inside the range it is given; the kernel moves the
 * range, the energy preference and, where enabled, boosts the floor of a CPU that waits for I/O.
 * Pure functions over registers. Follows intel_pstate_hwp_set() and
 * intel_pstate_update_util_hwp() of Linux 6.1 (the latter unchanged since 5.10).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/kernel/pstate_hwp.h"

#define EPP_UNKNOWN (-22) /* as the kernel marks it: -EINVAL */

enum pstate_policy { POLICY_UNKNOWN, POLICY_POWERSAVE, POLICY_PERFORMANCE };

struct hwp_active {
	enum pstate_policy policy; /* the energy preference was last set for */
	int32_t epp_powersave;     /* to restore on return from performance */
};

/* The request register after a change of policy or limits. */
uint64_t hwp_active_set(struct hwp_active *active, uint64_t request, enum pstate_policy policy,
	struct pstate_ratios ratios);

struct hwp_boost {
	int32_t min; /* the floor raised to, 0 when not boosted */
	uint64_t last_update_ns, last_io_ns;
	bool iowait; /* a wake-up after I/O was seen and not yet used */
};

/* The scheduler hook; @remote: it runs on another CPU and can only leave a note. @request is the
 * register as the limits have it, without boost. */
struct pstate_write hwp_boost_step(struct hwp_boost *boost, uint64_t capability, uint64_t request,
	uint64_t tick_ns, uint64_t now_ns, bool iowait, bool remote);
