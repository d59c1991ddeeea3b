/*
 * Tasks, their accounting, and the channels they wait on. Knows steps (workload.h), run queues and
 * CPUs; knows no frequency.
 *
 * All tasks of a run are made while it is built: task_pool() declares how many can be alive at
 * once, task_take() hands one out, an EXIT step gives it back.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/rng.h"
#include "sim/engine/engine.h"
#include "sim/hw/cpu.h"
#include "sim/kernel/rq_pelt.h"

struct kernel;
struct workload_ctx;

enum task_state {
	TASK_FREE,     /* in the pool */
	TASK_NEW,      /* taken, not started */
	TASK_RUNNABLE, /* on a run queue */
	TASK_RUNNING,  /* on a CPU */
	TASK_SLEEPING, /* a timer will wake it */
	TASK_IOWAIT,   /* a device will wake it */
	TASK_WAITING,  /* on a channel */
};

/* A counting semaphore with waiters in order of arrival. All zero is an empty channel. */
struct channel {
	int64_t tokens;
	struct task *first, *last;
};

struct task {
	struct burst burst; /* what is left of the current RUN step */
	struct timer wake;
	struct kernel *kernel;
	int cpu; /* where it runs, or ran last */
	enum task_state state;
	bool leading;   /* the run ends when the last leading task exits */
	bool pinned;    /* stays on its CPU; else placement and balancing move it */
	bool charged;   /* its CPU time counts as the workload's user and sys */
	uint32_t sys_ppm;  /* share of the current burst that is sys time */
	uint32_t sys_rest; /* below one ns of sys time, in ppm of a ns */
	uint32_t weight;   /* 1024 = nice 0 */
	struct task_pelt pelt;
	int64_t vruntime_ns;
	int64_t slice_ns; /* ran since it was picked */
	int64_t user_ns, sys_ns;
	struct task *q_child, *q_next; /* links of the run queue's heap */
	struct task *wait_next;                 /* in a channel, or in the pool */
	struct rng rng; /* the task's own stream: rng_set() by the workload */
	void *priv;     /* the workload's task_size bytes */
	const char *name;
};

/* Build: @nr more tasks that can be alive at once. */
void task_pool(struct workload_ctx *ctx, size_t nr);
/* A task in state NEW: priv zeroed, weight 1024, charged, not leading, nothing accounted. The pool
 * must not be empty. */
struct task *task_take(struct workload_ctx *ctx);
/* Build: the task starts at the beginning of the run, on @cpu (-1: placement decides). */
void task_start(struct workload_ctx *ctx, struct task *task, int cpu);

/* Wakes them when the engine starts, in the order of task_start(). */
void task_start_all(struct kernel *kernel);
