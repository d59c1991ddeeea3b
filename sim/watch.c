#include "sim/watch.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/hw/ceiling.h"
#include "sim/hw/power.h"
#include "sim/kernel/rq.h"
#include "sim/run.h"

static bool broken(struct watch *watch, const char *format, ...)
{
	int64_t now = watch->run->engine.now_ns;
	va_list args;
	char what[200];

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(watch->broken, sizeof(watch->broken), "at %" PRId64 " ns: %s", now, what);
	return false;
}

static bool check_time(struct watch *watch)
{
	int64_t now = watch->run->engine.now_ns;

	if (now < watch->now_ns)
		return broken(watch, "time went back from %" PRId64 " ns", watch->now_ns);
	watch->now_ns = now;
	return true;
}

static bool check_cpu(struct watch *watch, const struct cpu *cpu)
{
	int64_t now = watch->run->engine.now_ns;
	int64_t sum = now - (cpu->mode == CPU_IDLE ? cpu->idle_from_ns : cpu->since_ns);

	for (int i = 0; i < cpu->domain->nr_clocks; i++)
		sum += cpu->busy_ns[i];
	for (int i = 0; i < cpu->nr_cstates; i++)
		sum += cpu->idle_ns[i];
	if (sum != now)
		return broken(
			watch, "the residencies of CPU %d add up to %" PRId64 " ns", cpu->id, sum);
	if (cpu->mode == CPU_RUN && (cpu->burst->work < 0 || cpu->burst->fixed_ns < 0))
		return broken(watch, "CPU %d has less than no work", cpu->id);
	return true;
}

/* Where a task is, and that it is there. */
static bool check_task(struct watch *watch, const struct task *task)
{
	struct kernel *kernel = &watch->run->kernel;
	const struct rq *rq = &kernel->rqs[task->cpu];
	bool armed = timer_armed(&task->wake);
	bool asleep = task->state == TASK_SLEEPING || task->state == TASK_IOWAIT;

	if (armed != asleep)
		return broken(watch, "a task's timer and its state %d disagree", (int)task->state);
	if ((task->state == TASK_RUNNING) != (rq->curr == task))
		return broken(watch, "a task in state %d and CPU %d disagree", (int)task->state,
			task->cpu);
	watch->waiting[task->cpu] += task->state == TASK_RUNNABLE;
	return true;
}

static bool check_tasks(struct watch *watch)
{
	const struct kernel *kernel = &watch->run->kernel;
	int nr = kernel->machine->nr_cpus;

	memset(watch->waiting, 0, (size_t)nr * sizeof(*watch->waiting));
	for (const struct task_block *block = kernel->blocks; block; block = block->next)
		for (size_t i = 0; i < block->nr; i++)
			if (!check_task(watch, &block->tasks[i]))
				return false;
	for (int i = 0; i < nr; i++) {
		const struct rq *rq = &kernel->rqs[i];

		if (rq->nr_waiting + rq->nr_urgent != watch->waiting[i])
			return broken(watch, "CPU %d counts %d waiting tasks of %d", i,
				rq->nr_waiting + rq->nr_urgent, watch->waiting[i]);
		if (cpumask_test(&kernel->idle, i) != (rq_is_online(rq) && rq_is_idle(rq)))
			return broken(watch, "CPU %d is in the wrong set", i);
		if (!rq_is_online(rq) && (!rq_is_idle(rq) || rq->cpu->mode != CPU_IDLE))
			return broken(watch, "CPU %d is offline and does something", i);
	}
	return true;
}

/* In kHz x ns, modulo 2^64: sums of long runs are larger. */
static bool check_work(struct watch *watch)
{
	const struct kernel *kernel = &watch->run->kernel;
	uint64_t done = 0, left = 0;

	for (int i = 0; i < kernel->machine->nr_cpus; i++) {
		const struct cpu *cpu = &kernel->machine->cpus[i];

		done += cpu->cycles * WORK_PER_CYCLE + (uint64_t)cpu->work_rest;
	}
	for (const struct task_block *block = kernel->blocks; block; block = block->next)
		for (size_t i = 0; i < block->nr; i++)
			left += (uint64_t)block->tasks[i].burst.work;
	if (done + left != kernel->work_given)
		return broken(watch, "%" PRId64 " kHz ns of work are missing",
			(int64_t)(kernel->work_given - done - left));
	return true;
}

static bool check_policy(struct watch *watch, const struct policy *policy)
{
	/* Drivers that ask for levels, or for percents of the maximum, come back with a frequency
	 * beside the one asked for. */
	int64_t quantum = policy->cpuinfo_max_khz / 100;

	if (policy->min_khz > policy->max_khz)
		return broken(watch, "policy %d: its limits are crossed", policy->id);
	if (policy->cur_khz < policy->cpuinfo_min_khz - quantum ||
		policy->cur_khz > policy->cpuinfo_max_khz + quantum)
		return broken(watch, "policy %d: no hardware runs at %" PRId64 " kHz", policy->id,
			policy->cur_khz);
	return true;
}

/* No clock above what the package allows. */
static bool check_domain(struct watch *watch, const struct domain *domain)
{
	if (domain->cap < 0 || domain->cap >= domain->nr_clocks || domain->clock > domain->cap)
		return broken(watch, "clock %d runs at entry %d, the package allows %d", domain->id,
			domain->clock, domain->cap);
	return true;
}

/* Its own account adds up to the time passed. */
static bool check_core(struct watch *watch, const struct core *core)
{
	int64_t now = watch->run->engine.now_ns;
	const struct cpu *cpu = &core->cpus[core->first_cpu];
	int64_t sum = now - (core->nr_busy ? core->since_ns : core->idle_from_ns);

	for (int i = 0; i < cpu->domain->nr_clocks; i++)
		sum += core->busy_ns[i];
	for (int i = 0; i < cpu->nr_cstates; i++)
		sum += core->idle_ns[i];
	if (sum != now)
		return broken(watch, "the residencies of core %d add up to %" PRId64 " ns",
			core->id, sum);
	return true;
}

static bool check_ceiling(struct watch *watch, const struct ceiling *ceiling)
{
	const struct hardware_spec *spec = &watch->run->machine.spec->hardware;
	int active = 0;

	for (int i = 0; i < watch->run->machine.nr_cores; i++) {
		const struct core *core = &watch->run->machine.cores[i];

		active += core->nr_busy > 0 &&
			watch->run->machine.cpus[core->first_cpu].package == ceiling->package;
	}
	if (active != ceiling->active_cores)
		return broken(watch, "package %d counts %d busy cores of %d", ceiling->package->id,
			ceiling->active_cores, active);
	if (ceiling->average_w < 0 || ceiling->celsius < (double)spec->ambient_mc / 1e3 - 1e-9)
		return broken(watch, "package %d at %f W on average and %f C", ceiling->package->id,
			ceiling->average_w, ceiling->celsius);
	return true;
}

static bool check_hardware(struct watch *watch)
{
	const struct machine *machine = &watch->run->machine;

	for (int i = 0; i < machine->nr_cores; i++)
		if (machine->cores[i].busy_ns && !check_core(watch, &machine->cores[i]))
			return false;
	for (int i = 0; i < machine->nr_domains; i++)
		if (!check_domain(watch, &machine->domains[i]))
			return false;
	for (int i = 0; i < machine->nr_packages && machine->ceilings; i++)
		if (!check_ceiling(watch, &machine->ceilings->packages[i]))
			return false;
	return true;
}

/* Of finished stays: what an idle CPU takes is known when it wakes, by how long it slept. */
static double energy_j_so_far(const struct watch *watch)
{
	const struct machine *machine = &watch->run->machine;
	const double *busy_uw = watch->busy_uw;
	double sum = 0;

	for (int i = 0; i < machine->nr_cpus; i++) {
		const struct cpu *cpu = &machine->cpus[i];
		const struct core *core = cpu->core;
		bool counts = !core->busy_ns || core->first_cpu == i;
		const int64_t *busy_ns = core->busy_ns ? core->busy_ns : cpu->busy_ns;
		const int64_t *idle_ns = core->busy_ns ? core->idle_ns : cpu->idle_ns;

		for (int c = 0; c < cpu->domain->nr_clocks; c++, busy_uw++)
			sum += counts ? (double)busy_ns[c] * *busy_uw : 0;
		for (int s = 0; s < cpu->nr_cstates && counts; s++)
			sum += (double)idle_ns[s] * (double)cpu->cstates[s].power_uw;
	}
	return sum / 1e15;
}

static bool check_energy(struct watch *watch)
{
	double energy_j = energy_j_so_far(watch);

	if (energy_j < watch->energy_j)
		return broken(
			watch, "energy fell from %.9f J to %.9f J", watch->energy_j, energy_j);
	watch->energy_j = energy_j;
	return true;
}

bool watch_check(struct watch *watch)
{
	struct run *run = watch->run;

	watch->checks++;
	if (!check_time(watch))
		return false;
	for (int i = 0; i < run->machine.nr_cpus; i++)
		if (!check_cpu(watch, &run->machine.cpus[i]))
			return false;
	for (int i = 0; i < run->kernel.nr_policies; i++)
		if (!check_policy(watch, &run->kernel.policies[i]))
			return false;
	return check_hardware(watch) && check_tasks(watch) && check_work(watch) &&
		check_energy(watch);
}

static void watch_settle(void *arg)
{
	struct watch *watch = arg;

	watch->settle(watch->settle_arg);
	if (watch->broken[0])
		return;
	bool look = watch->events++ % watch->stride == 0;
	if (!(look ? watch_check(watch) : check_time(watch)))
		watch->run->engine.stop = true;
}

/* Residencies to add up at each look. */
static size_t count_clocks(const struct machine *machine)
{
	size_t nr = 0;

	for (int i = 0; i < machine->nr_cpus; i++)
		nr += (size_t)machine->cpus[i].domain->nr_clocks;
	return nr;
}

static size_t count_tasks(const struct kernel *kernel)
{
	size_t nr = 0;

	for (const struct task_block *block = kernel->blocks; block; block = block->next)
		nr += block->nr;
	return nr;
}

/* The power of every CPU at every clock, in a row. */
static const double *list_power(const struct run *run, struct arena *arena)
{
	const struct machine *machine = &run->machine;
	double *list = arena_array(arena, count_clocks(machine), sizeof(*list)), *next = list;

	for (int i = 0; i < machine->nr_cpus; i++) {
		const struct cpu *cpu = &machine->cpus[i];

		for (int c = 0; c < cpu->domain->nr_clocks; c++)
			*next++ = power_busy_uw(cpu->table, cpu->domain->clocks_khz[c]);
	}
	return list;
}

void watch_start(struct watch *watch, struct run *run)
{
	*watch = (struct watch){
		.run = run,
		.settle = run->engine.settle,
		.settle_arg = run->engine.settle_arg,
		.busy_uw = list_power(run, &run->arena),
		.stride = 1 + (count_clocks(&run->machine) + count_tasks(&run->kernel)) / 64,
		.waiting = arena_array(&run->arena, (size_t)run->machine.nr_cpus, sizeof(int)),
	};
	run->engine.settle = watch_settle;
	run->engine.settle_arg = watch;
}
