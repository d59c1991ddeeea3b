#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/workload.h"
#include "tests/support/tiny.h"

/* The desktop has states with exit latencies of up to 85 us; 1000 Hz. */
#define YAML_OF(version, governor)                                                \
	"machine: generic-2cpu\n"                                                 \
	"kernel: { version: \"" version "\", hz: 1000, cpuidle: " governor " }\n" \
	"driver: 'null'\n"                                                        \
	"governor: performance\n"                                                 \
	"workload: scripted\n"

#define YAML(governor) YAML_OF("5.10", governor)
#define US (INT64_C(2940000) * NSEC_PER_USEC)

static const struct script_step naps[] = { SCRIPT_RUN(100 * US), SCRIPT_SLEEP(10000000),
	SCRIPT_RUN(100 * US), SCRIPT_SLEEP(10000000), SCRIPT_RUN(100 * US), SCRIPT_EXIT };
static const struct script napper[] = { { naps, 0, false } };
static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(idle, .fini = teardown);

Test(idle, an_ideal_governor_leaves_every_state_at_once)
{
	tiny_run(&tiny, YAML("ideal"), napper, 1);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 20300000));
}

Test(idle, teo_takes_the_exit_latency_of_the_deep_state_it_chose)
{
	tiny_run(&tiny, YAML("teo"), napper, 1);
	/* 85 us for each of the two wake-ups from C6; the start leaves a state it never chose. */
	cr_assert(eq(i64, tiny.run.elapsed_ns, 20300000 + 2 * 85000));
	cr_assert(ge(i64, cpu_idle_ns(&tiny.run.machine.cpus[0], 2), 20000000));
}

Test(idle, the_time_in_the_state_and_in_leaving_it_is_idle_time)
{
	struct cputime t;

	tiny_run(&tiny, YAML("teo"), napper, 1);
	cputime_read(&tiny.run.kernel, 0, &t);
	cr_assert(eq(u64, t.idle_us, 20170));
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 300000));
}

Test(idle, a_stopped_tick_is_counted_and_a_kept_one_is_not)
{
	const struct script_step short_naps[] = { SCRIPT_RUN(1000 * US), SCRIPT_SLEEP(150000),
		SCRIPT_RUN(100 * US), SCRIPT_SLEEP(150000), SCRIPT_RUN(100 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { short_naps, 0, false } };
	uint64_t before;

	cr_assert(not(tiny_build(&tiny, YAML("teo"), scripts, 1)));
	before = tiny.run.kernel.rqs[0].idle_calls;
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	/* A timer 150 us away is nearer than a tick: only the end of the run stops it. */
	cr_assert(le(u64, tiny.run.kernel.rqs[0].idle_calls - before, 1));
	tiny_free(&tiny);
	cr_assert(not(tiny_build(&tiny, YAML("teo"), napper, 1)));
	before = tiny.run.kernel.rqs[0].idle_calls;
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	cr_assert(ge(u64, tiny.run.kernel.rqs[0].idle_calls - before, 2));
}

/* A wakes B, which waits on the other CPU, and sleeps; B does the same for A. */
Test(idle, a_wake_up_of_an_idle_cpu_takes_what_it_was_measured_to_take)
{
	static struct channel channel;
	const struct script_step waker[] = { SCRIPT_RUN(100 * US), SCRIPT_POST(&channel),
		SCRIPT_RUN(50 * US), SCRIPT_SLEEP(1000000), SCRIPT_RUN(100 * US), SCRIPT_EXIT };
	const struct script_step waiter[] = { SCRIPT_WAIT(&channel), SCRIPT_RUN(200 * US),
		SCRIPT_EXIT };
	const struct script scripts[] = { { waker, 0, false }, { waiter, 1, false } };

	cr_assert(not(tiny_build(&tiny, YAML("ideal"), scripts, 2)));
	kernel_measured_wakeups(&tiny.run.kernel, 3125, 4719);
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	/* It starts on an idle CPU too, woken by nobody in particular. */
	cr_assert(eq(i64, tiny.exit_ns[0], 3125 + 150000 + 1000000 + 3125 + 100000));
	cr_assert(eq(i64, tiny.exit_ns[1], 3125 + 100000 + 4719 + 200000));
	tiny_free(&tiny);
	channel = (struct channel){ 0 };
	cr_assert(
		not(tiny_build(&tiny, YAML("ideal, wake_local: 1us, wake_remote: 0"), scripts, 2)));
	kernel_measured_wakeups(&tiny.run.kernel, 3125, 4719);
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	cr_assert(eq(i64, tiny.exit_ns[0], 1000 + 150000 + 1000000 + 1000 + 100000));
	cr_assert(eq(i64, tiny.exit_ns[1], 1000 + 100000 + 200000));
}

/* CPU 0 has the parent, CPU 1 a stand-in: 1000 Hz, so ticks are 1 ms apart. */
Test(idle, a_stand_in_keeps_new_tasks_waiting_until_the_tick_and_others_not)
{
	static struct channel channel;
	const struct script_step parent[] = { SCRIPT_RUN(300 * US), SCRIPT_SPAWN(1),
		SCRIPT_SPAWN(2), SCRIPT_RUN(1900 * US), SCRIPT_POST(&channel), SCRIPT_RUN(100 * US),
		SCRIPT_EXIT };
	const struct script_step child[] = { SCRIPT_RUN(100 * US), SCRIPT_EXIT };
	const struct script_step waiter[] = { SCRIPT_RUN(100 * US), SCRIPT_WAIT(&channel),
		SCRIPT_RUN(50 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { parent, 0, false }, { child, -1, false },
		{ waiter, -1, false } };

	cr_assert(not(tiny_build(&tiny, YAML("ideal"), scripts, 3)));
	kernel_idle_standin(&tiny.run.kernel, 1);
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	/* The first child is put beside its parent, for the other CPU is as busy; the second is put
	 * on the other, the shorter queue, and waits for the tick there. */
	cr_assert(eq(i64, tiny.exit_ns[0], 2300000));
	cr_assert(eq(i64, tiny.exit_ns[2], 2250000));
	cr_assert(eq(int, tiny.exit_cpu[2], 1));
	/* CPU 1 does not look for the one that waits on CPU 0 when it has nothing more to do. */
	cr_assert(ge(i64, tiny.exit_ns[1], 2000000));
}

/* The stand-in of CPU 1 has it from the start: its turn of 1.4 ms is not over at the first tick. */
Test(idle, from_6_6_on_a_new_task_waits_for_a_tick_after_the_stand_ins_turn)
{
	const struct script_step parent[] = { SCRIPT_RUN(300 * US), SCRIPT_SPAWN(1),
		SCRIPT_SPAWN(2), SCRIPT_RUN(4000 * US), SCRIPT_EXIT };
	const struct script_step child[] = { SCRIPT_RUN(100 * US), SCRIPT_EXIT };
	const struct script scripts[] = { { parent, 0, false }, { child, -1, false },
		{ child, -1, false } };

	cr_assert(not(tiny_build(&tiny, YAML_OF("6.15", "ideal"), scripts, 3)));
	kernel_idle_standin(&tiny.run.kernel, 1);
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	cr_assert(eq(int, tiny.exit_cpu[2], 1));
	cr_assert(eq(i64, tiny.exit_ns[2], 2100000));
}
