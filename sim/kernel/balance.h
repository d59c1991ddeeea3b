/*
 * Fair tasks that wait move to CPUs with less to do. Knows queue lengths, not frequencies.
 *
 * In the manner of kernel/sched/fair.c: a CPU about to idle pulls (newidle_balance()), a busy CPU
 * now and then pulls from a longer queue (load_balance()), and one with tasks that wait wakes an
 * idle CPU to pull (nohz_balancer_kick()).
 */
#pragma once

struct rq;

/* The CPU has no fair task: takes the first that waits in the longest queue, of its own package if
 * it can. */
void balance_new_idle(struct rq *rq);
/* At a tick of a busy CPU. */
void balance_tick(struct rq *rq);
