/*
 * boot-storm: every CPU starts a service at the same moment, as at boot. A service is a chain of
 * processes: each works for a lognormal time and then waits for the disk, and for other services
 * where that is asked for. All policies leave idle
 * at once, which is what shared transition interfaces suffer from. Sizes are assumed. Ends with
 * the last service.
 */
#include "workloads/steps.h"

struct storm_params {
	int64_t cpus, processes, work_ns, sigma_ppm, io_ns, wait_ns, fork_ns;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct storm_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(cpus, "cpus", UNIT_NONE, 0, 4096, 0, "CPUs that start a service; 0: all"),
	ROW(processes, "processes", UNIT_NONE, 1, 1000000, 20, "of each service, one by one"),
	ROW(work_ns, "work", UNIT_NS, 1000, 100 * NSEC_PER_SEC, 5000000,
		"mean work of a process, at the reference clock"),
	ROW(sigma_ppm, "work_sigma", UNIT_PPM, 0, 3 * PPM, 700000, "its lognormal sigma"),
	ROW(io_ns, "io", UNIT_NS, 1, 3600 * NSEC_PER_SEC, 2000000,
		"mean wait for the disk after it, exponential"),
	ROW(wait_ns, "wait", UNIT_NS, 0, 3600 * NSEC_PER_SEC, 0,
		"mean wait for other services after that, exponential: idle time, not iowait"),
	ROW(fork_ns, "fork", UNIT_NS, 0, 100 * NSEC_PER_SEC, 120000,
		"work of the service to start a process, at the reference clock"),
	PARAM_END,
};

struct storm_state {
	int64_t done;
};

struct storm_task {
	int stage;
	int64_t nr;           /* service: processes started */
	struct task *service; /* of a process */
	struct channel ended;
};

static void next_service(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct storm_params *p = ctx->params;
	struct storm_task *t = task->priv;
	struct task *child;
	enum { FORK, SPAWN, WAIT };

	switch (t->stage++) {
	case FORK:
		if (t->nr == p->processes)
			step_exit(step);
		else
			step_reference_ns(ctx, step, p->fork_ns, PPM / 2);
		return;
	case SPAWN:
		/* The service's own stream seeds them: which CPU it is on names its work. */
		child = step_task(
			ctx, "boot-process", (uint64_t)(task->cpu + 1) << 32 | (uint64_t)++t->nr);
		child->pinned = true;
		child->cpu = task->cpu;
		((struct storm_task *)child->priv)->service = task;
		step_spawn(step, child);
		return;
	default:
		step_wait(step, &t->ended);
		t->stage = FORK;
	}
}

static void next_process(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct storm_params *p = ctx->params;
	struct storm_state *s = ctx->state;
	struct storm_task *t = task->priv;
	enum { WORK, DISK, OTHERS, TELL, LEAVE };

	switch (t->stage++) {
	case WORK:
		step_reference_ns(ctx, step,
			rng_lognormal_ns(
				&task->rng, p->work_ns, (double)p->sigma_ppm / (double)PPM),
			PPM / 2);
		return;
	case DISK:
		step_io(step, rng_exponential_ns(&task->rng, p->io_ns));
		return;
	case OTHERS:
		step_sleep(step, p->wait_ns ? rng_exponential_ns(&task->rng, p->wait_ns) : 0);
		return;
	case TELL:
		s->done++;
		step_post(step, &((struct storm_task *)t->service->priv)->ended);
		return;
	default:
		step_exit(step);
	}
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct storm_task *t = task->priv;

	if (t->service)
		next_process(ctx, task, step);
	else
		next_service(ctx, task, step);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct storm_params *p = ctx->params;
	int64_t cpus = p->cpus ? p->cpus : ctx->nr_cpus;

	if (cpus > ctx->nr_cpus)
		return error_set(err, ERROR_SCENARIO, "boot-storm: %lld cpus; the machine has %d",
			(long long)cpus, ctx->nr_cpus);
	task_pool(ctx, (size_t)(2 * cpus));
	for (int64_t i = 0; i < cpus; i++) {
		struct task *task = step_task(ctx, "service", (uint64_t)i + 1);

		task->pinned = true;
		step_lead(ctx, task, (int)i);
	}
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct storm_state *s = ctx->state;

	return measure_rate(out, "processes", "processes per second", (double)s->done, elapsed_ns);
}

const struct workload workload_boot_storm = {
	.name = "boot-storm",
	.summary = "every CPU starts a chain of processes at the same moment",
	.params = params,
	.params_size = sizeof(struct storm_params),
	.state_size = sizeof(struct storm_state),
	.task_size = sizeof(struct storm_task),
	.build = build,
	.next = next,
	.measure = measure,
};
