/*
 * Which CPU a new or waking task goes to. Knows who is idle and load as it was last stored, not who
 * will be. The rule is selectable (kernel.placement).
 */
#pragma once

struct kernel;
struct task;

/* A new task whose cpu is its parent's, or where it is pinned. */
int placement_fork(struct kernel *kernel, struct task *task);
/* A task that wakes and ran last on task->cpu. */
int placement_wake(struct kernel *kernel, struct task *task);

/* An idle CPU that @task may run on: @cpu itself, else the next in number in its package, else
 * anywhere; -1: none. */
int placement_idle_near(const struct kernel *kernel, const struct task *task, int cpu);
/* @cpu, or the first after it that @task may run on. */
int placement_allowed(const struct kernel *kernel, const struct task *task, int cpu);
