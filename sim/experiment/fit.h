/*
 * Fits the declared parameters of an experiment on its calibration rows. Knows residuals and steps;
 * not what a parameter means.
 *
 * Levenberg and Marquardt's method (GSL). Every evaluation has the same seeds, so that two points
 * differ by their values and not by luck; derivatives are taken over the steps that the file
 * states, wide enough to drown the scatter that is left. Bounds are kept by a change of variable.
 */
#pragma once

#include "sim/experiment/score.h"

struct fit_parameter {
	size_t index;        /* in experiment->parameters */
	double value, error; /* its standard error, in the unit of the file */
	bool identified;     /* the error is below the spread of a guess between the bounds */
};

struct fit {
	struct arena *arena;
	const struct catalog *catalog;
	const struct experiment *experiment;
	int jobs;
	struct error *err;
	struct fit_parameter *parameters;
	size_t nr_parameters;
	struct experiment rows;            /* only the rows that are fitted on, and their cells */
	double start_objective, objective; /* sum of squared weighted errors in tolerances */
	size_t nr_steps, nr_points;        /* taken; evaluated in all */
	void (*progress)(void *arg, const struct fit *fit); /* after each step; may be NULL */
	void *arg;
};

/* Finds what is to be fitted, and on what. 0 or -1 with @err. */
int fit_prepare(struct fit *fit);
/* From the start values to the best it finds. 0 or -1 with @err. */
int fit_run(struct fit *fit);
/* The objective at the values that the file has now. 0 or -1 with @err. */
int fit_objective_now(struct fit *fit, double *objective);

/* A value as the file would have it. */
const char *fit_text(struct arena *arena, const struct parameter *parameter, double value);
/* The whole experiment with the fitted values in its cells. 0 or -1 with @err. */
int fit_experiment(struct fit *fit, struct experiment *experiment);
