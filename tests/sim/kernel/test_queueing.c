#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/run.h"
#include "drivers/drivers.h"
#include "governors/governors.h"

/*
 * One CPU at a fixed clock, jobs that arrive as a Poisson process with exponential work: theory
 * knows how many there are on the mean, u / (1 - u), in whatever order they share the CPU. The mean
 * over time is compared inside the 99 % interval of its batches.
 */

#define KHZ 2000000
#define WORK_MEAN_NS NSEC_PER_MSEC
#define BATCHES 30
/* Student's t, 29 degrees of freedom, 99.5 %. */
#define T_995 2.756
#define JOBS_MAX 4000

struct job_task {
	bool is_source, worked;
};

static struct {
	struct kernel *kernel;
	int64_t gap_ns; /* mean between two arrivals */
	int64_t jobs;   /* in the system */
	int64_t since_ns, batch_ns;
	int batch;
	double sum[BATCHES]; /* jobs x ns */
} queue;

/* The number of jobs changes: the time since the last change belongs to the old one. */
static void jobs_change(int change)
{
	int64_t now = queue.kernel->engine->now_ns;

	while (queue.batch < BATCHES && now > queue.since_ns) {
		int64_t end = (queue.batch + 1) * queue.batch_ns;
		int64_t until = now < end ? now : end;

		queue.sum[queue.batch] += (double)queue.jobs * (double)(until - queue.since_ns);
		queue.since_ns = until;
		queue.batch += until == end;
	}
	queue.jobs += change;
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct job_task *job = task->priv;

	if (job->is_source && !job->worked) {
		job->worked = true;
		step->kind = STEP_SLEEP;
		step->ns = rng_exponential_ns(&task->rng, queue.gap_ns);
	} else if (job->is_source) {
		job->worked = false;
		step->kind = STEP_SPAWN;
		step->child = task_take(ctx);
		/* A stream of its own for the work, drawn from the source's. */
		rng_set(&step->child->rng, ctx->seed + 1, rng_below(&task->rng, UINT32_MAX));
		jobs_change(1);
	} else if (!job->worked) {
		job->worked = true;
		step->kind = STEP_RUN;
		step->work = rng_exponential_ns(&task->rng, WORK_MEAN_NS) * KHZ;
	} else {
		step->kind = STEP_EXIT;
		jobs_change(-1);
	}
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	struct task *source;

	(void)err;
	queue.kernel = ctx->kernel;
	task_pool(ctx, JOBS_MAX);
	source = task_take(ctx);
	((struct job_task *)source->priv)->is_source = true;
	rng_set(&source->rng, ctx->seed, 1);
	/* Arrivals wait for nobody. */
	task_set_rt(source, 99, false);
	task_start(ctx, source, 0);
	return 0;
}

static const struct workload workload_queue = {
	.name = "queue",
	.summary = "Poisson arrivals, exponential work",
	.task_size = sizeof(struct job_task),
	.build = build,
	.next = next,
};

static const char yaml[] = "machine:\n"
			   "  name: one\n"
			   "  summary: one CPU\n"
			   "  reference: 2GHz\n"
			   "  cpus: [{ cpus: 0, package: 0 }]\n"
			   "  policies: per-cpu\n"
			   "  clock: { scope: cpu, vote: all }\n"
			   "  voltage_points: [{ freq: 2GHz, voltage: 1V }]\n"
			   "  idle: [{ name: C1, exit_latency: 0us, target_residency: 0us }]\n"
			   "  power: { ceff: 1000 }\n"
			   "kernel: { version: \"6.1\", hz: 250 }\n"
			   "driver: 'null'\n"
			   "governor: performance\n"
			   "workload: queue\n";

static void run_for(double u, int64_t batch_ns)
{
	static struct arena arena;
	static struct scenario scenario;
	static struct run run;
	const struct workload *const all[] = { &workload_queue, NULL };
	const struct catalog catalog = { governors, drivers, all };
	struct error err = { 0 };
	struct node *root;

	queue.gap_ns = (int64_t)((double)WORK_MEAN_NS / u);
	queue.batch_ns = batch_ns;
	cr_assert(not(arena_try(&arena)));
	if (yaml_read_text(&arena, "tests/data/queue.yaml", yaml, &root, &err) < 0 ||
		scenario_from_tree(&arena, &catalog, root, &scenario, &err) < 0)
		cr_fatal("%s", err.text);
	scenario.run.duration_ns = BATCHES * batch_ns + 1;
	if (run_build(&run, &scenario, 0, &err) < 0 || run_execute(&run, &err) < 0)
		cr_fatal("%s", err.text);
	jobs_change(0);
	run_free(&run);
	arena_free(&arena);
}

static void mean_number_agrees(double u, int64_t batch_ns)
{
	double mean = 0, var = 0, half, theory = u / (1 - u);

	run_for(u, batch_ns);
	for (int i = 0; i < BATCHES; i++)
		mean += queue.sum[i] / (double)batch_ns / BATCHES;
	for (int i = 0; i < BATCHES; i++) {
		double d = queue.sum[i] / (double)batch_ns - mean;

		var += d * d / (BATCHES - 1);
	}
	half = T_995 * sqrt(var / BATCHES);
	fprintf(stderr, "u = %.1f: %.4f +- %.4f, theory %.4f\n", u, mean, half, theory);
	cr_assert(lt(dbl, fabs(mean - theory), half));
	/* The interval says something. */
	cr_assert(lt(dbl, half, 0.12 * theory));
}

Test(queueing, jobs_on_a_cpu_that_is_busy_for_a_third)
{
	mean_number_agrees(0.3, 4 * NSEC_PER_SEC);
}

Test(queueing, jobs_on_a_cpu_that_is_busy_for_two_thirds)
{
	mean_number_agrees(0.6, 10 * NSEC_PER_SEC);
}

Test(queueing, jobs_on_a_cpu_that_is_nearly_always_busy)
{
	mean_number_agrees(0.9, 40 * NSEC_PER_SEC);
}
