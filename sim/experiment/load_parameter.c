#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/experiment/loader.h"
#include "sim/experiment/setting.h"
#include "sim/scenario/rows.h"

struct parameter_rows {
	const char *path, *name, *value, *source, *cells, *reason, *start, *min, *max, *step,
		*round;
	int64_t status;
};

static const struct param parameter_params[] = {
	PARAM_TEXT(struct parameter_rows, path, "path", NULL, "as for --set"),
	PARAM_TEXT(struct parameter_rows, name, "name", NULL, "instead: $name in texts to set"),
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

/* A value that is put where texts say "$name" stands in the middle of them: it is one word. */
static int read_name(
	struct loader *l, const struct node *node, const char *name, struct parameter *p)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_./+%-";
	const struct experiment *e = l->experiment;
	const struct node *at = node_get(node, "name"), *value = node_get(node, "value");

	if (node_get(node, "path") || p->scenario || p->variants)
		return error_at(l->err, ERROR_SCENARIO, at->at,
			"name: \"$%.60s\" is where texts to set say so; expected no path, "
			"scenario or variants",
			name);
	if (!setting_is_name(name))
		return rows_mismatch(at, "name", "letters, digits and _, no digit first", l->err);
	for (size_t i = 0; i + 1 < e->nr_parameters; i++)
		if (e->parameters[i].name && strcmp(e->parameters[i].name, name) == 0)
			return error_at(l->err, ERROR_SCENARIO, at->at,
				"name: another parameter is called \"%.60s\"", name);
	if (!value)
		return error_at(l->err, ERROR_SCENARIO, node->at,
			"parameter: \"value\" is missing; \"$%.60s\" stands for it", name);
	if (!*p->value || p->value[strspn(p->value, word)])
		return rows_mismatch(value, "value", "one word or number", l->err);
	p->name = name;
	p->path = arena_printf(l->arena, "$%s", name);
	return 0;
}

static int check_keys(struct loader *l, const struct node *node, const struct parameter_rows *rows)
{
	static const char *const required[] = { "status", NULL };
	static const char *const where[] = { "path", NULL };
	const char *const texts[] = { rows->source, rows->cells, rows->reason };

	if (rows_require(node, rows->name ? required : where, "parameter", l->err) < 0 ||
		rows_require(node, required, "parameter", l->err) < 0)
		return -1;
	if (!texts[rows->status] || !*texts[rows->status])
		return error_at(l->err, ERROR_SCENARIO, node->at,
			"parameter: \"%s\" is missing: what is %s needs it",
			status_keys[rows->status], status_names[rows->status]);
	return 0;
}

static int read_parameter(struct loader *l, const struct node *node)
{
	struct experiment *e = l->experiment;
	struct parameter_rows rows;

	param_defaults(parameter_params, &rows);
	if (rows_fill(parameter_params, &rows, node, parameter_also, "parameter", l->err) < 0 ||
		check_keys(l, node, &rows) < 0)
		return -1;
	if (e->nr_parameters == MAX_PARAMETERS)
		return error_at(l->err, ERROR_SCENARIO, node->at, "more than %d parameters",
			MAX_PARAMETERS);
	const char *const texts[] = { rows.source, rows.cells, rows.reason };
	struct parameter *p = &e->parameters[e->nr_parameters++];
	*p = (struct parameter){ .path = rows.path,
		.value = rows.value,
		.source = texts[rows.status],
		.status = (enum status)rows.status,
		.scenario = node_get(node, "scenario"),
		.variants = node_get(node, "variants") };
	if (rows.value)
		p->value_at = node_get(node, "value")->at;
	if (rows.name && read_name(l, node, rows.name, p) < 0)
		return -1;
	return rows.start || p->status == STATUS_FITTED ? read_fit(l, node, p) : 0;
}

/* The list of another experiment, which holds for that one's scenario and is fitted there. */
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
	for (size_t i = first; i < l->experiment->nr_parameters; i++) {
		struct parameter *p = &l->experiment->parameters[i];

		p->fits = false;
		if (!p->scenario)
			p->scenario = scenario;
	}
	return 0;
}

static int check_text(struct loader *l, const char *text, struct where at)
{
	const struct experiment *e = l->experiment;
	const char *names[MAX_PARAMETERS];
	char suggestion[512];
	size_t index, length, nr = 0;

	while ((text = setting_find(e, text, &index, &length))) {
		if (index == e->nr_parameters)
			break;
		l->named[index] = true;
		text += 1 + length;
	}
	if (!text)
		return 0;
	for (size_t i = 0; i < e->nr_parameters; i++)
		if (e->parameters[i].name)
			names[nr++] = e->parameters[i].name;
	const char *name = arena_printf(l->arena, "%.*s", (int)length, text + 1);
	if (nr == 0)
		return error_at(
			l->err, ERROR_SCENARIO, at, "\"$%.60s\": no parameter has a name", name);
	str_suggest(name, names, nr, suggestion, sizeof(suggestion));
	return error_at(l->err, ERROR_SCENARIO, at, "\"$%.60s\": no parameter is called so; %s",
		name, suggestion);
}

int load_names(struct loader *l, const struct node *node)
{
	if (node->type == NODE_SCALAR)
		return check_text(l, node->text, node->at);
	for (const struct node *child = node->first; child; child = child->next)
		if (load_names(l, child) < 0)
			return -1;
	return 0;
}

int load_names_used(struct loader *l)
{
	const struct experiment *e = l->experiment;

	/* Without the cells that are not quick, none of which was read. */
	for (size_t i = 0; i < e->nr_parameters && !l->quick; i++)
		if (e->parameters[i].name && !e->parameters[i].scenario && !l->named[i])
			return error_at(l->err, ERROR_SCENARIO, e->parameters[i].value_at,
				"parameter %.60s: no text to set says \"%.60s\"",
				e->parameters[i].name, e->parameters[i].path);
	return 0;
}

static int read_list(struct loader *l, const struct node *list)
{
	struct experiment *e = l->experiment;
	size_t first = e->nr_parameters;

	for (const struct node *node = list ? list->first : NULL; node; node = node->next)
		if (read_parameter(l, node) < 0)
			return -1;
	for (size_t i = first; i < e->nr_parameters; i++)
		if (!e->parameters[i].name && e->parameters[i].value &&
			check_text(l, e->parameters[i].value, e->parameters[i].value_at) < 0)
			return -1;
	return 0;
}

int load_parameters(struct loader *l, const struct node *list)
{
	if (list && list->type == NODE_SCALAR && *list->text)
		return borrow_parameters(l, list);
	if (list && list->type != NODE_SEQ)
		return rows_mismatch(list, "parameters", "a list of maps", l->err);
	return read_list(l, list);
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

void load_apply_parameters(
	struct loader *l, struct overrides *o, const char *scenario, const char *variant)
{
	for (size_t i = 0; i < l->experiment->nr_parameters; i++) {
		const struct parameter *p = &l->experiment->parameters[i];

		if (p->value && !p->name && names(p->scenario, scenario) &&
			names(p->variants, variant))
			o->parameters[o->nr_parameters++] = i;
	}
}
