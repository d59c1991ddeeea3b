#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: fio" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(fio, .fini = teardown);

Test(fio, a_read_per_think_time_and_its_work)
{
	tiny_run(&tiny, YAML("performance", ", runtime: 1s"), NULL, 0);
	/* 991 us and 65000 cycles at 2 GHz: 1023.5 us. */
	cr_assert(ge(dbl, measured(&tiny, "reads"), 976));
	cr_assert(le(dbl, measured(&tiny, "reads"), 978));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "latency"), 32.5, 0.2));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "bandwidth"), 4 * measured(&tiny, "IOPS"), 1e-9));
	/* Its clocks for 157 ms, what 8.2 M cycles take, 100 ms; at the end a look and a report. */
	cr_assert(ge(i64, tiny.run.elapsed_ns, 1261000000));
	cr_assert(lt(i64, tiny.run.elapsed_ns, 1277000000));
}

Test(fio, a_device_that_takes_time_is_waited_for)
{
	tiny_run(&tiny, YAML("performance", ", runtime: 1s, io_time: 200us, thinktime: 400us"),
		NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "latency"), 232.5, 1));
	/* Two wake-ups a read, 100 of the main process, 6 of the helper, the alarm. */
	double wakeups = 2 * measured(&tiny, "reads") + 107;
	cr_assert(epsilon_eq(dbl, (double)tiny.run.kernel.wakeups, wakeups, 10));
}

Test(fio, others_wake_beside_it)
{
	int64_t alone;

	tiny_run(&tiny, YAML("performance", ", runtime: 2s"), NULL, 0);
	alone = tiny.run.kernel.wakeups;
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("performance", ", runtime: 2s, background_rate: 250"), NULL, 0);
	/* In 2.27 s: 267 ms before the runtime, too. */
	cr_assert(ge(i64, tiny.run.kernel.wakeups - alone, 562));
	cr_assert(le(i64, tiny.run.kernel.wakeups - alone, 572));
}

Test(fio, without_a_start_up_there_are_jobs_sooner)
{
	int64_t with_ns;

	tiny_run(&tiny, YAML("performance", ", runtime: 1s"), NULL, 0);
	with_ns = tiny.run.elapsed_ns;
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("performance", ", runtime: 1s, start_up: 0"), NULL, 0);
	/* The main process looks every 10 ms whether the jobs have ended. */
	cr_assert(epsilon_eq(dbl, (double)(with_ns - tiny.run.elapsed_ns), 157e6, 11e6));
}

Test(fio, a_slow_clock_makes_each_read_longer)
{
	tiny_run(&tiny, YAML("powersave", ", runtime: 1s, numjobs: 2"), NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "latency"), 65, 1));
	cr_assert(gt(dbl, measured(&tiny, "reads"), 2 * 940));
}
