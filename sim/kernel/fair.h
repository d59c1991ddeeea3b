/*
 * The fair class of a run queue: who has had least of the CPU, how long a turn is, who preempts
 * whom. Knows virtual run time, not load tracking. ns.
 *
 * In the form of kernel/sched/fair.c before 6.6 (sched_slice(), wakeup_gran(), place_entity()).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct rq;
struct task;

/* A turn of a task on the CPU: its share, by weight, of the period in which everybody has one. */
int64_t fair_slice_ns(const struct rq *rq, const struct task *task);
/* Where a new task, or one that slept, takes its place in the order. */
void fair_place_new(const struct rq *rq, struct task *task);
void fair_place_sleeper(const struct rq *rq, struct task *task);
/* A task that wakes takes the CPU from the fair task on it, when that has had enough more. */
bool fair_preempts(const struct rq *rq, const struct task *task);

void fair_add(struct rq *rq, struct task *task);
struct task *fair_pop(struct rq *rq);
/* The first waiting task that may run on @cpu, taken out of the order; NULL: none. */
struct task *fair_pop_for(struct rq *rq, int cpu);
/* The running task had the CPU for @ns. */
void fair_charge(struct rq *rq, struct task *task, int64_t ns);
/* The queue's clock follows its least task. */
void fair_update_min(struct rq *rq);
