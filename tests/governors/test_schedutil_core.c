#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "governors/schedutil_core.h"
#include "sim/governor.h"

#define MS UINT64_C(1000000)
#define NR_CPUS 2

/* A policy without a table, 614400..1766400 kHz, frequency invariant. */
struct bench {
	struct sugov_policy sp;
	struct sugov_cpu cpus[NR_CPUS];
	struct util_input in[NR_CPUS];
	struct sugov_view view;
	uint64_t now_ns;
};

static void read_input(void *ctx, int cpu, struct util_input *in)
{
	*in = ((struct bench *)ctx)->in[cpu];
}

static void start(struct bench *bench, unsigned version, unsigned patches, int nr_cpus)
{
	*bench = (struct bench){ .now_ns = 5000 * MS };
	bench->view = (struct sugov_view){
		.limits = { 614400, 1766400 }, .cur_khz = 614400, .cpuinfo_max_khz = 1766400
	};
	bench->sp.rules = sugov_rules(version, patches);
	bench->sp.version = version;
	bench->sp.nr_cpus = nr_cpus;
	bench->sp.shared = nr_cpus > 1;
	bench->sp.tick_ns = 4 * MS;
	bench->sp.delay_ns = 2 * MS;
	bench->sp.fast_switch = true;
	bench->sp.invariant = true;
	for (int i = 0; i < nr_cpus; i++)
		bench->in[i] = (struct util_input){ .capacity = 1024, .uclamp_max = 1024 };
	sugov_start(&bench->sp, bench->cpus);
}

/* A call of @cpu after @ms, which has idled since when @idled. */
static struct sugov_action call(
	struct bench *bench, int cpu, unsigned ms, uint64_t util, unsigned flags, bool idled)
{
	struct sugov_source source = { read_input, bench };
	struct sugov_call args = { .cpu = cpu, .flags = flags, .util = util, .max = 1024 };

	bench->now_ns += ms * MS;
	args.time_ns = bench->now_ns;
	bench->in[cpu].cfs_util_avg = util;
	bench->in[cpu].idle_calls += idled;
	return sugov_update(&bench->sp, bench->cpus, &bench->view, &source, &args);
}

Test(schedutil_core, each_version_adds_the_headroom_in_its_own_way)
{
	struct bench bench;

	start(&bench, KVER(4, 8, 0), 0, 1);
	cr_assert(eq(u32, call(&bench, 0, 10, 611, 0, true).khz, 1317468));
	start(&bench, KVER(5, 10, 0), 0, 1);
	cr_assert(eq(u32, call(&bench, 0, 10, 611, 0, true).khz, 1317468));
	start(&bench, KVER(6, 1, 0), 0, 1);
	cr_assert(eq(u32, call(&bench, 0, 10, 611, 0, true).khz, 1316175));
	start(&bench, KVER(6, 12, 0), 0, 1);
	cr_assert(eq(u32, call(&bench, 0, 10, 611, 0, true).khz, 1316175));
}

Test(schedutil_core, without_invariance_the_current_frequency_is_the_base)
{
	struct bench bench;

	start(&bench, KVER(6, 12, 0), 0, 1);
	bench.sp.invariant = false;
	cr_assert(eq(u32, call(&bench, 0, 10, 819, 0, true).khz, 767250));
	start(&bench, KVER(6, 12, 0), 0, 1);
	bench.sp.ref_khz = 1500000;
	cr_assert(eq(u32, call(&bench, 0, 10, 611, 0, true).khz, 1117675));
}

Test(schedutil_core, a_request_has_to_wait_for_the_rate_limit)
{
	struct bench bench;

	start(&bench, KVER(6, 1, 0), 0, 1);
	cr_assert(eq(int, call(&bench, 0, 10, 611, 0, true).what, SUGOV_FAST_SWITCH));
	cr_assert(eq(int, call(&bench, 0, 1, 811, 0, true).what, SUGOV_NOTHING));
	cr_assert(eq(int, call(&bench, 0, 1, 811, 0, true).what, SUGOV_FAST_SWITCH));
	/* An equal frequency is no request and starts no new limit. */
	cr_assert(eq(int, call(&bench, 0, 2, 811, 0, true).what, SUGOV_NOTHING));
	cr_assert(eq(int, call(&bench, 0, 1, 611, 0, true).what, SUGOV_FAST_SWITCH));
}

Test(schedutil_core, a_cpu_that_has_not_idled_is_not_slowed_down)
{
	struct bench bench;

	start(&bench, KVER(6, 1, 0), 0, 1);
	call(&bench, 0, 10, 811, 0, true);
	cr_assert(eq(int, call(&bench, 0, 10, 411, 0, false).what, SUGOV_NOTHING));
	cr_assert(eq(int, call(&bench, 0, 10, 411, 0, true).what, SUGOV_FAST_SWITCH));
}

Test(schedutil_core, version_4_12_forgets_what_it_held_back)
{
	struct bench bench;

	start(&bench, KVER(4, 12, 0), 0, 1);
	call(&bench, 0, 10, 811, 0, true);
	cr_assert(eq(int, call(&bench, 0, 10, 411, 0, false).what, SUGOV_NOTHING));
	cr_assert(eq(int, call(&bench, 0, 10, 411, 0, true).what, SUGOV_NOTHING),
		"the raw frequency is cached, and what it led to is not");
}

Test(schedutil_core, a_limits_change_is_served_at_once)
{
	struct bench bench;
	unsigned relation;
	uint32_t khz;

	start(&bench, KVER(6, 1, 0), 0, 1);
	call(&bench, 0, 10, 811, 0, true);
	bench.view.limits.max_khz = 1209600;
	cr_assert(not(sugov_limits(&bench.sp, &bench.view, &khz, &relation)));
	cr_assert(eq(u32, call(&bench, 0, 0, 811, 0, false).khz, 1209600));
	bench.sp.fast_switch = false;
	bench.view.cur_khz = 1746999;
	cr_assert(sugov_limits(&bench.sp, &bench.view, &khz, &relation));
	cr_assert(eq(u32, khz, 1209600));
	cr_assert(eq(uint, relation, RELATION_H | RELATION_E));
	bench.view.limits.min_khz = 999111;
	bench.view.cur_khz = 700000;
	cr_assert(sugov_limits(&bench.sp, &bench.view, &khz, &relation));
	cr_assert(eq(u32, khz, 999111));
	cr_assert(eq(uint, relation, RELATION_L | RELATION_E));
}

Test(schedutil_core, before_the_fix_a_driver_may_be_asked_for_ever)
{
	struct bench bench;
	unsigned relation;
	uint32_t khz;

	for (unsigned base = 0; base <= SUGOV_BASE; base += SUGOV_BASE) {
		start(&bench, KVER(6, 1, 0), base, 1);
		bench.sp.needs_limits = true;
		call(&bench, 0, 10, 811, 0, true);
		sugov_limits(&bench.sp, &bench.view, &khz, &relation);
		cr_assert(eq(int, call(&bench, 0, 1, 811, 0, true).what, SUGOV_FAST_SWITCH));
		cr_assert(eq(int, call(&bench, 0, 10, 811, 0, true).what,
			base ? SUGOV_FAST_SWITCH : SUGOV_NOTHING));
	}
}

Test(schedutil_core, the_io_boost_doubles_and_halves)
{
	const uint64_t steps[] = { 128, 256, 512, 1024, 1024 };
	struct bench bench;

	start(&bench, KVER(6, 1, 0), 0, 1);
	for (int i = 0; i < 5; i++) {
		call(&bench, 0, 3, 10, HOOK_IOWAIT, true);
		cr_assert(eq(u64, bench.cpus[0].iowait_boost, steps[i]));
	}
	cr_assert(eq(u64, bench.cpus[0].util, 1024));
	call(&bench, 0, 3, 10, 0, true);
	cr_assert(eq(u64, bench.cpus[0].iowait_boost, 512));
	cr_assert(eq(u64, bench.cpus[0].util, 512));
	/* Away for more than a tick, a CPU starts over. */
	call(&bench, 0, 5, 10, HOOK_IOWAIT, true);
	cr_assert(eq(u64, bench.cpus[0].iowait_boost, 128));
	call(&bench, 0, 5, 10, 0, true);
	cr_assert(eq(u64, bench.cpus[0].iowait_boost, 0));
}

Test(schedutil_core, shared_policies_follow_the_busiest_cpu)
{
	struct bench bench;

	start(&bench, KVER(6, 1, 0), 0, 2);
	bench.in[1].capacity = 446;
	call(&bench, 1, 10, 223, 0, true);
	cr_assert(eq(u32, call(&bench, 0, 10, 400, 0, true).khz, 0), "half of a small CPU is more");
	cr_assert(eq(u32, bench.sp.next_khz, 1101029));
	start(&bench, KVER(6, 12, 0), 0, 2);
	bench.in[1].capacity = 446;
	call(&bench, 1, 10, 223, 0, true);
	cr_assert(eq(u32, call(&bench, 0, 10, 400, 0, true).khz, 862500));
}

Test(schedutil_core, an_old_cpu_drops_out_of_a_shared_policy_in_4_12)
{
	struct bench bench;

	start(&bench, KVER(4, 12, 0), 0, 2);
	cr_assert(eq(u32, call(&bench, 1, 10, 711, 0, true).khz, 1533093));
	cr_assert(eq(int, call(&bench, 0, 3, 100, 0, true).what, SUGOV_NOTHING));
	cr_assert(eq(u32, call(&bench, 0, 2, 100, 0, true).khz, 614400));
	cr_assert(eq(u32, call(&bench, 1, 3, 100, HOOK_RT, true).khz, 1766400));
	cr_assert(eq(int, call(&bench, 0, 3, 100, 0, true).what, SUGOV_NOTHING),
		"the other CPU still runs real time");
}

Test(schedutil_core, real_time_asks_for_the_top_in_4_8)
{
	struct bench bench;

	start(&bench, KVER(4, 8, 0), 0, 2);
	cr_assert(eq(u32, call(&bench, 0, 10, SUGOV_UTIL_MAX, 0, true).khz, 1766400));
	cr_assert(eq(int, call(&bench, 1, 3, 100, 0, true).what, SUGOV_NOTHING));
	cr_assert(eq(u32, call(&bench, 1, 30, 100, 0, true).khz, 0),
		"age is told by the last evaluation");
	cr_assert(eq(u32, call(&bench, 1, 30, 100, 0, true).khz, 614400));
}

Test(schedutil_core, a_driver_of_performance_levels_gets_them)
{
	struct sugov_action action;
	struct bench bench;

	start(&bench, KVER(6, 1, 0), 0, 1);
	bench.sp.adjust_perf = true;
	action = call(&bench, 0, 10, 611, 0, true);
	cr_assert(eq(int, action.what, SUGOV_ADJUST_PERF));
	cr_assert(eq(u64, action.perf_target, 763));
	cr_assert(eq(u64, action.perf_capacity, 1024));
	action = call(&bench, 0, 10, 311, 0, false);
	cr_assert(eq(u64, action.perf_target, 763), "busy");
	start(&bench, KVER(5, 10, 0), 0, 1);
	bench.sp.adjust_perf = true;
	cr_assert(eq(int, call(&bench, 0, 10, 611, 0, true).what, SUGOV_FAST_SWITCH));
}

Test(schedutil_core, the_patch_lets_forced_calls_through_and_holds_enqueued_ones)
{
	struct bench bench;

	start(&bench, KVER(6, 12, 0), SUGOV_CONSOLIDATED, 1);
	call(&bench, 0, 10, 611, 0, true);
	cr_assert(eq(int, call(&bench, 0, 0, 711, HOOK_ENQUEUED, true).what, SUGOV_NOTHING));
	cr_assert(eq(int, call(&bench, 0, 1, 711, 0, true).what, SUGOV_NOTHING));
	cr_assert(eq(int, call(&bench, 0, 0, 711, HOOK_FORCE, true).what, SUGOV_FAST_SWITCH));
	cr_assert(eq(u64, bench.sp.last_freq_update_ns, bench.now_ns - MS));
}

Test(schedutil_core, deferred_work_is_queued_once)
{
	struct bench bench;

	start(&bench, KVER(6, 1, 0), 0, 1);
	bench.sp.fast_switch = false;
	cr_assert(eq(int, call(&bench, 0, 10, 611, 0, true).what, SUGOV_QUEUE_WORK));
	cr_assert(eq(int, call(&bench, 0, 10, 811, 0, true).what, SUGOV_NOTHING));
	cr_assert(eq(u32, sugov_work(&bench.sp), 1747425), "the latest wish");
	cr_assert(not(bench.sp.work_in_progress));
	sugov_work_done(&bench.sp);
	start(&bench, KVER(4, 12, 0), 0, 1);
	bench.sp.fast_switch = false;
	call(&bench, 0, 10, 611, 0, true);
	sugov_work(&bench.sp);
	cr_assert(bench.sp.work_in_progress, "until the driver is done");
	sugov_work_done(&bench.sp);
	cr_assert(not(bench.sp.work_in_progress));
}
