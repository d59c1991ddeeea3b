#include "sim/sweep/tune.h"

#include <assert.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sweep/points.h"

#define MAX_THREADS 256
/* Shares of the budget: the start, and the last look at the chosen point. */
#define START_SHARE 0.4
#define CHECK_SHARE 0.125
#define CHECK_MAX 10
/* Repeats from here on are those that the search does not use. */
#define FRESH_REPEAT 1000
/* Ways to weigh two objectives against each other: each has a best point of its own. */
#define NR_WEIGHTS 5
/* Seeds on which a point met on the way down is judged. */
#define REFINE_SEEDS 2
#define SIMPLEX_STEPS 60

struct job {
	size_t point;
	int64_t repeat;
	struct outcome outcome;
};

struct batch {
	const struct plan *plan;
	struct job *jobs;
	size_t nr;
	atomic_size_t next;
};

struct search {
	struct arena *arena;
	const struct tune_request *request;
	struct tune_result *result;
	struct plan reference;
	double reference_value[TUNE_MAX_SEEDS];
	size_t nr_reference;
	int64_t left;  /* runs that may still be spent on the search */
	size_t max;    /* candidates there is room for */
	double weight; /* of the first objective */
	double low[TUNE_MAX_OBJECTIVES], high[TUNE_MAX_OBJECTIVES]; /* of the start */
	size_t from; /* candidate whose named axes the simplex keeps */
	struct error *err;
};

static void *run_jobs(void *arg)
{
	struct batch *batch = arg;
	struct runner runner;
	size_t i;

	runner_start(&runner, batch->plan);
	while ((i = atomic_fetch_add(&batch->next, 1)) < batch->nr) {
		struct job *job = &batch->jobs[i];

		runner_run(&runner, job->point, job->repeat, &job->outcome);
	}
	runner_end(&runner);
	return NULL;
}

static void run_batch(const struct plan *plan, struct job *jobs, size_t nr, int threads)
{
	struct batch batch = { .plan = plan, .jobs = jobs, .nr = nr };
	pthread_t ids[MAX_THREADS];
	int started = 0;

	atomic_init(&batch.next, 0);
	while (started < threads - 1 && started < MAX_THREADS && (size_t)started + 1 < nr &&
		pthread_create(&ids[started], NULL, run_jobs, &batch) == 0)
		started++;
	run_jobs(&batch);
	while (started > 0)
		pthread_join(ids[--started], NULL);
}

/* The mean of a metric on the first @n seeds, or on as many as there are. Points are compared on
 * the same seeds only: luck with a seed is no merit of a point. */
static double mean_on(const struct tune_candidate *c, enum metric metric, size_t n)
{
	double sum = 0;

	n = n < c->n ? n : c->n;
	for (size_t i = 0; i < n; i++)
		sum += c->values[i][metric];
	return sum / (double)n;
}

/* What is best is least. */
static double objective(const struct search *s, const struct tune_candidate *c, size_t i, size_t n)
{
	enum metric metric = s->request->objectives[i];
	double mean = mean_on(c, metric, n);

	return metric_infos[metric].better == MORE ? -mean : mean;
}

/* The bound on the same seeds as the candidate's. */
static double bound_for(const struct search *s, size_t n)
{
	const struct tune_constraint *c = s->request->constraint;
	double sum = 0;
	size_t nr = n < s->nr_reference ? n : s->nr_reference;

	if (!c->reference || nr == 0)
		return c->factor;
	for (size_t i = 0; i < nr; i++)
		sum += s->reference_value[i];
	return c->factor * sum / (double)nr;
}

/* How far beyond the bound, as a share of it; 0 within. */
static double violation(const struct search *s, const struct tune_candidate *c, size_t n)
{
	if (!s->request->constraint)
		return 0;
	double bound = bound_for(s, n);
	double beyond = mean_on(c, s->request->constraint->metric, n) - bound;

	if (s->request->constraint->at_least)
		beyond = -beyond;
	return beyond > 0 ? beyond / fmax(fabs(bound), 1e-300) : 0;
}

/* One number to go down by: the larger of the two weighted distances from what is best (its
 * contours reach every point of a front, whatever the front's shape). */
static double score(const struct search *s, const struct tune_candidate *c, size_t n)
{
	double worst = 0, sum = 0;

	if (c->failed)
		return 1e12;
	double beyond = violation(s, c, n);
	if (beyond > 0)
		return 1e6 * (1 + beyond);
	if (s->request->nr_objectives == 1)
		return objective(s, c, 0, n);
	for (size_t i = 0; i < s->request->nr_objectives; i++) {
		double range = fmax(s->high[i] - s->low[i], 1e-300);
		double part = (i ? 1 - s->weight : s->weight) *
			(objective(s, c, i, n) - s->low[i]) / range;

		worst = i == 0 || part > worst ? part : worst;
		sum += part;
	}
	return worst + 0.01 * sum;
}

static void take_outcome(struct search *s, const struct job *job)
{
	struct tune_candidate *c = &s->result->candidates[job->point];

	if (job->outcome.failed) {
		c->failed = true;
		return;
	}
	memcpy(c->values[c->n++], job->outcome.metrics, sizeof(job->outcome.metrics));
}

/* Gives each of @points seeds until it has @seeds, as far as the budget goes. */
static void evaluate(struct search *s, const size_t *points, size_t nr, size_t seeds)
{
	struct job *jobs = arena_array(s->arena, nr * seeds + 1, sizeof(*jobs));
	size_t nr_jobs = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct tune_candidate *c = &s->result->candidates[points[i]];

		for (size_t k = c->n; k < seeds && s->left > 0 && !c->failed; k++, s->left--)
			jobs[nr_jobs++] = (struct job){ .point = points[i], .repeat = (int64_t)k };
	}
	run_batch(&s->result->plan, jobs, nr_jobs, s->request->jobs);
	for (size_t i = 0; i < nr_jobs; i++)
		take_outcome(s, &jobs[i]);
	s->result->used += (int64_t)nr_jobs;
}

/* What the reference governor reaches on the search's seeds. */
static int run_reference(struct search *s, size_t seeds)
{
	const struct tune_constraint *c = s->request->constraint;
	struct job *jobs = arena_array(s->arena, seeds, sizeof(*jobs));

	if (!c || !c->reference)
		return 0;
	for (size_t i = 0; i < seeds; i++)
		jobs[i] = (struct job){ .repeat = (int64_t)i };
	run_batch(&s->reference, jobs, seeds, s->request->jobs);
	s->left -= (int64_t)seeds;
	s->result->used += (int64_t)seeds;
	s->nr_reference = seeds;
	for (size_t i = 0; i < seeds; i++) {
		if (jobs[i].outcome.failed)
			return error_set(s->err, ERROR_RUN, "governor %s: %.500s", c->reference,
				jobs[i].outcome.message);
		s->reference_value[i] = jobs[i].outcome.metrics[c->metric];
	}
	return 0;
}

static uint32_t *values_at(struct search *s, size_t candidate)
{
	return s->result->plan.chosen + candidate * s->result->plan.nr_axes;
}

/* The candidate with these values, new when there is none. SIZE_MAX when there is no room. */
static size_t take_candidate(struct search *s, const uint32_t *values)
{
	struct tune_result *r = s->result;
	size_t bytes = r->plan.nr_axes * sizeof(*values);

	for (size_t i = 0; i < r->nr; i++)
		if (memcmp(values_at(s, i), values, bytes) == 0)
			return i;
	if (r->nr == s->max)
		return SIZE_MAX;
	memcpy(values_at(s, r->nr), values, bytes);
	r->candidates[r->nr].point = r->nr;
	return r->nr++;
}

/* The best by the weight in effect, among those with at least @seeds. */
static size_t best_of(const struct search *s, size_t seeds)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < s->result->nr; i++) {
		const struct tune_candidate *c = &s->result->candidates[i];

		if (c->n >= seeds &&
			(best == SIZE_MAX ||
				score(s, c, seeds) < score(s, &s->result->candidates[best], seeds)))
			best = i;
	}
	return best;
}

static size_t nr_weights(const struct search *s)
{
	return s->request->nr_objectives > 1 ? NR_WEIGHTS : 1;
}

static void set_weight(struct search *s, size_t i)
{
	s->weight = nr_weights(s) > 1 ? 0.02 + 0.96 * (double)i / (NR_WEIGHTS - 1) : 1;
}

/* Distances are measured in what the start spans. */
static void span_objectives(struct search *s)
{
	for (size_t o = 0; o < s->request->nr_objectives; o++) {
		s->low[o] = INFINITY;
		s->high[o] = -INFINITY;
		for (size_t i = 0; i < s->result->nr; i++) {
			const struct tune_candidate *c = &s->result->candidates[i];

			if (c->n == 0)
				continue;
			s->low[o] = fmin(s->low[o], objective(s, c, o, 1));
			s->high[o] = fmax(s->high[o], objective(s, c, o, 1));
		}
	}
}

/* The @keep best that have @seeds, each weight naming its own in turn. Returns how many. */
static size_t pick_best(struct search *s, size_t seeds, size_t keep, size_t *picked)
{
	bool *taken = arena_array(s->arena, s->result->nr, sizeof(*taken));
	size_t nr = 0, idle = 0;

	for (size_t w = 0; nr < keep && idle < nr_weights(s); w++) {
		size_t best = SIZE_MAX;

		set_weight(s, w % nr_weights(s));
		for (size_t i = 0; i < s->result->nr; i++) {
			const struct tune_candidate *c = &s->result->candidates[i];

			if (!taken[i] && !c->failed && c->n >= seeds &&
				(best == SIZE_MAX ||
					score(s, c, seeds) <
						score(s, &s->result->candidates[best], seeds)))
				best = i;
		}
		idle = best == SIZE_MAX ? idle + 1 : 0;
		if (best == SIZE_MAX)
			continue;
		taken[best] = true;
		picked[nr++] = best;
	}
	return nr;
}

/* Half of them, the better one, gets a seed more, until few are left. */
static void halve(struct search *s, size_t nr)
{
	size_t *picked = arena_array(s->arena, s->max, sizeof(*picked));
	size_t seeds = 1, least = nr_weights(s) > 1 ? NR_WEIGHTS : 3;
	int64_t reserve = s->left * 4 / 5;

	for (nr /= 3; nr >= least && seeds < TUNE_MAX_SEEDS; nr /= 2) {
		size_t kept = pick_best(s, seeds, nr, picked);

		if (s->left - (int64_t)kept < reserve)
			break;
		evaluate(s, picked, kept, ++seeds);
	}
}

/* The simplex moves over places 0..nr-1 of the axes of numbers, as fractions of their length. */
static double simplex_value(const gsl_vector *at, void *ctx)
{
	struct search *s = ctx;
	const struct plan *plan = &s->result->plan;
	uint32_t values[PLAN_MAX_AXES];
	double outside = 0;
	size_t k = 0;

	for (size_t a = 0; a < plan->nr_axes; a++) {
		values[a] = values_at(s, s->from)[a];
		if (plan->axes[a].values)
			continue;
		double place = gsl_vector_get(at, k++), inside = fmin(fmax(place, 0), 1);

		outside += fabs(place - inside);
		values[a] = (uint32_t)lround(inside * (double)(plan->axes[a].nr - 1));
	}
	size_t i = take_candidate(s, values);
	if (i == SIZE_MAX)
		return 1e12;
	evaluate(s, &i, 1, 1);
	const struct tune_candidate *c = &s->result->candidates[i];
	double value = c->n > 0 ? score(s, c, 1) : 1e12;
	return value + outside * fabs(value);
}

static size_t count_numbers(const struct plan *plan)
{
	size_t nr = 0;

	for (size_t a = 0; a < plan->nr_axes; a++)
		nr += !plan->axes[a].values;
	return nr;
}

/* Walks on from candidate @from, until @spend runs are used. */
static void refine(struct search *s, size_t from, int64_t spend)
{
	const struct plan *plan = &s->result->plan;
	size_t nr = count_numbers(plan), k = 0;
	int64_t stop = s->left > spend ? s->left - spend : 0;
	gsl_multimin_fminimizer *minimizer;

	if (nr == 0 || from == SIZE_MAX || s->left < 2)
		return;
	gsl_vector *start = gsl_vector_alloc(nr), *step = gsl_vector_alloc(nr);
	minimizer = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, nr);
	s->from = from;
	for (size_t a = 0; a < plan->nr_axes; a++) {
		if (plan->axes[a].values)
			continue;
		double last = fmax((double)plan->axes[a].nr - 1, 1);
		double place = (double)values_at(s, from)[a] / last;

		/* Inwards, and by at least one value. */
		gsl_vector_set(start, k, place);
		gsl_vector_set(step, k++, (place > 0.5 ? -1 : 1) * fmax(0.15, 1 / last));
	}
	gsl_multimin_function function = { simplex_value, nr, s };
	gsl_multimin_fminimizer_set(minimizer, &function, start, step);
	for (int i = 0; i < SIMPLEX_STEPS && s->left > stop; i++)
		if (gsl_multimin_fminimizer_iterate(minimizer) ||
			gsl_multimin_test_size(gsl_multimin_fminimizer_size(minimizer), 1e-3) !=
				GSL_CONTINUE)
			break;
	gsl_multimin_fminimizer_free(minimizer);
	gsl_vector_free(start);
	gsl_vector_free(step);
}

/* One that is worse on the first seed needs no second. */
static void try_against(struct search *s, size_t i, size_t best)
{
	const struct tune_candidate *c = &s->result->candidates[i];

	evaluate(s, &i, 1, 1);
	if (c->n > 0 && score(s, c, 1) <= score(s, &s->result->candidates[best], 1))
		evaluate(s, &i, 1, REFINE_SEEDS);
}

/* @step values to either side on every axis of numbers, and every name, around @best. */
static void look_around(struct search *s, size_t best, size_t step, int64_t stop)
{
	const struct plan *plan = &s->result->plan;
	uint32_t values[PLAN_MAX_AXES];

	for (size_t a = 0; a < plan->nr_axes; a++) {
		const struct axis *axis = &plan->axes[a];
		size_t reach = axis->values ? axis->nr : 2;

		for (size_t k = 0; k < reach && s->left >= stop + REFINE_SEEDS; k++) {
			memcpy(values, values_at(s, best), plan->nr_axes * sizeof(*values));
			if (axis->values)
				values[a] = (uint32_t)k;
			else if (k == 0)
				values[a] -= (uint32_t)(values[a] < step ? values[a] : step);
			else
				values[a] = (uint32_t)(values[a] + step < axis->nr
						? values[a] + step
						: axis->nr - 1);
			size_t i = take_candidate(s, values);
			if (i != SIZE_MAX)
				try_against(s, i, best);
		}
	}
}

/* The simplex gives up on plateaus and in corners: from where it stands, steps along the axes, ever
 * shorter ones, until the nearest neighbours are no better. */
static void descend(struct search *s, int64_t spend)
{
	const struct plan *plan = &s->result->plan;
	int64_t stop = s->left > spend ? s->left - spend : 0;
	size_t best = best_of(s, 1), step = 1;

	if (best == SIZE_MAX)
		return;
	evaluate(s, &best, 1, REFINE_SEEDS);
	best = best_of(s, REFINE_SEEDS);
	for (size_t a = 0; a < plan->nr_axes; a++)
		if (!plan->axes[a].values && plan->axes[a].nr / 6 > step)
			step = plan->axes[a].nr / 6;
	while (best != SIZE_MAX && s->left >= stop + REFINE_SEEDS) {
		look_around(s, best, step, stop);
		size_t next = best_of(s, REFINE_SEEDS);
		if (next == best && step == 1)
			return;
		step = next == best ? step / 2 : step;
		best = next;
	}
}

static bool beats(
	const struct search *s, const struct tune_candidate *a, const struct tune_candidate *b)
{
	size_t n = a->n < b->n ? a->n : b->n;
	bool better = false;

	for (size_t o = 0; o < s->request->nr_objectives; o++) {
		double difference = objective(s, a, o, n) - objective(s, b, o, n);

		if (difference > 0)
			return false;
		better |= difference < 0;
	}
	return better;
}

static void mark_front(struct search *s)
{
	struct tune_result *r = s->result;

	for (size_t i = 0; i < r->nr; i++) {
		struct tune_candidate *c = &r->candidates[i];

		c->feasible = c->n >= REFINE_SEEDS && !c->failed && violation(s, c, c->n) <= 0;
	}
	for (size_t i = 0; i < r->nr; i++) {
		struct tune_candidate *c = &r->candidates[i];

		c->front = c->feasible;
		for (size_t k = 0; k < r->nr && c->front; k++)
			c->front = !(r->candidates[k].feasible && beats(s, &r->candidates[k], c));
	}
}

/* The knee: where the front is furthest from the line between its ends. With one objective the
 * front is its best point. */
static size_t find_knee(const struct search *s)
{
	const struct tune_result *r = s->result;
	double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
	double best = INFINITY;
	size_t knee = SIZE_MAX;

	for (size_t o = 0; o < s->request->nr_objectives; o++)
		for (size_t i = 0; i < r->nr; i++)
			if (r->candidates[i].front) {
				low[o] = fmin(
					low[o], objective(s, &r->candidates[i], o, REFINE_SEEDS));
				high[o] = fmax(
					high[o], objective(s, &r->candidates[i], o, REFINE_SEEDS));
			}
	for (size_t i = 0; i < r->nr; i++) {
		double sum = 0;

		if (!r->candidates[i].front)
			continue;
		for (size_t o = 0; o < s->request->nr_objectives; o++)
			sum += (objective(s, &r->candidates[i], o, REFINE_SEEDS) - low[o]) /
				fmax(high[o] - low[o], 1e-300);
		if (sum < best) {
			best = sum;
			knee = i;
		}
	}
	return knee;
}

static int check_chosen(struct search *s, int64_t fresh)
{
	struct tune_result *r = s->result;
	const struct tune_request *request = s->request;
	struct job *jobs = arena_array(s->arena, (size_t)fresh, sizeof(*jobs));
	double values[CHECK_MAX];

	for (int64_t i = 0; i < fresh; i++)
		jobs[i] = (struct job){ .point = r->chosen, .repeat = FRESH_REPEAT + i };
	run_batch(&r->plan, jobs, (size_t)fresh, request->jobs);
	r->used += fresh;
	r->fresh = fresh;
	for (int64_t i = 0; i < fresh; i++)
		if (jobs[i].outcome.failed)
			return error_set(s->err, ERROR_RUN, "the chosen point failed: %.500s",
				jobs[i].outcome.message);
	for (size_t o = 0; o < request->nr_objectives; o++) {
		for (int64_t i = 0; i < fresh; i++)
			values[i] = jobs[i].outcome.metrics[request->objectives[o]];
		stats_of(values, 1, (size_t)fresh, &r->check[o]);
	}
	if (!request->constraint)
		return 0;
	for (int64_t i = 0; i < fresh; i++)
		values[i] = jobs[i].outcome.metrics[request->constraint->metric];
	stats_of(values, 1, (size_t)fresh, &r->check_constraint);
	return 0;
}

/* A plan whose points are the candidates, the samples of @start being the first of them. */
static void make_plan(struct search *s, const struct plan *start)
{
	struct tune_result *r = s->result;

	s->max = (size_t)s->request->budget + 1;
	r->plan = *start;
	r->plan.nr_points = s->max;
	r->plan.chosen = arena_array(s->arena, s->max * start->nr_axes, sizeof(uint32_t));
	r->candidates = arena_array(s->arena, s->max, sizeof(*r->candidates));
	for (size_t i = 0; i < start->nr_points; i++)
		take_candidate(s, start->chosen + i * start->nr_axes);
}

static int load_plans(struct search *s, const struct catalog *catalog, struct plan *start)
{
	const struct tune_constraint *c = s->request->constraint;
	struct plan_request request = s->request->plan;
	struct points points;

	request.design = DESIGN_LATIN;
	request.samples = (int64_t)fmax(START_SHARE * (double)s->request->budget, 4);
	if (plan_load(start, s->arena, catalog, &request, s->err) < 0)
		return -1;
	if (start->nr_axes == 0)
		return error_set(
			s->err, ERROR_USAGE, "nothing to vary: expected --over PATH=VALUES");
	/* A value that makes no sense is said before anything runs. */
	if (points_check(&points, start, s->arena, false, s->request->jobs, s->err) < 0)
		return -1;
	if (!c || !c->reference)
		return 0;
	const char *axis = arena_printf(s->arena, "governor=%s", c->reference);
	request.sweeps = &axis;
	request.nr_sweeps = 1;
	request.design = DESIGN_GRID;
	request.samples = 0;
	if (plan_load(&s->reference, s->arena, catalog, &request, s->err) < 0)
		return -1;
	return points_check(&points, &s->reference, s->arena, false, 1, s->err);
}

static void walk(struct search *s)
{
	size_t weights = nr_weights(s);

	for (size_t w = 0; w < weights; w++) {
		int64_t share = s->left / (int64_t)(weights - w);
		int64_t stop = s->left - share;

		set_weight(s, w);
		refine(s, best_of(s, 1), share / 3);
		descend(s, s->left - stop);
	}
}

int tune_search(struct tune_result *result, struct arena *arena, const struct catalog *catalog,
	const struct tune_request *request, struct error *err)
{
	struct search s = { .arena = arena, .request = request, .result = result, .err = err };
	int64_t fresh = (int64_t)fmin(fmax(CHECK_SHARE * (double)request->budget, 2), CHECK_MAX);
	struct plan start;

	*result = (struct tune_result){ .nr = 0 };
	s.left = request->budget - fresh;
	if (load_plans(&s, catalog, &start) < 0)
		return -1;
	make_plan(&s, &start);
	if (run_reference(&s, 3) < 0)
		return -1;
	size_t nr = result->nr, *all = arena_array(arena, s.max, sizeof(*all));
	for (size_t i = 0; i < nr; i++)
		all[i] = i;
	set_weight(&s, 0);
	evaluate(&s, all, nr, 1);
	span_objectives(&s);
	halve(&s, nr);
	walk(&s);
	/* What is left makes the leaders surer. */
	for (size_t seeds = REFINE_SEEDS + 1; s.left > 0 && seeds <= TUNE_MAX_SEEDS; seeds++)
		evaluate(&s, all, pick_best(&s, seeds - 1, nr_weights(&s) + 2, all), seeds);
	mark_front(&s);
	result->chosen = find_knee(&s);
	if (result->chosen == SIZE_MAX)
		return error_set(err, ERROR_RUN,
			"no point keeps to the constraint within %lld runs",
			(long long)request->budget);
	if (request->constraint)
		result->bound = bound_for(&s, s.nr_reference);
	return check_chosen(&s, fresh);
}
