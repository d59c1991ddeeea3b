#include "sim/catalog.h"

#include <string.h>

#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/workload.h"

const struct governor *catalog_governor(const struct catalog *catalog, const char *name)
{
	for (const struct governor *const *g = catalog->governors; *g; g++)
		if (strcmp((*g)->name, name) == 0)
			return *g;
	return NULL;
}

const struct driver *catalog_driver(const struct catalog *catalog, const char *name)
{
	for (const struct driver *const *d = catalog->drivers; *d; d++)
		if (strcmp((*d)->name, name) == 0)
			return *d;
	return NULL;
}

const struct workload *catalog_workload(const struct catalog *catalog, const char *name)
{
	for (const struct workload *const *w = catalog->workloads; *w; w++)
		if (strcmp((*w)->name, name) == 0)
			return *w;
	return NULL;
}

static const char *room_name(const struct catalog *catalog, enum catalog_room room, size_t i)
{
	switch (room) {
	case ROOM_GOVERNORS:
		return catalog->governors[i] ? catalog->governors[i]->name : NULL;
	case ROOM_DRIVERS:
		return catalog->drivers[i] ? catalog->drivers[i]->name : NULL;
	case ROOM_WORKLOADS:
		return catalog->workloads[i] ? catalog->workloads[i]->name : NULL;
	}
	return NULL;
}

size_t catalog_names(const struct catalog *catalog, enum catalog_room room, const char **names,
	size_t max)
{
	size_t nr = 0;

	while (nr < max && (names[nr] = room_name(catalog, room, nr)))
		nr++;
	return nr;
}
