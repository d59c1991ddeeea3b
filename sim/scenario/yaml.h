/*
 * A YAML text as a small tree in which every node knows its place. Knows YAML, not scenarios.
 *
 * The subset of configuration files: block and flow mappings and sequences, plain and quoted
 * scalars. Refused with a message at the place: duplicate keys, anchors, aliases, tags, more than
 * one document, depth over 32, over 10000 keys and values, a file over 4 MiB, what is no regular
 * file, bytes that are not UTF-8, control characters.
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

/* The same for a piece of text with one place as a whole, such as a value of the command line. */
int yaml_read_value(struct arena *arena, struct where at, const char *text, struct node **root,
	struct error *err);

/* Child of a mapping by key, or NULL. */
struct node *node_get(const struct node *map, const char *key);
/* "map", "list" or the scalar's text, for "found ..." in messages. */
const char *node_describe(const struct node *node);

/* Applies "a.b.c=value" to the tree: replaces or adds the value at that path. Elements of a list
 * are counted from 0; a scalar in the way is the short form { name: scalar } of a map. A value that
 * starts with [ { or a quote is read as YAML, any other is taken as it is. */
int yaml_override(
	struct arena *arena, struct node *root, const char *assignment, struct error *err);
