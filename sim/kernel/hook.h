/*
 * The scheduler's calls to the governor: counted by the place in the scheduler they come from and
 * by what became of them, and what they cost. Knows no governor by name and no rule of one. ns.
 *
 * A governor says nothing about its callback's outcome; it is seen from outside. A callback that
 * asked for a frequency or queued its work made a change. Otherwise a rule of the governor decided
 * (decision.h): too early is counted apart. One that left no trace at all had its sampling period
 * not over yet.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"

struct rq;
struct task;

enum hook_site {
	HOOK_SITE_ENQUEUE, /* fair load changed while a task was put on a queue */
	HOOK_SITE_DEQUEUE, /* ... or taken off it */
	HOOK_SITE_SWITCH,  /* ... or while one task followed another on the CPU */
	HOOK_SITE_TICK,
	HOOK_SITE_ATTACH, /* a task brought its load to a queue, or took it away */
	HOOK_SITE_IOWAIT, /* a task wakes that waited for I/O */
	HOOK_SITE_RT,
	HOOK_SITE_DL,
	HOOK_SITE_BLOCKED, /* the balancer's look at what sleeping tasks left behind */
	HOOK_SITE_PREEMPT, /* a task woke and did not preempt (patch "Consolidate ...") */
	HOOK_SITES
};

struct hook_count {
	int64_t calls;
	int64_t rate_limited; /* too early after the last one */
	int64_t dropped;      /* heard, and nothing asked for */
	int64_t changes;      /* a frequency was asked for, or work queued that will */
};

/* The lock of a policy that several CPUs share. */
struct hook_lock {
	int64_t free_ns; /* held until then */
	const struct rq *holder;
};

struct hooks {
	struct hook_count by_site[HOOK_SITES];
	struct hook_lock *locks; /* per policy */
	int64_t contended;       /* calls that found the lock taken */
	int64_t cost_ns;         /* CPU time of all calls, waiting included */
	struct rq *debtors;      /* CPUs that have not yet paid for theirs */
};

/* As columns and tables call it. */
const char *hook_site_name(enum hook_site site);
/* What is behind the name, in a line. */
const char *hook_site_meaning(enum hook_site site);

void hooks_build(struct hooks *hooks, int nr_policies, struct arena *arena);
/* What runs on @rq's CPU pays @ns of CPU time once the event is over. */
void hook_owe(struct rq *rq, int64_t ns);
/* Calls the governor of @rq's CPU on behalf of that CPU; @flags are enum hook_flags. */
void hook_call(struct rq *rq, enum hook_site site, unsigned flags);
/*
 * What happens in the scheduler, for the governor to hear of where the version says so. With the
 * patch "Consolidate cpufreq updates" (KERNEL_CONSOLIDATED) it hears at context switches and ticks
 * of what load tracking has noticed since; without it, of each at once.
 */
/* Load tracking saw a period end, a task attach or a task wake from I/O. */
void hook_pelt(struct rq *rq, unsigned flags);
/* A real-time task has come or gone, or (up to 4.17) had CPU time. */
void hook_rt(struct rq *rq, bool charged);
/* The bandwidth of deadline tasks has grown or shrunk, or (up to 4.17) one had CPU time. */
void hook_dl(struct rq *rq, bool charged, bool grown);
/* The CPU now runs @next; NULL: it idles. */
void hook_switch(struct rq *rq, const struct task *next);
void hook_tick(struct rq *rq);
/* A fair task woke behind the fair task that runs. */
void hook_no_preempt(struct rq *rq);

/* The calls of this event are paid for by the tasks that run now, however far in the future. */
void hooks_pay(struct hooks *hooks);
/* The sum over all sites. */
struct hook_count hooks_total(const struct hooks *hooks);
