/*
 * What exists, by name: one list per plug-in room, passed from main(). Knows names and rows, not
 * behaviour.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct governor;
struct driver;
struct workload;
struct param;

struct catalog {
	const struct governor *const *governors; /* NULL-terminated lists */
	const struct driver *const *drivers;
	const struct workload *const *workloads;
};

enum catalog_room { ROOM_GOVERNORS, ROOM_DRIVERS, ROOM_WORKLOADS };

/* What every plug-in has, whatever its room. */
struct catalog_entry {
	const char *name, *summary;
	const struct param *params; /* may be NULL: no rows */
	size_t params_size;
	const void *plugin; /* the struct governor, driver or workload */
};

/* "governor", "driver", "workload". */
const char *catalog_noun(enum catalog_room room);

/* Entry number @i of a room, in the room's order; false behind the last. */
bool catalog_at(
	const struct catalog *catalog, enum catalog_room room, size_t i, struct catalog_entry *out);

/* The entry called @name; false when there is none. */
bool catalog_find(const struct catalog *catalog, enum catalog_room room, const char *name,
	struct catalog_entry *out);

/* The names of a room into @names (at most @max), returns how many. */
size_t catalog_names(
	const struct catalog *catalog, enum catalog_room room, const char **names, size_t max);
