#include <stdio.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/scenario/yaml.h"

/* One assignment from the command line, on its way down the tree. */
struct override {
	struct arena *arena;
	struct where at;
	const char *value;
	struct error *err;
};

static struct node *new_node(struct override *o, enum node_type type)
{
	struct node *node = arena_alloc(o->arena, sizeof(*node));

	node->type = type;
	node->at = o->at;
	return node;
}

static struct node *append(
	struct override *o, struct node *list, const char *key, struct node *child)
{
	struct node **end = &list->first;

	while (*end)
		end = &(*end)->next;
	*end = child;
	list->nr++;
	child->key = key;
	child->key_at = o->at;
	return child;
}

/* Replaces what @node is, keeps where it hangs. */
static void replace(struct node *node, const struct node *with)
{
	node->type = with->type;
	node->at = with->at;
	node->text = with->text;
	node->first = with->first;
	node->nr = with->nr;
}

static struct node *list_element(struct override *o, struct node *list, const char *key)
{
	struct node *child = list->first;
	int64_t index;

	if (str_to_i64(key, UNIT_NONE, &index) < 0 || index < 0 || index >= (int64_t)list->nr) {
		error_at(o->err, ERROR_SCENARIO, o->at,
			"\"%.60s\" is no element of a list of %zu; expected a number from 0", key,
			list->nr);
		return NULL;
	}
	while (index-- > 0)
		child = child->next;
	return child;
}

/* The child of @node called @key, made when it is missing. */
static struct node *descend(struct override *o, struct node *node, const char *key)
{
	if (node->type == NODE_SEQ)
		return list_element(o, node, key);
	if (node->type == NODE_SCALAR) {
		struct node *name = new_node(o, NODE_SCALAR);
		struct node *map = new_node(o, NODE_MAP);

		name->text = node->text;
		name->at = node->at;
		if (*node->text)
			append(o, map, "name", name);
		replace(node, map);
	}
	struct node *child = node_get(node, key);
	if (child)
		return child;
	child = new_node(o, NODE_SCALAR);
	child->text = "";
	return append(o, node, key, child);
}

static struct node *read_value(struct override *o)
{
	struct node *node;

	if (*o->value && strchr("[{\"'", *o->value))
		return yaml_read_value(o->arena, o->at, o->value, &node, o->err) < 0 ? NULL : node;
	node = new_node(o, NODE_SCALAR);
	node->text = o->value;
	return node;
}

/* Most steps of a path; the tree itself is no deeper. */
#define MAX_STEPS 32

int yaml_override(struct arena *arena, struct node *root, const char *assignment, struct error *err)
{
	struct override o = { .arena = arena,
		.at = { .file = arena_printf(arena, "(command line) %.200s", assignment) },
		.err = err };
	char *path = arena_strdup(arena, assignment);
	char *equals = strchr(path, '=');
	int steps = 0;

	if (!equals)
		return error_at(err, ERROR_SCENARIO, o.at, "no \"=\"; expected section.key=value");
	*equals = '\0';
	o.value = equals + 1;
	struct node *value = read_value(&o);
	if (!value)
		return -1;
	while (path) {
		char *dot = strchr(path, '.');

		if (dot)
			*dot++ = '\0';
		if (!*path || ++steps > MAX_STEPS)
			return error_at(err, ERROR_SCENARIO, o.at,
				"an empty name before \"=\"; expected section.key=value");
		root = descend(&o, root, path);
		if (!root)
			return -1;
		path = dot;
	}
	replace(root, value);
	return 0;
}
