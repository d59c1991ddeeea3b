/*
 * What the two modes of Intel's driver share: the processor's levels, its request register, and how
 * long a write takes. Knows no policy and no limits. A level is a multiple of 100 MHz.
 */
#pragma once

#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/kernel/pstate_hwp.h"

struct intel_hw {
	int64_t hwp;
	int64_t base_khz;
	int64_t write_ns, settle_ns;
	int64_t epp;
	int64_t period_ns, threshold_pct, choice; /* of the hardware's own choice */
};

extern const char *const intel_hwp_rules[];

/* The rows of a params struct with a struct intel_hw called hw. */
#define INTEL_HW_ROWS(type)                                                                        \
	PARAM_BOOL(                                                                                \
		type, hw.hwp, "hwp", 0, "the processor has hardware P-states, and they are on"),   \
		PARAM_INT(type, hw.base_khz, "base_freq", UNIT_KHZ, 100000, 25500000, PARAM_AUTO,  \
			"highest frequency without turbo; auto: the machine's reference clock"),   \
		PARAM_INT(type, hw.write_ns, "write_time", UNIT_NS, 0, NSEC_PER_SEC, 0,            \
			"CPU time of a register write"),                                           \
		PARAM_INT(type, hw.settle_ns, "settle_time", UNIT_NS, 0, NSEC_PER_SEC, 30000,      \
			"register write to the new clock (assumed)"),                              \
		PARAM_INT(type, hw.epp, "energy_performance_preference", UNIT_NONE, 0, 255,        \
			HWP_EPP_BALANCE, "HWP: 0 performance, 128 balance, 192, 255 power"),       \
		PARAM_INT(type, hw.period_ns, "hwp_period", UNIT_NS, 1000, NSEC_PER_SEC,           \
			NSEC_PER_MSEC, "HWP: how often the hardware looks at its load (assumed)"), \
		PARAM_INT(type, hw.threshold_pct, "hwp_threshold", UNIT_PCT, 0, 100, 50,           \
			"HWP: busy share from which on it takes the top (assumed)"),               \
		PARAM_CHOICE(type, hw.choice, "hwp_rule", intel_hwp_rules, HWP_STEP,               \
			"HWP: below that the bottom, or in between by the share (assumed)")

/* The levels of a policy's CPUs: lowest, base, and turbo, which is the machine's highest clock. */
struct pstate_levels intel_levels(
	const struct driver_ctx *ctx, const struct intel_hw *hw, int policy);

/* What init() says whatever the mode. */
void intel_info(struct driver_ctx *ctx, const struct intel_hw *hw,
	const struct pstate_levels *levels, struct driver_info *info);

/* The register as the firmware leaves it: the whole range, the hardware chooses. */
uint64_t intel_boot_request(const struct intel_hw *hw, const struct pstate_levels *levels);

/* A write of PERF_CTL or of the request register. */
void intel_write_level(const struct intel_hw *hw, const struct pstate_levels *levels, int32_t level,
	struct transition *out);
void intel_write_request(const struct intel_hw *hw, const struct pstate_levels *levels,
	uint64_t request, struct transition *out);

void intel_describe(const struct pstate_levels *levels,
	void (*line)(void *arg, const char *name, const char *value), void *arg);
