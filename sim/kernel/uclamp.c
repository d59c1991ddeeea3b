#include "sim/kernel/uclamp.h"

#include <assert.h>

#include "sim/base/units.h"

/* 1024 / 5, rounded to the closest. */
#define BUCKET_SIZE 205

static struct uclamp_bucket *bucket_of(struct uclamp_side *side, uint32_t value)
{
	uint32_t i = value / BUCKET_SIZE;

	return &side->buckets[i < UCLAMP_BUCKETS ? i : UCLAMP_BUCKETS - 1];
}

static void add(struct uclamp_side *side, uint32_t value)
{
	struct uclamp_bucket *bucket = bucket_of(side, value);

	bucket->tasks++;
	if (bucket->tasks == 1 || value > bucket->value)
		bucket->value = value;
	if (value > side->value)
		side->value = value;
}

/* The queue falls back to its highest bucket in use, or to @idle when there is none. */
static void take_off(struct uclamp_side *side, uint32_t value, uint32_t idle)
{
	struct uclamp_bucket *bucket = bucket_of(side, value);

	assert(bucket->tasks > 0);
	if (--bucket->tasks > 0)
		return;
	if (bucket->value < side->value)
		return;
	side->value = idle;
	for (int i = UCLAMP_BUCKETS - 1; i >= 0; i--) {
		if (side->buckets[i].tasks) {
			side->value = side->buckets[i].value;
			return;
		}
	}
}

void uclamp_rq_init(struct uclamp_rq *rq)
{
	*rq = (struct uclamp_rq){ .max.value = CAPACITY_SCALE };
}

static uint32_t nr_tasks(const struct uclamp_side *side)
{
	uint32_t nr = 0;

	for (int i = 0; i < UCLAMP_BUCKETS; i++)
		nr += side->buckets[i].tasks;
	return nr;
}

void uclamp_rq_add(struct uclamp_rq *rq, const struct uclamp *clamp)
{
	/* What an idle queue has kept of its last task ends with its idleness. */
	if (nr_tasks(&rq->max) == 0)
		rq->max.value = 0;
	add(&rq->min, clamp->min);
	add(&rq->max, clamp->max);
}

void uclamp_rq_remove(struct uclamp_rq *rq, const struct uclamp *clamp)
{
	/* An idle queue has no floor, but keeps the ceiling of its last task: what that task left
	 * is still served no faster. */
	take_off(&rq->min, clamp->min, 0);
	take_off(&rq->max, clamp->max, rq->max.value);
}
