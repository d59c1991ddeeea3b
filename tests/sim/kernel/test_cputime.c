#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "sim/kernel/cputime.h"
#include "tests/support/tiny.h"

#define YAML                                              \
	"machine: tests/data/machines/two-package.yaml\n" \
	"kernel: { version: \"4.8\", hz: 250 }\n"         \
	"driver: 'null'\n"                                \
	"governor: performance\n"                         \
	"workload: scripted\n"

#define US (INT64_C(2000000) * NSEC_PER_USEC)

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(cputime, .fini = teardown);

Test(cputime, idle_and_iowait_are_kept_apart_and_add_up_with_busy_time)
{
	const struct script_step steps[] = { SCRIPT_RUN(1885 * US), SCRIPT_SLEEP(43815000),
		SCRIPT_RUN(509 * US), SCRIPT_IO(7771000), SCRIPT_RUN(100 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };
	struct cputime t;

	tiny_run(&tiny, YAML, scripts, 1);
	cputime_read(&tiny.run.kernel, 0, &t);
	cr_assert(eq(u64, t.idle_us, 43815));
	cr_assert(eq(u64, t.iowait_us, 7771));
	cr_assert(eq(u64, t.wall_us, 43815 + 7771 + 1885 + 509 + 100));
	cputime_read(&tiny.run.kernel, 3, &t);
	cr_assert(eq(u64, t.idle_us, t.wall_us));
}

Test(cputime, microseconds_are_truncated)
{
	const struct script_step steps[] = { SCRIPT_SLEEP(1999), SCRIPT_RUN(1 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };
	struct cputime t;

	tiny_run(&tiny, YAML, scripts, 1);
	cputime_read(&tiny.run.kernel, 0, &t);
	cr_assert(eq(u64, t.idle_us, 1));
	cr_assert(eq(u64, t.wall_us, 2));
}

Test(cputime, reading_in_the_middle_of_an_idle_stretch_counts_it)
{
	const struct script_step steps[] = { SCRIPT_SLEEP(43815000), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };
	struct cputime t;

	cr_assert(not(tiny_build(&tiny, YAML, scripts, 1)));
	engine_run(&tiny.run.engine, 1234567);
	cputime_read(&tiny.run.kernel, 0, &t);
	cr_assert(eq(u64, t.idle_us, 1234));
	cr_assert(eq(u64, t.wall_us, 1234));
}
