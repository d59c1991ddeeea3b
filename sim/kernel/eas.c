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

/* What the domain uses with the task on @dst (-1: nowhere). Until 5.19 the CPU that would get the
 * task counts with it, as much of it as shows beside what is there; from 6.0 on its own time comes
 * on top and is the same everywhere, so that only the clock matters (eenv_pd_busy_time()). */
static uint64_t domain_energy(
	const struct kernel *kernel, const struct policy *policy, const struct task *task, int dst)
{
	const struct util_rules *rules = util_rules((unsigned)kernel->spec->version);
	const struct em_domain *em = &kernel->em[policy->index];
	bool apart = kernel->spec->version >= KVER(6, 0, 0);
	uint64_t sum = apart && dst >= 0 ? task_util(kernel, task) : 0, most = 0, capacity = 0;

	for (int i = 0; i < policy->nr_cpus; i++) {
		int cpu = policy->first_cpu + i;
		uint64_t cfs = util_next(kernel, cpu, task, dst), busy;
		struct util_effective eff;
		struct util_input in;

		if (!cpumask_test(&kernel->online, cpu))
			continue;
		capacity += capacity_of(kernel, cpu);
		kernel_util_read(kernel, cpu, &in);
		eff = util_effective(rules, &in, cfs);
		busy = rules->limits_apart ? util_to_perf(&eff, 0) : eff.util;
		most = busy > most ? busy : most;
		if (apart && cpu == dst)
			cfs = util_next(kernel, cpu, task, -1);
		sum += util_energy(&in, cfs);
	}
	return em_energy(em, most, apart && sum > capacity ? capacity : sum, em->capacity);
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

/* What the CPU has left once the task is there; -1: it does not fit, or may not run there. */
static int64_t room_on(const struct kernel *kernel, int cpu, const struct task *task)
{
	uint64_t util = util_next(kernel, cpu, task, cpu), capacity = capacity_of(kernel, cpu);

	return task_may_run(task, cpu) && fits(util, capacity) ? (int64_t)(capacity - util) : -1;
}

/* The CPU of the domain with most room for the task; -1: it fits nowhere, or not better than where
 * it was. Until 5.13 that one competes, then it is looked at apart; from 6.2 on it wins a draw. */
static int roomiest(
	const struct kernel *kernel, const struct policy *policy, const struct task *task)
{
	int64_t version = kernel->spec->version, most = -1;
	int best = -1, prev = task->cpu;

	if (version >= KVER(6, 2, 0) && kernel->policy_of_cpu[prev] == policy)
		most = room_on(kernel, prev, task);
	for (int i = 0; i < policy->nr_cpus; i++) {
		int cpu = policy->first_cpu + i;
		int64_t room = cpu == prev && version >= KVER(5, 14, 0)
			? -1
			: room_on(kernel, cpu, task);

		if (room > most) {
			most = room;
			best = cpu;
		}
	}
	return best;
}

/* Until 5.19 a move has to save 6 % of all. */
static bool is_worth_it(
	const struct kernel *kernel, uint64_t base, uint64_t prev_delta, uint64_t best_delta)
{
	if (best_delta >= prev_delta)
		return false;
	return kernel->spec->version >= KVER(6, 0, 0) ||
		prev_delta - best_delta > (prev_delta + base) >> 4;
}

/* Follows find_energy_efficient_cpu(). */
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
		if (kernel->policy_of_cpu[prev] == policy && room_on(kernel, prev, task) >= 0)
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
	return best >= 0 && is_worth_it(kernel, base_sum, prev_delta, best_delta) ? best : prev;
}
