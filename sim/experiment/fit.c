#include "sim/experiment/fit.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <string.h>

#include "sim/experiment/setting.h"

#define MAX_STEPS 25
/* A step that lowers the objective by less is the last: less than the seeds are worth. */
#define LEAST_GAIN 0.004
/* Two such steps in a row end the search. */
#define PATIENCE 2

const char *fit_text(struct arena *arena, const struct parameter *parameter, double value)
{
	double rounded = floor(value / parameter->round + 0.5) * parameter->round;

	rounded = fmin(fmax(rounded, parameter->min), parameter->max);
	/* "-0" is no number of a scenario. */
	return arena_printf(arena, "%.9g%s", rounded == 0 ? 0 : rounded, parameter->suffix);
}

/* The texts of all parameters, given the values of the fit. */
static const char *const *texts_of(struct arena *arena, const struct fit *fit, const double *values)
{
	const struct experiment *e = fit->experiment;
	const char **texts = arena_array(arena, e->nr_parameters, sizeof(*texts));

	for (size_t i = 0; i < e->nr_parameters; i++)
		texts[i] = e->parameters[i].value;
	for (size_t i = 0; i < fit->nr_parameters; i++) {
		size_t index = fit->parameters[i].index;

		texts[index] = fit_text(arena, &e->parameters[index], values[i]);
	}
	return texts;
}

/* The cells of several points. Those that come out the same are one: a parameter that a cell does
 * not know of costs nothing. */
struct points {
	const struct experiment *from;
	struct experiment *to;
	const char *const **lists; /* what is set in each cell of each point */
	size_t *place;             /* of each cell of each point in to->cells */
};

static bool same_texts(const char *const *a, const char *const *b, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

/* Cell @i of @from at point @n. */
static int add_cell(struct arena *arena, const struct fit *fit, const struct points *p, size_t n,
	size_t i, const char *const *texts)
{
	const struct cell *from = &p->from->cells[i];
	size_t nr_cells = p->from->nr_cells, nr, k = 0;
	const char *const *list = setting_list(arena, fit->experiment, from, texts, &nr);

	p->lists[n * nr_cells + i] = list;
	while (k < n && !same_texts(p->lists[k * nr_cells + i], list, nr))
		k++;
	if (k < n) {
		p->place[n * nr_cells + i] = p->place[k * nr_cells + i];
		return 0;
	}
	struct cell *cell = &p->to->cells[p->to->nr_cells];

	*cell = *from;
	p->place[n * nr_cells + i] = p->to->nr_cells++;
	cell->scenario = arena_alloc(arena, sizeof(*cell->scenario));
	return scenario_load(arena, fit->catalog, cell->path, list, nr, cell->scenario, fit->err);
}

static void add_target(
	struct arena *arena, const struct points *p, size_t n, const struct target *from)
{
	const size_t *place = p->place + n * p->from->nr_cells;
	struct target *t = &p->to->targets[p->to->nr_targets++];
	size_t *cells = arena_array(arena, from->value.nr_names + 1, sizeof(*cells));

	*t = *from;
	t->cell = place[from->cell];
	for (size_t k = 0; k < from->value.nr_names; k++)
		cells[k] = place[from->cells[k]];
	t->cells = cells;
}

/* @from at @nr points, each of fit->nr_parameters values: its targets that many times. */
static int at_points(struct arena *arena, const struct fit *fit, const struct experiment *from,
	const double *values, size_t nr, struct experiment *to)
{
	size_t nr_cells = nr * from->nr_cells;
	struct points p = { .from = from, .to = to };

	*to = *from;
	to->nr_cells = to->nr_targets = 0;
	to->cells = arena_array(arena, nr_cells, sizeof(*to->cells));
	to->targets = arena_array(arena, nr * from->nr_targets, sizeof(*to->targets));
	p.lists = arena_array(arena, nr_cells, sizeof(*p.lists));
	p.place = arena_array(arena, nr_cells, sizeof(*p.place));
	for (size_t n = 0; n < nr; n++) {
		const char *const *texts = texts_of(arena, fit, values + n * fit->nr_parameters);

		for (size_t i = 0; i < from->nr_cells; i++)
			if (add_cell(arena, fit, &p, n, i, texts) < 0)
				return -1;
		for (size_t i = 0; i < from->nr_targets; i++)
			add_target(arena, &p, n, &from->targets[i]);
	}
	return 0;
}

static int residuals_of(
	struct fit *fit, struct arena *arena, const double *points, size_t nr, double *residuals)
{
	struct experiment e;
	struct runs runs;

	if (at_points(arena, fit, &fit->rows, points, nr, &e) < 0)
		return -1;
	struct outcome *outcomes = arena_array(arena, e.nr_targets, sizeof(*outcomes));
	int result = runs_execute(&runs, arena, &e, fit->jobs, fit->err);
	if (result == 0)
		result = score_outcomes(&runs, arena, outcomes, fit->err);
	runs_free(&runs);
	for (size_t i = 0; result == 0 && i < e.nr_targets; i++)
		residuals[i] = e.targets[i].weight *
			tolerance_units(&e.targets[i].tolerance, e.targets[i].published,
				outcomes[i].simulated);
	return result;
}

/* The weighted errors in tolerances at @nr points; what was needed for it is given back. */
static int residuals_at(struct fit *fit, const double *points, size_t nr, double *residuals)
{
	struct arena scratch = { .chunks = NULL };

	if (arena_try(&scratch)) {
		arena_free(&scratch);
		return error_set(fit->err, ERROR_RUN, "out of memory for a step of the fit");
	}
	int result = residuals_of(fit, &scratch, points, nr, residuals);
	arena_free(&scratch);
	fit->nr_points += nr;
	return result;
}

/* An unbounded variable u stands for a value between the bounds. */
static double value_of(const struct parameter *p, double u)
{
	return p->min + (p->max - p->min) * (1 + sin(u)) / 2;
}

static double variable_of(const struct parameter *p, double value)
{
	return asin(2 * (value - p->min) / (p->max - p->min) - 1);
}

static double slope_of(const struct parameter *p, double u)
{
	return (p->max - p->min) * cos(u) / 2;
}

static const struct parameter *parameter_at(const struct fit *fit, size_t i)
{
	return &fit->experiment->parameters[fit->parameters[i].index];
}

static double *scratch_array(struct fit *fit, size_t nr)
{
	return arena_array(fit->arena, nr, sizeof(double));
}

static int f_residuals(const gsl_vector *u, void *arg, gsl_vector *f)
{
	struct fit *fit = arg;
	double values[64];

	for (size_t i = 0; i < fit->nr_parameters; i++)
		values[i] = value_of(parameter_at(fit, i), gsl_vector_get(u, i));
	double *residuals = scratch_array(fit, fit->rows.nr_targets);
	if (residuals_at(fit, values, 1, residuals) < 0)
		return GSL_EBADFUNC;
	for (size_t i = 0; i < fit->rows.nr_targets; i++)
		gsl_vector_set(f, i, residuals[i]);
	return GSL_SUCCESS;
}

/* d residual / d value over the steps of the file, all points in one go; a step that would leave
 * the bounds goes the other way. */
static int slopes_at(struct fit *fit, const double *values, gsl_matrix *slopes)
{
	size_t np = fit->nr_parameters, nt = fit->rows.nr_targets;
	double *points = scratch_array(fit, (np + 1) * np);
	double *residuals = scratch_array(fit, (np + 1) * nt);
	double steps[64];

	for (size_t n = 0; n <= np; n++)
		memcpy(points + n * np, values, np * sizeof(*points));
	for (size_t i = 0; i < np; i++) {
		const struct parameter *p = parameter_at(fit, i);

		steps[i] = values[i] + p->step <= p->max ? p->step : -p->step;
		points[(i + 1) * np + i] += steps[i];
	}
	if (residuals_at(fit, points, np + 1, residuals) < 0)
		return -1;
	for (size_t i = 0; i < np; i++)
		for (size_t t = 0; t < nt; t++)
			gsl_matrix_set(slopes, t, i,
				(residuals[(i + 1) * nt + t] - residuals[t]) / steps[i]);
	return 0;
}

static int f_slopes(const gsl_vector *u, void *arg, gsl_matrix *slopes)
{
	struct fit *fit = arg;
	double values[64];

	for (size_t i = 0; i < fit->nr_parameters; i++)
		values[i] = value_of(parameter_at(fit, i), gsl_vector_get(u, i));
	if (slopes_at(fit, values, slopes) < 0)
		return GSL_EBADFUNC;
	for (size_t i = 0; i < fit->nr_parameters; i++) {
		double slope = slope_of(parameter_at(fit, i), gsl_vector_get(u, i));

		for (size_t t = 0; t < fit->rows.nr_targets; t++)
			gsl_matrix_set(slopes, t, i, slope * gsl_matrix_get(slopes, t, i));
	}
	return GSL_SUCCESS;
}

/* Standard errors from the slopes at the end: what the rows leave open, by how well they fit. A
 * direction in which nothing changes adds no end of error, so singular values have a floor. */
static int find_errors(struct fit *fit)
{
	size_t np = fit->nr_parameters, nt = fit->rows.nr_targets;
	gsl_matrix *a = gsl_matrix_alloc(nt, np), *v = gsl_matrix_alloc(np, np);
	gsl_vector *s = gsl_vector_alloc(np), *work = gsl_vector_alloc(np);
	double values[64], variance = fit->objective / (double)(nt > np ? nt - np : 1);

	for (size_t i = 0; i < np; i++)
		values[i] = fit->parameters[i].value;
	int result = slopes_at(fit, values, a);
	if (result == 0) {
		/* In units of a step: parameters of unlike size are weighed alike. */
		for (size_t i = 0; i < np; i++) {
			gsl_vector_view column = gsl_matrix_column(a, i);

			gsl_vector_scale(&column.vector, parameter_at(fit, i)->step);
		}
		gsl_linalg_SV_decomp(a, v, s, work);
	}
	for (size_t i = 0; result == 0 && i < np; i++) {
		const struct parameter *p = parameter_at(fit, i);
		double sum = 0;

		for (size_t k = 0; k < np; k++) {
			double size = fmax(gsl_vector_get(s, k), 1e-9);
			double part = gsl_matrix_get(v, i, k) / size;

			sum += part * part;
		}
		fit->parameters[i].error = p->step * sqrt(variance * sum);
		fit->parameters[i].identified = fit->parameters[i].error <
			(p->max - p->min) / sqrt(12);
	}
	gsl_vector_free(work);
	gsl_vector_free(s);
	gsl_matrix_free(v);
	gsl_matrix_free(a);
	return result;
}

/* The values as the file would have them, and what they are worth. */
static void keep_point(struct fit *fit, const gsl_multifit_nlinear_workspace *w)
{
	const gsl_vector *f = gsl_multifit_nlinear_residual(w);

	gsl_blas_ddot(f, f, &fit->objective);
	for (size_t i = 0; i < fit->nr_parameters; i++) {
		const struct parameter *p = parameter_at(fit, i);
		double value = value_of(p, gsl_vector_get(gsl_multifit_nlinear_position(w), i));

		fit->parameters[i].value = floor(value / p->round + 0.5) * p->round;
	}
}

static int search(struct fit *fit, gsl_multifit_nlinear_workspace *w)
{
	int poor = 0;

	while (fit->nr_steps < MAX_STEPS && poor < PATIENCE) {
		double before = fit->objective;
		int status = gsl_multifit_nlinear_iterate(w);

		if (fit->err->code != ERROR_NONE)
			return -1;
		if (status != GSL_SUCCESS)
			break;
		keep_point(fit, w);
		fit->nr_steps++;
		if (fit->progress)
			fit->progress(fit->arg, fit);
		poor = fit->objective > (1 - LEAST_GAIN) * before ? poor + 1 : 0;
	}
	return 0;
}

int fit_run(struct fit *fit)
{
	size_t np = fit->nr_parameters, nt = fit->rows.nr_targets;
	gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf fdf = {
		.f = f_residuals, .df = f_slopes, .n = nt, .p = np, .params = fit
	};
	gsl_vector *u = gsl_vector_alloc(np);

	how.solver = gsl_multifit_nlinear_solver_svd;
	for (size_t i = 0; i < np; i++)
		gsl_vector_set(
			u, i, variable_of(parameter_at(fit, i), parameter_at(fit, i)->start));
	gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(
		gsl_multifit_nlinear_trust, &how, nt, np);
	int result = gsl_multifit_nlinear_init(u, &fdf, w) == GSL_SUCCESS ? 0 : -1;
	if (result == 0) {
		keep_point(fit, w);
		fit->start_objective = fit->objective;
		if (fit->progress)
			fit->progress(fit->arg, fit);
		result = search(fit, w);
	}
	gsl_multifit_nlinear_free(w);
	gsl_vector_free(u);
	return result == 0 ? find_errors(fit) : -1;
}

int fit_objective_now(struct fit *fit, double *objective)
{
	double values[64];
	double *residuals = scratch_array(fit, fit->rows.nr_targets);

	for (size_t i = 0; i < fit->nr_parameters; i++)
		values[i] = parameter_at(fit, i)->current;
	if (residuals_at(fit, values, 1, residuals) < 0)
		return -1;
	*objective = 0;
	for (size_t i = 0; i < fit->rows.nr_targets; i++)
		*objective += residuals[i] * residuals[i];
	return 0;
}

/* The rows that are fitted on, with no cells but theirs. */
static void keep_rows(struct fit *fit)
{
	const struct experiment *e = fit->experiment;
	struct experiment *rows = &fit->rows;
	size_t *place = arena_array(fit->arena, e->nr_cells, sizeof(*place));

	*rows = *e;
	rows->nr_cells = rows->nr_targets = 0;
	rows->cells = arena_array(fit->arena, e->nr_cells, sizeof(*rows->cells));
	rows->targets = arena_array(fit->arena, e->nr_targets, sizeof(*rows->targets));
	for (size_t i = 0; i < e->nr_targets; i++) {
		struct target *t = &rows->targets[rows->nr_targets];
		size_t *cells = arena_array(
			fit->arena, e->targets[i].value.nr_names + 1, sizeof(*cells));

		if (!e->targets[i].has_published || e->targets[i].weight == 0)
			continue;
		*t = e->targets[i];
		rows->nr_targets++;
		for (size_t k = 0; k <= t->value.nr_names; k++) {
			size_t cell = k ? t->cells[k - 1] : t->cell;

			if (place[cell] == 0) {
				rows->cells[rows->nr_cells++] = e->cells[cell];
				place[cell] = rows->nr_cells;
			}
			if (k)
				cells[k - 1] = place[cell] - 1;
		}
		t->cell = place[t->cell] - 1;
		t->cells = cells;
	}
}

int fit_prepare(struct fit *fit)
{
	const struct experiment *e = fit->experiment;

	fit->parameters = arena_array(fit->arena, e->nr_parameters, sizeof(*fit->parameters));
	for (size_t i = 0; i < e->nr_parameters; i++)
		if (e->parameters[i].fits)
			fit->parameters[fit->nr_parameters++].index = i;
	keep_rows(fit);
	if (fit->nr_parameters == 0)
		return error_set(fit->err, ERROR_SCENARIO,
			"%.200s: no parameter of its own has start, min, max and step", e->path);
	if (fit->rows.nr_targets < fit->nr_parameters)
		return error_set(fit->err, ERROR_SCENARIO,
			"%.200s: %zu parameters cannot be fitted on %zu numbers", e->path,
			fit->nr_parameters, fit->rows.nr_targets);
	return 0;
}

int fit_experiment(struct fit *fit, struct experiment *experiment)
{
	double values[64];

	for (size_t i = 0; i < fit->nr_parameters; i++)
		values[i] = fit->parameters[i].value;
	return at_points(fit->arena, fit, fit->experiment, values, 1, experiment);
}
