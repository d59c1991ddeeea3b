#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define RUN(driver, governor)                             \
	"machine: tests/data/machines/pstate-quad.yaml\n" \
	"kernel: { version: \"6.1\", hz: 250 }\n"         \
	"driver: { name: intel_pstate" driver " }\n"      \
	"governor: " governor "\n"                        \
	"workload: scripted\n"

static const struct script_step runner[] = { SCRIPT_RUN(INT64_C(3800000) * 90 * NSEC_PER_MSEC),
	SCRIPT_EXIT };
static const struct script busy[] = { { runner, 1, false } };
static struct tiny tiny;

static const struct policy *policy(int i)
{
	return &tiny.run.kernel.policies[i];
}

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(intel_pstate_driver, .fini = teardown);

Test(intel_pstate_driver, powersave_is_the_drivers_own_algorithm_and_the_run_says_so)
{
	tiny_run(&tiny, RUN("", "{ name: powersave, max_perf_pct: 77 }"), busy, 1);
	cr_assert(eq(str, (char *)policy(1)->governor_name, "powersave"));
	cr_assert(eq(str, (char *)policy(1)->governor->name, "intel_pstate"));
	cr_assert(eq(str, (char *)tiny.run.note,
		"driver intel_pstate: the algorithm behind governor powersave is intel_pstate"));
	/* Busy all the time, at 77 % of 38. */
	cr_assert(eq(i64, policy(1)->cur_khz, 3000000));
}

Test(intel_pstate_driver, the_algorithm_has_a_name_of_its_own)
{
	tiny_run(&tiny, RUN("", "intel_pstate"), busy, 1);
	cr_assert(eq(str, (char *)policy(1)->governor_name, "intel_pstate"));
	cr_assert(eq(ptr, (void *)tiny.run.note, NULL));
	cr_assert(eq(i64, policy(1)->cur_khz, 3800000));
}

Test(intel_pstate_driver, performance_is_the_top)
{
	tiny_run(&tiny, RUN("", "performance"), busy, 1);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 90 * NSEC_PER_MSEC));
}

Test(intel_pstate_driver, with_hwp_performance_pins_the_range_and_prefers_performance)
{
	tiny_run(&tiny, RUN(", hwp: 1", "performance"), busy, 1);
	const struct hwp_request *request = &tiny.run.machine.cpus[1].hwp->request;
	cr_assert(eq(i64, request->min_khz, 3800000));
	cr_assert(eq(i64, request->max_khz, 3800000));
	cr_assert(eq(i64, request->epp, 0));
	cr_assert(eq(i64, tiny.run.elapsed_ns, 90 * NSEC_PER_MSEC));
}

Test(intel_pstate_driver, other_governors_are_refused)
{
	cr_assert(lt(int, tiny_build(&tiny, RUN("", "ondemand"), busy, 1), 0));
	cr_assert(strstr(tiny.err.text,
			  "driver intel_pstate takes powersave and performance only, "
			  "not governor ondemand") != NULL);
}
