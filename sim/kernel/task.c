#include "sim/kernel/task.h"

#include <assert.h>
#include <string.h>

#include "sim/kernel/rq.h"
#include "sim/kernel/rt.h"
#include "sim/kernel/step.h"
#include "sim/workload.h"

void task_pool(struct workload_ctx *ctx, size_t nr)
{
	struct kernel *kernel = ctx->kernel;
	struct task *tasks = arena_array(ctx->arena, nr, sizeof(*tasks));
	char *priv = arena_array(ctx->arena, nr, ctx->task_size);
	struct task_block *block = arena_alloc(ctx->arena, sizeof(*block));

	*block = (struct task_block){ tasks, nr, kernel->blocks };
	kernel->blocks = block;

	for (size_t i = 0; i < nr; i++) {
		struct task *task = &tasks[i];

		task->kernel = kernel;
		task->priv = priv + i * ctx->task_size;
		task_timer_init(kernel, task);
		rt_timer_init(kernel, task);
		task->wait_next = ctx->pool;
		ctx->pool = task;
	}
}

struct task *task_take(struct workload_ctx *ctx)
{
	struct kernel *kernel = ctx->kernel;
	struct task *task = ctx->pool;

	assert(task);
	ctx->pool = task->wait_next;
	*task = (struct task){
		.kernel = kernel,
		.ctx = ctx,
		.wake = task->wake,
		.dl_timer = task->dl_timer,
		.priv = task->priv,
		.state = TASK_NEW,
		.charged = !ctx->beside,
		.allowed = ctx->cpuset,
		.weight = 1024,
		.woken_ns = -1,
		.uclamp.max = CAPACITY_SCALE,
		.pid = ++kernel->trace.last_pid,
	};
	/* Ticks find a task anywhere in its bursts: where the first does is as good as random. */
	task->tick_rest = (uint32_t)((uint64_t)task->pid * 618034 % PPM);
	task_pelt_init(&task->pelt, (uint64_t)task->weight << 10);
	memset(task->priv, 0, ctx->task_size);
	return task;
}

uint32_t nice_weight(int nice)
{
	/* sched_prio_to_weight[] of kernel/sched/core.c. */
	static const uint32_t weights[] = { 88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705,
		14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277, 1024, 820,
		655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15 };

	assert(nice >= -20 && nice <= 19);
	return weights[nice + 20];
}

void task_set_nice(struct task *task, int nice)
{
	task->weight = nice_weight(nice);
	task_pelt_init(&task->pelt, (uint64_t)task->weight << 10);
}

void task_set_rt(struct task *task, int priority, bool round_robin)
{
	assert(priority >= 1 && priority <= RT_PRIORITY_MAX);
	task->class = round_robin ? TASK_RR : TASK_FIFO;
	task->rt_priority = priority;
	/* sysctl_sched_uclamp_util_min_rt_default. */
	task->uclamp.min = CAPACITY_SCALE;
}

void task_set_deadline(struct task *task, int64_t runtime_ns, int64_t period_ns)
{
	assert(runtime_ns > 0 && runtime_ns <= period_ns && period_ns <= NSEC_PER_SEC);
	task->class = TASK_DEADLINE;
	task->dl = (struct dl_state){
		.runtime_ns = runtime_ns,
		.period_ns = period_ns,
		.bandwidth = dl_bandwidth((uint64_t)period_ns, (uint64_t)runtime_ns),
	};
	task->kernel->dl_reserved += task->dl.bandwidth;
}

void task_set_uclamp(struct task *task, uint32_t min, uint32_t max)
{
	assert(min <= max && max <= CAPACITY_SCALE);
	task->uclamp = (struct uclamp){ min, max };
	task->kernel->uclamp_used = true;
}

bool task_may_run(const struct task *task, int cpu)
{
	if (!cpumask_test(&task->kernel->online, cpu))
		return false;
	return task->pinned ? cpu == task->cpu : cpumask_test(task->allowed, cpu);
}

void task_set_cpus(struct task *task, const struct cpumask *allowed)
{
	struct workload_ctx *ctx = task->ctx;

	if (!ctx->cpuset) {
		task->allowed = allowed;
		return;
	}
	if (allowed != ctx->affinity) {
		ctx->affinity = allowed;
		ctx->confined = arena_alloc(ctx->arena, sizeof(*ctx->confined));
		for (int cpu = 0; cpu < ctx->nr_cpus; cpu++)
			cpumask_assign(ctx->confined, cpu,
				cpumask_test(allowed, cpu) && cpumask_test(ctx->cpuset, cpu));
	}
	if (cpumask_count(ctx->confined, NULL, 0, ctx->nr_cpus) > 0)
		task->allowed = ctx->confined;
}

void task_start(struct workload_ctx *ctx, struct task *task, int cpu)
{
	struct kernel *kernel = ctx->kernel;

	assert(task->state == TASK_NEW);
	task->leading = task->leading && !ctx->beside;
	if (task->leading)
		kernel->leading++;
	task->cpu = cpu < 0 ? 0 : cpu;
	/* A CPU of its own outside the cpuset is not granted. */
	task->pinned = task->pinned && cpumask_test(ctx->cpuset, task->cpu);
	task->state = TASK_SLEEPING;
	task->wait_next = kernel->at_start;
	kernel->at_start = task;
}

void task_start_all(struct kernel *kernel)
{
	struct task *task, *order = NULL;

	/* The list is newest first: turn it, so that tasks start in the order they were named. */
	while ((task = kernel->at_start)) {
		kernel->at_start = task->wait_next;
		task->wait_next = order;
		order = task;
	}
	while ((task = order)) {
		order = task->wait_next;
		timer_arm(&task->wake, task->ctx->start_ns);
	}
}
