#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/clock_bands.h"
#include "sim/report/compare_set.h"
#include "sim/report/csv.h"

/* residency.csv of one directory. */
struct table {
	struct csv csv;
	int repeat, khz, seconds;
	const char *seed; /* of the runs, as runs.csv beside it has it */
};

static int read_seed(struct table *t, struct arena *arena, const char *dir, struct error *err)
{
	struct csv runs;

	if (csv_read(arena, arena_printf(arena, "%s/runs.csv", dir), &runs, err) < 0)
		return -1;
	int seed = csv_column(&runs, "seed");
	t->seed = seed >= 0 && runs.nr_rows > 0 ? csv_cell(&runs, 0, seed) : "";
	return 0;
}

static int read_table(struct table *t, struct arena *arena, const char *dir, struct error *err)
{
	const char *path = arena_printf(arena, "%s/residency.csv", dir);

	if (csv_read(arena, path, &t->csv, err) < 0 || read_seed(t, arena, dir, err) < 0)
		return -1;
	t->repeat = csv_column(&t->csv, "repeat");
	t->khz = csv_column(&t->csv, "khz");
	t->seconds = csv_column(&t->csv, "seconds");
	if (t->repeat >= 0 && t->khz >= 0 && t->seconds >= 0)
		return 0;
	return error_at(err, ERROR_SCENARIO, (struct where){ .file = path },
		"no columns repeat, khz and seconds; expected what run -o writes");
}

static int64_t khz_of(const struct table *t, size_t row)
{
	return strtoll(csv_cell(&t->csv, row, t->khz), NULL, 10);
}

/* The samples of a repeat: a row for idle time, then one per band, also where it never was. */
static struct sample *take_repeat(struct comparison_set *set, struct series *series,
	const struct table *t, const struct clock_bands *bands, const char *repeat)
{
	struct sample *samples = &series->samples[series->nr];

	for (size_t i = 0; i <= bands->nr; i++) {
		samples[i] = (struct sample){ .row = "idle",
			.seed = arena_printf(set->arena, "%s+%s", t->seed, repeat) };
		if (i > 0)
			samples[i].row = clock_bands_name(bands, set->arena, i - 1);
		for (int m = 0; m < METRIC_NR; m++)
			samples[i].values[m] = NAN;
	}
	series->nr += bands->nr + 1;
	return samples;
}

static void scale_to_percent(struct sample *samples, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += samples[i].residency_pct;
	for (size_t i = 0; i < nr && sum > 0; i++)
		samples[i].residency_pct *= 100 / sum;
}

/* Rows of one repeat stand together. */
static int take_table(struct comparison_set *set, const struct table *t,
	const struct clock_bands *bands, const char *name, struct error *err)
{
	struct series *series = compare_set_series(
		set, name, t->csv.nr_rows * (bands->nr + 1), err);

	if (!series)
		return -1;
	for (size_t row = 0; row < t->csv.nr_rows;) {
		const char *repeat = csv_cell(&t->csv, row, t->repeat);
		struct sample *samples = take_repeat(set, series, t, bands, repeat);

		for (; row < t->csv.nr_rows &&
			strcmp(csv_cell(&t->csv, row, t->repeat), repeat) == 0;
			row++) {
			int64_t khz = khz_of(t, row);
			size_t i = khz ? clock_bands_of(bands, khz) + 1 : 0;

			samples[i].residency_pct += strtod(
				csv_cell(&t->csv, row, t->seconds), NULL);
		}
		scale_to_percent(samples, bands->nr + 1);
	}
	return 0;
}

int compare_read_residency(struct comparison_set *set, struct arena *arena, const char *const *dirs,
	size_t nr_dirs, const char *baseline, struct error *err)
{
	struct table *tables = arena_array(arena, nr_dirs, sizeof(*tables));
	struct clock_bands bands = { .nr = 0 };
	const char *name;

	*set = (struct comparison_set){ .arena = arena, .row_names = "clock" };
	for (size_t i = 0; i < nr_dirs; i++) {
		if (read_table(&tables[i], arena, dirs[i], err) < 0)
			return -1;
		for (size_t row = 0; row < tables[i].csv.nr_rows; row++)
			clock_bands_add(&bands, khz_of(&tables[i], row));
	}
	for (size_t i = 0; i < nr_dirs; i++)
		if (compare_set_name(arena, dirs, nr_dirs, i, &name, err) < 0 ||
			take_table(set, &tables[i], &bands, name, err) < 0)
			return -1;
	return compare_set_finish(set, baseline, err);
}
