/*
 * The idle loop of a CPU: asks the idle governor, keeps or stops the tick, and takes the exit
 * latency before anything runs. Knows run queues; the choice is cpuidle.h's.
 */
#pragma once

#include <stdbool.h>

#include "sim/engine/engine.h"
#include "sim/kernel/cpuidle.h"

struct rq;
struct task;

struct idle_loop {
	struct cpuidle cpuidle;
	struct task *timers; /* tasks that sleep here until a timer of this CPU wakes them */
	bool tick_stopped;   /* by the governor, in this idle period */
	int64_t since_ns;    /* nothing else has run */
	int64_t standin;     /* pid of a SCHED_IDLE task that spins instead of idling; 0: none */
	bool by_other;       /* the wake-up came from another CPU */
	bool by_fork;        /* what came is a new task */
	bool waking;         /* something is to run; the state is being left */
	bool awake;          /* it has been left */
	struct timer exit;
};

void idle_init(struct rq *rq);
/* The CPU has nothing to run. */
void idle_enter(struct rq *rq);
/* Something is to run: true when it may, false while the idle state is being left. */
bool idle_exit(struct rq *rq);
/* Something runs: the idle period is over. */
void idle_leave(struct rq *rq);
/* The tick goes on while the CPU idles, and what it does then. */
bool idle_keeps_tick(const struct rq *rq);
void idle_tick(struct rq *rq);

/* The CPU goes offline: it stays in its deepest state, and its timers go to another. */
void idle_park(struct rq *rq);
void idle_timers_move(struct rq *from, struct rq *to);

/* A task sleeps by a timer of this CPU, and has been woken. */
void idle_timer_add(struct rq *rq, struct task *task);
void idle_timer_del(struct task *task);
