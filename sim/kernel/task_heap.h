/*
 * The runnable tasks of a run queue by order_ns, least first: a pairing heap whose links live in
 * the tasks, so that any number of tasks can wait without memory of its own. Virtual time, ns; what
 * the order means is fair.h's.
 */
#pragma once

struct task;

void task_heap_add(struct task **heap, struct task *task);
/* Removes and returns the first task; the heap must not be empty. */
struct task *task_heap_pop(struct task **heap);
/* Removes a task that is in the heap. */
void task_heap_remove(struct task **heap, struct task *task);
