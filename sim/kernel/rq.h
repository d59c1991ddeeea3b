/*
 * Run queues: which task a CPU runs, when it is preempted, when load tracking hears of it. Knows
 * the classes of tasks and CPUs; knows no governor by name.
 *
 * What comes first: deadline and real-time tasks (rt.h), then fair ones (fair.h). The kernel thread
 * with deferred cpufreq work (worker.h) takes its place among them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/engine.h"
#include "sim/kernel/balance.h"
#include "sim/kernel/idle.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/perf_counters.h"
#include "sim/kernel/rq_pelt.h"
#include "sim/kernel/uclamp.h"

/* What ran on a CPU before; the task may have ended since. */
struct last_run {
	const struct task *task;
	bool ran; /* a task, not idle */
	enum task_class class;
	bool governor_thread;
	uint32_t uclamp_min;
};

struct rq {
	struct kernel *kernel;
	struct cpu *cpu;
	struct task *curr;  /* on the CPU */
	int64_t charged_ns; /* curr is charged up to here */
	bool preempt;       /* curr has to give way */
	bool need_resched;
	bool postponed; /* a decision was due while the CPU was frozen */
	struct rq *resched_next;

	struct task *heap;      /* fair tasks that wait */
	int nr_waiting;         /* in the heap */
	int nr_delayed;         /* in the heap, too, but asleep (fair_delays()) */
	int64_t waiting_weight; /* of all in the heap */
	int64_t min_vruntime_ns;
	int64_t waiting_vruntime; /* of these, from min_vruntime_ns on, by weight (eevdf.h) */

	struct task *urgent; /* deadline and real-time tasks that wait, most urgent first */
	int nr_urgent;
	int nr_rt;          /* real-time tasks, running or waiting */
	int64_t rt_used_ns; /* by real-time tasks in this period */
	int64_t rt_period_ends_ns;
	bool rt_throttled;     /* they have had their share of it */
	struct timer rt_timer; /* the end of the period */
	uint64_t dl_bw;        /* reserved by deadline tasks, with DL_BW_SHIFT fraction bits */

	uint64_t pressure; /* capacity that the firmware has said is lost to temperature */

	struct uclamp_rq uclamp; /* of the tasks here; kept when some task has asked for one */

	struct policy *work_first, *work_last; /* queued deferred work */
	struct policy *working;                /* being done */
	struct task worker;                    /* the kernel thread that does it */
	struct timer work_end;

	struct last_run last; /* kept where the patch needs it (hook_switch()) */
	enum hook_site site;  /* where load tracking is called from now */
	int64_t hook_debt_ns; /* cost of this event's calls of the governor */
	struct rq *debtor_next;

	struct timer tick;
	struct rng tick_rng; /* how late its interrupt is, where tick_latency says so */
	int64_t balance_next_ns;
	struct newidle newidle;
	struct rq_pelt pelt;
	int64_t pelt_ns;               /* its clocks have advanced up to here */
	struct perf_counters counters; /* at the last tick, for invariance */
	struct idle_loop idling;
	uint64_t idle_calls; /* times the tick was stopped on entering idle */

	int nr_iowait; /* tasks that slept here waiting for I/O */
	bool idle;     /* as cputime sees it */
	int64_t idle_from_ns;
	int64_t idle_ns, iowait_ns, nice_ns; /* finished stretches */
};

void rq_init(struct rq *rq, struct kernel *kernel, struct cpu *cpu);

/* Why a task comes to a queue. */
enum enqueue_reason {
	ENQUEUE_FORK, /* new: it starts behind its peers */
	ENQUEUE_WAKE,
	ENQUEUE_IO, /* it waited for a device */
};

/* Puts a runnable task on the queue. */
void rq_enqueue(struct rq *rq, struct task *task, enum enqueue_reason reason);
/* Something that waits here may take the CPU from what runs. */
void rq_check_preempt(struct rq *rq, const struct task *task);
/* Asks for a scheduling decision after the current event. */
void rq_resched(struct rq *rq);
/* Charges the running task's CPU time up to now. */
void rq_charge(struct rq *rq);
/* curr no longer wants the CPU: it sleeps, or it ends or will wake on another CPU and @leaves. */
void rq_block(struct rq *rq, bool leaves);
/* What comes first of the urgent tasks that wait; NULL: none may run. */
static inline struct task *rq_urgent(const struct rq *rq)
{
	struct task *first = rq->urgent;

	return first && rq->rt_throttled && first->class != TASK_DEADLINE ? NULL : first;
}
static inline bool rq_is_online(const struct rq *rq)
{
	return cpumask_test(&rq->kernel->online, rq->cpu->id);
}
/* Nothing runs, waits or is about to run here. */
static inline bool rq_is_idle(const struct rq *rq)
{
	return !rq->curr && !rq->heap && !rq_urgent(rq) && !rq->working && !rq->work_first;
}
/* Keeps the sets of idle CPUs; follows every change of what rq_is_idle() looks at. */
void rq_note_idle(struct rq *rq);
/* The CPU has gone offline, or has come back with nothing to do. */
void rq_leave_sets(struct rq *rq);
void rq_join_sets(struct rq *rq);
/* The CPU has something to do: its idle time ends. */
void rq_leave_idle(struct rq *rq);
/* Queues a policy's deferred work (worker.c). */
void rq_queue_work(struct rq *rq, struct policy *policy);

/* Brings load tracking's clocks to now; precedes every rq_pelt_*() event. Calls of the governor
 * that the event makes count for @site. */
void rq_pelt_advance(struct rq *rq, enum hook_site site);
/* The tick's share: charges curr, and takes the CPU from it when its turn is over. */
void rq_tick(struct rq *rq);
/* Counts the current idle stretch up to now as idle or iowait (cputime.c). */
void cputime_idle_passed(struct rq *rq);

/* The running task goes back to those that wait. */
void rq_put_curr(struct rq *rq);
/* With nothing left to run, the CPU turns to its idle task. */
void rq_go_idle(struct rq *rq);

/* Takes every pending scheduling decision; called after each event. */
void kernel_settle(void *kernel);
