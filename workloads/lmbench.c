/*
 * lmbench: latency of one small thing, again and again: a system call, a process, a word through a
 * pipe and back. Defaults are cycles on a 2.94 GHz x86 machine. Ends after `repetitions`.
 */
#include "workloads/micro.h"

struct lmbench_params {
	int64_t test, repetitions, copies, cycles;
};

static const struct micro_row rows[] = {
	{ "null", MICRO_CALL, 330, 0, 0 },
	{ "read", MICRO_CALL, 444, 0, 0 },
	{ "write", MICRO_CALL, 343, 0, 0 },
	{ "stat", MICRO_CALL, 1131, 0, 0 },
	{ "fstat", MICRO_CALL, 559, 0, 0 },
	{ "open-close", MICRO_CALL, 2200, 0, 0 },
	{ "fork", MICRO_PROCESS, 240000, 123000, 0 },
	{ "exec", MICRO_PROCESS, 240000, 1150000, 0 },
	{ "shell", MICRO_PROCESS, 240000, 2790000, 0 },
	{ "pipe", MICRO_PINGPONG, 4000, 0, 0 },
};

static const char *const tests[] = { "null", "read", "write", "stat", "fstat", "open-close", "fork",
	"exec", "shell", "pipe", NULL };

static const struct param params[] = {
	PARAM_CHOICE(struct lmbench_params, test, "test", tests, 0,
		"what is done: a call, a process (fork, exec, shell), a round trip (pipe)"),
	PARAM_INT(struct lmbench_params, repetitions, "repetitions", UNIT_NONE, 1,
		INT64_C(1000000000000), 10000, "how often, by each copy"),
	PARAM_INT(struct lmbench_params, copies, "copies", UNIT_NONE, 1, 100000, 1,
		"how many do it at once"),
	PARAM_INT(struct lmbench_params, cycles, "cycles", UNIT_NONE, 1, INT64_C(1000000000),
		PARAM_AUTO,
		"cycles of a call, of a fork or of half a round trip; auto: as measured"),
	PARAM_END,
};

struct lmbench_state {
	struct micro micro;
	struct micro_row row;
};

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct lmbench_params *p = ctx->params;
	struct lmbench_state *s = ctx->state;

	(void)err;
	s->row = rows[p->test];
	if (p->cycles != PARAM_AUTO)
		s->row.cycles = p->cycles;
	s->micro.row = &s->row;
	s->micro.nr_copies = p->copies;
	s->micro.repetitions = p->repetitions;
	micro_build(ctx, &s->micro);
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	return micro_measure(ctx->state, elapsed_ns, out);
}

const struct workload workload_lmbench = {
	.name = "lmbench",
	.summary = "latency of system calls, processes and pipes",
	.params = params,
	.params_size = sizeof(struct lmbench_params),
	.state_size = sizeof(struct lmbench_state),
	.task_size = sizeof(struct micro_task),
	.build = build,
	.next = micro_next,
	.measure = measure,
};
