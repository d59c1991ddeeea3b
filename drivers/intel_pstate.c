/*
 * intel_pstate in active mode: the driver brings its own algorithm, which Linux calls powersave;
 * performance holds the highest level. Without HWP the algorithm asks for a level, with HWP it
 * moves the range in which the hardware chooses. Follows intel_pstate_set_policy() and
 * intel_pstate_hwp_set() of drivers/cpufreq/intel_pstate.c.
 */
#include "drivers/intel_hw.h"
#include "sim/kernel/version.h"

struct intel_params {
	struct intel_hw hw;
};

static const struct param params[] = {
	INTEL_HW_ROWS(struct intel_params),
	PARAM_END,
};

struct intel_machine {
	struct pstate_levels *policies;
};

static const char *powersave(const void *params_of_run)
{
	const struct intel_params *p = params_of_run;

	return p->hw.hwp ? "intel_pstate_hwp" : "intel_pstate";
}

static int probe(struct driver_ctx *ctx, struct error *err)
{
	struct intel_machine *m = ctx->machine_state;

	(void)err;
	m->policies = arena_array(ctx->arena, ctx->machine->nr_policies, sizeof(*m->policies));
	return 0;
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct intel_params *p = ctx->params;
	struct intel_machine *m = ctx->machine_state;

	(void)err;
	m->policies[policy] = intel_levels(ctx, &p->hw, policy);
	intel_info(ctx, &p->hw, &m->policies[policy], info);
	return 0;
}

/* With HWP only performance asks this way: floor and ceiling are one level, and the preference is
 * for performance. */
static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	const struct intel_params *p = ctx->params;
	const struct intel_machine *m = ctx->machine_state;
	const struct pstate_levels *levels = &m->policies[request->policy];
	int32_t level = (int32_t)(request->khz / levels->scaling_khz);

	out->khz = request->khz;
	if (p->hw.hwp)
		intel_write_request(
			&p->hw, levels, hwp_set(hwp_set(0, HWP_MIN, level), HWP_MAX, level), out);
	else
		intel_write_level(&p->hw, levels, level, out);
}

static void write_hwp(struct driver_ctx *ctx, const struct driver_request *request, uint64_t value,
	struct transition *out)
{
	const struct intel_params *p = ctx->params;
	const struct intel_machine *m = ctx->machine_state;

	intel_write_request(&p->hw, &m->policies[request->policy], value, out);
}

static void describe(const struct driver_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct intel_machine *m = ctx->machine_state;

	intel_describe(&m->policies[0], line, arg);
}

const struct driver driver_intel_pstate = {
	.name = "intel_pstate",
	.summary = "Intel in active mode: powersave is its own algorithm, performance the top",
	.params = params,
	.params_size = sizeof(struct intel_params),
	.machine_size = sizeof(struct intel_machine),
	.first_version = KVER(3, 9, 0),
	.probe = probe,
	.init = init,
	.target = target,
	.write_hwp = write_hwp,
	.powersave = powersave,
	.describe = describe,
};
