/*
 * Linux as this run has it: run queues, tasks, policies, and the rules its version gives. The hub
 * that the files of this room share; knows no plug-in by name.
 */
#pragma once

#include "sim/base/log_histogram.h"
#include "sim/base/rng.h"
#include "sim/base/units.h"
#include "sim/engine/engine.h"
#include "sim/hw/machine.h"
#include "sim/kernel/cpufreq.h"
#include "sim/kernel/cpumask.h"
#include "sim/kernel/decision.h"
#include "sim/kernel/hook.h"
#include "sim/kernel/kernel_spec.h"
#include "sim/kernel/task.h"
#include "sim/kernel/tracepoint.h"

struct em_domain;
struct fair_rules;
struct rq;
struct step;
struct util_input;
struct workload_ctx;

/* How long the machine has been up when the run starts. */
#define KERNEL_UPTIME_NS (1000 * NSEC_PER_SEC)

#define WAITING_LEVELS 8

struct kernel {
	const struct kernel_spec *spec;
	const struct fair_rules *fair;
	struct engine *engine;
	struct machine *machine;
	struct rq *rqs; /* one per CPU */
	struct policy *policies;
	int nr_policies;
	struct policy **policy_of_cpu;
	int64_t tick_ns;
	int64_t tick_phase_ns; /* that the last tick was before time 0 */
	struct rq *executing;  /* whose CPU works on another queue; NULL: each on its own */
	struct cpumask online; /* CPU 0 always is */
	int nr_online;
	int *nr_online_in;         /* per package */
	struct cpumask idle;       /* CPUs with nothing to do */
	struct cpumask idle_cores; /* of these, the ones whose siblings idle too */
	int *core_idle;            /* idle CPUs per core */
	/* CPUs by how many fair tasks wait there: 1, 2, ..., from WAITING_LEVELS on together. */
	struct cpumask waiting[WAITING_LEVELS];
	int nr_at_level[WAITING_LEVELS];
	struct cpumask blocked;  /* idle ones whose load may have to be brought up to date */
	int *nr_idle;            /* idle CPUs per package */
	bool uclamp_used;        /* some task has asked for a clamp */
	bool asymmetric;         /* CPUs differ in capacity */
	struct em_domain *em;    /* per policy; NULL: placement does not ask for energy */
	int64_t blocked_next_ns; /* when a tick next refreshes the idle CPUs' load */
	int64_t idle_wake_ns[2]; /* from wake-up to running on an idle CPU: by itself, by another */
	int standins;            /* CPUs on which a task spins instead of idling */
	bool booting;            /* before time 0: requests hold at once and cost nothing */
	int64_t boot_ns;         /* the drivers' clock while booting, below 0 */
	struct decisions decisions;
	struct tracepoints trace;
	struct hooks hooks;

	struct task_block *blocks;
	uint64_t work_given;   /* to tasks, in kHz x ns, modulo 2^64 */
	struct task *at_start; /* tasks that start with the run, newest first */
	int64_t leading;       /* leading tasks alive; the run ends at 0 */
	struct rq *resched;    /* run queues to schedule after this event, in order of request */
	struct rq *resched_last;
	int64_t nr_waiting; /* fair tasks that could run and do not */
	int nr_urgent;      /* the same of deadline and real-time tasks */

	int64_t user_ns, sys_ns;           /* of charged tasks that have exited or run */
	int64_t gone_user_ns, gone_sys_ns; /* as the kernel splits it, of those that have exited */
	int64_t worker_ns;                 /* of the threads that do governors' deferred work */
	int64_t switches, wakeups, forks, migrations, ticks;
	uint64_t dl_reserved; /* by deadline tasks, with DL_BW_SHIFT fraction bits */
	int64_t unbound;      /* tasks whose CPUs were all offline, and that may now run anywhere */
	/* Of charged tasks: ns from a wake-up or a fork to the first time on a CPU. */
	struct log_histogram wakeup_latency;
};

/* Run queues and ticks for a machine that is built; policies follow (cpufreq.h). */
void kernel_build(struct kernel *kernel, const struct kernel_spec *spec, struct machine *machine,
	struct engine *engine, struct arena *arena);

/* What schedutil reads of a CPU: its utilisation as load tracking has it. */
void kernel_util_read(const struct kernel *kernel, int cpu, struct util_input *in);
/* The policy's frequency is now @khz, as cpufreq believes: scales load tracking with it where
 * kernel.invariance is cpufreq. */
void kernel_freq_changed(struct kernel *kernel, int cpu, int64_t khz, int64_t max_khz);
/* How fast load tracking believes the CPU to be, 0..1024. Follows arch_scale_freq_capacity(). */
uint64_t kernel_freq_scale(const struct kernel *kernel, int cpu);
