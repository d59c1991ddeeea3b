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
	a->q_child = b;
	return a;
}

void task_heap_add(struct task **heap, struct task *task)
{
	task->q_child = task->q_next = NULL;
	*heap = meld(*heap, task);
}

struct task *task_heap_pop(struct task **heap)
{
	struct task *first = *heap, *pairs = NULL, *rest = first->q_child;

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
	*heap = NULL;
	while (pairs) {
		struct task *next = pairs->q_next;

		pairs->q_next = NULL;
		*heap = meld(*heap, pairs);
		pairs = next;
	}
	first->q_child = NULL;
	return first;
}
