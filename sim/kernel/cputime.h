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

struct task;

/* A tick finds the task running. Follows account_process_tick(), the kernel's share of a burst
 * standing for where it is. */
void cputime_tick(struct task *task);
/* The task ends: its split goes to the kernel's sums. */
void cputime_exit(struct task *task);
/* CPU time of all charged tasks as getrusage() would tell it: the sum is exact, the split by the
 * kernel's rule. Each task counts as a process of its own. Follows cputime_adjust(). */
void cputime_reported(const struct kernel *kernel, int64_t *user_ns, int64_t *sys_ns);

void cputime_read(struct kernel *kernel, int cpu, struct cputime *out);
