/*
 * Steps in few words, for workloads whose tasks are long lists of them. Knows steps, no workload.
 */
#pragma once

#include "sim/base/units.h"
#include "sim/workload.h"

/* The most work of one RUN step, with room to add to it: 12 minutes at 3 GHz. */
#define WORK_MAX (INT64_MAX / 4)
#define CYCLES_MAX (WORK_MAX / WORK_PER_CYCLE)

/* Cycles of a CPU of the best kind; @sys_ppm of them in the kernel. */
static inline void step_cycles(struct step *step, int64_t cycles, int64_t sys_ppm)
{
	step->kind = STEP_RUN;
	step->work = min_i64(cycles, CYCLES_MAX) * WORK_PER_CYCLE;
	step->sys_ppm = (uint32_t)sys_ppm;
}

/* What the machine's reference clock does in @ns. */
static inline void step_reference_ns(
	const struct workload_ctx *ctx, struct step *step, int64_t ns, int64_t sys_ppm)
{
	step->kind = STEP_RUN;
	step->work = min_i64(ns, WORK_MAX / ctx->reference_khz) * ctx->reference_khz;
	step->sys_ppm = (uint32_t)sys_ppm;
}

static inline void step_post(struct step *step, struct channel *channel)
{
	step->kind = STEP_POST;
	step->channel = channel;
}

/* The same by a task that is about to wait itself: a pipe or socket wakes its other end so. */
static inline void step_post_sync(struct step *step, struct channel *channel)
{
	step_post(step, channel);
	step->wake = WAKE_SYNC;
}

/* The same by a task that ends: its parent hears of it (__wake_up_parent()). */
static inline void step_post_exiting(struct step *step, struct channel *channel)
{
	step_post(step, channel);
	step->wake = WAKE_EXITING;
}

static inline void step_wait(struct step *step, struct channel *channel)
{
	step->kind = STEP_WAIT;
	step->channel = channel;
}

static inline void step_spawn(struct step *step, struct task *child)
{
	step->kind = STEP_SPAWN;
	step->child = child;
}

static inline void step_sleep(struct step *step, int64_t ns)
{
	step->kind = STEP_SLEEP;
	step->ns = ns;
}

static inline void step_io(struct step *step, int64_t ns)
{
	step->kind = STEP_IO;
	step->ns = ns;
}

static inline void step_until(struct step *step, int64_t ns)
{
	step->kind = STEP_UNTIL;
	step->ns = ns;
}

static inline void step_stamp(struct step *step, int64_t *stamp_ns)
{
	step->kind = STEP_STAMP;
	step->stamp_ns = stamp_ns;
}

static inline void step_exit(struct step *step)
{
	step->kind = STEP_EXIT;
}

/* A task by role: name and stream; the state NEW, its private part zeroed. */
static inline struct task *step_task(struct workload_ctx *ctx, const char *name, uint64_t stream)
{
	struct task *task = task_take(ctx);

	task->name = name;
	rng_set(&task->rng, ctx->seed, stream);
	return task;
}

/* A leading task that waits for nobody's start. */
static inline void step_lead(struct workload_ctx *ctx, struct task *task, int cpu)
{
	task->leading = true;
	task_start(ctx, task, cpu);
}

/* Operations and their rate in @ns; returns how many measures that makes. */
static inline int measure_rate(
	struct measure *out, const char *what, const char *per_second, double ops, int64_t ns)
{
	out[0] = (struct measure){ what, "", ops };
	out[1] = (struct measure){ per_second, "1/s",
		ns > 0 ? ops * (double)NSEC_PER_SEC / (double)ns : 0 };
	return 2;
}
