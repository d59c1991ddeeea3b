/*
 * What a run does as the text of ftrace: sched_switch, sched_waking, sched_wakeup,
 * sched_process_fork and _exit, cpu_frequency, cpu_frequency_limits, pstate_sample, cpu_idle. Knows
 * the kernel's records and that text; takes part in nothing.
 *
 * Times have nanoseconds, as trace-cmd report -t prints them: bursts of a simulated CPU end between
 * microseconds, and their cycles are worth keeping.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/kernel/kernel.h"
#include "sim/report/pstate_csv.h"

struct ftrace_cpu;

struct ftrace {
	FILE *out;
	const struct kernel *kernel;
	struct ftrace_cpu *cpus;
	bool by_task, sync; /* of the wake-up under way */
};

/* Writes what the run is going to do to @out: between run_build() and run_execute(). The memory is
 * @arena's. Whether all could be written, @out knows. */
void ftrace_start(struct ftrace *ftrace, struct arena *arena, struct kernel *kernel, FILE *out);
/* For who listens to the kernel (tap.h): a record, an evaluation of intel_pstate. */
void ftrace_take(void *arg, const struct tracepoint *r);
void ftrace_sample(void *arg, const struct pstate_row *row);
/* The run is over: what has left its CPU and nobody followed. */
void ftrace_end(struct ftrace *ftrace);
