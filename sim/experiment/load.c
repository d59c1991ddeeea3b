#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/experiment/loader.h"
#include "sim/experiment/setting.h"
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
	if (map && load_names(l, map) < 0)
		return -1;
	for (const struct node *child = map ? map->first : NULL; child; child = child->next) {
		const char *text = child->type == NODE_SCALAR ? child->text : flow_text(l, child);

		if (!child->key)
			return rows_mismatch(child, "set", "a map { path: value, ... }", l->err);
		if (!text || add_override(l, o, child, child->key, text) < 0)
			return -1;
	}
	return 0;
}

static bool same_cell(const struct cell *cell, const char *path, const struct overrides *o)
{
	if (cell->nr_set != o->nr || cell->nr_parameters != o->nr_parameters ||
		strcmp(cell->path, path) != 0 ||
		memcmp(cell->parameters, o->parameters, o->nr_parameters * sizeof(*o->parameters)))
		return false;
	for (size_t i = 0; i < o->nr; i++)
		if (strcmp(cell->set[i], o->list[i]) != 0)
			return false;
	return true;
}

/* With the values that the file has. */
static int read_scenario(struct loader *l, struct cell *cell)
{
	const struct experiment *e = l->experiment;
	const char *values[MAX_PARAMETERS];
	size_t nr;

	for (size_t i = 0; i < e->nr_parameters; i++)
		values[i] = e->parameters[i].value;
	const char *const *list = setting_list(l->arena, e, cell, values, &nr);
	cell->scenario = arena_alloc(l->arena, sizeof(*cell->scenario));
	return scenario_load(l->arena, l->catalog, cell->path, list, nr, cell->scenario, l->err);
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
	const char **set = arena_array(l->arena, o->nr + 1, sizeof(*set));
	size_t *parameters = arena_array(l->arena, o->nr_parameters + 1, sizeof(*parameters));
	memcpy(set, o->list, o->nr * sizeof(*set));
	memcpy(parameters, o->parameters, o->nr_parameters * sizeof(*parameters));
	*cell = (struct cell){ .path = path,
		.parameters = parameters,
		.nr_parameters = o->nr_parameters,
		.set = set,
		.nr_set = o->nr };
	return read_scenario(l, cell);
}

/* "repeats" of the section, when it is there. */
static int read_repeats(
	struct loader *l, const char *key, const char *const *also, int64_t *repeats)
{
	static const struct param params[] = {
		PARAM_INT(struct head_rows, repeats, "repeats", UNIT_NONE, 1, 1000, 1,
			"runs per cell"),
		PARAM_END,
	};
	struct head_rows rows = { .repeats = *repeats };
	const struct node *section = node_get(l->root, key);

	if (section && rows_fill(params, &rows, section, also, key, l->err) < 0)
		return -1;
	*repeats = rows.repeats;
	return 0;
}

static int read_all_repeats(struct loader *l)
{
	static const char *const also[] = { "set", NULL };
	struct experiment *e = l->experiment;
	int64_t quick = 1;

	/* Seeds are common to all points of a fit: two tell points apart and are not luck. */
	e->fit_repeats = 2;
	if (read_repeats(l, "quick", also, &quick) < 0 ||
		read_repeats(l, "calibrate", NULL, &e->fit_repeats) < 0)
		return -1;
	if (l->quick)
		e->repeats = quick;
	return 0;
}

static int load_head(struct loader *l)
{
	static const char *const also[] = { "source", "variants", "parameters", "comparisons",
		"quick", "calibrate", NULL };
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
	if (read_all_repeats(l) < 0)
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
	return load_names_used(&l) < 0 ? -1 : check_figure(&l);
}

size_t experiment_count(const struct experiment *experiment, enum status status)
{
	size_t nr = 0;

	for (size_t i = 0; i < experiment->nr_parameters; i++)
		nr += experiment->parameters[i].status == status;
	return nr;
}
