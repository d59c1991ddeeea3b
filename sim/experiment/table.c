#include "sim/experiment/table.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"

#define MAX_NAMES 64

static int no_column(const struct csv *csv, const char *name, struct where at, struct error *err)
{
	const char *names[MAX_NAMES];
	size_t nr = csv->nr_columns < MAX_NAMES ? csv->nr_columns : MAX_NAMES;
	char suggestion[512];

	memcpy(names, csv->header, nr * sizeof(*names));
	str_suggest(name, names, nr, suggestion, sizeof(suggestion));
	return error_at(err, ERROR_SCENARIO, at, "%.200s has no column \"%.60s\"; %s", csv->path,
		name, suggestion);
}

/* Whether the row meets every condition: *matches. */
static int row_matches(const struct csv *csv, const struct table_query *query, size_t row,
	bool *matches, struct error *err)
{
	*matches = true;
	for (size_t i = 0; i < query->nr_conditions; i++) {
		const struct condition *c = &query->conditions[i];
		int column = csv_column(csv, c->column);

		if (column < 0 && c->optional)
			continue;
		if (column < 0)
			return no_column(csv, c->column, c->at, err);
		if (strcmp(csv_cell(csv, row, column), c->text) != 0)
			*matches = false;
	}
	return 0;
}

int table_rows(const struct csv *csv, const struct table_query *query, size_t *rows, size_t max,
	size_t *nr, struct error *err)
{
	*nr = 0;
	for (size_t r = 0; r < csv->nr_rows; r++) {
		bool matches;

		if (row_matches(csv, query, r, &matches, err) < 0)
			return -1;
		if (matches && *nr < max)
			rows[*nr] = r;
		*nr += matches;
	}
	if (*nr <= max && (*nr == 1 || (*nr > 1 && !query->one)))
		return 0;
	return error_at(err, ERROR_SCENARIO, query->at, "%zu rows of %.200s match; expected %s",
		*nr, csv->path, query->one ? "one" : "one or more, and not too many");
}

/* What a name in the expression is looked up in. */
struct row_scope {
	const struct csv *csv;
	size_t row;
	struct where at;
	struct error *err;
};

static int column_value(
	void *arg, const struct expr *expr, size_t name, double index, double *value)
{
	const struct row_scope *scope = arg;
	const char *column = expr->names[name].name;
	int i = csv_column(scope->csv, column);
	char *end;

	(void)index;
	if (i < 0)
		return no_column(scope->csv, column, scope->at, scope->err);
	const char *text = csv_cell(scope->csv, scope->row, i);
	*value = strtod(text, &end);
	if (end == text || *end)
		return error_at(scope->err, ERROR_SCENARIO, scope->at,
			"%.200s: \"%.60s\" is not a number", scope->csv->path, text);
	return 0;
}

int table_value(const struct csv *csv, const size_t *rows, size_t nr, const struct expr *expr,
	struct where at, double *value, struct error *err)
{
	struct row_scope scope = { .csv = csv, .at = at, .err = err };
	const struct expr_values values = { column_value, &scope };
	double sum = 0, one;

	for (size_t i = 0; i < expr->nr_names; i++)
		if (expr->names[i].indexed || expr->names[i].of)
			return error_at(err, ERROR_SCENARIO, at,
				"\"%.80s\": a column has neither index nor variant", expr->text);
	for (size_t i = 0; i < nr; i++) {
		scope.row = rows[i];
		if (expr_value(expr, &values, &one) < 0)
			return -1;
		sum += one;
	}
	*value = sum / (double)nr;
	return 0;
}
