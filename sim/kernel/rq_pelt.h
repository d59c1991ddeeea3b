/*
 * Load tracking of one run queue: its clocks, the signals of its classes and of its fair tasks, and
 * what each scheduler event does to them, in the kernel's order. Knows when the governor is to be
 * called, not what it decides. Times in ns, averages as in pelt.h.
 *
 * Follows kernel/sched/fair.c, rt.c and pelt.c. The caller tells it every event; an event is
 * preceded by rq_pelt_clock().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/kernel/pelt.h"
#include "sim/kernel/rq_clock.h"
#include "sim/kernel/util.h"
#include "sim/kernel/util_est.h"

enum pelt_form {
	PELT_FORM_4_8,
	PELT_FORM_4_12,
	PELT_FORM_CLOCK, /* since 5.1 the clock is scaled, not the sums */
};

/* What differs between versions; one row a range. */
struct pelt_rules {
	unsigned first_version; /* KVER() */
	enum pelt_form form;
	enum util_est_form util_est;
	bool new_at_enqueue;    /* a new task is attached when it is enqueued, not before */
	bool new_scaled_weight; /* its share is computed with the scaled-down weight */
	bool sync_on_idle;      /* the PELT clock catches up on entering idle */
	bool util_est_first;    /* a sleeping task's estimate is made before its last update */
};

const struct pelt_rules *pelt_rules(unsigned version);

struct task_pelt {
	struct pelt sig;
	struct util_est util_est;
	uint64_t weight; /* 1048576 = nice 0 */
	bool queued;
	bool delayed; /* queued still, but asleep */
};

enum rq_class { RQ_IDLE, RQ_FAIR, RQ_RT, RQ_DL };

struct cfs_pelt {
	struct pelt sig;
	uint64_t weight; /* of the queued tasks */
	uint64_t nr_queued, nr_delayed;
	uint64_t util_est;
	struct task_pelt *curr; /* NULL between two tasks, too */
	struct {
		uint64_t nr, load_avg, runnable_avg, util_avg;
	} removed; /* tasks that slept here and woke elsewhere */
};

struct rq_pelt {
	const struct pelt_rules *rules;
	struct rq_clock clock;
	struct rq_scale scale;
	enum rq_class running;
	struct cfs_pelt cfs;
	struct pelt rt, dl, irq;
	bool decayed;   /* a task's update ended a period; whoever asks for it clears it */
	bool attaching; /* a call now comes from a task's load being added or taken off */
	void (*cpufreq)(void *ctx, unsigned flags); /* calls the governor: enum hook_flags */
	void *ctx;
};

/* Advances the clocks by @delta_ns; @irq_time_ns is all that interrupts have ever taken. Follows
 * update_rq_clock_task(). */
void rq_pelt_clock(struct rq_pelt *rq, uint64_t delta_ns, uint64_t irq_time_ns);

/* A new task of @weight, zeroed. Follows init_entity_runnable_average(). */
void task_pelt_init(struct task_pelt *task, uint64_t weight);
/* Its first utilisation, half of what the CPU has to spare. Follows post_init_entity_util_avg(). */
void task_pelt_set_new_util(const struct pelt_rules *rules, const struct cfs_pelt *cfs,
	uint64_t cpu_scale, struct task_pelt *task);

/* A task is forked onto, wakes up on, or sleeps away from the run queue. */
void rq_pelt_fork(struct rq_pelt *rq, struct task_pelt *task);
void rq_pelt_wake(struct rq_pelt *rq, struct task_pelt *task, bool iowait);
void rq_pelt_sleep(struct rq_pelt *rq, struct task_pelt *task);
/* A task sleeps and stays on the queue (6.12); it leaves after all, or has woken before. Follows
 * set_delayed(), finish_delayed_dequeue_entity() and requeue_delayed_entity(). */
void rq_pelt_delay(struct rq_pelt *rq, struct task_pelt *task);
void rq_pelt_delay_ends(struct rq_pelt *rq, struct task_pelt *task);
void rq_pelt_requeue(struct rq_pelt *rq, struct task_pelt *task);
/* A sleeping task is about to wake on another run queue: it leaves with its blocked load. */
void rq_pelt_remove(struct rq_pelt *rq, struct task_pelt *task);
/* A queued task that does not run leaves for, or comes from, another run queue. */
void rq_pelt_leave(struct rq_pelt *rq, struct task_pelt *task);
void rq_pelt_join(struct rq_pelt *rq, struct task_pelt *task);

/* The CPU changes over to @task, to a real-time or deadline task, or to idle. */
void rq_pelt_switch(struct rq_pelt *rq, struct task_pelt *task);
void rq_pelt_switch_rt(struct rq_pelt *rq);
void rq_pelt_switch_dl(struct rq_pelt *rq);
void rq_pelt_switch_idle(struct rq_pelt *rq);
/* To a fair task whose load nobody tracks. */
void rq_pelt_switch_unseen(struct rq_pelt *rq);
/* The tick, in whatever runs. */
void rq_pelt_tick(struct rq_pelt *rq);
/* The balancer's update of what sleeping tasks left behind. Follows update_blocked_averages(). */
void rq_pelt_blocked(struct rq_pelt *rq);

/* What a governor's callback finds: all of @in but clamps, reservations and idle calls, which are 0
 * here. */
void rq_pelt_read(const struct rq_pelt *rq, struct util_input *in);
