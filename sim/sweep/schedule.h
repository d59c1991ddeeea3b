/*
 * Which run comes next. Knows points, repeats and what has ended; starts nothing.
 *
 * A point begins with a number of repeats; with a precision asked for it gets more until the 95 %
 * interval of the mean of elapsed_s and of energy_pkg_j is at most that share of the mean to either
 * side. Whether it does depends on its results in order of the repeats alone, never on the order
 * in which they arrive. Not thread-safe: callers hold a lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/sweep/points.h"

#define SCHEDULE_MAX_RUNS 100000000

/* Metrics whose interval counts for the precision. */
#define SCHEDULE_NR_WATCHED 2

struct schedule_request {
	int64_t repeats, max_repeats;
	double precision;         /* 0: none */
	int64_t shard, nr_shards; /* this one, from 0, of how many */
	int64_t shuffle;          /* seed of a random order of the points; 0: as they stand */
};

struct schedule {
	struct schedule_request request;
	const struct points *points;
	unsigned char *state; /* [point][repeat] */
	int64_t *target;      /* repeats that a point gets, as far as is known */
	int64_t *next;        /* the first repeat that has not been taken */
	int64_t *watched;     /* of the target, how many have ended */
	bool *coarse;         /* the precision was not reached */
	double *values;       /* [point][metric][repeat]; NULL without a precision */
	size_t *queue;        /* ring of points with something left to start */
	size_t head, nr_queued;
	size_t total, ended, failed; /* runs of this shard */
	size_t running;
};

enum schedule_next { SCHEDULE_JOB, SCHEDULE_WAIT, SCHEDULE_END };

/* 0, or -1 with @err when there would be too many runs. */
int schedule_init(struct schedule *schedule, struct arena *arena, const struct points *points,
	const struct schedule_request *request, struct error *err);
/* A result that was there before the start. @metrics is NULL when it failed. */
void schedule_found(struct schedule *schedule, size_t point, int64_t repeat, const double *metrics);
/* After all that was found. */
void schedule_start(struct schedule *schedule);

/* The next run to start; WAIT when that depends on runs that have not ended. */
enum schedule_next schedule_take(struct schedule *schedule, size_t *point, int64_t *repeat);
/* A run that was taken has ended. */
void schedule_ended(struct schedule *schedule, size_t point, int64_t repeat, const double *metrics);
/* A run that was taken will not end: it can be taken again. */
void schedule_lost(struct schedule *schedule, size_t point, int64_t repeat);
