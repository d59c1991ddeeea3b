#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

/*
 * The workloads beside recordings of what they stand for: wake-ups, times a task was switched to,
 * and forks, of the workload's own tasks, per unit of work. Recorded with ftrace on a virtual
 * machine of two CPUs under Linux 6.18; counted between the marks of start and end.
 *
 * Not alike, and left out: short hackbench (of 20 and 400 threads for a few milliseconds: its start
 * counts, and who shares a CPU with whom, which a run settles by chance); longer ones are below.
 * And switches to an rt-app task (26 in 20 periods, as others preempted it).
 */

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(recorded, .fini = teardown);

struct recorded {
	const char *workload;
	double units; /* of the recording */
	double wakeups, switches, forks;
	double units_here;
};

static void near(double found, double recorded, const char *what, const char *workload)
{
	cr_expect(found > 0.9 * recorded && found < 1.1 * recorded,
		"%s: %s per unit %.4f, recorded %.4f", workload, what, found, recorded);
}

static void compare(const struct recorded *r)
{
	const struct kernel *kernel = &tiny.run.kernel;
	char yaml[1024];

	snprintf(yaml, sizeof(yaml),
		"machine: generic-2cpu\n"
		"kernel: { version: \"6.18\" }\n"
		"driver: 'null'\n"
		"governor: performance\n"
		"workload: { %s }\n",
		r->workload);
	tiny_run(&tiny, yaml, NULL, 0);
	double units = r->units_here;
	near((double)kernel->wakeups / units, r->wakeups / r->units, "wake-ups", r->workload);
	if (r->switches > 0)
		near((double)kernel->switches / units, r->switches / r->units, "switches",
			r->workload);
	if (r->forks > 0)
		near((double)kernel->forks / units, r->forks / r->units, "forks", r->workload);
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
}

Test(recorded, counts_per_unit_of_work_are_those_of_the_programs)
{
	static const struct recorded rows[] = {
		/* perf bench sched pipe: 6000 round trips. */
		{ "name: sched-pipe, loops: 3000", 6000, 11994, 11999, 0, 3000 },
		/* fork, exec and wait, again and again: 1793 processes of 1.6 ms, 4460 tiny ones. */
		{ "name: lmbench, test: exec, repetitions: 1000", 1793, 1793, 3911, 1793, 1000 },
		{ "name: unixbench, test: spawn, duration: 1s", 4460, 4459, 9026, 4460, 8099 },
		/* The same at 100 per second: 400 processes. */
		{ "name: pids-per-second, rate: 100, packets: 200, cycles: 5200000, daemons: 0",
			400, 800, 1201, 400, 200 },
		/* fio, 1 ms of think time: 2828 reads of 28 us. */
		{ "name: fio, runtime: 3s, io_time: 28us", 2828, 5990, 5997, 0, 2880 },
		/* rt-app: 20 periods of 20 ms in 100. */
		{ "name: periodic, loops: 20", 20, 22, 0, 0, 20 },
		/* cyclictest for 4 s: four threads of 5 to 7.1 ms, and the main one. */
		{ "name: rt-app, file: tests/data/workloads/cyclictest.json", 4, 3092, 3096, 0, 4 },
		/* stress-ng --cpu-load 30 for 4 s, beside 800 wake-ups of its timer. */
		{ "name: stress-ng, cpu_load: 30, timeout: 40s", 4, 829 - 800, 0, 0, 40 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		compare(&rows[i]);
}

/* hackbench -pTl 1000 on that machine, without tracing: messages per wake-up, and how far off the
 * model may be. */
Test(recorded, messages_per_wakeup_are_within_a_factor_of_those_of_hackbench)
{
	static const struct {
		int groups;
		double recorded, factor;
	} rows[] = { { 1, 5.5, 1.5 }, { 2, 12, 2 }, { 3, 15, 2 }, { 10, 36, 2.7 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char yaml[512];
		double found;

		snprintf(yaml, sizeof(yaml),
			"machine: generic-2cpu\nkernel: { version: \"6.18\" }\n"
			"driver: 'null'\ngovernor: performance\n"
			"workload: { name: hackbench, transport: pipe, processes: 0, groups: %d,\n"
			"  loops: 1000 }\n",
			rows[i].groups);
		tiny_run(&tiny, yaml, NULL, 0);
		found = measured(&tiny, "messages") / (double)tiny.run.kernel.wakeups;
		tiny_free(&tiny);
		tiny = (struct tiny){ 0 };
		cr_assert(gt(dbl, found, rows[i].recorded / rows[i].factor), "%d groups",
			rows[i].groups);
		cr_assert(lt(dbl, found, rows[i].recorded * rows[i].factor), "%d groups",
			rows[i].groups);
	}
}
