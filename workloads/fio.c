/*
 * fio: random 4 KiB reads with think time. Its main process first finds out how fast its clocks
 * run, busy for a time and not for so many cycles, then starts helper and jobs and looks after them
 * every 10 ms. A job sleeps for the think time, reads, and so on until the runtime is over; the
 * helper wakes now and then. A read that the device completes at once does not sleep (io_time 0),
 * else the job waits in iowait. Ends when the main process has reported.
 *
 * Times and work are those of a recording on a 2.94 GHz x86 machine. background_rate adds wake-ups
 * on CPUs by chance, as of kernel threads and daemons of a real system; how many is an assumption.
 */
#include "workloads/steps.h"

struct fio_params {
	int64_t jobs, start_up_ns, runtime_ns, think_ns, io_ns, before_cycles, after_cycles;
	int64_t poll_ns, helper_ns, background_rate, background_cycles;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct fio_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(jobs, "numjobs", UNIT_NONE, 1, 100000, 1, "jobs that read"),
	ROW(start_up_ns, "start_up", UNIT_NS, 0, 3600 * NSEC_PER_SEC, 157 * NSEC_PER_MSEC,
		"busy before there are jobs"),
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
		"wake-ups per second of others than fio, on any CPU (assumed)"),
	ROW(background_cycles, "background_work", UNIT_NONE, 1, 1000000000, 10000,
		"cycles of each (assumed)"),
	PARAM_END,
};

#define POLL_CYCLES 60000
#define FORK_CYCLES 8200000    /* of the main process, to have jobs */
#define REPORT_CYCLES 11500000 /* of the main process, at the end */
#define SETTLE_NS (100 * NSEC_PER_MSEC)

enum role { MAIN, JOB, POLLER, ALARM };

struct fio_state {
	struct channel go;
	bool over;
	int64_t from_ns, to_ns; /* of the runtime */
	int64_t running;        /* jobs */
	int64_t reads, latency_ns;
};

struct fio_task {
	enum role role;
	int stage;
	int64_t nr;               /* main: started; posted */
	int64_t every_ns, cycles; /* poller */
	bool anywhere;            /* it stands for several, each on a CPU of its own */
	int64_t start_ns, end_ns; /* job: of the read */
};

static void next_job(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct fio_params *p = ctx->params;
	struct fio_state *s = ctx->state;
	struct fio_task *t = task->priv;
	enum { GO, THINK, START, BEFORE, READ, AFTER, END, COUNT };

	switch (t->stage++) {
	case GO:
		step_wait(step, &s->go);
		return;
	case THINK:
		if (!s->over) {
			step_sleep(step, p->think_ns);
			return;
		}
		s->running--;
		step_exit(step);
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

	t->stage = !t->stage;
	if (!t->stage) {
		step_cycles(step, t->cycles, PPM);
		return;
	}
	step_sleep(step, t->every_ns);
	if (t->anywhere)
		step->move_cpu = (int)rng_below(&task->rng, (uint32_t)ctx->nr_cpus);
}

/* The runtime is over; jobs see it when they come back from their read. */
static void next_alarm(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct fio_params *p = ctx->params;
	struct fio_state *s = ctx->state;
	struct fio_task *t = task->priv;
	enum { GO, FROM, RUNTIME, TO };

	switch (t->stage++) {
	case GO:
		step_wait(step, &s->go);
		return;
	case FROM:
		step_stamp(step, &s->from_ns);
		return;
	case RUNTIME:
		step_sleep(step, p->runtime_ns);
		return;
	case TO:
		s->over = true;
		step_stamp(step, &s->to_ns);
		return;
	default:
		step_exit(step);
	}
}

/* Streams below are left to the jobs. */
#define OTHERS (UINT64_C(1) << 32)

static struct task *new_task(
	struct workload_ctx *ctx, const char *name, uint64_t stream, enum role role)
{
	struct task *task = step_task(ctx, name, stream);

	*(struct fio_task *)task->priv = (struct fio_task){ .role = role };
	return task;
}

static struct task *new_poller(
	struct workload_ctx *ctx, const char *name, int64_t every_ns, int64_t cycles)
{
	struct task *task = new_task(ctx, name, OTHERS + (uint64_t)every_ns, POLLER);
	struct fio_task *t = task->priv;

	t->every_ns = every_ns;
	t->cycles = cycles;
	return task;
}

/* Helper, alarm and jobs, one after the other. */
static struct task *next_child(struct workload_ctx *ctx, int64_t nr)
{
	const struct fio_params *p = ctx->params;

	if (nr == 0)
		return new_poller(ctx, "fio-helper", p->helper_ns, POLL_CYCLES);
	return nr == 1 ? new_task(ctx, "fio-alarm", OTHERS, ALARM)
		       : new_task(ctx, "fio-job", (uint64_t)nr - 1, JOB);
}

static void next_main(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct fio_params *p = ctx->params;
	struct fio_state *s = ctx->state;
	struct fio_task *t = task->priv;
	enum { CLOCKS, WORK, FORK, SETTLE, GO, POLL, LOOK, LEAVE };

	switch (t->stage) {
	case CLOCKS:
		step->kind = STEP_RUN;
		step->fixed_ns = p->start_up_ns;
		t->stage = WORK;
		return;
	case WORK:
		step_cycles(step, FORK_CYCLES, PPM);
		t->stage = FORK;
		return;
	case FORK:
		step_spawn(step, next_child(ctx, t->nr++));
		t->stage = t->nr < p->jobs + 2 ? FORK : SETTLE;
		return;
	case SETTLE:
		step_sleep(step, SETTLE_NS);
		t->nr = 0;
		t->stage = GO;
		return;
	case GO:
		step_post(step, &s->go);
		t->stage = ++t->nr < p->jobs + 1 ? GO : POLL;
		return;
	case POLL:
		step_sleep(step, p->poll_ns);
		t->stage = LOOK;
		return;
	case LOOK:
		t->stage = s->over && s->running == 0 ? LEAVE : POLL;
		step_cycles(step, t->stage == LEAVE ? REPORT_CYCLES : POLL_CYCLES, PPM);
		return;
	default:
		step_exit(step);
	}
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	static void (*const by_role[])(struct workload_ctx *, struct task *, struct step *) = {
		[MAIN] = next_main,
		[JOB] = next_job,
		[POLLER] = next_poller,
		[ALARM] = next_alarm,
	};
	const struct fio_task *t = task->priv;

	by_role[t->role](ctx, task, step);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct fio_params *p = ctx->params;
	struct fio_state *s = ctx->state;
	struct task *background;

	(void)err;
	task_pool(ctx, (size_t)p->jobs + 4);
	s->running = p->jobs;
	step_lead(ctx, new_task(ctx, "fio", OTHERS + 1, MAIN), 1 % ctx->nr_cpus);
	if (!p->background_rate)
		return 0;
	background = new_poller(
		ctx, "background", NSEC_PER_SEC / p->background_rate, p->background_cycles);
	((struct fio_task *)background->priv)->anywhere = true;
	task_start(ctx, background, 0);
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct fio_state *s = ctx->state;
	int64_t ns = s->over ? s->to_ns - s->from_ns : elapsed_ns;
	int nr = measure_rate(out, "reads", "IOPS", (double)s->reads, ns);

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
