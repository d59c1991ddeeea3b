#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: pids-per-second" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(pids_per_second, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

#define QUIET ", jitter: 0, daemons: 0"

Test(pids_per_second, a_packet_is_its_cycles_and_a_fixed_time)
{
	tiny_run(&tiny, YAML("performance", QUIET ", packets: 100"), NULL, 0);
	/* 2549000 cycles at 2 GHz and 7.7 us. */
	/* Each of two pieces ends on a whole nanosecond. */
	cr_assert(ge(i64, tiny.run.elapsed_ns, 100 * (1274500 + 7700)));
	cr_assert(le(i64, tiny.run.elapsed_ns, 100 * (1274500 + 7700 + 2)));
	/* The parent, too, is a child: of the shell. */
	cr_assert(eq(i64, tiny.run.kernel.forks, 101));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "packets"), 100, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "time per packet"), 1282.2, 0.002));
	/* The first start, the parent's wake-up by each child, and the shell's by the parent. */
	cr_assert(eq(i64, tiny.run.kernel.wakeups, 102));
}

Test(pids_per_second, the_tails_are_overlapped)
{
	tiny_run(&tiny, YAML("performance", QUIET ", packets: 50"), NULL, 0);
	double packet = 2549000 + 339017 / 1000 * 250.0 + 69000;
	cr_assert(epsilon_eq(dbl, cycles_done(&tiny), 50 * packet, 70000));
}

Test(pids_per_second, at_half_the_clock_only_the_cycles_take_longer)
{
	tiny_run(&tiny, YAML("powersave", QUIET ", packets: 100"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 100 * (2549000 + 7700)));
}

Test(pids_per_second, at_a_rate_packets_wait_for_their_time)
{
	tiny_run(&tiny, YAML("performance", QUIET ", packets: 21, rate: 40"), NULL, 0);
	cr_assert(epsilon_eq(dbl, (double)tiny.run.elapsed_ns, 500000000 + 1274500 + 7700, 2));
}

Test(pids_per_second, jitter_is_the_same_whatever_the_governor)
{
	double cycles[2];

	tiny_run(&tiny, YAML("performance", ", daemons: 0, packets: 200"), NULL, 0);
	cycles[0] = cycles_done(&tiny);
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("powersave", ", daemons: 0, packets: 200"), NULL, 0);
	cycles[1] = cycles_done(&tiny);
	cr_assert(epsilon_eq(dbl, cycles[0], cycles[1], 70000));
	cr_assert(gt(dbl, fabs(cycles[0] / 200 - 2549000 - 84750 - 69000), 100));
}

Test(pids_per_second, daemons_wake_at_their_rate)
{
	tiny_run(&tiny,
		YAML("performance", ", jitter: 0, packets: 4000, daemons: 6, daemon_rate: 50"),
		NULL, 0);
	double wakeups = (double)tiny.run.kernel.wakeups - 4002;
	double expected = 6 * 50 * (double)tiny.run.elapsed_ns / 1e9;
	cr_assert(epsilon_eq(dbl, wakeups, expected, 4 * sqrt(expected)));
}

Test(pids_per_second, executions_are_timed_one_by_one)
{
	tiny_run(&tiny, YAML("performance", QUIET ", packets: 20, executions: 5"), NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "packets"), 100, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "executions"), 5, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "execution mean"), 20 * 1282.2e-6, 1e-6));
	cr_assert(le(dbl, measured(&tiny, "execution std"), 1e-8));
	cr_assert(le(dbl, measured(&tiny, "execution min"), measured(&tiny, "execution mean")));
	cr_assert(ge(dbl, measured(&tiny, "execution max"), measured(&tiny, "execution mean")));
}

Test(pids_per_second, executions_may_differ_as_a_whole)
{
	tiny_run(&tiny,
		YAML("performance", QUIET ", packets: 5, executions: 400, execution_jitter: 1%"),
		NULL, 0);
	/* A hundredth of 5 x 1.2745 ms, give or take three standard errors. */
	cr_assert(epsilon_eq(dbl, measured(&tiny, "execution std"), 63.7e-6, 63.7e-6 * 0.11));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "execution mean"), 5 * 1282.2e-6, 10e-6));
}

Test(pids_per_second, at_a_rate_each_execution_keeps_it_from_its_start)
{
	tiny_run(&tiny, YAML("performance", QUIET ", packets: 21, rate: 40, executions: 3"), NULL,
		0);
	cr_assert(
		epsilon_eq(dbl, measured(&tiny, "execution mean"), 0.5 + 1274.5e-6 + 7.7e-6, 1e-7));
}

Test(pids_per_second, a_schedule_beyond_the_clock_is_refused)
{
	refused(YAML("performance", ", rate: 1, packets: 10000000000"),
		"10000000000 packets at a rate do not fit in the clock");
}
