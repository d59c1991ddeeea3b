/*
 * stress-ng: workers that compute, with --cpu-load only part of the time. Such a worker looks at
 * the clock after each operation: it works for a slice of time and then sleeps as long as the load
 * asks for, so that a faster clock means more operations and not less work. Ends after `timeout`.
 */
#include "workloads/steps.h"

struct stress_params {
	int64_t workers, load_pct, slice_ns, timeout_ns, cycles, memory_share_ppm;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct stress_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(workers, "cpu", UNIT_NONE, 1, 1000000, 1, "--cpu: workers"),
	ROW(load_pct, "cpu_load", UNIT_PCT, 1, 100, 100, "--cpu-load: share of the time at work"),
	ROW(slice_ns, "slice", UNIT_NS, 1000, 3600 * NSEC_PER_SEC, 40000000,
		"at work between two sleeps; the operation under way is finished"),
	ROW(timeout_ns, "timeout", UNIT_NS, NSEC_PER_MSEC, 3600 * NSEC_PER_SEC, 10 * NSEC_PER_SEC,
		"--timeout: for how long"),
	ROW(cycles, "cycles", UNIT_NONE, 1000, INT64_C(1000000000), 1700000,
		"cycles of a bogo operation"),
	ROW(memory_share_ppm, "memory_share", UNIT_PPM, 0, PPM, 0,
		"share of the work that waits for memory and not for the clock"),
	PARAM_END,
};

struct stress_state {
	bool over;
	int64_t operations;
};

struct stress_task {
	bool alarm;
	int stage;
	int64_t begun_ns, now_ns; /* of the slice */
};

static void next_alarm(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct stress_params *p = ctx->params;
	struct stress_state *s = ctx->state;
	struct stress_task *t = task->priv;

	if (t->stage++ == 0) {
		step_until(step, p->timeout_ns);
		return;
	}
	s->over = true;
	step_exit(step);
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct stress_params *p = ctx->params;
	struct stress_state *s = ctx->state;
	struct stress_task *t = task->priv;
	enum { BEGIN, WORK, LOOK, DECIDE };

	if (t->alarm) {
		next_alarm(ctx, task, step);
		return;
	}
	switch (t->stage++) {
	case BEGIN:
		step_stamp(step, &t->begun_ns);
		return;
	case WORK:
		step_cycles(step, p->cycles, 0);
		step->mem_ppm = (uint32_t)p->memory_share_ppm;
		return;
	case LOOK:
		s->operations++;
		step_stamp(step, &t->now_ns);
		return;
	default:
		t->stage = WORK;
		step_cycles(step, 0, 0);
		if (s->over) {
			step_exit(step);
		} else if (p->load_pct < 100 && t->now_ns - t->begun_ns >= p->slice_ns) {
			step_sleep(step,
				(t->now_ns - t->begun_ns) * (100 - p->load_pct) / p->load_pct);
			t->stage = BEGIN;
		}
	}
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct stress_params *p = ctx->params;

	(void)err;
	task_pool(ctx, (size_t)p->workers + 1);
	struct task *alarm = step_task(ctx, "stress-ng", 0);
	((struct stress_task *)alarm->priv)->alarm = true;
	task_start(ctx, alarm, 0);
	for (int64_t i = 0; i < p->workers; i++)
		step_lead(ctx, step_task(ctx, "stress-ng-cpu", (uint64_t)i + 1),
			(int)(i % ctx->nr_cpus));
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct stress_state *s = ctx->state;

	return measure_rate(out, "bogo operations", "bogo operations per second",
		(double)s->operations, elapsed_ns);
}

const struct workload workload_stress_ng = {
	.name = "stress-ng",
	.summary = "workers that compute all or part of the time",
	.params = params,
	.params_size = sizeof(struct stress_params),
	.state_size = sizeof(struct stress_state),
	.task_size = sizeof(struct stress_task),
	.build = build,
	.next = next,
	.measure = measure,
};
