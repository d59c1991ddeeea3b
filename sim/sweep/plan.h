/*
 * What a sweep varies: axes, and the points chosen on them. Knows texts and the scenario's tree,
 * not runs.
 *
 *   governor.sampling_rate=10ms:90ms:20ms      a range: lo:hi:step, or lo:hi in ones
 *   governor.name=ondemand,conservative        a list; a value in { } or [ ] is YAML
 *
 * A plan is every combination (the last axis changes fastest), or a number of samples spread over
 * the axes: a Latin hypercube, where no two samples share a stratum of any axis, or Sobol's
 * sequence. The same texts always give the same points.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/scenario/scenario.h"

#define PLAN_MAX_AXES 16
#define PLAN_MAX_POINTS 10000000

enum design { DESIGN_GRID, DESIGN_LATIN, DESIGN_SOBOL };

extern const char *const design_names[]; /* NULL-terminated */

struct axis {
	const char *path;    /* of the value in the scenario, dotted */
	struct where at;     /* where the sweep says so */
	size_t nr;           /* values */
	const char **values; /* of a list; NULL for a range */
	int64_t lo, step;    /* of a range, counted in units of its last decimal */
	int decimals;
	const char *suffix;
};

struct plan {
	const struct catalog *catalog;
	struct node *root; /* the scenario, without what it says of the sweep */
	struct axis axes[PLAN_MAX_AXES];
	size_t nr_axes;
	int design;
	int64_t samples;  /* 0: not said */
	uint32_t *chosen; /* value of each axis for each point; NULL when every one is a point */
	size_t nr_points;
};

/* What the command line adds to the scenario. */
struct plan_request {
	const char *path; /* of the scenario */
	const char *const *overrides;
	size_t nr_overrides;
	const char *const *sweeps; /* "path=values"; replace an axis of that path in the file */
	size_t nr_sweeps;
	int design;      /* -1: what the file says, or the grid */
	int64_t samples; /* 0: what the file says */
};

/* Reads the scenario, its sweep and @request. 0, or -1 with @err (code 2). */
int plan_load(struct plan *plan, struct arena *arena, const struct catalog *catalog,
	const struct plan_request *request, struct error *err);

/* The text of an axis' value number @i. */
const char *axis_value(const struct axis *axis, struct arena *arena, size_t i);
/* Which value of each axis a point has. */
size_t plan_value_of(const struct plan *plan, size_t point, size_t axis);

/* The scenario of a point, all memory @arena's. 0 or -1 with @err, which names the point. */
int plan_scenario(const struct plan *plan, size_t point, struct arena *arena,
	struct scenario *scenario, struct error *err);

/* "governor.sampling_rate=10ms governor.up_threshold=60". */
const char *plan_describe(const struct plan *plan, size_t point, struct arena *arena);
