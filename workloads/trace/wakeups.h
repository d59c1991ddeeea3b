/*
 * How long recorded tasks waited from their wake-up until they ran. Knows tasks, not events. Times
 * in ns.
 */
#pragma once

#include "workloads/trace/script.h"

/* Where the task was put. */
enum trace_wakeup_kind {
	TRACE_WAKEUP_LOCAL,  /* on an idle CPU, by an interrupt of that CPU */
	TRACE_WAKEUP_REMOTE, /* on an idle CPU, by another CPU */
	TRACE_WAKEUP_BUSY,
	TRACE_WAKEUP_KINDS
};

struct trace_wakeup_block;

/* All of a recording, in order; all zero is none. */
struct trace_wakeups {
	struct trace_wakeup_block *first, *last;
	size_t nr;
};

void trace_wakeup_add(struct arena *arena, struct trace_wakeups *wakeups,
	const struct trace_task *task, enum trace_wakeup_kind kind, int64_t ns);
/* What a wake-up on an idle CPU took on average, of tasks that are replayed: into @mean_ns[0] by an
 * interrupt of that CPU, into [1] by another CPU; 0 where too few were seen. */
void trace_wakeups_mean(
	struct arena *arena, const struct trace_wakeups *wakeups, int64_t mean_ns[2]);
/* All waits of replayed tasks into @sorted_ns[wakeups->nr], in ascending order; how many. */
size_t trace_wakeups_sorted(const struct trace_wakeups *wakeups, int64_t *sorted_ns);
