/*
 * Tasks that come before all fair ones: deadline tasks, earliest deadline first, then real-time
 * tasks by priority. Knows their order, where they go, and the time a deadline task may have.
 *
 * Follows kernel/sched/rt.c and deadline.c: a constant bandwidth server with its budget looked at
 * once a tick, a bandwidth that counts until the zero-lag time (4.13 and later).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/units.h"

struct cpumask;
struct kernel;
struct rq;
struct task;

#define RT_PRIORITY_MAX 99
/* A round-robin task's turn; sched_rr_timeslice_ms. */
#define RR_SLICE_NS (100 * NSEC_PER_MSEC)

/* @a takes the CPU from @b whatever the two have had. */
bool task_outranks(const struct task *a, const struct task *b);

/* Queues a task that waits, before or behind its equals. */
void rt_add(struct rq *rq, struct task *task, bool before);
struct task *rt_pop(struct rq *rq);

/* A task comes to the queue because it woke or is new; or leaves it to sleep or to end. */
void rt_enqueue(struct rq *rq, struct task *task);
void rt_dequeue(struct rq *rq, struct task *task);
/* The running task had the CPU for @ns. */
void rt_charge(struct rq *rq, struct task *task, int64_t ns);
/* At a tick: what runs has to give way, as its turn or its budget is over. */
bool rt_turn_is_over(const struct rq *rq);
/* What runs has used up its budget, or its class its share of this second. */
bool rt_may_not_run(const struct rq *rq);
/* A deadline task has used up its budget and may not run before its next period. */
bool rt_is_throttled(const struct task *task);
/* Takes it off the CPU until then. */
void rt_throttle(struct rq *rq, struct task *task);

/* The CPU for a task that wakes: the last one, unless that has something more urgent to do. */
int rt_select_cpu(struct kernel *kernel, struct task *task);
/* Takes the most urgent task that waits on another CPU and may run on this one. */
void rt_pull(struct rq *rq);
/* The most urgent task that waits goes to another CPU: its own goes offline. */
void rt_evict(struct rq *from, struct rq *to);

/* All deadline tasks together have reserved no more than sched_rt_runtime_us leaves them on the
 * CPUs of @online. Follows __dl_overflow(); from 5.9 on small CPUs count as what they are. */
bool rt_admits(const struct kernel *kernel, const struct cpumask *online);

/* It has ended: nothing of it stays behind. */
void rt_forget(struct task *task);

/* Build. */
void rt_init(struct rq *rq);
void rt_timer_init(struct kernel *kernel, struct task *task);
