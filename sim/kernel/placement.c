#include "sim/kernel/placement.h"

#include <assert.h>

#include "sim/kernel/rq.h"
#include "sim/kernel/rt.h"

int placement_allowed(const struct kernel *kernel, const struct task *task, int cpu)
{
	int nr = kernel->machine->nr_cpus;

	for (int i = 0; i < nr; i++)
		if (task_may_run(task, (cpu + i) % nr))
			return (cpu + i) % nr;
	assert(0 && "a task may run somewhere");
	return cpu;
}

/* The first idle CPU of the package from @cpu on, round to it; -1: none. */
static int idle_in_package(const struct kernel *kernel, const struct task *task, int cpu)
{
	const struct package *package = kernel->machine->cpus[cpu].package;
	int first = package->first_cpu, end = first + package->nr_cpus;
	int found = cpumask_next(&kernel->idle, task->allowed, cpu, end);

	return found >= 0 ? found : cpumask_next(&kernel->idle, task->allowed, first, cpu);
}

int placement_idle_near(const struct kernel *kernel, const struct task *task, int cpu)
{
	int found = idle_in_package(kernel, task, cpu);

	return found >= 0 ? found
			  : cpumask_next(&kernel->idle, task->allowed, 0, kernel->machine->nr_cpus);
}

static int idle_sibling(const struct kernel *kernel, const struct task *task)
{
	int cpu = task->cpu, found = idle_in_package(kernel, task, cpu);

	return found >= 0 ? found : placement_allowed(kernel, task, cpu);
}

/* Idle CPUs of the package that the task may run on. */
static int count_idle(
	const struct kernel *kernel, const struct task *task, const struct package *package)
{
	if (!task->allowed)
		return kernel->nr_idle[package->id];
	return cpumask_count(&kernel->idle, task->allowed, package->first_cpu,
		package->first_cpu + package->nr_cpus);
}

/* The package with the fewest busy CPUs; of equals the one met first from the parent's on. */
static const struct package *quietest(
	const struct kernel *kernel, const struct task *task, int *nr_idle)
{
	const struct machine *machine = kernel->machine;
	int home = machine->cpus[task->cpu].package->id, least = machine->nr_cpus + 1;
	const struct package *best = NULL;

	for (int i = 0; i < machine->nr_packages; i++) {
		const struct package
			*package = &machine->packages[(home + i) % machine->nr_packages];
		int idle = count_idle(kernel, task, package);

		if (package->nr_cpus - idle < least) {
			least = package->nr_cpus - idle;
			best = package;
			*nr_idle = idle;
		}
	}
	return best;
}

/* The n-th idle CPU of the package that the task may run on. */
static int nth_idle(
	const struct kernel *kernel, const struct task *task, const struct package *package, int n)
{
	int end = package->first_cpu + package->nr_cpus;
	int cpu = cpumask_next(&kernel->idle, task->allowed, package->first_cpu, end);

	while (n-- > 0)
		cpu = cpumask_next(&kernel->idle, task->allowed, cpu + 1, end);
	return cpu;
}

static int spread_random(struct kernel *kernel, struct task *task)
{
	int idle = 0;
	const struct package *package = quietest(kernel, task, &idle);

	if (idle == 0)
		return placement_allowed(kernel, task, task->cpu);
	/* The task's own stream decides, so that governors face the same draws. */
	return nth_idle(kernel, task, package, (int)rng_below(&task->rng, (uint32_t)idle));
}

int placement_fork(struct kernel *kernel, struct task *task)
{
	if (task->pinned)
		return task->cpu;
	if (task->class != TASK_FAIR)
		return rt_select_cpu(kernel, task);
	if (kernel->spec->placement == PLACEMENT_SPREAD_RANDOM)
		return spread_random(kernel, task);
	return idle_sibling(kernel, task);
}

int placement_wake(struct kernel *kernel, struct task *task)
{
	if (task->pinned)
		return task->cpu;
	if (task->class != TASK_FAIR)
		return rt_select_cpu(kernel, task);
	return idle_sibling(kernel, task);
}
