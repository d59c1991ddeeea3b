/*
 * Reads the values of an axis. Knows spelling: ranges, lists, pieces of YAML; not what a value is
 * for.
 */
#pragma once

#include "sim/sweep/plan.h"

/* "10ms:90ms:20ms", "1:8", "a,b,{ name: c }". 0 or -1 with @err at @at. */
int axis_from_text(struct axis *axis, struct arena *arena, struct where at, const char *text,
	struct error *err);
/* The same from a file, where a list may be a YAML list. */
int axis_from_node(
	struct axis *axis, struct arena *arena, const struct node *node, struct error *err);
