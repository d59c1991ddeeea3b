#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

#include "sim/base/units.h"
#include "sim/hw/power.h"

static struct opp_spec points[] = {
	{ .khz = 1470000, .clock_khz = 1470000, .uv = 813000 },
	{ .khz = 2205000, .clock_khz = 2205000, .uv = 907000 },
	{ .khz = 2206000, .clock_khz = 2941000, .uv = 1043000, .turbo = true },
};
static struct cstate_spec cstates[] = {
	{ .name = "C1", .power_uw = 917000 },
	{ .name = "C6", .power_uw = 43000, .target_residency_us = 613 },
};
static struct cpus_spec cpus[] = {
	{ .first = 0, .last = 1, .package = 0, .capacity = 1024 },
	{ .first = 2, .last = 2, .package = 1, .capacity = 1024 },
};
static const int64_t clocks_khz[] = { 1470000, 2205000, 2941000 };

static struct policy_spec policies[] = { { .first = 0, .last = 2 } };

static struct opp_table table_of(void)
{
	return (struct opp_table){
		.points = points, .nr_points = 3, .ceff_uw_per_mhz_v2 = 1873, .leak_uw = 611000
	};
}

Test(power, dynamic_power_is_ceff_times_clock_times_voltage_squared_plus_leakage)
{
	struct opp_table table = table_of();

	cr_assert(epsilon_eq(
		dbl, power_busy_uw(&table, 2205000), 1873 * 2205 * 0.907 * 0.907 + 611000, 1e-6));
}

Test(power, voltage_is_joined_by_straight_lines_between_points)
{
	struct opp_table table = table_of();
	double volts = 0.813 + (0.907 - 0.813) * (1700 - 1470) / (2205 - 1470);

	cr_assert(epsilon_eq(
		dbl, power_busy_uw(&table, 1700000), 1873 * 1700 * volts * volts + 611000, 1e-3));
}

Test(power, voltage_stays_beyond_the_ends_of_the_table)
{
	struct opp_table table = table_of();

	cr_assert(epsilon_eq(
		dbl, power_busy_uw(&table, 700000), 1873 * 700 * 0.813 * 0.813 + 611000, 1e-6));
	cr_assert(epsilon_eq(
		dbl, power_busy_uw(&table, 3100000), 1873 * 3100 * 1.043 * 1.043 + 611000, 1e-6));
}

Test(power, measured_power_wins_and_carries_no_extra_leakage)
{
	struct opp_table table = table_of();
	struct opp_spec measured[3];

	for (int i = 0; i < 3; i++) {
		measured[i] = points[i];
		measured[i].power_uw = 1000000 + i * 1310000;
	}
	table.points = measured;
	cr_assert(epsilon_eq(dbl, power_busy_uw(&table, 2205000), 2310000, 1e-6));
	cr_assert(epsilon_eq(dbl, power_busy_uw(&table, 1837500), 1655000, 1e-3));
	cr_assert(epsilon_eq(dbl, power_busy_uw(&table, 735000), 500000, 1e-3));
	cr_assert(epsilon_eq(dbl, power_busy_uw(&table, 5882000), 7240000, 1e-3));
}

Test(power, a_measured_power_missing_at_one_point_falls_back_to_the_formula)
{
	struct opp_table table = table_of();
	struct opp_spec measured[3] = { points[0], points[1], points[2] };

	measured[0].power_uw = 999000;
	table.points = measured;
	cr_assert(epsilon_eq(
		dbl, power_busy_uw(&table, 1470000), 1873 * 1470 * 0.813 * 0.813 + 611000, 1e-6));
}

/* A machine at 3.719 s that was busy and idle for known times. */
struct silicon {
	struct opp_table table;
	struct machine_spec spec;
	struct engine engine;
	struct machine machine;
	struct arena arena;
};

static void build(struct silicon *s)
{
	*s = (struct silicon){ .table = table_of() };
	s->spec = (struct machine_spec){ .nr_cpus = 3,
		.nr_packages = 2,
		.cpus = cpus,
		.nr_cpu_ranges = 2,
		.policies = policies,
		.nr_policies = 1,
		.clock_scope = CLOCK_CPU,
		.tables = &s->table,
		.nr_tables = 1,
		.cstates = cstates,
		.nr_cstates = 2,
		.power = { .uncore_uw = 4310000,
			.package_uw = 2170000,
			.rapl_unit_nj = 61035,
			.rapl_bits = 32 } };
	if (arena_try(&s->arena))
		abort();
	machine_build(&s->machine, &s->spec, &s->engine, &s->arena);
	for (int i = 0; i < s->machine.nr_domains; i++)
		domain_set_clocks(&s->machine.domains[i], clocks_khz, 3, 1470000, &s->arena);
	s->engine.now_ns = INT64_C(3719000000);
	for (int i = 0; i < s->machine.nr_cpus; i++) {
		s->machine.cpus[i].since_ns = s->engine.now_ns;
		s->machine.cpus[i].idle_from_ns = s->engine.now_ns;
	}
}

Test(power, energy_is_the_sum_of_clocks_idle_states_uncore_and_package)
{
	struct silicon s;

	build(&s);
	s.machine.cpus[1].busy_ns[2] = INT64_C(1200000000);
	s.machine.cpus[1].idle_ns[0] = INT64_C(519000000);
	s.machine.cpus[1].idle_ns[1] = INT64_C(2000000000);
	s.machine.packages[0].active_ns = INT64_C(1200000000);
	double busy = 1.2 * (1873 * 2941 * 1.043 * 1.043 + 611000) / 1e6;
	double idle = 0.519 * 0.917 + 2.0 * 0.043;
	double package = 3.719 * 2.17 + 1.2 * 4.31;
	cr_assert(epsilon_eq(dbl, power_package_j(&s.machine, 0), busy + idle + package, 1e-9));
	cr_assert(epsilon_eq(dbl, power_package_j(&s.machine, 1), 3.719 * 2.17, 1e-9));
	cr_assert(epsilon_eq(
		dbl, power_energy_j(&s.machine), busy + idle + package + 3.719 * 2.17, 1e-9));
	arena_free(&s.arena);
}

Test(power, the_counter_shows_whole_units_of_each_package)
{
	struct silicon s;

	build(&s);
	/* 3.719 s x 2.17 W = 8.07023 J: 132223.0... units of 61.035 uJ. */
	for (int p = 0; p < 2; p++) {
		struct power_counter counter = { 0 };

		cr_assert(eq(u64, power_counter_update(&counter, &s.machine, p), 132222));
	}
	arena_free(&s.arena);
}

Test(power, a_counter_wraps_and_two_values_still_tell_the_energy_between)
{
	struct power_counter counter = { 0 };
	struct silicon s;
	uint64_t before, after;

	build(&s);
	s.spec.power.rapl_bits = 17;
	before = power_counter_update(&counter, &s.machine, 1);
	cr_assert(eq(u64, before, 132222 - 131072));
	s.engine.now_ns = INT64_C(7100000000);
	after = power_counter_update(&counter, &s.machine, 1);
	/* 7.1 s x 2.17 W + 3.381 s x 43 mW = 254810 units: past 131072 once, and once more since. */
	cr_assert(eq(u64, after, 254810 - 131072));
	cr_assert(epsilon_eq(dbl, power_counter_passed_j(&s.spec.power, before, after),
		(254810 - 132222) * 61035e-9, 1e-12));
	cr_assert(epsilon_eq(dbl, power_counter_passed_j(&s.spec.power, after, before),
		(131072 - (254810 - 132222)) * 61035e-9, 1e-12));
	cr_assert(epsilon_eq(dbl, power_counter_range_j(&s.spec.power), 131071 * 61035e-9, 1e-12));
	arena_free(&s.arena);
}

/* An idle CPU seemed to stay in a shallow state: nothing a real counter takes back. */
Test(power, a_counter_never_falls)
{
	struct power_counter counter = { 0 };
	struct silicon s;

	build(&s);
	s.engine.now_ns += 612000;
	uint64_t shallow = power_counter_update(&counter, &s.machine, 1);
	s.spec.power.package_uw = 2169000;
	s.engine.now_ns += 2000;
	cr_assert(lt(dbl, power_package_j(&s.machine, 1), (double)shallow * 61035e-9));
	cr_assert(eq(u64, power_counter_update(&counter, &s.machine, 1), shallow));
	arena_free(&s.arena);
}

Test(power, a_counter_is_brought_up_to_date_once_a_period)
{
	const struct power_spec spec = { .rapl_period_ns = 976563 };

	cr_assert(eq(i64, power_counter_updated_ns(&spec, 976562), 0));
	cr_assert(eq(i64, power_counter_updated_ns(&spec, 976563), 976563));
	cr_assert(eq(i64, power_counter_updated_ns(&spec, 43815000), 44 * 976563));
}
