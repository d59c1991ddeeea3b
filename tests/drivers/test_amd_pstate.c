#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

/* pstate-quad: 1600 to 3800 MHz, 3400 of which without boost: performance 69, 148 and 166. */
#define RUN(version, driver, governor)                    \
	"machine: tests/data/machines/pstate-quad.yaml\n" \
	"kernel: { version: \"" version "\", hz: 250 }\n" \
	"driver: { name: amd-pstate" driver " }\n"        \
	"governor: " governor "\n"                        \
	"workload: scripted\n"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(30000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static struct tiny tiny;

static struct policy *policy(void)
{
	return &tiny.run.kernel.policies[1];
}

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(amd_pstate, .fini = teardown);

Test(amd_pstate, the_top_clock_comes_from_the_boost_ratio)
{
	tiny_run(&tiny, RUN("6.1", "", "{ name: userspace, set_speed: \"1ms=1885MHz\" }"), asleep,
		1);
	/* 3400 MHz * 1148 / 1024 */
	cr_assert(eq(i64, policy()->cpuinfo_max_khz, 3811000));
	cr_assert(eq(i64, policy()->cpuinfo_min_khz, 1600000));
	cr_assert(eq(i64, policy()->cur_khz, 1885000));
	/* performance 82, the closest */
	cr_assert(eq(i64, policy()->coming.clock_khz, INT64_C(82) * 3811000 / 166));
	cr_assert(eq(i64, policy()->transition_latency_ns, 20000));
	cr_assert(eq(i64, policy()->transition_delay_us, 1000));
}

static void ask(uint64_t min, uint64_t target, struct transition *t)
{
	const struct driver_request request = { .policy = 1, .cur_khz = 1600000 };
	const struct perf_request perf = { min, target, 1024 };

	*t = (struct transition){ 0 };
	policy()->driver->adjust_perf(policy()->driver_ctx, &request, &perf, t);
}

Test(amd_pstate, a_wish_in_utilisation_becomes_performance_rounded_up)
{
	struct transition t;

	cr_assert(eq(int, tiny_build(&tiny, RUN("6.1", "", "schedutil"), asleep, 1), 0));
	ask(0, 511, &t);
	cr_assert(eq(i64, t.clock_khz, INT64_C(83) * 3811000 / 166));
	cr_assert(eq(i64, t.khz, t.clock_khz));
	/* the same again is no write, the same with another floor is */
	ask(0, 511, &t);
	cr_assert(t.skipped);
	ask(470, 511, &t);
	cr_assert(not(t.skipped));
	ask(0, 4096, &t);
	cr_assert(eq(i64, t.clock_khz, 3811000));
	/* not below the floor, which is not below the nonlinear one */
	ask(0, 3, &t);
	cr_assert(eq(i64, t.clock_khz, INT64_C(69) * 3811000 / 166));
}

Test(amd_pstate, through_shared_memory_the_hook_cannot_write)
{
	cr_assert(eq(int,
		tiny_build(&tiny, RUN("6.1", ", interface: shared-memory", "schedutil"), asleep, 1),
		0));
	cr_assert(not(cpufreq_can_fast_switch(policy())));
	cr_assert(not(cpufreq_can_adjust_perf(policy())));
	tiny_free(&tiny);
	cr_assert(eq(int, tiny_build(&tiny, RUN("6.1", "", "schedutil"), asleep, 1), 0));
	cr_assert(cpufreq_can_fast_switch(policy()));
	cr_assert(cpufreq_can_adjust_perf(policy()));
	cr_assert(cpufreq_needs_limits(policy()));
}

Test(amd_pstate, schedutil_moves_cur_with_its_wish)
{
	static const struct script_step steps[] = {
		SCRIPT_RUN(INT64_C(3400000) * 190 * NSEC_PER_MSEC), SCRIPT_EXIT
	};
	static const struct script busy[] = { { steps, 1, false } };

	tiny_run(&tiny, RUN("6.12", "", "schedutil"), busy, 1);
	cr_assert(gt(i64, policy()->perf_adjusts, 0));
	cr_assert(eq(i64, policy()->cur_khz, 3811000));
}

Test(amd_pstate, before_5_17_it_did_not_exist)
{
	cr_assert(lt(int, tiny_build(&tiny, RUN("5.16", "", "performance"), asleep, 1), 0));
	cr_assert(strstr(tiny.err.text,
			  "driver amd-pstate is there from Linux 5.17 on, this kernel is 5.16") !=
		NULL);
}
