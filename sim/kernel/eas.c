#include "sim/kernel/eas.h"

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/hw/power.h"
#include "sim/kernel/energy_model.h"
#include "sim/kernel/rq.h"

static uint64_t task_util(const struct kernel *kernel, const struct task *task)
{
	return util_est_task(
		&task->pelt.util_est, kernel->rqs[0].pelt.rules->util_est, task->pelt.sig.util_avg);
}

/* Follows fits_capacity(). */
static bool fits(uint64_t util, uint64_t capacity)
{
	return util * 1280 < capacity * CAPACITY_SCALE;
}

static uint64_t capacity_of(const struct kernel *kernel, int cpu)
{
	return (uint64_t)kernel->machine->cpus[cpu].capacity - kernel->rqs[cpu].pressure;
}

bool eas_task_fits(const struct kernel *kernel, const struct task *task, int cpu)
{
	return fits(task_util(kernel, task), capacity_of(kernel, cpu));
}

static bool machine_is_symmetric(const struct kernel *kernel)
{
	const struct machine *machine = kernel->machine;

	for (int i = 1; i < machine->nr_cpus; i++)
		if (machine->cpus[i].capacity != machine->cpus[0].capacity)
			return false;
	return true;
}

/* Up to 5.14 the kernel's tables are in mW. */
static uint64_t table_power(const struct kernel *kernel, const struct opp_table *table, int64_t khz)
{
	double uw = power_busy_uw(table, khz);

	return (uint64_t)(kernel->spec->version < KVER(5, 14, 0) ? uw / 1000 : uw);
}

static void build_domain(struct kernel *kernel, struct em_domain *em, const struct policy *policy,
	struct arena *arena)
{
	const struct cpu *cpu = &kernel->machine->cpus[policy->first_cpu];

	em->nr = cpu->domain->nr_clocks;
	em->states = arena_array(arena, (size_t)em->nr, sizeof(*em->states));
	em->capacity = (uint64_t)cpu->capacity;
	em->version = (unsigned)kernel->spec->version;
	for (int i = 0; i < em->nr; i++) {
		int64_t khz = cpu->domain->clocks_khz[i];

		em->states[i].khz = (uint64_t)khz;
		em->states[i].power = table_power(kernel, cpu->table, khz);
	}
	em_compute(em);
}

void eas_build(struct kernel *kernel, struct arena *arena)
{
	int64_t wanted = kernel->spec->energy_aware;

	kernel->asymmetric = !machine_is_symmetric(kernel);
	/* It needs schedutil, whose frequencies the model can foresee (sched_is_eas_possible()). */
	if (wanted == PARAM_AUTO)
		wanted = kernel->spec->version >= KVER(5, 0, 0) &&
			(kernel->policies[0].governor->flags & GOVERNOR_OWN_THREAD);
	if (!wanted || !kernel->asymmetric)
		return;
	kernel->em = arena_array(arena, (size_t)kernel->nr_policies, sizeof(*kernel->em));
	for (int i = 0; i < kernel->nr_policies; i++)
		build_domain(kernel, &kernel->em[i], &kernel->policies[i], arena);
}

/* The CPU's fair utilisation once @task is on @dst (-1: nowhere); follows cpu_util_next(). */
static uint64_t util_next(const struct kernel *kernel, int cpu, const struct task *task, int dst)
{
	const struct cfs_pelt *cfs = &kernel->rqs[cpu].pelt.cfs;
	uint64_t util = cfs->sig.util_avg, est = cfs->util_est, mine = task->pelt.sig.util_avg;
	bool here = task->cpu == cpu && task->pelt.sig.last_update_ns != 0;

	if (here && dst != cpu)
		util -= util < mine ? util : mine;
	else if (!here && dst == cpu)
		util += mine;
	if (dst == cpu)
		est += task_util(kernel, task);
	util = util > est ? util : est;
	return util < capacity_of(kernel, cpu) ? util : capacity_of(kernel, cpu);
}

/* What the domain uses with the task on @dst. */
static uint64_t domain_energy(
	const struct kernel *kernel, const struct policy *policy, const struct task *task, int dst)
{
	const struct util_rules *rules = util_rules((unsigned)kernel->spec->version);
	const struct em_domain *em = &kernel->em[policy->index];
	uint64_t sum = 0, most = 0;

	for (int i = 0; i < policy->nr_cpus; i++) {
		int cpu = policy->first_cpu + i;
		uint64_t cfs = util_next(kernel, cpu, task, dst), busy;
		struct util_effective eff;
		struct util_input in;

		if (!cpumask_test(&kernel->online, cpu))
			continue;
		kernel_util_read(kernel, cpu, &in);
		eff = util_effective(rules, &in, cfs);
		if (rules->limits_apart) {
			sum += eff.util;
			busy = util_to_perf(&eff, 0);
		} else {
			sum += util_energy(&in, cfs);
			busy = eff.util;
		}
		most = busy > most ? busy : most;
	}
	return em_energy(em, most, sum, em->capacity);
}

static bool is_overutilised(const struct kernel *kernel)
{
	for (int i = 0; i < kernel->machine->nr_cpus; i++) {
		const struct cfs_pelt *cfs = &kernel->rqs[i].pelt.cfs;
		uint64_t util = cfs->sig.util_avg;

		if (cpumask_test(&kernel->online, i) &&
			!fits(util > cfs->util_est ? util : cfs->util_est, capacity_of(kernel, i)))
			return true;
	}
	return false;
}

/* The CPU of the domain with most room for the task; -1: it fits nowhere. */
static int roomiest(
	const struct kernel *kernel, const struct policy *policy, const struct task *task)
{
	uint64_t most = 0;
	int best = -1;

	for (int i = 0; i < policy->nr_cpus; i++) {
		int cpu = policy->first_cpu + i;
		uint64_t util = util_next(kernel, cpu, task, cpu);
		uint64_t spare = capacity_of(kernel, cpu) - util;

		if (task_may_run(task, cpu) && fits(util, capacity_of(kernel, cpu)) &&
			(best < 0 || spare > most)) {
			most = spare;
			best = cpu;
		}
	}
	return best;
}

int eas_select_cpu(const struct kernel *kernel, const struct task *task)
{
	uint64_t base_sum = 0, prev_delta = UINT64_MAX, best_delta = UINT64_MAX;
	int best = -1, prev = task->cpu;

	if (!kernel->em || is_overutilised(kernel))
		return -1;
	if (task_util(kernel, task) == 0)
		return task_may_run(task, prev) ? prev : -1;
	for (int i = 0; i < kernel->nr_policies; i++) {
		const struct policy *policy = &kernel->policies[i];
		uint64_t base = domain_energy(kernel, policy, task, -1), delta;
		int cpu = roomiest(kernel, policy, task);

		base_sum += base;
		if (kernel->policy_of_cpu[prev] == policy && task_may_run(task, prev) &&
			fits(util_next(kernel, prev, task, prev), capacity_of(kernel, prev)))
			prev_delta = domain_energy(kernel, policy, task, prev) - base;
		if (cpu < 0 || cpu == prev)
			continue;
		delta = domain_energy(kernel, policy, task, cpu) - base;
		if (delta < best_delta) {
			best_delta = delta;
			best = cpu;
		}
	}
	if (prev_delta == UINT64_MAX)
		return best;
	if (best < 0 || best_delta >= prev_delta ||
		prev_delta - best_delta <= (prev_delta + base_sum) >> 4)
		return prev;
	return best;
}
