#include "sim/scenario/cpusets.h"

#include <string.h>

#include "sim/base/str.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/rows.h"

#define SUGGESTIONS_MAX 64

/* "3" or "0-14", of CPUs that the machine has. */
static int read_range(const struct loader *l, const struct node *node, struct cpumask *cpus)
{
	int nr = l->scenario->machine.nr_cpus, from, to;

	if (rows_range(node, nr, &from, &to)) {
		for (; from <= to; from++)
			cpumask_set(cpus, from);
		return 0;
	}
	return rows_mismatch(node, "a cpuset",
		arena_printf(l->arena,
			"a CPU, a range like 0-1, or a list of these; the machine has 0 to %d",
			nr - 1),
		l->err);
}

static int read_set(const struct loader *l, const struct node *node, struct cpuset *set)
{
	set->name = node->key;
	if (node->type != NODE_SEQ || !node->first)
		return read_range(l, node, &set->cpus);
	for (const struct node *range = node->first; range; range = range->next)
		if (read_range(l, range, &set->cpus) < 0)
			return -1;
	return 0;
}

int loader_cpusets(const struct loader *l)
{
	struct scenario *scenario = l->scenario;
	const struct node *map = node_get(scenario->root, "cpusets");
	struct cpuset *sets;

	if (!map || (map->type == NODE_SCALAR && !*map->text))
		return 0;
	if (map->type != NODE_MAP)
		return rows_mismatch(map, "cpusets", "a map such as { batch: 2-3 }", l->err);
	sets = arena_array(l->arena, map->nr, sizeof(*sets));
	scenario->cpusets = sets;
	for (const struct node *node = map->first; node; node = node->next)
		if (read_set(l, node, &sets[scenario->nr_cpusets++]) < 0)
			return -1;
	return 0;
}

int loader_cpuset_of(const struct loader *l, const struct node *node, const struct cpuset **set)
{
	const struct scenario *scenario = l->scenario;
	const char *names[SUGGESTIONS_MAX];
	char suggestion[256];
	size_t nr = 0;

	if (node->type != NODE_SCALAR)
		return rows_mismatch(node, "cpuset", "the name of one of cpusets", l->err);
	for (size_t i = 0; i < scenario->nr_cpusets; i++) {
		if (strcmp(scenario->cpusets[i].name, node->text) == 0)
			*set = &scenario->cpusets[i];
		if (nr < SUGGESTIONS_MAX)
			names[nr++] = scenario->cpusets[i].name;
	}
	if (*set)
		return 0;
	if (!nr)
		return error_at(l->err, ERROR_SCENARIO, node->at,
			"cpuset: no cpuset \"%.60s\"; the scenario has no section cpusets",
			node->text);
	str_suggest(node->text, names, nr, suggestion, sizeof(suggestion));
	return error_at(l->err, ERROR_SCENARIO, node->at, "cpuset: no cpuset \"%.60s\"; %s",
		node->text, suggestion);
}
