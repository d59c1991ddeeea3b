/*
 * make-test: a long shell script, such as the test suite of git: one command after the other, each
 * a process of its own, with a little disk I/O in each and a longer wait at a commit now and then.
 * At most one task runs most of the time, under ever new PIDs.
 *
 * Work of a process is lognormal, as in a recording of such a script on a 2.94 GHz x86 machine
 * (median 3.3 M cycles, sigma 0.5). Ends after the last process.
 */
#include <math.h>

#include "workloads/steps.h"

struct script_params {
	int64_t processes, shell_cycles, median_cycles, sigma_ppm;
	int64_t io_min_ns, io_max_ns, commit_every, commit_min_ns, commit_max_ns;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct script_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(processes, "processes", UNIT_NONE, 1, INT64_C(1000000000), 10000, "commands in all"),
	ROW(shell_cycles, "fork", UNIT_NONE, 1, INT64_C(1000000000), 363000,
		"cycles of the shell to start one"),
	ROW(median_cycles, "work", UNIT_NONE, 1, INT64_C(1000000000000), 3300000,
		"median cycles of a command, lognormal"),
	ROW(sigma_ppm, "work_sigma", UNIT_PPM, 0, 5 * PPM, 500000, "its sigma"),
	ROW(io_min_ns, "io_min", UNIT_NS, 0, 3600 * NSEC_PER_SEC, 30000,
		"shortest wait of a command for the disk"),
	ROW(io_max_ns, "io_max", UNIT_NS, 0, 3600 * NSEC_PER_SEC, 80000, "longest"),
	ROW(commit_every, "commit_every", UNIT_NONE, 0, INT64_C(1000000000), 8,
		"every so manieth command commits to disk; 0: none"),
	ROW(commit_min_ns, "commit_min", UNIT_NS, 0, 3600 * NSEC_PER_SEC, 1000000,
		"shortest wait of a commit (assumed)"),
	ROW(commit_max_ns, "commit_max", UNIT_NS, 0, 3600 * NSEC_PER_SEC, 10000000,
		"longest (assumed)"),
	PARAM_END,
};

struct script_state {
	struct channel ended;
	int64_t done;
};

struct script_task {
	bool command;
	int stage;
	int64_t nr; /* the shell: commands started; else which one it is */
};

/* Evenly between the two; one draw. */
static int64_t between_ns(struct rng *rng, int64_t min_ns, int64_t max_ns)
{
	int64_t span = max_i64(max_ns - min_ns, 0);
	int64_t ppm = rng_below(rng, 1000001);

	return min_ns + span / 1000000 * ppm + span % 1000000 * ppm / 1000000;
}

static void next_shell(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct script_params *p = ctx->params;
	struct script_state *s = ctx->state;
	struct script_task *t = task->priv;
	struct task *child;
	enum { FORK, SPAWN, WAIT };

	switch (t->stage) {
	case FORK:
		if (t->nr == p->processes) {
			step_exit(step);
			return;
		}
		step_cycles(step, p->shell_cycles, PPM);
		t->stage = SPAWN;
		return;
	case SPAWN:
		child = step_task(ctx, "command", (uint64_t)t->nr + 2);
		*(struct script_task *)child->priv = (struct script_task){ .command = true,
			.nr = t->nr++ };
		step_spawn(step, child);
		t->stage = WAIT;
		return;
	default:
		step_wait(step, &s->ended);
		t->stage = FORK;
	}
}

static int64_t command_cycles(const struct script_params *p, struct rng *rng)
{
	double sigma = (double)p->sigma_ppm / (double)PPM;
	/* A lognormal with this median has this mean. */
	double mean = (double)p->median_cycles * exp(sigma * sigma / 2.0);

	return rng_lognormal_ns(rng, (int64_t)mean, sigma);
}

static void next_command(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct script_params *p = ctx->params;
	struct script_state *s = ctx->state;
	struct script_task *t = task->priv;
	enum { WORK, DISK, COMMIT, REPORT, LEAVE };

	switch (t->stage++) {
	case WORK:
		step_cycles(step, command_cycles(p, &task->rng), PPM / 2);
		return;
	case DISK:
		step_io(step, between_ns(&task->rng, p->io_min_ns, p->io_max_ns));
		return;
	case COMMIT:
		step_io(step, 0);
		if (p->commit_every && (t->nr + 1) % p->commit_every == 0)
			step_io(step, between_ns(&task->rng, p->commit_min_ns, p->commit_max_ns));
		return;
	case REPORT:
		s->done++;
		step_post_exiting(step, &s->ended);
		return;
	default:
		step_exit(step);
	}
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct script_task *t = task->priv;

	if (t->command)
		next_command(ctx, task, step);
	else
		next_shell(ctx, task, step);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct script_params *p = ctx->params;

	if (p->io_min_ns > p->io_max_ns || p->commit_min_ns > p->commit_max_ns)
		return error_set(err, ERROR_SCENARIO,
			"make-test: a shortest wait is longer than the longest");
	/* The shell, a command, and the one before that has told and not left yet. */
	task_pool(ctx, 3);
	step_lead(ctx, step_task(ctx, "shell", 1), 0);
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct script_state *s = ctx->state;

	return measure_rate(out, "processes", "processes per second", (double)s->done, elapsed_ns);
}

const struct workload workload_make_test = {
	.name = "make-test",
	.summary = "a serial shell script: many short processes, a little disk I/O",
	.params = params,
	.params_size = sizeof(struct script_params),
	.state_size = sizeof(struct script_state),
	.task_size = sizeof(struct script_task),
	.build = build,
	.next = next,
	.measure = measure,
};
