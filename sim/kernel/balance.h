/*
 * Fair tasks that wait move to CPUs with less to do. Knows queue lengths, not frequencies.
 *
 * In the manner of kernel/sched/fair.c: a CPU about to idle pulls (newidle_balance()), a busy CPU
 * now and then pulls from a longer queue (load_balance()), and one with tasks that wait wakes an
 * idle CPU to pull (nohz_balancer_kick()).
 */
#pragma once

struct rq;
struct task;

/* The CPU has no fair task: takes the first that waits in the longest queue, of its own package if
 * it can. */
void balance_new_idle(struct rq *rq);
/* A fair task that waits, and has been taken out of @from's order, goes to @rq. */
void balance_move(struct rq *rq, struct rq *from, struct task *task);
/* At a tick of a busy CPU. */
void balance_tick(struct rq *rq);
