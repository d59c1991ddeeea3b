/*
 * The two governors behind cpuidle.h: each learns from the last stay, then chooses.
 */
#pragma once

#include "sim/base/units.h"
#include "sim/kernel/cpuidle.h"

static inline int64_t cpuidle_residency_ns(const struct cstate_spec *cstates, int state)
{
	return cstates[state].target_residency_us * NSEC_PER_USEC;
}

static inline int64_t cpuidle_latency_ns(const struct cstate_spec *cstates, int state)
{
	return cstates[state].exit_latency_us * NSEC_PER_USEC;
}

/* Timer events oriented: does the sleep length, or do recent early wake-ups, tell better? */
void teo_init(struct cpuidle *idle);
void teo_learn(struct cpuidle *idle);
int teo_choose(struct cpuidle *idle, const struct cpuidle_query *query, int64_t *predicted_ns);

/* Corrects the sleep length by what became of it before, and looks for a repeating interval. */
void menu_init(struct cpuidle *idle);
void menu_learn(struct cpuidle *idle);
int menu_choose(struct cpuidle *idle, const struct cpuidle_query *query, int64_t *predicted_ns);
