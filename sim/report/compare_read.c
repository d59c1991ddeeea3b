#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/report/compare_set.h"
#include "sim/report/csv.h"

/* Where the columns of one table are. */
struct columns {
	struct csv csv;
	int first_axis, end_axes; /* between "point" and "repeat"; equal without axes */
	int across;               /* -1: none */
	int seed, failure;
	int metrics[METRIC_NR];
};

static int find_columns(struct columns *c, const char *across, struct error *err)
{
	const struct csv *csv = &c->csv;
	int point = csv_column(csv, "point"), repeat = csv_column(csv, "repeat");

	c->seed = csv_column(csv, "seed");
	c->failure = csv_column(csv, "failure");
	if (repeat < 0 || c->seed < 0)
		return error_at(err, ERROR_SCENARIO, (struct where){ .file = csv->path },
			"no columns repeat and seed; expected what run -o or sweep -o writes");
	c->first_axis = point >= 0 ? point + 1 : 0;
	c->end_axes = point >= 0 ? repeat : 0;
	c->across = -1;
	for (int i = c->first_axis; across && i < c->end_axes; i++)
		if (strcmp(csv->header[i], across) == 0)
			c->across = i;
	if (across && c->across < 0) {
		char suggestion[512];

		str_suggest(across, csv->header + c->first_axis,
			(size_t)(c->end_axes - c->first_axis), suggestion, sizeof(suggestion));
		return error_at(err, ERROR_USAGE, (struct where){ .file = csv->path },
			"no axis \"%.60s\"; %s", across, suggestion);
	}
	for (int m = 0; m < METRIC_NR; m++)
		c->metrics[m] = csv_column(csv, metric_infos[m].name);
	return 0;
}

static const char *join(struct arena *arena, const char *list, const char *text)
{
	return *list ? arena_printf(arena, "%s %s", list, text) : text;
}

/* The values, or with @row below 0 the names, of the axes that make no series. */
static const char *join_axes(struct arena *arena, const struct columns *c, int64_t row)
{
	const char *text = "";

	for (int i = c->first_axis; i < c->end_axes; i++)
		if (i != c->across)
			text = join(arena, text,
				row < 0 ? c->csv.header[i] : csv_cell(&c->csv, (size_t)row, i));
	return text;
}

static double read_value(const struct columns *c, size_t row, int column)
{
	const char *text = column >= 0 ? csv_cell(&c->csv, row, column) : "";
	char *end;
	double value = strtod(text, &end);

	return *text && !*end ? value : (double)NAN;
}

static void take_row(
	struct comparison_set *set, struct series *series, const struct columns *c, size_t row)
{
	if (c->failure >= 0 && *csv_cell(&c->csv, row, c->failure)) {
		series->nr_failed++;
		return;
	}
	struct sample *sample = &series->samples[series->nr++];
	sample->row = join_axes(set->arena, c, (int64_t)row);
	sample->seed = csv_cell(&c->csv, row, c->seed);
	int repeat = csv_column(&c->csv, "repeat");
	/* run -o writes the master seed: the repeat tells its runs apart. */
	if (c->end_axes == 0)
		sample->seed = arena_printf(
			set->arena, "%s+%s", sample->seed, csv_cell(&c->csv, row, repeat));
	for (int m = 0; m < METRIC_NR; m++)
		sample->values[m] = read_value(c, row, c->metrics[m]);
}

static int read_directory(struct comparison_set *set, const char *dir, const char *name, bool alone,
	struct error *err)
{
	const char *path = arena_printf(set->arena, "%s/runs.csv", dir);
	struct columns c;

	if (csv_read(set->arena, path, &c.csv, err) < 0 || find_columns(&c, set->across, err) < 0)
		return -1;
	if (alone && !set->across) {
		if (c.first_axis == c.end_axes)
			return error_set(err, ERROR_USAGE,
				"%s has one series only: nothing to compare it with", dir);
		c.across = c.first_axis;
		set->across = c.csv.header[c.across];
	}
	const char *names = join_axes(set->arena, &c, -1);
	if (set->row_names && strcmp(set->row_names, names) != 0)
		return error_at(err, ERROR_SCENARIO, (struct where){ .file = path },
			"has axes \"%s\", others \"%s\": their rows do not match", names,
			set->row_names);
	set->row_names = names;
	for (size_t row = 0; row < c.csv.nr_rows; row++) {
		const char *value = c.across < 0 ? name : csv_cell(&c.csv, row, c.across);
		struct series *series = compare_set_series(set,
			c.across >= 0 && !alone ? arena_printf(set->arena, "%s:%s", name, value)
						: value,
			c.csv.nr_rows, err);

		if (!series)
			return -1;
		take_row(set, series, &c, row);
	}
	return 0;
}

int compare_read(struct comparison_set *set, struct arena *arena, const char *const *dirs,
	size_t nr_dirs, const char *across, const char *baseline, struct error *err)
{
	*set = (struct comparison_set){ .arena = arena, .across = across };
	for (size_t i = 0; i < nr_dirs; i++) {
		const char *name;

		if (compare_set_name(arena, dirs, nr_dirs, i, &name, err) < 0 ||
			read_directory(set, dirs[i], name, nr_dirs == 1, err) < 0)
			return -1;
	}
	return compare_set_finish(set, baseline, err);
}
