#include "sim/hw/cpu.h"

#include <assert.h>

#include "sim/base/units.h"
#include "sim/hw/ceiling.h"
#include "sim/hw/core.h"
#include "sim/hw/hwp.h"
#include "sim/hw/machine.h"

/*
 * Speed in work-seconds per second is 1 / ((1 - b) fref / f + b (1 + g n / N)): the first part of
 * the work scales with the clock, the second waits for memory that the n busy CPUs share. Written
 * with whole numbers: shares in ppm, the quotient scaled by 1000 to stay inside 64 bits up to
 * 10 GHz.
 */
int64_t cpu_speed_khz(int64_t clock_khz, int64_t dmips, uint32_t mem_ppm, int nr_busy,
	const struct machine *machine)
{
	int64_t speed = clock_khz;

	if (mem_ppm) {
		int64_t ref = machine->spec->reference_khz;
		int64_t b = mem_ppm;
		int64_t wait = b +
			b * machine->spec->memory.contention_ppm / PPM * nr_busy / machine->nr_cpus;
		int64_t den = ((PPM - b) * ref + wait * clock_khz) / 1000;

		speed = clock_khz * ref * 1000 / den;
	}
	return max_i64(speed * dmips / CAPACITY_SCALE, 1);
}

static void cpu_progress(struct cpu *cpu, int64_t dt_ns)
{
	struct burst *burst = cpu->burst;
	int64_t fixed = min_i64(dt_ns, burst->fixed_ns);
	/* The burst ends on a whole nanosecond: the last one may be longer than the work left. */
	int64_t could = (dt_ns - fixed) * cpu->speed_khz;
	int64_t work = min_i64(could, burst->work);

	burst->fixed_ns -= fixed;
	burst->work -= work;
	cpu->work_cut += could - work;
	cpu->work_rest += work;
	cpu->cycles += (uint64_t)(cpu->work_rest / WORK_PER_CYCLE);
	cpu->work_rest %= WORK_PER_CYCLE;
}

int64_t cpu_account(struct cpu *cpu)
{
	int64_t now = cpu->machine->engine->now_ns;
	int64_t dt = now - cpu->since_ns;

	assert(dt >= 0);
	if (dt == 0)
		return 0;
	if (cpu->core->busy_ns)
		core_account(cpu->core);
	cpu->since_ns = now;
	if (cpu->mode != CPU_IDLE)
		cpu->busy_ns[cpu->domain->clock] += dt;
	if (cpu->mode == CPU_RUN && !cpu->frozen)
		cpu_progress(cpu, dt);
	return dt;
}

/* Busy threads of a core divide what it does: one has all of it, all of them together the yield,
 * and a number in between a sum in between. */
static int64_t share_core(const struct core *core, int64_t speed_khz)
{
	int64_t sum_ppm;

	if (core->yield_ppm == 0 || core->nr_busy < 2)
		return speed_khz;
	sum_ppm = PPM + (core->yield_ppm - PPM) * (core->nr_busy - 1) / (core->nr_cpus - 1);
	return max_i64(speed_khz * sum_ppm / PPM / core->nr_busy, 1);
}

/* The speed of now and the end of the burst that follows from it. */
static void cpu_plan(struct cpu *cpu)
{
	struct machine *machine = cpu->machine;

	if (cpu->mode != CPU_RUN || cpu->frozen) {
		timer_cancel(&cpu->done);
		return;
	}
	cpu->speed_khz = cpu_speed_khz(cpu->domain->clocks_khz[cpu->domain->clock], cpu->dmips,
		cpu->burst->mem_ppm, machine->nr_busy, machine);
	cpu->speed_khz = share_core(cpu->core, cpu->speed_khz);
	int64_t end_ns = machine->engine->now_ns + cpu->burst->fixed_ns +
		ceil_div_i64(cpu->burst->work, cpu->speed_khz);
	if (!timer_armed(&cpu->done) || cpu->done.when_ns != end_ns)
		timer_arm(&cpu->done, end_ns);
}

void cpu_replan(struct cpu *cpu)
{
	cpu_account(cpu);
	cpu_plan(cpu);
}

/* The deepest state that such a long stay would have paid for: an ideal idle governor. */
static int cstate_for(const struct cpu *cpu, int64_t idle_ns)
{
	int state = 0;

	for (int i = 1; i < cpu->nr_cstates; i++)
		if (cpu->cstates[i].target_residency_us * NSEC_PER_USEC <= idle_ns)
			state = i;
	return state;
}

int cpu_stay_state(const struct cpu *cpu, int64_t ns)
{
	return cpu->idle_state == CPU_STATE_IDEAL ? cstate_for(cpu, ns) : cpu->idle_state;
}

int64_t cpu_idle_ns(const struct cpu *cpu, int state)
{
	int64_t ns = cpu->idle_ns[state];

	if (cpu->mode == CPU_IDLE) {
		int64_t current = cpu->machine->engine->now_ns - cpu->idle_from_ns;

		if (cpu_stay_state(cpu, current) == state)
			ns += current;
	}
	return ns;
}

/* The other threads of the core go slower or faster from now on. */
static void core_count_busy(struct cpu *cpu, int change)
{
	struct core *core = cpu->core;

	core->nr_busy += change;
	if (core->busy_ns)
		core_busy_changed(core, core->nr_busy - change);
	if (cpu->package->ceiling && core->nr_busy == (change > 0))
		ceiling_count_core(cpu->package->ceiling, change);
	if (core->yield_ppm == 0)
		return;
	for (int i = 0; i < core->nr_cpus; i++) {
		struct cpu *other = &cpu->machine->cpus[core->first_cpu + i * core->step];

		if (other != cpu && other->mode == CPU_RUN)
			cpu_replan(other);
	}
}

static void package_enter_busy(struct cpu *cpu, int64_t now_ns)
{
	if (cpu->package->nr_busy++ == 0)
		cpu->package->since_ns = now_ns;
	cpu->machine->nr_busy++;
	core_count_busy(cpu, 1);
}

static void package_leave_busy(struct cpu *cpu, int64_t now_ns)
{
	if (--cpu->package->nr_busy == 0)
		cpu->package->active_ns += now_ns - cpu->package->since_ns;
	cpu->machine->nr_busy--;
	core_count_busy(cpu, -1);
}

static void idle_end(struct cpu *cpu, int64_t now_ns)
{
	int64_t idle = now_ns - cpu->idle_from_ns;
	int state = cpu_stay_state(cpu, idle);

	cpu->idle_ns[state] += idle;
	cpu->idle_nr[state] += idle > 0;
	cpu->idle_from_ns = now_ns;
}

static void cpu_set_mode(struct cpu *cpu, enum cpu_mode mode, struct burst *burst)
{
	int64_t now = cpu->machine->engine->now_ns;
	enum cpu_mode old = cpu->mode;

	cpu_account(cpu);
	cpu->burst = burst;
	cpu->mode = mode;
	if (old == CPU_IDLE && mode != CPU_IDLE) {
		idle_end(cpu, now);
		package_enter_busy(cpu, now);
	} else if (old != CPU_IDLE && mode == CPU_IDLE) {
		cpu->idle_from_ns = now;
		package_leave_busy(cpu, now);
	}
	if (old != mode)
		domain_count_vote(cpu->domain, cpu, old);
	cpu_plan(cpu);
	if (old == CPU_IDLE && mode != CPU_IDLE && cpu->hwp)
		hwp_wake(cpu->hwp);
}

void cpu_run(struct cpu *cpu, struct burst *burst)
{
	cpu_set_mode(cpu, CPU_RUN, burst);
}

void cpu_hold(struct cpu *cpu)
{
	cpu_set_mode(cpu, CPU_HOLD, NULL);
}

void cpu_idle(struct cpu *cpu, int state)
{
	if (cpu->mode == CPU_IDLE && state != cpu->idle_state) {
		idle_end(cpu, cpu->machine->engine->now_ns);
		if (cpu->core->busy_ns)
			core_idle_changes(cpu->core);
	}
	cpu->idle_state = state;
	cpu_set_mode(cpu, CPU_IDLE, NULL);
}
