#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/perf_counters.h"
#include "tests/support/tiny.h"

#define YAML(governor)                                    \
	"machine: tests/data/machines/pstate-quad.yaml\n" \
	"kernel: { version: \"6.1\", hz: 250 }\n"         \
	"governor: " governor "\n"                        \
	"workload: scripted\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(perf_counters, .fini = teardown);

Test(perf_counters, a_busy_cpu_counts_real_and_base_cycles_an_idle_one_none)
{
	/* 7.3 ms at 1.6 GHz, then 43.815 ms of sleep */
	const struct script_step steps[] = { SCRIPT_RUN(INT64_C(1600000) * 7300000),
		SCRIPT_SLEEP(43815000), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };
	struct perf_counters c;

	tiny_run(&tiny, YAML("powersave"), scripts, 1);
	perf_counters_read(&tiny.run.kernel, 0, &c);
	cr_assert(eq(u64, c.aperf, 7300 * 1600));
	cr_assert(eq(u64, c.mperf, 7300 * 3400));
	cr_assert(eq(u64, c.tsc, (7300 + 43815) * 3400));
	perf_counters_read(&tiny.run.kernel, 3, &c);
	cr_assert(eq(u64, c.aperf, 0));
	cr_assert(eq(u64, c.mperf, 0));
	cr_assert(eq(u64, c.tsc, (7300 + 43815) * 3400));
}

Test(perf_counters, every_clock_counts_at_its_own_rate)
{
	/* 18.85 ms at 1.6 GHz, after which the kernel worker may take the CPU; then 5.09 ms at
	 * 3.8 GHz */
	const struct script_step steps[] = {
		SCRIPT_RUN(INT64_C(1600000) * 18850000 + INT64_C(3800000) * 5090000), SCRIPT_EXIT
	};
	const struct script scripts[] = { { steps, 0, false } };
	struct perf_counters c;

	tiny_run(&tiny, YAML("{ name: userspace, set_speed: \"18850us=3800MHz\" }"), scripts, 1);
	perf_counters_read(&tiny.run.kernel, 0, &c);
	cr_assert(eq(u64, c.mperf, (18850 + 5090) * 3400));
	cr_assert(eq(u64, c.aperf, 18850 * 1600 + 5090 * 3800));
}
