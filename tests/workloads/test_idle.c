#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(workload, run)                               \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: performance\n"                         \
	"workload: { name: idle" workload " }\n" run

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(idle, .fini = teardown);

Test(idle, nothing_happens_for_the_whole_duration)
{
	tiny_run(&tiny, YAML("", "run: { duration: 12345ms }\n"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 12345000000));
	cr_assert(eq(i64, tiny.run.kernel.switches, 0));
	for (int i = 0; i < 4; i++)
		cr_assert(eq(i64, cpu_idle_ns(&tiny.run.machine.cpus[i], 0), 12345000000));
}

Test(idle, daemons_wake_in_episodes)
{
	tiny_run(&tiny, YAML(", daemons: 5", "run: { duration: 60s }\n"), NULL, 0);
	/* 10 wake-ups in 0.54 s + 5 s on average: about 108 a daemon. */
	cr_assert(gt(i64, tiny.run.kernel.wakeups, 5 * 60));
	cr_assert(lt(i64, tiny.run.kernel.wakeups, 5 * 180));
	cr_assert(gt(u64, tiny.run.machine.cpus[0].cycles, 0));
}

Test(idle, without_a_duration_it_would_never_end)
{
	cr_assert(lt(int, tiny_build(&tiny, YAML("", ""), NULL, 0), 0));
	cr_assert(eq(int, tiny.err.code, ERROR_SCENARIO));
	cr_assert(strstr(tiny.err.text, "run.duration is missing") != NULL);
}
