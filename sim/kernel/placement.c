#include "sim/kernel/placement.h"

#include "sim/kernel/rq.h"

static int count_idle(const struct kernel *kernel, const struct package *package)
{
	int idle = 0;

	for (int i = 0; i < package->nr_cpus; i++)
		idle += rq_is_idle(&kernel->rqs[package->first_cpu + i]);
	return idle;
}

/* The first idle CPU of the package from @cpu on, round to it; @cpu when none is. */
static int idle_sibling(const struct kernel *kernel, int cpu)
{
	const struct package *package = kernel->machine->cpus[cpu].package;

	for (int i = 0; i < package->nr_cpus; i++) {
		int c = package->first_cpu + (cpu - package->first_cpu + i) % package->nr_cpus;

		if (rq_is_idle(&kernel->rqs[c]))
			return c;
	}
	return cpu;
}

/* The package with the fewest busy CPUs; of equals the one met first from the parent's on. */
static const struct package *quietest(const struct kernel *kernel, int cpu, int *nr_idle)
{
	const struct machine *machine = kernel->machine;
	int home = machine->cpus[cpu].package->id, least = machine->nr_cpus + 1;
	const struct package *best = NULL;

	for (int i = 0; i < machine->nr_packages; i++) {
		const struct package *package =
			&machine->packages[(home + i) % machine->nr_packages];
		int idle = count_idle(kernel, package);

		if (package->nr_cpus - idle < least) {
			least = package->nr_cpus - idle;
			best = package;
			*nr_idle = idle;
		}
	}
	return best;
}

/* The n-th idle CPU of the package. */
static int nth_idle(const struct kernel *kernel, const struct package *package, int n)
{
	int c = package->first_cpu;

	for (;; c++)
		if (rq_is_idle(&kernel->rqs[c]) && n-- == 0)
			return c;
}

static int spread_random(struct kernel *kernel, struct task *task)
{
	int idle = 0;
	const struct package *package = quietest(kernel, task->cpu, &idle);

	if (idle == 0)
		return task->cpu;
	/* The task's own stream decides, so that governors face the same draws. */
	return nth_idle(kernel, package, (int)rng_below(&task->rng, (uint32_t)idle));
}

int placement_fork(struct kernel *kernel, struct task *task)
{
	if (task->pinned)
		return task->cpu;
	if (kernel->spec->placement == PLACEMENT_SPREAD_RANDOM)
		return spread_random(kernel, task);
	return idle_sibling(kernel, task->cpu);
}

int placement_wake(struct kernel *kernel, struct task *task)
{
	if (task->pinned)
		return task->cpu;
	return idle_sibling(kernel, task->cpu);
}
