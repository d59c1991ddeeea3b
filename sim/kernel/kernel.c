#include "sim/kernel/kernel.h"

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/fair.h"
#include "sim/kernel/invariance.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/step.h"
#include "sim/workload.h"

/* A burst has ended: the task says what comes next. */
static void burst_over(void *arg, struct cpu *cpu)
{
	struct kernel *kernel = arg;
	struct rq *rq = &kernel->rqs[cpu->id];

	rq_charge(rq);
	if (task_advance(rq->curr))
		cpu_run(cpu, &rq->curr->burst);
}

static void kernel_thawed(void *arg, struct cpu *cpu)
{
	struct kernel *kernel = arg;
	struct rq *rq = &kernel->rqs[cpu->id];

	if (rq->postponed)
		rq_resched(rq);
	rq->postponed = false;
}

void kernel_measured_wakeups(struct kernel *kernel, int64_t local_ns, int64_t remote_ns)
{
	const struct kernel_spec *spec = kernel->spec;

	kernel->idle_wake_ns[0] = spec->wake_local_ns == PARAM_AUTO ? local_ns
								    : spec->wake_local_ns;
	kernel->idle_wake_ns[1] = spec->wake_remote_ns == PARAM_AUTO ? remote_ns
								     : spec->wake_remote_ns;
}

void kernel_recorded_start(struct kernel *kernel, int64_t at_ns)
{
	kernel->tick_phase_ns = at_ns % kernel->tick_ns;
}

void kernel_measured_newidle(struct kernel *kernel, int64_t looks, int64_t pulls)
{
	for (int i = 0; i < kernel->machine->nr_cpus && looks > 0; i++)
		balance_init(&kernel->rqs[i].newidle, (uint32_t)(NEWIDLE_CALLS * pulls / looks));
}

void kernel_idle_standin(struct kernel *kernel, int cpu)
{
	kernel->rqs[cpu].idling.standin = ++kernel->trace.last_pid;
	kernel->standins++;
}

/* Follows topology_update_thermal_pressure() of 5.7 and topology_update_hw_pressure() of 6.10. */
static void kernel_capped(void *arg, const struct domain *domain, int cap)
{
	struct kernel *kernel = arg;
	unsigned version = (unsigned)kernel->spec->version;
	int64_t max_khz = domain->clocks_khz[domain->nr_clocks - 1];

	if (version < KVER(5, 7, 0))
		return;
	for (int i = 0; i < domain->nr_cpus; i++) {
		const struct cpu *cpu = domain->cpus[i];

		kernel->rqs[cpu->id].pressure = capacity_pressure((uint64_t)cpu->capacity,
			(uint64_t)(version < KVER(6, 8, 0) ? max_khz / 1000 : max_khz),
			(uint64_t)domain->clocks_khz[cap], version);
	}
}

void kernel_build(struct kernel *kernel, const struct kernel_spec *spec, struct machine *machine,
	struct engine *engine, struct arena *arena)
{
	kernel->spec = spec;
	kernel->fair = fair_rules((unsigned)spec->version);
	kernel->machine = machine;
	kernel->engine = engine;
	kernel->tick_ns = tick_ns_of_hz(spec->hz);
	kernel_measured_wakeups(kernel, 0, 0);
	kernel->rqs = arena_array(arena, (size_t)machine->nr_cpus, sizeof(*kernel->rqs));
	hooks_build(&kernel->hooks, (int)machine->spec->nr_policies, arena);
	kernel->core_idle = arena_array(arena, (size_t)machine->nr_cores, sizeof(int));
	kernel->nr_idle = arena_array(
		arena, (size_t)machine->nr_packages, sizeof(*kernel->nr_idle));
	kernel->nr_online_in = arena_array(
		arena, (size_t)machine->nr_packages, sizeof(*kernel->nr_online_in));
	kernel->nr_online = machine->nr_cpus;
	for (int i = 0; i < machine->nr_cpus; i++) {
		cpumask_set(&kernel->online, i);
		kernel->nr_online_in[machine->cpus[i].package->id]++;
	}
	kernel->policy_of_cpu = arena_array(
		arena, (size_t)machine->nr_cpus, sizeof(struct policy *));
	for (int i = 0; i < machine->nr_cpus; i++)
		rq_init(&kernel->rqs[i], kernel, &machine->cpus[i]);
	machine->done = burst_over;
	machine->thawed = kernel_thawed;
	machine->capped = kernel_capped;
	machine->arg = kernel;
	engine->settle = kernel_settle;
	engine->settle_arg = kernel;
}

void kernel_util_read(const struct kernel *kernel, int cpu, struct util_input *in)
{
	const struct rq *rq = &kernel->rqs[cpu];

	/* What is left of an offline CPU's load is nobody's wish. */
	if (!rq_is_online(rq)) {
		*in = (struct util_input){ .capacity = (uint64_t)rq->cpu->capacity,
			.uclamp_max = CAPACITY_SCALE };
		return;
	}
	rq_pelt_read(&rq->pelt, in);
	in->rt_queued = rq->nr_rt > 0 && !rq->rt_throttled;
	in->dl_running_bw = rq->dl_bw;
	in->uclamp_used = kernel->uclamp_used;
	if (kernel->uclamp_used) {
		in->uclamp_min = rq->uclamp.min.value;
		in->uclamp_max = rq->uclamp.max.value;
	}
	in->idle_calls = rq->idle_calls;
}

uint64_t kernel_freq_scale(const struct kernel *kernel, int cpu)
{
	return kernel->rqs[cpu].pelt.scale.freq;
}

void kernel_freq_changed(struct kernel *kernel, int cpu, int64_t khz, int64_t max_khz)
{
	struct rq *rq = &kernel->rqs[cpu];

	if (kernel->spec->invariance == INVARIANCE_CPUFREQ)
		rq->pelt.scale.freq = freq_scale_of(
			rq->pelt.scale.freq, (uint64_t)khz, (uint64_t)max_khz);
}
