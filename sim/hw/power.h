/*
 * Watts per state, multiplied once by the time spent there. Knows residencies and the machine's
 * power model, not why a CPU was busy. Doubles are allowed here: nothing is decided by them.
 *
 * Power of a package: package_uw always, uncore_uw while a CPU of it is busy; of a CPU: at a clock
 * what power_busy_uw() says, in an idle state what the state says. machine_account() must have been
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

/* The same as the energy counters tell it: whole multiples of the counter's unit per package. */
double power_counter_j(const struct machine *machine);
