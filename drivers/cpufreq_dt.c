/*
 * cpufreq-dt: operating points of a device tree, reached by a clock and a regulator. Its parameters
 * also describe the other drivers with a table: powernv-cpufreq, qcom-cpufreq-hw, scpi-cpufreq,
 * msm-cpufreq. Follows cpufreq_init() and set_target() of drivers/cpufreq/cpufreq-dt.c in 6.1.
 */
#include "drivers/table.h"
#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/kernel/version.h"

struct dt_params {
	int64_t latency_ns;
	int64_t call_ns, settle_ns;
	int64_t descending;
	int64_t fast_switch, any_cpu;
};

static const char *const orders[] = { "ascending", "descending", NULL };

static const struct param params[] = {
	PARAM_INT(struct dt_params, latency_ns, "transition_latency", UNIT_NS, 0, NSEC_PER_SEC,
		PARAM_AUTO,
		"of clock and regulator; auto: what the machine's table says, else eternal"),
	PARAM_INT(struct dt_params, call_ns, "call_time", UNIT_NS, 0, NSEC_PER_SEC, 0,
		"CPU time of one change; waiting for a regulator is no CPU time"),
	PARAM_INT(struct dt_params, settle_ns, "settle_time", UNIT_NS, 0, NSEC_PER_SEC, PARAM_AUTO,
		"request to the new clock; auto: transition_latency"),
	PARAM_CHOICE(struct dt_params, descending, "table_order", orders, 0,
		"how the driver lists its table (powernv-cpufreq: descending)"),
	PARAM_BOOL(struct dt_params, fast_switch, "fast_switch", 0,
		"the hook itself may change the clock (qcom-cpufreq-hw, powernv-cpufreq)"),
	PARAM_BOOL(struct dt_params, any_cpu, "dvfs_possible_from_any_cpu", 1,
		"any CPU may change the clock of any policy"),
	PARAM_END,
};

/* Below 0: nobody knows. */
static int64_t latency_ns(const struct driver_ctx *ctx, int policy)
{
	const struct dt_params *p = ctx->params;

	return p->latency_ns == PARAM_AUTO ? machine_table(ctx->machine, policy)->latency_ns
					   : p->latency_ns;
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct dt_params *p = ctx->params;

	int64_t latency = latency_ns(ctx, policy);

	info->transition_latency_ns = latency < 0 ? LATENCY_ETERNAL_NS : latency;
	if (p->fast_switch)
		info->flags |= DRIVER_FAST_SWITCH;
	if (p->any_cpu)
		info->flags |= DRIVER_DVFS_FROM_ANY_CPU;
	return table_init(ctx, policy, p->descending, info, err);
}

static int64_t settle_ns(const struct driver_ctx *ctx, int policy)
{
	const struct dt_params *p = ctx->params;

	return p->settle_ns == PARAM_AUTO ? max_i64(latency_ns(ctx, policy), 0) : p->settle_ns;
}

static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	const struct dt_params *p = ctx->params;

	out->khz = request->khz;
	out->clock_khz = table_clock_khz(ctx->machine, request->policy, request->khz);
	out->busy_ns = p->call_ns;
	out->delay_ns = max_i64(settle_ns(ctx, request->policy), p->call_ns);
}

const struct driver driver_cpufreq_dt = {
	.name = "cpufreq-dt",
	.summary = "a table of operating points, reached by clock and regulator",
	.params = params,
	.params_size = sizeof(struct dt_params),
	.first_version = KVER(3, 18, 0),
	.init = init,
	.target = target,
	.fast_switch = target,
};
