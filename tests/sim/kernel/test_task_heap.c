#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/rng.h"
#include "sim/kernel/task.h"
#include "sim/kernel/task_heap.h"

#define NR 1777

Test(task_heap, tasks_come_out_in_their_order)
{
	static struct task tasks[NR];
	struct task *heap = NULL;
	struct rng rng;
	int left = 0;
	int64_t last = INT64_MIN;

	rng_set(&rng, 6393, 106);
	for (int i = 0; i < NR; i++) {
		tasks[i].order_ns = rng_below(&rng, 100000);
		task_heap_add(&heap, &tasks[i]);
		left++;
		if (i % 5 == 4) {
			struct task *first = task_heap_pop(&heap);

			left--;
			first->order_ns += 500000;
			task_heap_add(&heap, first);
			left++;
		}
	}
	while (heap) {
		struct task *task = task_heap_pop(&heap);

		cr_assert(ge(i64, task->order_ns, last));
		last = task->order_ns;
		left--;
	}
	cr_assert(eq(int, left, 0));
}

Test(task_heap, the_first_of_equals_added_comes_out_first)
{
	static struct task tasks[2];
	struct task *heap = NULL;

	task_heap_add(&heap, &tasks[0]);
	task_heap_add(&heap, &tasks[1]);
	cr_assert(eq(ptr, task_heap_pop(&heap), &tasks[0]));
	cr_assert(eq(ptr, task_heap_pop(&heap), &tasks[1]));
}

Test(task_heap, any_task_can_be_removed)
{
	static struct task tasks[NR];
	static bool in[NR];
	struct task *heap = NULL;
	struct rng rng;
	int64_t last = INT64_MIN;
	int left = 0;

	rng_set(&rng, 6393, 107);
	for (int step = 0; step < 20 * NR; step++) {
		uint32_t i = rng_below(&rng, NR);

		if (in[i]) {
			task_heap_remove(&heap, &tasks[i]);
		} else {
			tasks[i].order_ns = rng_below(&rng, 100000);
			task_heap_add(&heap, &tasks[i]);
		}
		left += in[i] ? -1 : 1;
		in[i] = !in[i];
		if (step % 11 == 0 && heap) {
			in[task_heap_pop(&heap) - tasks] = false;
			left--;
		}
	}
	while (heap) {
		struct task *task = task_heap_pop(&heap);

		cr_assert(in[task - tasks]);
		cr_assert(ge(i64, task->order_ns, last));
		last = task->order_ns;
		left--;
	}
	cr_assert(eq(int, left, 0));
}
