/*
 * Utilisation clamps: what the tasks on a run queue have asked for together. Knows clamps and
 * counts, not tasks' use of the CPU. 0..1024.
 *
 * Follows uclamp_rq_inc_id() and uclamp_rq_dec_id() of kernel/sched/core.c (5.3 and later) with its
 * five buckets, which make a clamp as large as the largest that was in its bucket meanwhile.
 */
#pragma once

#include <stdint.h>

#define UCLAMP_BUCKETS 5

struct uclamp {
	uint32_t min, max;
};

struct uclamp_bucket {
	uint32_t tasks, value;
};

struct uclamp_side {
	struct uclamp_bucket buckets[UCLAMP_BUCKETS];
	uint32_t value; /* of the queue */
};

struct uclamp_rq {
	struct uclamp_side min, max;
};

void uclamp_rq_init(struct uclamp_rq *rq);
/* A task with that clamp comes to the queue, or leaves it. */
void uclamp_rq_add(struct uclamp_rq *rq, const struct uclamp *clamp);
void uclamp_rq_remove(struct uclamp_rq *rq, const struct uclamp *clamp);
