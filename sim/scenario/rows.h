/*
 * From tree to rows: a map fills the struct its rows describe. Knows shapes, not sections.
 */
#pragma once

#include <stdbool.h>

#include "sim/base/arena.h"
#include "sim/base/param.h"
#include "sim/scenario/yaml.h"

/* Sets the fields that @map names; the others stay as they are. @owner is what messages call the
 * map ("governor ondemand"), @also the keys that are not rows (NULL-terminated, may be NULL).
 * @map may be NULL or an empty value: nothing is set. */
int rows_fill(const struct param *params, void *object, const struct node *map,
	const char *const *also, const char *owner, struct error *err);

/* The error for a key that must be there. */
int rows_require(
	const struct node *map, const char *const *keys, const char *owner, struct error *err);

/* A list of maps, one element each. */
struct rows_list {
	const struct param *params;
	size_t size;                 /* of an element */
	const char *const *required; /* keys of each, NULL-terminated */
	const char *owner;           /* of an element, in messages */
	size_t max;                  /* elements */
};

/* Fills an array of elements, defaults included; at least one. */
int rows_fill_list(struct arena *arena, const struct rows_list *list, const struct node *node,
	void *array, size_t *nr, struct error *err);

/* "3" or "0-14" of numbers below @end; false where the node is anything else. */
bool rows_range(const struct node *node, int end, int *first, int *last);

/* "found ..., expected ..." at the node. */
int rows_mismatch(
	const struct node *node, const char *name, const char *expected, struct error *err);
