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
	"workload: { name: sched-pipe" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(sched_pipe, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

Test(sched_pipe, on_one_cpu_a_round_trip_is_two_turns)
{
	tiny_run(&tiny, YAML("performance", ", loops: 1000, placement: one-cpu, cpu: 3"), NULL, 0);
	/* 2 x 4000 cycles at 2 GHz. */
	cr_assert(eq(i64, tiny.run.elapsed_ns, 1000 * 4000));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "round trips"), 1000, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "time per round trip"), 4.0, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "round trips per second"), 250000, 1e-6));
	cr_assert(eq(u64, tiny.run.machine.cpus[3].cycles, 8000000));
	cr_assert(eq(u64, tiny.run.machine.cpus[0].cycles, 0));
}

Test(sched_pipe, a_round_trip_is_two_wakeups_and_two_switches)
{
	tiny_run(&tiny, YAML("performance", ", loops: 5000, placement: one-cpu"), NULL, 0);
	cr_assert(ge(i64, tiny.run.kernel.wakeups, 2 * 4999));
	cr_assert(le(i64, tiny.run.kernel.wakeups, 2 * 5001));
	cr_assert(ge(i64, tiny.run.kernel.switches, 2 * 4999));
	cr_assert(le(i64, tiny.run.kernel.switches, 2 * 5001));
	cr_assert(eq(i64, tiny.run.kernel.migrations, 0));
}

Test(sched_pipe, on_two_cpus_each_turn_pays_for_the_distance)
{
	tiny_run(&tiny, YAML("performance", ", loops: 1000, placement: two-cpus, cpu: 1"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 1000 * 13500));
	cr_assert(eq(u64, tiny.run.machine.cpus[1].cycles, 13500000));
	cr_assert(eq(u64, tiny.run.machine.cpus[2].cycles, 13500000));
}

Test(sched_pipe, the_scheduler_may_choose)
{
	tiny_run(&tiny, YAML("powersave", ", loops: 1000"), NULL, 0);
	cr_assert(ge(i64, tiny.run.elapsed_ns, 1000 * 8000));
	cr_assert(le(i64, tiny.run.elapsed_ns, 1000 * 27000));
}

Test(sched_pipe, a_cpu_that_is_not_there_is_refused)
{
	refused(YAML("performance", ", placement: two-cpus, cpu: 3"),
		"sched-pipe: the machine has no CPU 4");
}
