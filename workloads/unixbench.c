/*
 * unixbench: one of the tests of Byte Unixbench, run by a number of copies for a given time; what
 * counts is how often it was done. execl replaces itself again and again, spawn forks a child that
 * ends at once, pipe writes to itself and reads it back, context1 passes a word to another task and
 * back, shell1 and shell8 run 1 and 8 copies of a small script at a time and wait for all.
 *
 * Cycles are those of a 2.94 GHz x86 machine; those of execl and of a script are put together from
 * its fork and exec. Ends after `duration`, when each copy has finished what it was at.
 */
#include "workloads/micro.h"

struct unixbench_params {
	int64_t test, copies, duration_ns;
};

static const struct micro_row rows[] = {
	{ "execl", MICRO_CALL, 950000, 0, 0 },
	{ "spawn", MICRO_PROCESS, 240000, 123000, 0 },
	{ "pipe", MICRO_CALL, 1300, 0, 0 },
	{ "context1", MICRO_PINGPONG, 4000, 0, 0 },
	{ "shell1", MICRO_SCRIPT, 240000, 960000, 1 },
	{ "shell8", MICRO_SCRIPT, 240000, 960000, 8 },
};

static const char *const tests[] = { "execl", "spawn", "pipe", "context1", "shell1", "shell8",
	NULL };

static const struct param params[] = {
	PARAM_CHOICE(struct unixbench_params, test, "test", tests, 0, "which one"),
	PARAM_INT(struct unixbench_params, copies, "copies", UNIT_NONE, 1, 100000, 1,
		"-c: copies at a time"),
	PARAM_INT(struct unixbench_params, duration_ns, "duration", UNIT_NS, NSEC_PER_MSEC,
		3600 * NSEC_PER_SEC, 10 * NSEC_PER_SEC, "for how long"),
	PARAM_END,
};

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct unixbench_params *p = ctx->params;
	struct micro *m = ctx->state;

	(void)err;
	m->row = &rows[p->test];
	m->nr_copies = p->copies;
	m->duration_ns = p->duration_ns;
	micro_build(ctx, m);
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	return micro_measure(ctx->state, elapsed_ns, out);
}

const struct workload workload_unixbench = {
	.name = "unixbench",
	.summary = "execl, spawn, pipe, context1 or shell scripts, as often as possible",
	.params = params,
	.params_size = sizeof(struct unixbench_params),
	.state_size = sizeof(struct micro),
	.task_size = sizeof(struct micro_task),
	.build = build,
	.next = micro_next,
	.measure = measure,
};
