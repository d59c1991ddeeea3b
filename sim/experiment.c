#include "sim/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/report/csv.h"
#include "sim/scenario/rows.h"
#include "sim/scenario/search.h"

#define MAX_CELLS 1024
#define MAX_TARGETS 4096
#define MAX_OVERRIDES 64
#define MAX_VARIANTS 32

const char *const role_names[] = { "calibration", "prediction", "info", NULL };

struct head_rows {
	const char *name, *summary, *source, *scenario;
	int64_t repeats;
};

static const struct param head_params[] = {
	PARAM_TEXT(struct head_rows, name, "name", NULL, "name of the experiment"),
	PARAM_TEXT(struct head_rows, summary, "summary", NULL, "one line"),
	PARAM_TEXT(struct head_rows, source, "source", NULL, "who published the numbers, where"),
	PARAM_TEXT(struct head_rows, scenario, "scenario", NULL, "scenario file"),
	PARAM_INT(struct head_rows, repeats, "repeats", UNIT_NONE, 1, 1000, 1, "runs per cell"),
	PARAM_END,
};

/* What is known of a parameter; the text is for the reader, path and value are set. */
struct parameter_rows {
	const char *path, *value, *source, *cells;
	int64_t status;
};

static const char *const statuses[] = { "fact", "fitted", "assumed", NULL };

static const struct param parameter_params[] = {
	PARAM_TEXT(struct parameter_rows, path, "path", NULL, "as for --set"),
	PARAM_TEXT(struct parameter_rows, value, "value", NULL, "value in this experiment"),
	PARAM_CHOICE(struct parameter_rows, status, "status", statuses, 0, "what is known of it"),
	PARAM_TEXT(struct parameter_rows, source, "source", NULL, "where the value comes from"),
	PARAM_TEXT(struct parameter_rows, cells, "cells", NULL, "cells it was fitted on"),
	PARAM_END,
};

struct comparison_rows {
	const char *file, *variant, *panel;
	int64_t role;
};

static const struct param comparison_params[] = {
	PARAM_TEXT(struct comparison_rows, file, "file", NULL, "published table"),
	PARAM_TEXT(struct comparison_rows, variant, "variant", NULL, "one of variants"),
	PARAM_TEXT(struct comparison_rows, panel, "panel", "", "part of the figure"),
	PARAM_CHOICE(struct comparison_rows, role, "role", role_names, 0, "use of the rows"),
	PARAM_END,
};

struct quantity_rows {
	const char *id, *metric, *unit;
};

static const struct param quantity_params[] = {
	PARAM_TEXT(struct quantity_rows, id, "id", NULL, "target_id without the axis value"),
	PARAM_TEXT(struct quantity_rows, metric, "metric", NULL, "metric of the runs"),
	PARAM_TEXT(struct quantity_rows, unit, "unit", "", "unit of the published number"),
	PARAM_END,
};

struct loader {
	struct arena *arena;
	const struct catalog *catalog;
	struct error *err;
	struct experiment *experiment;
	bool quick;
	const struct node *root;
	const char *scenario_path;
	/* set for every cell: the experiment's parameters */
	const char *common[MAX_OVERRIDES];
	size_t nr_common;
};

/* One comparison while it is read. */
struct comparison {
	struct comparison_rows rows;
	const struct node *node, *variant, *axis;
	struct csv csv;
};

static int add_override(struct loader *l, const char **list, size_t *nr, const struct node *at,
	const char *path, const char *value)
{
	if (*nr == MAX_OVERRIDES)
		return error_at(l->err, ERROR_SCENARIO, at->at, "more than %d values to set",
			MAX_OVERRIDES);
	list[(*nr)++] = arena_printf(l->arena, "%s=%s", path, value);
	return 0;
}

static int add_set(struct loader *l, const char **list, size_t *nr, const struct node *map)
{
	for (const struct node *child = map ? map->first : NULL; child; child = child->next) {
		if (child->type != NODE_SCALAR || !child->key)
			return rows_mismatch(child, "set", "a map { path: value, ... }", l->err);
		if (add_override(l, list, nr, child, child->key, child->text) < 0)
			return -1;
	}
	return 0;
}

static bool same_overrides(const struct cell *cell, const char *const *list, size_t nr)
{
	if (cell->nr_overrides != nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (strcmp(cell->overrides[i], list[i]) != 0)
			return false;
	return true;
}

/* The cell with these overrides; its scenario is read when it is new. */
static int find_cell(struct loader *l, const char *const *list, size_t nr, size_t *index)
{
	struct experiment *e = l->experiment;

	for (*index = 0; *index < e->nr_cells; ++*index)
		if (same_overrides(&e->cells[*index], list, nr))
			return 0;
	if (e->nr_cells == MAX_CELLS)
		return error_at(
			l->err, ERROR_SCENARIO, l->root->at, "more than %d cells", MAX_CELLS);
	struct cell *cell = &e->cells[e->nr_cells++];
	const char **copy = arena_array(l->arena, nr, sizeof(*copy));
	memcpy(copy, list, nr * sizeof(*copy));
	cell->overrides = copy;
	cell->nr_overrides = nr;
	cell->scenario = arena_alloc(l->arena, sizeof(*cell->scenario));
	return scenario_load(
		l->arena, l->catalog, l->scenario_path, copy, nr, cell->scenario, l->err);
}

/* Whether the row has every value that "where" asks for, and the axis value in the axis column. */
static int row_matches(struct loader *l, const struct comparison *c, size_t row,
	const struct node *value, bool *matches)
{
	const struct node *where = node_get(c->node, "where");
	const struct node *column = c->axis ? node_get(c->axis, "column") : NULL;

	*matches = true;
	for (const struct node *w = where ? where->first : NULL; w; w = w->next) {
		int i = csv_column(&c->csv, w->key ? w->key : "");

		if (i < 0)
			return error_at(l->err, ERROR_SCENARIO, w->key_at,
				"%s has no column \"%s\"", c->csv.path, w->key ? w->key : "");
		if (w->type != NODE_SCALAR || strcmp(csv_cell(&c->csv, row, i), w->text) != 0)
			*matches = false;
	}
	if (!column)
		return 0;
	int i = csv_column(&c->csv, column->text ? column->text : "");
	if (i < 0)
		return error_at(l->err, ERROR_SCENARIO, column->at, "%s has no column \"%s\"",
			c->csv.path, node_describe(column));
	if (strcmp(csv_cell(&c->csv, row, i), value->text) != 0)
		*matches = false;
	return 0;
}

static int find_row(
	struct loader *l, const struct comparison *c, const struct node *value, size_t *row)
{
	size_t found = 0;

	for (size_t i = 0; i < c->csv.nr_rows; i++) {
		bool matches;

		if (row_matches(l, c, i, value, &matches) < 0)
			return -1;
		if (matches) {
			*row = i;
			found++;
		}
	}
	if (found == 1)
		return 0;
	return error_at(l->err, ERROR_SCENARIO, value ? value->at : c->node->at,
		"%zu rows of %s match; expected one", found, c->csv.path);
}

/* The published number: the sum of the named columns. */
static int read_published(struct loader *l, const struct comparison *c, const struct node *quantity,
	size_t row, double *value)
{
	const struct node *columns = node_get(quantity, "columns");

	*value = 0;
	if (!columns || columns->type != NODE_SEQ || !columns->first)
		return error_at(l->err, ERROR_SCENARIO, quantity->at,
			"columns: expected a list of columns of %s", c->csv.path);
	for (const struct node *name = columns->first; name; name = name->next) {
		int i = csv_column(&c->csv, name->text ? name->text : "");
		char *end;

		if (i < 0)
			return error_at(l->err, ERROR_SCENARIO, name->at, "%s has no column \"%s\"",
				c->csv.path, node_describe(name));
		const char *text = csv_cell(&c->csv, row, i);
		*value += strtod(text, &end);
		if (end == text || *end)
			return error_at(l->err, ERROR_SCENARIO, name->at,
				"%s: \"%.60s\" is not a number", c->csv.path, text);
	}
	return 0;
}

/* One tolerance for all, or one per value of the axis. */
static int read_tolerance(
	struct loader *l, const struct node *quantity, size_t index, double *tolerance)
{
	const struct node *node = node_get(quantity, "tolerance_pct");
	char *end;

	if (node && node->type == NODE_SEQ) {
		const struct node *item = node->first;

		for (size_t i = 0; item && i < index; i++)
			item = item->next;
		if (!item)
			return error_at(l->err, ERROR_SCENARIO, node->at,
				"tolerance_pct: %zu values; expected one per value of the axis",
				node->nr);
		node = item;
	}
	if (!node || node->type != NODE_SCALAR)
		return error_at(l->err, ERROR_SCENARIO, quantity->at,
			"tolerance_pct: expected a percentage or a list of them");
	*tolerance = strtod(node->text, &end);
	if (end == node->text || *end || !(*tolerance >= 0) || isinf(*tolerance))
		return rows_mismatch(node, "tolerance_pct", "a percentage", l->err);
	return 0;
}

static int read_metric(
	struct loader *l, const struct node *quantity, const char *name, enum metric *metric)
{
	const char *names[METRIC_NR];
	char suggestion[1024];

	*metric = metric_find(name);
	if (*metric < METRIC_NR)
		return 0;
	for (int i = 0; i < METRIC_NR; i++)
		names[i] = metric_infos[i].name;
	str_suggest(name, names, METRIC_NR, suggestion, sizeof(suggestion));
	return error_at(l->err, ERROR_SCENARIO, node_get(quantity, "metric")->at,
		"unknown metric \"%.60s\"; %s", name, suggestion);
}

static int add_target(struct loader *l, const struct comparison *c, const struct node *quantity,
	const struct node *value, size_t index, size_t cell)
{
	static const char *const also[] = { "columns", "tolerance_pct", NULL };
	static const char *const required[] = { "id", "metric", "columns", "tolerance_pct", NULL };
	struct experiment *e = l->experiment;
	struct quantity_rows rows;
	size_t row = 0;

	param_defaults(quantity_params, &rows);
	if (rows_fill(quantity_params, &rows, quantity, also, "quantity", l->err) < 0 ||
		rows_require(quantity, required, "quantity", l->err) < 0)
		return -1;
	if (e->nr_targets == MAX_TARGETS)
		return error_at(
			l->err, ERROR_SCENARIO, quantity->at, "more than %d targets", MAX_TARGETS);
	struct target *t = &e->targets[e->nr_targets++];
	*t = (struct target){ .unit = rows.unit,
		.variant = c->rows.variant,
		.panel = c->rows.panel,
		.axis = value ? value->text : "",
		.role = (enum role)c->rows.role,
		.cell = cell };
	t->id = value ? arena_printf(l->arena, "%s_%s", rows.id, value->text) : rows.id;
	if (read_metric(l, quantity, rows.metric, &t->metric) < 0 ||
		read_tolerance(l, quantity, index, &t->tolerance_pct) < 0 ||
		find_row(l, c, value, &row) < 0)
		return -1;
	return read_published(l, c, quantity, row, &t->published);
}

/* One value of the axis (NULL: no axis), which is number @index of its list. */
static int add_point(
	struct loader *l, const struct comparison *c, const struct node *value, size_t index)
{
	const struct node *quantities = node_get(c->node, "quantities");
	const char *list[MAX_OVERRIDES];
	size_t nr = l->nr_common, cell;

	memcpy(list, l->common, nr * sizeof(*list));
	if (add_set(l, list, &nr, node_get(c->variant, "set")) < 0 ||
		add_set(l, list, &nr, node_get(c->node, "set")) < 0)
		return -1;
	if (value) {
		const struct node *path = node_get(c->axis, "path");

		if (value->type != NODE_SCALAR)
			return rows_mismatch(value, "values", "a list of values", l->err);
		if (add_override(l, list, &nr, value, path->text, value->text) < 0)
			return -1;
	}
	if (find_cell(l, list, nr, &cell) < 0)
		return -1;
	for (const struct node *q = quantities->first; q; q = q->next)
		if (add_target(l, c, q, value, index, cell) < 0)
			return -1;
	return 0;
}

static bool is_quick(const struct comparison *c, const struct node *value)
{
	const struct node *quick = node_get(c->node, "quick");

	for (const struct node *q = quick ? quick->first : NULL; q; q = q->next)
		if (value && q->text && value->text && strcmp(q->text, value->text) == 0)
			return true;
	return false;
}

static int add_points(struct loader *l, const struct comparison *c)
{
	static const char *const required[] = { "path", "values", NULL };
	size_t index = 0;

	if (!c->axis)
		return l->quick ? 0 : add_point(l, c, NULL, 0);
	if (rows_require(c->axis, required, "axis", l->err) < 0)
		return -1;
	const struct node *values = node_get(c->axis, "values");
	if (values->type != NODE_SEQ)
		return rows_mismatch(values, "values", "a list of values", l->err);
	for (const struct node *v = values->first; v; v = v->next, index++)
		if ((!l->quick || is_quick(c, v)) && add_point(l, c, v, index) < 0)
			return -1;
	return 0;
}

static int find_variant(struct loader *l, struct comparison *c)
{
	const struct node *variants = node_get(l->root, "variants");
	const char *names[MAX_VARIANTS];
	char suggestion[512];
	size_t nr = 0;

	for (const struct node *v = variants->first; v && nr < MAX_VARIANTS; v = v->next) {
		const struct node *name = node_get(v, "name");

		if (!name || name->type != NODE_SCALAR)
			return error_at(
				l->err, ERROR_SCENARIO, v->at, "variants: \"name\" is missing");
		names[nr++] = name->text;
		if (strcmp(name->text, c->rows.variant) == 0)
			c->variant = v;
	}
	if (c->variant)
		return 0;
	str_suggest(c->rows.variant, names, nr, suggestion, sizeof(suggestion));
	return error_at(l->err, ERROR_SCENARIO, node_get(c->node, "variant")->at,
		"unknown variant \"%.60s\"; %s", c->rows.variant, suggestion);
}

static int add_comparison(struct loader *l, const struct node *node)
{
	static const char *const also[] = { "where", "set", "axis", "quick", "quantities", NULL };
	static const char *const required[] = { "file", "variant", "quantities", NULL };
	struct comparison c = { .node = node, .axis = node_get(node, "axis") };

	param_defaults(comparison_params, &c.rows);
	if (rows_fill(comparison_params, &c.rows, node, also, "comparison", l->err) < 0 ||
		rows_require(node, required, "comparison", l->err) < 0 || find_variant(l, &c) < 0)
		return -1;
	const struct node *quantities = node_get(node, "quantities");
	if (quantities->type != NODE_SEQ)
		return rows_mismatch(quantities, "quantities", "a list of maps", l->err);
	const char *path = search_file(l->arena, l->experiment->path, c.rows.file);
	if (csv_read(l->arena, path ? path : c.rows.file, &c.csv, l->err) < 0)
		return -1;
	return add_points(l, &c);
}

static int add_parameters(struct loader *l, const struct node *list)
{
	static const char *const required[] = { "path", "value", "status", "source", NULL };

	for (const struct node *node = list ? list->first : NULL; node; node = node->next) {
		struct parameter_rows rows;

		param_defaults(parameter_params, &rows);
		if (rows_fill(parameter_params, &rows, node, NULL, "parameter", l->err) < 0 ||
			rows_require(node, required, "parameter", l->err) < 0 ||
			add_override(l, l->common, &l->nr_common, node, rows.path, rows.value) < 0)
			return -1;
	}
	return 0;
}

static int load_head(struct loader *l)
{
	static const char *const also[] = { "variants", "parameters", "comparisons", NULL };
	static const char *const required[] = { "name", "scenario", "variants", "comparisons",
		NULL };
	struct experiment *e = l->experiment;
	struct head_rows rows;

	param_defaults(head_params, &rows);
	if (rows_fill(head_params, &rows, l->root, also, "experiment", l->err) < 0 ||
		rows_require(l->root, required, "experiment", l->err) < 0)
		return -1;
	e->name = rows.name;
	e->summary = rows.summary;
	e->repeats = l->quick ? 1 : rows.repeats;
	l->scenario_path = search_file(l->arena, e->path, rows.scenario);
	if (!l->scenario_path)
		l->scenario_path = rows.scenario;
	return add_parameters(l, node_get(l->root, "parameters"));
}

int experiment_load(struct arena *arena, const struct catalog *catalog, const char *path,
	bool quick, struct experiment *experiment, struct error *err)
{
	struct loader l = { .arena = arena,
		.catalog = catalog,
		.err = err,
		.experiment = experiment,
		.quick = quick };
	struct node *root;

	*experiment = (struct experiment){ .path = arena_strdup(arena, path) };
	experiment->cells = arena_array(arena, MAX_CELLS, sizeof(*experiment->cells));
	experiment->targets = arena_array(arena, MAX_TARGETS, sizeof(*experiment->targets));
	if (yaml_read_file(arena, experiment->path, &root, err) < 0)
		return -1;
	l.root = root;
	if (load_head(&l) < 0)
		return -1;
	const struct node *comparisons = node_get(root, "comparisons");
	for (const struct node *node = comparisons->first; node; node = node->next)
		if (add_comparison(&l, node) < 0)
			return -1;
	return 0;
}
