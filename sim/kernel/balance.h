/*
 * Fair tasks that wait move to CPUs with less to do. Knows queue lengths, not frequencies.
 *
 * In the manner of kernel/sched/fair.c: a CPU about to idle pulls (newidle_balance()), a busy CPU
 * now and then pulls from a longer queue (load_balance()), and one with tasks that wait wakes an
 * idle CPU to pull (nohz_balancer_kick()).
 */
#pragma once

#include <stdint.h>

#include "sim/base/rng.h"

struct rq;
struct task;

/* Looks after which the share of those that found a task is taken anew. */
#define NEWIDLE_CALLS 1024

/* How often it has been worth it for a CPU about to idle to look for tasks; of NEWIDLE_CALLS. */
struct newidle {
	uint32_t calls, successes; /* of late */
	uint32_t ratio;            /* of the thousand before */
	struct rng rng;
};

/* What sd_init() begins with. */
#define NEWIDLE_RATIO 512

/* @ratio of NEWIDLE_CALLS looks have been worth it so far. */
void balance_init(struct newidle *newidle, uint32_t ratio);

/* The CPU has no fair task: takes the first that waits in the longest queue, of its own package if
 * it can. */
void balance_new_idle(struct rq *rq);
/* A fair task that waits, and has been taken out of @from's order, goes to @rq. */
void balance_move(struct rq *rq, struct rq *from, struct task *task);
/* At a tick of a busy CPU. */
void balance_tick(struct rq *rq);
