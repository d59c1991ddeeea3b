#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/uclamp.h"

Test(uclamp, an_empty_queue_has_no_floor_and_no_ceiling)
{
	struct uclamp_rq rq;

	uclamp_rq_init(&rq);
	cr_assert(eq(u32, rq.min.value, 0));
	cr_assert(eq(u32, rq.max.value, 1024));
}

Test(uclamp, the_largest_clamp_of_the_tasks_holds)
{
	const struct uclamp low = { 113, 307 }, high = { 419, 811 };
	struct uclamp_rq rq;

	uclamp_rq_init(&rq);
	uclamp_rq_add(&rq, &low);
	cr_assert(eq(u32, rq.min.value, 113));
	cr_assert(eq(u32, rq.max.value, 307));
	uclamp_rq_add(&rq, &high);
	cr_assert(eq(u32, rq.min.value, 419));
	cr_assert(eq(u32, rq.max.value, 811));
	uclamp_rq_remove(&rq, &high);
	cr_assert(eq(u32, rq.min.value, 113));
	cr_assert(eq(u32, rq.max.value, 307));
}

Test(uclamp, a_bucket_keeps_its_largest_clamp_until_it_is_empty)
{
	/* Both in the bucket from 205 to 409. */
	const struct uclamp low = { 211, 1024 }, high = { 401, 1024 };
	struct uclamp_rq rq;

	uclamp_rq_init(&rq);
	uclamp_rq_add(&rq, &low);
	uclamp_rq_add(&rq, &high);
	uclamp_rq_remove(&rq, &high);
	cr_assert(eq(u32, rq.min.value, 401));
	uclamp_rq_remove(&rq, &low);
	cr_assert(eq(u32, rq.min.value, 0));
}

Test(uclamp, an_idle_queue_keeps_the_ceiling_of_its_last_task)
{
	const struct uclamp capped = { 0, 613 }, free_task = { 0, 1024 };
	struct uclamp_rq rq;

	uclamp_rq_init(&rq);
	uclamp_rq_add(&rq, &capped);
	uclamp_rq_remove(&rq, &capped);
	cr_assert(eq(u32, rq.max.value, 613));
	uclamp_rq_add(&rq, &free_task);
	uclamp_rq_add(&rq, &capped);
	cr_assert(eq(u32, rq.max.value, 1024));
}
