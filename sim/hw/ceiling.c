#include "sim/hw/ceiling.h"

#include <math.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/hw/machine.h"
#include "sim/hw/power.h"

/* An average this far below its limit may be used up again. */
#define RELEASED 0.95

int64_t ceiling_turbo_khz(const struct machine_spec *spec, int cores)
{
	for (size_t i = 0; i < spec->nr_turbo; i++)
		if (cores <= spec->turbo[i].last)
			return spec->turbo[i].khz;
	return spec->nr_turbo ? spec->turbo[spec->nr_turbo - 1].khz : INT64_MAX;
}

static bool has_clock(const int64_t *clocks_khz, size_t nr, int64_t khz)
{
	for (size_t i = 0; i < nr; i++)
		if (clocks_khz[i] == khz)
			return true;
	return false;
}

/* Puts it where the ascending list has its place. */
static void insert(int64_t *clocks_khz, size_t *nr, int64_t khz)
{
	size_t at = (*nr)++;

	for (; at > 0 && clocks_khz[at - 1] > khz; at--)
		clocks_khz[at] = clocks_khz[at - 1];
	clocks_khz[at] = khz;
}

const int64_t *ceiling_clocks(
	const struct machine_spec *spec, const int64_t *clocks_khz, size_t *nr, struct arena *arena)
{
	int64_t *all;

	if (spec->nr_turbo == 0)
		return clocks_khz;
	all = arena_array(arena, *nr + spec->nr_turbo, sizeof(*all));
	memcpy(all, clocks_khz, *nr * sizeof(*all));
	for (size_t i = 0; i < spec->nr_turbo; i++) {
		int64_t khz = spec->turbo[i].khz;

		if (khz > all[0] && khz < all[*nr - 1] && !has_clock(all, *nr, khz))
			insert(all, nr, khz);
	}
	return all;
}

static bool in_package(const struct domain *domain, const struct package *package)
{
	return domain->cpus[0]->package == package;
}

/* The highest clock of the list that turbo and limits allow. */
static int cap_of(const struct ceiling *ceiling, const struct domain *domain)
{
	int steps = ceiling->power_steps > ceiling->heat_steps ? ceiling->power_steps
							       : ceiling->heat_steps;
	int by_limits = domain->nr_clocks - 1 - steps;
	int by_turbo = domain_clock_index(domain, ceiling->turbo_khz);
	int cap = by_turbo < by_limits ? by_turbo : by_limits;

	return cap > 0 ? cap : 0;
}

static void apply(struct ceiling *ceiling, struct machine *machine)
{
	for (int i = 0; i < machine->nr_domains; i++) {
		struct domain *domain = &machine->domains[i];

		if (in_package(domain, ceiling->package))
			domain_cap(domain, cap_of(ceiling, domain));
	}
}

void ceiling_count_core(struct ceiling *ceiling, int change)
{
	struct machine *machine = ceiling->package->machine;
	int64_t khz;

	ceiling->active_cores += change;
	khz = ceiling_turbo_khz(machine->spec, ceiling->active_cores);
	if (khz == ceiling->turbo_khz)
		return;
	ceiling->turbo_khz = khz;
	apply(ceiling, machine);
}

/* Busy power of a CPU of each domain, @up steps above where it runs now. */
static double busy_uw(const struct ceiling *ceiling, const struct machine *machine, int up)
{
	double sum = 0;

	for (int i = 0; i < machine->nr_domains; i++) {
		const struct domain *domain = &machine->domains[i];
		int clock = domain->clock + up;

		if (!in_package(domain, ceiling->package))
			continue;
		clock = clock < domain->nr_clocks ? clock : domain->nr_clocks - 1;
		sum += power_busy_uw(domain->cpus[0]->table, domain->clocks_khz[clock]);
	}
	return sum;
}

/* Power a step further up: what depends on the clock grows with the power of a busy CPU. */
static double watts_above(const struct ceiling *ceiling, const struct machine *machine)
{
	const struct power_spec *power = &machine->spec->power;
	double fixed = (double)(power->package_uw + power->uncore_uw) / 1e6;
	double rest = ceiling->watts > fixed ? ceiling->watts - fixed : 0;

	return fixed + rest * busy_uw(ceiling, machine, 1) / busy_uw(ceiling, machine, 0);
}

static int step_power(struct ceiling *ceiling, const struct machine *machine)
{
	double limit_w = (double)machine->spec->hardware.power_limit_uw / 1e6;

	if (ceiling->average_w >= limit_w)
		ceiling->holding = true;
	else if (ceiling->average_w < RELEASED * limit_w)
		ceiling->holding = false;
	if (!ceiling->holding)
		return -1;
	if (ceiling->watts > limit_w)
		return 1;
	return watts_above(ceiling, machine) <= limit_w ? -1 : 0;
}

static int step_heat(const struct ceiling *ceiling, const struct machine *machine)
{
	const struct hardware_spec *spec = &machine->spec->hardware;
	double trip = (double)spec->trip_mc / 1e3;

	if (ceiling->celsius >= trip)
		return 1;
	return ceiling->celsius < trip - (double)spec->hysteresis_mc / 1e3 ? -1 : 0;
}

static int moved(int steps, int by, int max)
{
	return steps + by < 0 ? 0 : steps + by > max ? max : steps + by;
}

static void heat(struct ceiling *ceiling, struct machine *machine)
{
	int steps = moved(ceiling->heat_steps, step_heat(ceiling, machine), ceiling->max_steps);

	if (steps == ceiling->heat_steps)
		return;
	ceiling->heat_steps = steps;
	for (int i = 0; i < machine->nr_domains && machine->spec->hardware.pressure; i++) {
		const struct domain *domain = &machine->domains[i];
		int cap = domain->nr_clocks - 1 - steps;

		if (in_package(domain, ceiling->package))
			machine->capped(machine->arg, domain, cap > 0 ? cap : 0);
	}
}

/* Whether the machine says how its packages warm up; others stay as cool as at the start. */
static bool warms(const struct hardware_spec *spec)
{
	return spec->resistance_mk_per_w > 0 && spec->heat_capacity_mj_per_k > 0;
}

static void warm(struct ceiling *ceiling, const struct ceilings *all)
{
	const struct hardware_spec *spec = &all->machine->spec->hardware;
	double steady = (double)spec->ambient_mc / 1e3 +
		ceiling->watts * (double)spec->resistance_mk_per_w / 1e3;

	ceiling->celsius = steady + (ceiling->celsius - steady) * all->heat_decay;
}

static void look_at(struct ceiling *ceiling, struct ceilings *all)
{
	struct machine *machine = all->machine;
	const struct hardware_spec *spec = &machine->spec->hardware;
	double joules = power_package_j(machine, ceiling->package->id);
	/* A long idle stay turns out cheaper than it looked at first. */
	double watts = fmax(joules - ceiling->energy_j, 0) * 1e9 / (double)spec->period_ns;

	ceiling->energy_j = joules;
	ceiling->watts = watts;
	ceiling->average_w = watts + (ceiling->average_w - watts) * all->average_decay;
	if (warms(spec))
		warm(ceiling, all);
	if (spec->limit_power)
		ceiling->power_steps = moved(
			ceiling->power_steps, step_power(ceiling, machine), ceiling->max_steps);
	if (spec->limit_temperature)
		heat(ceiling, machine);
	apply(ceiling, machine);
}

static void look(struct timer *timer)
{
	struct ceilings *all = container_of(timer, struct ceilings, look);
	struct machine *machine = all->machine;

	machine_account(machine);
	for (int i = 0; i < machine->nr_packages; i++)
		look_at(&all->packages[i], all);
	timer_arm(timer, machine->engine->now_ns + machine->spec->hardware.period_ns);
}

/* As the machine stood idle before the run: no average, and as warm as what is around it. */
static void build_package(struct ceiling *ceiling, struct machine *machine, int package)
{
	ceiling->package = &machine->packages[package];
	ceiling->package->ceiling = ceiling;
	ceiling->turbo_khz = ceiling_turbo_khz(machine->spec, 0);
	ceiling->celsius = (double)machine->spec->hardware.ambient_mc / 1e3;
	for (int i = 0; i < machine->nr_domains; i++) {
		const struct domain *domain = &machine->domains[i];

		if (in_package(domain, ceiling->package) &&
			domain->nr_clocks - 1 > ceiling->max_steps)
			ceiling->max_steps = domain->nr_clocks - 1;
	}
	apply(ceiling, machine);
}

static bool looks(const struct machine *machine)
{
	const struct hardware_spec *spec = &machine->spec->hardware;

	return spec->limit_power || spec->limit_temperature;
}

void ceilings_build(struct machine *machine, struct arena *arena)
{
	const struct hardware_spec *spec = &machine->spec->hardware;
	struct ceilings *all;

	if (machine->spec->nr_turbo == 0 && !looks(machine))
		return;
	all = machine->ceilings = arena_alloc(arena, sizeof(*all));
	all->machine = machine;
	all->packages = arena_array(arena, (size_t)machine->nr_packages, sizeof(*all->packages));
	all->average_decay = exp(-(double)spec->period_ns / (double)spec->power_window_ns);
	if (warms(spec))
		all->heat_decay = exp(-(double)spec->period_ns / 1e3 /
			((double)spec->resistance_mk_per_w * (double)spec->heat_capacity_mj_per_k));
	for (int i = 0; i < machine->nr_packages; i++)
		build_package(&all->packages[i], machine, i);
	timer_init(machine->engine, &all->look, ORDER_CLOCK, look);
}

void ceilings_start(struct machine *machine)
{
	if (machine->ceilings && looks(machine))
		timer_arm(&machine->ceilings->look, machine->spec->hardware.period_ns);
}

size_t ceilings_pending(const struct machine *machine)
{
	return machine->ceilings && timer_armed(&machine->ceilings->look);
}
