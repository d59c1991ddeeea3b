/*
 * What the parts of the experiment loader share while a file is read. Private to load*.c.
 */
#pragma once

#include "sim/experiment/experiment.h"
#include "sim/experiment/table.h"

#define MAX_CELLS 2048
#define MAX_TARGETS 4096
#define MAX_OVERRIDES 96
#define MAX_PARAMETERS 64
#define MAX_CONDITIONS 16

struct loader {
	struct arena *arena;
	const struct catalog *catalog;
	struct error *err;
	struct experiment *experiment;
	bool quick;
	const struct node *root;
	const char *scenario; /* of the head; NULL without one */
	const char *targets;  /* table of target ids and tolerances; NULL without one */
	struct csv targets_csv;
	size_t nr_comparisons;
	bool named[MAX_PARAMETERS]; /* a text to set says its "$name" */
};

/* A growing list of what a cell is set to. */
struct overrides {
	const char *list[MAX_OVERRIDES]; /* after the parameters */
	size_t nr;
	size_t parameters[MAX_PARAMETERS];
	size_t nr_parameters;
};

/* A text or a map of texts, as one line; NULL when it is not there. */
const char *load_text(struct loader *l, const struct node *node);
/* The file called @name beside the experiment or in the usual places; @name when it is nowhere. */
const char *load_path(struct loader *l, const char *name);

/* Every "path: value" of the map. */
int load_set(struct loader *l, struct overrides *o, const struct node *map);
int load_parameters(struct loader *l, const struct node *list);
/* Every "$name" of the texts below @node is that of a parameter. */
int load_names(struct loader *l, const struct node *node);
/* Every parameter that has a name is used. */
int load_names_used(struct loader *l);
/* The parameters that are for this scenario and variant. */
void load_apply_parameters(
	struct loader *l, struct overrides *o, const char *scenario, const char *variant);
/* The cell with these overrides; its scenario is read when it is new. */
int load_cell(struct loader *l, const char *scenario, const struct overrides *o, size_t *index);

int load_comparison(struct loader *l, const struct node *node);
