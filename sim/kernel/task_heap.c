#include "sim/kernel/task_heap.h"

#include <stddef.h>

#include "sim/kernel/task.h"

static struct task *meld(struct task *a, struct task *b)
{
	if (!a)
		return b;
	if (!b)
		return a;
	if (b->order_ns < a->order_ns) {
		struct task *t = a;

		a = b;
		b = t;
	}
	b->q_next = a->q_child;
	if (b->q_next)
		b->q_next->q_prev = b;
	b->q_prev = a;
	a->q_child = b;
	return a;
}

void task_heap_add(struct task **heap, struct task *task)
{
	task->q_child = task->q_next = NULL;
	*heap = meld(*heap, task);
}

/* One heap of a list of them. */
static struct task *meld_all(struct task *rest)
{
	struct task *pairs = NULL, *heap = NULL;

	/* First pass: meld the children two by two into a list; second pass: meld that list. */
	while (rest) {
		struct task *a = rest, *b = a->q_next;

		rest = b ? b->q_next : NULL;
		a->q_next = NULL;
		if (b)
			b->q_next = NULL;
		a = meld(a, b);
		a->q_next = pairs;
		pairs = a;
	}
	while (pairs) {
		struct task *next = pairs->q_next;

		pairs->q_next = NULL;
		heap = meld(heap, pairs);
		pairs = next;
	}
	return heap;
}

struct task *task_heap_pop(struct task **heap)
{
	struct task *first = *heap;

	*heap = meld_all(first->q_child);
	first->q_child = NULL;
	return first;
}

void task_heap_remove(struct task **heap, struct task *task)
{
	if (task == *heap) {
		task_heap_pop(heap);
		return;
	}
	if (task->q_prev->q_child == task)
		task->q_prev->q_child = task->q_next;
	else
		task->q_prev->q_next = task->q_next;
	if (task->q_next)
		task->q_next->q_prev = task->q_prev;
	*heap = meld(*heap, meld_all(task->q_child));
	task->q_child = task->q_next = NULL;
}
