/*
 * acpi-cpufreq: the firmware's P-state table, one register write per change. Follows
 * drivers/cpufreq/acpi-cpufreq.c of Linux 6.1 (acpi_cpufreq_cpu_init(), acpi_cpufreq_target()).
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

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct acpi_params *p = ctx->params;

	info->transition_latency_ns = min_i64(p->latency_us * NSEC_PER_USEC, MSR_LATENCY_MAX_NS);
	return table_init(ctx, policy, true, info, err);
}

static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	const struct acpi_params *p = ctx->params;

	out->khz = request->khz;
	out->clock_khz = table_clock_khz(ctx->machine, request->policy, request->khz);
	out->busy_ns = p->write_ns;
	out->delay_ns = max_i64(p->settle_ns, p->write_ns);
}

const struct driver driver_acpi_cpufreq = {
	.name = "acpi-cpufreq",
	.summary = "the firmware's P-state table",
	.params = params,
	.params_size = sizeof(struct acpi_params),
	.init = init,
	.target = target,
};
