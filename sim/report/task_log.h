/*
 * Activations of tasks in the columns of rt-app's log files: from each wake-up until the task waits
 * again. Knows tracepoints and that text.
 *
 * What only rt-app itself knows of its configuration, the loops done per ns and the durations asked
 * for, is 0.
 */
#pragma once

#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/kernel/kernel.h"

struct task_log_entry;

struct task_log {
	FILE *out;
	struct arena *arena;
	struct task_log_entry **tasks; /* hash of tasks */
};

void task_log_start(struct task_log *log, struct arena *arena, FILE *out);
/* For who listens to the kernel (tap.h). @arg: the log. */
void task_log_take(void *arg, const struct tracepoint *record);
