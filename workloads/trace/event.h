/*
 * One event of a recorded trace, whatever its spelling or container was. Knows what a trace says,
 * not what it means: readers fill it, the importer reads it.
 *
 * Times are ns on the recording's own clock. A task is named by its kernel pid (the thread's).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TRACE_COMM_SIZE 32
#define TRACE_MAX_CPUS 4096
#define TRACE_KHZ_MAX INT64_C(10000000)
#define TRACE_PID_UNKNOWN INT64_C(-1)
#define TRACE_PRIO_FAIR 100
#define TRACE_PRIO_NORMAL 120 /* nice 0; real-time tasks are below 100, deadline tasks below 0 */

enum trace_kind {
	TRACE_SWITCH,     /* a: switched out, in prev_state; b: switched in */
	TRACE_WAKING,     /* b: to be woken, seen where the waker runs */
	TRACE_WAKEUP,     /* b: woken, perhaps seen on the CPU it will run on */
	TRACE_WAKEUP_NEW, /* b: a new task, for the first time */
	TRACE_FORK,       /* a: parent, b: child */
	TRACE_EXEC,       /* a: the task before, b: after (another pid when a thread did it) */
	TRACE_EXIT,       /* a */
	TRACE_FREE,       /* a */
	TRACE_WAIT,       /* the task of the head waits for a child */
	TRACE_RENAME,     /* a, with its new name */
	TRACE_FREQUENCY,  /* target_cpu, khz */
	TRACE_LIMITS,     /* target_cpu, min_khz and khz, the maximum */
	TRACE_IDLE,       /* target_cpu, idle_state; -1 when it leaves idle */
	TRACE_WORK,       /* target_cpu, work: of our own traces, see below */
	TRACE_SYNC,       /* b, which is being woken: by one that will wait; of our own traces */
	TRACE_MARK,       /* text: written by a user */
	TRACE_UTIL,       /* util: what schedutil saw or decided; kernels with markers in it */
	TRACE_PSTATE,     /* pstate: what intel_pstate saw and decided */
	TRACE_IO_DONE,    /* a device has finished a request */
	TRACE_REASON,     /* a was blocked; iowait: for a device */
	TRACE_LOST,       /* lost events of cpu (-1: of all); -1 when their number is unknown */
	TRACE_CPUS,       /* the header says how many CPUs: nr_cpus */
	TRACE_OTHER,      /* an event this program has no use for, but its head is good */
};
#define TRACE_KINDS (TRACE_OTHER + 1)

/* How a task left the CPU. */
enum trace_state {
	TRACE_RUNNABLE, /* it wants to go on: preempted or yielded */
	TRACE_BLOCKED,
	TRACE_BLOCKED_D, /* uninterruptible */
	TRACE_DEAD,
};

enum trace_context {
	TRACE_CONTEXT_UNKNOWN, /* the recording has no flags column */
	TRACE_CONTEXT_TASK,
	TRACE_CONTEXT_IRQ, /* hard or soft interrupt, NMI */
};

struct trace_who {
	int64_t pid;
	int prio;                   /* TRACE_PRIO_NORMAL when unknown */
	char comm[TRACE_COMM_SIZE]; /* "" when unknown */
};

/* A marker of schedutil: which, and its two numbers. */
enum trace_util_mark {
	TRACE_UTIL_INPUTS, /* the frequency it scales, in kHz, and the CPU's capacity */
	TRACE_UTIL_SEEN,   /* utilisation before and now */
	TRACE_UTIL_BOOST,  /* the same with the boost of I/O */
	TRACE_UTIL_FREQ,   /* next frequency before and now, in kHz */
	TRACE_UTIL_EARLY,  /* utilisation before and now, of a call too early to be evaluated */
	TRACE_UTIL_OTHER,
};

struct trace_util {
	enum trace_util_mark mark;
	int64_t before, now;
};

/* The event pstate_sample. Levels, counters' growth since the last one; io_boost in percent. */
struct trace_pstate {
	int64_t from, to, mperf, aperf, tsc, io_boost;
};

struct trace_event {
	enum trace_kind kind;
	enum trace_context context;
	int cpu; /* -1: none */
	int64_t t_ns;
	struct trace_who head; /* the task that ran there */
	union {
		struct {
			struct trace_who a, b;
		};
		struct trace_util util;
		struct trace_pstate pstate;
	};
	enum trace_state prev_state;
	int64_t state_bits; /* of the kernel, when that is all a text says of prev_state; -1: not */
	int target_cpu;     /* -1: not said */
	int64_t khz, min_khz;
	int64_t idle_state;
	int64_t work; /* kHz x ns that the task of the head has done beyond time x cpu_frequency; a
			 recorded machine knows of no such figure, a simulated one does */
	bool iowait;
	int64_t lost;
	int64_t nr_cpus;
	char text[TRACE_COMM_SIZE]; /* beginning of a mark */
};

/* Name of a kind as the kernel spells the event. */
const char *trace_kind_name(enum trace_kind kind);
