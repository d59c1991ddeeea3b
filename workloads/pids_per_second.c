/*
 * pids-per-second: one process after the other. A parent works, forks a child and waits; the child
 * works, tells the parent and ends; again, as often as there are packets. Both do a little more
 * while the other is already at work: the parent after the fork, the child after it has told.
 *
 * Stands for the packets of the PIDs-per-second mail (linux-pm, 2020-12-13, D. Smythies), whose
 * time at a fixed clock is 0.145 s + 47.84 s GHz / f: defaults are its cycles per packet and its
 * time per packet that does not depend on the clock. With a rate, packets begin at that rate when
 * they can. Daemons are an assumption: an otherwise idle desktop has some. So is that the child's
 * word to the parent is its last but the tail: an exiting process tells, and the kernel knows.
 *
 * A shell starts a parent per execution, one after the other, and takes the time of each. Ends
 * after the last.
 */
#include <math.h>

#include "workloads/steps.h"

struct pids_params {
	int64_t packets, cycles, parent_ppm, latency_ns, parent_tail_ppm, child_tail_cycles;
	int64_t executions, jitter_ppm, execution_jitter_ppm, rate, daemons, daemon_rate, daemon_ns;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct pids_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(packets, "packets", UNIT_NONE, 1, INT64_C(1000000000000), 18769,
		"children of an execution, one after the other"),
	ROW(executions, "executions", UNIT_NONE, 1, INT64_C(1000000000), 1,
		"parents, one after the other"),
	ROW(cycles, "cycles", UNIT_NONE, 100, 1000000000000, 2549000,
		"cycles of a packet, parent and child together"),
	ROW(parent_ppm, "parent_share", UNIT_PPM, 0, PPM, 133000, "the parent's part of them"),
	ROW(latency_ns, "latency", UNIT_NS, 0, NSEC_PER_SEC, 7700,
		"time of a packet that does not depend on the clock"),
	ROW(parent_tail_ppm, "parent_tail", UNIT_PPM, 0, PPM, 250000,
		"work of the parent after the fork, as part of that before it"),
	ROW(child_tail_cycles, "child_tail", UNIT_NONE, 0, 1000000000, 69000,
		"cycles of the child after it has told the parent"),
	ROW(jitter_ppm, "jitter", UNIT_PPM, 0, PPM, 20000, "Gaussian sigma of a packet's cycles"),
	ROW(execution_jitter_ppm, "execution_jitter", UNIT_PPM, 0, PPM / 10, 0,
		"Gaussian sigma of the cycles of all packets of an execution together"),
	ROW(rate, "rate", UNIT_NONE, 0, 1000000, 0, "packets per second; 0: as fast as they end"),
	ROW(daemons, "daemons", UNIT_NONE, 0, 100000, 4, "other tasks that wake now and then"),
	ROW(daemon_rate, "daemon_rate", UNIT_NONE, 1, 100000, 5,
		"wake-ups per second of each, mean"),
	ROW(daemon_ns, "daemon_work", UNIT_NS, 1, NSEC_PER_SEC, 120000,
		"work of a wake-up, at the reference clock"),
	PARAM_END,
};

enum role { SHELL, PARENT, CHILD, DAEMON };

/* Times of the executions so far; the mean and the sum of squares about it are brought along. */
struct times {
	int64_t nr, min_ns, max_ns;
	double mean_ns, squares;
};

struct pids_state {
	struct channel told;  /* by a child */
	struct channel ended; /* by a parent */
	int64_t packets;
	int64_t children; /* alive, most of them at their tails */
	struct times times;
};

/* More than that wait for the CPU at their tails: the parent then pauses. */
#define CHILDREN_MAX 64
#define PAUSE_NS NSEC_PER_MSEC

struct pids_task {
	enum role role;
	int stage;
	int64_t packet, cycles;     /* SHELL: packets of all parents before */
	int64_t mean_cycles;        /* PARENT: of this execution */
	int64_t started_ns, now_ns; /* SHELL, PARENT: the execution */
};

/* Streams below are left to the packets. */
#define PARENTS (UINT64_C(1) << 48)
#define DAEMONS (UINT64_C(1) << 56)

static int64_t parent_cycles(const struct pids_params *p, const struct pids_task *t)
{
	return t->cycles / 1000 * p->parent_ppm / 1000;
}

static struct task *make_child(struct workload_ctx *ctx, const struct pids_task *parent)
{
	const struct pids_params *p = ctx->params;
	struct task *task = step_task(ctx, "child", (uint64_t)parent->packet + 1);
	struct pids_task *t = task->priv;

	t->role = CHILD;
	t->cycles = parent->cycles - parent_cycles(p, parent);
	return task;
}

static void count_time(struct times *times, int64_t ns)
{
	double away = (double)ns - times->mean_ns;

	times->min_ns = times->nr ? min_i64(times->min_ns, ns) : ns;
	times->max_ns = max_i64(times->max_ns, ns);
	times->nr++;
	times->mean_ns += away / (double)times->nr;
	times->squares += away * ((double)ns - times->mean_ns);
}

static struct task *make_parent(struct workload_ctx *ctx, const struct pids_task *shell)
{
	const struct pids_params *p = ctx->params;
	struct task *task = step_task(ctx, "parent", PARENTS + (uint64_t)shell->packet);
	struct pids_task *t = task->priv;

	t->role = PARENT;
	t->started_ns = shell->started_ns;
	t->mean_cycles = p->execution_jitter_ppm
		? rng_jitter_ns(
			  &task->rng, p->cycles, (double)p->execution_jitter_ppm / (double)PPM)
		: p->cycles;
	return task;
}

/* Here a packet is an execution. */
static void next_shell(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct pids_params *p = ctx->params;
	struct pids_state *s = ctx->state;
	struct pids_task *t = task->priv;
	enum { STAMP, START, WAIT, END, COUNT };

	switch (t->stage++) {
	case STAMP:
		step_stamp(step, &t->started_ns);
		return;
	case START:
		step_spawn(step, make_parent(ctx, t));
		return;
	case WAIT:
		step_wait(step, &s->ended);
		return;
	case END:
		step_stamp(step, &t->now_ns);
		return;
	default:
		count_time(&s->times, t->now_ns - t->started_ns);
		t->stage = STAMP;
		if (++t->packet == p->executions)
			step_exit(step);
		else
			step_cycles(step, 0, PPM);
	}
}

static void next_parent(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct pids_params *p = ctx->params;
	struct pids_state *s = ctx->state;
	struct pids_task *t = task->priv;
	enum { PACE, WORK, FORK, TAIL, WAIT, RESUME, TELL, LEAVE };

	switch (t->stage++) {
	case PACE:
		if (p->rate && t->packet < p->packets)
			step_until(step, t->started_ns + t->packet * NSEC_PER_SEC / p->rate);
		else
			step_cycles(step, 0, PPM);
		if (t->packet == p->packets)
			t->stage = TELL;
		return;
	case WORK:
		/* One draw a packet: parent and child share it. */
		t->cycles = p->jitter_ppm ? rng_jitter_ns(&task->rng, t->mean_cycles,
						    (double)p->jitter_ppm / (double)PPM)
					  : t->mean_cycles;
		step_cycles(step, parent_cycles(p, t), PPM);
		return;
	case FORK:
		if (s->children == CHILDREN_MAX) {
			step_sleep(step, PAUSE_NS);
			t->stage = FORK;
			return;
		}
		s->children++;
		step_spawn(step, make_child(ctx, t));
		return;
	case TAIL:
		step_cycles(step, parent_cycles(p, t) / 1000 * p->parent_tail_ppm / 1000, PPM);
		return;
	case WAIT:
		step_wait(step, &s->told);
		return;
	case RESUME:
		step_cycles(step, 0, PPM);
		step->fixed_ns = p->latency_ns - p->latency_ns / 2;
		t->packet++;
		s->packets++;
		t->stage = PACE;
		return;
	case TELL:
		step_post(step, &s->ended);
		step->wake = WAKE_EXITING;
		return;
	default:
		step_exit(step);
	}
}

static void next_child(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct pids_params *p = ctx->params;
	struct pids_state *s = ctx->state;
	struct pids_task *t = task->priv;
	enum { WORK, TELL, TAIL, LEAVE };

	switch (t->stage++) {
	case WORK:
		step_cycles(step, t->cycles, PPM);
		step->fixed_ns = p->latency_ns / 2;
		return;
	case TELL:
		step_post(step, &s->told);
		step->wake = WAKE_EXITING;
		return;
	case TAIL:
		step_cycles(step, p->child_tail_cycles, PPM);
		return;
	default:
		s->children--;
		step_exit(step);
	}
}

static void next_daemon(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct pids_params *p = ctx->params;
	struct pids_task *t = task->priv;

	t->stage = !t->stage;
	if (t->stage) {
		step_sleep(step, rng_exponential_ns(&task->rng, NSEC_PER_SEC / p->daemon_rate));
		step->move_cpu = (int)rng_below(&task->rng, (uint32_t)ctx->nr_cpus);
		return;
	}
	step_reference_ns(ctx, step, p->daemon_ns, PPM);
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	static void (*const by_role[])(struct workload_ctx *, struct task *, struct step *) = {
		[SHELL] = next_shell,
		[PARENT] = next_parent,
		[CHILD] = next_child,
		[DAEMON] = next_daemon,
	};
	const struct pids_task *t = task->priv;

	by_role[t->role](ctx, task, step);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct pids_params *p = ctx->params;

	if (p->rate && p->packets > INT64_MAX / 2 / NSEC_PER_SEC)
		return error_set(err, ERROR_SCENARIO,
			"pids-per-second: %lld packets at a rate do not fit in the clock",
			(long long)p->packets);
	/* A parent that tells is still there when the next one starts. */
	task_pool(ctx, (size_t)(3 + p->daemons + CHILDREN_MAX));
	step_lead(ctx, step_task(ctx, "shell", DAEMONS - 1), 0);
	for (int64_t i = 0; i < p->daemons; i++) {
		struct task *task = step_task(ctx, "daemon", DAEMONS + (uint64_t)i);

		((struct pids_task *)task->priv)->role = DAEMON;
		task->charged = false;
		task_start(ctx, task, (int)rng_below(&task->rng, (uint32_t)ctx->nr_cpus));
	}
	return 0;
}

static int measure_times(const struct times *times, struct measure *out)
{
	int nr = 0;

	if (times->nr == 0)
		return 0;
	out[nr++] = (struct measure){ "executions", "", (double)times->nr };
	out[nr++] = (struct measure){ "execution mean", "s", times->mean_ns / 1e9 };
	out[nr++] = (struct measure){ "execution std", "s",
		times->nr > 1 ? sqrt(times->squares / (double)(times->nr - 1)) / 1e9 : 0 };
	out[nr++] = (struct measure){ "execution max", "s", (double)times->max_ns / 1e9 };
	out[nr++] = (struct measure){ "execution min", "s", (double)times->min_ns / 1e9 };
	return nr;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct pids_state *s = ctx->state;
	int nr = measure_rate(out, "packets", "PIDs per second", (double)s->packets, elapsed_ns);

	out[nr++] = (struct measure){ "time per packet", "us",
		s->packets ? (double)elapsed_ns / 1e3 / (double)s->packets : 0 };
	return nr + measure_times(&s->times, out + nr);
}

const struct workload workload_pids_per_second = {
	.name = "pids-per-second",
	.summary = "short processes one after the other, each a packet of work",
	.params = params,
	.params_size = sizeof(struct pids_params),
	.state_size = sizeof(struct pids_state),
	.task_size = sizeof(struct pids_task),
	.build = build,
	.next = next,
	.measure = measure,
};
