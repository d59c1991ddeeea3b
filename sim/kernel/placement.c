#include "sim/kernel/placement.h"

#include <assert.h>

#include "sim/kernel/eas.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/rt.h"
#include "sim/kernel/version.h"

int placement_allowed(const struct kernel *kernel, const struct task *task, int cpu)
{
	int nr = kernel->machine->nr_cpus;

	for (int i = 0; i < nr; i++)
		if (task_may_run(task, (cpu + i) % nr))
			return (cpu + i) % nr;
	assert(0 && "a task may run somewhere");
	return cpu;
}

void placement_unbind(struct kernel *kernel, struct task *task)
{
	int nr = kernel->machine->nr_cpus;

	if (kernel->nr_online == nr)
		return;
	for (int i = 0; i < nr; i++)
		if (task_may_run(task, i))
			return;
	task->pinned = false;
	task->allowed = NULL;
	kernel->unbound++;
}

/* The first CPU in @idle of the package from @cpu on, round to it; -1: none. */
static int first_in_package(
	const struct kernel *kernel, const struct cpumask *idle, const struct task *task, int cpu)
{
	const struct package *package = kernel->machine->cpus[cpu].package;
	int first = package->first_cpu, end = first + package->nr_cpus;
	int found = cpumask_next(idle, task->allowed, cpu, end);

	return found >= 0 ? found : cpumask_next(idle, task->allowed, first, cpu);
}

/* An idle core comes before an idle thread of a busy one; follows select_idle_core(). */
static int idle_in_package(const struct kernel *kernel, const struct task *task, int cpu)
{
	int found = first_in_package(kernel, &kernel->idle_cores, task, cpu);

	return found >= 0 ? found : first_in_package(kernel, &kernel->idle, task, cpu);
}

int placement_idle_near(const struct kernel *kernel, const struct task *task, int cpu)
{
	int found = idle_in_package(kernel, task, cpu);

	return found >= 0 ? found
			  : cpumask_next(&kernel->idle, task->allowed, 0, kernel->machine->nr_cpus);
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
		int busy = kernel->nr_online_in[package->id] - idle;

		if (busy < least && kernel->nr_online_in[package->id] > 0) {
			least = busy;
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

/* The package with most idle CPUs; the parent's when no other has more. */
static const struct package *idlest_package(const struct kernel *kernel, const struct task *task)
{
	const struct machine *machine = kernel->machine;
	const struct package *best = machine->cpus[task->cpu].package;
	int most = count_idle(kernel, task, best);

	for (int i = 0; i < machine->nr_packages; i++) {
		int idle = count_idle(kernel, task, &machine->packages[i]);

		if (idle > most) {
			most = idle;
			best = &machine->packages[i];
		}
	}
	return best;
}

/* The least of the idle CPUs of a package by @key, of equals the first after the parent's. */
static int least_of(const struct kernel *kernel, const struct cpumask *idle,
	const struct task *task, const struct package *package, int64_t (*key)(const struct rq *rq))
{
	int first = package->first_cpu, nr = package->nr_cpus, best = -1;
	int start = package == kernel->machine->cpus[task->cpu].package ? task->cpu - first + 1 : 0;
	int64_t least = INT64_MAX;

	for (int part = 0; part < 2; part++) {
		int end = part ? start : nr;
		int cpu = cpumask_next(
			idle, task->allowed, first + (part ? 0 : start), first + end);

		for (; cpu >= 0; cpu = cpumask_next(idle, task->allowed, cpu + 1, first + end)) {
			int64_t value = key(&kernel->rqs[cpu]);

			if (best < 0 || value < least) {
				least = value;
				best = cpu;
			}
		}
	}
	return best;
}

static int least_idle(const struct kernel *kernel, const struct task *task,
	const struct package *package, int64_t (*key)(const struct rq *rq))
{
	int cpu = least_of(kernel, &kernel->idle_cores, task, package, key);

	return cpu >= 0 ? cpu : least_of(kernel, &kernel->idle, task, package, key);
}

static int64_t key_none(const struct rq *rq)
{
	(void)rq;
	return 0;
}

/* As last stored: a tickless CPU's utilisation does not fall by itself. */
static int64_t key_util(const struct rq *rq)
{
	return (int64_t)rq->pelt.cfs.sig.util_avg;
}

static int64_t key_idle_since(const struct rq *rq)
{
	return -rq->idle_from_ns;
}

static int nr_running(const struct rq *rq)
{
	return rq->nr_waiting + rq->nr_urgent + (rq->curr != NULL) + (rq->idling.standin != 0);
}

/* Nobody idles: the shortest queue of the parent's package, its own unless another is shorter. */
static int shortest_queue(const struct kernel *kernel, const struct task *task)
{
	const struct package *package = kernel->machine->cpus[task->cpu].package;
	int best = placement_allowed(kernel, task, task->cpu);

	for (int cpu = package->first_cpu; cpu < package->first_cpu + package->nr_cpus; cpu++)
		if (task_may_run(task, cpu) &&
			nr_running(&kernel->rqs[cpu]) < nr_running(&kernel->rqs[best]))
			best = cpu;
	return best;
}

/* On unequal CPUs: the first idle one from @target on that the task fits, else the largest idle
 * one; -1: none idles. Follows select_idle_capacity(). */
static int idle_that_fits(const struct kernel *kernel, const struct task *task, int target)
{
	const struct package *package = kernel->machine->cpus[target].package;
	int first = package->first_cpu, nr = package->nr_cpus, best = -1;

	for (int i = 0; i < nr; i++) {
		int cpu = first + (target - first + i) % nr;

		if (!cpumask_test(&kernel->idle, cpu) || !task_may_run(task, cpu))
			continue;
		if (eas_task_fits(kernel, task, cpu))
			return cpu;
		if (best < 0 ||
			kernel->machine->cpus[cpu].capacity > kernel->machine->cpus[best].capacity)
			best = cpu;
	}
	return best;
}

/* An idle CPU that the task would take without a search. */
static bool suits(const struct kernel *kernel, const struct task *task, int cpu)
{
	return cpumask_test(&kernel->idle, cpu) && task_may_run(task, cpu) &&
		(!kernel->asymmetric || eas_task_fits(kernel, task, cpu));
}

/* A CPU for a task that wakes near @target; follows select_idle_sibling(). */
static int idle_sibling(const struct kernel *kernel, const struct task *task, int target)
{
	int found, last = task->cpu;

	if (suits(kernel, task, target))
		return target;
	if (last != target && suits(kernel, task, last) &&
		kernel->rqs[last].cpu->package == kernel->rqs[target].cpu->package)
		return last;
	found = kernel->asymmetric ? idle_that_fits(kernel, task, target)
				   : idle_in_package(kernel, task, target);
	return found >= 0 ? found : placement_allowed(kernel, task, target);
}

/* To a new task a CPU with a stand-in is busy (idle_cpu()); to one that wakes it is idle
 * (sched_idle_cpu()). */
static int beside_standin(const struct kernel *kernel, const struct task *task)
{
	int nr = kernel->machine->nr_cpus;

	for (int i = 0; i < nr; i++) {
		int cpu = (task->cpu + i) % nr;

		if (cpumask_test(&kernel->idle, cpu) && !kernel->rqs[cpu].idling.standin &&
			task_may_run(task, cpu))
			return cpu;
	}
	return shortest_queue(kernel, task);
}

int placement_fork(struct kernel *kernel, struct task *task)
{
	int idle = 0, cpu = -1;

	placement_unbind(kernel, task);
	if (task->pinned)
		return task->cpu;
	if (task->class != TASK_FAIR)
		return rt_select_cpu(kernel, task);
	if (kernel->standins)
		return beside_standin(kernel, task);
	switch ((enum placement_rule)kernel->spec->placement) {
	case PLACEMENT_SPREAD_RANDOM:
		return spread_random(kernel, task);
	case PLACEMENT_IDLE_SIBLING:
		return idle_sibling(kernel, task, task->cpu);
	case PLACEMENT_IDLEST_CPU:
		cpu = least_idle(kernel, task, quietest(kernel, task, &idle), key_idle_since);
		break;
	case PLACEMENT_FIRST_IDLE:
		cpu = least_idle(kernel, task, idlest_package(kernel, task), key_none);
		break;
	case PLACEMENT_LEAST_UTILISED:
		cpu = least_idle(kernel, task, idlest_package(kernel, task), key_util);
		break;
	}
	return cpu >= 0 ? cpu : shortest_queue(kernel, task);
}

/* The waker is about to sleep and leaves its CPU to the task, if it is alone there. One that ends
 * is not believed from 5.10 on; follows wake_affine_idle(). */
static bool gives_way(const struct rq *by, enum wake_kind kind)
{
	if (kind == WAKE_PLAIN || nr_running(by) != 1)
		return false;
	return kind == WAKE_SYNC || by->kernel->spec->version < KVER(5, 10, 0);
}

int placement_wake(
	struct kernel *kernel, struct task *task, const struct rq *by, enum wake_kind kind)
{
	int cpu;

	placement_unbind(kernel, task);
	if (task->pinned)
		return task->cpu;
	if (task->class != TASK_FAIR)
		return rt_select_cpu(kernel, task);
	cpu = eas_select_cpu(kernel, task);
	if (cpu >= 0)
		return cpu;
	return idle_sibling(kernel, task, gives_way(by, kind) ? by->cpu->id : task->cpu);
}
