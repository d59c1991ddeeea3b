#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <string.h>

#include "sim/base/units.h"
#include "sim/hw/machine.h"

/* Votes of a package: two CPUs with clocks of their own wishes. */

static const int64_t clocks[] = { 1204000, 1876000, 2800000 };
static struct cpus_spec cpus = { .first = 0, .last = 1, .package = 0, .capacity = 1024 };
static struct opp_table table;
static struct policy_spec policies[] = { { .first = 0, .last = 0 }, { .first = 1, .last = 1 } };
static struct cstate_spec cstates[] = { { .name = "C1" } };
static struct machine_spec spec = {
	.nr_cpus = 2,
	.nr_packages = 1,
	.cpus = &cpus,
	.nr_cpu_ranges = 1,
	.policies = policies,
	.nr_policies = 2,
	.tables = &table,
	.nr_tables = 1,
	.clock_scope = CLOCK_PACKAGE,
	.clock_vote = VOTE_NON_IDLE,
	.reference_khz = 2800000,
	.cstates = cstates,
	.nr_cstates = 1,
};
static struct arena arena;
static struct engine engine;
static struct machine machine;
static struct burst bursts[2];

static void build(enum clock_vote rule)
{
	cr_assert(not(arena_try(&arena)));
	spec.clock_vote = rule;
	machine_build(&machine, &spec, &engine, &arena);
	domain_set_clocks(&machine.domains[0], clocks, 3, 1204000, &arena);
	engine_start(&engine, &arena);
	bursts[0].work = bursts[1].work = INT64_C(2800000) * 1000000;
}

static int64_t clock_khz(void)
{
	return clocks[machine.domains[0].clock];
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(machine, .fini = teardown);

Test(machine, a_package_runs_at_the_highest_vote_of_its_non_idle_cpus)
{
	build(VOTE_NON_IDLE);
	cpu_vote(&machine.cpus[1], 2);
	cr_assert(eq(i64, clock_khz(), 1204000));
	cpu_run(&machine.cpus[0], &bursts[0]);
	cr_assert(eq(i64, clock_khz(), 1204000));
	cpu_run(&machine.cpus[1], &bursts[1]);
	cr_assert(eq(i64, clock_khz(), 2800000));
	cpu_idle(&machine.cpus[1], CPU_STATE_IDEAL);
	cr_assert(eq(i64, clock_khz(), 1204000));
}

Test(machine, a_cpu_held_by_the_kernel_is_non_idle_but_does_not_run)
{
	build(VOTE_NON_IDLE);
	cpu_vote(&machine.cpus[1], 1);
	cpu_hold(&machine.cpus[1]);
	cr_assert(eq(i64, clock_khz(), 1876000));
	arena_free(&arena);
	memset(&machine, 0, sizeof(machine));
	memset(&engine, 0, sizeof(engine));
	build(VOTE_RUNNING);
	cpu_vote(&machine.cpus[1], 1);
	cpu_hold(&machine.cpus[1]);
	cr_assert(eq(i64, clock_khz(), 1204000));
}

Test(machine, with_all_votes_an_idle_cpu_keeps_the_package_up)
{
	build(VOTE_ALL);
	cpu_vote(&machine.cpus[1], 2);
	cr_assert(eq(i64, clock_khz(), 2800000));
	cpu_vote(&machine.cpus[1], 0);
	cr_assert(eq(i64, clock_khz(), 1204000));
}

Test(machine, when_all_are_idle_the_clock_stays)
{
	build(VOTE_NON_IDLE);
	cpu_vote(&machine.cpus[0], 1);
	cpu_run(&machine.cpus[0], &bursts[0]);
	cpu_idle(&machine.cpus[0], CPU_STATE_IDEAL);
	cr_assert(eq(i64, clock_khz(), 1876000));
}

Test(machine, a_clock_between_two_counts_as_the_lower)
{
	build(VOTE_ALL);
	cr_assert(eq(int, domain_clock_index(&machine.domains[0], 1875999), 0));
	cr_assert(eq(int, domain_clock_index(&machine.domains[0], 1876000), 1));
	cr_assert(eq(int, domain_clock_index(&machine.domains[0], 4200000), 2));
	cr_assert(eq(int, domain_clock_index(&machine.domains[0], 150000), 0));
}
