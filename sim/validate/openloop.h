/*
 * Recorded scheduling as the kernel's load tracking saw it: every switch, wake-up, fork and exit of
 * a recording drives the run queue signals of its CPU. Nothing is scheduled here, and no frequency
 * is chosen: who listens is told when the scheduler would have called the governor.
 *
 * Times are ns on a clock of its own that starts at KERNEL_UPTIME_NS with the first event. What the
 * recording does not show (ticks, the balancer's look at idle CPUs) is put where the kernel has it.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/kernel/hook.h"
#include "sim/kernel/kernel_spec.h"
#include "sim/kernel/rq_pelt.h"
#include "workloads/trace/event.h"

#define OPEN_LOOP_BUCKETS 4096

/* A task by pid; a pid used again is another task from its fork on. */
struct open_task {
	struct open_task *next;
	struct open_task *queue_next, **queue_link; /* among the fair tasks of a queue */
	int64_t pid;
	int64_t woken_ns; /* when it last woke */
	struct task_pelt pelt;
	int cpu;     /* whose queue has its load; -1: none */
	bool fresh;  /* forked, and has not been enqueued */
	bool device; /* its last sleep was uninterruptible */
	bool told;   /* the recording said whether it waited for a device: iowait */
	bool iowait;
};

struct open_cpu {
	struct rq_pelt pelt;
	int64_t pelt_ns; /* its clocks have advanced up to here */
	bool seen;       /* it has shown a switch */
	bool running;    /* something but idle */
	bool realtime;   /* ... of the real-time or deadline class */
	bool deadline;
	struct open_task *queue;  /* fair tasks that run or wait */
	struct open_task *curr;   /* of these, who runs */
	struct open_task *waking; /* is being woken here after I/O, and not yet enqueued */
	uint64_t idle_calls;
	struct open_loop *loop;
};

struct open_loop {
	struct arena *arena;
	const struct kernel_spec *spec;
	struct open_cpu *cpus;
	int nr_cpus;
	int by; /* CPU that executes */
	int64_t tick_ns, now_ns, next_tick_ns, next_blocked_ns;
	int64_t window_ns, next_window_ns; /* who listens may want a beat of its own */
	int64_t offset_ns;                 /* of its clock to the recording's */
	bool started;
	bool shows_idle, shows_devices; /* the recording has such events */
	int64_t device_ns;              /* when a device last finished something ... */
	int device_cpu;                 /* ... and which CPU heard of it */
	struct open_task *buckets[OPEN_LOOP_BUCKETS];
	/* The scheduler calls the governor for @cpu. */
	void (*hook)(void *ctx, int cpu, int64_t now_ns, unsigned flags);
	/* Time is about to pass up to @now_ns. */
	void (*passed)(void *ctx, int64_t now_ns);
	void (*window)(void *ctx);
	/* A tick on @cpu, before load tracking hears of it. */
	void (*ticked)(void *ctx, int cpu);
	void *ctx;
};

void open_loop_init(struct open_loop *loop, struct arena *arena, const struct kernel_spec *spec,
	int nr_cpus, const int64_t *capacities);
/* Brings the clock to the recording's @t_ns: ticks fall due. */
void open_loop_advance(struct open_loop *loop, int64_t t_ns);
/* Then takes in what @event says of scheduling. */
void open_loop_event(struct open_loop *loop, const struct trace_event *event);
/* The load of @cpu as the kernel's own update at this instant would leave it. */
void open_loop_update(struct open_loop *loop, int cpu);
/* What a governor reads of it. */
void open_loop_read(const struct open_loop *loop, int cpu, struct util_input *in);
