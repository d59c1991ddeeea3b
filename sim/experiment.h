/*
 * An experiment: scenarios to run, and the published numbers they are compared with. Knows files,
 * variants, axes and tolerances; runs nothing itself.
 *
 * A file in configs/experiments/ names one scenario, sets the parameters of the experiment (each
 * with what is known of it: fact, fitted or assumed), and lists comparisons. A comparison is one
 * variant along one axis; its quantities pair a metric with a column of a published table.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/catalog.h"
#include "sim/report/metric.h"
#include "sim/scenario/scenario.h"

/* What a row of the comparison may be used for. */
enum role {
	ROLE_CALIBRATION, /* parameters were fitted on it */
	ROLE_PREDICTION,  /* nothing was */
	ROLE_INFO,        /* shown, not judged */
	NR_ROLES
};

extern const char *const role_names[]; /* NULL-terminated */

/* One scenario with overrides: shared by every target that reads a metric of it. */
struct cell {
	const char *const *overrides;
	size_t nr_overrides;
	struct scenario *scenario;
};

struct target {
	const char *id, *unit, *variant;
	const char *panel; /* of the figure */
	const char *axis;  /* value on the axis, "" without one */
	enum metric metric;
	double published, tolerance_pct;
	enum role role;
	size_t cell;
};

struct experiment {
	const char *path, *name, *summary;
	int64_t repeats;
	struct cell *cells;
	size_t nr_cells;
	struct target *targets;
	size_t nr_targets;
};

/* Reads the file, the published tables it names and every scenario. With @quick only what the file
 * marks as quick, one repeat each. 0 or -1 with @err (code 2). */
int experiment_load(struct arena *arena, const struct catalog *catalog, const char *path,
	bool quick, struct experiment *experiment, struct error *err);
