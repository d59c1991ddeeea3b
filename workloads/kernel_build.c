/*
 * kernel-build: make -jN of a kernel, as chains of short processes around one long one.
 *
 * make hands out compile jobs through a jobserver of N tokens; the first serial_jobs run one at a
 * time. A job is a shell that starts K+1 processes one after another, each after a short burst of
 * its own; the one in the middle is the compiler, long, and feeds a helper (the assembler behind a
 * pipe) during its last part. A process that starts on another CPU than its parent first pays for
 * cold caches, whatever the clock. Housekeeping threads wake at ticks on a slowly moving CPU.
 *
 * Stands for the build in the pcc-cpufreq thread (linux-pm, Aug-Oct 2016, A. Herrmann). Work is
 * given as time at the machine's reference clock. Elapsed time is make's.
 */
#include "sim/base/units.h"
#include "sim/workload.h"

struct build_params {
	int64_t jobs, units, tree, serial_jobs;
	int64_t long_mean_ns, long_sigma_ppm, long_sys_ppm;
	int64_t processes, short_mean_ns, parent_burst_ns;
	int64_t penalty_short_ns, penalty_long_ns;
	int64_t helper_gap_ns, helper_burst_ns, helper_part_ppm;
	int64_t housekeepers_ppm, housekeeper_burst_ns, housekeeper_move_ppm;
	int64_t memory_share_ppm;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct build_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(jobs, "jobs", UNIT_NONE, 1, 1000000, 8, "make -j: compile jobs at a time"),
	ROW(units, "units", UNIT_NONE, 1, 100000000, 1943, "compile jobs in all"),
	ROW(tree, "tree", UNIT_NONE, 0, INT64_MAX, 1,
		"which sources: their sizes are drawn from this and not from the run's seed"),
	ROW(serial_jobs, "serial_jobs", UNIT_NONE, 0, 100000000, 17,
		"of these, run one at a time before the others"),
	ROW(long_mean_ns, "long_mean", UNIT_NS, 1000, 100 * NSEC_PER_SEC, 186300000,
		"mean work of the compiler process, at the reference clock"),
	ROW(long_sigma_ppm, "long_sigma", UNIT_PPM, 0, 3 * PPM, 1060000, "its lognormal sigma"),
	ROW(long_sys_ppm, "long_sys_share", UNIT_PPM, 0, PPM, 70000,
		"share of it that counts as sys"),
	ROW(processes, "short_processes", UNIT_NONE, 0, 1000, 14,
		"short processes of a job beside the compiler"),
	ROW(short_mean_ns, "short_mean", UNIT_NS, 1000, 10 * NSEC_PER_SEC, 713000,
		"mean work of a short process, exponential"),
	ROW(parent_burst_ns, "parent_burst", UNIT_NS, 0, 10 * NSEC_PER_SEC, 120000,
		"work of the shell before each process"),
	ROW(penalty_short_ns, "start_penalty_short", UNIT_NS, 0, 10 * NSEC_PER_SEC, 1390000,
		"extra CPU time, at any clock, of a short process on another CPU than its parent"),
	ROW(penalty_long_ns, "start_penalty_long", UNIT_NS, 0, 10 * NSEC_PER_SEC, 20000000,
		"the same of the compiler"),
	ROW(helper_gap_ns, "helper_gap", UNIT_NS, 1000, 10 * NSEC_PER_SEC, 2500000,
		"compiler work between two wake-ups of the helper"),
	ROW(helper_burst_ns, "helper_burst", UNIT_NS, 0, 10 * NSEC_PER_SEC, 120000,
		"work of the helper per wake-up"),
	ROW(helper_part_ppm, "helper_part", UNIT_PPM, 0, PPM, 250000,
		"last part of the compiler's work that feeds the helper"),
	ROW(housekeepers_ppm, "housekeepers", UNIT_PPM, 0, 1000 * PPM, 2090000,
		"housekeeping threads; a fraction is a thread that wakes at that share of ticks"),
	ROW(housekeeper_burst_ns, "housekeeper_burst", UNIT_NS, 1, 10 * NSEC_PER_SEC, 40000,
		"work of a housekeeping thread per wake-up"),
	ROW(housekeeper_move_ppm, "housekeeper_move", UNIT_PPM, 0, PPM, 12000,
		"chance per wake-up that it moves to a random CPU"),
	ROW(memory_share_ppm, "memory_share", UNIT_PPM, 0, PPM, 240000,
		"share of the work that waits for memory and not for the clock"),
	PARAM_END,
};

enum role { ROLE_MAKE, ROLE_SHELL, ROLE_SHORT, ROLE_COMPILER, ROLE_HELPER, ROLE_HOUSEKEEPER };

struct build_task {
	enum role role;
	int stage;             /* what comes next, by role */
	int64_t unit;          /* make: units handed out; else the task's own unit */
	int64_t position;      /* shell: processes started; make: ends seen */
	int to_reap;           /* shell: children that have to end before it goes on */
	int64_t work_left_ns;  /* compiler */
	int64_t fed_ns;        /* compiler: the last part, that feeds the helper */
	struct task *parent;   /* the shell that waits for short, compiler or helper */
	struct task *helper;   /* compiler */
	struct channel signal; /* shell: a child has ended; helper: there is input, or no more */
	bool input_ended;      /* helper */
	int64_t share_ppm;     /* housekeeper: of ticks */
	int64_t next_tick;     /* housekeeper */
};

struct build_state {
	struct channel slots; /* the jobserver's tokens */
	struct channel ended; /* one per job that has ended */
};

static struct task *make_task(
	struct workload_ctx *ctx, enum role role, int64_t unit, int64_t position, const char *name)
{
	struct task *task = task_take(ctx);
	struct build_task *b = task->priv;

	b->role = role;
	b->unit = unit;
	task->name = name;
	/* Unit and place in the unit name the stream; 0 is left to the housekeepers. */
	rng_set(&task->rng, ctx->seed,
		(uint64_t)(unit + 1) << 16 | (uint64_t)role << 12 | (uint64_t)position);
	return task;
}

static void run(struct workload_ctx *ctx, struct step *step, int64_t work_ns, int64_t sys_ppm)
{
	const struct build_params *p = ctx->params;

	step->kind = STEP_RUN;
	step->work = work_ns * ctx->reference_khz;
	step->mem_ppm = (uint32_t)p->memory_share_ppm;
	step->sys_ppm = (uint32_t)sys_ppm;
}

static void post(struct step *step, struct channel *channel)
{
	step->kind = STEP_POST;
	step->channel = channel;
}

static void wait_for(struct step *step, struct channel *channel)
{
	step->kind = STEP_WAIT;
	step->channel = channel;
}

/* make: take a token, start a job, again; alone at first, all at the end. */
static void next_make(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct build_params *p = ctx->params;
	struct build_state *state = ctx->state;
	struct build_task *b = task->priv;
	enum { TAKE, START, AWAIT, COUNT };

	if (b->stage == TAKE && b->unit == p->units)
		b->stage = COUNT;
	switch (b->stage) {
	case TAKE:
		wait_for(step, &state->slots);
		b->stage = START;
		return;
	case START:
		step->kind = STEP_SPAWN;
		step->child = make_task(ctx, ROLE_SHELL, b->unit, 0, "sh");
		b->stage = b->unit < p->serial_jobs ? AWAIT : TAKE;
		b->unit++;
		return;
	case AWAIT:
		wait_for(step, &state->ended);
		b->position++;
		b->stage = TAKE;
		return;
	default:
		if (b->position++ < p->units)
			wait_for(step, &state->ended);
		else
			step->kind = STEP_EXIT;
	}
}

/* Who builds the same sources again compiles the same sizes again. */
static int64_t compiler_work_ns(const struct build_params *p, int64_t unit)
{
	struct rng rng;

	rng_set(&rng, (uint64_t)p->tree, (uint64_t)unit);
	return rng_lognormal_ns(&rng, p->long_mean_ns, (double)p->long_sigma_ppm / (double)PPM);
}

static struct task *make_child(struct workload_ctx *ctx, struct task *shell)
{
	const struct build_params *p = ctx->params;
	struct build_task *s = shell->priv;
	bool compiler = s->position == p->processes / 2;
	struct task *child = make_task(ctx, compiler ? ROLE_COMPILER : ROLE_SHORT, s->unit,
		s->position, compiler ? "cc1" : "short");
	struct build_task *c = child->priv;

	c->parent = shell;
	if (compiler) {
		s->to_reap = 2; /* the helper ends too */
		c->work_left_ns = compiler_work_ns(p, s->unit);
		c->fed_ns = c->work_left_ns / 1000 * p->helper_part_ppm / 1000;
	} else {
		s->to_reap = 1;
		c->work_left_ns = rng_exponential_ns(&child->rng, p->short_mean_ns);
	}
	return child;
}

/* The shell: a burst, a process, its end; K+1 times; then the token goes back. */
static void next_shell(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct build_params *p = ctx->params;
	struct build_state *state = ctx->state;
	struct build_task *b = task->priv;
	enum { BURST, FORK, REAP, RETURN, REPORT, LEAVE };

	switch (b->stage) {
	case BURST:
		run(ctx, step, p->parent_burst_ns, PPM);
		b->stage = FORK;
		return;
	case FORK:
		step->kind = STEP_SPAWN;
		step->child = make_child(ctx, task);
		b->stage = REAP;
		return;
	case REAP:
		wait_for(step, &b->signal);
		if (--b->to_reap == 0)
			b->stage = ++b->position > p->processes ? RETURN : BURST;
		return;
	case RETURN:
		post(step, &state->slots);
		b->stage = REPORT;
		return;
	case REPORT:
		post(step, &state->ended);
		b->stage = LEAVE;
		return;
	default:
		step->kind = STEP_EXIT;
	}
}

static void tell_parent(struct step *step, const struct task *task)
{
	const struct build_task *b = task->priv;

	post(step, &((struct build_task *)b->parent->priv)->signal);
}

/* Cold caches cost a process that starts away from its parent. */
static int64_t start_penalty(const struct task *task, int64_t penalty_ns)
{
	const struct build_task *b = task->priv;

	return task->cpu == b->parent->cpu ? 0 : penalty_ns;
}

static void next_short(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct build_params *p = ctx->params;
	struct build_task *b = task->priv;
	enum { WORK, NOTIFY, LEAVE };

	switch (b->stage++) {
	case WORK:
		run(ctx, step, b->work_left_ns, PPM);
		step->fixed_ns = start_penalty(task, p->penalty_short_ns);
		return;
	case NOTIFY:
		tell_parent(step, task);
		return;
	default:
		step->kind = STEP_EXIT;
	}
}

/* The compiler: work without output, then work in pieces that each feed the helper. */
static void next_compiler(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct build_params *p = ctx->params;
	struct build_task *b = task->priv;
	struct build_task *h = b->helper ? b->helper->priv : NULL;
	int64_t piece;
	enum { HELPER, QUIET, PIECE, FEED, CLOSE, NOTIFY, LEAVE };

	switch (b->stage) {
	case HELPER:
		b->helper = make_task(ctx, ROLE_HELPER, b->unit, 0, "as");
		((struct build_task *)b->helper->priv)->parent = b->parent;
		step->kind = STEP_SPAWN;
		step->child = b->helper;
		b->stage = QUIET;
		return;
	case QUIET:
		run(ctx, step, b->work_left_ns - b->fed_ns, p->long_sys_ppm);
		step->fixed_ns = start_penalty(task, p->penalty_long_ns);
		b->work_left_ns = b->fed_ns;
		b->stage = PIECE;
		return;
	case PIECE:
		piece = min_i64(p->helper_gap_ns, b->work_left_ns);
		run(ctx, step, piece, p->long_sys_ppm);
		b->work_left_ns -= piece;
		b->stage = b->work_left_ns > 0 ? FEED : CLOSE;
		return;
	case FEED:
		post(step, &h->signal);
		b->stage = PIECE;
		return;
	case CLOSE:
		h->input_ended = true;
		post(step, &h->signal);
		b->stage = NOTIFY;
		return;
	case NOTIFY:
		tell_parent(step, task);
		b->stage = LEAVE;
		return;
	default:
		step->kind = STEP_EXIT;
	}
}

static void next_helper(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct build_params *p = ctx->params;
	struct build_task *b = task->priv;
	enum { READ, WORK, LEAVE };

	if (b->stage == WORK) {
		run(ctx, step, p->helper_burst_ns, p->long_sys_ppm);
		b->stage = READ;
	} else if (b->stage == LEAVE) {
		step->kind = STEP_EXIT;
	} else if (b->input_ended && b->signal.tokens == 0) {
		tell_parent(step, task);
		b->stage = LEAVE;
	} else {
		wait_for(step, &b->signal);
		b->stage = WORK;
	}
}

static void next_housekeeper(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct build_params *p = ctx->params;
	struct build_task *b = task->priv;

	if (b->stage) {
		run(ctx, step, p->housekeeper_burst_ns, PPM);
		b->stage = 0;
		return;
	}
	do
		b->next_tick++;
	while (!rng_chance(&task->rng, b->share_ppm));
	step->kind = STEP_UNTIL;
	step->ns = b->next_tick * ctx->tick_ns;
	if (rng_chance(&task->rng, p->housekeeper_move_ppm))
		step->move_cpu = (int)rng_below(&task->rng, (uint32_t)ctx->nr_cpus);
	b->stage = 1;
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	static void (*const by_role[])(struct workload_ctx *, struct task *, struct step *) = {
		[ROLE_MAKE] = next_make,
		[ROLE_SHELL] = next_shell,
		[ROLE_SHORT] = next_short,
		[ROLE_COMPILER] = next_compiler,
		[ROLE_HELPER] = next_helper,
		[ROLE_HOUSEKEEPER] = next_housekeeper,
	};
	const struct build_task *b = task->priv;

	by_role[b->role](ctx, task, step);
}

static void build_housekeepers(struct workload_ctx *ctx)
{
	const struct build_params *p = ctx->params;
	int64_t left = p->housekeepers_ppm;

	for (int64_t i = 0; left > 0; i++, left -= PPM) {
		struct task *task = make_task(ctx, ROLE_HOUSEKEEPER, -1, i, "housekeeper");
		struct build_task *b = task->priv;

		b->share_ppm = min_i64(left, PPM);
		task->charged = false;
		task_start(ctx, task, (int)rng_below(&task->rng, (uint32_t)ctx->nr_cpus));
	}
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct build_params *p = ctx->params;
	struct build_state *state = ctx->state;

	if (p->serial_jobs > p->units)
		return error_set(err, ERROR_SCENARIO,
			"kernel-build: serial_jobs %lld is more than units %lld",
			(long long)p->serial_jobs, (long long)p->units);
	/* Alive at once: make, the housekeepers and per job a shell, its process and a helper, and
	 * the shell of the next job while the last one reports. */
	int64_t jobs = min_i64(p->jobs, p->units);
	task_pool(ctx, (size_t)(1 + 4 * jobs + ceil_div_i64(p->housekeepers_ppm, PPM)));
	state->slots.tokens = p->jobs;
	struct task *make = make_task(ctx, ROLE_MAKE, 0, 0, "make");
	make->leading = true;
	task_start(ctx, make, 0);
	build_housekeepers(ctx);
	return 0;
}

const struct workload workload_kernel_build = {
	.name = "kernel-build",
	.summary = "make -jN of a kernel: short processes around a compiler, jobserver, helper",
	.params = params,
	.params_size = sizeof(struct build_params),
	.state_size = sizeof(struct build_state),
	.task_size = sizeof(struct build_task),
	.build = build,
	.next = next,
};
