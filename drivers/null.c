/*
 * null: changes at once and costs nothing. For testing the host, and for asking what a governor
 * would do on ideal hardware.
 */
#include "drivers/table.h"
#include "sim/driver.h"

struct null_machine {
	const int64_t *clocks_khz;
	size_t nr_clocks;
};

/* Without a table any kHz may be asked for; the clock follows in steps of 1 MHz. */
static int probe(struct driver_ctx *ctx, struct error *err)
{
	const struct machine_spec *machine = ctx->machine;
	struct null_machine *m = ctx->machine_state;

	(void)err;
	if (machine->has_table)
		return 0;
	m->nr_clocks = (size_t)((machine->cpuinfo_max_khz - machine->cpuinfo_min_khz) / 1000 + 1);
	int64_t *clocks = arena_array(ctx->arena, m->nr_clocks, sizeof(*clocks));
	for (size_t i = 0; i < m->nr_clocks; i++)
		clocks[i] = machine->cpuinfo_min_khz + (int64_t)i * 1000;
	m->clocks_khz = clocks;
	return 0;
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct machine_spec *machine = ctx->machine;
	const struct null_machine *m = ctx->machine_state;

	(void)policy;
	if (machine->has_table)
		return table_init(ctx, false, info, err);
	info->cpuinfo_min_khz = machine->cpuinfo_min_khz;
	info->cpuinfo_max_khz = machine->cpuinfo_max_khz;
	info->boot_khz = machine->cpuinfo_min_khz;
	info->clocks_khz = m->clocks_khz;
	info->nr_clocks = m->nr_clocks;
	return 0;
}

static void target(struct driver_ctx *ctx, int policy, int64_t now_ns, int64_t khz, int index,
	int64_t cur_khz, int64_t min_khz, struct transition *out)
{
	(void)policy;
	(void)now_ns;
	(void)index;
	(void)cur_khz;
	(void)min_khz;
	out->khz = khz;
	out->clock_khz = table_clock_khz(ctx->machine, khz);
}

const struct driver driver_null = {
	.name = "null",
	.summary = "ideal hardware: changes at once, costs nothing",
	.machine_size = sizeof(struct null_machine),
	.probe = probe,
	.init = init,
	.target = target,
};
