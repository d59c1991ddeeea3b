/*
 * acpi-cpufreq: the firmware's P-state table, one register write per change. Follows
 * drivers/cpufreq/acpi-cpufreq.c of Linux 6.1 (acpi_cpufreq_cpu_init(), acpi_cpufreq_target(),
 * acpi_cpufreq_fast_switch()).
 */
#include "drivers/table.h"
#include "sim/base/units.h"
#include "sim/driver.h"

struct acpi_params {
	int64_t latency_us;
	int64_t write_ns;
	int64_t settle_ns;
};

/* An MSR is never slower than this, whatever firmware says. */
#define MSR_LATENCY_MAX_NS 20000

static const struct param params[] = {
	PARAM_INT(struct acpi_params, latency_us, "transition_latency", UNIT_US, 0, 1000000, 10,
		"largest latency of the P-state table; above 20 us counts as 20 us"),
	PARAM_INT(struct acpi_params, write_ns, "write_time", UNIT_NS, 0, NSEC_PER_SEC, 1000,
		"CPU time of the register write (assumed)"),
	PARAM_INT(struct acpi_params, settle_ns, "settle_time", UNIT_NS, 0, NSEC_PER_SEC, 30000,
		"register write to the new clock (assumed)"),
	PARAM_END,
};

struct acpi_machine {
	int64_t *state_khz; /* per policy: the entry written last, 0: none */
	bool no_turbo;
};

static int probe(struct driver_ctx *ctx, struct error *err)
{
	struct acpi_machine *m = ctx->machine_state;

	(void)err;
	m->state_khz = arena_array(ctx->arena, ctx->machine->nr_policies, sizeof(*m->state_khz));
	return 0;
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct acpi_params *p = ctx->params;

	info->flags = DRIVER_FAST_SWITCH;
	info->transition_latency_ns = min_i64(p->latency_us * NSEC_PER_USEC, MSR_LATENCY_MAX_NS);
	return table_init(ctx, policy, true, info, err);
}

static void set_turbo(struct driver_ctx *ctx, bool on)
{
	struct acpi_machine *m = ctx->machine_state;

	m->no_turbo = !on;
	/* The same entry is another clock now: it has to be written again. */
	for (size_t i = 0; i < ctx->machine->nr_policies; i++)
		m->state_khz[i] = 0;
	/* The state stays, what it gives does not: the next request has to reach the hardware. */
	for (size_t i = 0; i < ctx->machine->nr_policies; i++)
		m->state_khz[i] = 0;
}

static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	const struct acpi_params *p = ctx->params;
	const struct acpi_machine *m = ctx->machine_state;

	out->khz = request->khz;
	out->skipped = m->state_khz[request->policy] == request->khz;
	m->state_khz[request->policy] = request->khz;
	out->clock_khz = table_clock_khz(ctx->machine, request->policy, request->khz);
	/* The turbo entry stays in the table; without turbo it gives the base clock. */
	if (m->no_turbo)
		out->clock_khz = min_i64(
			out->clock_khz, table_base_khz(ctx->machine, request->policy));
	out->busy_ns = p->write_ns;
	out->delay_ns = max_i64(p->settle_ns, p->write_ns);
}

const struct driver driver_acpi_cpufreq = {
	.name = "acpi-cpufreq",
	.summary = "the firmware's P-state table",
	.params = params,
	.params_size = sizeof(struct acpi_params),
	.machine_size = sizeof(struct acpi_machine),
	.probe = probe,
	.init = init,
	.target = target,
	.fast_switch = target,
	.set_turbo = set_turbo,
};
