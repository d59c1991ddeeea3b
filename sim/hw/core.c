#include "sim/hw/core.h"

#include "sim/base/units.h"
#include "sim/hw/machine.h"

static struct cpu *thread(const struct core *core, int i)
{
	return &core->cpus[core->first_cpu + i * core->step];
}

static int64_t now_of(const struct core *core)
{
	return thread(core, 0)->machine->engine->now_ns;
}

void core_build(struct core *core, struct arena *arena)
{
	const struct cpu *first = thread(core, 0);
	size_t nr = (size_t)first->domain->nr_clocks;

	core->since_ns = core->idle_from_ns = now_of(core);
	core->busy_ns = arena_array(arena, nr, sizeof(*core->busy_ns));
	core->shared_ns = arena_array(arena, nr, sizeof(*core->shared_ns));
	core->idle_ns = arena_array(arena, (size_t)first->nr_cstates, sizeof(*core->idle_ns));
}

/* The highest clock of its busy threads: they may be in domains of their own. */
static int clock_of(const struct core *core)
{
	int nr = thread(core, 0)->domain->nr_clocks, clock = 0;

	for (int i = 0; i < core->nr_cpus; i++) {
		const struct cpu *cpu = thread(core, i);

		if (cpu->mode != CPU_IDLE && cpu->domain->clock > clock)
			clock = cpu->domain->clock;
	}
	return clock < nr ? clock : nr - 1;
}

void core_account(struct core *core)
{
	int64_t now = now_of(core), dt = now - core->since_ns;
	int clock;

	core->since_ns = now;
	if (dt == 0 || core->nr_busy == 0)
		return;
	clock = clock_of(core);
	core->busy_ns[clock] += dt;
	core->shared_ns[clock] += dt * (core->nr_busy - 1);
}

static int stay_state(const struct core *core, int64_t ns)
{
	int state = cpu_stay_state(thread(core, 0), ns);

	for (int i = 1; i < core->nr_cpus; i++) {
		int other = cpu_stay_state(thread(core, i), ns);

		state = other < state ? other : state;
	}
	return state;
}

void core_idle_changes(struct core *core)
{
	int64_t now = now_of(core), ns = now - core->idle_from_ns;

	if (core->nr_busy)
		return;
	core->idle_ns[stay_state(core, ns)] += ns;
	core->idle_from_ns = now;
}

void core_busy_changed(struct core *core, int before)
{
	int64_t now = now_of(core), ns = now - core->idle_from_ns;

	if (before == 0)
		core->idle_ns[stay_state(core, ns)] += ns;
	core->idle_from_ns = now;
}

int64_t core_idle_ns(const struct core *core, int state)
{
	int64_t ns = now_of(core) - core->idle_from_ns;

	return core->idle_ns[state] +
		(core->nr_busy == 0 && stay_state(core, ns) == state ? ns : 0);
}
