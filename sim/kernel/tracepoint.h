/*
 * What the kernel tells about itself as it runs: one record type, named after Linux's tracepoints.
 * Knows tasks and CPUs; knows no format. Times in ns, frequencies in kHz.
 *
 * Without a sink a tracepoint costs one comparison. Records come in the order in which things
 * happen; those of one instant belong together.
 */
#pragma once

#include <stdint.h>

struct kernel;
struct policy;
struct task;

enum tracepoint_kind {
	TRACEPOINT_LEAVE,  /* task has left the CPU, to its state; what follows is not known yet */
	TRACEPOINT_RUN,    /* task has the CPU; NULL: it idles */
	TRACEPOINT_WAKING, /* task is woken by what other does; NULL: by an interrupt on the CPU.
			      value: enum wake_kind */
	TRACEPOINT_WAKEUP, /* task is put on the run queue of target_cpu */
	TRACEPOINT_FORK,   /* other has started task, which is put on target_cpu */
	TRACEPOINT_EXIT,   /* task is about to end */
	TRACEPOINT_FREQUENCY, /* the kernel believes that policy's clock is khz */
	TRACEPOINT_LIMITS,    /* policy's limits are khz at most and value at least */
	TRACEPOINT_IDLE,      /* the CPU has entered idle state value; -1: left it */
};

struct tracepoint {
	int64_t t_ns;
	enum tracepoint_kind kind;
	int cpu, target_cpu;
	const struct task *task, *other;
	const struct policy *policy;
	int64_t khz, value;
};

struct tracepoints {
	void (*sink)(void *arg, const struct tracepoint *record); /* NULL: nobody listens */
	void *arg;
	int64_t last_pid; /* given to a task */
};

/* Sends a record, its time filled in. */
void tracepoint_send(struct kernel *kernel, const struct tracepoint *record);

/* TRACEPOINT(kernel, .kind = ..., .cpu = ...) */
#define TRACEPOINT(kernel_, ...)                                                               \
	do {                                                                                   \
		if ((kernel_)->trace.sink)                                                     \
			tracepoint_send((kernel_), &(const struct tracepoint){ __VA_ARGS__ }); \
	} while (0)
