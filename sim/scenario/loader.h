/*
 * What the readers of a scenario's sections share: what they read with, and how a governor is named
 * and filled in. Knows sections, not behaviour.
 */
#pragma once

#include "sim/scenario/scenario.h"

struct loader {
	struct arena *arena;
	const struct catalog *catalog;
	struct scenario *scenario;
	struct error *err;
};

/* A governor that a section names, a bare name or { name: NAME, ... }, with its tunables filled. */
struct governor_choice {
	const struct governor *governor;
	const char *name; /* as scaling_governor has it */
	void *tunables;
};

int loader_governor(
	const struct loader *l, const struct node *section, struct governor_choice *out);

/* The place among the policies of the one called @id, as in sysfs by its first CPU; -1 with the
 * error at @at when there is none. */
int loader_policy(const struct loader *l, int64_t id, struct where at);

/* Section governor.policies: tunables of single policies. */
int loader_policy_tunables(const struct loader *l, const struct node *section);
/* Section cpusets. */
int loader_cpusets(const struct loader *l);
/* The set that @node names. */
int loader_cpuset_of(const struct loader *l, const struct node *node, const struct cpuset **set);
/* Section events. */
int loader_events(const struct loader *l);
