/*
 * idle: nothing to do but daemons, if any. For testing the host, and for what a governor does on a
 * machine at rest. Runs for `run.duration`.
 *
 * A daemon sleeps `pause`, then has an episode of `wakes` wake-ups, `gap` apart, each with a burst
 * of lognormal length, on a random CPU.
 */
#include <math.h>

#include "sim/base/units.h"
#include "sim/workload.h"

struct idle_params {
	int64_t daemons, wakes, gap_ns, pause_ns, burst_median_ns, burst_sigma_ppm;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct idle_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(daemons, "daemons", UNIT_NONE, 0, 1000000, 0, "background daemons"),
	ROW(wakes, "wakes", UNIT_NONE, 1, 1000000, 10, "wake-ups of an episode"),
	ROW(gap_ns, "gap", UNIT_NS, 1, 3600 * NSEC_PER_SEC, 60000000,
		"mean time between its wake-ups, exponential"),
	ROW(pause_ns, "pause", UNIT_NS, 1, 3600 * NSEC_PER_SEC, 5 * NSEC_PER_SEC,
		"mean time between episodes, exponential"),
	ROW(burst_median_ns, "burst_median", UNIT_NS, 1, 3600 * NSEC_PER_SEC, 300000,
		"median work of a wake-up, at the reference clock"),
	ROW(burst_sigma_ppm, "burst_sigma", UNIT_PPM, 0, 5 * PPM, 1500000, "its lognormal sigma"),
	PARAM_END,
};

struct daemon {
	int64_t wakes_left;
	bool awake;
};

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct idle_params *p = ctx->params;
	struct daemon *d = task->priv;

	if (d->awake) {
		double sigma = (double)p->burst_sigma_ppm / (double)PPM;
		/* A lognormal with this median has this mean. */
		double mean = (double)p->burst_median_ns * exp(sigma * sigma / 2.0);

		step->kind = STEP_RUN;
		step->work = rng_lognormal_ns(&task->rng, (int64_t)mean, sigma) *
			ctx->reference_khz;
		step->sys_ppm = PPM;
		d->awake = false;
		return;
	}
	step->kind = STEP_SLEEP;
	if (d->wakes_left > 0) {
		step->ns = rng_exponential_ns(&task->rng, p->gap_ns);
	} else {
		step->ns = rng_exponential_ns(&task->rng, p->pause_ns);
		step->move_cpu = (int)rng_below(&task->rng, (uint32_t)ctx->nr_cpus);
		d->wakes_left = p->wakes;
	}
	d->wakes_left--;
	d->awake = true;
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct idle_params *p = ctx->params;

	(void)err;
	task_pool(ctx, (size_t)p->daemons);
	for (int64_t i = 0; i < p->daemons; i++) {
		struct task *task = task_take(ctx);

		task->name = "daemon";
		rng_set(&task->rng, ctx->seed, (uint64_t)i + 1);
		task_start(ctx, task, (int)rng_below(&task->rng, (uint32_t)ctx->nr_cpus));
	}
	return 0;
}

const struct workload workload_idle = {
	.name = "idle",
	.summary = "a machine at rest, with daemons or without",
	.params = params,
	.params_size = sizeof(struct idle_params),
	.task_size = sizeof(struct daemon),
	.build = build,
	.next = next,
};
