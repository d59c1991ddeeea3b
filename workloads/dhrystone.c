/*
 * dhrystone: threads that compute without a system call, a given number of iterations each. By the
 * definition of the MIPS it is quoted in, an iteration takes 569 / (DMIPS per MHz) cycles; the
 * default is that of a Cortex-A72 (assumed), which is what 1024 of `dmips` in a machine file means
 * there. Ends when every thread has done its loops.
 */
#include "workloads/steps.h"

struct dhrystone_params {
	int64_t threads, loops, cycles, memory_share_ppm;
};

#define ROW(field, name, unit, min, max, def, help) \
	PARAM_INT(struct dhrystone_params, field, name, unit, min, max, def, help)

static const struct param params[] = {
	ROW(threads, "threads", UNIT_NONE, 1, 1000000, 1, "-t: threads"),
	ROW(loops, "loops", UNIT_NONE, 1, INT64_C(1000000000000), 10000000,
		"-l: iterations of each thread"),
	ROW(cycles, "cycles", UNIT_NONE, 1, 1000000, 120, "cycles of an iteration"),
	ROW(memory_share_ppm, "memory_share", UNIT_PPM, 0, PPM, 0,
		"share of the work that waits for memory and not for the clock"),
	PARAM_END,
};

/* An iteration per second of the machine that counts as 1 MIPS. */
#define ITERATIONS_PER_MIPS 1757

struct dhrystone_state {
	int64_t iterations;
};

struct dhrystone_task {
	bool ran;
};

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct dhrystone_params *p = ctx->params;
	struct dhrystone_state *s = ctx->state;
	struct dhrystone_task *t = task->priv;

	if (t->ran) {
		s->iterations += p->loops;
		step_exit(step);
		return;
	}
	step_cycles(step, p->loops * p->cycles, 0);
	step->mem_ppm = (uint32_t)p->memory_share_ppm;
	t->ran = true;
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct dhrystone_params *p = ctx->params;

	if (p->loops > CYCLES_MAX / p->cycles)
		return error_set(err, ERROR_SCENARIO,
			"dhrystone: %lld loops of %lld cycles do not fit in one stretch of work",
			(long long)p->loops, (long long)p->cycles);
	task_pool(ctx, (size_t)p->threads);
	for (int64_t i = 0; i < p->threads; i++)
		step_lead(
			ctx, step_task(ctx, "dhrystone", (uint64_t)i + 1), (int)(i % ctx->nr_cpus));
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct dhrystone_state *s = ctx->state;
	int nr = measure_rate(
		out, "dhrystones", "dhrystones per second", (double)s->iterations, elapsed_ns);

	out[nr++] = (struct measure){ "DMIPS", "", out[1].value / ITERATIONS_PER_MIPS };
	return nr;
}

const struct workload workload_dhrystone = {
	.name = "dhrystone",
	.summary = "threads that compute and nothing else",
	.params = params,
	.params_size = sizeof(struct dhrystone_params),
	.state_size = sizeof(struct dhrystone_state),
	.task_size = sizeof(struct dhrystone_task),
	.build = build,
	.next = next,
	.measure = measure,
};
