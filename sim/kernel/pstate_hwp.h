/*
 * Hardware P-states (HWP): the request and capability registers as 64-bit values, and what passive
 * mode asks of a CPU, with HWP or without. Pure: registers in, registers out; knows no utilisation
 * and no clock. Follows drivers/cpufreq/intel_pstate.c of Linux 5.10, 5.11 and 6.1.
 *
 * Every field is a level 0..255, but for the energy preference (EPP), which is 0 for performance
 * up to 255 for least power.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/kernel/pstate.h"

/* Lowest bit of each field of the request register. */
enum hwp_field { HWP_MIN = 0, HWP_MAX = 8, HWP_DESIRED = 16, HWP_EPP = 24 };

static inline int32_t hwp_get(uint64_t request, enum hwp_field field)
{
	return (int32_t)(request >> field & 0xff);
}

static inline uint64_t hwp_set(uint64_t request, enum hwp_field field, int32_t value)
{
	return (request & ~(UINT64_C(0xff) << field)) | (uint64_t)(value & 0xff) << field;
}

/* The guaranteed performance in a capability register. */
static inline int32_t hwp_guaranteed(uint64_t capability)
{
	return (int32_t)(capability >> 8 & 0xff);
}

struct pstate_passive {
	const struct pstate_rules *rules;
	struct pstate_levels levels;
	struct pstate_turbo turbo;
	struct pstate_ratios ratios;
	bool hwp;
	bool strict;      /* the governor wants exactly the target (performance, powersave) */
	uint64_t request; /* the request register as last written */
	int32_t pstate;   /* as last asked for */
};

/* The level for @khz is asked for; returns the kHz it stands for. */
uint32_t pstate_passive_target(struct pstate_passive *passive, uint32_t khz, unsigned relation,
	struct pstate_write *write);
uint32_t pstate_passive_fast_switch(
	struct pstate_passive *passive, uint32_t khz, struct pstate_write *write);

/* Range and wish for utilisations @min and @target out of @capacity; HWP only, from 5.11 on. */
void pstate_passive_adjust_perf(struct pstate_passive *passive, uint64_t min, uint64_t target,
	uint64_t capacity, struct pstate_write *write);
