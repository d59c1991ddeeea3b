#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                                            \
	"machine: dl580-gen8\n"                                             \
	"kernel: { version: \"4.8\", hz: 250, placement: spread-random }\n" \
	"driver: { name: 'null' }\n"                                        \
	"governor: " governor "\n"                                          \
	"workload: { name: kernel-build, units: 200, serial_jobs: 5" workload " }\n"

static struct tiny tiny;

static double cpu_s(void)
{
	return (double)(tiny.run.kernel.user_ns + tiny.run.kernel.sys_ns) / 1e9;
}

static uint64_t charged_cycles(void)
{
	uint64_t cycles = 0;

	for (int i = 0; i < tiny.run.machine.nr_cpus; i++)
		cycles += tiny.run.machine.cpus[i].cycles;
	return cycles;
}

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(kernel_build, .fini = teardown);

Test(kernel_build, every_job_starts_its_processes)
{
	tiny_run(&tiny, YAML("performance", ", jobs: 8"), NULL, 0);
	/* Per job the shell, 14 short processes, the compiler and its helper. */
	cr_assert(eq(i64, tiny.run.kernel.forks, 200 * 17));
	cr_assert(eq(i64, tiny.run.kernel.leading, 0));
}

Test(kernel_build, twice_the_jobs_take_about_half_the_time)
{
	double two, four;

	tiny_run(&tiny, YAML("performance", ", jobs: 2"), NULL, 0);
	two = (double)tiny.run.elapsed_ns;
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("performance", ", jobs: 4"), NULL, 0);
	four = (double)tiny.run.elapsed_ns;
	cr_assert(gt(dbl, two / four, 1.8));
	cr_assert(lt(dbl, two / four, 2.05));
}

Test(kernel_build, the_work_is_the_same_whatever_the_governor)
{
	uint64_t cycles[2];
	const char *const yaml[2] = {
		YAML("performance", ", jobs: 8, housekeepers: 0"),
		YAML("powersave", ", jobs: 8, housekeepers: 0"),
	};

	for (int i = 0; i < 2; i++) {
		tiny_run(&tiny, yaml[i], NULL, 0);
		cycles[i] = charged_cycles();
		tiny_free(&tiny);
	}
	/* A CPU counts whole cycles; what each is short of one at the end may differ. */
	cr_assert(
		le(u64, cycles[0] > cycles[1] ? cycles[0] - cycles[1] : cycles[1] - cycles[0], 60));
}

Test(kernel_build, start_penalties_are_paid_only_away_from_the_parent)
{
	double spread, together;

	tiny_run(&tiny, YAML("performance", ", jobs: 1, memory_share: 0"), NULL, 0);
	spread = cpu_s();
	tiny_free(&tiny);
	tiny_run(&tiny,
		YAML("performance",
			", jobs: 1, memory_share: 0, start_penalty_short: 0, start_penalty_long: "
			"0"),
		NULL, 0);
	together = cpu_s();
	/* Alone on the machine every process starts in another package: 14 x 1.39 + 20 ms a job. */
	cr_assert(lt(dbl, spread - together, 200 * (14 * 0.00139 + 0.020) * 1.001));
	cr_assert(gt(dbl, spread - together, 200 * (14 * 0.00139 + 0.020) * 0.999));
}

Test(kernel_build, short_processes_count_as_sys_and_the_compiler_mostly_as_user)
{
	tiny_run(&tiny, YAML("performance", ", jobs: 8"), NULL, 0);
	double user = (double)tiny.run.kernel.user_ns, sys = (double)tiny.run.kernel.sys_ns;
	cr_assert(gt(dbl, sys / (user + sys), 0.10));
	cr_assert(lt(dbl, sys / (user + sys), 0.30));
}

Test(kernel_build, more_jobs_than_units_is_fine)
{
	tiny_run(&tiny, YAML("performance", ", jobs: 100000"), NULL, 0);
	cr_assert(eq(i64, tiny.run.kernel.forks, 200 * 17));
}

Test(kernel_build, more_serial_jobs_than_units_is_refused)
{
	cr_assert(lt(int,
		tiny_build(&tiny,
			"machine: dl580-gen8\ndriver: 'null'\ngovernor: performance\n"
			"workload: { name: kernel-build, units: 20, serial_jobs: 21 }\n",
			NULL, 0),
		0));
	cr_assert(strstr(tiny.err.text, "serial_jobs 21 is more than units 20") != NULL);
}
