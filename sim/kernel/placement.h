/*
 * Which CPU a new or waking task goes to. The rule is selectable (kernel.placement).
 */
#pragma once

struct kernel;
struct task;

/* A new task whose cpu is its parent's, or where it is pinned. */
int placement_fork(struct kernel *kernel, struct task *task);
/* A task that wakes and ran last on task->cpu. */
int placement_wake(struct kernel *kernel, struct task *task);
