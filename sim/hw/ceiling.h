/*
 * What holds the clocks of a package below what is asked for: turbo by the number of busy cores, a
 * limit on the running average of power, and temperature. Knows votes, energy and busy cores; no
 * kernel: requests stay as they are, the clock that runs is lower, and APERF tells.
 *
 * Power and temperature act by steps: so many entries below the highest of each clock list of the
 * package. They look once a period. Firmware does this in ways that no vendor publishes; the rules
 * here are assumptions:
 *
 *   power        the running average is a low pass of one time constant, the window. While it is
 *                below the limit the clock may rise a step a period. When it reaches the limit,
 *                and until it has fallen 5 % below, the clock falls a step where the last period
 *                took more than the limit, and rises one where that would still fit.
 *   temperature  one heat capacity over one resistance to the surroundings. At the trip point or
 *                above a step down a period, more than the hysteresis below it a step up.
 *
 * Watts, degrees Celsius, joules in doubles: the only place where they decide something.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/engine/engine.h"

struct machine;
struct machine_spec;
struct package;

struct ceiling {
	struct package *package;
	int active_cores;  /* with a busy CPU */
	int64_t turbo_khz; /* of that many; INT64_MAX: no table */
	int power_steps, heat_steps;
	int max_steps;
	bool holding; /* the average has reached the limit */
	double energy_j;
	double average_w, celsius;
	double watts; /* of the last period */
};

/* All packages of a machine; one timer for those that look at power and temperature. */
struct ceilings {
	struct machine *machine;
	struct ceiling *packages;
	struct timer look;
	double average_decay, heat_decay; /* of one period */
};

/* The highest clock with so many busy cores by the machine's table; INT64_MAX without one. */
int64_t ceiling_turbo_khz(const struct machine_spec *spec, int cores);

/* A driver's list of clocks with those that turbo stops at, which no request names. */
const int64_t *ceiling_clocks(const struct machine_spec *spec, const int64_t *clocks_khz,
	size_t *nr, struct arena *arena);

/* Build, once the domains have their clocks. Machines without any of the three have no ceilings. */
void ceilings_build(struct machine *machine, struct arena *arena);
/* The engine has been started. */
void ceilings_start(struct machine *machine);
/* Timers of this file that are always armed. */
size_t ceilings_pending(const struct machine *machine);

/* Called by cpu.c: a core of the package has become busy (1) or idle (-1). */
void ceiling_count_core(struct ceiling *ceiling, int change);
