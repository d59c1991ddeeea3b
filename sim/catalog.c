#include "sim/catalog.h"

#include <string.h>

#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/workload.h"

const char *catalog_noun(enum catalog_room room)
{
	static const char *const nouns[] = {
		[ROOM_GOVERNORS] = "governor",
		[ROOM_DRIVERS] = "driver",
		[ROOM_WORKLOADS] = "workload",
	};

	return nouns[room];
}

static bool governor_entry(const struct governor *g, struct catalog_entry *out)
{
	if (g)
		*out = (struct catalog_entry){ g->name, g->summary, g->params, g->tunables_size,
			g };
	return g != NULL;
}

static bool driver_entry(const struct driver *d, struct catalog_entry *out)
{
	if (d)
		*out = (struct catalog_entry){ d->name, d->summary, d->params, d->params_size, d };
	return d != NULL;
}

static bool workload_entry(const struct workload *w, struct catalog_entry *out)
{
	if (w)
		*out = (struct catalog_entry){ w->name, w->summary, w->params, w->params_size, w };
	return w != NULL;
}

bool catalog_at(
	const struct catalog *catalog, enum catalog_room room, size_t i, struct catalog_entry *out)
{
	switch (room) {
	case ROOM_GOVERNORS:
		return governor_entry(catalog->governors[i], out);
	case ROOM_DRIVERS:
		return driver_entry(catalog->drivers[i], out);
	case ROOM_WORKLOADS:
		return workload_entry(catalog->workloads[i], out);
	}
	return false;
}

/* As with modules, - and _ are one character: Linux has both pcc-cpufreq and cppc_cpufreq. */
static bool same_name(const char *a, const char *b)
{
	while (*a && (*a == *b || (strchr("-_", *a) && *b && strchr("-_", *b)))) {
		a++;
		b++;
	}
	return *a == *b;
}

bool catalog_find(const struct catalog *catalog, enum catalog_room room, const char *name,
	struct catalog_entry *out)
{
	for (size_t i = 0; catalog_at(catalog, room, i, out); i++)
		if (same_name(out->name, name))
			return true;
	return false;
}

size_t catalog_names(
	const struct catalog *catalog, enum catalog_room room, const char **names, size_t max)
{
	struct catalog_entry entry;
	size_t nr = 0;

	for (; nr < max && catalog_at(catalog, room, nr, &entry); nr++)
		names[nr] = entry.name;
	return nr;
}
