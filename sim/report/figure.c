#include "sim/report/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/csv.h"
#include "sim/report/figure_text.h"
#include "sim/report/stats.h"

#define MAX_SUFFIX 8

/* One axis as its column says. */
struct column {
	int index;
	bool numeric;
	char suffix[MAX_SUFFIX]; /* what stands behind every number */
	double *values;          /* ascending, each once */
	size_t nr_values;
};

/* A point: its row of the table, and what its runs took. */
struct spot {
	size_t row;
	size_t series;
	double x, y;
	double x_lo, x_hi, y_lo, y_hi; /* borders of its field in a map */
	struct stats elapsed_s, energy_j;
	size_t runs;
	bool front;
};

/* The number at the start of a value, with the same unit as those before it. */
static bool read_number(struct column *column, const char *text, bool first, double *value)
{
	char *end;

	*value = strtod(text, &end);
	if (end == text || strlen(end) >= MAX_SUFFIX)
		return false;
	if (first)
		snprintf(column->suffix, sizeof(column->suffix), "%s", end);
	return strcmp(column->suffix, end) == 0;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *one = a, *two = b;

	return (*one > *two) - (*one < *two);
}

static void inspect_column(struct column *column, struct arena *arena, const struct csv *csv)
{
	double *values = arena_array(arena, csv->nr_rows + 1, sizeof(*values));

	column->numeric = true;
	for (size_t row = 0; row < csv->nr_rows && column->numeric; row++)
		column->numeric = read_number(
			column, csv_cell(csv, row, column->index), row == 0, &values[row]);
	if (!column->numeric || csv->nr_rows == 0)
		return;
	qsort(values, csv->nr_rows, sizeof(*values), compare_doubles);
	column->values = values;
	for (size_t i = 0; i < csv->nr_rows; i++)
		if (i == 0 || values[i] > values[column->nr_values - 1])
			values[column->nr_values++] = values[i];
}

/* The borders of a value's field: half way to the values beside it, and as far at the ends. */
static void find_borders(const struct column *column, double value, double *low, double *high)
{
	const double *values = column->values;
	size_t i = 0, last = column->nr_values - 1;

	while (i < last && values[i] < value)
		i++;
	double below = i > 0 ? value - values[i - 1] : 0,
	       above = i < last ? values[i + 1] - value : 0;
	*low = value - (below > 0 ? below : above > 0 ? above : 1) / 2;
	*high = value + (above > 0 ? above : below > 0 ? below : 1) / 2;
}

/* The numeric axis with most values lies across, the next one upwards. */
static void choose_axes(struct column *columns, size_t nr, size_t *x, size_t *y)
{
	*x = *y = nr;
	for (size_t i = 0; i < nr; i++) {
		if (!columns[i].numeric)
			continue;
		if (*x == nr || columns[i].nr_values > columns[*x].nr_values) {
			*y = *x;
			*x = i;
		} else if (*y == nr || columns[i].nr_values > columns[*y].nr_values) {
			*y = i;
		}
	}
}

static const char *axis_name(struct arena *arena, const struct csv *csv, const struct column *c)
{
	const char *name = csv->header[c->index];

	return *c->suffix ? arena_printf(arena, "%s (%s)", name, c->suffix) : name;
}

/* The place of a text in a list, which grows by new ones; @max when it is full. */
static size_t place_of(const char **list, size_t *nr, size_t max, const char *text)
{
	size_t i = 0;

	while (i < *nr && strcmp(list[i], text) != 0)
		i++;
	if (i == *nr && *nr < max)
		list[(*nr)++] = text;
	return i;
}

/* The axes beside x, joined by blanks: values in a row of @cells, or names in the head. */
static const char *series_text(struct arena *arena, const char *const *cells,
	const struct column *columns, size_t nr, size_t x)
{
	const char *text = "";

	for (size_t i = 0; i < nr; i++)
		if (i != x)
			text = arena_printf(
				arena, "%s%s%s", text, *text ? " " : "", cells[columns[i].index]);
	return text;
}

/* Runs of one point stand together: their mean values. Returns the row behind them. */
static size_t measure_spot(struct arena *arena, const struct csv *csv, struct spot *spot)
{
	int point = csv_column(csv, "point"), elapsed = csv_column(csv, "elapsed_s");
	int energy = csv_column(csv, "energy_pkg_j");
	size_t end = spot->row, nr = 0;

	while (end < csv->nr_rows &&
		strcmp(csv_cell(csv, end, point), csv_cell(csv, spot->row, point)) == 0)
		end++;
	double *values = arena_array(arena, 2 * (end - spot->row), sizeof(*values));
	for (size_t row = spot->row; row < end; row++) {
		if (!*csv_cell(csv, row, elapsed))
			continue;
		values[2 * nr] = strtod(csv_cell(csv, row, elapsed), NULL);
		values[2 * nr++ + 1] = strtod(csv_cell(csv, row, energy), NULL);
	}
	spot->runs = nr;
	if (nr > 0) {
		stats_of(values, 2, nr, &spot->elapsed_s);
		stats_of(values + 1, 2, nr, &spot->energy_j);
	}
	return end;
}

static void find_front(struct spot *spots, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		double s = spots[i].elapsed_s.mean, j = spots[i].energy_j.mean;

		spots[i].front = true;
		for (size_t k = 0; k < nr && spots[i].front; k++) {
			double other_s = spots[k].elapsed_s.mean, other_j = spots[k].energy_j.mean;

			if (other_s <= s && other_j <= j && (other_s < s || other_j < j))
				spots[i].front = false;
		}
	}
}

static void write_stats(FILE *out, const struct stats *stats)
{
	fprintf(out, ",%.9g,%.9g,%.9g", stats->mean, stats->mean - stats->ci95,
		stats->mean + stats->ci95);
}

static const char *write_spots(struct arena *arena, const struct csv *csv, int x_column,
	const struct spot *spots, size_t nr, struct error *err)
{
	struct figure_text text;

	if (figure_text_start(&text, err) < 0)
		return NULL;
	FILE *out = text.out;
	fputs("series,x,x_label,y,elapsed_s,elapsed_lo,elapsed_hi,energy_j,energy_lo,energy_hi,"
	      "front,x_lo,x_hi,y_lo,y_hi\n",
		out);
	for (size_t i = 0; i < nr; i++) {
		fprintf(out, "%zu,%.9g,", spots[i].series + 1, spots[i].x);
		csv_field(out, csv_cell(csv, spots[i].row, x_column));
		fprintf(out, ",%.9g", spots[i].y);
		write_stats(out, &spots[i].elapsed_s);
		write_stats(out, &spots[i].energy_j);
		fprintf(out, ",%d,%.9g,%.9g,%.9g,%.9g\n", spots[i].front, spots[i].x_lo,
			spots[i].x_hi, spots[i].y_lo, spots[i].y_hi);
	}
	return figure_text_end(&text, arena, err);
}

/* The axes of the table, in @columns with room for as many as it has. */
static size_t find_axes(const struct csv *csv, struct column *columns)
{
	int from = csv_column(csv, "point"), to = csv_column(csv, "repeat");
	size_t nr = 0;

	for (int i = from + 1; from >= 0 && i < to; i++)
		columns[nr++].index = i;
	return nr;
}

static int collect_spots(struct figure *figure, struct arena *arena, const struct csv *csv,
	struct column *columns, struct error *err)
{
	struct spot *spots = arena_array(arena, csv->nr_rows + 1, sizeof(*spots));
	const char **places = arena_array(arena, csv->nr_rows + 1, sizeof(*places));
	size_t nr = 0, nr_places = 0, x, y;

	choose_axes(columns, figure->nr_axes, &x, &y);
	figure->numeric = x < figure->nr_axes;
	x = figure->numeric ? x : 0;
	bool upwards = y < figure->nr_axes;
	for (size_t row = 0; row < csv->nr_rows;) {
		struct spot *spot = &spots[nr];
		const char *text = csv_cell(csv, row, columns[x].index);

		*spot = (struct spot){ .row = row };
		row = measure_spot(arena, csv, spot);
		if (spot->runs == 0)
			continue;
		spot->x = figure->numeric
			? strtod(text, NULL)
			: (double)place_of(places, &nr_places, csv->nr_rows, text) + 1;
		spot->y = upwards ? strtod(csv_cell(csv, spot->row, columns[y].index), NULL) : 0;
		if (figure->numeric)
			find_borders(&columns[x], spot->x, &spot->x_lo, &spot->x_hi);
		if (upwards)
			find_borders(&columns[y], spot->y, &spot->y_lo, &spot->y_hi);
		spot->series = place_of(figure->series, &figure->nr_series, FIGURE_MAX_SERIES,
			series_text(arena, &csv->cells[spot->row * csv->nr_columns], columns,
				figure->nr_axes, x));
		if (spot->series == FIGURE_MAX_SERIES)
			return error_at(err, ERROR_RUN, (struct where){ .file = csv->path },
				"more than %d lines in one figure", FIGURE_MAX_SERIES);
		nr++;
	}
	if (nr == 0)
		return error_at(err, ERROR_RUN, (struct where){ .file = csv->path },
			"no run that did not fail");
	find_front(spots, nr);
	figure->series_axes = series_text(arena, csv->header, columns, figure->nr_axes, x);
	figure->x = axis_name(arena, csv, &columns[x]);
	figure->y = upwards ? axis_name(arena, csv, &columns[y]) : NULL;
	figure->nr_x = figure->numeric ? columns[x].nr_values : nr_places;
	figure->nr_y = upwards ? columns[y].nr_values : 0;
	figure->data = write_spots(arena, csv, columns[x].index, spots, nr, err);
	return figure->data ? 0 : -1;
}

int figure_of_sweep(struct figure *figure, struct arena *arena, const char *path, struct error *err)
{
	struct csv csv;

	*figure = (struct figure){ .nr_axes = 0 };
	if (csv_read(arena, path, &csv, err) < 0)
		return -1;
	struct column *columns = arena_array(arena, csv.nr_columns, sizeof(*columns));
	figure->nr_axes = find_axes(&csv, columns);
	if (figure->nr_axes == 0 || csv_column(&csv, "elapsed_s") < 0 ||
		csv_column(&csv, "energy_pkg_j") < 0)
		return error_at(err, ERROR_RUN, (struct where){ .file = path },
			"no axes; expected what sweep -o writes");
	for (size_t i = 0; i < figure->nr_axes; i++)
		inspect_column(&columns[i], arena, &csv);
	return collect_spots(figure, arena, &csv, columns, err);
}

bool figure_is_sweep(struct arena *arena, const char *path)
{
	struct error ignored = { .code = ERROR_NONE };
	struct csv csv;

	if (csv_read(arena, path, &csv, &ignored) < 0)
		return false;
	int point = csv_column(&csv, "point");
	return point >= 0 && csv_column(&csv, "repeat") > point + 1;
}

static int write_bar(
	FILE *out, struct arena *arena, const char *path, const char *name, struct error *err)
{
	static const char *const shown[] = { "elapsed_s", "energy_pkg_j", "freq_avg_ghz",
		"transitions" };
	struct csv csv;

	if (csv_read(arena, path, &csv, err) < 0)
		return -1;
	double *values = arena_array(arena, csv.nr_rows + 1, sizeof(*values));
	csv_field(out, name);
	for (size_t m = 0; m < sizeof(shown) / sizeof(shown[0]); m++) {
		int column = csv_column(&csv, shown[m]);
		struct stats stats;
		size_t nr = 0;

		for (size_t row = 0; column >= 0 && row < csv.nr_rows; row++)
			if (*csv_cell(&csv, row, column))
				values[nr++] = strtod(csv_cell(&csv, row, column), NULL);
		if (nr == 0)
			return error_at(err, ERROR_RUN, (struct where){ .file = path },
				"no values of %s", shown[m]);
		stats_of(values, 1, nr, &stats);
		fprintf(out, ",%.9g,%.9g", stats.mean, stats.ci95);
	}
	fputc('\n', out);
	return 0;
}

const char *figure_bars(struct arena *arena, const char *const *paths, const char *const *names,
	size_t nr, struct error *err)
{
	struct figure_text text;
	int result = 0;

	if (figure_text_start(&text, err) < 0)
		return NULL;
	fputs("name,elapsed_s,elapsed_s_ci,energy_pkg_j,energy_pkg_j_ci,freq_avg_ghz,"
	      "freq_avg_ghz_ci,transitions,transitions_ci\n",
		text.out);
	for (size_t i = 0; i < nr && result == 0; i++)
		result = write_bar(text.out, arena, paths[i], names[i], err);
	const char *copy = figure_text_end(&text, arena, err);
	return result == 0 ? copy : NULL;
}
