#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "governors/pstate_hwp_active.h"

#define TICK_NS 4000000
/* guaranteed 31, highest 44; request 12..44, EPP 0x80 */
#define CAPABILITY 0x0a121f2c
#define REQUEST 0x80002c0c

Test(pstate_hwp_active, performance_remembers_the_preference_and_gives_it_back)
{
	struct hwp_active active = { .epp_powersave = EPP_UNKNOWN };
	const struct pstate_ratios ratios = { 12, 44 };
	uint64_t request = 0x9c000000;

	request = hwp_active_set(&active, request, POLICY_POWERSAVE, ratios);
	cr_assert(eq(u64, request, 0x9c002c0c));
	request = hwp_active_set(&active, request, POLICY_PERFORMANCE, ratios);
	cr_assert(eq(u64, request, 0x00002c2c));
	request = hwp_active_set(&active, request, POLICY_POWERSAVE, ratios);
	cr_assert(eq(u64, request, 0x9c002c0c));
}

Test(pstate_hwp_active, a_preference_written_meanwhile_stays)
{
	struct hwp_active active = { .policy = POLICY_PERFORMANCE, .epp_powersave = 0x9c };
	const struct pstate_ratios ratios = { 12, 44 };

	cr_assert(
		eq(u64, hwp_active_set(&active, 0x40000000, POLICY_POWERSAVE, ratios), 0x40002c0c));
}

Test(pstate_hwp_active, two_io_wakeups_within_two_ticks_raise_the_floor_in_steps)
{
	struct hwp_boost boost = { 0 };
	static const int32_t floors[] = { 0, 21, 31, 44, 44 };
	uint64_t now_ns = 2679327571;

	for (int i = 0; i < 5; i++, now_ns += 7999999) {
		struct pstate_write write = hwp_boost_step(
			&boost, CAPABILITY, REQUEST, TICK_NS, now_ns, true, false);

		cr_assert(eq(i32, boost.min, floors[i]));
		cr_assert(eq(int, write.written, i > 0 && i < 4));
		if (write.written)
			cr_assert(eq(u64, write.value, 0x80002c00u | (uint64_t)floors[i]));
	}
}

Test(pstate_hwp_active, the_floor_falls_three_ms_after_the_last_call)
{
	struct hwp_boost boost = { .min = 31, .last_update_ns = 5000000000 };
	struct pstate_write write;

	write = hwp_boost_step(&boost, CAPABILITY, REQUEST, TICK_NS, 5003000000, false, false);
	cr_assert(eq(int, write.written, 0));
	write = hwp_boost_step(&boost, CAPABILITY, REQUEST, TICK_NS, 5006000001, false, false);
	cr_assert(eq(u64, write.value, REQUEST));
	cr_assert(eq(i32, boost.min, 0));
}

Test(pstate_hwp_active, another_cpu_only_leaves_a_note)
{
	struct hwp_boost boost = { .last_io_ns = 5000000000 };
	struct pstate_write write;

	write = hwp_boost_step(&boost, CAPABILITY, REQUEST, TICK_NS, 5000700000, true, true);
	cr_assert(eq(int, write.written, 0));
	write = hwp_boost_step(&boost, CAPABILITY, REQUEST, TICK_NS, 5001300000, false, false);
	cr_assert(eq(u64, write.value, 0x80002c15));
}
