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
	"workload: { name: dhrystone" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(dhrystone, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

Test(dhrystone, time_is_cycles_over_the_clock)
{
	tiny_run(&tiny, YAML("performance", ", loops: 1000000"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 60000000));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "DMIPS"), 1e6 / 0.06 / 1757, 1e-6));
	cr_assert(eq(i64, tiny.run.kernel.switches, 1));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("powersave", ", loops: 1000000, cycles: 254"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 254000000));
}

Test(dhrystone, threads_beyond_the_cpus_share_them)
{
	tiny_run(&tiny, YAML("performance", ", loops: 1000000, threads: 8"), NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "dhrystones"), 8e6, 1e-9));
	cr_assert(ge(i64, tiny.run.elapsed_ns, 120000000));
	cr_assert(le(i64, tiny.run.elapsed_ns, 130000000));
}

Test(dhrystone, more_than_a_stretch_of_work_is_refused)
{
	refused(YAML("performance", ", loops: 1000000000000, cycles: 1000000"),
		"do not fit in one stretch of work");
}
