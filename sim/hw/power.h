/*
 * Watts per state, multiplied once by the time spent there. Knows residencies and the machine's
 * power model, not why a CPU was busy. Doubles are allowed here: nothing is decided by them.
 *
 * Power of a package: package_uw always, uncore_uw while a CPU of it is busy; of a CPU: at a clock
 * what power_busy_uw() says, in an idle state what the state says; threads of a core share one such
 * power (core.h). machine_account() must have been
 * called at the time of reading.
 */
#pragma once

#include <stdint.h>

#include "sim/hw/machine.h"

/* One fully busy CPU at @clock_khz above package and uncore, in uW. Points with a measured power
 * are joined by straight lines; without one it is ceff x MHz x V^2 + leakage with the voltage
 * joined by straight lines. Below the first point voltage stays; above the last as well. */
double power_busy_uw(const struct opp_table *table, int64_t clock_khz);

/* Energy of one package or of all since the start, in joules. */
double power_package_j(const struct machine *machine, int package);
double power_energy_j(const struct machine *machine);

/*
 * A package's energy counter, as RAPL has it: whole units, brought up to date once a period, with
 * so many bits that it wraps. Whoever reads it at some time sees what it was at the last update;
 * two reads tell the energy between them as long as it has not wrapped more than once.
 */
struct power_counter {
	uint64_t units; /* what it has counted, without the wrap; it never falls */
};

/* The last update at or before @t_ns. */
int64_t power_counter_updated_ns(const struct power_spec *spec, int64_t t_ns);
/* An update now: the value that reads show until the next one. */
uint64_t power_counter_update(
	struct power_counter *counter, const struct machine *machine, int package);
/* The energy between two values. */
double power_counter_passed_j(const struct power_spec *spec, uint64_t before, uint64_t after);
/* What a counter can tell apart before it wraps. */
double power_counter_range_j(const struct power_spec *spec);
