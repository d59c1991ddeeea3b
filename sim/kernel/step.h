/*
 * Steps: what a task does when its last one is finished. Knows tasks and channels; asks the
 * workload.
 */
#pragma once

#include <stdbool.h>

#include "sim/hw/cpu.h"
#include "sim/kernel/task.h"

struct kernel;
struct rq;
struct task;

static inline bool burst_is_over(const struct burst *burst)
{
	return burst->fixed_ns == 0 && burst->work == 0;
}

/* Carries out steps of the running task until it has a burst to run (true) or leaves the CPU. */
bool task_advance(struct task *task);
/* A task's timer, device or channel is due: the CPU of @by makes it runnable where placement
 * says. */
void task_wake(struct task *task, struct rq *by, enum wake_kind kind);
/* A deadline task has its next budget. */
void task_unthrottle(struct task *task);
void task_timer_init(struct kernel *kernel, struct task *task);
