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

int table_row(const struct csv *csv, const struct condition *conditions, size_t nr, struct where at,
	size_t *row, struct error *err)
{
	size_t found = 0;

	for (size_t r = 0; r < csv->nr_rows; r++) {
		bool matches = true;

		for (size_t i = 0; i < nr; i++) {
			int column = csv_column(csv, conditions[i].column);

			if (column < 0 && conditions[i].optional)
				continue;
			if (column < 0)
				return no_column(csv, conditions[i].column, conditions[i].at, err);
			if (strcmp(csv_cell(csv, r, column), conditions[i].text) != 0)
				matches = false;
		}
		if (matches) {
			*row = r;
			found++;
		}
	}
	if (found == 1)
		return 0;
	return error_at(err, ERROR_SCENARIO, at, "%zu rows of %.200s match; expected one", found,
		csv->path);
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

int table_value(const struct csv *csv, size_t row, const struct expr *expr, struct where at,
	double *value, struct error *err)
{
	struct row_scope scope = { csv, row, at, err };
	const struct expr_values values = { column_value, &scope };

	for (size_t i = 0; i < expr->nr_names; i++)
		if (expr->names[i].indexed || expr->names[i].of)
			return error_at(err, ERROR_SCENARIO, at,
				"\"%.80s\": a column has neither index nor variant", expr->text);
	return expr_value(expr, &values, value);
}
