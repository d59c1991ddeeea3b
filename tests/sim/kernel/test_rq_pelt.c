#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/governor.h"
#include "sim/kernel/rq_pelt.h"

#define NICE_0 1048576
#define MS UINT64_C(1000000)

struct bench {
	struct rq_pelt rq;
	int calls;
	unsigned last_flags;
	bool saw_iowait;
};

static void count(void *ctx, unsigned flags)
{
	struct bench *bench = ctx;

	bench->calls++;
	bench->last_flags = flags;
	bench->saw_iowait |= flags == HOOK_IOWAIT;
}

/* An idle CPU that booted a while ago. */
static void boot(struct bench *bench, unsigned version, uint64_t capacity)
{
	*bench = (struct bench){ .rq = { .rules = pelt_rules(version) } };
	bench->rq.scale = (struct rq_scale){ capacity, 1024 };
	bench->rq.cpufreq = count;
	bench->rq.ctx = bench;
	rq_pelt_clock(&bench->rq, 701703825, 0);
	rq_pelt_blocked(&bench->rq);
	bench->calls = 0;
}

static void run_for(struct bench *bench, int ms)
{
	for (int i = 0; i < ms; i++) {
		rq_pelt_clock(&bench->rq, MS, 0);
		rq_pelt_tick(&bench->rq);
	}
}

static void start_task(struct bench *bench, struct task_pelt *task)
{
	task_pelt_init(task, NICE_0);
	rq_pelt_fork(&bench->rq, task);
	rq_pelt_switch(&bench->rq, task);
}

Test(rq_pelt, a_new_task_gets_half_of_what_is_spare)
{
	struct bench bench;
	struct task_pelt task;

	boot(&bench, KVER(6, 1, 0), 871);
	start_task(&bench, &task);
	cr_assert(eq(u64, task.sig.util_avg, 435));
	cr_assert(eq(u64, bench.rq.cfs.sig.util_avg, 435));
	cr_assert(eq(int, bench.calls, 1), "attached at enqueue");
	boot(&bench, KVER(5, 10, 0), 871);
	start_task(&bench, &task);
	cr_assert(eq(u64, task.sig.util_avg, 435));
	cr_assert(eq(int, bench.calls, 1), "attached when its utilisation is set");
}

Test(rq_pelt, a_busy_task_calls_the_governor_about_once_a_millisecond)
{
	struct bench bench;
	struct task_pelt task;

	boot(&bench, KVER(6, 12, 0), 1024);
	start_task(&bench, &task);
	bench.calls = 0;
	run_for(&bench, 500);
	cr_assert(ge(int, bench.calls, 470));
	cr_assert(le(int, bench.calls, 500));
	cr_assert(ge(u64, bench.rq.cfs.sig.util_avg, 1022));
}

Test(rq_pelt, waiting_counts_as_runnable_and_not_as_running)
{
	struct bench bench;
	struct task_pelt first, second;

	boot(&bench, KVER(6, 1, 0), 1024);
	start_task(&bench, &first);
	task_pelt_init(&second, NICE_0);
	rq_pelt_fork(&bench.rq, &second);
	run_for(&bench, 100);
	rq_pelt_switch(&bench.rq, &second);
	cr_assert(lt(u64, second.sig.util_avg, 100));
	cr_assert(gt(u64, second.sig.runnable_avg, 900));
	cr_assert(gt(u64, bench.rq.cfs.sig.runnable_avg, 1700));
}

Test(rq_pelt, an_io_wakeup_calls_with_its_flag_first)
{
	struct bench bench;
	struct task_pelt task;

	boot(&bench, KVER(6, 1, 0), 1024);
	start_task(&bench, &task);
	run_for(&bench, 20);
	rq_pelt_sleep(&bench.rq, &task);
	rq_pelt_switch_idle(&bench.rq);
	bench.calls = 0;
	rq_pelt_wake(&bench.rq, &task, true);
	cr_assert(bench.saw_iowait);
	cr_assert(eq(int, bench.calls, 1));
	cr_assert(eq(u64, bench.rq.cfs.util_est, util_est_value(&task.util_est, UTIL_EST_PAIR)));
}

Test(rq_pelt, versions_without_util_est_keep_none)
{
	struct bench bench;
	struct task_pelt task;

	boot(&bench, KVER(4, 8, 0), 1024);
	start_task(&bench, &task);
	cr_assert(eq(u64, task.sig.util_avg, 512));
	run_for(&bench, 400);
	rq_pelt_sleep(&bench.rq, &task);
	rq_pelt_wake(&bench.rq, &task, true);
	cr_assert(not(bench.saw_iowait));
	cr_assert(eq(u64, bench.rq.cfs.util_est, 0));
	cr_assert(gt(u64, task.sig.util_avg, 1000));
	cr_assert(gt(u64, task.sig.load_avg, 1000));
	boot(&bench, KVER(4, 12, 0), 512);
	start_task(&bench, &task);
	run_for(&bench, 400);
	cr_assert(le(u64, task.sig.util_avg, 512));
	cr_assert(gt(u64, task.sig.util_avg, 490));
}

Test(rq_pelt, a_task_that_wakes_elsewhere_takes_its_load_along)
{
	struct bench from, to;
	struct task_pelt task;
	uint64_t util;

	boot(&from, KVER(6, 1, 0), 1024);
	boot(&to, KVER(6, 1, 0), 1024);
	start_task(&from, &task);
	run_for(&from, 64);
	rq_pelt_sleep(&from.rq, &task);
	rq_pelt_switch_idle(&from.rq);
	util = task.sig.util_avg;
	rq_pelt_remove(&from.rq, &task);
	cr_assert(eq(u64, task.sig.last_update_ns, 0));
	rq_pelt_wake(&to.rq, &task, false);
	cr_assert(eq(u64, to.rq.cfs.sig.util_avg, util));
	from.calls = 0;
	rq_pelt_blocked(&from.rq);
	cr_assert(eq(u64, from.rq.cfs.sig.util_avg, 0));
	cr_assert(eq(int, from.calls, 1), "what is removed counts as decayed");
}

Test(rq_pelt, a_queued_task_can_be_moved)
{
	struct bench from, to;
	struct task_pelt stays, moves;

	boot(&from, KVER(6, 1, 0), 1024);
	boot(&to, KVER(6, 1, 0), 1024);
	start_task(&from, &stays);
	task_pelt_init(&moves, NICE_0 / 2);
	rq_pelt_fork(&from.rq, &moves);
	run_for(&from, 10);
	rq_pelt_leave(&from.rq, &moves);
	rq_pelt_join(&to.rq, &moves);
	cr_assert(eq(u64, from.rq.cfs.nr_queued, 1));
	cr_assert(eq(u64, from.rq.cfs.weight, NICE_0));
	cr_assert(eq(u64, to.rq.cfs.weight, NICE_0 / 2));
	cr_assert(eq(u64, to.rq.cfs.sig.util_avg, moves.sig.util_avg));
}

Test(rq_pelt, real_time_and_interrupts_have_signals_of_their_own)
{
	struct bench bench;
	struct util_input in;

	boot(&bench, KVER(6, 1, 0), 1024);
	rq_pelt_switch_rt(&bench.rq);
	for (uint64_t i = 1; i <= 100; i++) {
		rq_pelt_clock(&bench.rq, MS, i * MS / 4);
		rq_pelt_tick(&bench.rq);
	}
	rq_pelt_read(&bench.rq, &in);
	cr_assert(gt(u64, in.rt_util, 800));
	cr_assert(gt(u64, in.irq_util, 200));
	cr_assert(lt(u64, in.irq_util, 300));
	cr_assert(in.rt_queued);
	cr_assert(eq(u64, in.cfs_util_avg, 0));
	rq_pelt_switch_idle(&bench.rq);
	rq_pelt_read(&bench.rq, &in);
	cr_assert(not(in.rt_queued));
}
