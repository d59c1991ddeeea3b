/*
 * How long recorded tasks waited from their wake-up until they ran. Knows tasks, not events. Times
 * in ns.
 */
#pragma once

#include "workloads/trace/script.h"

struct trace_wakeup {
	struct trace_wakeup *next;
	const struct trace_task *task;
	int64_t ns;
	bool idle;   /* the CPU had nothing to do */
	bool remote; /* another CPU than that woke it */
};

void trace_wakeup_add(struct arena *arena, struct trace_wakeup **list, struct trace_wakeup wakeup);
/* What a wake-up on an idle CPU took on average, of tasks that are replayed: into @mean_ns[0] by an
 * interrupt of that CPU, into [1] by another CPU; 0 where too few were seen. */
void trace_wakeups_mean(struct arena *arena, const struct trace_wakeup *list, int64_t mean_ns[2]);
/* All waits of replayed tasks, in ascending order; how many. */
size_t trace_wakeups_sorted(
	struct arena *arena, const struct trace_wakeup *list, const int64_t **sorted_ns);
