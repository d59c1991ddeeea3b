#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/hw/power.h"
#include "sim/kernel/rq.h"
#include "tests/support/tiny.h"

/* Two cores of two threads. */

#define MS (INT64_C(2000000) * NSEC_PER_MSEC)

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(core, .fini = teardown);

static const struct script_step work_65ms[] = { SCRIPT_RUN(65 * MS), SCRIPT_EXIT };

static const char *yaml_of(const char *cpus)
{
	static char yaml[1024];

	snprintf(yaml, sizeof(yaml),
		"machine:\n"
		"  name: smt\n"
		"  summary: two cores of two threads\n"
		"  reference: 2GHz\n"
		"  cpus: [{ cpus: 0-3, package: 0, smt: 2%s }]\n"
		"  policies: per-cpu\n"
		"  clock: { scope: package, vote: non-idle }\n"
		"  voltage_points: [{ freq: 2GHz, voltage: 1V }]\n"
		"  idle: [{ name: C1, exit_latency: 0us, target_residency: 0us }]\n"
		"  power: { ceff: 1000 }\n"
		"kernel: { version: \"5.10\", hz: 250 }\n"
		"driver: 'null'\n"
		"governor: performance\n"
		"workload: scripted\n",
		cpus);
	return yaml;
}

/* ms until tasks on CPU 0 and on @other are done. */
static double elapsed_ms(const char *cpus, int other)
{
	const struct job jobs[] = { { work_65ms, 0, false, .pin = 1 },
		{ work_65ms, other, false, .pin = 1 } };

	tiny_run_jobs(&tiny, yaml_of(cpus), jobs, 2);
	double ms = (double)tiny.run.elapsed_ns / 1e6;
	tiny_free(&tiny);
	return ms;
}

Test(core, two_threads_of_a_core_share_its_yield)
{
	cr_assert(epsilon_eq(dbl, elapsed_ms(", smt_yield: 1.3", 2), 100, 1e-5));
	cr_assert(epsilon_eq(dbl, elapsed_ms(", smt_yield: 1.3", 1), 65, 1e-5));
	cr_assert(epsilon_eq(dbl, elapsed_ms(", smt_yield: 1", 2), 130, 1e-5));
}

Test(core, siblings_may_be_neighbours)
{
	cr_assert(
		epsilon_eq(dbl, elapsed_ms(", smt_yield: 1.3, siblings: adjacent", 1), 100, 1e-5));
	cr_assert(epsilon_eq(dbl, elapsed_ms(", smt_yield: 1.3, siblings: adjacent", 2), 65, 1e-5));
}

Test(core, without_a_yield_threads_are_cores)
{
	cr_assert(epsilon_eq(dbl, elapsed_ms("", 2), 65, 1e-5));
}

Test(core, a_thread_is_fast_again_when_its_sibling_sleeps)
{
	static const struct script_step shorter[] = { SCRIPT_RUN(13 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { work_65ms, 0, false, .pin = 1 },
		{ shorter, 2, false, .pin = 1 } };

	tiny_run_jobs(&tiny, yaml_of(", smt_yield: 1.3"), jobs, 2);
	/* 13 ms of work each in 20 ms, and 52 ms alone. */
	cr_assert(epsilon_eq(dbl, (double)tiny.exit_ns[1] / 1e6, 20, 1e-5));
	cr_assert(epsilon_eq(dbl, (double)tiny.exit_ns[0] / 1e6, 72, 1e-5));
}

Test(core, a_new_task_goes_to_an_idle_core_before_an_idle_thread)
{
	const struct script_step parent[] = { SCRIPT_RUN(1 * MS), SCRIPT_SPAWN(1),
		SCRIPT_RUN(9 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { parent, 0, false }, { work_65ms, -1, true } };

	tiny_run(&tiny, yaml_of(", siblings: adjacent"), scripts, 2);
	cr_assert(eq(int, tiny.run.kernel.rqs[2].curr != NULL, 1));
}

Test(core, a_range_is_a_whole_number_of_cores)
{
	char yaml[1024], *range;

	snprintf(yaml, sizeof(yaml), "%s", yaml_of(""));
	range = strstr(yaml, "0-3");
	range[2] = '4';
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, "5 CPUs are no whole number of cores with 2 threads") !=
		NULL);
	/* Nothing was built: there is only the arena to free. */
}

/* 2 W a busy core at 2 GHz and 1 V, half a watt for a core in C1. */
static double joules(const char *cpus, const struct job *jobs, int nr)
{
	static char yaml[1200];
	char *power;

	snprintf(yaml, sizeof(yaml), "%s", yaml_of(cpus));
	power = strstr(yaml, "target_residency: 0us }]");
	cr_assert(ne(ptr, power, NULL));
	char tail[1200];
	snprintf(tail, sizeof(tail), "%s", power + strlen("target_residency: 0us }]"));
	snprintf(power, sizeof(yaml) - (size_t)(power - yaml),
		"target_residency: 0us, power: 500mW }]%s", tail);
	tiny_run_jobs(&tiny, yaml, jobs, nr);
	double energy_j = power_energy_j(&tiny.run.machine);
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	return energy_j;
}

/* Siblings 0 and 2, or CPUs of two cores: 65 ms each. */
Test(core, threads_share_the_power_of_their_core)
{
	const struct job siblings[] = { { work_65ms, 0, false, .pin = 1 },
		{ work_65ms, 2, false, .pin = 1 } };
	const struct job cores[] = { { work_65ms, 0, false, .pin = 1 },
		{ work_65ms, 1, false, .pin = 1 } };

	/* One core busy, the other in C1. */
	cr_assert(epsilon_eq(dbl, joules("", siblings, 2), 0.065 * (2 + 0.5), 1e-9));
	cr_assert(epsilon_eq(dbl, joules("", cores, 2), 0.065 * (2 + 2), 1e-9));
}

Test(core, a_second_thread_may_cost_a_part_of_a_core)
{
	static const struct script_step shorter[] = { SCRIPT_RUN(13 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { work_65ms, 0, false, .pin = 1 },
		{ shorter, 2, false, .pin = 1 } };

	/* 13 ms of both threads at 2.5 W, 52 ms of one at 2 W; the other core in C1. */
	cr_assert(epsilon_eq(dbl, joules(", smt_power: 1.25", jobs, 2),
		0.013 * 2.5 + 0.052 * 2 + 0.065 * 0.5, 1e-9));
}

/* A thread sleeps for 30 ms while its sibling is idle too: its core is in C1 for that long. */
Test(core, a_core_idles_while_all_its_threads_do)
{
	static const struct script_step nap[] = { SCRIPT_RUN(10 * MS), SCRIPT_SLEEP(30000000),
		SCRIPT_RUN(10 * MS), SCRIPT_EXIT };
	static const struct script_step early[] = { SCRIPT_RUN(20 * MS), SCRIPT_EXIT };
	const struct job jobs[] = { { nap, 0, false, .pin = 1 }, { early, 2, false, .pin = 1 } };

	/* Busy until 20 ms and from 40 ms to 50 ms. */
	cr_assert(
		epsilon_eq(dbl, joules("", jobs, 2), 0.030 * 2 + 0.020 * 0.5 + 0.050 * 0.5, 1e-9));
}
