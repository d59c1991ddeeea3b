/*
 * intel_pstate in active mode, policy "powersave", with HWP: the hardware chooses; Linux gives it
 * the range that limits leave and, where dynamic boost is on, raises the floor of a CPU that waits
 * for I/O. Decisions are pstate_hwp_active.h's.
 */
#include <string.h>

#include "governors/pstate_hwp_active.h"
#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/decision.h"

#define SCALING_KHZ 100000

struct tunables {
	int64_t no_turbo, min_perf_pct, max_perf_pct;
	int64_t epp, dynamic_boost;
	/* filled by tune() */
	const struct pstate_rules *rules;
	int64_t tick_ns;
};

struct policy_state {
	struct pstate_levels levels;
	struct hwp_active active;
	struct hwp_boost boost;
	uint64_t request; /* as the limits have it, without boost */
};

static const struct param params[] = {
	PARAM_BOOL(
		struct tunables, no_turbo, "no_turbo", 0, "ask for no level above the base clock"),
	PARAM_INT(struct tunables, min_perf_pct, "min_perf_pct", UNIT_PCT, 0, 100, PARAM_AUTO,
		"least share of the top level; auto: that of the lowest level"),
	PARAM_INT(struct tunables, max_perf_pct, "max_perf_pct", UNIT_PCT, 0, 100, 100,
		"largest share of the top level"),
	PARAM_INT(struct tunables, epp, "energy_performance_preference", UNIT_NONE, 0, 255, 128,
		"what the user writes: 0 performance, 128 balance, 192, 255 power"),
	PARAM_BOOL(struct tunables, dynamic_boost, "hwp_dynamic_boost", 0,
		"raise the floor of a CPU whose tasks wait for I/O"),
	PARAM_END,
};

static int tune(const struct governor_env *env, void *tunables, const char **key, struct error *err)
{
	struct tunables *t = tunables;

	if (t->min_perf_pct > t->max_perf_pct) {
		*key = "min_perf_pct";
		return error_set(err, ERROR_SCENARIO,
			"min_perf_pct %lld is above max_perf_pct %lld", (long long)t->min_perf_pct,
			(long long)t->max_perf_pct);
	}
	t->rules = pstate_rules(env->version);
	t->tick_ns = tick_ns_of_hz(env->hz);
	return 0;
}

/* Lowest, guaranteed and highest performance of the capability register. */
static struct pstate_levels levels_of(uint64_t capability)
{
	struct pstate_levels levels = {
		.min = (int32_t)(capability >> 24 & 0xff),
		.max = hwp_guaranteed(capability),
		.turbo = (int32_t)(capability & 0xff),
		.scaling_khz = SCALING_KHZ,
		.ctl_scaling_khz = SCALING_KHZ,
	};

	levels.max_physical = levels.max;
	pstate_levels_name(&levels);
	return levels;
}

static void start(struct policy *policy)
{
	const struct tunables *t = policy->tunables;
	struct policy_state *state = policy->governor_state;

	state->levels = levels_of(policy->hwp_capability);
	state->active = (struct hwp_active){ .epp_powersave = EPP_UNKNOWN };
	state->request = hwp_set(0, HWP_EPP, (int32_t)t->epp);
}

static void limits(struct policy *policy)
{
	const struct tunables *t = policy->tunables;
	struct policy_state *state = policy->governor_state;
	const struct pstate_levels *levels = &state->levels;
	const struct pstate_turbo turbo = { .user_off = t->no_turbo != 0 };
	struct pstate_user_limits user = { .max_pct = (int32_t)t->max_perf_pct };
	uint32_t max_khz = (uint32_t)policy->max_khz;
	struct pstate_ratios ratios;

	if (t->no_turbo && max_khz > levels->max_khz)
		max_khz = levels->max_khz;
	user.min_pct = t->min_perf_pct == PARAM_AUTO ? 100 * levels->min / levels->turbo
						     : (int32_t)t->min_perf_pct;
	ratios = pstate_limits(t->rules, levels, turbo, &user, (uint32_t)policy->min_khz, max_khz);
	state->request = hwp_active_set(&state->active, state->request, POLICY_POWERSAVE, ratios);
	state->boost.min = 0;
	decision_begin(policy, policy->cpu, DECISION_LIMITS, "intel_pstate_hwp_set");
	cpufreq_write_hwp(policy, policy->first_cpu, state->request);
	decision_end(policy);
}

/* Turbo and percentages move the range, a preference is written as it is. Follows store_no_turbo()
 * and store_energy_performance_preference(). */
static void written(struct policy *policy, const char *name, int64_t now_ns)
{
	const struct tunables *t = policy->tunables;
	struct policy_state *state = policy->governor_state;

	(void)now_ns;
	if (strcmp(name, "energy_performance_preference") == 0)
		state->request = hwp_set(state->request, HWP_EPP, (int32_t)t->epp);
	limits(policy);
}

static void update(struct policy *policy, int cpu, int64_t now_ns, unsigned flags)
{
	const struct tunables *t = policy->tunables;
	struct policy_state *state = policy->governor_state;
	bool iowait = flags & HOOK_IOWAIT;
	struct pstate_write write;

	if (!t->dynamic_boost)
		return;
	write = hwp_boost_step(&state->boost, policy->hwp_capability, state->request,
		(uint64_t)t->tick_ns, (uint64_t)now_ns, iowait, false);
	if (!write.written)
		return;
	decision_begin(policy, cpu, DECISION_IO_BOOST, "intel_pstate_update_util_hwp");
	cpufreq_write_hwp(policy, cpu, write.value);
	decision_end(policy);
}

const struct governor governor_intel_pstate_hwp = {
	.name = "intel_pstate_hwp",
	.summary = "Intel's own with HWP: the hardware chooses inside the range of the limits",
	.params = params,
	.tunables_size = sizeof(struct tunables),
	.policy_size = sizeof(struct policy_state),
	.flags = GOVERNOR_DYNAMIC | GOVERNOR_NEEDS_HWP,
	.first_version = KVER(3, 19, 0),
	.tune = tune,
	.start = start,
	.limits = limits,
	.written = written,
	.update = update,
};
