#include "sim/kernel/cputime.h"

#include "sim/base/units.h"
#include "sim/kernel/rq.h"

void cputime_idle_passed(struct rq *rq)
{
	int64_t now = rq->kernel->engine->now_ns;
	int64_t ns = now - rq->idle_from_ns;

	if (rq->nr_iowait > 0)
		rq->iowait_ns += ns;
	else
		rq->idle_ns += ns;
	rq->idle_from_ns = now;
}

void cputime_tick(struct task *task)
{
	task->tick_rest += task->sys_ppm;
	if (task->tick_rest >= PPM) {
		task->tick_rest -= (uint32_t)PPM;
		task->sys_ticks++;
	} else {
		task->user_ticks++;
	}
}

/* The sys part of a task's CPU time. */
static int64_t split_sys_ns(const struct task *task)
{
	int64_t run_ns = task->user_ns + task->sys_ns;
	int64_t ticks = task->user_ticks + task->sys_ticks;

	if (task->kernel->spec->cputime == CPUTIME_PRECISE)
		return task->sys_ns;
	if (task->sys_ticks == 0)
		return 0;
	if (task->user_ticks == 0)
		return run_ns;
	return run_ns / ticks * task->sys_ticks + run_ns % ticks * task->sys_ticks / ticks;
}

static void add_split(const struct task *task, int64_t *user_ns, int64_t *sys_ns)
{
	int64_t sys = split_sys_ns(task);

	*sys_ns += sys;
	*user_ns += task->user_ns + task->sys_ns - sys;
}

void cputime_exit(struct task *task)
{
	struct kernel *kernel = task->kernel;

	if (task->charged)
		add_split(task, &kernel->gone_user_ns, &kernel->gone_sys_ns);
}

void cputime_reported(const struct kernel *kernel, int64_t *user_ns, int64_t *sys_ns)
{
	*user_ns = kernel->gone_user_ns;
	*sys_ns = kernel->gone_sys_ns;
	for (const struct task_block *block = kernel->blocks; block; block = block->next)
		for (size_t i = 0; i < block->nr; i++)
			if (block->tasks[i].state != TASK_FREE && block->tasks[i].charged)
				add_split(&block->tasks[i], user_ns, sys_ns);
}

void cputime_read(struct kernel *kernel, int cpu, struct cputime *out)
{
	struct rq *rq = &kernel->rqs[cpu];

	if (rq->idle)
		cputime_idle_passed(rq);
	out->wall_us = (uint64_t)(kernel->engine->now_ns / NSEC_PER_USEC);
	out->idle_us = (uint64_t)(rq->idle_ns / NSEC_PER_USEC);
	out->iowait_us = (uint64_t)(rq->iowait_ns / NSEC_PER_USEC);
	out->nice_us = (uint64_t)(rq->nice_ns / NSEC_PER_USEC);
}
