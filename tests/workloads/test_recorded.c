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
 * Not alike, and left out: hackbench with 20 and 400 threads for a few milliseconds (its start
 * counts, and 6.18 lets a waking thread take the CPU less often than the rules of 6.1 do), and
 * switches to an rt-app task (26 in 20 periods, as others preempted it).
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
		/* hackbench -pTl 2000 -g 2 -f 5: 100000 messages, 20 threads. */
		{ "name: hackbench, transport: pipe, processes: 0, groups: 2, fds: 5, loops: 2000, "
		  "batch: 1",
			100000, 13453, 17064, 20, 100000 },
		/* fio, 1 ms of think time: 2828 reads of 28 us. */
		{ "name: fio, runtime: 3s, io_time: 28us", 2828, 5990, 5997, 0, 2880 },
		/* rt-app: 20 periods of 20 ms in 100. */
		{ "name: periodic, loops: 20", 20, 22, 0, 0, 20 },
		/* stress-ng --cpu-load 30 for 4 s, beside 800 wake-ups of its timer. */
		{ "name: stress-ng, cpu_load: 30, timeout: 40s", 4, 829 - 800, 0, 0, 40 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		compare(&rows[i]);
}
