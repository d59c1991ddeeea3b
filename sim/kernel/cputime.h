/*
 * CPU time as Linux accounts it and governors read it: microseconds, truncated. Belief, not truth.
 * Follows kernel/time/tick-sched.c get_cpu_idle_time_us() and get_cpu_iowait_time_us().
 */
#pragma once

#include <stdint.h>

struct kernel;

struct cputime {
	uint64_t wall_us;   /* since boot */
	uint64_t idle_us;   /* idle with nobody waiting for I/O on this CPU */
	uint64_t iowait_us; /* idle with a task of this CPU waiting for I/O */
	uint64_t nice_us;   /* run by niced tasks */
};

void cputime_read(struct kernel *kernel, int cpu, struct cputime *out);
