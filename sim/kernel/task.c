#include "sim/kernel/task.h"

#include <assert.h>
#include <string.h>

#include "sim/kernel/rq.h"
#include "sim/kernel/step.h"
#include "sim/workload.h"

void task_pool(struct workload_ctx *ctx, size_t nr)
{
	struct kernel *kernel = ctx->kernel;
	struct task *tasks = arena_array(ctx->arena, nr, sizeof(*tasks));
	char *priv = arena_array(ctx->arena, nr, ctx->task_size);

	for (size_t i = 0; i < nr; i++) {
		struct task *task = &tasks[i];

		task->kernel = kernel;
		task->priv = priv + i * ctx->task_size;
		task_timer_init(kernel, task);
		task->wait_next = kernel->pool;
		kernel->pool = task;
	}
}

struct task *task_take(struct workload_ctx *ctx)
{
	struct kernel *kernel = ctx->kernel;
	struct task *task = kernel->pool;

	assert(task);
	kernel->pool = task->wait_next;
	*task = (struct task){
		.kernel = kernel,
		.wake = task->wake,
		.priv = task->priv,
		.state = TASK_NEW,
		.charged = true,
		.weight = 1024,
	};
	task_pelt_init(&task->pelt, (uint64_t)task->weight << 10);
	memset(task->priv, 0, ctx->task_size);
	return task;
}

void task_start(struct workload_ctx *ctx, struct task *task, int cpu)
{
	struct kernel *kernel = ctx->kernel;

	assert(task->state == TASK_NEW);
	if (task->leading)
		kernel->leading++;
	task->cpu = cpu < 0 ? 0 : cpu;
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
		timer_arm(&task->wake, 0);
	}
}
