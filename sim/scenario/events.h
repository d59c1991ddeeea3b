/*
 * What happens to a running machine at given times, as plain data: a tunable is written, limits or
 * the governor change, turbo is switched, a CPU goes offline or comes back. Knows what a scenario
 * asks; the host does it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"

struct governor;
struct param;

enum event_kind {
	EVENT_TUNABLE,
	EVENT_MIN_FREQ,
	EVENT_MAX_FREQ,
	EVENT_GOVERNOR,
	EVENT_TURBO,
	EVENT_ONLINE,
};

#define EVENT_ALL (-1)

struct event_spec {
	int64_t at_ns;
	int64_t policy; /* its place among the policies; EVENT_ALL */
	enum event_kind kind;
	struct where where;

	/* TUNABLE: of which governor, the row and the text that has been checked against it. */
	const struct param *row;
	const char *value;
	int64_t khz; /* MIN_FREQ, MAX_FREQ */
	bool turbo;  /* TURBO */
	int cpu;     /* ONLINE */
	bool online; /* ONLINE: comes back, or goes */
	/* TUNABLE, GOVERNOR */
	const struct governor *governor;
	const char *governor_name;
	const void *tunables; /* GOVERNOR: of the new one */
};

/* Tunables of one policy from the start, where they differ from the rest's. */
struct policy_tunables {
	int policy; /* its place among the policies */
	const void *tunables;
	struct where where;
};
