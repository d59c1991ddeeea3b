/*
 * What the readers of a machine's sections share, and those that are in files of their own. Knows
 * sections, not behaviour.
 */
#pragma once

#include "sim/scenario/scenario.h"

#define MACHINE_MAX_KHZ 100000000

struct machine_reader {
	struct arena *arena;
	struct machine_spec *spec;
	const struct node *root;
	struct error *err;
};

/* -1, with @what said of @node. */
int machine_refuse(const struct machine_reader *r, const struct node *node, const char *what);

/* Operating points, voltage points and limits: one table for all CPUs at the file's top, or several
 * by name. After section power, whose values a table may replace. */
int machine_tables(struct machine_reader *r);
/* The idle states of all CPUs, or of those whose table has none of its own. After the tables. */
int machine_idle(struct machine_reader *r);
