#include "drivers/table.h"

#include "sim/base/units.h"

int64_t table_clock_khz(const struct machine_spec *machine, int policy, int64_t khz)
{
	const struct opp_table *table = machine_table(machine, policy);

	for (size_t i = 0; i < table->nr_opps; i++)
		if (table->opps[i].khz == khz)
			return table->opps[i].clock_khz;
	return khz;
}

int64_t table_base_khz(const struct machine_spec *machine, int policy)
{
	const struct opp_table *table = machine_table(machine, policy);
	int64_t khz = 0;

	for (size_t i = 0; i < table->nr_opps; i++)
		if (!table->opps[i].turbo)
			khz = max_i64(khz, table->opps[i].clock_khz);
	return khz;
}

/* Every clock that can run, ascending, each once. */
static void list_clocks(
	struct driver_ctx *ctx, const struct opp_table *table, struct driver_info *info)
{
	int64_t *clocks = arena_array(ctx->arena, table->nr_opps, sizeof(*clocks));
	size_t nr = 0;

	for (size_t i = 0; i < table->nr_opps; i++) {
		int64_t khz = table->opps[i].clock_khz;
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

int table_init(struct driver_ctx *ctx, int policy, bool descending, struct driver_info *info,
	struct error *err)
{
	const struct machine_spec *machine = ctx->machine;
	const struct opp_table *table = machine_table(machine, policy);
	size_t nr = table->nr_opps;

	if (!table->has_table)
		return error_set(
			err, ERROR_SCENARIO, "machine %s has no frequency table", machine->name);
	info->has_table = true;
	info->table.nr = (int)nr;
	info->table.entries = arena_array(ctx->arena, nr, sizeof(struct freq_entry));
	for (size_t i = 0; i < nr; i++)
		info->table.entries[i].khz = (uint32_t)table->opps[descending ? nr - 1 - i : i].khz;
	if (freq_table_sort(&info->table))
		return error_set(err, ERROR_SCENARIO,
			"machine %s: the frequency table has two "
			"equal entries",
			machine->name);
	info->cpuinfo_min_khz = table->opps[0].khz;
	info->cpuinfo_max_khz = table->opps[nr - 1].khz;
	info->boot_khz = info->cpuinfo_min_khz;
	list_clocks(ctx, table, info);
	return 0;
}
