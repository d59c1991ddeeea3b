#include "workloads/trace/newidle.h"

struct trace_put_cpu {
	int64_t waiting;
	bool off; /* it idles, or is not known */
};

void trace_new_tasks_init(struct trace_new_tasks *tasks, struct arena *arena)
{
	*tasks = (struct trace_new_tasks){
		.cpus = arena_array(arena, TRACE_MAX_CPUS, sizeof(*tasks->cpus)),
	};
	for (int cpu = 0; cpu < TRACE_MAX_CPUS; cpu++)
		tasks->cpus[cpu].off = true;
}

void trace_new_tasks_put(struct trace_new_tasks *tasks, struct trace_task *task, int cpu)
{
	if (cpu < 0 || cpu >= TRACE_MAX_CPUS || task->put_cpu >= 0)
		return;
	task->put_cpu = cpu;
	task->put_epoch = tasks->epoch;
	tasks->cpus[cpu].waiting++;
	if (cpu >= tasks->nr_cpus)
		tasks->nr_cpus = cpu + 1;
}

void trace_new_tasks_lost(struct trace_new_tasks *tasks)
{
	for (int cpu = 0; cpu < tasks->nr_cpus; cpu++)
		tasks->cpus[cpu].waiting = 0;
	tasks->epoch++;
}

static bool one_waits_elsewhere(const struct trace_new_tasks *tasks, int than)
{
	for (int cpu = 0; cpu < tasks->nr_cpus; cpu++)
		if (cpu != than && tasks->cpus[cpu].waiting > 0 && !tasks->cpus[cpu].off)
			return true;
	return false;
}

/* Where the task was put that has its first turn now; -1: it has run before, or is forgotten. */
static int take(struct trace_new_tasks *tasks, struct trace_task *task)
{
	int cpu = task->put_cpu;

	task->put_cpu = -1;
	if (cpu < 0 || task->put_epoch != tasks->epoch)
		return -1;
	tasks->cpus[cpu].waiting--;
	return cpu;
}

void trace_new_tasks_switch(struct trace_new_tasks *tasks, struct trace_newidle *newidle, int cpu,
	struct trace_task *next, bool rests, bool off)
{
	int from = take(tasks, next);
	bool pulled = from >= 0 && from != cpu;

	if (rests && (pulled || (next->idle && one_waits_elsewhere(tasks, cpu)))) {
		newidle->looks++;
		newidle->pulls += pulled;
	}
	tasks->cpus[cpu].off = off;
}
