#include "sim/report/compare_set.h"

#include <string.h>

#include "sim/base/str.h"

struct series *compare_set_series(
	struct comparison_set *set, const char *name, size_t max, struct error *err)
{
	for (size_t s = 0; s < set->nr_series; s++)
		if (strcmp(set->series[s].name, name) == 0)
			return &set->series[s];
	if (set->nr_series == COMPARE_MAX_SERIES) {
		error_set(err, ERROR_USAGE, "more than %d things to compare", COMPARE_MAX_SERIES);
		return NULL;
	}
	struct series *series = &set->series[set->nr_series++];
	series->name = name;
	series->samples = arena_array(set->arena, max, sizeof(*series->samples));
	return series;
}

/* "old-map" of "out/old-map/". */
static const char *base_name(struct arena *arena, const char *dir)
{
	size_t end = strlen(dir), from;

	while (end > 1 && dir[end - 1] == '/')
		end--;
	for (from = end; from > 0 && dir[from - 1] != '/';)
		from--;
	return arena_printf(arena, "%.*s", (int)(end - from), dir + from);
}

static int find_series(const struct comparison_set *set, const char *name)
{
	for (size_t s = 0; s < set->nr_series; s++)
		if (strcmp(set->series[s].name, name) == 0)
			return (int)s;
	return -1;
}

static int choose_baseline(struct comparison_set *set, const char *name, struct error *err)
{
	const char *names[COMPARE_MAX_SERIES];
	char suggestion[512];
	int found = name ? find_series(set, name) : 0;

	if (found >= 0) {
		set->baseline = (size_t)found;
		return 0;
	}
	for (size_t s = 0; s < set->nr_series; s++)
		names[s] = set->series[s].name;
	str_suggest(name, names, set->nr_series, suggestion, sizeof(suggestion));
	return error_set(
		err, ERROR_USAGE, "no series \"%.60s\" to compare with; %s", name, suggestion);
}

/* The rows in the order in which the baseline has them. */
static void collect_rows(struct comparison_set *set)
{
	const struct series *base = &set->series[set->baseline];

	set->rows = arena_array(set->arena, base->nr + 1, sizeof(*set->rows));
	for (size_t i = 0; i < base->nr; i++) {
		size_t row = set->nr_rows;

		/* Rows of one point stand together. */
		while (row > 0 && strcmp(set->rows[row - 1], base->samples[i].row) != 0)
			row--;
		if (row == 0)
			set->rows[set->nr_rows++] = base->samples[i].row;
	}
}

int compare_set_name(struct arena *arena, const char *const *dirs, size_t nr, size_t i,
	const char **name, struct error *err)
{
	*name = base_name(arena, dirs[i]);
	for (size_t k = 0; k < nr; k++) {
		if (k == i || strcmp(base_name(arena, dirs[k]), *name) != 0)
			continue;
		if (strcmp(dirs[k], dirs[i]) == 0)
			return error_set(err, ERROR_USAGE, "%s is given twice", dirs[i]);
		*name = dirs[i];
		return 0;
	}
	return 0;
}

int compare_set_finish(struct comparison_set *set, const char *baseline, struct error *err)
{
	if (set->nr_series < 2)
		return error_set(err, ERROR_USAGE,
			"one series only (%s): nothing to compare it with",
			set->nr_series ? set->series[0].name : "no runs");
	set->performance = find_series(set, "performance");
	set->powersave = find_series(set, "powersave");
	if (choose_baseline(set, baseline, err) < 0)
		return -1;
	collect_rows(set);
	return 0;
}
