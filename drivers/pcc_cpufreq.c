/*
 * pcc-cpufreq: any frequency in range, asked of firmware through one mailbox for the whole machine.
 * Follows drivers/cpufreq/pcc-cpufreq.c of Linux 4.8. What a command costs is the firmware's own
 * affair and a parameter here; the header's latency and spacing are shown, and used by nobody, as
 * in Linux.
 */
#include <stdio.h>

#include "drivers/pcc_protocol.h"
#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/kernel/version.h"

enum doorbell { DOORBELL_SYNCHRONOUS, DOORBELL_ASYNCHRONOUS };

struct pcc_params {
	int64_t nominal_khz, unthrottled_khz, minimum_khz;
	int64_t nominal_latency_us, min_spacing_us, max_spacing_us;
	int64_t command_time_ns, stall_ns, stall_scope;
	int64_t lock;
	int64_t doorbell, poll_read_ns;
	int64_t fail_every;
	int64_t enforce_spacing;
	int64_t deadband_v1;
};

static const char *const scopes[] = { "none", "issuer", "package", "all", NULL };
static const char *const doorbells[] = { "synchronous", "asynchronous", NULL };

static const struct param params[] = {
	PARAM_INT(struct pcc_params, nominal_khz, "nominal_freq", UNIT_KHZ, 1000, 42000000,
		PARAM_AUTO, "header: nominal frequency; the highest that can be asked for"),
	PARAM_INT(struct pcc_params, unthrottled_khz, "minimum_freq_unthrottled", UNIT_KHZ, 1000,
		42000000, PARAM_AUTO,
		"header: lowest frequency without throttling; cpuinfo_min_freq"),
	PARAM_INT(struct pcc_params, minimum_khz, "minimum_freq", UNIT_KHZ, 0, 42000000, 0,
		"header: lowest frequency with throttling; shown only"),
	PARAM_INT(struct pcc_params, nominal_latency_us, "nominal_latency", UNIT_US, 0, 10000000, 0,
		"header: nominal latency of a command; shown only"),
	PARAM_INT(struct pcc_params, min_spacing_us, "min_time_between_commands", UNIT_US, 0,
		10000000, 0, "header: least time between commands; ignored by Linux"),
	PARAM_INT(struct pcc_params, max_spacing_us, "max_time_between_commands", UNIT_US, 0,
		100000000, 0, "header: most time between commands; shown only"),
	PARAM_INT(struct pcc_params, command_time_ns, "command_time", UNIT_NS, 0, NSEC_PER_SEC, 0,
		"doorbell to completion, the mailbox is taken that long"),
	PARAM_INT(struct pcc_params, stall_ns, "stall", UNIT_NS, 0, NSEC_PER_SEC, 0,
		"from the doorbell on nothing runs in stall_scope for that long"),
	PARAM_CHOICE(struct pcc_params, stall_scope, "stall_scope", scopes, STALL_ALL,
		"which CPUs the firmware stops during the stall"),
	PARAM_BOOL(struct pcc_params, lock, "lock", 1,
		"one FIFO lock for the whole machine; off: commands overlap"),
	PARAM_CHOICE(struct pcc_params, doorbell, "doorbell", doorbells, DOORBELL_SYNCHRONOUS,
		"synchronous: the doorbell write itself lasts command_time; asynchronous: polled"),
	PARAM_INT(struct pcc_params, poll_read_ns, "poll_read", UNIT_NS, 1, NSEC_PER_MSEC, 100,
		"one read of the status word; 300 reads are the bound"),
	PARAM_INT(struct pcc_params, fail_every, "fail_every", UNIT_NONE, 0, INT64_C(1000000000), 0,
		"every n-th command ends with an error status; 0: none"),
	PARAM_BOOL(struct pcc_params, enforce_spacing, "enforce_min_time", 0,
		"firmware enforces min_time_between_commands"),
	PARAM_BOOL(struct pcc_params, deadband_v1, "deadband_v1", 0,
		"the v1 patch: requests below the deadband limit become the minimum"),
	PARAM_END,
};

struct pcc_machine {
	int64_t free_ns; /* when the mailbox can take the next command */
	int64_t commands;
	bool used;
	int64_t last_start_ns;
	int64_t clocks_khz[101];
	size_t nr_clocks;
	uint32_t deadband_limit_khz;
};

static uint32_t nominal_mhz(const struct pcc_params *p)
{
	return (uint32_t)(p->nominal_khz / 1000);
}

static int64_t clock_of_pct(const struct pcc_params *p, uint32_t pct)
{
	return p->nominal_khz * pct / 100;
}

static int probe(struct driver_ctx *ctx, struct error *err)
{
	struct pcc_params *p = ctx->params;
	struct pcc_machine *m = ctx->machine_state;
	const struct machine_spec *machine = ctx->machine;

	if (machine->nr_tables != 1)
		return error_set(err, ERROR_SCENARIO,
			"pcc-cpufreq: one range for all CPUs; machine %s has %zu kinds of them",
			machine->name, machine->nr_tables);
	if (p->nominal_khz == PARAM_AUTO)
		p->nominal_khz = machine->tables[0].max_khz;
	if (p->unthrottled_khz == PARAM_AUTO)
		p->unthrottled_khz = machine->tables[0].min_khz;
	if (p->unthrottled_khz >= p->nominal_khz)
		return error_set(err, ERROR_SCENARIO,
			"pcc-cpufreq: minimum_freq_unthrottled %lld kHz is not below nominal_freq "
			"%lld kHz",
			(long long)p->unthrottled_khz, (long long)p->nominal_khz);
	if (p->stall_ns > p->command_time_ns)
		return error_set(err, ERROR_SCENARIO,
			"pcc-cpufreq: stall %lld ns is longer than command_time %lld ns",
			(long long)p->stall_ns, (long long)p->command_time_ns);
	m->free_ns = INT64_MIN;
	m->deadband_limit_khz = pcc_deadband_limit_khz(
		(uint32_t)p->unthrottled_khz, (uint32_t)p->nominal_khz);
	for (uint32_t pct = pcc_desired_pct((uint32_t)p->unthrottled_khz, nominal_mhz(p));
		pct <= 100; pct++)
		m->clocks_khz[m->nr_clocks++] = clock_of_pct(p, pct);
	return 0;
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct pcc_params *p = ctx->params;
	const struct pcc_machine *m = ctx->machine_state;
	const struct policy_spec *cpus = &ctx->machine->policies[policy];

	if (cpus->first != cpus->last)
		return error_set(err, ERROR_SCENARIO,
			"pcc-cpufreq: one policy per CPU; the machine has CPUs %d-%d in one policy",
			cpus->first, cpus->last);
	/* 4.5 and 4.6 did not know the latency (4.8 again says 0). With more CPUs than one mailbox
	 * serves well, 4.18 and later want no governor that keeps it busy. */
	if (ctx->version >= KVER(4, 5, 0) && ctx->version < KVER(4, 7, 0))
		info->transition_latency_ns = LATENCY_ETERNAL_NS;
	if (ctx->version >= KVER(4, 18, 0) && ctx->machine->nr_cpus > 4)
		info->flags = DRIVER_NO_AUTO_DYNAMIC_SWITCHING;
	info->cpuinfo_min_khz = p->unthrottled_khz;
	info->cpuinfo_max_khz = p->nominal_khz;
	info->boot_khz = p->unthrottled_khz;
	info->clocks_khz = m->clocks_khz;
	info->nr_clocks = m->nr_clocks;
	return 0;
}

/* CPU time of one command from the doorbell to the last look at the status word. */
static int64_t command_ns(const struct pcc_params *p, struct pcc_machine *m, bool *done)
{
	bool error = p->fail_every && ++m->commands % p->fail_every == 0;
	uint32_t status = error ? 0x2 | PCC_STATUS_DONE : PCC_STATUS_DONE;

	if (p->doorbell == DOORBELL_SYNCHRONOUS) {
		pcc_poll(0, status, done);
		return p->command_time_ns;
	}
	int64_t before = min_i64(p->command_time_ns / p->poll_read_ns, PCC_POLL_LOOPS + 1);
	return pcc_poll((uint32_t)before, status, done) * p->poll_read_ns;
}

static int64_t lock_wait_ns(const struct pcc_params *p, const struct pcc_machine *m, int64_t now_ns)
{
	int64_t start = now_ns;

	if (p->lock)
		start = max_i64(start, m->free_ns);
	if (p->enforce_spacing && m->used)
		start = max_i64(start, m->last_start_ns + p->min_spacing_us * NSEC_PER_USEC);
	return start - now_ns;
}

static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	const struct pcc_params *p = ctx->params;
	struct pcc_machine *m = ctx->machine_state;
	bool done;

	out->khz = request->khz;
	if (p->deadband_v1) {
		out->khz = pcc_deadband_target_khz(
			(uint32_t)request->khz, m->deadband_limit_khz, (uint32_t)request->min_khz);
		if (out->khz == request->cur_khz) {
			out->skipped = true;
			return;
		}
	}
	out->wait_ns = lock_wait_ns(p, m, request->now_ns);
	out->busy_ns = command_ns(p, m, &done);
	out->delay_ns = out->busy_ns;
	out->stall_ns = min_i64(p->stall_ns, out->busy_ns);
	out->stall_scope = (enum stall_scope)p->stall_scope;
	out->failed = !done;
	out->clock_khz = clock_of_pct(p, pcc_desired_pct((uint32_t)out->khz, nominal_mhz(p)));
	m->used = true;
	m->last_start_ns = request->now_ns + out->wait_ns;
	m->free_ns = m->last_start_ns + out->busy_ns;
}

/* Firmware answers in whole percents, rounded up: 1.2 GHz of 2.8 reads back as 43 %. */
static int64_t get(const struct driver_ctx *ctx, int64_t clock_khz)
{
	const struct pcc_params *p = ctx->params;
	int64_t pct = ceil_div_i64(clock_khz * 100, p->nominal_khz);

	return pcc_output_khz((uint32_t)pct, nominal_mhz(p));
}

static void describe(const struct driver_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct pcc_params *p = ctx->params;
	const struct pcc_machine *m = ctx->machine_state;
	const struct {
		const char *name, *unit;
		int64_t value;
	} rows[] = {
		{ "pcch nominal frequency", "MHz", p->nominal_khz / 1000 },
		{ "pcch minimum frequency", "MHz", p->minimum_khz / 1000 },
		{ "pcch minimum frequency without throttling", "MHz", p->unthrottled_khz / 1000 },
		{ "pcch nominal latency", "us", p->nominal_latency_us },
		{ "pcch min time between commands", "us", p->min_spacing_us },
		{ "pcch max time between commands", "us", p->max_spacing_us },
		{ "deadband limit of the v1 patch", "kHz", m->deadband_limit_khz },
	};
	char value[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(value, sizeof(value), "%lld %s", (long long)rows[i].value, rows[i].unit);
		line(arg, rows[i].name, value);
	}
	line(arg, "deadband of the v1 patch", p->deadband_v1 ? "on" : "off");
}

const struct driver driver_pcc_cpufreq = {
	.name = "pcc-cpufreq",
	.summary = "Processor Clocking Control: firmware sets any whole percent of nominal",
	.params = params,
	.params_size = sizeof(struct pcc_params),
	.machine_size = sizeof(struct pcc_machine),
	.first_version = KVER(2, 6, 33),
	.probe = probe,
	.init = init,
	.target = target,
	.get = get,
	.describe = describe,
};
