#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

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

static double reported_sys(const char *rule, const struct script *scripts, int nr, int64_t *sum_ns)
{
	int64_t user_ns, sys_ns;
	char yaml[512];

	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"4.8\", hz: 250, cputime: %s }\n"
		"driver: 'null'\ngovernor: performance\nworkload: scripted\n",
		rule);
	tiny_run(&tiny, yaml, scripts, nr);
	cputime_reported(&tiny.run.kernel, &user_ns, &sys_ns);
	*sum_ns = user_ns + sys_ns;
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	return (double)sys_ns / 1e9;
}

/* 2 s with 31 % in the kernel: 500 ticks find it there 155 times, or once more or less. */
Test(cputime, ticks_split_the_time_of_a_long_task)
{
	struct script_step steps[] = { SCRIPT_RUN(2000000 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };
	int64_t sum;

	steps[0].step.sys_ppm = 310000;
	cr_assert(epsilon_eq(dbl, reported_sys("tick", scripts, 1, &sum), 0.62, 0.0041));
	cr_assert(eq(i64, sum, 2 * NSEC_PER_SEC));
	cr_assert(epsilon_eq(dbl, reported_sys("precise", scripts, 1, &sum), 0.62, 1e-9));
}

/* Three tasks between two ticks: no tick finds one of them in the kernel. */
Test(cputime, what_no_tick_has_found_in_the_kernel_is_all_user)
{
	struct script_step steps[] = { SCRIPT_SLEEP(500000), SCRIPT_RUN(3000 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false }, { steps, 1, false },
		{ steps, 2, false } };
	int64_t sum;

	steps[1].step.sys_ppm = 900000;
	cr_assert(eq(dbl, reported_sys("tick", scripts, 3, &sum), 0));
	cr_assert(eq(i64, sum, 9 * NSEC_PER_MSEC));
	cr_assert(epsilon_eq(dbl, reported_sys("precise", scripts, 3, &sum), 0.0081, 1e-9));
}

/* 5 ms, all of it in the kernel: one tick, and no other. */
Test(cputime, what_ticks_have_found_in_the_kernel_alone_is_all_sys)
{
	struct script_step steps[] = { SCRIPT_SLEEP(500000), SCRIPT_RUN(5000 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };
	int64_t sum;

	steps[1].step.sys_ppm = PPM;
	cr_assert(epsilon_eq(dbl, reported_sys("tick", scripts, 1, &sum), 0.005, 1e-9));
}

/* What still runs when the run ends counts as what has ended. */
Test(cputime, tasks_that_have_not_ended_are_counted)
{
	struct script_step steps[] = { SCRIPT_RUN(1000000 * US), SCRIPT_EXIT };
	const struct script_step short_one[] = { SCRIPT_RUN(400000 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, true }, { short_one, 1, false } };
	int64_t sum;

	steps[0].step.sys_ppm = PPM / 2;
	cr_assert(epsilon_eq(dbl, reported_sys("tick", scripts, 2, &sum), 0.2, 0.0041));
}
