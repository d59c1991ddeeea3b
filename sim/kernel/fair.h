/*
 * The fair class of a run queue: who comes next, how long a turn is, who preempts whom. Knows
 * virtual run time, not load tracking. ns.
 *
 * One queue, two ways to pick from it. Before 6.6 who has had least of the CPU comes first, in the
 * form of kernel/sched/fair.c of 5.10 (sched_slice(), wakeup_gran(), place_entity()). From 6.6 on
 * it is the earliest virtual deadline of those that have not had more than their share (eevdf.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct kernel;
struct rq;
struct task;

/* What a kernel version does. */
struct fair_rules {
	unsigned since; /* KVER() */
	bool eevdf;
	bool half_first_turn;  /* EEVDF: a new task's deadline is half a turn away */
	bool keeps_deadline;   /* EEVDF: a task that moves keeps what is left of its turn */
	bool delays_sleep;     /* EEVDF: who sleeps past its share stays in the queue */
	int64_t base_slice_ns; /* EEVDF: a turn, before it is scaled with the CPU count */
};

const struct fair_rules *fair_rules(unsigned version);

/* Linux scales lengths of turns with the CPU count: 1 + log2 of at most 8 CPUs
 * (sched_tunable_scaling). */
int64_t fair_scale(const struct kernel *kernel);

/* Why a task comes to a queue. */
enum fair_arrival {
	FAIR_NEW,
	FAIR_WOKEN,
	FAIR_MOVED, /* from another queue, where it waited */
};

/* Where a task that comes takes its place in the order; the queue is charged up to now. */
void fair_place(struct rq *rq, struct task *task, enum fair_arrival arrival);
/* It leaves the queue, to sleep or for another CPU; it still counts. */
void fair_leave(struct rq *rq, struct task *task);
/* The running task sleeps, and is past its share: it stays, waits like others, and is put aside
 * when it would be picked (6.12's delayed dequeue). */
bool fair_delays(const struct rq *rq, const struct task *task);
/* Who would be picked, if it sleeps; NULL: somebody who does not. It leaves with no debt. */
struct task *fair_pop_asleep(struct rq *rq);
/* It wakes where it has stayed. */
void fair_requeue(struct rq *rq, struct task *task);
/* It will be placed on @rq, and was on @old. */
void fair_move(struct task *task, const struct rq *old, const struct rq *rq);
/* A task that wakes takes the CPU from the fair task on it. */
bool fair_preempts(struct rq *rq, const struct task *task);
/* A task that is not among those that wait comes before all of them. */
bool fair_goes_first(struct rq *rq, const struct task *task);
/* The running task has had its turn; looked at when the kernel accounts its time. */
bool fair_turn_is_over(struct rq *rq);

void fair_add(struct rq *rq, struct task *task);
/* Who gets the CPU next, taken out of the order; there is one. */
struct task *fair_pop(struct rq *rq);
/* The first waiting task that may run on @cpu, taken out of the order to go there; NULL: none. */
struct task *fair_pop_for(struct rq *rq, int cpu);
/* The first that waits, eligible or not, awake or not, taken out of the order to go to another
 * CPU or, asleep, to leave with no more than its debt. */
struct task *fair_evict(struct rq *rq);
/* The running task had the CPU for @ns. */
void fair_charge(struct rq *rq, struct task *task, int64_t ns);
/* The queue's clock follows its tasks. */
void fair_update_min(struct rq *rq);
