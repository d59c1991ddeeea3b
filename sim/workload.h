/*
 * CONTRACT: what a workload is. It answers: what work arrives, and what does it wait for?
 *
 * A workload is a const struct that says the next step of a task whenever the last is finished. It
 * never looks at a frequency. Time it learns by a STAMP step alone, to measure by; it decides by
 * one only where the program it stands for does. build() makes the first tasks; next() may take
 * further ones from the pool it declared.
 */
#pragma once

#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/base/param.h"
#include "sim/base/rng.h"
#include "sim/kernel/task.h"

enum step_kind {
	STEP_RUN,   /* work kHz x ns at mem_ppm, after fixed_ns of frequency-independent CPU time */
	STEP_SLEEP, /* ns from now; a timer */
	STEP_UNTIL, /* until ns after the start of the workload; the past does not wait */
	STEP_IO,    /* ns from now; the task counts as iowait */
	STEP_SPAWN, /* child starts; the task goes on */
	STEP_WAIT,  /* until channel has a token, and takes it */
	STEP_POST,  /* puts a token into channel, or wakes its first waiter */
	STEP_STAMP, /* writes the time since that start into *stamp_ns: for what is measured */
	STEP_EXIT,  /* the task ends and goes back to the pool */
};

struct step {
	enum step_kind kind;
	int64_t work;     /* RUN */
	int64_t fixed_ns; /* RUN */
	int64_t ns;       /* SLEEP, UNTIL, IO */
	uint32_t mem_ppm; /* RUN: share of the work bound by memory, not by the clock */
	uint32_t sys_ppm; /* RUN: share that counts as sys, the rest as user */
	int move_cpu;     /* SLEEP, UNTIL: wake on this CPU instead; -1 = no */
	struct channel *channel;
	enum wake_kind wake; /* POST: what the waiter is woken with */
	int64_t *stamp_ns;   /* STAMP */
	struct task *child;
};

/* A figure as the workload's own users read it: 39499.2 ops/s. */
struct measure {
	const char *name, *unit;
	double value;
};

#define MEASURES_MAX 8

/* Time that a recorded CPU was busy at one clock. */
struct recorded_clock {
	int cpu;
	int64_t khz, ns; /* khz 0: not known */
};

struct workload;

struct workload_ctx {
	const struct workload *workload;
	struct arena *arena;
	struct kernel *kernel;
	struct task *pool;              /* free tasks */
	const struct cpumask *cpuset;   /* that all its tasks are confined to; NULL: none */
	const struct cpumask *affinity; /* the last task_set_cpus() of its tasks, */
	struct cpumask *confined;       /* and what of that is in the cpuset */
	bool beside; /* another workload leads: this one neither ends the run nor is charged */
	const void *params;
	void *state; /* state_size bytes, zeroed */
	size_t task_size;
	int64_t start_ns; /* when its first tasks start: what UNTIL and STAMP count from */
	uint64_t seed;    /* of the run */
	unsigned version; /* of the kernel, as KVER() */
	int nr_cpus;
	int64_t reference_khz; /* works given as time are at this clock */
	int64_t tick_ns;
	const char *scenario_dir; /* where relative file names are looked for; may be NULL */
};

struct workload {
	const char *name;
	const char *summary;
	const struct param *params;
	size_t params_size, state_size, task_size;

	/* Checks the parameters; makes pools, channels and the first tasks (task_start()). */
	int (*build)(struct workload_ctx *ctx, struct error *err);
	/* The next step of @task. @step comes zeroed with move_cpu = -1. */
	void (*next)(struct workload_ctx *ctx, struct task *task, struct step *step);
	/* What a finished run has measured, into @out[MEASURES_MAX]; returns how many. The first is
	 * operations done, the second operations per second. NULL: nothing. */
	int (*measure)(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out);
	/* Extra "name: value" lines for `show`, once built (what was read, what is assumed); may be
	 * NULL. */
	void (*describe)(const struct workload_ctx *ctx,
		void (*line)(void *arg, const char *name, const char *value), void *arg);
	/* For commands that bring in recordings, and put a run beside one; each may be NULL. Writes
	 * a built workload in a form that its own "file" reads. */
	void (*save)(const struct workload_ctx *ctx, FILE *out);
	/* Reads the input that @params name once, without building, and says what it holds. */
	int (*survey)(struct arena *arena, const void *params,
		void (*line)(void *arg, const char *name, const char *value), void *arg,
		struct error *err);
	/* The recording's own figures, named as metrics, into @out[MEASURES_MAX]; how many. */
	int (*recorded)(const struct workload_ctx *ctx, struct measure *out);
	/* Busy time of its CPUs at each clock, by CPU and clock; how many. */
	size_t (*clocks)(const struct workload_ctx *ctx, const struct recorded_clock **out);
};

/* build() of a workload that was recorded: how long wake-ups of idle CPUs took, by an interrupt
 * there and by another CPU. Holds where the scenario says nothing of it. */
void kernel_measured_wakeups(struct kernel *kernel, int64_t local_ns, int64_t remote_ns);
/* The same: the run begins at time @at_ns of the recording's clock. Since 6.4 ticks are where
 * CLOCK_MONOTONIC is a multiple of their period (tick_setup_device()). */
void kernel_recorded_start(struct kernel *kernel, int64_t at_ns);
/* The same: a CPU that ran out of work while tasks waited on another took one in @pulls of @looks
 * times. Matters where the kernel looks as often as that has helped (balance.h). */
void kernel_measured_newidle(struct kernel *kernel, int64_t looks, int64_t pulls);
/* The same: a SCHED_IDLE task spins on @cpu whenever nothing else runs there. It costs no energy
 * and has no utilisation; but to new tasks the CPU is busy, they wait for its tick when they are
 * put there all the same, and it looks for work elsewhere only when another CPU says so. */
void kernel_idle_standin(struct kernel *kernel, int cpu);
