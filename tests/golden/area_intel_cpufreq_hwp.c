/* intel_pstate's passive mode, with and without HWP, and the HWP request of active mode. */
#include <inttypes.h>

#include "governors/pstate_hwp_active.h"
#include "sim/kernel/freq_table.h"
#include "sim/kernel/pstate_hwp.h"
#include "sim/kernel/version.h"
#include "tests/golden/golden.h"

/* A kernel, and where its sequences are configured. */
struct kind {
	unsigned version;
	const char *cfg_stem;
};

static const struct kind v510 = { KVER(5, 10, 13), "cpufreq_v510_seq" };
static const struct kind v511 = { KVER(5, 11, 0), "cpufreq_v511_seq" };
static const struct kind v61 = { KVER(6, 1, 192), "cpufreq_v61_seq" };

#define CFG(X)                   \
	X(seq)                   \
	X(hwp_active)            \
	X(lowest_min_pstate)     \
	X(guaranteed_max_pstate) \
	X(highest_turbo_pstate)  \
	X(scaling)               \
	X(perf_ctl_scaling)      \
	X(no_turbo)              \
	X(turbo_disabled)        \
	X(strict_target)         \
	X(init_hwp_req)          \
	X(init_pstate)           \
	X(min_freq)              \
	X(max_freq)              \
	X(turbo_freq)
GOLDEN_ROW(cfg, CFG);

#define STEP(X)           \
	X(seq)            \
	X(step)           \
	X(op)             \
	X(a1)             \
	X(a2)             \
	X(a3)             \
	X(min_perf_ratio) \
	X(max_perf_ratio) \
	X(ret_or_cur_khz) \
	X(current_pstate) \
	X(n_msr_wr)       \
	X(msr_value)
GOLDEN_ROW(step, STEP);

enum op { OP_TARGET, OP_FAST_SWITCH, OP_ADJUST_PERF, OP_LIMITS };

static void passive_begin(
	struct pstate_passive *passive, const struct cfg *cfg, const struct pstate_rules *rules)
{
	*passive = (struct pstate_passive){
		.rules = rules,
		.levels = {
			.min = (int32_t)cfg->lowest_min_pstate,
			.max = (int32_t)cfg->guaranteed_max_pstate,
			.turbo = (int32_t)cfg->highest_turbo_pstate,
			.scaling_khz = (int32_t)cfg->scaling,
			.ctl_scaling_khz = (int32_t)cfg->perf_ctl_scaling,
			.max_khz = (uint32_t)cfg->max_freq,
			.turbo_khz = (uint32_t)cfg->turbo_freq,
		},
		.turbo = { cfg->no_turbo != 0, cfg->turbo_disabled != 0 },
		.hwp = cfg->hwp_active != 0,
		.strict = cfg->strict_target != 0,
		.request = cfg->init_hwp_req,
		.pstate = (int32_t)cfg->init_pstate,
	};
}

static void check_step(struct golden *g, const struct step *r, struct pstate_passive *passive)
{
	struct pstate_write write = { .written = false };
	uint64_t ret = 0;

	passive->ratios = (struct pstate_ratios){ (int32_t)r->min_perf_ratio,
		(int32_t)r->max_perf_ratio };
	switch (r->op) {
	case OP_TARGET:
		ret = pstate_passive_target(passive, (uint32_t)r->a1, (unsigned)r->a2, &write);
		break;
	case OP_FAST_SWITCH:
		ret = pstate_passive_fast_switch(passive, (uint32_t)r->a1, &write);
		break;
	case OP_ADJUST_PERF:
		if (!passive->hwp || !passive->rules->adjust_perf) {
			golden_fail(g, "seq %" PRIu64 ": adjust_perf does not exist here", r->seq);
			return;
		}
		pstate_passive_adjust_perf(passive, r->a1, r->a2, r->a3, &write);
		ret = (uint64_t)passive->pstate;
		break;
	case OP_LIMITS:
		break;
	default:
		golden_fail(g, "seq %" PRIu64 ": unknown op %" PRIu64, r->seq, r->op);
		return;
	}
	GOLDEN_EQ(g, r, ret_or_cur_khz, ret);
	GOLDEN_EQ(g, r, current_pstate, (int64_t)passive->pstate);
	GOLDEN_EQ(g, r, n_msr_wr, write.written);
	GOLDEN_EQ(g, r, msr_value, write.value);
}

static void check_steps(struct golden *g)
{
	const struct kind *kind = golden_arg(g);
	const struct pstate_rules *rules = pstate_rules(kind->version);
	const struct golden_csv *cfgs = golden_open(g, kind->cfg_stem);
	struct pstate_passive passive = { 0 };
	const struct cfg *cfg = NULL;
	const struct step *r;

	while ((r = golden_next(g)) != NULL) {
		if (cfg == NULL || cfg->seq != r->seq || r->step == 0) {
			cfg = golden_find(g, cfgs, r->seq, NULL);
			if (cfg == NULL)
				return;
			passive_begin(&passive, cfg, rules);
		}
		check_step(g, r, &passive);
	}
}

#define SET(X)            \
	X(seq)            \
	X(step)           \
	X(policy)         \
	X(epp_msr_before) \
	X(min_perf_ratio) \
	X(max_perf_ratio) \
	X(msr_after)      \
	X(epp_policy)     \
	X(epp_powersave)
GOLDEN_ROW(set, SET);

static void check_set(struct golden *g)
{
	struct hwp_active active = { 0 };
	const struct set *r;
	uint64_t seq = 0;

	while ((r = golden_next(g)) != NULL) {
		struct pstate_ratios ratios = { (int32_t)r->min_perf_ratio,
			(int32_t)r->max_perf_ratio };
		uint64_t request;

		if (r->step == 0 || r->seq != seq)
			active = (struct hwp_active){ .epp_powersave = EPP_UNKNOWN };
		seq = r->seq;
		request = hwp_active_set(&active, r->epp_msr_before,
			r->policy == 2 ? POLICY_PERFORMANCE : POLICY_POWERSAVE, ratios);
		GOLDEN_EQ(g, r, msr_after, request);
		GOLDEN_EQ(g, r, epp_policy, active.policy);
		GOLDEN_EQ(g, r, epp_powersave, (int64_t)active.epp_powersave);
	}
}

static const struct golden_file files[] = {
	{ "cpufreq_v510_steps", step_columns, check_steps, &v510 },
	{ "cpufreq_v511_steps", step_columns, check_steps, &v511 },
	{ "cpufreq_v61_steps", step_columns, check_steps, &v61 },
	{ "cpufreq_v510_seq", cfg_columns, NULL, NULL },
	{ "cpufreq_v511_seq", cfg_columns, NULL, NULL },
	{ "cpufreq_v61_seq", cfg_columns, NULL, NULL },
	{ "cpufreq_v61_hwp_set", set_columns, check_set, NULL },
	{ NULL, NULL, NULL, NULL },
};

const struct golden_area golden_area_intel_cpufreq_hwp = { "intel_cpufreq_hwp", files };
