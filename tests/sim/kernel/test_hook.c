#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

/* Calls of ondemand by the scheduler; two CPUs that share one policy at 2 GHz. */

#define YAML(kernel)                                                                        \
	"machine:\n"                                                                        \
	"  name: shared\n"                                                                  \
	"  summary: two CPUs in one policy\n"                                               \
	"  reference: 2GHz\n"                                                               \
	"  cpus: [{ cpus: 0-1, package: 0 }]\n"                                             \
	"  policies: shared\n"                                                              \
	"  clock: { scope: package, vote: non-idle }\n"                                     \
	"  voltage_points: [{ freq: 1GHz, voltage: 800mV }, { freq: 2GHz, voltage: 1V }]\n" \
	"  limits: { min: 2GHz, max: 2GHz }\n"                                              \
	"  idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }]\n"                \
	"  power: { ceff: 1000 }\n"                                                         \
	"kernel: { hz: 250, version: " kernel " }\n"                                        \
	"driver: 'null'\n"                                                                  \
	"governor: { name: ondemand, sampling_rate: 20ms }\n"                               \
	"workload: scripted\n"

#define MS (INT64_C(2000000) * NSEC_PER_MSEC) /* work of one ms */

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(hook, .fini = teardown);

static const struct hook_count *at(enum hook_site site)
{
	return &tiny.run.kernel.hooks.by_site[site];
}

Test(hook, a_tick_calls_when_a_period_of_load_tracking_has_ended)
{
	const struct script_step steps[] = { SCRIPT_RUN(101 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };

	tiny_run(&tiny, YAML("\"4.8\""), scripts, 1);
	/* Every tick of 4 ms spans three or more periods of 1.048576 ms. */
	cr_assert(eq(i64, at(HOOK_SITE_TICK)->calls, tiny.run.kernel.ticks));
	cr_assert(ge(i64, at(HOOK_SITE_TICK)->calls, 24));
	/* The task and the kernel worker, each once. */
	cr_assert(eq(i64, at(HOOK_SITE_ATTACH)->calls, 2));
	cr_assert(eq(i64, at(HOOK_SITE_RT)->calls, 0));
}

Test(hook, a_governor_that_samples_every_20_ms_drops_the_other_calls)
{
	const struct script_step steps[] = { SCRIPT_RUN(101 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };

	tiny_run(&tiny, YAML("\"4.8\""), scripts, 1);
	struct hook_count total = hooks_total(&tiny.run.kernel.hooks);
	cr_assert(ge(i64, total.changes, 5));
	cr_assert(le(i64, total.changes, 6));
	cr_assert(eq(i64, total.calls, total.changes + total.dropped + total.rate_limited));
	cr_assert(gt(i64, total.rate_limited, 3 * total.changes));
	cr_assert(eq(i64, tiny.run.kernel.policies[0].work_runs, total.changes));
}

Test(hook, a_task_that_waited_for_io_is_told_from_4_12_on)
{
	const struct script_step steps[] = { SCRIPT_RUN(1 * MS), SCRIPT_IO(3141592),
		SCRIPT_RUN(1 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };

	tiny_run(&tiny, YAML("\"4.8\""), scripts, 1);
	cr_assert(eq(i64, at(HOOK_SITE_IOWAIT)->calls, 0));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("\"5.10\""), scripts, 1);
	cr_assert(eq(i64, at(HOOK_SITE_IOWAIT)->calls, 1));
}

Test(hook, what_a_call_costs_is_the_running_tasks_time)
{
	const struct script_step steps[] = { SCRIPT_RUN(101 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false } };

	tiny_run(&tiny, YAML("\"4.8\", hook_cost: 1873ns"), scripts, 1);
	const struct hooks *hooks = &tiny.run.kernel.hooks;
	struct hook_count total = hooks_total(hooks);
	cr_assert(eq(i64, hooks->cost_ns, 1873 * total.calls));
	/* All but the calls of the exit itself. */
	int64_t late_ns = tiny.run.elapsed_ns - 101 * NSEC_PER_MSEC;
	cr_assert(ge(i64, late_ns, hooks->cost_ns - 2 * 1873));
	cr_assert(le(i64, late_ns, hooks->cost_ns));
	cr_assert(eq(i64, hooks->contended, 0));
}

Test(hook, two_ticks_at_once_contend_for_the_lock_of_a_shared_policy)
{
	const struct script_step steps[] = { SCRIPT_RUN(101 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { steps, 0, false }, { steps, 1, false } };

	tiny_run(&tiny, YAML("\"4.8\", hook_cost: 1873ns"), scripts, 2);
	const struct hooks *hooks = &tiny.run.kernel.hooks;
	struct hook_count total = hooks_total(hooks);
	cr_assert(ge(i64, hooks->contended, 24));
	cr_assert(ge(i64, hooks->cost_ns, 1873 * (total.calls + hooks->contended)));
	cr_assert(le(i64, hooks->cost_ns, 1873 * (total.calls + 2 * hooks->contended)));
}

Test(hook, every_site_has_a_name_and_a_meaning)
{
	for (int i = 0; i < HOOK_SITES; i++) {
		cr_assert(gt(sz, strlen(hook_site_name((enum hook_site)i)), 1));
		cr_assert(gt(sz, strlen(hook_site_meaning((enum hook_site)i)), 10));
	}
}

/* --- patch "Consolidate cpufreq updates" --- */

#define V7 YAML("\"6.12\", patches: [consolidate-v7]")

static const struct script_step busy[] = { SCRIPT_RUN(101 * MS), SCRIPT_EXIT };

Test(hook, with_the_patch_a_governor_hears_at_switches_and_ticks_only)
{
	const struct script_step napper[] = { SCRIPT_RUN(7 * MS), SCRIPT_SLEEP(11000000),
		SCRIPT_RUN(7 * MS), SCRIPT_SLEEP(11000000), SCRIPT_RUN(7 * MS), SCRIPT_EXIT };
	const struct script scripts[] = { { napper, 0, false } };

	tiny_run(&tiny, V7, scripts, 1);
	cr_assert(eq(i64, at(HOOK_SITE_ENQUEUE)->calls, 0));
	cr_assert(eq(i64, at(HOOK_SITE_DEQUEUE)->calls, 0));
	cr_assert(eq(i64, at(HOOK_SITE_ATTACH)->calls, 0));
	cr_assert(gt(i64, at(HOOK_SITE_SWITCH)->calls, 1));
	cr_assert(gt(i64, at(HOOK_SITE_TICK)->calls, 1));
}

/* A task wakes behind another that has run for 1 ms only. */
static int64_t preempt_calls(const char *yaml)
{
	const struct script_step waker[] = { SCRIPT_SLEEP(1000000), SCRIPT_RUN(1 * MS),
		SCRIPT_EXIT };
	const struct script scripts[] = { { waker, 0, false }, { busy, 1, true },
		{ busy, 0, true } };

	tiny_run(&tiny, yaml, scripts, 3);
	return at(HOOK_SITE_PREEMPT)->calls;
}

Test(hook, the_patch_tells_of_a_wake_up_that_does_not_preempt)
{
	cr_assert(ge(i64, preempt_calls(V7), 1));
}

Test(hook, without_that_site_it_does_not)
{
	cr_assert(
		eq(i64, preempt_calls(YAML("\"6.12\", patches: [consolidate-v7-no-preempt]")), 0));
}

Test(hook, without_the_patch_neither)
{
	cr_assert(eq(i64, preempt_calls(YAML("\"6.12\"")), 0));
}

Test(hook, with_the_patch_a_switch_to_a_real_time_task_is_told)
{
	const struct script_step waker[] = { SCRIPT_SLEEP(10000000), SCRIPT_RUN(1 * MS),
		SCRIPT_EXIT };
	const struct job jobs[] = { { waker, 0, false, .fifo = 3 }, { busy, 0, true, .pin = 1 } };

	tiny_run_jobs(&tiny, V7, jobs, 2);
	/* Its first step and its work; its coming and going are not told. */
	cr_assert(ge(i64, at(HOOK_SITE_SWITCH)->calls, 2));
	cr_assert(eq(i64, at(HOOK_SITE_RT)->calls, 0));
}
