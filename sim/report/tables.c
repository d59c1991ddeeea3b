#include "sim/report/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/compare.h"
#include "sim/report/html.h"
#include "sim/report/metric.h"
#include "sim/report/stats.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

void tables_write_all(FILE *out, const char *id, const struct csv *csv)
{
	html_table_start(out, id, csv->header, csv->nr_columns);
	for (size_t row = 0; row < csv->nr_rows; row++) {
		html_row_start(out);
		for (size_t c = 0; c < csv->nr_columns; c++)
			html_cell(out, csv_cell(csv, row, (int)c));
		html_row_end(out);
	}
	html_table_end(out);
}

size_t tables_axes(const struct csv *csv, int *first)
{
	int point = csv_column(csv, "point"), repeat = csv_column(csv, "repeat");

	*first = point + 1;
	return point >= 0 && repeat > point ? (size_t)(repeat - point - 1) : 0;
}

/* The values of one column in the rows from @from up to @to; a failed run has none. */
static size_t read_column(const struct csv *csv, int column, size_t from, size_t to, double *values)
{
	size_t nr = 0;

	for (size_t row = from; column >= 0 && row < to; row++)
		if (*csv_cell(csv, row, column))
			values[nr++] = strtod(csv_cell(csv, row, column), NULL);
	return nr;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *one = a, *two = b;

	return (*one > *two) - (*one < *two);
}

static bool is_power(enum metric metric)
{
	const char *unit = metric_infos[metric].unit;

	return strcmp(unit, "J") == 0 || strcmp(unit, "W") == 0;
}

static const char *name_with_unit(struct arena *arena, enum metric metric)
{
	const struct metric_info *info = &metric_infos[metric];

	return *info->unit ? arena_printf(arena, "%s (%s)", info->name, info->unit) : info->name;
}

static void write_mean(FILE *out, const struct stats *stats)
{
	bool known = stats->n > 1;

	html_interval(out, stats->mean, known ? stats->mean - stats->ci95 : (double)NAN,
		known ? stats->mean + stats->ci95 : (double)NAN);
}

void tables_write_metrics(FILE *out, struct arena *arena, const struct csv *csv, bool assumed)
{
	static const char *const heads[] = { "metric", "mean, 95 % interval", "deviation", "least",
		"median", "most", "runs", "mark", "what it is" };
	double *values = arena_array(arena, csv->nr_rows + 1, sizeof(*values));

	html_table_start(out, "metrics", heads, COUNT(heads));
	for (int m = 0; m < METRIC_NR; m++) {
		int column = csv_column(csv, metric_infos[m].name);
		size_t nr = read_column(csv, column, 0, csv->nr_rows, values);
		struct stats stats;

		if (nr == 0)
			continue;
		stats_of(values, 1, nr, &stats);
		qsort(values, nr, sizeof(*values), compare_doubles);
		html_row_start(out);
		html_cell(out, name_with_unit(arena, (enum metric)m));
		write_mean(out, &stats);
		html_number(out, nr > 1 ? stats.sd : (double)NAN);
		html_number(out, stats.min);
		html_number(out, stats_quantile(values, nr, 0.5));
		html_number(out, stats.max);
		html_number(out, (double)nr);
		html_mark(out, assumed && is_power((enum metric)m) ? "assumed power" : NULL);
		html_cell(out, metric_infos[m].help);
		html_row_end(out);
	}
	html_table_end(out);
}

/* What a point's row shows. */
static const enum metric shown[] = { METRIC_elapsed_s, METRIC_energy_pkg_j, METRIC_power_avg_w,
	METRIC_freq_avg_ghz, METRIC_transitions };
/* Of these, the ones compared with the first point. */
#define NR_COMPARED 2

struct point_row {
	size_t row, end; /* of the table */
	size_t nr[COUNT(shown)];
	double *values[COUNT(shown)];
	struct contrast contrast[NR_COMPARED];
	double p[NR_COMPARED];
};

/* The runs of a point stand together. */
static size_t find_points(struct arena *arena, const struct csv *csv, struct point_row *points)
{
	int column = csv_column(csv, "point");
	size_t nr = 0;

	for (size_t row = 0; row < csv->nr_rows; nr++) {
		struct point_row *p = &points[nr];

		p->row = row;
		while (row < csv->nr_rows &&
			strcmp(csv_cell(csv, row, column), csv_cell(csv, p->row, column)) == 0)
			row++;
		p->end = row;
		for (size_t i = 0; i < COUNT(shown); i++) {
			int at = csv_column(csv, metric_infos[shown[i]].name);

			p->values[i] = arena_array(arena, row - p->row, sizeof(double));
			p->nr[i] = read_column(csv, at, p->row, row, p->values[i]);
		}
	}
	return nr;
}

/* Repeat k has the same seed at every point: they are compared one by one. */
static void compare_points(struct arena *arena, struct point_row *points, size_t nr)
{
	double *p = arena_array(arena, nr, sizeof(*p));
	size_t *order = arena_array(arena, nr, sizeof(*order));

	for (size_t i = 0; i < NR_COMPARED; i++) {
		size_t count = 0;

		for (size_t k = 0; k < nr; k++) {
			struct point_row *point = &points[k];

			point->p[i] = NAN;
			point->contrast[i].ratio = (struct interval){ NAN, NAN, NAN };
			if (k == 0 || point->nr[i] == 0 || points[0].nr[i] == 0)
				continue;
			if (point->nr[i] == points[0].nr[i])
				stats_paired(points[0].values[i], point->values[i], point->nr[i],
					&point->contrast[i]);
			else
				stats_welch(points[0].values[i], points[0].nr[i], point->values[i],
					point->nr[i], &point->contrast[i]);
			if (!isnan(point->contrast[i].p))
				p[count++] = point->contrast[i].p;
		}
		stats_holm(p, count, order);
		count = 0;
		for (size_t k = 1; k < nr; k++)
			if (!isnan(points[k].contrast[i].ratio.value) &&
				!isnan(points[k].contrast[i].p))
				points[k].p[i] = p[count++];
	}
}

static void write_point(FILE *out, const struct csv *csv, const struct point_row *point)
{
	struct stats stats;
	int first;
	size_t axes = tables_axes(csv, &first);

	html_row_start(out);
	html_cell(out, csv_cell(csv, point->row, first - 1));
	for (size_t a = 0; a < axes; a++)
		html_cell(out, csv_cell(csv, point->row, first + (int)a));
	html_number(out, (double)point->nr[0]);
	for (size_t i = 0; i < COUNT(shown); i++) {
		if (point->nr[i] == 0) {
			html_cell(out, "");
			continue;
		}
		stats_of(point->values[i], 1, point->nr[i], &stats);
		write_mean(out, &stats);
	}
	for (size_t i = 0; i < NR_COMPARED; i++) {
		const struct interval *ratio = &point->contrast[i].ratio;

		html_interval(out, ratio->value, ratio->lo, ratio->hi);
		html_cell(out, compare_mark(point->p[i]));
	}
	html_row_end(out);
}

void tables_write_points(FILE *out, struct arena *arena, const struct csv *csv, bool assumed)
{
	struct point_row *points = arena_array(arena, csv->nr_rows + 1, sizeof(*points));
	size_t nr = find_points(arena, csv, points), count = 0;
	int first;
	size_t axes = tables_axes(csv, &first);
	const char **heads = arena_array(
		arena, axes + 2 + COUNT(shown) + 2 * NR_COMPARED, sizeof(*heads));

	heads[count++] = "point";
	for (size_t a = 0; a < axes; a++)
		heads[count++] = csv->header[first + (int)a];
	heads[count++] = "runs";
	for (size_t i = 0; i < COUNT(shown); i++)
		heads[count++] = arena_printf(arena, "%s%s", name_with_unit(arena, shown[i]),
			assumed && is_power(shown[i]) ? ", assumed power" : "");
	for (size_t i = 0; i < NR_COMPARED; i++) {
		heads[count++] = arena_printf(
			arena, "%s over the first point's", metric_infos[shown[i]].name);
		heads[count++] = "significance";
	}
	compare_points(arena, points, nr);
	html_table_start(out, "points", heads, count);
	for (size_t i = 0; i < nr; i++)
		write_point(out, csv, &points[i]);
	html_table_end(out);
}
