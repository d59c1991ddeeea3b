/*
 * Which tasks of a recording are replayed, and what becomes of their ties to the others. Knows
 * scripts, not events.
 */
#pragma once

#include "workloads/trace/import.h"

/* What the importer knows of a CPU's clock when the recording has ended; 0 = nothing. */
struct trace_clocks {
	const int64_t *first_khz; /* by CPU */
};

/* The window a recorder brackets its workload with; writer NULL: there are no marks. */
struct trace_marks {
	struct trace_task *writer;
	int64_t start_ns, end_ns;
};

/* Chooses the root, marks the tasks below it, and turns ties to other tasks into sleeps. */
int trace_tree(struct arena *arena, struct trace_import *import, const char *path,
	const struct trace_options *options, struct trace_marks marks, struct trace_clocks clocks,
	int64_t start_ns, struct error *err);
