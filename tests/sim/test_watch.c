#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "tests/support/tiny.h"

#define YAML                                              \
	"machine: tests/data/machines/two-package.yaml\n" \
	"kernel: { version: \"6.1\", hz: 250 }\n"         \
	"driver: 'null'\n"                                \
	"governor: ondemand\n"                            \
	"workload: scripted\n"                            \
	"run: { duration: 50ms }\n"

#define MS (INT64_C(2000000) * NSEC_PER_MSEC)

static const struct script_step steps[] = { SCRIPT_RUN(300 * MS), SCRIPT_EXIT };
static const struct script_step nap[] = { SCRIPT_RUN(3 * MS), SCRIPT_SLEEP(900000000),
	SCRIPT_EXIT };
static const struct script scripts[] = { { steps, 0, true }, { steps, 1, true }, { nap, 3, true } };

static struct tiny tiny;

/* A run of 50 ms under a watch that found nothing; it looks once more at its end. */
static void setup(void)
{
	cr_assert(eq(int, tiny_build(&tiny, YAML, scripts, 3), 0));
	if (arena_try(&tiny.run.arena))
		cr_fatal("out of memory");
	/* A debug build watches every run already. */
	if (!tiny.run.watch.run)
		watch_start(&tiny.run.watch, &tiny.run);
	cr_assert(eq(int, run_execute(&tiny.run, &tiny.err), 0));
	cr_assert(gt(u64, tiny.run.watch.checks, 0));
	cr_assert(watch_check(&tiny.run.watch));
}

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(watch, .init = setup, .fini = teardown);

static void finds(const char *what)
{
	cr_assert(not(watch_check(&tiny.run.watch)));
	cr_assert(strstr(tiny.run.watch.broken, what) != NULL, "%s", tiny.run.watch.broken);
	cr_assert(strstr(tiny.run.watch.broken, "at 50000000 ns: ") == tiny.run.watch.broken);
}

Test(watch, time_does_not_go_back)
{
	tiny.run.watch.now_ns = 50000001;
	finds("time went back from 50000001 ns");
}

Test(watch, residencies_add_up)
{
	tiny.run.machine.cpus[1].busy_ns[0]++;
	finds("the residencies of CPU 1 add up to 50000001 ns");
}

Test(watch, work_is_not_negative)
{
	tiny.run.machine.cpus[0].burst->work = -1;
	finds("CPU 0 has less than no work");
}

Test(watch, a_lost_cycle_is_missed)
{
	tiny.run.machine.cpus[0].burst->work -= WORK_PER_CYCLE;
	finds("1000000 kHz ns of work are missing");
}

Test(watch, a_task_that_sleeps_has_a_timer)
{
	struct task *task = tiny.run.kernel.rqs[0].curr;

	task->state = TASK_SLEEPING;
	finds("a task's timer and its state 4 disagree");
}

Test(watch, a_task_that_runs_is_on_its_cpu)
{
	tiny.run.kernel.rqs[0].curr->cpu = 3;
	finds("a task in state 3 and CPU 3 disagree");
}

Test(watch, tasks_that_wait_are_counted)
{
	tiny.run.kernel.rqs[2].nr_waiting = 1;
	finds("CPU 2 counts 1 waiting tasks of 0");
}

Test(watch, idle_cpus_are_in_the_set)
{
	cpumask_clear(&tiny.run.kernel.idle, 3);
	finds("CPU 3 is in the wrong set");
}

Test(watch, limits_are_in_order)
{
	tiny.run.kernel.policies[2].min_khz = 2000001;
	finds("policy 2: its limits are crossed");
}

Test(watch, the_hardware_has_the_frequency)
{
	tiny.run.kernel.policies[0].cur_khz = 2020001;
	finds("policy 0: no hardware runs at 2020001 kHz");
}

Test(watch, energy_does_not_fall)
{
	tiny.run.watch.energy_j += 0.001;
	finds("energy fell from");
}
