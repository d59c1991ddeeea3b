#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(version, tunables, workload)                 \
	"machine: tests/data/machines/pstate-quad.yaml\n" \
	"kernel: { version: \"" version "\", hz: 250 }\n" \
	"governor: { name: intel_pstate" tunables " }\n"  \
	"workload: " workload "\n"

/* Twenty spells of 1.93 ms at 1.6 GHz, 43.815 ms apart, as in the hold-off thread; the clock is high
 * at first, since the CPU has been busy before. */
#define BUSY_FIRST SCRIPT_RUN(INT64_C(3400000) * 217000000)
#define SPELL SCRIPT_SLEEP(43815000), SCRIPT_RUN(INT64_C(1600000) * 1930000)
#define FIVE SPELL, SPELL, SPELL, SPELL, SPELL

static const struct script_step sleepy[] = { BUSY_FIRST, FIVE, FIVE, FIVE, FIVE, SCRIPT_EXIT };
/* Busy from 1 ms after a tick for 1.93 ms, at 1.6 GHz. */
#define BETWEEN SCRIPT_RUN(INT64_C(1600000) * 1930000), SCRIPT_SLEEP(2070000)
#define FIVE_BETWEEN BETWEEN, BETWEEN, BETWEEN, BETWEEN, BETWEEN

static const struct script_step between[] = { SCRIPT_SLEEP(1000000), FIVE_BETWEEN, FIVE_BETWEEN,
	SCRIPT_EXIT };
static const struct script_step busy[] = { BUSY_FIRST, SCRIPT_EXIT };
static const struct script one_sleepy[] = { { sleepy, 0, false } };
static const struct script one_between[] = { { between, 0, false } };
static const struct script one_busy[] = { { busy, 0, false } };

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(intel_pstate, .fini = teardown);

static int64_t final_khz(const char *yaml, const struct script *scripts)
{
	tiny_run(&tiny, yaml, scripts, 1);
	return tiny.run.kernel.policies[0].cur_khz;
}

Test(intel_pstate, after_a_long_sleep_3_periods_of_hold_off_drop_to_the_lowest_level)
{
	cr_assert(eq(i64, final_khz(YAML("4.6", "", "scripted"), one_sleepy), 1600000));
}

Test(intel_pstate, after_a_long_sleep_12_periods_of_hold_off_stay_at_turbo)
{
	cr_assert(
		eq(i64, final_khz(YAML("4.6", ", holdoff: 12", "scripted"), one_sleepy), 3800000));
}

Test(intel_pstate, the_timer_of_4_5_misses_a_cpu_that_is_never_busy_in_a_tick)
{
	tiny_run(&tiny, YAML("4.5", "", "scripted"), one_between, 1);
	cr_assert(eq(i64, tiny_commands(&tiny), 0));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("4.6", "", "scripted"), one_between, 1);
	cr_assert(gt(i64, tiny_commands(&tiny), 0));
}

Test(intel_pstate, by_load_a_long_sleep_is_low_load)
{
	cr_assert(eq(i64, final_khz(YAML("6.1", "", "scripted"), one_sleepy), 1600000));
}

Test(intel_pstate, a_busy_cpu_gets_turbo_in_every_version)
{
	static const char *const yamls[] = {
		YAML("3.16", "", "scripted"),
		YAML("4.8", ", algorithm: atom", "scripted"),
		YAML("5.11", "", "scripted"),
		YAML("6.1", "", "scripted"),
	};

	for (size_t i = 0; i < sizeof(yamls) / sizeof(yamls[0]); i++) {
		cr_assert(eq(i64, final_khz(yamls[i], one_busy), 3800000));
		cr_assert(eq(i64, tiny.run.kernel.policies[3].cur_khz, 1600000));
		tiny_free(&tiny);
	}
	tiny_build(&tiny, yamls[0], one_busy, 1);
}

Test(intel_pstate, no_turbo_stops_at_the_base_clock)
{
	cr_assert(eq(i64, final_khz(YAML("4.8", ", no_turbo: 1", "scripted"), one_busy), 3400000));
	tiny_free(&tiny);
	cr_assert(eq(i64, final_khz(YAML("6.1", ", no_turbo: 1", "scripted"), one_busy), 3400000));
}

Test(intel_pstate, user_limits_are_percent_of_turbo)
{
	cr_assert(eq(
		i64, final_khz(YAML("6.1", ", max_perf_pct: 71", "scripted"), one_busy), 2700000));
	tiny_free(&tiny);
	cr_assert(eq(
		i64, final_khz(YAML("4.5", ", max_perf_pct: 71", "scripted"), one_busy), 2600000));
	tiny_free(&tiny);
	cr_assert(eq(i64, final_khz(YAML("6.1", ", min_perf_pct: 55", "scripted"), one_sleepy),
		2100000));
	tiny_free(&tiny);
	cr_assert(eq(i64, final_khz(YAML("4.6", ", min_perf_pct: 55", "scripted"), one_sleepy),
		2000000));
}

Test(intel_pstate, a_floor_above_the_ceiling_is_refused)
{
	int status = tiny_build(&tiny,
		YAML("6.1", ", min_perf_pct: 71, max_perf_pct: 43", "scripted"), one_busy, 1);

	cr_assert(eq(int, status, -1));
	cr_assert(eq(str, tiny.err.text,
		"tests/data/tiny.yaml:3:47: min_perf_pct 71 is above max_perf_pct 43"));
}
