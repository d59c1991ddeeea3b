/*
 * fio: random 4 KiB reads with think time. A job sleeps for the think time, reads, and so on until
 * the runtime is over; fio's main process polls beside it every 10 ms, and a helper wakes now and
 * then. A read that the device completes at once does not sleep (io_time 0), else the job waits in
 * iowait. Ends after `runtime`.
 *
 * Work per cycle is that of a 2.94 GHz x86 machine. background_rate adds a thread that wakes on the
 * middle one of the CPUs and stays there; on a real system kernel threads do, and how often is an
 * assumption.
 */
#include "workloads/steps.h"

struct fio_params {
	int64_t jobs, runtime_ns, think_ns, io_ns, before_cycles, after_cycles;
	int64_t poll_ns, helper_ns, background_rate, background_cycles;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct fio_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(jobs, "numjobs", UNIT_NONE, 1, 100000, 1, "jobs that read"),
	ROW(runtime_ns, "runtime", UNIT_NS, NSEC_PER_MSEC, 3600 * NSEC_PER_SEC, 30 * NSEC_PER_SEC,
		"how long they do"),
	ROW(think_ns, "thinktime", UNIT_NS, 0, 3600 * NSEC_PER_SEC, 991000,
		"sleep before each read; fio takes what it overslept off the next"),
	ROW(io_ns, "io_time", UNIT_NS, 0, 3600 * NSEC_PER_SEC, 0,
		"time in iowait per read; 0: the device completes at once"),
	ROW(before_cycles, "work_before", UNIT_NONE, 1, 1000000000, 50000,
		"cycles of the job before the read reaches the device"),
	ROW(after_cycles, "work_after", UNIT_NONE, 0, 1000000000, 15000, "cycles after it"),
	ROW(poll_ns, "poll", UNIT_NS, 1000, 3600 * NSEC_PER_SEC, 10000000,
		"between two looks of the main process"),
	ROW(helper_ns, "helper", UNIT_NS, 1000, 3600 * NSEC_PER_SEC, 166666667,
		"between two wake-ups of the helper thread"),
	ROW(background_rate, "background_rate", UNIT_NONE, 0, 100000, 0,
		"wake-ups per second of another thread, not of fio (assumed)"),
	ROW(background_cycles, "background_work", UNIT_NONE, 1, 1000000000, 10000,
		"cycles of each (assumed)"),
	PARAM_END,
};

#define POLL_CYCLES 60000

enum role { JOB, POLLER, ALARM };

struct fio_state {
	bool over;
	int64_t reads, latency_ns;
};

struct fio_task {
	enum role role;
	int stage;
	int64_t every_ns, cycles; /* poller */
	int64_t start_ns, end_ns; /* job: of the read */
};

static void next_job(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct fio_params *p = ctx->params;
	struct fio_state *s = ctx->state;
	struct fio_task *t = task->priv;
	enum { THINK, START, BEFORE, READ, AFTER, END, COUNT };

	switch (t->stage++) {
	case THINK:
		if (s->over)
			step_exit(step);
		else
			step_sleep(step, p->think_ns);
		return;
	case START:
		step_stamp(step, &t->start_ns);
		return;
	case BEFORE:
		step_cycles(step, p->before_cycles, PPM);
		return;
	case READ:
		step_io(step, p->io_ns);
		return;
	case AFTER:
		step_cycles(step, p->after_cycles, PPM);
		return;
	case END:
		step_stamp(step, &t->end_ns);
		return;
	default:
		s->reads++;
		s->latency_ns += t->end_ns - t->start_ns;
		step_cycles(step, 0, PPM);
		t->stage = THINK;
	}
}

static void next_poller(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct fio_task *t = task->priv;

	(void)ctx;
	t->stage = !t->stage;
	if (t->stage)
		step_sleep(step, t->every_ns);
	else
		step_cycles(step, t->cycles, PPM);
}

/* The runtime is over; jobs see it when they come back from their read. */
static void next_alarm(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct fio_params *p = ctx->params;
	struct fio_state *s = ctx->state;
	struct fio_task *t = task->priv;

	if (t->stage++ == 0) {
		step_until(step, p->runtime_ns);
		return;
	}
	s->over = true;
	step_exit(step);
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	static void (*const by_role[])(struct workload_ctx *, struct task *, struct step *) = {
		[JOB] = next_job,
		[POLLER] = next_poller,
		[ALARM] = next_alarm,
	};
	const struct fio_task *t = task->priv;

	by_role[t->role](ctx, task, step);
}

/* Streams below are left to the jobs. */
#define OTHERS (UINT64_C(1) << 32)

static void start_poller(struct workload_ctx *ctx, const char *name, int64_t every_ns,
	int64_t cycles, int cpu, bool pinned)
{
	struct task *task = step_task(ctx, name, OTHERS + (uint64_t)every_ns);
	struct fio_task *t = task->priv;

	t->role = POLLER;
	t->every_ns = every_ns;
	t->cycles = cycles;
	task->pinned = pinned;
	task_start(ctx, task, cpu);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct fio_params *p = ctx->params;

	(void)err;
	task_pool(ctx, (size_t)p->jobs + 4);
	struct task *alarm = step_task(ctx, "fio-alarm", OTHERS);
	((struct fio_task *)alarm->priv)->role = ALARM;
	/* A fork goes to another CPU than the one it comes from. */
	task_start(ctx, alarm, 1 % ctx->nr_cpus);
	start_poller(ctx, "fio", p->poll_ns, POLL_CYCLES, 1 % ctx->nr_cpus, false);
	start_poller(ctx, "fio-helper", p->helper_ns, POLL_CYCLES, 2 % ctx->nr_cpus, false);
	if (p->background_rate)
		start_poller(ctx, "background", NSEC_PER_SEC / p->background_rate,
			p->background_cycles, (ctx->nr_cpus - 1) / 2, true);
	for (int64_t i = 0; i < p->jobs; i++)
		step_lead(ctx, step_task(ctx, "fio-job", (uint64_t)i + 1), (int)(i % ctx->nr_cpus));
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct fio_state *s = ctx->state;
	int nr = measure_rate(out, "reads", "IOPS", (double)s->reads, elapsed_ns);

	out[nr++] = (struct measure){ "latency", "us",
		s->reads ? (double)s->latency_ns / 1e3 / (double)s->reads : 0 };
	out[nr++] = (struct measure){ "bandwidth", "kB/s", out[1].value * 4 };
	return nr;
}

const struct workload workload_fio = {
	.name = "fio",
	.summary = "random reads with think time",
	.params = params,
	.params_size = sizeof(struct fio_params),
	.state_size = sizeof(struct fio_state),
	.task_size = sizeof(struct fio_task),
	.build = build,
	.next = next,
	.measure = measure,
};
