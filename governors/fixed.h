/*
 * What the governors that sample nothing ask for: performance, powersave, userspace. Knows limits,
 * no load. Follows cpufreq_performance.c, cpufreq_powersave.c and cpufreq_userspace.c of Linux 6.1.
 */
#pragma once

#include <stdint.h>

#include "sim/governor.h"
#include "sim/kernel/decision.h"

/* One request: kHz and how the table serves it. */
struct fixed_request {
	uint32_t khz;
	unsigned relation;
};

struct freq_limits fixed_limits(const struct policy *policy);

struct fixed_request fixed_performance(struct freq_limits limits);
struct fixed_request fixed_powersave(struct freq_limits limits);
/* A speed is written. */
struct fixed_request fixed_userspace(uint32_t setspeed);
/* Limits changed: the speed written last holds inside them and comes back when they allow it. */
struct fixed_request fixed_userspace_limits(struct freq_limits limits, uint32_t setspeed);

/* Asks for it because of @rule. */
void fixed_apply(struct policy *policy, struct fixed_request request, enum decision_rule rule);
