#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: boot-storm" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(boot_storm, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

Test(boot_storm, every_cpu_starts_its_processes)
{
	tiny_run(&tiny, YAML("performance", ", processes: 7"), NULL, 0);
	cr_assert(eq(i64, tiny.run.kernel.forks, 4 * 7));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "processes"), 28, 1e-9));
	cr_assert(eq(i64, tiny.run.kernel.migrations, 0));
	for (int i = 0; i < 4; i++)
		cr_assert(gt(u64, tiny.run.machine.cpus[i].cycles, 7 * 240000));
}

Test(boot_storm, a_part_of_the_cpus_may_take_part)
{
	tiny_run(&tiny, YAML("performance", ", cpus: 3"), NULL, 0);
	cr_assert(eq(i64, tiny.run.kernel.forks, 3 * 20));
	cr_assert(eq(u64, tiny.run.machine.cpus[3].cycles, 0));
}

Test(boot_storm, the_work_is_the_same_whatever_the_governor)
{
	double cycles;

	tiny_run(&tiny, YAML("performance", ""), NULL, 0);
	cycles = cycles_done(&tiny);
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("ondemand", ""), NULL, 0);
	cr_assert(epsilon_eq(dbl, cycles, cycles_done(&tiny), 4));
}

Test(boot_storm, more_cpus_than_there_are_are_refused)
{
	refused(YAML("performance", ", cpus: 5"), "boot-storm: 5 cpus; the machine has 4");
}
