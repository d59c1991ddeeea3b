/*
 * sched-pipe: two tasks pass a word to and fro through two pipes, strictly in turn, as perf bench
 * sched pipe and the context switching test of Unixbench do. A round trip is four system calls,
 * two wake-ups and two sleeps. Ends after `loops` round trips.
 *
 * Cycles are those of a 2.94 GHz x86 virtual machine: 7.8 k to 8.2 k a round trip on one CPU, 26 k
 * to 29 k on two, as a wake-up of another CPU is dear there.
 */
#include "workloads/steps.h"

enum placement { AUTO, ONE_CPU, TWO_CPUS };

struct pipe_params {
	int64_t loops, where, cpu, half_cycles, remote_cycles;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct pipe_params, field, name, unit, min, max, def, help)

static const char *const places[] = {
	[AUTO] = "auto", [ONE_CPU] = "one-cpu", [TWO_CPUS] = "two-cpus", NULL
};

static const struct param params[] = {
	ROW(loops, "loops", UNIT_NONE, 1, INT64_C(1000000000000), 1000000, "-l: round trips"),
	PARAM_CHOICE(struct pipe_params, where, "placement", places, AUTO,
		"where the two tasks run; auto: where the scheduler puts them"),
	ROW(cpu, "cpu", UNIT_NONE, 0, 4095, 0, "one-cpu: that CPU; two-cpus: it and the next"),
	ROW(half_cycles, "half", UNIT_NONE, 1, 1000000000, 4000,
		"cycles of a task's turn: read, write, wake-up, switch"),
	ROW(remote_cycles, "remote", UNIT_NONE, 0, 1000000000, 9500,
		"further cycles of a turn when the other task runs on another CPU"),
	PARAM_END,
};

struct pipe_state {
	struct channel words[2]; /* for task 0, for task 1 */
	struct task *tasks[2];
	int64_t trips;
};

struct pipe_task {
	int id, stage;
	int64_t left;
};

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct pipe_params *p = ctx->params;
	struct pipe_state *s = ctx->state;
	struct pipe_task *t = task->priv;
	bool remote = s->tasks[!t->id]->cpu != task->cpu;
	enum { READ, TURN, WRITE };

	switch (t->stage) {
	case READ:
		if (t->left == 0) {
			step_exit(step);
			return;
		}
		t->left--;
		step_wait(step, &s->words[t->id]);
		t->stage = TURN;
		return;
	case TURN:
		step_cycles(step, p->half_cycles + (remote ? p->remote_cycles : 0), PPM);
		t->stage = WRITE;
		return;
	default:
		step_post_sync(step, &s->words[!t->id]);
		s->trips += t->id == 1;
		t->stage = READ;
	}
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct pipe_params *p = ctx->params;
	struct pipe_state *s = ctx->state;
	int64_t last = p->cpu + (p->where == TWO_CPUS);

	if (p->where != AUTO && last >= ctx->nr_cpus)
		return error_set(err, ERROR_SCENARIO, "sched-pipe: the machine has no CPU %lld",
			(long long)last);
	task_pool(ctx, 2);
	for (int i = 0; i < 2; i++) {
		struct task *task = step_task(ctx, "sched-pipe", (uint64_t)i + 1);
		struct pipe_task *t = task->priv;

		t->id = i;
		t->left = p->loops;
		s->tasks[i] = task;
		task->pinned = p->where != AUTO;
		step_lead(ctx, task, (int)(p->cpu + (p->where == TWO_CPUS ? i : 0)) % ctx->nr_cpus);
	}
	s->words[0].tokens = 1;
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct pipe_state *s = ctx->state;
	int nr = measure_rate(
		out, "round trips", "round trips per second", (double)s->trips, elapsed_ns);

	out[nr++] = (struct measure){ "time per round trip", "us",
		s->trips ? (double)elapsed_ns / 1e3 / (double)s->trips : 0 };
	return nr;
}

const struct workload workload_sched_pipe = {
	.name = "sched-pipe",
	.summary = "two tasks pass a word to and fro through pipes",
	.params = params,
	.params_size = sizeof(struct pipe_params),
	.state_size = sizeof(struct pipe_state),
	.task_size = sizeof(struct pipe_task),
	.build = build,
	.next = next,
	.measure = measure,
};
