/*
 * Earliest eligible virtual deadline first: the fair class from 6.6 on. Knows virtual time and
 * weights; the queue itself is fair.h's. Virtual ns.
 *
 * In the form of kernel/sched/fair.c of 6.6 and 6.12 (avg_vruntime(), entity_eligible(),
 * place_entity(), update_entity_lag(), update_deadline(), pick_eevdf()) with their default
 * features. The average of all virtual run times by weight is what everybody should have had. Who
 * is not past it is eligible, and of these the earliest deadline, one turn after the last, comes
 * first. Who has the CPU keeps it until its turn is over or it is past the average. The distance to
 * the average, the lag, is kept while a task sleeps.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/kernel/fair.h"

/* A turn of any task, CPU time. */
int64_t eevdf_slice_ns(const struct rq *rq);

/* The tasks of a queue together: virtual run times from min_vruntime_ns on, by weight. */
struct eevdf_sum {
	int64_t vruntime, weight;
};

/* Those that wait, the one that runs, and the kworker when it is a fair task with work. */
struct eevdf_sum eevdf_sum(const struct rq *rq);
bool eevdf_is_eligible(const struct rq *rq, const struct eevdf_sum *sum, const struct task *task);
/* The zero of the queue's sums moves to the average, where the numbers are small. */
void eevdf_recentre(struct rq *rq);

void eevdf_place(struct rq *rq, struct task *task, enum fair_arrival arrival);
void eevdf_leave(struct rq *rq, struct task *task);
/* @first is the one that waits and would be picked; NULL: none. */
bool eevdf_preempts(const struct rq *rq, const struct task *task, const struct task *first);
/* Sets the next deadline when the last has come; true when it has. */
bool eevdf_renew(const struct rq *rq, struct task *task);
