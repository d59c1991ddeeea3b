#include "workloads/micro.h"

enum role { CALLER, FORKER, CHILD, PONGER, RUNNER, SCRIPT, WRITER, READER, ALARM };

/* Calls are counted together up to about this many cycles. */
#define CHUNK_CYCLES 1000000
#define PAIRS 5

/* Alive at once per copy: who leads, and the most it has started. */
static int64_t tasks_per_copy(const struct micro_row *row)
{
	return row->kind == MICRO_SCRIPT ? 1 + 3 * row->scripts : 2;
}

static struct task *make(struct workload_ctx *ctx, enum role role, struct micro_copy *copy,
	struct task *parent, const char *name, uint64_t stream)
{
	struct task *task = step_task(ctx, name, stream);
	struct micro_task *t = task->priv;

	t->role = (int)role;
	t->copy = copy;
	t->parent = parent;
	return task;
}

static bool is_done(const struct micro *m, const struct micro_task *t)
{
	return m->repetitions ? t->done >= m->repetitions : m->over;
}

static void next_caller(struct micro *m, struct task *task, struct step *step)
{
	struct micro_task *t = task->priv;
	int64_t nr = max_i64(CHUNK_CYCLES / m->row->cycles, 1);

	m->operations += t->waiting;
	t->done += t->waiting;
	if (is_done(m, t)) {
		step_exit(step);
		return;
	}
	if (m->repetitions)
		nr = min_i64(nr, m->repetitions - t->done);
	t->waiting = nr;
	step_cycles(step, nr * m->row->cycles, PPM);
}

static void next_forker(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct micro *m = ctx->state;
	struct micro_task *t = task->priv;
	enum { FORK, SPAWN, WAIT, COUNT };

	switch (t->stage++) {
	case FORK:
		if (is_done(m, t))
			step_exit(step);
		else
			step_cycles(step, m->row->cycles, PPM);
		return;
	case SPAWN:
		step_spawn(step, make(ctx, CHILD, t->copy, task, "child", (uint64_t)t->done));
		return;
	case WAIT:
		step_wait(step, &t->copy->told);
		return;
	default:
		t->done++;
		m->operations++;
		step_cycles(step, 0, PPM);
		t->stage = FORK;
	}
}

static void next_child(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct micro *m = ctx->state;
	struct micro_task *t = task->priv;
	enum { WORK, TELL, LEAVE };

	switch (t->stage++) {
	case WORK:
		step_cycles(step, m->row->child_cycles, PPM);
		return;
	case TELL:
		step_post_exiting(step, &t->copy->told);
		return;
	default:
		step_exit(step);
	}
}

/* The first of a pair counts and decides when it is over; the second is stopped by it. */
static void next_ponger(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct micro *m = ctx->state;
	struct micro_task *t = task->priv;
	bool first = !t->parent;
	enum { READ, TURN, WRITE, LEAVE };

	switch (t->stage++) {
	case READ:
		step_wait(step, &t->copy->words[first]);
		return;
	case TURN:
		step_cycles(step, m->row->cycles, PPM);
		return;
	case WRITE:
		if (first && t->waiting++) {
			t->done++;
			m->operations++;
		}
		t->stage = first && is_done(m, t) ? LEAVE : READ;
		step_post_sync(step, &t->copy->words[!first]);
		return;
	default:
		step_exit(step);
	}
}

/* Starts the scripts of one operation, waits for all of them. */
static void next_runner(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct micro *m = ctx->state;
	struct micro_task *t = task->priv;
	enum { START, WAIT };

	if (t->stage == START && t->waiting == 0 && is_done(m, t)) {
		step_exit(step);
		return;
	}
	if (t->stage == START) {
		step_spawn(step, make(ctx, SCRIPT, t->copy, task, "sh", (uint64_t)t->waiting));
		if (++t->waiting == m->row->scripts)
			t->stage = WAIT;
		return;
	}
	step_wait(step, &t->copy->told);
	if (--t->waiting == 0) {
		t->done++;
		t->stage = START;
	}
}

static void next_script(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct micro *m = ctx->state;
	struct micro_task *t = task->priv;
	enum { FORK, FIRST, SECOND, WAIT, WAIT_AGAIN, REPORT, LEAVE };

	switch (t->stage++) {
	case FORK:
		step_cycles(step, 2 * m->row->cycles, PPM);
		return;
	case FIRST:
		step_spawn(step, make(ctx, READER, t->copy, task, "reader", (uint64_t)t->done));
		t->waiting = 0;
		return;
	case SECOND:
		step_spawn(step, make(ctx, WRITER, t->copy, task, "writer", (uint64_t)t->done));
		return;
	case WAIT:
		step_wait(step, &t->ended);
		return;
	case WAIT_AGAIN:
		step_wait(step, &t->ended);
		t->stage = ++t->done < PAIRS ? FORK : REPORT;
		return;
	case REPORT:
		m->operations++;
		step_post_exiting(step, &t->copy->told);
		return;
	default:
		step_exit(step);
	}
}

/* Of a pair: the one writes, the other waits for that. */
static void next_paired(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct micro *m = ctx->state;
	struct micro_task *t = task->priv;
	struct micro_task *script = t->parent->priv;
	enum { DATA, WORK, FEED, TELL, LEAVE };

	switch (t->stage++) {
	case DATA:
		if (t->role == READER)
			step_wait(step, &script->pipe);
		else
			step_cycles(step, 0, PPM);
		return;
	case WORK:
		step_cycles(step, m->row->child_cycles, PPM);
		return;
	case FEED:
		if (t->role == WRITER)
			step_post_sync(step, &script->pipe);
		else
			step_cycles(step, 0, PPM);
		return;
	case TELL:
		step_post_exiting(step, &script->ended);
		return;
	default:
		step_exit(step);
	}
}

static void next_alarm(struct micro *m, struct task *task, struct step *step)
{
	struct micro_task *t = task->priv;

	if (t->stage++ == 0) {
		step_until(step, m->duration_ns);
		return;
	}
	m->over = true;
	step_exit(step);
}

void micro_next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct micro_task *t = task->priv;

	switch ((enum role)t->role) {
	case CALLER:
		next_caller(ctx->state, task, step);
		return;
	case FORKER:
		next_forker(ctx, task, step);
		return;
	case CHILD:
		next_child(ctx, task, step);
		return;
	case PONGER:
		next_ponger(ctx, task, step);
		return;
	case RUNNER:
		next_runner(ctx, task, step);
		return;
	case SCRIPT:
		next_script(ctx, task, step);
		return;
	case WRITER:
	case READER:
		next_paired(ctx, task, step);
		return;
	case ALARM:
		next_alarm(ctx->state, task, step);
		return;
	}
}

static void build_copy(struct workload_ctx *ctx, struct micro *m, int64_t nr)
{
	static const enum role roles[] = { [MICRO_CALL] = CALLER,
		[MICRO_PROCESS] = FORKER,
		[MICRO_PINGPONG] = PONGER,
		[MICRO_SCRIPT] = RUNNER };
	struct micro_copy *copy = &m->copies[nr];
	enum micro_kind kind = m->row->kind;
	uint64_t stream = (uint64_t)nr << 32;
	int cpu = (int)(nr % ctx->nr_cpus);
	struct task *lead = make(ctx, roles[kind], copy, NULL, m->row->name, stream + 1);

	step_lead(ctx, lead, cpu);
	if (kind != MICRO_PINGPONG)
		return;
	copy->words[1].tokens = 1;
	task_start(ctx, make(ctx, PONGER, copy, lead, m->row->name, stream + 2), cpu);
}

void micro_build(struct workload_ctx *ctx, struct micro *m)
{
	m->copies = arena_array(ctx->arena, (size_t)m->nr_copies, sizeof(*m->copies));
	task_pool(ctx, (size_t)(m->nr_copies * tasks_per_copy(m->row) + 1));
	if (!m->repetitions)
		task_start(ctx, make(ctx, ALARM, NULL, NULL, "alarm", 0), 0);
	for (int64_t i = 0; i < m->nr_copies; i++)
		build_copy(ctx, m, i);
}

int micro_measure(const struct micro *m, int64_t elapsed_ns, struct measure *out)
{
	int nr = measure_rate(
		out, "operations", "operations per second", (double)m->operations, elapsed_ns);

	out[nr++] = (struct measure){ "time of one", "us",
		m->operations
			? (double)elapsed_ns / 1e3 * (double)m->nr_copies / (double)m->operations
			: 0 };
	return nr;
}
