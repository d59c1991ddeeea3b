/*
 * What exists, by name: one list per plug-in room, passed from main(). Knows names, not behaviour.
 */
#pragma once

#include <stddef.h>

struct governor;
struct driver;
struct workload;

struct catalog {
	const struct governor *const *governors; /* NULL-terminated lists */
	const struct driver *const *drivers;
	const struct workload *const *workloads;
};

const struct governor *catalog_governor(const struct catalog *catalog, const char *name);
const struct driver *catalog_driver(const struct catalog *catalog, const char *name);
const struct workload *catalog_workload(const struct catalog *catalog, const char *name);

enum catalog_room { ROOM_GOVERNORS, ROOM_DRIVERS, ROOM_WORKLOADS };

/* The names of a room into @names (at most @max), returns how many. */
size_t catalog_names(const struct catalog *catalog, enum catalog_room room, const char **names,
	size_t max);
