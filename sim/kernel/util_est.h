/*
 * A task's utilisation as it was when it last slept: an estimate that does not decay while the task
 * is away. Knows numbers, not tasks. Utilisation 0..1024.
 *
 * Follows util_est_update() and task_util_est() of kernel/sched/fair.c: 5.10 to 6.7 keep a sample
 * and an average, later versions the average alone.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum util_est_form { UTIL_EST_NONE, UTIL_EST_PAIR, UTIL_EST_SINGLE };

/* In raw: no period has ended since the last update, so the next sleep brings nothing new. */
#define UTIL_EST_UNCHANGED UINT32_C(0x80000000)

struct util_est {
	uint32_t raw;  /* pair: the last sample; single: the average; and UTIL_EST_UNCHANGED */
	uint32_t ewma; /* pair only: the average */
};

/* What a sleeping task brings. */
struct util_est_sample {
	uint64_t util_avg, runnable_avg;
	uint64_t capacity; /* of its CPU */
};

/* The estimate that a run queue adds on enqueue and takes off on dequeue. */
uint64_t util_est_value(const struct util_est *est, enum util_est_form form);
/* What the task is expected to use. Follows task_util_est(). */
uint64_t util_est_task(const struct util_est *est, enum util_est_form form, uint64_t util_avg);
/* The task leaves to sleep. */
void util_est_update(
	struct util_est *est, enum util_est_form form, const struct util_est_sample *sample);
