/*
 * amd-pstate, passive: a desired performance out of a range, by register or through shared memory.
 * Follows amd_pstate_cpu_init(), amd_pstate_target() and amd_pstate_adjust_perf() of
 * drivers/cpufreq/amd-pstate.c in 6.1, as far as described there; no vectors check it.
 */
#include "drivers/perf_range.h"
#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/kernel/version.h"

enum amd_interface { INTERFACE_MSR, INTERFACE_SHARED_MEMORY };

struct amd_params {
	struct perf_range range;
	int64_t interface;
	int64_t write_ns, settle_ns;
};

/* Some families state more than they can do; the driver limits them to the first. */
#define HIGHEST_USUAL 166

static const char *const interfaces[] = { "msr", "shared-memory", NULL };

static const struct param params[] = {
	PARAM_INT(struct amd_params, range.highest, "highest_perf", UNIT_NONE, 1, 255,
		HIGHEST_USUAL, "highest performance, 166 on some families, 255 on others"),
	PARAM_INT(struct amd_params, range.nominal, "nominal_perf", UNIT_NONE, 1, 255, PARAM_AUTO,
		"performance without boost; auto: that of nominal_freq"),
	PARAM_INT(struct amd_params, range.lowest_nonlinear, "lowest_nonlinear_perf", UNIT_NONE, 1,
		255, PARAM_AUTO, "floor of adjust_perf; auto: lowest_perf"),
	PARAM_INT(struct amd_params, range.lowest, "lowest_perf", UNIT_NONE, 1, 255, PARAM_AUTO,
		"lowest performance; auto: that of lowest_freq"),
	PARAM_INT(struct amd_params, range.nominal_mhz, "nominal_freq", UNIT_NONE, 1, 100000,
		PARAM_AUTO, "firmware: MHz at nominal_perf; auto: the machine's reference clock"),
	PARAM_INT(struct amd_params, range.lowest_mhz, "lowest_freq", UNIT_NONE, 1, 100000,
		PARAM_AUTO, "firmware: MHz at lowest_perf; auto: the machine's lowest clock"),
	PARAM_CHOICE(struct amd_params, interface, "interface", interfaces, INTERFACE_MSR,
		"msr: the hook itself may write"),
	PARAM_INT(struct amd_params, write_ns, "write_time", UNIT_NS, 0, NSEC_PER_SEC, 0,
		"CPU time of one write"),
	PARAM_INT(struct amd_params, settle_ns, "settle_time", UNIT_NS, 0, NSEC_PER_SEC,
		NSEC_PER_MSEC, "write to the new clock (assumed: one slot of 1 ms)"),
	PARAM_END,
};

struct amd_machine {
	int64_t max_khz;
	int64_t *desired, *floor; /* as last written, per policy */
};

static int probe(struct driver_ctx *ctx, struct error *err)
{
	struct amd_params *p = ctx->params;
	struct amd_machine *m = ctx->machine_state;
	size_t nr = ctx->machine->nr_policies;

	if (ctx->machine->nr_tables != 1)
		return error_set(err, ERROR_SCENARIO,
			"amd-pstate: one range for all CPUs; machine %s has %zu kinds of them",
			ctx->machine->name, ctx->machine->nr_tables);
	if (perf_range_fill(&p->range, &ctx->machine->tables[0], ctx->machine->reference_khz,
		    HIGHEST_USUAL, "amd-pstate", err))
		return -1;
	/* Follows amd_get_max_freq(): the boost ratio has ten fraction bits. */
	m->max_khz = (p->range.nominal_mhz * ((p->range.highest << 10) / p->range.nominal) >> 10) *
		1000;
	m->desired = arena_array(ctx->arena, nr, sizeof(*m->desired));
	m->floor = arena_array(ctx->arena, nr, sizeof(*m->floor));
	return 0;
}

static int64_t clock_khz(const void *arg, int64_t perf)
{
	const struct driver_ctx *ctx = arg;
	const struct amd_params *p = ctx->params;
	const struct amd_machine *m = ctx->machine_state;

	return perf * m->max_khz / p->range.highest;
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct amd_params *p = ctx->params;
	const struct amd_machine *m = ctx->machine_state;

	(void)policy;
	(void)err;
	info->cpuinfo_min_khz = info->boot_khz = p->range.lowest_mhz * 1000;
	info->cpuinfo_max_khz = m->max_khz;
	info->transition_latency_ns = 20 * NSEC_PER_USEC;
	info->transition_delay_us = 1000;
	info->flags = DRIVER_NEED_UPDATE_LIMITS;
	if (p->interface == INTERFACE_MSR)
		info->flags |= DRIVER_FAST_SWITCH | DRIVER_ADJUST_PERF;
	perf_range_clocks(&p->range, ctx->arena, clock_khz, ctx, info);
	return 0;
}

/* Writes only what changes. */
static void write_perf(const struct driver_ctx *ctx, int policy, int64_t floor, int64_t desired,
	struct transition *out)
{
	const struct amd_params *p = ctx->params;
	const struct amd_machine *m = ctx->machine_state;

	out->skipped = m->desired[policy] == desired && m->floor[policy] == floor;
	m->desired[policy] = desired;
	m->floor[policy] = floor;
	out->clock_khz = clock_khz(ctx, desired);
	out->busy_ns = p->write_ns;
	out->delay_ns = max_i64(p->settle_ns, p->write_ns);
}

static int64_t clamp(int64_t value, int64_t lo, int64_t hi)
{
	return max_i64(min_i64(value, hi), lo);
}

static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	const struct amd_params *p = ctx->params;
	const struct amd_machine *m = ctx->machine_state;
	int64_t desired = (request->khz * p->range.highest + m->max_khz / 2) / m->max_khz;

	out->khz = request->khz;
	write_perf(ctx, request->policy, p->range.lowest,
		clamp(desired, p->range.lowest, p->range.highest), out);
}

static int64_t share(int64_t highest, uint64_t perf, uint64_t capacity, int64_t full)
{
	if (perf >= capacity)
		return full;
	return (int64_t)(((uint64_t)highest * perf + capacity - 1) / capacity);
}

static void adjust_perf(struct driver_ctx *ctx, const struct driver_request *request,
	const struct perf_request *perf, struct transition *out)
{
	const struct amd_params *p = ctx->params;
	int64_t highest = p->range.highest;
	int64_t floor = share(highest, perf->min, perf->capacity, p->range.lowest);
	int64_t desired = share(highest, perf->target, perf->capacity, highest);

	floor = max_i64(floor, p->range.lowest_nonlinear);
	desired = clamp(desired, floor, max_i64(highest, floor));
	write_perf(ctx, request->policy, floor, desired, out);
	out->khz = clock_khz(ctx, desired);
}

static void describe(const struct driver_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct amd_params *p = ctx->params;

	perf_range_describe(&p->range, line, arg);
}

const struct driver driver_amd_pstate = {
	.name = "amd-pstate",
	.summary = "AMD, passive: a desired performance out of the processor's range",
	.params = params,
	.params_size = sizeof(struct amd_params),
	.machine_size = sizeof(struct amd_machine),
	.first_version = KVER(5, 17, 0),
	.probe = probe,
	.init = init,
	.target = target,
	.fast_switch = target,
	.adjust_perf = adjust_perf,
	.describe = describe,
};
