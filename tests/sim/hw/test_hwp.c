#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "sim/hw/hwp.h"
#include "tests/support/tiny.h"

/* pstate-quad: 1600 to 3800 MHz, a clock per CPU. */
#define YAML(driver)                                                           \
	"machine: tests/data/machines/pstate-quad.yaml\n"                      \
	"kernel: { version: \"6.1\", hz: 250 }\n"                              \
	"driver: { name: intel_pstate, hwp: 1, settle_time: 0us" driver " }\n" \
	"governor: powersave\n"                                                \
	"workload: scripted\n"

#define MHZ_US(mhz, us) (INT64_C(mhz) * 1000 * (us)*NSEC_PER_USEC)

static const struct hwp_request range = { 1600000, 3800000, 0, HWP_EPP_BALANCE };
static const struct hwp_rule step = { NSEC_PER_MSEC, 50, HWP_STEP };
static struct tiny tiny;
static struct channel never;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(hwp, .fini = teardown);

Test(hwp, the_step_rule_knows_top_and_bottom)
{
	cr_assert(eq(i64, hwp_choose_khz(&step, &range, 49), 1600000));
	cr_assert(eq(i64, hwp_choose_khz(&step, &range, 50), 3800000));
}

Test(hwp, the_proportional_rule_goes_by_the_share_of_the_threshold)
{
	const struct hwp_rule rule = { NSEC_PER_MSEC, 50, HWP_PROPORTIONAL };

	cr_assert(eq(i64, hwp_choose_khz(&rule, &range, 0), 1600000));
	cr_assert(eq(i64, hwp_choose_khz(&rule, &range, 19), 1600000 + 2200000 * 19 / 50));
	cr_assert(eq(i64, hwp_choose_khz(&rule, &range, 88), 3800000));
}

Test(hwp, the_preference_moves_the_threshold)
{
	struct hwp_request request = range;

	request.epp = 0;
	cr_assert(eq(i64, hwp_choose_khz(&step, &request, 0), 3800000));
	request.epp = 64;
	cr_assert(eq(i64, hwp_choose_khz(&step, &request, 24), 1600000));
	cr_assert(eq(i64, hwp_choose_khz(&step, &request, 25), 3800000));
	/* At most a whole period. */
	request.epp = 255;
	cr_assert(eq(
		i64, hwp_choose_khz(&(struct hwp_rule){ 1, 97, HWP_STEP }, &request, 99), 1600000));
	cr_assert(eq(i64, hwp_choose_khz(&(struct hwp_rule){ 1, 97, HWP_STEP }, &request, 100),
		3800000));
}

Test(hwp, a_desired_clock_is_followed_inside_the_range)
{
	struct hwp_request request = range;

	request.desired_khz = 2300000;
	cr_assert(eq(i64, hwp_choose_khz(&step, &request, 100), 2300000));
	request.desired_khz = 4100000;
	cr_assert(eq(i64, hwp_choose_khz(&step, &request, 0), 3800000));
	request.desired_khz = 900000;
	cr_assert(eq(i64, hwp_choose_khz(&step, &request, 100), 1600000));
}

/* The first period passes at the bottom, the rest at the top. */
Test(hwp, a_busy_cpu_reaches_the_top_after_one_period)
{
	const struct script_step steps[] = {
		SCRIPT_RUN(MHZ_US(1600, 1000) + MHZ_US(3800, 2700)),
		SCRIPT_EXIT,
	};
	const struct script scripts[] = { { steps, 2, false } };

	tiny_run(&tiny, YAML(""), scripts, 1);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 3700000));
	cr_assert(eq(i64, tiny.run.machine.cpus[2].domain->changes, 1));
	cr_assert(eq(i64, tiny.run.machine.cpus[1].domain->changes, 0));
}

Test(hwp, the_period_is_a_parameter)
{
	const struct script_step steps[] = {
		SCRIPT_RUN(MHZ_US(1600, 170) + MHZ_US(3800, 300)),
		SCRIPT_EXIT,
	};
	const struct script scripts[] = { { steps, 0, false } };

	tiny_run(&tiny, YAML(", hwp_period: 170us"), scripts, 1);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 470000));
}

/* More than half of a period at the bottom of the range, less than half at the top. */
#define TURN SCRIPT_RUN(MHZ_US(1600, 750)), SCRIPT_SLEEP(500000)

Test(hwp, a_half_busy_cpu_swings)
{
	const struct script_step steps[] = { TURN, TURN, TURN, TURN, TURN, TURN, SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 1, false } };

	tiny_run(&tiny, YAML(""), scripts, 1);
	cr_assert(ge(i64, tiny.run.machine.cpus[1].domain->changes, 4));
}

/* A sleeping machine has no events left but its sampler: the run notices that it is stuck. */
Test(hwp, an_idle_cpu_is_left_alone)
{
	const struct script_step steps[] = { SCRIPT_RUN(MHZ_US(1600, 77)), SCRIPT_WAIT(&never),
		SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };

	cr_assert(eq(int, tiny_build(&tiny, YAML(""), scripts, 1), 0));
	cr_assert(lt(int, run_execute(&tiny.run, &tiny.err), 0));
	cr_assert(tiny.run.stuck);
	cr_assert(le(i64, tiny.run.elapsed_ns, 2 * NSEC_PER_SEC));
}
