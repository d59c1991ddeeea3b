#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "sim/hw/machine.h"

/* One CPU with clocks of 1.2, 1.885 and 2.8 GHz. */

static const int64_t clocks[] = { 1200000, 1885000, 2800000 };
static struct cpus_spec cpus = { .first = 0, .last = 1, .package = 0, .capacity = 1024 };
static struct opp_table table;
static struct policy_spec policies[] = { { .first = 0, .last = 0 }, { .first = 1, .last = 1 } };
static struct cstate_spec cstates[] = {
	{ .name = "C1", .target_residency_us = 1 },
	{ .name = "C6", .target_residency_us = 400 },
};
static struct machine_spec spec = {
	.nr_cpus = 2,
	.nr_packages = 1,
	.cpus = &cpus,
	.nr_cpu_ranges = 1,
	.policies = policies,
	.nr_policies = 2,
	.tables = &table,
	.nr_tables = 1,
	.clock_scope = CLOCK_CPU,
	.clock_vote = VOTE_NON_IDLE,
	.reference_khz = 2800000,
	.cstates = cstates,
	.nr_cstates = 2,
	.memory = { .contention_ppm = 500000 },
};
static struct arena arena;
static struct engine engine;
static struct machine machine;
static struct burst burst;
static int64_t ended_ns;
static int changes_left;
static struct timer changer;

static void done(void *arg, struct cpu *cpu)
{
	(void)arg;
	ended_ns = engine.now_ns;
	cpu_idle(cpu, CPU_STATE_IDEAL);
}

static void thawed(void *arg, struct cpu *cpu)
{
	(void)arg;
	(void)cpu;
}

/* Changes the clock every 43815 ns, round the three. */
static void change(struct timer *timer)
{
	struct cpu *cpu = &machine.cpus[0];

	cpu_vote(cpu, (cpu->vote + 1) % 3);
	if (--changes_left > 0)
		timer_arm(timer, engine.now_ns + 43815);
}

static void setup(void)
{
	cr_assert(not(arena_try(&arena)));
	machine_build(&machine, &spec, &engine, &arena);
	machine.done = done;
	machine.thawed = thawed;
	timer_init(&engine, &changer, ORDER_CLOCK, change);
	for (int i = 0; i < machine.nr_domains; i++)
		domain_set_clocks(&machine.domains[i], clocks, 3, 1200000, &arena);
	engine_start(&engine, &arena);
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(cpu, .init = setup, .fini = teardown);

Test(cpu, work_ends_at_the_ceiling_of_work_over_clock)
{
	burst.work = INT64_C(1200000) * 1000 + 1;
	cpu_run(&machine.cpus[0], &burst);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(i64, ended_ns, 1001));
	cr_assert(eq(i64, burst.work, 0));
}

Test(cpu, no_work_is_lost_or_invented_however_often_the_clock_changes)
{
	const int64_t work = INT64_C(2800000) * 43815000 + 17;

	burst.work = work;
	changes_left = 100000;
	cpu_run(&machine.cpus[0], &burst);
	timer_arm(&changer, 1);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(u64, machine.cpus[0].cycles, (uint64_t)(work / WORK_PER_CYCLE)));
	cr_assert(eq(i64, machine.cpus[0].work_rest, work % WORK_PER_CYCLE));
	/* Time x clock over the residencies is that work, but for the end of the last ns. */
	int64_t sum = 0;
	for (int i = 0; i < 3; i++)
		sum += machine.cpus[0].busy_ns[i] * clocks[i];
	cr_assert(ge(i64, sum, work));
	cr_assert(lt(i64, sum - work, 2800000));
	cr_assert(gt(i64, machine.domains[0].changes, 700));
}

Test(cpu, frequency_independent_time_comes_first_and_is_not_work)
{
	burst = (struct burst){ .fixed_ns = 1100000, .work = INT64_C(1200000) * 940000 };
	cpu_run(&machine.cpus[0], &burst);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(i64, ended_ns, 1100000 + 940000));
	cr_assert(eq(u64, machine.cpus[0].cycles, 1128000));
}

Test(cpu, a_stall_takes_time_and_no_work)
{
	burst.work = INT64_C(1200000) * 1000000;
	cpu_run(&machine.cpus[0], &burst);
	machine_stall(&machine, &machine.cpus[0], STALL_ALL, 345000);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(i64, ended_ns, 1345000));
	machine_account(&machine);
	cr_assert(eq(i64, machine.cpus[0].busy_ns[0], 1345000));
	cr_assert(eq(i64, machine.stall_ns, 345000));
}

Test(cpu, overlapping_stalls_join)
{
	burst.work = INT64_C(1200000) * 1000000;
	cpu_run(&machine.cpus[0], &burst);
	machine_stall(&machine, &machine.cpus[0], STALL_ALL, 345000);
	machine_stall(&machine, &machine.cpus[1], STALL_PACKAGE, 510000);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(i64, ended_ns, 1510000));
}

Test(cpu, a_stall_of_the_issuer_leaves_others_alone)
{
	burst.work = INT64_C(1200000) * 1000000;
	cpu_run(&machine.cpus[0], &burst);
	machine_stall(&machine, &machine.cpus[1], STALL_ISSUER, 345000);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(i64, ended_ns, 1000000));
}

Test(cpu, speed_is_the_clock_without_memory_and_at_full_capacity)
{
	cr_assert(eq(i64, cpu_speed_khz(1885000, 1024, 0, 2, &machine), 1885000));
	cr_assert(eq(i64, cpu_speed_khz(1885000, 512, 0, 2, &machine), 942500));
}

/* 1 / ((1 - 0.24) x 2.8 / f + 0.24 (1 + 0.5 n / 2)) of 2.8 GHz, with the machine's two CPUs. */
Test(cpu, memory_bound_work_scales_less_with_the_clock_and_with_more_busy_cpus)
{
	cr_assert(eq(i64, cpu_speed_khz(2800000, 1024, 240000, 0, &machine), 2800000));
	cr_assert(eq(i64, cpu_speed_khz(2800000, 1024, 240000, 2, &machine), 2500000));
	cr_assert(eq(i64, cpu_speed_khz(1200000, 1024, 240000, 0, &machine), 1390728));
}

Test(cpu, idle_time_goes_to_the_deepest_state_it_would_have_paid_for)
{
	struct cpu *cpu = &machine.cpus[0];

	burst.work = INT64_C(1200000) * 1000;
	engine_run(&engine, 399999);
	timer_arm(&changer, 399999);
	changes_left = 1;
	engine_run(&engine, NEVER_NS);
	cpu_run(cpu, &burst);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(i64, cpu_idle_ns(cpu, 0), 399999));
	cr_assert(eq(i64, cpu_idle_ns(cpu, 1), 0));
	timer_arm(&changer, engine.now_ns + 400000);
	changes_left = 1;
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(i64, cpu_idle_ns(cpu, 1), 400000));
}

Test(cpu, residencies_add_up_to_the_time_that_passed)
{
	struct cpu *cpu = &machine.cpus[0];
	int64_t sum = 0;

	burst.work = INT64_C(1885000) * 510000;
	changes_left = 1000;
	cpu_run(cpu, &burst);
	timer_arm(&changer, 77);
	engine_run(&engine, NEVER_NS);
	machine_account(&machine);
	for (int i = 0; i < 3; i++)
		sum += cpu->busy_ns[i];
	for (int i = 0; i < 2; i++)
		sum += cpu_idle_ns(cpu, i);
	cr_assert(eq(i64, sum, engine.now_ns));
}
