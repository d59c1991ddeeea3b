#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/freq_table.h"
#include "sim/kernel/version.h"

#define NR 5
#define V48 KVER(4, 8, 0)
#define V61 KVER(6, 1, 0)

static const struct freq_limits all = { 0, UINT32_MAX };

/* A table of @khz in that order; zeros end it. */
static struct freq_table table_of(struct freq_entry entries[NR], const uint32_t khz[NR])
{
	struct freq_table table = { .entries = entries };

	for (; table.nr < NR && khz[table.nr]; table.nr++)
		entries[table.nr] = (struct freq_entry){ .khz = khz[table.nr] };
	return table;
}

#define TABLE(...) table_of((struct freq_entry[NR]){ { 0 } }, (uint32_t[NR]){ __VA_ARGS__ })

static struct freq_table sorted(struct freq_table table)
{
	cr_assert(eq(int, freq_table_sort(&table), 0));
	return table;
}

Test(freq_table, order_is_what_successive_entries_say)
{
	cr_assert(eq(int, sorted(TABLE(799000, 1042692, 1217161)).order, FREQ_ASCENDING));
	cr_assert(eq(int, sorted(TABLE(3400000, 2601000, 1600000)).order, FREQ_DESCENDING));
	cr_assert(eq(int, sorted(TABLE(1600000, 3400000, 2601000)).order, FREQ_UNSORTED));
	cr_assert(eq(int, sorted(TABLE(1885000)).order, FREQ_DESCENDING));
	cr_assert(
		eq(int, sorted(TABLE(799000, FREQ_ENTRY_INVALID, 1042692)).order, FREQ_ASCENDING));
}

Test(freq_table, equal_neighbours_are_refused_unless_it_is_unsorted_by_then)
{
	struct freq_table twice = TABLE(799000, 799000, 1217161);

	cr_assert(eq(int, freq_table_sort(&twice), -1));
	cr_assert(eq(int, twice.order, FREQ_UNSORTED));
	cr_assert(eq(int, sorted(TABLE(799000, 1217161, 1042692, 1042692)).order, FREQ_UNSORTED));
}

Test(freq_table, relations_pick_above_below_and_nearest)
{
	struct freq_table up = sorted(TABLE(1200000, 1885000, 2800000));
	struct freq_table down = sorted(TABLE(2800000, 1885000, 1200000));

	cr_assert(eq(int, freq_table_target(&up, 1885001, all, RELATION_L, V48), 2));
	cr_assert(eq(int, freq_table_target(&up, 1884999, all, RELATION_H, V48), 0));
	cr_assert(eq(int, freq_table_target(&up, 1542499, all, RELATION_C, V48), 0));
	cr_assert(eq(int, freq_table_target(&down, 1885001, all, RELATION_L, V48), 0));
	cr_assert(eq(int, freq_table_target(&down, 1884999, all, RELATION_H, V48), 2));
	cr_assert(eq(int, freq_table_target(&down, 1542501, all, RELATION_C, V48), 1));
	cr_assert(eq(int, freq_table_target(&up, 2800001, all, RELATION_L, V48), 2));
	cr_assert(eq(int, freq_table_target(&up, 1199999, all, RELATION_H, V48), 0));
}

Test(freq_table, of_two_equally_near_the_one_met_first_wins)
{
	struct freq_table up = sorted(TABLE(1200000, 1400000));
	struct freq_table down = sorted(TABLE(1400000, 1200000));
	struct freq_table mixed = sorted(TABLE(1200000, 2800000, 1400000));

	cr_assert(eq(int, freq_table_target(&up, 1300000, all, RELATION_C, V61), 0));
	cr_assert(eq(int, freq_table_target(&down, 1300000, all, RELATION_C, V61), 0));
	cr_assert(eq(int, freq_table_target(&mixed, 1300000, all, RELATION_C, V61), 2));
}

Test(freq_table, before_4_8_only_entries_inside_the_limits_count)
{
	struct freq_table up = sorted(TABLE(1200000, 1885000, 2800000));
	struct freq_limits limits = { 1300000, 1900000 };
	struct freq_limits none = { 1300000, 1400000 };

	cr_assert(eq(int, freq_table_target(&up, 1900000, limits, RELATION_L, KVER(3, 16, 0)), 1));
	cr_assert(eq(int, freq_table_target(&up, 1900000, limits, RELATION_L, V48), 2));
	cr_assert(eq(int, freq_table_target(&up, 1350000, none, RELATION_L, KVER(3, 16, 0)), -1));
}

Test(freq_table, an_unsorted_table_with_nothing_inside_gives_its_first_entry)
{
	struct freq_table mixed = sorted(TABLE(1885000, 2800000, 1200000));
	struct freq_limits none = { 1300000, 1400000 };

	cr_assert(eq(int, freq_table_target(&mixed, 1350000, none, RELATION_H, V61), 0));
	cr_assert(eq(int, freq_table_find_unsorted(&mixed, 1350000, none, RELATION_H), -1));
}

Test(freq_table, the_efficiency_flag_skips_entries_while_limits_allow)
{
	struct freq_table up = TABLE(1200000, 1885000, 2800000);
	unsigned relation = RELATION_L | RELATION_E;

	up.entries[1].inefficient = true;
	up = sorted(up);
	cr_assert(up.efficiencies);
	cr_assert(eq(int, freq_table_target(&up, 1700000, all, relation, V61), 2));
	cr_assert(eq(int, freq_table_target(&up, 1700000, all, RELATION_L, V61), 1));
	cr_assert(eq(int,
		freq_table_target(&up, 1700000, (struct freq_limits){ 0, 1885000 }, relation, V61),
		1));
}

Test(freq_table, cpuinfo_counts_boost_entries_with_boost_only)
{
	struct freq_table down = TABLE(3200000, 2800000, 1200000);
	struct freq_limits policy, cpuinfo = { 0, 0 };

	down.entries[0].boost = true;
	cr_assert(eq(int, freq_table_cpuinfo(&down, false, &policy, &cpuinfo), 0));
	cr_assert(eq(u32, cpuinfo.min_khz, 1200000));
	cr_assert(eq(u32, policy.max_khz, 2800000));
	cr_assert(eq(int, freq_table_cpuinfo(&down, true, &policy, &cpuinfo), 0));
	cr_assert(eq(u32, cpuinfo.max_khz, 3200000));
	down.nr = 0;
	cr_assert(eq(int, freq_table_cpuinfo(&down, true, &policy, &cpuinfo), -1));
}

Test(freq_table, resolving_clamps_and_remembers)
{
	struct freq_table up = sorted(TABLE(1200000, 1885000, 2800000));
	struct freq_limits limits = { 1300000, 2800000 };
	struct freq_resolution out = freq_resolve(&up, 1100000, limits, V61);

	cr_assert(eq(u32, out.khz, 1885000));
	cr_assert(eq(u32, out.cached_khz, 1300000));
	cr_assert(eq(int, out.cached_index, 1));
	out = freq_resolve(NULL, 2900001, limits, V61);
	cr_assert(eq(u32, out.khz, 2800000));
	cr_assert(eq(u32, out.cached_khz, 0));
}

Test(freq_table, limits_without_an_entry_move_to_one)
{
	struct freq_table up = sorted(TABLE(1200000, 1885000, 2800000));
	struct freq_limits cpuinfo = { 1200000, 2800000 };
	struct freq_limits limits = { 1300000, 1400000 };

	freq_table_verify(&up, &limits, cpuinfo, V61);
	cr_assert(eq(u32, limits.min_khz, 1300000));
	cr_assert(eq(u32, limits.max_khz, 1885000));
	limits = (struct freq_limits){ 1300000, 1400000 };
	freq_table_verify(&up, &limits, cpuinfo, KVER(6, 12, 0));
	cr_assert(eq(u32, limits.min_khz, 1200000));
	cr_assert(eq(u32, limits.max_khz, 1200000));
}

Test(freq_table, a_request_that_ends_at_cur_does_not_reach_the_driver)
{
	struct freq_table up = sorted(TABLE(1200000, 1885000, 2800000));
	struct freq_request core = {
		.table = &up, .limits = { 1200000, 2800000 }, .cur_khz = 1885000, .version = V61
	};

	cr_assert(not(freq_request(&core, 1884999, RELATION_L).driver_called));
	cr_assert(eq(u32, freq_request(&core, 1885001, RELATION_L).khz, 2800000));
	core.table = NULL;
	cr_assert(not(freq_request(&core, 1885000, RELATION_C).driver_called));
	core.needs_limits = true;
	cr_assert(freq_request(&core, 1885000, RELATION_C).driver_called);
	cr_assert(eq(int, freq_request(&core, 3400000, RELATION_C).index, -1));
	cr_assert(eq(u32, freq_request(&core, 3400000, RELATION_C).khz, 2800000));
}

Test(freq_table, the_least_time_between_requests_depends_on_the_version)
{
	cr_assert(eq(u32, freq_transition_delay_us(10000, 0, KVER(4, 8, 0)), 10000));
	cr_assert(eq(u32, freq_transition_delay_us(62000, 0, KVER(4, 8, 0)), 62000));
	cr_assert(eq(u32, freq_transition_delay_us(62000, 0, V61), 10000));
	cr_assert(eq(u32, freq_transition_delay_us(62000, 0, KVER(6, 10, 0)), 2000));
	cr_assert(eq(u32, freq_transition_delay_us(3100000, 0, KVER(6, 10, 0)), 3100));
	cr_assert(eq(u32, freq_transition_delay_us(62000, 0, KVER(6, 12, 0)), 93));
	cr_assert(eq(u32, freq_transition_delay_us(0, 0, KVER(6, 12, 0)), 1000));
	cr_assert(eq(u32, freq_transition_delay_us(62000, 750, V61), 750));
}
