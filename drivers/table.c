#include "drivers/table.h"

#include "sim/base/units.h"

int64_t table_clock_khz(const struct machine_spec *machine, int64_t khz)
{
	for (size_t i = 0; i < machine->nr_opps; i++)
		if (machine->opps[i].khz == khz)
			return machine->opps[i].clock_khz;
	return khz;
}

/* Every clock that can run, ascending, each once. */
static void list_clocks(struct driver_ctx *ctx, struct driver_info *info)
{
	const struct machine_spec *machine = ctx->machine;
	int64_t *clocks = arena_array(ctx->arena, machine->nr_opps, sizeof(*clocks));
	size_t nr = 0;

	for (size_t i = 0; i < machine->nr_opps; i++) {
		int64_t khz = machine->opps[i].clock_khz;
		size_t at = nr;

		while (at > 0 && clocks[at - 1] > khz)
			at--;
		if (at > 0 && clocks[at - 1] == khz)
			continue;
		for (size_t j = nr++; j > at; j--)
			clocks[j] = clocks[j - 1];
		clocks[at] = khz;
	}
	info->clocks_khz = clocks;
	info->nr_clocks = nr;
}

int table_init(struct driver_ctx *ctx, bool descending, struct driver_info *info,
	struct error *err)
{
	const struct machine_spec *machine = ctx->machine;
	size_t nr = machine->nr_opps;

	if (!machine->has_table)
		return error_set(err, ERROR_SCENARIO, "machine %s has no frequency table",
			machine->name);
	info->has_table = true;
	info->table.nr = (int)nr;
	info->table.entries = arena_array(ctx->arena, nr, sizeof(struct freq_entry));
	for (size_t i = 0; i < nr; i++)
		info->table.entries[i].khz =
			(uint32_t)machine->opps[descending ? nr - 1 - i : i].khz;
	if (freq_table_sort(&info->table))
		return error_set(err, ERROR_SCENARIO, "machine %s: the frequency table has two "
			"equal entries", machine->name);
	info->cpuinfo_min_khz = machine->opps[0].khz;
	info->cpuinfo_max_khz = machine->opps[nr - 1].khz;
	info->boot_khz = info->cpuinfo_min_khz;
	list_clocks(ctx, info);
	return 0;
}
