/*
 * Which CPU a new or waking task goes to. Knows who is idle and load as it was last stored, not who
 * will be. The rule is selectable (kernel.placement).
 */
#pragma once

#include "sim/kernel/task.h"

struct kernel;
struct rq;
struct task;

/* A new task whose cpu is its parent's, or where it is pinned. */
int placement_fork(struct kernel *kernel, struct task *task);
/* A task that wakes and ran last on task->cpu; @by is the CPU that wakes it. */
int placement_wake(
	struct kernel *kernel, struct task *task, const struct rq *by, enum wake_kind kind);

/* An idle CPU that @task may run on: @cpu itself, else the next in number in its package, else
 * anywhere; -1: none. */
int placement_idle_near(const struct kernel *kernel, const struct task *task, int cpu);
/* Somewhere @task may run is online; if not, its affinity is given up for good. Follows
 * select_fallback_rq(). */
void placement_unbind(struct kernel *kernel, struct task *task);
/* @cpu, or the first after it that @task may run on. */
int placement_allowed(const struct kernel *kernel, const struct task *task, int cpu);
