/*
 * The watch over a run: after every event it checks what holds of any run, whatever is simulated.
 * Knows all of a run's state; changes nothing. On in debug builds and in tests. A look costs as
 * much as the machine is large: beyond a few CPUs it is taken every so many events, time alone at
 * each.
 *
 * Time never goes back. A CPU's residencies add up to the time passed. No work is negative, and
 * none is lost or invented: what tasks were given is done or left. Every task is in one place. A
 * policy's frequency is one the hardware has, and its limits are in order. No clock runs above what
 * turbo, power and temperature allow. Energy does not fall.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct run;

struct watch {
	struct run *run;
	void (*settle)(void *arg); /* what the engine called before */
	void *settle_arg;
	int *waiting;          /* per CPU: tasks found that wait there */
	const double *busy_uw; /* per CPU and clock */
	int64_t now_ns;
	double energy_j;
	uint64_t checks;
	uint64_t stride, events; /* a look every stride events */
	char broken[256];        /* what did not hold, and when; "": all held */
};

/* Build, under arena_try(): from the first event on; a breach stops the run. */
void watch_start(struct watch *watch, struct run *run);
/* One look at everything; false with watch->broken. */
bool watch_check(struct watch *watch);
