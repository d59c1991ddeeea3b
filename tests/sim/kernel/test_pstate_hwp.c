#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>

#include "sim/kernel/freq_table.h"
#include "sim/kernel/pstate_hwp.h"
#include "sim/kernel/version.h"

static struct pstate_passive passive_of(unsigned version)
{
	return (struct pstate_passive){
		.rules = pstate_rules(version),
		.levels = { .min = 8,
			.max = 36,
			.turbo = 46,
			.scaling_khz = 100000,
			.ctl_scaling_khz = 100000,
			.max_khz = 3600000,
			.turbo_khz = 4600000 },
		.ratios = { 11, 43 },
		.hwp = true,
		.request = 0x7b252b0b,
		.pstate = 11,
	};
}

struct desired {
	unsigned version;
	uint64_t request;
};

ParameterizedTestParameters(pstate_hwp, desired_is_kept_cleared_or_set_by_version)
{
	static struct desired rows[] = {
		{ KVER(5, 10, 13), 0x7b252b13 },
		{ KVER(5, 11, 0), 0x7b002b13 },
		{ KVER(6, 1, 192), 0x7b132b13 },
	};

	return cr_make_param_array(struct desired, rows, sizeof(rows) / sizeof(rows[0]));
}

ParameterizedTest(struct desired *row, pstate_hwp, desired_is_kept_cleared_or_set_by_version)
{
	struct pstate_passive passive = passive_of(row->version);
	struct pstate_write write;

	cr_assert(eq(u32, pstate_passive_fast_switch(&passive, 1885000, &write), 1900000));
	cr_assert(eq(u64, write.value, row->request));
	/* the same again does not reach the register */
	pstate_passive_target(&passive, 1885000, RELATION_L, &write);
	cr_assert(eq(int, write.written, 0));
}

Test(pstate_hwp, a_strict_target_is_floor_and_ceiling)
{
	struct pstate_passive passive = passive_of(KVER(6, 1, 0));
	struct pstate_write write;

	passive.strict = true;
	cr_assert(eq(u32, pstate_passive_target(&passive, 4600000, RELATION_H, &write), 4300000));
	cr_assert(eq(u64, write.value, 0x7b2b2b2b));
}

Test(pstate_hwp, without_hwp_the_control_register_is_written)
{
	struct pstate_passive passive = passive_of(KVER(5, 10, 0));
	struct pstate_write write;

	passive.hwp = false;
	pstate_passive_target(&passive, 1885000, RELATION_H, &write);
	cr_assert(eq(u64, write.value, 0x1200));
	pstate_passive_target(&passive, 1800000, RELATION_H, &write);
	cr_assert(eq(int, write.written, 0));
}

Test(pstate_hwp, utilisation_becomes_levels_rounded_up)
{
	struct pstate_passive passive = passive_of(KVER(5, 11, 0));
	struct pstate_write write;

	pstate_passive_adjust_perf(&passive, 0, 457, 1024, &write);
	cr_assert(eq(i32, passive.pstate, 21));
	cr_assert(eq(u64, write.value, 0x7b152b0b));
}

Test(pstate_hwp, a_floor_above_the_range_is_lowered_from_6_1_on)
{
	for (int i = 0; i < 2; i++) {
		struct pstate_passive passive = passive_of(i == 0 ? KVER(5, 11, 0) : KVER(6, 1, 0));
		struct pstate_write write;

		pstate_passive_adjust_perf(&passive, 1024, 1024, 1024, &write);
		cr_assert(eq(i32, passive.pstate, i == 0 ? 46 : 43));
	}
}

Test(pstate_hwp, the_firmware_flag_alone_takes_the_turbo_from_utilisation)
{
	struct pstate_passive passive = passive_of(KVER(6, 1, 0));
	struct pstate_write write;

	passive.turbo.user_off = true;
	pstate_passive_adjust_perf(&passive, 0, 1023, 1024, &write);
	cr_assert(eq(i32, passive.pstate, 43));
	passive.turbo.firmware_off = true;
	pstate_passive_adjust_perf(&passive, 0, 1023, 1024, &write);
	cr_assert(eq(i32, passive.pstate, 36));
}
