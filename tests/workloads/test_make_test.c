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
	"workload: { name: make-test" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(make_test, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

Test(make_test, one_process_per_command)
{
	tiny_run(&tiny, YAML("performance", ", processes: 300"), NULL, 0);
	cr_assert(eq(i64, tiny.run.kernel.forks, 300));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "processes"), 300, 1e-9));
	/* Each waits for the disk; 37 commit; the shell waits for each and is started. */
	cr_assert(eq(i64, tiny.run.kernel.wakeups, 300 + 37 + 300 + 1));
}

Test(make_test, elapsed_is_work_and_disk)
{
	tiny_run(&tiny,
		YAML("performance",
			", processes: 200, work_sigma: 0, io_min: 50us, "
			"io_max: 50us, commit_every: 10, commit_min: 3ms, commit_max: 3ms"),
		NULL, 0);
	/* 363000 and 3300000 cycles at 2 GHz, 50 us; 20 commits. */
	double expected = 200 * (0.0018315 + 0.00005) + 20 * 0.003;
	cr_assert(epsilon_eq(dbl, (double)tiny.run.elapsed_ns / 1e9, expected, 1e-6));
}

Test(make_test, the_work_is_the_same_whatever_the_governor)
{
	double cycles;

	tiny_run(&tiny, YAML("performance", ", processes: 100"), NULL, 0);
	cycles = cycles_done(&tiny);
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("ondemand", ", processes: 100"), NULL, 0);
	cr_assert(epsilon_eq(dbl, cycles, cycles_done(&tiny), 1.5));
	/* The median of a command is 3.3 M cycles, the mean an eighth more. */
	cr_assert(epsilon_eq(dbl, cycles / 100 - 363000, 3300000 * 1.133, 400000));
}

Test(make_test, waits_that_cannot_be_are_refused)
{
	refused(YAML("performance", ", io_min: 1ms"), "a shortest wait is longer than the longest");
	refused(YAML("performance", ", commit_max: 1us"),
		"a shortest wait is longer than the longest");
}
