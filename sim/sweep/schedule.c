#include "sim/sweep/schedule.h"

#include <assert.h>
#include <math.h>

#include "sim/base/rng.h"
#include "sim/report/metric.h"
#include "sim/report/stats.h"

enum state { STATE_TODO, STATE_TAKEN, STATE_DONE, STATE_FAILED };

static const enum metric watched_metrics[SCHEDULE_NR_WATCHED] = {
	METRIC_elapsed_s,
	METRIC_energy_pkg_j,
};

static unsigned char *state_of(struct schedule *s, size_t point, int64_t repeat)
{
	return &s->state[point * (size_t)s->request.max_repeats + (size_t)repeat];
}

static double *values_of(struct schedule *s, size_t point, int metric)
{
	return s->values +
		(point * SCHEDULE_NR_WATCHED + (size_t)metric) * (size_t)s->request.max_repeats;
}

static bool is_mine(const struct schedule *s, size_t point, int64_t repeat)
{
	return ((int64_t)point + repeat) % s->request.nr_shards == s->request.shard;
}

/* Skipped points, and those that are another point's double, are not run. */
static bool is_run(const struct schedule *s, size_t point)
{
	const struct point *p = &s->points->list[point];

	return !p->skipped && p->same_as == point;
}

int schedule_init(struct schedule *s, struct arena *arena, const struct points *points,
	const struct schedule_request *request, struct error *err)
{
	size_t nr = points->nr, max = (size_t)request->max_repeats;

	assert(request->repeats >= 1 && request->max_repeats >= request->repeats);
	if (nr > SCHEDULE_MAX_RUNS / max)
		return error_set(err, ERROR_SCENARIO,
			"%zu points with up to %zu repeats are more than %d runs", nr, max,
			SCHEDULE_MAX_RUNS);
	*s = (struct schedule){ .request = *request, .points = points };
	s->state = arena_array(arena, nr * max, sizeof(*s->state));
	s->target = arena_array(arena, nr, sizeof(*s->target));
	s->next = arena_array(arena, nr, sizeof(*s->next));
	s->watched = arena_array(arena, nr, sizeof(*s->watched));
	s->coarse = arena_array(arena, nr, sizeof(*s->coarse));
	s->queue = arena_array(arena, nr, sizeof(*s->queue));
	if (request->precision > 0)
		s->values = arena_array(arena, nr * max * SCHEDULE_NR_WATCHED, sizeof(*s->values));
	return 0;
}

static void set_state(struct schedule *s, size_t point, int64_t repeat, const double *metrics)
{
	*state_of(s, point, repeat) = metrics ? STATE_DONE : STATE_FAILED;
	for (int m = 0; s->values && m < SCHEDULE_NR_WATCHED; m++)
		values_of(s, point, m)[repeat] = metrics ? metrics[watched_metrics[m]] : NAN;
}

void schedule_found(struct schedule *s, size_t point, int64_t repeat, const double *metrics)
{
	if (repeat < s->request.max_repeats)
		set_state(s, point, repeat, metrics);
}

/* Repeats that would make the interval narrow enough, were the spread what it looks like now. */
static int64_t repeats_wanted(struct schedule *s, size_t point)
{
	int64_t n = s->target[point], wanted = n;

	for (int m = 0; m < SCHEDULE_NR_WATCHED; m++) {
		struct stats stats;

		stats_of(values_of(s, point, m), 1, (size_t)n, &stats);
		double allowed = s->request.precision * fabs(stats.mean);
		/* A failed repeat has no value: more of them would not help. */
		if (isnan(stats.mean) || (n > 1 && stats.ci95 <= allowed))
			continue;
		double factor = allowed > 0 && n > 1 ? stats.ci95 / allowed : 2;
		double more = ceil((double)n * factor * factor);
		int64_t next = more < 2.0 * (double)n ? (int64_t)more : 2 * n;
		if (next > wanted)
			wanted = next;
		if (wanted == n)
			wanted = n + 1;
	}
	return wanted;
}

/* Counts the repeats up to the target that have ended, and counts up the target. */
static void raise_target(struct schedule *s, size_t point, int64_t target)
{
	for (int64_t r = s->target[point]; r < target; r++) {
		enum state state = (enum state) * state_of(s, point, r);

		if (!is_mine(s, point, r))
			continue;
		s->total++;
		s->ended += state == STATE_DONE || state == STATE_FAILED;
		s->failed += state == STATE_FAILED;
		s->watched[point] += state == STATE_DONE || state == STATE_FAILED;
	}
	s->target[point] = target;
}

/* Moves on to the next repeat to start; false when there is none. */
static bool has_more(struct schedule *s, size_t point)
{
	int64_t *next = &s->next[point];

	while (*next < s->target[point] &&
		(*state_of(s, point, *next) != STATE_TODO || !is_mine(s, point, *next)))
		++*next;
	return *next < s->target[point];
}

static void enqueue(struct schedule *s, size_t point)
{
	s->queue[(s->head + s->nr_queued++) % s->points->nr] = point;
}

/* Gives the point more repeats for as long as all it has have ended and are not enough. */
static void extend(struct schedule *s, size_t point)
{
	while (s->values && s->watched[point] == s->target[point]) {
		int64_t wanted = repeats_wanted(s, point);

		if (wanted == s->target[point])
			return;
		if (s->target[point] == s->request.max_repeats) {
			s->coarse[point] = true;
			return;
		}
		raise_target(s, point,
			wanted < s->request.max_repeats ? wanted : s->request.max_repeats);
	}
}

void schedule_start(struct schedule *s)
{
	size_t nr = s->points->nr;
	struct rng rng;

	for (size_t p = 0; p < nr; p++) {
		if (!is_run(s, p))
			continue;
		raise_target(s, p, s->request.repeats);
		extend(s, p);
		if (has_more(s, p))
			enqueue(s, p);
	}
	if (s->request.shuffle == 0)
		return;
	rng_set(&rng, (uint64_t)s->request.shuffle, 0);
	for (size_t i = s->nr_queued; i > 1; i--) {
		size_t j = rng_below(&rng, (uint32_t)i), point = s->queue[i - 1];

		s->queue[i - 1] = s->queue[j];
		s->queue[j] = point;
	}
}

enum schedule_next schedule_take(struct schedule *s, size_t *point, int64_t *repeat)
{
	if (s->nr_queued == 0)
		return s->running > 0 && s->values ? SCHEDULE_WAIT : SCHEDULE_END;
	*point = s->queue[s->head];
	*repeat = s->next[*point];
	assert(*repeat < s->target[*point]);
	*state_of(s, *point, *repeat) = STATE_TAKEN;
	s->running++;
	if (!has_more(s, *point)) {
		s->head = (s->head + 1) % s->points->nr;
		s->nr_queued--;
	}
	return SCHEDULE_JOB;
}

void schedule_ended(struct schedule *s, size_t point, int64_t repeat, const double *metrics)
{
	set_state(s, point, repeat, metrics);
	s->running--;
	s->ended++;
	s->failed += !metrics;
	s->watched[point]++;
	int64_t target = s->target[point];
	extend(s, point);
	if (s->target[point] > target && has_more(s, point))
		enqueue(s, point);
}

void schedule_lost(struct schedule *s, size_t point, int64_t repeat)
{
	bool queued = has_more(s, point);

	*state_of(s, point, repeat) = STATE_TODO;
	if (repeat < s->next[point])
		s->next[point] = repeat;
	s->running--;
	if (!queued)
		enqueue(s, point);
}
