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
	"workload: { name: load-list" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(load_list, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

Test(load_list, each_load_for_its_time)
{
	tiny_run(&tiny, YAML("performance", ", loads: '20, 50 5', hold: 100ms, period: 10ms"), NULL,
		0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 300000000));
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 10 * (2000000 + 5000000 + 500000)));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "periods"), 30, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "begun late"), 0, 1e-9));
}

Test(load_list, what_half_the_clock_cannot_do_is_late)
{
	tiny_run(&tiny, YAML("powersave", ", loads: '20 75', hold: 100ms, period: 10ms, cpu: 3"),
		NULL, 0);
	/* 15 ms of work every 10 ms: nine begin late, and the last ends 50 ms late. */
	cr_assert(epsilon_eq(dbl, measured(&tiny, "begun late"), 9, 1e-9));
	cr_assert(eq(i64, tiny.run.elapsed_ns, 250000000));
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 190000000));
}

Test(load_list, no_load_is_idle)
{
	tiny_run(&tiny, YAML("performance", ", loads: '0', hold: 50ms, period: 10ms"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 50000000));
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 0));
}

Test(load_list, wrong_lists_are_refused)
{
	refused(YAML("performance", ", loads: '20 101'"), "loads: found \"101\"; expected percent");
	refused(YAML("performance", ", loads: '20 x'"), "loads: found \"x\"");
	refused(YAML("performance", ", loads: '20%'"), "loads: found \"20%\"");
	refused(YAML("performance", ", loads: ' , '"), "loads is empty");
	refused(YAML("performance", ", cpu: 4"), "load-list: the machine has no CPU 4");
}
