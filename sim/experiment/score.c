#include "sim/experiment/score.h"

#include <math.h>
#include <string.h>

#include "sim/report/stats.h"

int runs_execute(struct runs *runs, struct arena *arena, const struct experiment *experiment,
	int jobs, struct error *err)
{
	size_t repeats = (size_t)experiment->repeats;

	*runs = (struct runs){ .experiment = experiment, .nr = experiment->nr_cells * repeats };
	runs->items = arena_array(arena, runs->nr, sizeof(*runs->items));
	runs->observations = arena_array(arena, runs->nr, sizeof(*runs->observations));
	for (size_t i = 0; i < runs->nr; i++) {
		const struct cell *cell = &experiment->cells[i / repeats];

		runs->observations[i].wanted = cell->observe;
		runs->items[i].scenario = cell->scenario;
		runs->items[i].repeat = (int64_t)(i % repeats);
		runs->items[i].probe = &observe_probe;
		runs->items[i].arg = &runs->observations[i];
	}
	return batch_run(runs->items, runs->nr, jobs, err);
}

void runs_free(struct runs *runs)
{
	batch_free(runs->items, runs->nr);
	for (size_t i = 0; i < runs->nr; i++)
		observation_free(&runs->observations[i]);
}

/* What the names of a target's expression are looked up in. */
struct scope {
	const struct runs *runs;
	const struct target *target;
	size_t repeat;
	struct error *err;
};

static int name_value(void *arg, const struct expr *expr, size_t name, double index, double *value)
{
	const struct scope *scope = arg;
	const struct target *t = scope->target;

	for (size_t i = 0; i < t->nr_axes; i++) {
		*value = t->axes[i].number;
		if (strcmp(t->axes[i].name, expr->names[name].name) == 0)
			return 0;
	}
	size_t run = t->cells[name] * (size_t)scope->runs->experiment->repeats + scope->repeat;
	return observe_value(&scope->runs->observations[run], &scope->runs->items[run].result,
		expr->names[name].name, index, t->at, value, scope->err);
}

static void judge(const struct target *t, struct outcome *o)
{
	o->error_pct = (double)NAN;
	if (t->has_published && t->published != 0)
		o->error_pct = 100 * (o->simulated / t->published - 1);
	else if (t->has_published)
		o->error_pct = o->simulated == 0 ? 0 : 100;
	if (!t->has_published)
		o->verdict = "prediction";
	else if (t->role == ROLE_UNSCORED)
		o->verdict = "unscored";
	else if (!tolerance_holds(&t->tolerance, t->published, o->simulated))
		o->verdict = "outside";
	else
		o->verdict = t->tolerance.kind == TOLERANCE_EXACT ? "exact" : "within";
}

int score_outcomes(
	const struct runs *runs, struct arena *arena, struct outcome *outcomes, struct error *err)
{
	const struct experiment *e = runs->experiment;
	size_t repeats = (size_t)e->repeats;
	double *values = arena_array(arena, repeats, sizeof(*values));

	for (size_t i = 0; i < e->nr_targets; i++) {
		struct scope scope = { runs, &e->targets[i], 0, err };
		const struct expr_values names = { name_value, &scope };
		struct outcome *o = &outcomes[i];
		struct stats stats;

		for (; scope.repeat < repeats; scope.repeat++)
			if (expr_value(&e->targets[i].value, &names, &values[scope.repeat]) < 0)
				return -1;
		stats_of(values, 1, repeats, &stats);
		*o = (struct outcome){ .simulated = stats.mean,
			.lo = repeats > 1 ? stats.mean - stats.ci95 : (double)NAN,
			.hi = repeats > 1 ? stats.mean + stats.ci95 : (double)NAN };
		judge(&e->targets[i], o);
	}
	return 0;
}

static bool is_scored(const struct target *t)
{
	return t->has_published && t->role != ROLE_UNSCORED;
}

/* Two targets that differ in nothing but the variant, or the place on one axis. */
static bool are_pair(const struct target *a, const struct target *b)
{
	size_t nr = strcmp(a->variant, b->variant) != 0;

	if (a->comparison != b->comparison || a->quantity != b->quantity || !is_scored(a) ||
		!is_scored(b))
		return false;
	for (size_t i = 0; i < a->nr_axes; i++)
		nr += strcmp(a->axes[i].text, b->axes[i].text) != 0;
	return nr == 1;
}

static void count_pair(const struct experiment *e, const struct outcome *outcomes, size_t i,
	size_t k, struct summary *summary)
{
	const struct target *a = &e->targets[i], *b = &e->targets[k];

	if (!are_pair(a, b) || a->published == b->published ||
		(a->tolerance.kind != TOLERANCE_EXACT &&
			(tolerance_holds(&a->tolerance, a->published, b->published) ||
				tolerance_holds(&b->tolerance, b->published, a->published))))
		return;
	summary->nr_pairs++;
	summary->nr_agreed += outcomes[i].simulated != outcomes[k].simulated &&
		(outcomes[i].simulated < outcomes[k].simulated) == (a->published < b->published);
}

void score_summary(const struct experiment *experiment, const struct outcome *outcomes,
	struct summary *summary)
{
	const struct experiment *e = experiment;

	*summary = (struct summary){ .nr_null = 0 };
	for (size_t i = 0; i < e->nr_targets; i++) {
		const struct target *t = &e->targets[i];
		struct role_summary *role = &summary->roles[t->role];
		double error = fabs(outcomes[i].error_pct);

		if (!t->has_published)
			continue;
		role->nr++;
		role->nr_ok += strcmp(outcomes[i].verdict, "within") == 0 ||
			strcmp(outcomes[i].verdict, "exact") == 0;
		role->sum_pct += error;
		if (role->nr == 1 || error > role->worst_pct) {
			role->worst_pct = error;
			role->worst = i;
		}
		if (is_scored(t) && t->has_null && t->published != 0) {
			summary->nr_null++;
			summary->null_sum_pct += fabs(100 * (t->null / t->published - 1));
			summary->own_sum_pct += error;
		}
		for (size_t k = 0; k < i; k++)
			count_pair(e, outcomes, i, k, summary);
	}
}
