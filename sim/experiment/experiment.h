/*
 * An experiment: scenarios to run, and the published numbers they are compared with. Knows files,
 * variants, axes and tolerances; runs nothing itself. docs/experiments.md describes the file.
 *
 * A cell is one scenario with overrides. A target is one number to compare: an expression over
 * what its cell, or the same cell of another variant, comes out as. What was published goes into
 * targets only; no cell knows of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/catalog.h"
#include "sim/experiment/expr.h"
#include "sim/experiment/tolerance.h"
#include "sim/scenario/scenario.h"

#define EXPERIMENT_MAX_AXES 2

/* What a target may be used for. */
enum role {
	ROLE_CALIBRATION, /* parameters were fitted on its cell */
	ROLE_PREDICTION,  /* nothing was */
	ROLE_UNSCORED,    /* shown, not judged */
	NR_ROLES
};

extern const char *const role_names[]; /* NULL-terminated */

/* What is known of a parameter's value. */
enum status { STATUS_FACT, STATUS_FITTED, STATUS_ASSUMED, NR_STATUSES };

extern const char *const status_names[]; /* NULL-terminated */

struct parameter {
	const char *path;   /* as for --set; of a named one, "$" and the name */
	const char *name;   /* what "$name" in a text to set stands for; NULL: set at the path */
	const char *value;  /* set in every cell it is for; NULL: described only */
	const char *source; /* fact: where from; assumed: why; fitted: on what */
	enum status status;
	const struct node *scenario, *variants; /* what it is for; NULL: everything */
	/* For calibrate, in the unit that stands behind value (suffix). */
	bool fits;
	const char *suffix;
	double current, start, min, max, step, round;
	struct where value_at; /* of the value in the file */
};

/* One scenario with overrides: shared by every target that reads it. */
struct cell {
	const char *path;         /* of the scenario */
	const size_t *parameters; /* which are set at their paths, before everything else */
	size_t nr_parameters;
	const char *const *set; /* "path=text" in order, "$name" for the value of a parameter */
	size_t nr_set;
	struct scenario *scenario;
	unsigned observe; /* enum observe_series */
};

/* A coordinate of a target: the value of an axis. */
struct coordinate {
	const char *name, *text;
	double number; /* NaN when the text is none */
};

/* Targets of one quantity of one comparison: what an order is asked of. */
struct target {
	const char *id, *unit, *variant, *label;
	const char *panel; /* of the figure */
	size_t comparison, quantity;
	struct coordinate axes[EXPERIMENT_MAX_AXES];
	size_t nr_axes;
	struct where at;
	struct expr value;
	const size_t *cells; /* of each name in value */
	size_t cell;         /* its own */
	enum role role;
	double weight; /* in the fit; 0: not fitted on */
	bool has_published, has_null;
	double published, null;
	struct tolerance tolerance;
	const char *why; /* of a tolerance that the file states; NULL: that of the targets */
};

/* Texts for the page that is generated; each may be NULL. */
struct experiment_notes {
	const char *source, *machine, *kernel, *mechanism, *ablations, *gaps, *figure;
};

struct experiment {
	const char *path, *name, *summary;
	const char *null_model; /* what it says, NULL without one */
	struct experiment_notes notes;
	int64_t repeats, fit_repeats; /* runs per cell; the same for calibrate */
	struct parameter *parameters;
	size_t nr_parameters;
	struct cell *cells;
	size_t nr_cells;
	struct target *targets;
	size_t nr_targets;
};

/* Reads the file, the published tables it names and every scenario. With @quick only what the file
 * marks as quick. 0 or -1 with @err (code 2). */
int experiment_load(struct arena *arena, const struct catalog *catalog, const char *path,
	bool quick, struct experiment *experiment, struct error *err);

/* How many parameters have the status. */
size_t experiment_count(const struct experiment *experiment, enum status status);
