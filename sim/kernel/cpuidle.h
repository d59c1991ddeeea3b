/*
 * Which idle state a CPU enters and whether its tick stops: the governors teo and menu, and an
 * ideal one that knows how long the CPU will idle. Knows times and states of a machine, no run
 * queue. ns unless a name says otherwise.
 *
 * Follows drivers/cpuidle/governors/{teo,menu}.c of Linux 5.10 (described, not checked by vectors:
 * read as published, with no recording of the functions at hand).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/hw/machine_spec.h"

#define CPUIDLE_STATES_MAX 16
#define CPUIDLE_INTERVALS 8
#define CPUIDLE_BUCKETS 12

enum cpuidle_governor {
	CPUIDLE_IDEAL, /* the deepest state that the stay pays for; the tick always stops */
	CPUIDLE_TEO,
	CPUIDLE_MENU,
};

/* What a governor may know when the CPU is about to idle. */
struct cpuidle_query {
	int64_t now_ns;
	int64_t next_timer_ns; /* from now to the CPU's next timer but the tick; NEVER_NS: none */
	int64_t next_tick_ns;  /* from now to the next timer or tick, whichever is first */
	int64_t tick_ns;       /* its period */
	bool tick_stopped;     /* already, and not started again since */
	int nr_iowait;         /* tasks of this CPU that wait for a device */
};

struct cpuidle_choice {
	int state;
	bool stop_tick;
};

struct teo_state {
	uint32_t early_hits, hits, misses;
};

struct cpuidle {
	enum cpuidle_governor governor;
	const struct cstate_spec *cstates; /* of the CPU; state 0 may be one that polls */
	int nr_cstates;
	bool polls;     /* state 0 does */
	int last_state; /* -1: nothing to learn from */
	int64_t entered_ns, sleep_length_ns, measured_ns;
	int64_t tick_ns;
	bool tick_woke;
	/* teo */
	struct teo_state states[CPUIDLE_STATES_MAX];
	int64_t intervals[CPUIDLE_INTERVALS]; /* menu: in us */
	int interval;
	/* menu */
	uint32_t factors[CPUIDLE_BUCKETS];
	int bucket;
};

void cpuidle_init(struct cpuidle *idle, enum cpuidle_governor governor,
	const struct cstate_spec *cstates, int nr);
/* The CPU is about to idle. */
struct cpuidle_choice cpuidle_select(struct cpuidle *idle, const struct cpuidle_query *query);
/* It has left the state chosen last; @tick: it was the tick that woke it. */
void cpuidle_reflect(struct cpuidle *idle, int64_t now_ns, bool tick);

/* The deepest state whose target residency is @ns or less, at most @deepest. */
int cpuidle_deepest(const struct cstate_spec *cstates, int64_t ns, int deepest);
