/*
 * noise: what runs on a machine beside the work. A monitor (like turbostat) goes to each CPU in
 * turn once per interval and reads a few registers there; a logger wakes, writes and waits for the
 * disk; timers wake at a fixed short period for little work, as audio or control programs do; now
 * and then a real-time task runs on some CPU, for which schedutil asks for the maximum there. How
 * often and how much are assumptions. Does not end by itself: give run.duration, or combine it.
 */
#include "workloads/steps.h"

struct noise_params {
	int64_t monitor_ns, monitor_work_ns, logger_ns, logger_work_ns, logger_io_ns;
	int64_t timers, timer_ns, timer_work_ns;
	int64_t realtime_ns, realtime_work_ns;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct noise_params, field, name, unit, min, max, def, help)
#define LONGEST (3600 * NSEC_PER_SEC)

static const struct param params[] = {
	ROW(monitor_ns, "monitor", UNIT_NS, 0, LONGEST, NSEC_PER_SEC,
		"interval of the monitor; 0: none"),
	ROW(monitor_work_ns, "monitor_work", UNIT_NS, 1, NSEC_PER_SEC, 50000,
		"its work on each CPU, at the reference clock"),
	ROW(logger_ns, "logger", UNIT_NS, 0, LONGEST, 5 * NSEC_PER_SEC,
		"mean time between two writes of the logger, exponential; 0: none"),
	ROW(logger_work_ns, "logger_work", UNIT_NS, 1, NSEC_PER_SEC, 300000,
		"its work for each, at the reference clock"),
	ROW(logger_io_ns, "logger_io", UNIT_NS, 0, LONGEST, 4000000, "its wait for the disk"),
	ROW(timers, "timers", UNIT_NONE, 0, 100000, 0, "tasks with a short period"),
	ROW(timer_ns, "timer", UNIT_NS, 1000, LONGEST, 5000000, "that period"),
	ROW(timer_work_ns, "timer_work", UNIT_NS, 1, NSEC_PER_SEC, 7000,
		"their work, at the reference clock"),
	ROW(realtime_ns, "realtime", UNIT_NS, 0, LONGEST, 0,
		"mean time between two runs of a real-time task on any CPU, exponential; 0: none"),
	ROW(realtime_work_ns, "realtime_work", UNIT_NS, 1, NSEC_PER_SEC, 20000,
		"its work for each, at the reference clock"),
	PARAM_END,
};

enum role { MONITOR, LOGGER, TIMER, REALTIME };

struct noise_state {
	int64_t wakes;
};

struct noise_task {
	enum role role;
	int stage;
	int64_t nr; /* intervals or periods so far */
	int cpu;    /* monitor: where it is */
};

/* Binding itself to a CPU takes a stop there: it leaves, and is back at once. */
#define MOVE_NS 1000
/* Any will do: the governor asks for the maximum whatever the priority. */
#define REALTIME_PRIORITY 50

static void next_monitor(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct noise_params *p = ctx->params;
	struct noise_state *s = ctx->state;
	struct noise_task *t = task->priv;
	enum { TRAVEL, READ };

	if (t->stage == READ) {
		step_reference_ns(ctx, step, p->monitor_work_ns, PPM);
		t->stage = TRAVEL;
		return;
	}
	s->wakes++;
	if (t->cpu == ctx->nr_cpus) {
		t->cpu = 0;
		step_until(step, ++t->nr * p->monitor_ns);
	} else {
		step_sleep(step, MOVE_NS);
	}
	step->move_cpu = t->cpu++;
	t->stage = READ;
}

static void next_logger(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct noise_params *p = ctx->params;
	struct noise_state *s = ctx->state;
	struct noise_task *t = task->priv;
	enum { SLEEP, WORK, DISK };

	switch (t->stage++) {
	case SLEEP:
		step_sleep(step, rng_exponential_ns(&task->rng, p->logger_ns));
		return;
	case WORK:
		s->wakes++;
		step_reference_ns(ctx, step, p->logger_work_ns, PPM);
		return;
	default:
		step_io(step, p->logger_io_ns);
		t->stage = SLEEP;
	}
}

static void next_timer(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct noise_params *p = ctx->params;
	struct noise_state *s = ctx->state;
	struct noise_task *t = task->priv;

	t->stage = !t->stage;
	if (t->stage) {
		step_until(step, ++t->nr * p->timer_ns);
		return;
	}
	s->wakes++;
	step_reference_ns(ctx, step, p->timer_work_ns, PPM);
}

static void next_realtime(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct noise_params *p = ctx->params;
	struct noise_state *s = ctx->state;
	struct noise_task *t = task->priv;

	t->stage = !t->stage;
	if (t->stage) {
		step_sleep(step, rng_exponential_ns(&task->rng, p->realtime_ns));
		step->move_cpu = (int)rng_below(&task->rng, (uint32_t)ctx->nr_cpus);
		return;
	}
	s->wakes++;
	step_reference_ns(ctx, step, p->realtime_work_ns, PPM);
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	static void (*const by_role[])(struct workload_ctx *, struct task *, struct step *) = {
		[MONITOR] = next_monitor,
		[LOGGER] = next_logger,
		[TIMER] = next_timer,
		[REALTIME] = next_realtime,
	};
	const struct noise_task *t = task->priv;

	by_role[t->role](ctx, task, step);
}

static void start(
	struct workload_ctx *ctx, enum role role, const char *name, uint64_t stream, int cpu)
{
	struct task *task = step_task(ctx, name, stream);

	((struct noise_task *)task->priv)->role = role;
	if (role == REALTIME)
		task_set_rt(task, REALTIME_PRIORITY, false);
	task->pinned = role == MONITOR;
	task->charged = false;
	task_start(ctx, task, cpu);
}

/* Beyond those of the timers. */
#define REALTIME_STREAM (UINT64_C(1) << 32)

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct noise_params *p = ctx->params;

	(void)err;
	task_pool(ctx, (size_t)p->timers + 3);
	if (p->monitor_ns)
		start(ctx, MONITOR, "monitor", 1, 0);
	if (p->logger_ns)
		start(ctx, LOGGER, "logger", 2, 0);
	for (int64_t i = 0; i < p->timers; i++)
		start(ctx, TIMER, "timer", (uint64_t)i + 3, (int)(i % ctx->nr_cpus));
	if (p->realtime_ns)
		start(ctx, REALTIME, "realtime", REALTIME_STREAM, 0);
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct noise_state *s = ctx->state;

	return measure_rate(out, "wake-ups", "wake-ups per second", (double)s->wakes, elapsed_ns);
}

const struct workload workload_noise = {
	.name = "noise",
	.summary = "a monitor, a logger, timers and real-time work, as on any machine",
	.params = params,
	.params_size = sizeof(struct noise_params),
	.state_size = sizeof(struct noise_state),
	.task_size = sizeof(struct noise_task),
	.build = build,
	.next = next,
	.measure = measure,
};
