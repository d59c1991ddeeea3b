#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/experiment/loader.h"
#include "sim/experiment/observe.h"
#include "sim/scenario/rows.h"

#define MAX_VARIANTS 64
#define MAX_VALUES 512
#define MAX_QUANTITIES 64

struct comparison_rows {
	const char *title, *file, *scenario, *tolerance, *why, *id;
	int64_t role, rows;
};

/* Of a published table: one row a place, or the mean of several. */
static const char *const rows_names[] = { "one", "mean", NULL };

static const struct param comparison_params[] = {
	PARAM_TEXT(struct comparison_rows, title, "title", "", "part of the figure"),
	PARAM_TEXT(struct comparison_rows, file, "file", NULL, "published table"),
	PARAM_TEXT(struct comparison_rows, scenario, "scenario", NULL, "instead of the head's"),
	PARAM_TEXT(struct comparison_rows, tolerance, "tolerance", NULL, "of its quantities"),
	PARAM_TEXT(struct comparison_rows, why, "why", NULL, "why that tolerance"),
	PARAM_CHOICE(struct comparison_rows, role, "role", role_names, ROLE_PREDICTION,
		"use of the rows"),
	PARAM_CHOICE(struct comparison_rows, rows, "rows", rows_names, 0, "of the table"),
	PARAM_END,
};

struct quantity_rows {
	const char *id, *target, *value, *published, *unit, *tolerance, *why, *label, *weight;
};

static const struct param quantity_params[] = {
	PARAM_TEXT(struct quantity_rows, id, "id", NULL, "target_id"),
	PARAM_TEXT(struct quantity_rows, target, "target", NULL, "id whose tolerance it has"),
	PARAM_TEXT(struct quantity_rows, value, "value", NULL, "expression over the run"),
	PARAM_TEXT(struct quantity_rows, published, "published", NULL, "expression over the row"),
	PARAM_TEXT(struct quantity_rows, unit, "unit", "", "unit of both"),
	PARAM_TEXT(struct quantity_rows, tolerance, "tolerance", NULL, "where no target has one"),
	PARAM_TEXT(struct quantity_rows, why, "why", NULL, "why that tolerance"),
	PARAM_TEXT(struct quantity_rows, label, "label", NULL, "in the figure"),
	PARAM_TEXT(struct quantity_rows, weight, "weight", NULL, "in the fit"),
	PARAM_END,
};

struct variant_rows {
	const char *name, *scenario;
};

static const struct param variant_params[] = {
	PARAM_TEXT(struct variant_rows, name, "name", NULL, "name"),
	PARAM_TEXT(struct variant_rows, scenario, "scenario", NULL, "instead of the head's"),
	PARAM_END,
};

struct axis_rows {
	const char *name, *path, *column;
};

static const struct param axis_params[] = {
	PARAM_TEXT(struct axis_rows, name, "name", NULL, "in ids and expressions"),
	PARAM_TEXT(struct axis_rows, path, "path", NULL, "what the values are set to"),
	PARAM_TEXT(struct axis_rows, column, "column", NULL, "of the published table"),
	PARAM_END,
};

struct axis {
	struct axis_rows rows;
	const struct node *node;
	const char *values[MAX_VALUES];
	size_t nr;
};

struct quantity {
	struct quantity_rows rows;
	const struct node *node;
	struct expr value, published;
	double weight;
};

/* One comparison while it is read. */
struct comparison {
	struct comparison_rows rows;
	const struct node *node;
	struct csv csv; /* no header without a file */
	struct axis axes[EXPERIMENT_MAX_AXES];
	size_t nr_axes;
	struct quantity quantities[MAX_QUANTITIES];
	size_t nr_quantities;
};

/* A place on the axes, of one variant. */
struct point {
	const struct comparison *c;
	const struct node *variant;
	const char *name; /* of the variant */
	size_t at[EXPERIMENT_MAX_AXES];
};

static const char *point_text(const struct point *p, size_t axis)
{
	return p->c->axes[axis].values[p->at[axis]];
}

/* "{variant}", "{axis}" or, with a row, "{column}". */
static const char *placeholder(const struct point *p, size_t row, bool has_row, const char *name)
{
	if (strcmp(name, "variant") == 0)
		return p->name;
	for (size_t i = 0; i < p->c->nr_axes; i++)
		if (strcmp(p->c->axes[i].rows.name, name) == 0)
			return point_text(p, i);
	int column = has_row ? csv_column(&p->c->csv, name) : -1;
	return column < 0 ? NULL : csv_cell(&p->c->csv, row, column);
}

static const char *expand(struct loader *l, const struct point *p, size_t row, bool has_row,
	const char *text, struct where at)
{
	const char *result = "", *open;

	while ((open = strchr(text, '{'))) {
		const char *close = strchr(open, '}');
		const char *name = arena_printf(
			l->arena, "%.*s", close ? (int)(close - open - 1) : 0, open + 1);
		const char *value = close ? placeholder(p, row, has_row, name) : NULL;

		if (!value) {
			error_at(l->err, ERROR_SCENARIO, at,
				"\"%.80s\": \"{%.40s}\" is neither variant nor an axis nor a "
				"column",
				text, name);
			return NULL;
		}
		result = arena_printf(
			l->arena, "%s%.*s%s", result, (int)(open - text), text, value);
		text = close + 1;
	}
	return arena_printf(l->arena, "%s%s", result, text);
}

static int find_variant(
	struct loader *l, const char *name, struct where at, const struct node **variant)
{
	const struct node *variants = node_get(l->root, "variants");
	const char *names[MAX_VARIANTS];
	char suggestion[512];
	size_t nr = 0;

	for (const struct node *v = variants->first; v && nr < MAX_VARIANTS; v = v->next) {
		static const char *const also[] = { "set", "where", NULL };
		static const char *const required[] = { "name", NULL };
		struct variant_rows rows;

		param_defaults(variant_params, &rows);
		if (rows_fill(variant_params, &rows, v, also, "variant", l->err) < 0 ||
			rows_require(v, required, "variant", l->err) < 0)
			return -1;
		names[nr++] = rows.name;
		*variant = v;
		if (strcmp(rows.name, name) == 0)
			return 0;
	}
	str_suggest(name, names, nr, suggestion, sizeof(suggestion));
	return error_at(
		l->err, ERROR_SCENARIO, at, "unknown variant \"%.60s\"; %s", name, suggestion);
}

static int cell_of(struct loader *l, const struct point *p, size_t *index)
{
	const struct node *scenario = node_get(p->variant, "scenario");
	const char *path = p->c->rows.scenario ? p->c->rows.scenario
		: scenario                     ? scenario->text
					       : l->scenario;
	struct overrides o = { .nr = 0 };

	if (!path)
		return error_at(l->err, ERROR_SCENARIO, p->c->node->at,
			"comparison: \"scenario\" is missing, here, of the variant and of the "
			"experiment");
	load_apply_parameters(l, &o, path, p->name);
	if (load_set(l, &o, node_get(p->variant, "set")) < 0 ||
		load_set(l, &o, node_get(p->c->node, "set")) < 0)
		return -1;
	for (size_t i = 0; i < p->c->nr_axes; i++) {
		const struct axis *axis = &p->c->axes[i];

		if (axis->rows.path && o.nr < MAX_OVERRIDES)
			o.list[o.nr++] = arena_printf(
				l->arena, "%s=%s", axis->rows.path, point_text(p, i));
	}
	const struct node *quick = l->quick ? node_get(l->root, "quick") : NULL;
	if (quick && load_set(l, &o, node_get(quick, "set")) < 0)
		return -1;
	return load_cell(l, path, &o, index);
}

struct conditions {
	struct condition list[MAX_CONDITIONS];
	size_t nr;
};

/* A later condition on a column takes the place of an earlier one. */
static int add_condition(struct loader *l, struct conditions *to, struct condition condition)
{
	size_t i = 0;

	while (i < to->nr && strcmp(to->list[i].column, condition.column) != 0)
		i++;
	if (i == MAX_CONDITIONS)
		return error_at(l->err, ERROR_SCENARIO, condition.at, "more than %d columns",
			MAX_CONDITIONS);
	to->nr += i == to->nr;
	to->list[i] = condition;
	return 0;
}

static int add_where(struct loader *l, struct conditions *to, const struct point *p,
	const struct node *where, bool optional)
{
	for (const struct node *w = where ? where->first : NULL; w; w = w->next) {
		const char *text;

		if (w->type != NODE_SCALAR || !w->key)
			return rows_mismatch(w, "where", "a map { column: text }", l->err);
		text = expand(l, p, 0, false, w->text, w->at);
		if (!text ||
			add_condition(l, to,
				(struct condition){ .column = w->key,
					.text = text,
					.at = w->key_at,
					.optional = optional }) < 0)
			return -1;
	}
	return 0;
}

#define MAX_ROWS 64

/* What was published of a point. */
struct published {
	size_t rows[MAX_ROWS], nr;
};

/* @other: "where" that goes before everything else. */
static int rows_of(struct loader *l, const struct point *p, const struct node *other,
	struct published *published)
{
	struct conditions all = { .nr = 0 };

	if (add_where(l, &all, p, node_get(p->variant, "where"), true) < 0 ||
		add_where(l, &all, p, node_get(p->c->node, "where"), false) < 0)
		return -1;
	for (size_t i = 0; i < p->c->nr_axes; i++) {
		const struct axis *axis = &p->c->axes[i];

		if (axis->rows.column &&
			add_condition(l, &all,
				(struct condition){ .column = axis->rows.column,
					.text = point_text(p, i),
					.at = axis->node->at }) < 0)
			return -1;
	}
	if (add_where(l, &all, p, other, false) < 0)
		return -1;
	const struct table_query query = { .conditions = all.list,
		.nr_conditions = all.nr,
		.one = p->c->rows.rows == 0,
		.at = p->c->node->at };
	return table_rows(&p->c->csv, &query, published->rows, MAX_ROWS, &published->nr, l->err);
}

/* The number that the null model says: one for all, or the published one of another row. */
static int read_null(
	struct loader *l, const struct point *p, const struct quantity *q, struct target *t)
{
	const struct node *null = node_get(p->c->node, "null");
	struct published published;
	struct point other = *p;
	char *end;

	if (!null)
		return 0;
	t->has_null = true;
	if (null->type == NODE_SCALAR) {
		t->null = strtod(null->text, &end);
		if (end == null->text || *end)
			return rows_mismatch(null, "null", "a number or a map", l->err);
		return 0;
	}
	const struct node *variant = node_get(null, "variant");
	if (variant && variant->type == NODE_SCALAR) {
		other.name = variant->text;
		if (find_variant(l, variant->text, variant->at, &other.variant) < 0)
			return -1;
	}
	if (rows_of(l, &other, node_get(null, "where"), &published) < 0)
		return -1;
	return table_value(&p->c->csv, published.rows, published.nr, &q->published, q->node->at,
		&t->null, l->err);
}

/* A published target has its tolerance from the table of targets; what is not in there, from the
 * file, with a reason. */
static int read_tolerance(
	struct loader *l, const struct comparison *c, const struct quantity *q, struct target *t)
{
	const char *own = q->rows.tolerance ? q->rows.tolerance : c->rows.tolerance;
	const char *why = q->rows.why ? q->rows.why : c->rows.why;
	const char *id = q->rows.target ? q->rows.target : t->id;
	const struct csv *csv = &l->targets_csv;
	int column = l->targets ? csv_column(csv, "target_id") : -1;

	for (size_t i = 0; column >= 0 && i < csv->nr_rows; i++) {
		if (strcmp(csv_cell(csv, i, column), id) != 0)
			continue;
		int kind = csv_column(csv, "tolerance_kind"), value = csv_column(csv, "tolerance");
		if (q->rows.tolerance)
			return error_at(l->err, ERROR_SCENARIO, q->node->at,
				"%.80s has a tolerance in %.200s; leave it out here", id,
				csv->path);
		if (kind < 0 || value < 0 ||
			tolerance_from_target(
				csv_cell(csv, i, kind), csv_cell(csv, i, value), &t->tolerance) < 0)
			return error_at(l->err, ERROR_SCENARIO, q->node->at,
				"%.200s: no tolerance of %.80s that could be read", csv->path, id);
		return 0;
	}
	if (q->rows.target)
		return error_at(
			l->err, ERROR_SCENARIO, q->node->at, "unknown target \"%.80s\"", id);
	if (!own)
		return error_at(l->err, ERROR_SCENARIO, q->node->at,
			"%.80s: \"tolerance\" is missing, and no table of targets has one", id);
	if (!why)
		return error_at(l->err, ERROR_SCENARIO, q->node->at,
			"%.80s: \"why\" is missing: a tolerance that is stated here needs it", id);
	t->why = why;
	if (tolerance_parse(own, &t->tolerance) < 0)
		return error_at(l->err, ERROR_SCENARIO, q->node->at,
			"tolerance: found \"%.40s\"; expected such as 4%%, +-13, factor 2, 20..25 "
			"or exact",
			own);
	return 0;
}

/* The cells that the names of the expression are of. */
static int read_cells(
	struct loader *l, const struct point *p, const struct quantity *q, struct target *t)
{
	size_t *cells = arena_array(l->arena, t->value.nr_names + 1, sizeof(*cells));

	t->cells = cells;
	for (size_t i = 0; i < t->value.nr_names; i++) {
		const struct expr_name *name = &t->value.names[i];
		struct point other = *p;
		bool known;

		cells[i] = t->cell;
		if (name->of) {
			other.name = name->of;
			if (find_variant(l, name->of, q->node->at, &other.variant) < 0 ||
				cell_of(l, &other, &cells[i]) < 0)
				return -1;
		}
		l->experiment->cells[cells[i]].observe |= observe_needs(name->name, &known);
		if (name->indexed != observe_indexed(name->name))
			return error_at(l->err, ERROR_SCENARIO, q->node->at, "value: \"%.60s\" %s",
				name->name,
				name->indexed ? "takes no index" : "needs an index, as in name[0]");
	}
	return 0;
}

static int read_numbers(
	struct loader *l, const struct point *p, const struct quantity *q, struct target *t)
{
	struct published published = { .rows = { 0 } };
	bool has_row = false;

	if (q->rows.published || strchr(q->rows.id, '{')) {
		has_row = p->c->csv.header != NULL;
		if (has_row && rows_of(l, p, NULL, &published) < 0)
			return -1;
	}
	t->id = expand(l, p, published.rows[0], has_row, q->rows.id, node_get(q->node, "id")->at);
	if (!t->id)
		return -1;
	if (!q->rows.published)
		return 0;
	if (!has_row)
		return error_at(l->err, ERROR_SCENARIO, p->c->node->at,
			"comparison: \"file\" is missing, from which to take what was published");
	t->has_published = true;
	if (table_value(&p->c->csv, published.rows, published.nr, &q->published, q->node->at,
		    &t->published, l->err) < 0 ||
		read_null(l, p, q, t) < 0)
		return -1;
	return t->role == ROLE_UNSCORED ? 0 : read_tolerance(l, p->c, q, t);
}

/* In a figure every place on the axis but the last, the title first. */
static const char *panel_of(struct loader *l, const struct point *p)
{
	const char *title = p->c->rows.title;

	if (p->c->nr_axes < 2)
		return title;
	return arena_printf(l->arena, "%s%s%s=%s", title, *title ? ", " : "",
		p->c->axes[0].rows.name, point_text(p, 0));
}

static int add_target(struct loader *l, const struct point *p, size_t quantity, size_t cell)
{
	struct experiment *e = l->experiment;
	const struct quantity *q = &p->c->quantities[quantity];

	if (e->nr_targets == MAX_TARGETS)
		return error_at(
			l->err, ERROR_SCENARIO, q->node->at, "more than %d targets", MAX_TARGETS);
	struct target *t = &e->targets[e->nr_targets++];
	*t = (struct target){ .unit = q->rows.unit,
		.variant = p->name,
		.label = q->rows.label ? q->rows.label : q->rows.value,
		.panel = panel_of(l, p),
		.comparison = l->nr_comparisons,
		.quantity = quantity,
		.nr_axes = p->c->nr_axes,
		.at = q->node->at,
		.value = q->value,
		.cell = cell,
		.role = (enum role)p->c->rows.role,
		.weight = q->weight };
	for (size_t i = 0; i < p->c->nr_axes; i++) {
		const char *text = point_text(p, i);
		char *end;
		double number = strtod(text, &end);

		t->axes[i] = (struct coordinate){ .name = p->c->axes[i].rows.name,
			.text = text,
			.number = end == text || *end ? (double)NAN : number };
	}
	return read_cells(l, p, q, t) < 0 || read_numbers(l, p, q, t) < 0 ? -1 : 0;
}

static bool is_quick(const struct point *p)
{
	const struct node *quick = node_get(p->c->node, "quick");
	size_t last = p->c->nr_axes;

	if (!quick)
		return false;
	if (quick->type == NODE_SCALAR)
		return strcmp(quick->text, "true") == 0;
	for (const struct node *q = quick->first; q; q = q->next)
		if (last > 0 && q->text && strcmp(q->text, point_text(p, last - 1)) == 0)
			return true;
	return false;
}

static int add_point(struct loader *l, const struct point *p)
{
	size_t cell;

	if (l->quick && !is_quick(p))
		return 0;
	if (cell_of(l, p, &cell) < 0)
		return -1;
	for (size_t q = 0; q < p->c->nr_quantities; q++)
		if (add_target(l, p, q, cell) < 0)
			return -1;
	return 0;
}

/* All places on the axes, the last fastest. */
static int add_points(struct loader *l, struct point *p)
{
	size_t nr = 1;

	for (size_t i = 0; i < p->c->nr_axes; i++)
		nr *= p->c->axes[i].nr;
	for (size_t n = 0; n < nr; n++) {
		size_t rest = n;

		for (size_t i = p->c->nr_axes; i-- > 0; rest /= p->c->axes[i].nr)
			p->at[i] = rest % p->c->axes[i].nr;
		if (add_point(l, p) < 0)
			return -1;
	}
	return 0;
}

/* "0:100" or "0:100:5" */
static int read_range(struct loader *l, const struct node *node, struct axis *axis)
{
	int64_t from, to, step = 1;
	char *text = arena_strdup(l->arena, node->text), *second = strchr(text, ':');
	char *third = second ? strchr(second + 1, ':') : NULL;

	if (second)
		*second++ = '\0';
	if (third)
		*third++ = '\0';
	if (!second || str_to_i64(text, UNIT_NONE, &from) < 0 ||
		str_to_i64(second, UNIT_NONE, &to) < 0 ||
		(third && str_to_i64(third, UNIT_NONE, &step) < 0) || step < 1 || from < 0 ||
		to < from || (to - from) / step >= MAX_VALUES)
		return rows_mismatch(node, "values", "a list of values or lo:hi[:step]", l->err);
	for (int64_t value = from; value <= to; value += step)
		axis->values[axis->nr++] = arena_printf(l->arena, "%lld", (long long)value);
	return 0;
}

static int read_axis(struct loader *l, const struct node *node, struct axis *axis)
{
	static const char *const also[] = { "values", NULL };
	static const char *const required[] = { "values", NULL };

	axis->node = node;
	param_defaults(axis_params, &axis->rows);
	if (rows_fill(axis_params, &axis->rows, node, also, "axis", l->err) < 0)
		return -1;
	const struct node *values = node_get(node, "values");
	if (!values)
		return rows_require(node, required, "axis", l->err);
	if (!axis->rows.name) {
		const char *path = axis->rows.path;
		const char *dot = path ? strrchr(path, '.') : NULL;

		axis->rows.name = axis->rows.column ? axis->rows.column
			: dot                       ? dot + 1
			: path                      ? path
						    : "index";
	}
	if (values->type == NODE_SCALAR)
		return read_range(l, values, axis);
	for (const struct node *v = values->first; v; v = v->next) {
		if (v->type != NODE_SCALAR || axis->nr == MAX_VALUES)
			return rows_mismatch(values, "values", "a list of values", l->err);
		axis->values[axis->nr++] = v->text;
	}
	return axis->nr ? 0 : rows_mismatch(values, "values", "a list of values", l->err);
}

static int read_axes(struct loader *l, struct comparison *c)
{
	const struct node *axes = node_get(c->node, "axes");

	for (const struct node *node = axes ? axes->first : NULL; node; node = node->next) {
		if (axes->type != NODE_SEQ || c->nr_axes == EXPERIMENT_MAX_AXES)
			return rows_mismatch(axes, "axes", "a list of one or two axes", l->err);
		if (read_axis(l, node, &c->axes[c->nr_axes++]) < 0)
			return -1;
	}
	return 0;
}

static int read_weight(struct loader *l, const struct comparison *c, struct quantity *q)
{
	char *end;

	q->weight = c->rows.role == ROLE_CALIBRATION ? 1 : 0;
	if (!q->rows.weight)
		return 0;
	q->weight = strtod(q->rows.weight, &end);
	if (end == q->rows.weight || *end || !(q->weight >= 0) || isinf(q->weight))
		return rows_mismatch(
			node_get(q->node, "weight"), "weight", "a number from 0", l->err);
	if (q->weight > 0 && c->rows.role != ROLE_CALIBRATION)
		return error_at(l->err, ERROR_SCENARIO, q->node->at,
			"weight: only calibration rows are fitted on");
	return 0;
}

static int read_quantities(struct loader *l, struct comparison *c)
{
	static const char *const required[] = { "id", "value", NULL };
	const struct node *list = node_get(c->node, "quantities");

	if (list->type != NODE_SEQ)
		return rows_mismatch(list, "quantities", "a list of maps", l->err);
	for (const struct node *node = list->first; node; node = node->next) {
		if (c->nr_quantities == MAX_QUANTITIES)
			return rows_mismatch(list, "quantities", "fewer of them", l->err);
		struct quantity *q = &c->quantities[c->nr_quantities++];

		q->node = node;
		param_defaults(quantity_params, &q->rows);
		if (rows_fill(quantity_params, &q->rows, node, NULL, "quantity", l->err) < 0 ||
			rows_require(node, required, "quantity", l->err) < 0 ||
			expr_parse(l->arena, q->rows.value, node_get(node, "value")->at, &q->value,
				l->err) < 0 ||
			(q->rows.published &&
				expr_parse(l->arena, q->rows.published,
					node_get(node, "published")->at, &q->published,
					l->err) < 0) ||
			read_weight(l, c, q) < 0)
			return -1;
	}
	return 0;
}

static int add_variant(struct loader *l, const struct comparison *c, const struct node *name)
{
	struct point p = { .c = c, .name = name->text };

	if (name->type != NODE_SCALAR)
		return rows_mismatch(name, "variants", "a list of names", l->err);
	return find_variant(l, name->text, name->at, &p.variant) < 0 ? -1 : add_points(l, &p);
}

int load_comparison(struct loader *l, const struct node *node)
{
	static const char *const also[] = { "where", "set", "axes", "quick", "quantities",
		"variants", "null", NULL };
	static const char *const required[] = { "variants", "quantities", NULL };
	struct comparison *c = arena_alloc(l->arena, sizeof(*c));

	c->node = node;
	param_defaults(comparison_params, &c->rows);
	if (rows_fill(comparison_params, &c->rows, node, also, "comparison", l->err) < 0)
		return -1;
	const struct node *variants = node_get(node, "variants");
	if (!variants || !node_get(node, "quantities"))
		return rows_require(node, required, "comparison", l->err);
	if (c->rows.file && csv_read(l->arena, load_path(l, c->rows.file), &c->csv, l->err) < 0)
		return -1;
	if (read_axes(l, c) < 0 || read_quantities(l, c) < 0)
		return -1;
	if (variants->type == NODE_SCALAR && add_variant(l, c, variants) < 0)
		return -1;
	for (const struct node *name = variants->first; name; name = name->next)
		if (add_variant(l, c, name) < 0)
			return -1;
	l->nr_comparisons++;
	return 0;
}
