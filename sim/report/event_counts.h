/*
 * How often each kind of kernel event happened and on which CPU, as a list with shares like perf
 * report's. Knows tracepoints.
 */
#pragma once

#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/kernel/kernel.h"

struct event_counts {
	struct arena *arena;
	int64_t *counts; /* kind x CPU */
	int nr_cpus;
};

void event_counts_start(
	struct event_counts *counts, struct arena *arena, const struct kernel *kernel);
/* For who listens to the kernel (tap.h). @arg: the counts. */
void event_counts_take(void *arg, const struct tracepoint *record);
void event_counts_write(FILE *out, const struct event_counts *counts);
