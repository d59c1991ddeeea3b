#include "sim/scenario/rows.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/str.h"

static bool is_empty(const struct node *node)
{
	return !node || (node->type == NODE_SCALAR && !*node->text);
}

static bool is_listed(const char *const *names, const char *name)
{
	for (; names && *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

int rows_mismatch(
	const struct node *node, const char *name, const char *expected, struct error *err)
{
	const char *quote = node->type == NODE_SCALAR ? "\"" : "";

	return error_at(err, ERROR_SCENARIO, node->at, "%s: found %s%.60s%s; expected %s", name,
		quote, node_describe(node), quote, expected);
}

static int fill_one(const struct param *params, void *object, const struct node *child,
	const char *const *also, const char *owner, struct error *err)
{
	const struct param *param = param_find(params, child->key);

	if (!param)
		return param_unknown(params, also, owner, child->key, child->key_at, err);
	if (child->type != NODE_SCALAR)
		return rows_mismatch(child, child->key, "one value", err);
	return param_set(param, object, child->text, child->at, err);
}

int rows_fill(const struct param *params, void *object, const struct node *map,
	const char *const *also, const char *owner, struct error *err)
{
	if (is_empty(map))
		return 0;
	if (map->type != NODE_MAP)
		return rows_mismatch(map, owner, "a map { key: value, ... }", err);
	for (const struct node *child = map->first; child; child = child->next)
		if (!is_listed(also, child->key) &&
			fill_one(params, object, child, also, owner, err) < 0)
			return -1;
	return 0;
}

int rows_require(
	const struct node *map, const char *const *keys, const char *owner, struct error *err)
{
	for (; *keys; keys++)
		if (is_empty(node_get(map, *keys)))
			return error_at(err, ERROR_SCENARIO, map->at, "%s: \"%s\" is missing",
				owner, *keys);
	return 0;
}

int rows_fill_list(struct arena *arena, const struct rows_list *list, const struct node *node,
	void *array, size_t *nr, struct error *err)
{
	if (node->type != NODE_SEQ || !node->nr)
		return rows_mismatch(node, node->key, "a list of maps", err);
	if (node->nr > list->max)
		return error_at(err, ERROR_SCENARIO, node->at,
			"%s: %zu elements; expected at most %zu", node->key, node->nr, list->max);
	char *element = arena_array(arena, node->nr, list->size);
	memcpy(array, &element, sizeof(element));
	*nr = node->nr;
	for (const struct node *child = node->first; child; child = child->next) {
		param_defaults(list->params, element);
		if (rows_fill(list->params, element, child, NULL, list->owner, err) < 0 ||
			rows_require(child, list->required, list->owner, err) < 0)
			return -1;
		element += list->size;
	}
	return 0;
}

bool rows_range(const struct node *node, int end, int *first, int *last)
{
	char text[32];
	int64_t from, to;
	char *dash;

	if (node->type != NODE_SCALAR || strlen(node->text) >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%s", node->text);
	dash = strchr(text, '-');
	if (dash)
		*dash = '\0';
	if (str_to_i64(text, UNIT_NONE, &from) < 0 ||
		str_to_i64(dash ? dash + 1 : text, UNIT_NONE, &to) < 0 || from < 0 || from > to ||
		to >= end)
		return false;
	*first = (int)from;
	*last = (int)to;
	return true;
}
