#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/kernel/util.h"
#include "sim/kernel/version.h"

static const struct util_input quiet = { .capacity = 871, .uclamp_max = 1024 };

Test(util, of_the_fair_class_grew_with_the_versions)
{
	struct util_input in = quiet;

	in.cfs_util_avg = 311;
	in.cfs_util_est = 907;
	in.cfs_runnable_avg = 555;
	cr_assert(eq(u64, util_cfs(util_rules(KVER(4, 12, 0)), &in), 311));
	cr_assert(eq(u64, util_cfs(util_rules(KVER(5, 10, 0)), &in), 907));
	cr_assert(eq(u64, util_cfs(util_rules(KVER(6, 1, 0)), &in), 871));
	in.cfs_util_est = 0;
	cr_assert(eq(u64, util_cfs_boost(&in), 555));
}

Test(util, a_real_time_task_takes_all_unless_it_can_be_clamped)
{
	const struct util_rules *rules = util_rules(KVER(6, 1, 0));
	struct util_input in = quiet;

	in.rt_queued = true;
	cr_assert(eq(u64, util_effective(rules, &in, 100).util, 871));
	in.uclamp_used = true;
	in.uclamp_min = 219;
	cr_assert(eq(u64, util_effective(rules, &in, 100).util, 219));
	in.irq_util = 871;
	cr_assert(eq(u64, util_effective(rules, &in, 100).util, 871));
}

Test(util, a_reservation_is_a_floor_without_headroom_from_6_8)
{
	struct util_input in = quiet;
	struct util_effective eff;

	in.dl_running_bw = dl_bandwidth(10000000, 3000000);
	cr_assert(eq(u64, util_bw_dl(&in), 307));
	cr_assert(eq(u64, util_effective(util_rules(KVER(6, 1, 0)), &in, 200).util, 507));
	eff = util_effective(util_rules(KVER(6, 12, 0)), &in, 200);
	cr_assert(eq(u64, eff.util, 200));
	cr_assert(eq(u64, eff.min, 307));
	cr_assert(eq(u64, util_to_perf(&eff, 0), 307));
	cr_assert(eq(u64, util_to_perf(&eff, 400), 500));
}

Test(util, interrupts_shrink_what_the_others_get)
{
	struct util_input in = quiet;

	in.irq_util = 271;
	in.dl_util = 50;
	/* 300 x 600 / 871 and the interrupts themselves. */
	cr_assert(eq(u64, util_effective(util_rules(KVER(5, 10, 0)), &in, 300).util, 206 + 271));
	cr_assert(eq(u64, util_energy(&in, 300), 241 + 271));
}

Test(util, crossed_clamps_give_the_floor)
{
	struct util_input in = quiet;

	in.uclamp_used = true;
	in.uclamp_min = 700;
	in.uclamp_max = 300;
	cr_assert(eq(u64, util_clamped(&in, 100), 700));
	in.uclamp_min = 0;
	cr_assert(eq(u64, util_clamped(&in, 411), 300));
	in.cfs_util_avg = 299;
	cr_assert(not(util_is_capped(util_rules(KVER(6, 1, 0)), &in)));
	in.rt_util = 1;
	cr_assert(util_is_capped(util_rules(KVER(6, 1, 0)), &in));
	cr_assert(not(util_is_capped(util_rules(KVER(5, 10, 0)), &in)));
}

Test(util, a_reservation_is_a_share_of_its_period)
{
	cr_assert(eq(u64, dl_bandwidth(129940786, 41302771), 333298));
	cr_assert(eq(u64, dl_bandwidth(0, 41302771), 0));
	cr_assert(eq(u64, dl_bandwidth(0, DL_RUNTIME_UNLIMITED), 1 << DL_BW_SHIFT));
}
