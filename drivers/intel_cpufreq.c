/*
 * intel_cpufreq: intel_pstate in passive mode, where a generic governor chooses. Without HWP a
 * request is a level; with HWP it is a range, and from 5.11 on a wish in utilisation. What is
 * written, by version, is sim/kernel/pstate_hwp.h. Follows intel_cpufreq_cpu_init(),
 * intel_cpufreq_target(), intel_cpufreq_fast_switch() and intel_cpufreq_adjust_perf() of
 * drivers/cpufreq/intel_pstate.c.
 */
#include "drivers/intel_hw.h"
#include "sim/kernel/version.h"

struct intel_params {
	struct intel_hw hw;
	int64_t no_turbo, min_perf_pct, max_perf_pct;
};

static const struct param params[] = {
	INTEL_HW_ROWS(struct intel_params),
	PARAM_BOOL(struct intel_params, no_turbo, "no_turbo", 0,
		"ask for no level above the base clock"),
	PARAM_INT(struct intel_params, min_perf_pct, "min_perf_pct", UNIT_PCT, 0, 100, PARAM_AUTO,
		"least share of the top level; auto: that of the lowest level"),
	PARAM_INT(struct intel_params, max_perf_pct, "max_perf_pct", UNIT_PCT, 0, 100, 100,
		"largest share of the top level"),
	PARAM_END,
};

struct intel_machine {
	struct pstate_passive *policies;
};

static int probe(struct driver_ctx *ctx, struct error *err)
{
	const struct intel_params *p = ctx->params;
	struct intel_machine *m = ctx->machine_state;

	if (p->hw.hwp && ctx->version < KVER(5, 9, 0))
		return error_set(err, ERROR_SCENARIO,
			"intel_cpufreq: passive mode with hwp appeared in Linux 5.9");
	if (p->min_perf_pct > p->max_perf_pct)
		return error_set(err, ERROR_SCENARIO,
			"intel_cpufreq: min_perf_pct %lld is above max_perf_pct %lld",
			(long long)p->min_perf_pct, (long long)p->max_perf_pct);
	m->policies = arena_array(ctx->arena, ctx->machine->nr_policies, sizeof(*m->policies));
	return 0;
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct intel_params *p = ctx->params;
	struct intel_machine *m = ctx->machine_state;
	struct pstate_passive *passive = &m->policies[policy];

	(void)err;
	*passive = (struct pstate_passive){
		.rules = pstate_rules(ctx->version),
		.levels = intel_levels(ctx, &p->hw, policy),
		.turbo = { .user_off = p->no_turbo },
		.hwp = p->hw.hwp,
	};
	passive->pstate = passive->levels.min;
	passive->request = intel_boot_request(&p->hw, &passive->levels);
	intel_info(ctx, &p->hw, &passive->levels, info);
	info->transition_latency_ns = 20 * NSEC_PER_USEC;
	info->transition_delay_us = p->hw.hwp ? 5000 : 500;
	info->flags = DRIVER_FAST_SWITCH;
	if (p->hw.hwp)
		info->flags |= DRIVER_NEED_UPDATE_LIMITS;
	if (p->hw.hwp && passive->rules->adjust_perf)
		info->flags |= DRIVER_ADJUST_PERF;
	return 0;
}

/* The range that limits and user leave. Follows intel_cpufreq_verify_policy(). */
static struct pstate_passive *policy_of(
	const struct driver_ctx *ctx, const struct driver_request *request)
{
	const struct intel_params *p = ctx->params;
	const struct intel_machine *m = ctx->machine_state;
	struct pstate_passive *passive = &m->policies[request->policy];
	const struct pstate_levels *levels = &passive->levels;
	struct pstate_user_limits user = { .max_pct = (int32_t)p->max_perf_pct };
	int64_t max_khz = request->max_khz;

	user.min_pct = p->min_perf_pct == PARAM_AUTO ? 100 * levels->min / levels->turbo
						     : (int32_t)p->min_perf_pct;
	if (p->no_turbo)
		max_khz = min_i64(max_khz, levels->max_khz);
	passive->ratios = pstate_limits(passive->rules, levels, passive->turbo, &user,
		(uint32_t)min_i64(request->min_khz, max_khz), (uint32_t)max_khz);
	passive->strict = request->strict;
	return passive;
}

/* Follows store_no_turbo(). */
static void set_turbo(struct driver_ctx *ctx, bool on)
{
	struct intel_params *p = ctx->params;
	const struct intel_machine *m = ctx->machine_state;

	p->no_turbo = !on;
	for (size_t i = 0; i < ctx->machine->nr_policies; i++)
		m->policies[i].turbo.user_off = !on;
}

static void answer(const struct driver_ctx *ctx, const struct pstate_passive *passive,
	const struct pstate_write *write, struct transition *out)
{
	const struct intel_params *p = ctx->params;

	if (!write->written)
		out->skipped = true;
	else if (passive->hwp)
		intel_write_request(&p->hw, &passive->levels, passive->request, out);
	else
		intel_write_level(&p->hw, &passive->levels, passive->pstate, out);
}

static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	struct pstate_passive *passive = policy_of(ctx, request);
	struct pstate_write write;

	out->khz = pstate_passive_target(
		passive, (uint32_t)request->khz, request->relation & ~(unsigned)RELATION_E, &write);
	answer(ctx, passive, &write, out);
}

static void fast_switch(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	struct pstate_passive *passive = policy_of(ctx, request);
	struct pstate_write write;

	out->khz = pstate_passive_fast_switch(passive, (uint32_t)request->khz, &write);
	answer(ctx, passive, &write, out);
}

static void adjust_perf(struct driver_ctx *ctx, const struct driver_request *request,
	const struct perf_request *perf, struct transition *out)
{
	struct pstate_passive *passive = policy_of(ctx, request);
	struct pstate_write write;

	pstate_passive_adjust_perf(passive, perf->min, perf->target, perf->capacity, &write);
	answer(ctx, passive, &write, out);
}

static void describe(const struct driver_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct intel_machine *m = ctx->machine_state;

	intel_describe(&m->policies[0].levels, line, arg);
}

const struct driver driver_intel_cpufreq = {
	.name = "intel_cpufreq",
	.summary = "Intel in passive mode: levels of 100 MHz, or a range for the hardware (HWP)",
	.params = params,
	.params_size = sizeof(struct intel_params),
	.machine_size = sizeof(struct intel_machine),
	.first_version = KVER(4, 10, 0),
	.probe = probe,
	.init = init,
	.target = target,
	.fast_switch = fast_switch,
	.adjust_perf = adjust_perf,
	.set_turbo = set_turbo,
	.describe = describe,
};
