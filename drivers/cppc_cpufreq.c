/*
 * cppc_cpufreq: ACPI firmware that takes a performance, not a frequency. Follows
 * cppc_cpufreq_cpu_init(), cppc_cpufreq_set_target() and cppc_cpufreq_fast_switch() of
 * drivers/cpufreq/cppc_cpufreq.c in 6.1; the conversions are sim/kernel/cppc.h's.
 */
#include "drivers/perf_range.h"
#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/kernel/version.h"

enum cppc_register { REGISTER_MEMORY, REGISTER_PCC, REGISTER_FFH };

struct cppc_params {
	struct perf_range range;
	int64_t where, pcc_latency_us;
	int64_t write_ns, settle_ns;
	int64_t boost;
};

static const char *const registers[] = { "memory", "pcc", "ffh", NULL };

static const struct param params[] = {
	PARAM_INT(struct cppc_params, range.highest, "highest_perf", UNIT_NONE, 1, 100000,
		PARAM_AUTO,
		"firmware: performance with boost; auto: the machine's top clock in MHz"),
	PARAM_INT(struct cppc_params, range.nominal, "nominal_perf", UNIT_NONE, 1, 100000,
		PARAM_AUTO, "firmware: sustained performance; auto: that of nominal_freq"),
	PARAM_INT(struct cppc_params, range.lowest_nonlinear, "lowest_nonlinear_perf", UNIT_NONE, 1,
		100000, PARAM_AUTO, "firmware: below it work costs more; auto: lowest_perf"),
	PARAM_INT(struct cppc_params, range.lowest, "lowest_perf", UNIT_NONE, 1, 100000, PARAM_AUTO,
		"firmware: lowest performance; auto: that of lowest_freq"),
	PARAM_INT(struct cppc_params, range.nominal_mhz, "nominal_freq", UNIT_NONE, 1, 100000,
		PARAM_AUTO, "firmware: MHz at nominal_perf; auto: the machine's reference clock"),
	PARAM_INT(struct cppc_params, range.lowest_mhz, "lowest_freq", UNIT_NONE, 1, 100000,
		PARAM_AUTO, "firmware: MHz at lowest_perf; auto: the machine's lowest clock"),
	PARAM_CHOICE(struct cppc_params, where, "desired_register", registers, REGISTER_MEMORY,
		"where the desired performance is written: memory, a PCC mailbox, or ffh"),
	PARAM_INT(struct cppc_params, pcc_latency_us, "pcc_latency", UNIT_US, 0, 1000000, 0,
		"firmware: latency of the PCC mailbox"),
	PARAM_INT(struct cppc_params, write_ns, "write_time", UNIT_NS, 0, NSEC_PER_SEC, 0,
		"CPU time of one write"),
	PARAM_INT(struct cppc_params, settle_ns, "settle_time", UNIT_NS, 0, NSEC_PER_SEC, 1450000,
		"write to the new clock (as the firmware of a Juno takes)"),
	PARAM_BOOL(struct cppc_params, boost, "boost", 0, "the user allows more than nominal_perf"),
	PARAM_END,
};

/* What firmware says of a kind of CPU. */
struct cppc_kind {
	struct perf_range range;
	struct cppc_caps caps;  /* as the hardware means them */
	struct cppc_caps known; /* as this kernel keeps them */
};

struct cppc_machine {
	struct cppc_kind *kinds; /* per table of the machine */
	uint32_t *desired;       /* per policy; 0: nothing written yet */
};

static const struct cppc_kind *kind_of(const struct driver_ctx *ctx, int policy)
{
	const struct cppc_machine *m = ctx->machine_state;

	return &m->kinds[ctx->machine->policies[policy].table];
}

static int fill_kind(struct driver_ctx *ctx, size_t table, struct error *err)
{
	const struct cppc_params *p = ctx->params;
	const struct cppc_machine *m = ctx->machine_state;
	struct cppc_kind *kind = &m->kinds[table];

	kind->range = p->range;
	if (perf_range_fill(&kind->range, &ctx->machine->tables[table], ctx->machine->reference_khz,
		    0, "cppc_cpufreq", err))
		return -1;
	kind->caps = kind->known = perf_range_caps(&kind->range);
	/* Before 5.17 the driver turned the frequencies into kHz right away. */
	if (ctx->version < KVER(6, 1, 0)) {
		kind->known.lowest_freq *= 1000;
		kind->known.nominal_freq *= 1000;
	}
	return 0;
}

static int probe(struct driver_ctx *ctx, struct error *err)
{
	struct cppc_params *p = ctx->params;
	struct cppc_machine *m = ctx->machine_state;

	m->kinds = arena_array(ctx->arena, ctx->machine->nr_tables, sizeof(*m->kinds));
	for (size_t i = 0; i < ctx->machine->nr_tables; i++)
		if (fill_kind(ctx, i, err))
			return -1;
	if (ctx->machine->nr_tables == 1)
		p->range = m->kinds[0].range;
	m->desired = arena_array(ctx->arena, ctx->machine->nr_policies, sizeof(*m->desired));
	return 0;
}

/* What the hardware makes of a performance, whatever the kernel takes it for. */
static int64_t clock_khz(const void *arg, int64_t perf)
{
	const struct cppc_kind *kind = arg;

	return cppc_perf_to_khz(&kind->caps, (uint32_t)perf, KVER(6, 1, 0));
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	static const int64_t delays_us[] = {
		[REGISTER_MEMORY] = 0, [REGISTER_FFH] = 1000, /* unknown */
	};
	const struct cppc_params *p = ctx->params;
	const struct cppc_kind *kind = kind_of(ctx, policy);
	const struct perf_range *range = &kind->range;
	int64_t top = p->boost ? range->highest : range->nominal;

	(void)err;
	info->cpuinfo_min_khz = cppc_perf_to_khz(
		&kind->known, (uint32_t)range->lowest, ctx->version);
	info->cpuinfo_max_khz = cppc_perf_to_khz(&kind->known, (uint32_t)top, ctx->version);
	info->min_khz = cppc_perf_to_khz(
		&kind->known, (uint32_t)range->lowest_nonlinear, ctx->version);
	info->max_khz = info->cpuinfo_max_khz;
	info->boot_khz = info->cpuinfo_min_khz;
	info->transition_delay_us = p->where == REGISTER_PCC ? p->pcc_latency_us
							     : delays_us[p->where];
	info->flags = DRIVER_DVFS_FROM_ANY_CPU | DRIVER_FEEDBACK;
	if (ctx->version >= KVER(6, 1, 0))
		info->flags |= DRIVER_NEED_UPDATE_LIMITS;
	/* A mailbox has to be waited for, which the hook cannot. */
	if (ctx->version >= KVER(5, 19, 0) && p->where != REGISTER_PCC)
		info->flags |= DRIVER_FAST_SWITCH;
	perf_range_clocks(range, ctx->arena, clock_khz, kind, info);
	return 0;
}

static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	const struct cppc_params *p = ctx->params;
	const struct cppc_machine *m = ctx->machine_state;
	const struct cppc_kind *kind = kind_of(ctx, request->policy);
	uint32_t perf = cppc_khz_to_perf(&kind->known, (uint32_t)request->khz, ctx->version);
	uint32_t *desired = &m->desired[request->policy];

	out->khz = request->khz;
	/* Another frequency of the same performance: nothing to write, and cur stays. */
	if (perf == *desired) {
		out->skipped = true;
		out->khz = request->cur_khz;
		return;
	}
	*desired = perf;
	out->clock_khz = clock_khz(kind, perf);
	out->busy_ns = p->write_ns;
	out->delay_ns = max_i64(p->settle_ns, p->write_ns);
}

/* The hook does not look at what was written last. */
static void fast_switch(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	const struct cppc_machine *m = ctx->machine_state;

	m->desired[request->policy] = 0;
	target(ctx, request, out);
}

static void describe(const struct driver_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct cppc_machine *m = ctx->machine_state;

	for (size_t i = 0; i < ctx->machine->nr_tables; i++) {
		if (ctx->machine->tables[i].name)
			line(arg, "CPUs of table", ctx->machine->tables[i].name);
		perf_range_describe(&m->kinds[i].range, line, arg);
	}
}

const struct driver driver_cppc_cpufreq = {
	.name = "cppc_cpufreq",
	.summary = "firmware that takes a performance instead of a frequency",
	.params = params,
	.params_size = sizeof(struct cppc_params),
	.machine_size = sizeof(struct cppc_machine),
	.first_version = KVER(4, 4, 0),
	.probe = probe,
	.init = init,
	.target = target,
	.fast_switch = fast_switch,
	.describe = describe,
};
