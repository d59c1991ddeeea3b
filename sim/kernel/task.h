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
#include "sim/kernel/cpumask.h"
#include "sim/kernel/rq_pelt.h"
#include "sim/kernel/uclamp.h"

struct kernel;
struct rq;
struct workload_ctx;

enum task_state {
	TASK_FREE,      /* in the pool */
	TASK_NEW,       /* taken, not started */
	TASK_RUNNABLE,  /* on a run queue */
	TASK_RUNNING,   /* on a CPU */
	TASK_SLEEPING,  /* a timer will wake it */
	TASK_IOWAIT,    /* a device will wake it */
	TASK_WAITING,   /* on a channel */
	TASK_THROTTLED, /* a deadline task whose budget is used up */
};

enum task_class { TASK_FAIR, TASK_FIFO, TASK_RR, TASK_DEADLINE };

/* A deadline task's reservation and what it has of it now. */
struct dl_state {
	int64_t runtime_ns, period_ns;
	uint64_t bandwidth; /* runtime / period, with DL_BW_SHIFT fraction bits */
	int64_t budget_ns;  /* left of runtime until the deadline */
	int64_t deadline_ns;
	struct rq *counted; /* the queue whose reserved bandwidth includes it */
};

/* Of a fair task from 6.6 on (eevdf.h). Virtual time. */
struct eevdf_state {
	int64_t deadline_ns;
	int64_t picked_deadline_ns; /* its deadline when it got the CPU: the turn is protected */
	int64_t lag_ns;  /* what it was short of when it left its queue; below 0: ahead */
	int64_t left_ns; /* of its turn, when it left for another CPU */
	bool delayed;    /* it sleeps, and stays on its queue until it is past nobody's share */
};

/* What a task that wakes another one says of itself. */
enum wake_kind {
	WAKE_PLAIN,
	WAKE_SYNC,    /* it will wait soon */
	WAKE_EXITING, /* the same, as it ends */
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
	struct workload_ctx *ctx; /* whose it is */
	int cpu;                  /* where it runs, or ran last */
	enum task_state state;
	bool leading;      /* the run ends when the last leading task exits */
	bool pinned;       /* stays on its CPU; else placement and balancing move it */
	bool charged;      /* its CPU time counts as the workload's user and sys */
	uint32_t sys_ppm;  /* share of the current burst that is sys time */
	uint32_t sys_rest; /* below one ns of sys time, in ppm of a ns */
	bool woke_from_io; /* and has not run since */
	int64_t woken_ns;  /* when it woke or was forked; below 0: it has run since */
	enum task_class class;
	int rt_priority; /* FIFO and RR: 1 to 99, the higher the sooner */
	uint32_t weight; /* 1024 = nice 0 */
	struct dl_state dl;
	struct uclamp uclamp;          /* of its utilisation */
	struct timer dl_timer;         /* the next budget, or the end of a sleeper's bandwidth */
	const struct cpumask *allowed; /* CPUs it may run on: affinity and cpuset; NULL: all */
	struct task_pelt pelt;
	int64_t vruntime_ns;
	struct eevdf_state eevdf;
	int64_t order_ns;                      /* its place in the run queue's heap */
	int64_t slice_ns;                      /* ran since it was picked */
	int64_t user_ns, sys_ns;               /* as they were */
	int64_t user_ticks, sys_ticks;         /* where the tick found it */
	uint32_t tick_rest;                    /* share of sys not yet counted as a tick, in ppm */
	struct task *q_child, *q_next;         /* links of the run queue's heap */
	struct task *q_prev;                   /* the one before it there, or above the first */
	struct task *timer_next, **timer_link; /* among the timers of its CPU (idle.h) */
	struct task *wait_next;                /* in a channel, or in the pool */
	struct rng rng; /* the task's own stream: rng_set() by the workload */
	void *priv;     /* the workload's task_size bytes */
	const char *name;
	int64_t pid; /* of one life of it */
};

/* All tasks that can ever be, for who has to look at each of them. */
struct task_block {
	struct task *tasks;
	size_t nr;
	struct task_block *next;
};

/* Build: @nr more tasks that can be alive at once. */
void task_pool(struct workload_ctx *ctx, size_t nr);
/* A task in state NEW: priv zeroed, weight 1024, charged, not leading, nothing accounted. The pool
 * must not be empty. */
struct task *task_take(struct workload_ctx *ctx);
/* Before the task starts. Nice is -20 to 19; priority 1 to 99; a deadline task has @runtime_ns in
 * every @period_ns, of at most a second; @allowed outlives the task. Of @allowed only what is in
 * the task's cpuset holds; when that is nothing the cpuset stays, as sched_setaffinity() fails. */
void task_set_nice(struct task *task, int nice);
void task_set_rt(struct task *task, int priority, bool round_robin);
void task_set_deadline(struct task *task, int64_t runtime_ns, int64_t period_ns);
void task_set_uclamp(struct task *task, uint32_t min, uint32_t max);
void task_set_cpus(struct task *task, const struct cpumask *allowed);
/* The weight of a nice level, 1024 of nice 0; one level is a fourth more. */
uint32_t nice_weight(int nice);

/* The CPU is online, and the task's affinity lets it run there. */
bool task_may_run(const struct task *task, int cpu);

/* Build: the task starts when its workload does, on @cpu (-1: placement decides). */
void task_start(struct workload_ctx *ctx, struct task *task, int cpu);

/* Wakes them when the engine starts, in the order of task_start(). */
void task_start_all(struct kernel *kernel);
