/*
 * What one CPU's policy does over time: clock, load, power, and every decision about it. Knows a
 * run and looks on; takes part in nothing.
 */
#pragma once

#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"

struct scenario;

struct timeline_request {
	int64_t cpu;            /* the policy is this CPU's, the clock its own */
	int64_t from_ns, to_ns; /* to_ns NEVER_NS: until the run ends, or TIMELINE_DECISIONS */
};

/* So many decisions fill a picture; a window that has no end of its own ends with them. */
#define TIMELINE_DECISIONS 1500
/* Readings of load and power in the window. */
#define TIMELINE_STEPS 300

struct timeline {
	/* A table: kind, t_s, value, load_pct, outcome, rule. kind is "clock" (the real one, GHz)
	 * or "cur" (what the kernel believes, GHz) where it changes, "busy" (%, all CPUs of the
	 * policy) or "power" (W, all packages) for the stretch that begins there, or "decision":
	 * value is the frequency it came to (GHz), load_pct what the governor saw where its rules
	 * have it. */
	const char *data;
	int64_t from_ns, to_ns; /* the window it shows */
	int64_t decisions;
	const char *governor; /* that ran */
};

/* Runs the first repeat of @scenario, or as much of it as the window needs. 0 or -1 with @err. */
int timeline_make(struct timeline *timeline, struct arena *arena, const struct scenario *scenario,
	const struct timeline_request *request, struct error *err);
