#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/experiment/loader.h"
#include "sim/report/manifest.h"
#include "sim/scenario/rows.h"
#include "sim/scenario/search.h"

const char *const role_names[] = { "calibration", "prediction", "unscored", NULL };
const char *const status_names[] = { "fact", "fitted", "assumed", NULL };

struct head_rows {
	const char *name, *summary, *machine, *kernel, *scenario, *targets, *null_model;
	const char *mechanism, *ablations, *gaps, *figure;
	int64_t repeats;
};

static const struct param head_params[] = {
	PARAM_TEXT(struct head_rows, name, "name", NULL, "name of the experiment"),
	PARAM_TEXT(struct head_rows, summary, "summary", NULL, "one line"),
	PARAM_TEXT(struct head_rows, machine, "machine", NULL, "what it was measured on"),
	PARAM_TEXT(struct head_rows, kernel, "kernel", NULL, "kernels it was measured with"),
	PARAM_TEXT(struct head_rows, scenario, "scenario", NULL, "scenario file"),
	PARAM_TEXT(struct head_rows, targets, "targets", NULL, "table of ids and tolerances"),
	PARAM_TEXT(struct head_rows, null_model, "null_model", NULL, "what \"null\" stands for"),
	PARAM_TEXT(struct head_rows, mechanism, "mechanism", NULL, "why it comes out"),
	PARAM_TEXT(struct head_rows, ablations, "ablations", NULL, "what fails without what"),
	PARAM_TEXT(struct head_rows, gaps, "gaps", NULL, "what does not come out"),
	PARAM_TEXT(struct head_rows, figure, "figure", NULL, "unit of what the figure shows"),
	PARAM_INT(struct head_rows, repeats, "repeats", UNIT_NONE, 1, 1000, 1, "runs per cell"),
	PARAM_END,
};

struct parameter_rows {
	const char *path, *value, *source, *cells, *reason, *start, *min, *max, *step, *round;
	int64_t status;
};

static const struct param parameter_params[] = {
	PARAM_TEXT(struct parameter_rows, path, "path", NULL, "as for --set"),
	PARAM_TEXT(struct parameter_rows, value, "value", NULL, "value in this experiment"),
	PARAM_CHOICE(struct parameter_rows, status, "status", status_names, 0, "what is known"),
	PARAM_TEXT(struct parameter_rows, source, "source", NULL, "where a fact comes from"),
	PARAM_TEXT(struct parameter_rows, cells, "cells", NULL, "cells it was fitted on"),
	PARAM_TEXT(struct parameter_rows, reason, "reason", NULL, "why it is assumed"),
	PARAM_TEXT(struct parameter_rows, start, "start", NULL, "where the fit starts"),
	PARAM_TEXT(struct parameter_rows, min, "min", NULL, "least value of the fit"),
	PARAM_TEXT(struct parameter_rows, max, "max", NULL, "largest value of the fit"),
	PARAM_TEXT(struct parameter_rows, step, "step", NULL, "step of the fit's derivatives"),
	PARAM_TEXT(struct parameter_rows, round, "round", NULL, "values are multiples of it"),
	PARAM_END,
};

/* Keys of a parameter that "status" asks for, and what its text is. */
static const char *const status_keys[] = { "source", "cells", "reason" };

static const char *const parameter_also[] = { "scenario", "variants", NULL };

const char *load_path(struct loader *l, const char *name)
{
	const char *path = search_file(l->arena, l->experiment->path, name);

	return path ? path : name;
}

const char *load_text(struct loader *l, const struct node *node)
{
	const char *text = NULL;

	if (!node || node->type == NODE_SCALAR)
		return node ? node->text : NULL;
	for (const struct node *child = node->first; child; child = child->next)
		text = arena_printf(l->arena, "%s%s%s", text ? text : "", text ? ", " : "",
			child->type == NODE_SCALAR ? child->text : "");
	return text;
}

static int add_override(struct loader *l, struct overrides *o, const struct node *at,
	const char *path, const char *value)
{
	if (o->nr == MAX_OVERRIDES)
		return error_at(l->err, ERROR_SCENARIO, at->at, "more than %d values to set",
			MAX_OVERRIDES);
	o->list[o->nr++] = arena_printf(l->arena, "%s=%s", path, value);
	return 0;
}

/* A map or a list in flow style, as --set takes it. */
static const char *flow_text(struct loader *l, const struct node *node)
{
	char *buf = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&buf, &size);
	const char *text = NULL;

	if (out) {
		manifest_write_value(out, node);
		if (fclose(out) == 0)
			text = arena_strdup(l->arena, buf);
	}
	free(buf);
	if (!text)
		error_at(l->err, ERROR_RUN, node->at, "out of memory");
	return text;
}

int load_set(struct loader *l, struct overrides *o, const struct node *map)
{
	if (map && map->type != NODE_MAP && map->nr)
		return rows_mismatch(map, "set", "a map { path: value, ... }", l->err);
	for (const struct node *child = map ? map->first : NULL; child; child = child->next) {
		const char *text = child->type == NODE_SCALAR ? child->text : flow_text(l, child);

		if (!child->key)
			return rows_mismatch(child, "set", "a map { path: value, ... }", l->err);
		if (!text || add_override(l, o, child, child->key, text) < 0)
			return -1;
	}
	return 0;
}

static int read_quantity(struct loader *l, const struct node *node, const char *key,
	const char **suffix, double *number)
{
	const struct node *value = node_get(node, key);
	char *end;

	if (!value)
		return error_at(l->err, ERROR_SCENARIO, node->at,
			"parameter: \"%s\" is missing; a fit needs start, min, max and step", key);
	*number = strtod(value->text ? value->text : "", &end);
	if (!value->text || end == value->text || !isfinite(*number))
		return rows_mismatch(value, key, "a number", l->err);
	if (*suffix && strcmp(*suffix, end) != 0)
		return error_at(l->err, ERROR_SCENARIO, value->at,
			"%s: found \"%.40s\"; expected the unit of the value, \"%.20s\"", key,
			value->text, *suffix);
	*suffix = end;
	return 0;
}

static int read_fit(struct loader *l, const struct node *node, struct parameter *p)
{
	p->fits = true;
	if (read_quantity(l, node, "value", &p->suffix, &p->current) < 0 ||
		read_quantity(l, node, "start", &p->suffix, &p->start) < 0 ||
		read_quantity(l, node, "min", &p->suffix, &p->min) < 0 ||
		read_quantity(l, node, "max", &p->suffix, &p->max) < 0 ||
		read_quantity(l, node, "step", &p->suffix, &p->step) < 0)
		return -1;
	p->round = p->step / 10;
	if (node_get(node, "round") && read_quantity(l, node, "round", &p->suffix, &p->round) < 0)
		return -1;
	if (p->min < p->start && p->start < p->max && p->step > 0 && p->round > 0)
		return 0;
	return error_at(l->err, ERROR_SCENARIO, node->at,
		"parameter %.60s: expected min < start < max, and step and round above 0", p->path);
}

static int read_parameter(struct loader *l, const struct node *node)
{
	static const char *const required[] = { "path", "status", NULL };
	struct experiment *e = l->experiment;
	struct parameter_rows rows;

	param_defaults(parameter_params, &rows);
	if (rows_fill(parameter_params, &rows, node, parameter_also, "parameter", l->err) < 0 ||
		rows_require(node, required, "parameter", l->err) < 0)
		return -1;
	const char *const texts[] = { rows.source, rows.cells, rows.reason };
	if (!texts[rows.status] || !*texts[rows.status])
		return error_at(l->err, ERROR_SCENARIO, node->at,
			"parameter: \"%s\" is missing: what is %s needs it",
			status_keys[rows.status], status_names[rows.status]);
	if (e->nr_parameters == MAX_PARAMETERS)
		return error_at(l->err, ERROR_SCENARIO, node->at, "more than %d parameters",
			MAX_PARAMETERS);
	struct parameter *p = &e->parameters[e->nr_parameters++];
	*p = (struct parameter){ .path = rows.path,
		.value = rows.value,
		.source = texts[rows.status],
		.status = (enum status)rows.status,
		.scenario = node_get(node, "scenario"),
		.variants = node_get(node, "variants") };
	if (rows.value)
		p->value_at = node_get(node, "value")->at;
	return rows.start ? read_fit(l, node, p) : 0;
}

/* The list of another experiment: it holds for cells of that one's scenario. */
static int borrow_parameters(struct loader *l, const struct node *name)
{
	const char *path = load_path(l, name->text);
	const struct node *list, *scenario;
	struct node *root;
	size_t first = l->experiment->nr_parameters;

	if (yaml_read_file(l->arena, arena_strdup(l->arena, path), &root, l->err) < 0)
		return -1;
	list = node_get(root, "parameters");
	scenario = node_get(root, "scenario");
	if (!list || list->type != NODE_SEQ || !scenario)
		return error_at(l->err, ERROR_SCENARIO, name->at,
			"parameters: %.200s has no list of parameters for a scenario", path);
	if (load_parameters(l, list) < 0)
		return -1;
	for (size_t i = first; i < l->experiment->nr_parameters; i++)
		if (!l->experiment->parameters[i].scenario)
			l->experiment->parameters[i].scenario = scenario;
	return 0;
}

int load_parameters(struct loader *l, const struct node *list)
{
	if (list && list->type == NODE_SCALAR && *list->text)
		return borrow_parameters(l, list);
	if (list && list->type != NODE_SEQ)
		return rows_mismatch(list, "parameters", "a list of maps", l->err);
	for (const struct node *node = list ? list->first : NULL; node; node = node->next)
		if (read_parameter(l, node) < 0)
			return -1;
	return 0;
}

static bool names(const struct node *node, const char *name)
{
	if (!node)
		return true;
	if (node->type == NODE_SCALAR)
		return strcmp(node->text, name) == 0;
	for (const struct node *child = node->first; child; child = child->next)
		if (child->type == NODE_SCALAR && strcmp(child->text, name) == 0)
			return true;
	return false;
}

int load_apply_parameters(
	struct loader *l, struct overrides *o, const char *scenario, const char *variant)
{
	for (size_t i = 0; i < l->experiment->nr_parameters; i++) {
		const struct parameter *p = &l->experiment->parameters[i];

		if (!p->value || !names(p->scenario, scenario) || !names(p->variants, variant))
			continue;
		if (add_override(l, o, l->root, p->path, p->value) < 0)
			return -1;
		o->parameters[o->nr_parameters++] = i;
	}
	return 0;
}

static bool same_cell(const struct cell *cell, const char *path, const struct overrides *o)
{
	if (cell->nr_overrides != o->nr || strcmp(cell->path, path) != 0)
		return false;
	for (size_t i = 0; i < o->nr; i++)
		if (strcmp(cell->overrides[i], o->list[i]) != 0)
			return false;
	return true;
}

int load_cell(struct loader *l, const char *scenario, const struct overrides *o, size_t *index)
{
	struct experiment *e = l->experiment;
	const char *path = load_path(l, scenario);

	for (*index = 0; *index < e->nr_cells; ++*index)
		if (same_cell(&e->cells[*index], path, o))
			return 0;
	if (e->nr_cells == MAX_CELLS)
		return error_at(
			l->err, ERROR_SCENARIO, l->root->at, "more than %d cells", MAX_CELLS);
	struct cell *cell = &e->cells[e->nr_cells++];
	const char **list = arena_array(l->arena, o->nr + 1, sizeof(*list));
	size_t *parameters = arena_array(l->arena, o->nr_parameters + 1, sizeof(*parameters));
	memcpy(list, o->list, o->nr * sizeof(*list));
	memcpy(parameters, o->parameters, o->nr_parameters * sizeof(*parameters));
	*cell = (struct cell){ .path = path,
		.overrides = list,
		.nr_overrides = o->nr,
		.parameters = parameters,
		.nr_parameters = o->nr_parameters,
		.scenario = arena_alloc(l->arena, sizeof(*cell->scenario)) };
	return scenario_load(l->arena, l->catalog, path, list, o->nr, cell->scenario, l->err);
}

static int read_quick(struct loader *l, const struct node *quick)
{
	static const char *const also[] = { "set", NULL };
	static const struct param params[] = {
		PARAM_INT(struct head_rows, repeats, "repeats", UNIT_NONE, 1, 1000, 1,
			"runs per cell"),
		PARAM_END,
	};
	struct head_rows rows = { .repeats = 1 };

	if (quick && rows_fill(params, &rows, quick, also, "quick", l->err) < 0)
		return -1;
	if (l->quick)
		l->experiment->repeats = rows.repeats;
	return 0;
}

static int load_head(struct loader *l)
{
	static const char *const also[] = { "source", "variants", "parameters", "comparisons",
		"quick", NULL };
	static const char *const required[] = { "name", "variants", "comparisons", NULL };
	struct experiment *e = l->experiment;
	struct head_rows rows;

	param_defaults(head_params, &rows);
	if (rows_fill(head_params, &rows, l->root, also, "experiment", l->err) < 0 ||
		rows_require(l->root, required, "experiment", l->err) < 0)
		return -1;
	e->name = rows.name;
	e->summary = rows.summary;
	e->null_model = rows.null_model;
	e->repeats = rows.repeats;
	e->notes = (struct experiment_notes){ .source = load_text(l, node_get(l->root, "source")),
		.machine = rows.machine,
		.kernel = rows.kernel,
		.mechanism = rows.mechanism,
		.ablations = rows.ablations,
		.gaps = rows.gaps,
		.figure = rows.figure };
	l->scenario = rows.scenario;
	l->targets = rows.targets ? load_path(l, rows.targets) : NULL;
	if (l->targets && csv_read(l->arena, l->targets, &l->targets_csv, l->err) < 0)
		return -1;
	if (read_quick(l, node_get(l->root, "quick")) < 0)
		return -1;
	return load_parameters(l, node_get(l->root, "parameters"));
}

/* A cell that something was fitted on stays one, whatever else is read from it. */
static void spread_roles(struct experiment *e)
{
	for (size_t i = 0; i < e->nr_targets; i++)
		if (e->targets[i].role == ROLE_CALIBRATION)
			for (size_t k = 0; k < e->nr_targets; k++)
				if (e->targets[k].cell == e->targets[i].cell &&
					e->targets[k].role == ROLE_PREDICTION)
					e->targets[k].role = ROLE_CALIBRATION;
}

/* A figure shows what some quantity is labelled. */
static int check_figure(struct loader *l)
{
	const struct experiment *e = l->experiment;
	const char *names[MAX_TARGETS];
	char suggestion[512];
	size_t nr = 0;

	if (!e->notes.figure)
		return 0;
	for (size_t i = 0; i < e->nr_targets; i++) {
		size_t k = 0;

		if (strcmp(e->targets[i].label, e->notes.figure) == 0)
			return 0;
		while (k < nr && strcmp(names[k], e->targets[i].label) != 0)
			k++;
		if (k == nr)
			names[nr++] = e->targets[i].label;
	}
	str_suggest(e->notes.figure, names, nr, suggestion, sizeof(suggestion));
	return error_at(l->err, ERROR_SCENARIO, node_get(l->root, "figure")->at,
		"figure: no quantity has the label \"%.60s\"; %s", e->notes.figure, suggestion);
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
	experiment->parameters = arena_array(
		arena, MAX_PARAMETERS, sizeof(*experiment->parameters));
	experiment->cells = arena_array(arena, MAX_CELLS, sizeof(*experiment->cells));
	experiment->targets = arena_array(arena, MAX_TARGETS, sizeof(*experiment->targets));
	if (yaml_read_file(arena, experiment->path, &root, err) < 0)
		return -1;
	l.root = root;
	if (load_head(&l) < 0)
		return -1;
	const struct node *comparisons = node_get(root, "comparisons");
	if (comparisons->type != NODE_SEQ)
		return rows_mismatch(comparisons, "comparisons", "a list of maps", err);
	for (const struct node *node = comparisons->first; node; node = node->next)
		if (load_comparison(&l, node) < 0)
			return -1;
	spread_roles(experiment);
	return check_figure(&l);
}

size_t experiment_count(const struct experiment *experiment, enum status status)
{
	size_t nr = 0;

	for (size_t i = 0; i < experiment->nr_parameters; i++)
		nr += experiment->parameters[i].status == status;
	return nr;
}
