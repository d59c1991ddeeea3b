/*
 * periodic: tasks that do a fixed packet of work every period, like rt-app's run + timer or a
 * video player. A packet that is not done when the next is due makes the next one late, not lost.
 * Ends when every task has done its `loops`.
 */
#include "sim/base/units.h"
#include "sim/workload.h"

struct periodic_params {
	int64_t tasks, period_ns, run_ns, jitter_ppm, loops, memory_share_ppm;
	int64_t class, priority, nice, runtime_ns, uclamp_min, uclamp_max, first_cpu, nr_cpus;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct periodic_params, field, name, unit, min, max, def, help)

static const char *const classes[] = {
	[TASK_FAIR] = "fair",
	[TASK_FIFO] = "fifo",
	[TASK_RR] = "rr",
	[TASK_DEADLINE] = "deadline",
	NULL,
};

static const struct param params[] = {
	ROW(tasks, "tasks", UNIT_NONE, 1, 1000000, 1, "tasks, their periods spread evenly"),
	ROW(period_ns, "period", UNIT_NS, 1000, 3600 * NSEC_PER_SEC, 100000000, "timer period"),
	ROW(run_ns, "run", UNIT_NS, 1, 3600 * NSEC_PER_SEC, 20000000,
		"work of a packet, at the reference clock"),
	ROW(jitter_ppm, "jitter", UNIT_PPM, 0, PPM, 0, "Gaussian sigma of the work"),
	ROW(loops, "loops", UNIT_NONE, 1, INT64_C(1000000000), 100, "packets per task"),
	ROW(memory_share_ppm, "memory_share", UNIT_PPM, 0, PPM, 0,
		"share of the work that waits for memory and not for the clock"),
	PARAM_CHOICE(struct periodic_params, class, "class", classes, TASK_FAIR,
		"of the tasks: how they are scheduled"),
	ROW(priority, "priority", UNIT_NONE, 1, 99, 1, "of fifo and rr tasks"),
	ROW(nice, "nice", UNIT_NONE, -20, 19, 0, "of fair tasks"),
	ROW(runtime_ns, "runtime", UNIT_NS, 1000, NSEC_PER_SEC, NSEC_PER_MSEC,
		"of deadline tasks: CPU time they may have in each period, which is their "
		"deadline"),
	ROW(uclamp_min, "uclamp_min", UNIT_NONE, 0, 1024, 0, "utilisation they count as at least"),
	ROW(uclamp_max, "uclamp_max", UNIT_NONE, 0, 1024, 1024, "and at most"),
	ROW(first_cpu, "first_cpu", UNIT_NONE, 0, 4095, 0,
		"first CPU that they may run on, with cpus"),
	ROW(nr_cpus, "cpus", UNIT_NONE, 0, 4096, 0, "CPUs from there on; 0: all of the machine"),
	PARAM_END,
};

struct periodic_state {
	struct cpumask allowed;
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

static int check(const struct workload_ctx *ctx, struct error *err)
{
	const struct periodic_params *p = ctx->params;

	if (p->period_ns > INT64_MAX / 4 / p->loops)
		return error_set(err, ERROR_SCENARIO,
			"periodic: %lld loops of %lld ns do not fit "
			"in the clock",
			(long long)p->loops, (long long)p->period_ns);
	if (p->class == TASK_DEADLINE &&
		(p->runtime_ns > p->period_ns || p->period_ns > NSEC_PER_SEC))
		return error_set(err, ERROR_SCENARIO,
			"periodic: a deadline task's runtime is at most its period, and that 1 s");
	if (p->uclamp_min > p->uclamp_max)
		return error_set(err, ERROR_SCENARIO, "periodic: uclamp_min is above uclamp_max");
	if (p->first_cpu + p->nr_cpus > ctx->nr_cpus || p->first_cpu >= ctx->nr_cpus)
		return error_set(err, ERROR_SCENARIO, "periodic: the machine has %d CPUs only",
			ctx->nr_cpus);
	return 0;
}

static void set_class(struct workload_ctx *ctx, struct task *task)
{
	const struct periodic_params *p = ctx->params;
	struct periodic_state *state = ctx->state;

	switch ((enum task_class)p->class) {
	case TASK_FAIR:
		task_set_nice(task, (int)p->nice);
		break;
	case TASK_FIFO:
	case TASK_RR:
		task_set_rt(task, (int)p->priority, p->class == TASK_RR);
		break;
	case TASK_DEADLINE:
		task_set_deadline(task, p->runtime_ns, p->period_ns);
		break;
	}
	if (p->uclamp_min > 0 || p->uclamp_max < 1024)
		task_set_uclamp(task, (uint32_t)p->uclamp_min, (uint32_t)p->uclamp_max);
	if (p->nr_cpus)
		task_set_cpus(task, &state->allowed);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct periodic_params *p = ctx->params;
	struct periodic_state *state = ctx->state;
	int nr = p->nr_cpus ? (int)p->nr_cpus : ctx->nr_cpus;

	if (check(ctx, err) < 0)
		return -1;
	for (int i = 0; i < (int)p->nr_cpus; i++)
		cpumask_set(&state->allowed, (int)p->first_cpu + i);
	task_pool(ctx, (size_t)p->tasks);
	for (int64_t i = 0; i < p->tasks; i++) {
		struct task *task = task_take(ctx);
		struct periodic_task *t = task->priv;

		task->name = "periodic";
		task->leading = true;
		t->phase_ns = p->period_ns / p->tasks * i;
		rng_set(&task->rng, ctx->seed, (uint64_t)i + 1);
		set_class(ctx, task);
		task_start(ctx, task, (p->nr_cpus ? (int)p->first_cpu : 0) + (int)(i % nr));
	}
	return 0;
}

const struct workload workload_periodic = {
	.name = "periodic",
	.summary = "fixed packets of work at a fixed period",
	.params = params,
	.params_size = sizeof(struct periodic_params),
	.state_size = sizeof(struct periodic_state),
	.task_size = sizeof(struct periodic_task),
	.build = build,
	.next = next,
};
