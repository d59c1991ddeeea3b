#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/freq_table.h"
#include "sim/kernel/pstate.h"
#include "sim/kernel/version.h"

/* A performance core of a hybrid part. */
static const struct pstate_levels hybrid = { .min = 12,
	.max = 21,
	.turbo = 30,
	.max_physical = 21,
	.scaling_khz = 78741,
	.ctl_scaling_khz = 100000 };
static const struct pstate_levels desktop = { .min = 8,
	.max = 36,
	.turbo = 46,
	.max_physical = 36,
	.scaling_khz = 100000,
	.ctl_scaling_khz = 100000 };

Test(pstate, levels_of_a_hybrid_part_are_named_in_whole_steps)
{
	struct pstate_levels levels = hybrid;

	pstate_levels_name(&levels);
	cr_assert(eq(u32, levels.max_khz, 1600000));
	cr_assert(eq(u32, levels.turbo_khz, 2300000));
	/* 1600000 alone is 20.3 levels, but it is the name of 21 */
	cr_assert(eq(
		i32, pstate_of_khz(pstate_rules(KVER(6, 1, 0)), &levels, 1600000, RELATION_H), 21));
	cr_assert(eq(i32, pstate_of_khz(pstate_rules(KVER(5, 11, 0)), &levels, 1600000, RELATION_H),
		20));
}

Test(pstate, relations_round_and_the_efficiency_bit_makes_any_of_them_l)
{
	const struct pstate_rules *rules = pstate_rules(KVER(6, 1, 0));

	cr_assert(eq(i32, pstate_of_khz(rules, &desktop, 1885000, RELATION_L), 19));
	cr_assert(eq(i32, pstate_of_khz(rules, &desktop, 1885000, RELATION_H), 18));
	cr_assert(eq(i32, pstate_of_khz(rules, &desktop, 1849999, RELATION_C), 18));
	cr_assert(eq(i32, pstate_of_khz(rules, &desktop, 1850000, RELATION_C), 19));
	cr_assert(eq(i32, pstate_of_khz(rules, &desktop, 1849999, RELATION_C | RELATION_E), 19));
}

Test(pstate, user_limits_are_shares_of_the_turbo_level)
{
	const struct pstate_user_limits user = { .min_pct = 35, .max_pct = 71 };
	struct pstate_ratios ratios;

	ratios = pstate_limits(pstate_rules(KVER(6, 1, 0)), &desktop, (struct pstate_turbo){ 0 },
		&user, 800000, 4600000);
	cr_assert(eq(i32, ratios.min, 17));
	cr_assert(eq(i32, ratios.max, 33));
}

Test(pstate, a_policy_with_one_frequency_has_one_level)
{
	const struct pstate_user_limits user = { .min_pct = 0, .max_pct = 100 };
	struct pstate_ratios ratios;

	ratios = pstate_limits(pstate_rules(KVER(5, 11, 0)), &desktop, (struct pstate_turbo){ 0 },
		&user, 2345678, 2345678);
	cr_assert(eq(i32, ratios.min, 23));
	cr_assert(eq(i32, ratios.max, 23));
}

Test(pstate, the_no_turbo_bit_is_the_users_alone)
{
	const struct pstate_rules *rules = pstate_rules(KVER(5, 11, 0));
	struct pstate_turbo turbo = { .user_off = true };

	cr_assert(eq(u64, pstate_ctl_value(rules, &desktop, turbo, 29), 0x100001d00));
	turbo.firmware_off = true;
	cr_assert(eq(u64, pstate_ctl_value(rules, &desktop, turbo, 29), 0x1d00));
}
