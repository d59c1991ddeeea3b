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
	"workload: { name: iozone" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(iozone, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

Test(iozone, a_phase_is_records_and_nothing_else)
{
	tiny_run(&tiny, YAML("performance", ", bits: 0, memory_share: 0"), NULL, 0);
	/* 32 KiB in 42700 and in 23800 cycles at 2 GHz. */
	cr_assert(epsilon_eq(dbl, measured(&tiny, "write"), 32e9 / 21350, 1e-3));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "rewrite"), 32e9 / 11900, 1e-3));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "records"), 2 * 12544, 1e-9));
	cr_assert(eq(i64, tiny.run.elapsed_ns, 12544 * (21350 + 11900)));
	cr_assert(eq(i64, tiny.run.kernel.switches, 1));
}

Test(iozone, pauses_come_before_the_phases_and_do_not_count)
{
	tiny_run(&tiny, YAML("performance", ", memory_share: 0, cpu: 2"), NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "write"), 32e9 / 21350, 1e-3));
	/* 40 bits and gaps before each: about 4 s and 6 s. */
	cr_assert(gt(i64, tiny.run.elapsed_ns, 6 * NSEC_PER_SEC));
	cr_assert(lt(i64, tiny.run.elapsed_ns, 16 * NSEC_PER_SEC));
	cr_assert(eq(i64, tiny.run.kernel.wakeups, 1 + 2 * 40));
}

Test(iozone, memory_time_does_not_scale)
{
	tiny_run(&tiny, YAML("powersave", ", bits: 0, memory_share: 0.5"), NULL, 0);
	/* Half the work twice as long, half as it was: 1.5 times the time. */
	cr_assert(epsilon_eq(dbl, measured(&tiny, "write"), 32e9 / 21350 / 1.5, 2));
}

Test(iozone, what_cannot_be_is_refused)
{
	refused(YAML("performance", ", size: 16"), "iozone: 0 records of 32 KiB");
	refused(YAML("performance", ", size: 1000000000, record: 1, write: 1000000000"),
		"no more than fit in one stretch of work");
	refused(YAML("performance", ", cpu: 4"), "iozone: the machine has no CPU 4");
}
