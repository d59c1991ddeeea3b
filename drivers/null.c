/*
 * null: changes at once and costs nothing. For testing the host, and for asking what a governor
 * would do on ideal hardware.
 */
#include "drivers/table.h"
#include "sim/driver.h"

/* Without a table any kHz may be asked for; the clock follows in steps of 1 MHz. */
static void list_clocks(
	struct driver_ctx *ctx, const struct opp_table *table, struct driver_info *info)
{
	size_t nr = (size_t)((table->max_khz - table->min_khz) / 1000 + 1);
	int64_t *clocks = arena_array(ctx->arena, nr, sizeof(*clocks));

	for (size_t i = 0; i < nr; i++)
		clocks[i] = table->min_khz + (int64_t)i * 1000;
	info->clocks_khz = clocks;
	info->nr_clocks = nr;
}

struct null_machine {
	struct driver_info *by_table; /* policies of a kind share the list of clocks */
};

static int probe(struct driver_ctx *ctx, struct error *err)
{
	const struct machine_spec *machine = ctx->machine;
	struct null_machine *m = ctx->machine_state;

	(void)err;
	m->by_table = arena_array(ctx->arena, machine->nr_tables, sizeof(*m->by_table));
	for (size_t i = 0; i < machine->nr_tables; i++) {
		const struct opp_table *table = &machine->tables[i];
		struct driver_info *info = &m->by_table[i];

		if (table->has_table)
			continue;
		info->cpuinfo_min_khz = info->boot_khz = table->min_khz;
		info->cpuinfo_max_khz = table->max_khz;
		list_clocks(ctx, table, info);
	}
	return 0;
}

static int init(struct driver_ctx *ctx, int policy, struct driver_info *info, struct error *err)
{
	const struct null_machine *m = ctx->machine_state;

	*info = m->by_table[ctx->machine->policies[policy].table];
	info->flags = DRIVER_FAST_SWITCH | DRIVER_DVFS_FROM_ANY_CPU;
	if (machine_table(ctx->machine, policy)->has_table)
		return table_init(ctx, policy, false, info, err);
	return 0;
}

static void target(
	struct driver_ctx *ctx, const struct driver_request *request, struct transition *out)
{
	out->khz = request->khz;
	out->clock_khz = table_clock_khz(ctx->machine, request->policy, request->khz);
}

const struct driver driver_null = {
	.name = "null",
	.summary = "ideal hardware: changes at once, costs nothing",
	.machine_size = sizeof(struct null_machine),
	.probe = probe,
	.init = init,
	.target = target,
	.fast_switch = target,
};
