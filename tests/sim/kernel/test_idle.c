#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "tests/support/tiny.h"

/* The desktop has states with exit latencies of up to 85 us; 1000 Hz. */
#define YAML(governor)                                                     \
	"machine: generic-2cpu\n"                                          \
	"kernel: { version: \"5.10\", hz: 1000, cpuidle: " governor " }\n" \
	"driver: 'null'\n"                                                 \
	"governor: performance\n"                                          \
	"workload: scripted\n"

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
