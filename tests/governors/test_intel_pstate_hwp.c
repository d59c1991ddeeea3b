#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define RUN(governor, more)                                          \
	"machine: tests/data/machines/pstate-quad.yaml\n"            \
	"kernel: { version: \"6.1\", hz: 250 }\n"                    \
	"driver: { name: intel_pstate, hwp: 1, settle_time: 0us }\n" \
	"governor: { name: powersave" governor " }\n"                \
	"workload: scripted\n" more

static const struct script_step sleeper[] = { SCRIPT_SLEEP(30000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static struct tiny tiny;

static const struct hwp_request *request(void)
{
	return &tiny.run.machine.cpus[3].hwp->request;
}

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(intel_pstate_hwp, .fini = teardown);

Test(intel_pstate_hwp, the_range_is_what_limits_and_user_leave)
{
	tiny_run(&tiny, RUN("", ""), asleep, 1);
	cr_assert(eq(i64, request()->min_khz, 1600000));
	cr_assert(eq(i64, request()->max_khz, 3800000));
	cr_assert(eq(i64, request()->desired_khz, 0));
	cr_assert(eq(i64, request()->epp, 128));
	tiny_free(&tiny);
	tiny_run(&tiny,
		RUN(", max_perf_pct: 91, energy_performance_preference: 192",
			"limits: { scaling_min_freq: 1.9GHz }\n"),
		asleep, 1);
	cr_assert(eq(i64, request()->min_khz, 1900000));
	cr_assert(eq(i64, request()->max_khz, 3500000));
	cr_assert(eq(i64, request()->epp, 192));
}

Test(intel_pstate_hwp, without_turbo_the_range_ends_at_the_base_clock)
{
	tiny_run(&tiny, RUN(", no_turbo: 1", ""), asleep, 1);
	cr_assert(eq(i64, request()->max_khz, 3400000));
}

#define TURN SCRIPT_RUN(INT64_C(1600000) * 200000), SCRIPT_IO(900000)

Test(intel_pstate_hwp, dynamic_boost_raises_the_floor_of_a_cpu_that_waits_for_io)
{
	static const struct script_step steps[] = { TURN, TURN, TURN, TURN, TURN, TURN,
		SCRIPT_RUN(INT64_C(1600000) * 1000), SCRIPT_EXIT };
	static const struct script scripts[] = { { steps, 3, false } };

	tiny_run(&tiny, RUN("", ""), scripts, 1);
	cr_assert(eq(i64, request()->min_khz, 1600000));
	tiny_free(&tiny);
	tiny_run(&tiny, RUN(", hwp_dynamic_boost: 1", ""), scripts, 1);
	/* Half way to guaranteed, guaranteed, then the top. */
	cr_assert(eq(i64, request()->min_khz, 3800000));
	cr_assert(eq(i64, request()->max_khz, 3800000));
}

Test(intel_pstate_hwp, percentages_out_of_order_are_refused)
{
	cr_assert(lt(int,
		tiny_build(&tiny, RUN(", min_perf_pct: 60, max_perf_pct: 43", ""), asleep, 1), 0));
	cr_assert(strstr(tiny.err.text, "min_perf_pct 60 is above max_perf_pct 43") != NULL);
}
