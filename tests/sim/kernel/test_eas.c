#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/eas.h"
#include "sim/kernel/rq.h"
#include "tests/support/tiny.h"

/* Four small and two large CPUs. */
#define YAML(kernel)                                                               \
	"machine:\n"                                                               \
	"  name: big-little\n"                                                     \
	"  summary: CPUs of two sizes\n"                                           \
	"  reference: 2GHz\n"                                                      \
	"  cpus:\n"                                                                \
	"    - { cpus: 0-3, package: 0, capacity: 446 }\n"                         \
	"    - { cpus: 4-5, package: 0, capacity: 1024 }\n"                        \
	"  tables:\n"                                                              \
	"    small:\n"                                                             \
	"      frequency_table:\n"                                                 \
	"        - { freq: 1GHz, power: 130mW }\n"                                 \
	"        - { freq: 2GHz, power: 410mW }\n"                                 \
	"    large:\n"                                                             \
	"      frequency_table:\n"                                                 \
	"        - { freq: 1GHz, power: 700mW }\n"                                 \
	"        - { freq: 2GHz, power: 2310mW }\n"                                \
	"  policies: [{ cpus: 0-3, table: small }, { cpus: 4-5, table: large }]\n" \
	"  clock: { scope: policy, vote: all }\n"                                  \
	"  idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }]\n"       \
	"kernel: { version: " kernel " }\n"                                        \
	"driver: 'null'\n"                                                         \
	"governor: schedutil\n"                                                    \
	"workload: scripted\n"                                                     \
	"run: { duration: 3s }\n"

/* Of work of 1 ms of a large CPU at 2 GHz. */
#define MS (INT64_C(2000000) * NSEC_PER_MSEC)

#define TEN(a) a, a, a, a, a, a, a, a, a, a
#define BURST SCRIPT_RUN(1 * MS / 2), SCRIPT_SLEEP(15700000)
#define LITTLE SCRIPT_RUN(1 * MS / 20), SCRIPT_SLEEP(9900000)

static const struct script_step light[] = { TEN(TEN(BURST)), SCRIPT_EXIT };
static const struct script_step hog[] = { SCRIPT_RUN(2000 * MS), SCRIPT_EXIT };

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(eas, .fini = teardown);

Test(eas, a_light_task_moves_to_a_small_cpu)
{
	const struct script scripts[] = { { light, 5, false } };

	tiny_run(&tiny, YAML("\"6.1\""), scripts, 1);
	cr_assert(le(int, tiny.exit_cpu[0], 3));
}

/* A task's estimate hides the little that runs on another CPU: until 5.19 it seemed to save energy to
 * go there. From 6.0 on its own time counts the same on all CPUs of a domain. */
Test(eas, from_6_0_on_company_saves_nothing)
{
	const struct script_step company[] = { TEN(TEN(LITTLE)), SCRIPT_EXIT };
	const struct script scripts[] = { { light, 1, false }, { company, 0, true } };

	tiny_run(&tiny, YAML("\"5.10\""), scripts, 2);
	cr_expect(eq(int, tiny.exit_cpu[0], 0));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("\"6.1\""), scripts, 2);
	cr_expect(eq(int, tiny.exit_cpu[0], 1));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("\"6.12\""), scripts, 2);
	cr_expect(eq(int, tiny.exit_cpu[0], 1));
}

Test(eas, it_stays_where_the_search_is_off)
{
	const struct script scripts[] = { { light, 5, false } };

	tiny_run(&tiny, YAML("\"6.1\", energy_aware: no"), scripts, 1);
	cr_assert(eq(int, tiny.exit_cpu[0], 5));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("\"4.19\""), scripts, 1);
	cr_assert(eq(int, tiny.exit_cpu[0], 5));
}

Test(eas, above_four_fifths_of_a_cpu_the_search_is_off)
{
	const struct script_step later[] = { SCRIPT_SLEEP(700000000), TEN(BURST), SCRIPT_EXIT };
	const struct script scripts[] = { { later, 5, false }, { hog, 4, true } };

	tiny_run(&tiny, YAML("\"6.1\""), scripts, 2);
	cr_assert(eq(int, tiny.exit_cpu[0], 5));
}

Test(eas, without_the_search_a_task_that_has_outgrown_its_cpu_moves_up)
{
	/* Three fourths of a small CPU and more, in bursts. */
	const struct script_step heavy[] = { TEN(SCRIPT_RUN(45 * MS)), SCRIPT_SLEEP(1000000),
		SCRIPT_RUN(45 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { heavy, 1, false } };

	tiny_run(&tiny, YAML("\"6.1\", invariance: cpufreq, energy_aware: no"), scripts, 1);
	cr_assert(ge(int, tiny.exit_cpu[0], 4));
}

/* A hog on a large CPU heats the package beyond the trip point; 30 K of hysteresis keep it there. */
#define HOT                                                                         \
	"hardware: { limit_temperature: 1, pressure: 1, thermal_resistance: 20000," \
	" heat_capacity: 10, trip: 50C, hysteresis: 30C }\n"

static const struct rq *rq_of(int cpu)
{
	return &tiny.run.kernel.rqs[cpu];
}

Test(eas, heat_that_the_firmware_tells_of_takes_capacity_away)
{
	static const struct script scripts[] = { { hog, 5, false } };
	const char *const versions[] = { YAML("\"6.1\"") HOT, YAML("\"6.12\"") HOT };

	for (int i = 0; i < 2; i++) {
		tiny_run(&tiny, versions[i], scripts, 1);
		/* Both run at one of two GHz. */
		cr_assert(eq(u64, rq_of(5)->pressure, 512));
		cr_assert(eq(u64, rq_of(0)->pressure, 223));
		struct task *task = &tiny.run.kernel.blocks->tasks[0];
		task->pelt.sig.util_avg = 600;
		task->pelt.util_est = (struct util_est){ 0 };
		cr_assert(not(eas_task_fits(&tiny.run.kernel, task, 5)));
		tiny.run.kernel.rqs[5].pressure = 0;
		cr_assert(eas_task_fits(&tiny.run.kernel, task, 5));
		tiny_free(&tiny);
		tiny = (struct tiny){ 0 };
	}
}

Test(eas, before_5_7_and_without_firmware_that_tells_heat_takes_none)
{
	static const struct script scripts[] = { { hog, 5, false } };
	static char silent[2048];

	tiny_run(&tiny, YAML("\"5.4\"") HOT, scripts, 1);
	cr_assert(eq(u64, rq_of(5)->pressure, 0));
	cr_assert(eq(int, tiny.run.machine.domains[1].clock, 0));
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	snprintf(silent, sizeof(silent), "%s", YAML("\"6.1\"") HOT);
	strstr(silent, "pressure: 1")[10] = '0';
	tiny_run(&tiny, silent, scripts, 1);
	cr_assert(eq(u64, rq_of(5)->pressure, 0));
	cr_assert(eq(int, tiny.run.machine.domains[1].clock, 0));
}
