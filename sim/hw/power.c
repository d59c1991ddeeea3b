#include "sim/hw/power.h"

#include <stdbool.h>

#include "sim/base/units.h"
#include "sim/hw/core.h"

/* uW x ns to joules. */
#define JOULES 1e-15

static double lerp(double x0, double y0, double x1, double y1, double x)
{
	return x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y1;
}

/* The first point at or above the clock; nr_points when there is none. */
static size_t point_above(const struct opp_table *table, int64_t clock_khz)
{
	size_t i = 0;

	while (i < table->nr_points && table->points[i].clock_khz < clock_khz)
		i++;
	return i;
}

static double volts_at(const struct opp_table *table, int64_t clock_khz)
{
	size_t i = point_above(table, clock_khz);

	if (i == table->nr_points)
		return (double)table->points[i - 1].uv / 1e6;
	if (i == 0)
		return (double)table->points[0].uv / 1e6;
	const struct opp_spec *lo = &table->points[i - 1], *hi = &table->points[i];
	return lerp((double)lo->clock_khz, (double)lo->uv, (double)hi->clock_khz, (double)hi->uv,
		       (double)clock_khz) /
		1e6;
}

static double measured_uw(const struct opp_table *table, int64_t clock_khz)
{
	size_t i = point_above(table, clock_khz);

	/* Beyond the ends of the table the voltage stays, so power goes with the clock. */
	if (i == 0 || i == table->nr_points) {
		const struct opp_spec *end = &table->points[i ? i - 1 : 0];

		return (double)end->power_uw * (double)clock_khz / (double)end->clock_khz;
	}
	const struct opp_spec *lo = &table->points[i - 1], *hi = &table->points[i];
	return lerp((double)lo->clock_khz, (double)lo->power_uw, (double)hi->clock_khz,
		(double)hi->power_uw, (double)clock_khz);
}

static bool has_measured(const struct opp_table *table)
{
	for (size_t i = 0; i < table->nr_points; i++)
		if (table->points[i].power_uw == 0)
			return false;
	return table->nr_points > 0;
}

double power_busy_uw(const struct opp_table *table, int64_t clock_khz)
{
	if (has_measured(table))
		return measured_uw(table, clock_khz);
	double volts = table->nr_points ? volts_at(table, clock_khz) : 0;
	return (double)table->ceff_uw_per_mhz_v2 * ((double)clock_khz / 1e3) * volts * volts +
		(double)table->leak_uw;
}

static double cpu_uw_ns(const struct cpu *cpu)
{
	const struct domain *domain = cpu->domain;
	double sum = 0;

	for (int c = 0; c < domain->nr_clocks; c++)
		if (cpu->busy_ns[c])
			sum += power_busy_uw(cpu->table, domain->clocks_khz[c]) *
				(double)cpu->busy_ns[c];
	for (int s = 0; s < cpu->nr_cstates; s++)
		sum += (double)cpu->cstates[s].power_uw * (double)cpu_idle_ns(cpu, s);
	return sum;
}

/* Threads share the power of their core; each beyond the first adds its part of what all do. */
static double core_uw_ns(const struct core *core, const struct cpu *cpu)
{
	const struct domain *domain = cpu->domain;
	double extra = (double)(core->power_ppm - PPM) / (double)PPM / (core->nr_cpus - 1);
	double sum = 0;

	for (int c = 0; c < domain->nr_clocks; c++)
		if (core->busy_ns[c])
			sum += power_busy_uw(cpu->table, domain->clocks_khz[c]) *
				((double)core->busy_ns[c] + extra * (double)core->shared_ns[c]);
	for (int s = 0; s < cpu->nr_cstates; s++)
		sum += (double)cpu->cstates[s].power_uw * (double)core_idle_ns(core, s);
	return sum;
}

double power_package_j(const struct machine *machine, int package)
{
	const struct machine_spec *spec = machine->spec;
	const struct package *p = &machine->packages[package];
	double sum = (double)spec->power.package_uw * (double)machine->engine->now_ns +
		(double)spec->power.uncore_uw * (double)p->active_ns;

	for (int i = p->first_cpu; i < p->first_cpu + p->nr_cpus; i++) {
		const struct cpu *cpu = &machine->cpus[i];

		if (!cpu->core->busy_ns)
			sum += cpu_uw_ns(cpu);
		else if (cpu->core->first_cpu == i)
			sum += core_uw_ns(cpu->core, cpu);
	}
	return sum * JOULES;
}

double power_energy_j(const struct machine *machine)
{
	double sum = 0;

	for (int p = 0; p < machine->nr_packages; p++)
		sum += power_package_j(machine, p);
	return sum;
}

int64_t power_counter_updated_ns(const struct power_spec *spec, int64_t t_ns)
{
	return t_ns - t_ns % spec->rapl_period_ns;
}

static uint64_t counter_mask(const struct power_spec *spec)
{
	return UINT64_MAX >> (64 - spec->rapl_bits);
}

uint64_t power_counter_update(
	struct power_counter *counter, const struct machine *machine, int package)
{
	const struct power_spec *spec = &machine->spec->power;
	double units = power_package_j(machine, package) * 1e9 / (double)spec->rapl_unit_nj;

	/* A long idle stay turns out cheaper than it looked at first: the counter waits. */
	if (units > (double)counter->units)
		counter->units = (uint64_t)units;
	return counter->units & counter_mask(spec);
}

double power_counter_passed_j(const struct power_spec *spec, uint64_t before, uint64_t after)
{
	uint64_t units = (after - before) & counter_mask(spec);

	return (double)units * (double)spec->rapl_unit_nj / 1e9;
}

double power_counter_range_j(const struct power_spec *spec)
{
	return (double)counter_mask(spec) * (double)spec->rapl_unit_nj / 1e9;
}
