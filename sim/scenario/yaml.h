/*
 * A YAML text as a small tree in which every node knows its place. Knows YAML, not scenarios.
 *
 * The subset of configuration files: block and flow mappings and sequences, plain and quoted
 * scalars. Refused with a message at the place: duplicate keys, anchors, aliases, tags, more than
 * one document, depth over 32, a file over 4 MiB, bytes that are not UTF-8.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"

enum node_type { NODE_SCALAR, NODE_MAP, NODE_SEQ };

struct node {
	enum node_type type;
	struct where at;     /* of the value */
	const char *key;     /* in a mapping, else NULL */
	struct where key_at; /* of the key */
	const char *text;    /* of a scalar */
	struct node *first;  /* children in order, for a mapping or a sequence */
	struct node *next;   /* sibling */
	size_t nr;           /* number of children */
};

/* Reads a file, or a text whose name in messages is @name. 0 or -1 with @err. */
int yaml_read_file(struct arena *arena, const char *path, struct node **root, struct error *err);
int yaml_read_text(struct arena *arena, const char *name, const char *text, struct node **root,
	struct error *err);

/* Child of a mapping by key, or NULL. */
struct node *node_get(const struct node *map, const char *key);
/* "map", "list" or the scalar's text, for "found ..." in messages. */
const char *node_describe(const struct node *node);

/* Applies "a.b.c=value" to the tree: replaces or adds the scalar (or flow text) at that path. */
int yaml_override(struct arena *arena, struct node *root, const char *assignment,
	struct error *err);
