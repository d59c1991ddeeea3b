#include "sim/sweep/points.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 256

/* What is learnt of a point in a thread; texts are copied by whoever waits for it. */
struct trial {
	struct digest digest;
	int64_t seed;
	char *problem; /* to be freed */
	enum error_code code;
};

struct trials {
	const struct plan *plan;
	struct trial *list;
	atomic_size_t next;
	bool stop_at_first;
	atomic_size_t bad; /* the lowest bad one so far, the number of points when there is none */
};

static int try_in(const struct trials *trials, size_t i, struct arena *arena, struct error *err)
{
	struct trial *trial = &trials->list[i];
	struct scenario scenario;

	if (arena_try(arena))
		return error_set(err, ERROR_RUN, "out of memory for a scenario");
	if (plan_scenario(trials->plan, i, arena, &scenario, err) < 0)
		return -1;
	struct error inner = { .code = ERROR_NONE };
	if (identity_of_scenario(&scenario, &trial->digest, &inner) < 0)
		return error_set(err, inner.code, "point %zu (%.300s): %s", i + 1,
			plan_describe(trials->plan, i, arena), inner.text);
	trial->seed = scenario.run.seed;
	return 0;
}

static char *copy_text(const char *text)
{
	char *copy = NULL;
	size_t size;
	FILE *out = open_memstream(&copy, &size);

	if (out) {
		fputs(text, out);
		fclose(out);
	}
	return copy;
}

static void try_point(struct trials *trials, size_t i)
{
	struct error err = { .code = ERROR_NONE };
	struct arena arena = { 0 };

	if (try_in(trials, i, &arena, &err) < 0) {
		size_t lowest = atomic_load(&trials->bad);

		trials->list[i].problem = copy_text(err.text);
		trials->list[i].code = err.code;
		while (i < lowest && !atomic_compare_exchange_weak(&trials->bad, &lowest, i))
			;
	}
	arena_free(&arena);
}

static void *try_points(void *arg)
{
	struct trials *trials = arg;
	size_t i;

	while ((i = atomic_fetch_add(&trials->next, 1)) < trials->plan->nr_points) {
		if (trials->stop_at_first && i > atomic_load(&trials->bad))
			break;
		try_point(trials, i);
	}
	return NULL;
}

static void try_all(struct trials *trials, int jobs)
{
	pthread_t threads[MAX_THREADS];
	int nr = 0;

	while (nr < jobs - 1 && nr < MAX_THREADS &&
		pthread_create(&threads[nr], NULL, try_points, trials) == 0)
		nr++;
	try_points(trials);
	while (nr > 0)
		pthread_join(threads[--nr], NULL);
}

static int compare_digests(const void *a, const void *b)
{
	const struct point *const *one = a, *const *two = b;
	int order = strcmp((*one)->digest.hex, (*two)->digest.hex);

	return order ? order : (*one > *two) - (*one < *two);
}

/* Points of the same content are run once. */
static void find_same(struct points *points, struct arena *arena)
{
	struct point **sorted = arena_array(arena, points->nr, sizeof(struct point *));
	size_t first = 0;

	for (size_t i = 0; i < points->nr; i++)
		sorted[i] = &points->list[i];
	qsort(sorted, points->nr, sizeof(struct point *), compare_digests);
	for (size_t i = 0; i < points->nr; i++) {
		if (strcmp(sorted[i]->digest.hex, sorted[first]->digest.hex) != 0)
			first = i;
		sorted[i]->same_as = (size_t)(sorted[first] - points->list);
	}
}

static void add_text(struct sha256 *sha, const char *text)
{
	sha256_add(sha, text, strlen(text) + 1);
}

static void digest_sweep(struct points *points, const struct plan *plan)
{
	struct sha256 sha;

	sha256_start(&sha);
	for (size_t a = 0; a < plan->nr_axes; a++)
		add_text(&sha, plan->axes[a].path);
	for (size_t i = 0; i < points->nr; i++) {
		const struct point *point = &points->list[i];

		add_text(&sha, point->skipped ? point->skipped : point->digest.hex);
	}
	sha256_end(&sha, &points->digest);
}

static int take_trials(struct points *points, const struct trials *trials, struct arena *arena,
	bool skip, struct error *err)
{
	for (size_t i = 0; i < points->nr; i++) {
		const struct trial *trial = &trials->list[i];

		if (trial->problem && (!skip || trial->code == ERROR_RUN))
			return error_set(err, trial->code, "%s", trial->problem);
		points->list[i] = (struct point){ .digest = trial->digest, .seed = trial->seed };
		if (trial->problem) {
			points->list[i].skipped = arena_strdup(arena, trial->problem);
			points->nr_skipped++;
		}
	}
	if (points->nr_skipped == points->nr)
		return error_set(err, ERROR_SCENARIO, "no point makes sense; the first: %s",
			points->list[0].skipped);
	return 0;
}

/* What all points have in common is read off the first that makes sense. */
static int name_sweep(
	struct points *points, const struct plan *plan, struct arena *arena, struct error *err)
{
	struct scenario scenario;
	size_t first = 0;

	while (points->list[first].skipped)
		first++;
	if (plan_scenario(plan, first, arena, &scenario, err) < 0)
		return -1;
	points->scenario = scenario.name;
	points->repeats = scenario.run.repeats;
	return identity_manifest(&scenario, arena, &points->manifest, err);
}

int points_check(struct points *points, const struct plan *plan, struct arena *arena, bool skip,
	int jobs, struct error *err)
{
	struct trials trials = { .plan = plan, .stop_at_first = !skip };

	for (size_t a = 0; a < plan->nr_axes; a++)
		if (strcmp(plan->axes[a].path, "run.repeats") == 0)
			return error_at(err, ERROR_SCENARIO, plan->axes[a].at,
				"run.repeats is no axis; expected --repeats N");
	*points = (struct points){ .nr = plan->nr_points };
	points->list = arena_array(arena, points->nr, sizeof(*points->list));
	trials.list = arena_array(arena, points->nr, sizeof(*trials.list));
	atomic_init(&trials.next, 0);
	atomic_init(&trials.bad, points->nr);
	try_all(&trials, jobs);
	int result = take_trials(points, &trials, arena, skip, err);
	for (size_t i = 0; i < points->nr; i++)
		free(trials.list[i].problem);
	if (result < 0)
		return -1;
	find_same(points, arena);
	digest_sweep(points, plan);
	return name_sweep(points, plan, arena, err);
}
