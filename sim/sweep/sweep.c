#include "sim/sweep/sweep.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "sim/sweep/runner.h"

#define MAX_THREADS 256
#define POLL_MS 100

static void stop_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int take_found(void *ctx, const struct store_row *row)
{
	struct sweep *sweep = ctx;

	schedule_found(
		&sweep->schedule, row->point, row->repeat, row->message ? NULL : row->values);
	if (row->message && !sweep->failure[0])
		snprintf(sweep->failure, sizeof(sweep->failure),
			"point %zu, repeat %" PRId64 ": %.500s", row->point + 1, row->repeat + 1,
			row->message);
	return 0;
}

int sweep_start(struct sweep *sweep, struct arena *arena, const struct plan *plan,
	const struct points *points, struct store *store, const struct schedule_request *request,
	struct error *err)
{
	sigset_t signals;

	*sweep = (struct sweep){ .plan = plan, .points = points, .store = store };
	if (schedule_init(&sweep->schedule, arena, points, request, err) < 0 ||
		store_read(store, take_found, sweep, err) < 0)
		return -1;
	schedule_start(&sweep->schedule);
	pthread_mutex_init(&sweep->lock, NULL);
	pthread_cond_init(&sweep->changed, NULL);
	sweep->shows_progress = isatty(STDERR_FILENO);
	sweep->start_s = now_s();
	stop_signals(&signals);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	return 0;
}

void sweep_end(struct sweep *sweep)
{
	sigset_t signals;

	if (sweep->shows_progress && sweep->done_now)
		fputc('\n', stderr);
	stop_signals(&signals);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	pthread_cond_destroy(&sweep->changed);
	pthread_mutex_destroy(&sweep->lock);
}

enum schedule_next sweep_take(struct sweep *sweep, size_t *point, int64_t *repeat)
{
	if (sweep->stopping)
		return SCHEDULE_END;
	return schedule_take(&sweep->schedule, point, repeat);
}

/* A run that the store did not take is not done: a later sweep has it again. */
void sweep_put(struct sweep *sweep, const struct outcome *outcome)
{
	size_t point = (size_t)outcome->point;

	if (store_add(sweep->store, sweep->points, outcome, &sweep->error) < 0) {
		sweep->stopping = true;
		schedule_lost(&sweep->schedule, point, outcome->repeat);
		return;
	}
	sweep->done_now++;
	schedule_ended(&sweep->schedule, point, outcome->repeat,
		outcome->failed ? NULL : outcome->metrics);
	if (outcome->failed && !sweep->failure[0])
		snprintf(sweep->failure, sizeof(sweep->failure),
			"point %zu, repeat %" PRId64 ": %.500s", point + 1, outcome->repeat + 1,
			outcome->message);
}

static void show_progress(const struct sweep *sweep)
{
	const struct schedule *schedule = &sweep->schedule;
	double passed = now_s() - sweep->start_s;
	double rate = passed > 0 ? (double)sweep->done_now / passed : 0;
	double left = rate > 0 ? (double)(schedule->total - schedule->ended) / rate : 0;
	long seconds = left < 1e8 ? (long)(left + 0.5) : 0;

	fprintf(stderr, "\r%zu of %zu runs, %.1f/s, %ld:%02ld:%02ld left, %zu failed ",
		schedule->ended, schedule->total, rate, seconds / 3600, seconds / 60 % 60,
		seconds % 60, schedule->failed);
	fflush(stderr);
}

bool sweep_poll(struct sweep *sweep)
{
	static const struct timespec none = { 0 };
	sigset_t signals;

	stop_signals(&signals);
	if (!sweep->stopping && sigtimedwait(&signals, NULL, &none) > 0) {
		sweep->stopping = true;
		pthread_cond_broadcast(&sweep->changed);
		fprintf(stderr, "%sstopping: waiting for %zu runs (once more to not wait)\n",
			sweep->shows_progress ? "\n" : "", sweep->schedule.running);
		pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	}
	if (sweep->shows_progress)
		show_progress(sweep);
	return !sweep->stopping;
}

static void *run_thread(void *arg)
{
	struct sweep *sweep = arg;
	enum schedule_next next;
	struct runner runner;
	struct outcome outcome;
	int64_t repeat;
	size_t point;

	runner_start(&runner, sweep->plan);
	pthread_mutex_lock(&sweep->lock);
	while ((next = sweep_take(sweep, &point, &repeat)) != SCHEDULE_END) {
		if (next == SCHEDULE_WAIT) {
			pthread_cond_wait(&sweep->changed, &sweep->lock);
			continue;
		}
		pthread_mutex_unlock(&sweep->lock);
		runner_run(&runner, point, repeat, &outcome);
		pthread_mutex_lock(&sweep->lock);
		sweep_put(sweep, &outcome);
		/* Without a precision nobody waits for results but the one who shows them. */
		if (sweep->schedule.values || sweep->schedule.running == 0 || sweep->stopping)
			pthread_cond_broadcast(&sweep->changed);
	}
	pthread_cond_broadcast(&sweep->changed);
	pthread_mutex_unlock(&sweep->lock);
	runner_end(&runner);
	return NULL;
}

/* Waits until something may have changed, at most POLL_MS. */
static void wait_a_little(struct sweep *sweep)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += POLL_MS * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&sweep->changed, &sweep->lock, &until);
}

void sweep_run(struct sweep *sweep, int jobs)
{
	const struct schedule *schedule = &sweep->schedule;
	pthread_t threads[MAX_THREADS];
	int nr = 0;

	while (nr < jobs && nr < MAX_THREADS &&
		pthread_create(&threads[nr], NULL, run_thread, sweep) == 0)
		nr++;
	pthread_mutex_lock(&sweep->lock);
	if (nr == 0) {
		error_set(&sweep->error, ERROR_RUN, "no thread could be started");
		sweep->stopping = true;
	}
	while (schedule->running > 0 ||
		(!sweep->stopping &&
			(schedule->nr_queued > 0 || schedule->ended < schedule->total))) {
		wait_a_little(sweep);
		sweep_poll(sweep);
	}
	pthread_mutex_unlock(&sweep->lock);
	while (nr > 0)
		pthread_join(threads[--nr], NULL);
}
