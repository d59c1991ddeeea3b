/*
 * periodic: tasks that do a fixed packet of work every period, like rt-app's run + timer or a
 * video player. A packet that is not done when the next is due makes the next one late, not lost.
 * Ends when every task has done its `loops`.
 */
#include "sim/base/units.h"
#include "sim/workload.h"

struct periodic_params {
	int64_t tasks, period_ns, run_ns, jitter_ppm, loops, memory_share_ppm;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct periodic_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(tasks, "tasks", UNIT_NONE, 1, 1000000, 1, "tasks, their periods spread evenly"),
	ROW(period_ns, "period", UNIT_NS, 1000, 3600 * NSEC_PER_SEC, 100000000, "timer period"),
	ROW(run_ns, "run", UNIT_NS, 1, 3600 * NSEC_PER_SEC, 20000000,
		"work of a packet, at the reference clock"),
	ROW(jitter_ppm, "jitter", UNIT_PPM, 0, PPM, 0, "Gaussian sigma of the work"),
	ROW(loops, "loops", UNIT_NONE, 1, INT64_C(1000000000), 100, "packets per task"),
	ROW(memory_share_ppm, "memory_share", UNIT_PPM, 0, PPM, 0,
		"share of the work that waits for memory and not for the clock"),
	PARAM_END,
};

struct periodic_task {
	int64_t phase_ns, done;
	bool due;
};

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct periodic_params *p = ctx->params;
	struct periodic_task *t = task->priv;
	int64_t run_ns = p->run_ns;

	if (!t->due) {
		if (t->done == p->loops) {
			step->kind = STEP_EXIT;
			return;
		}
		step->kind = STEP_UNTIL;
		step->ns = t->phase_ns + t->done * p->period_ns;
		t->due = true;
		return;
	}
	if (p->jitter_ppm)
		run_ns = rng_jitter_ns(&task->rng, run_ns, (double)p->jitter_ppm / (double)PPM);
	step->kind = STEP_RUN;
	step->work = run_ns * ctx->reference_khz;
	step->mem_ppm = (uint32_t)p->memory_share_ppm;
	t->due = false;
	t->done++;
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct periodic_params *p = ctx->params;

	if (p->period_ns > INT64_MAX / 4 / p->loops)
		return error_set(err, ERROR_SCENARIO, "periodic: %lld loops of %lld ns do not fit "
			"in the clock", (long long)p->loops, (long long)p->period_ns);
	task_pool(ctx, (size_t)p->tasks);
	for (int64_t i = 0; i < p->tasks; i++) {
		struct task *task = task_take(ctx);
		struct periodic_task *t = task->priv;

		task->name = "periodic";
		task->leading = true;
		t->phase_ns = p->period_ns / p->tasks * i;
		rng_set(&task->rng, ctx->seed, (uint64_t)i + 1);
		task_start(ctx, task, (int)(i % ctx->nr_cpus));
	}
	return 0;
}

const struct workload workload_periodic = {
	.name = "periodic",
	.summary = "fixed packets of work at a fixed period",
	.params = params,
	.params_size = sizeof(struct periodic_params),
	.task_size = sizeof(struct periodic_task),
	.build = build,
	.next = next,
};
