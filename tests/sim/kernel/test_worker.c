#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "tests/support/tiny.h"

/* The thread that does a governor's deferred work, with commands of 510 us. */

#define MS (INT64_C(2000000) * NSEC_PER_MSEC)

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(worker, .fini = teardown);

static const char *yaml_of(const char *version, const char *governor)
{
	static char yaml[512];

	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"%s\", hz: 1000, work_cost: 17us }\n"
		"driver: { name: pcc-cpufreq, command_time: 510us }\n"
		"governor: %s\n"
		"workload: scripted\n",
		version, governor);
	return yaml;
}

static const struct script_step steps[] = { SCRIPT_RUN(40 * MS), SCRIPT_EXIT };

static const struct task *worker_of(const char *version, const char *governor)
{
	const struct script scripts[] = { { steps, 0, false } };

	tiny_run(&tiny, yaml_of(version, governor), scripts, 1);
	return &tiny.run.kernel.rqs[0].worker;
}

Test(worker, ondemand_has_a_fair_kworker)
{
	const struct task *worker = worker_of("5.10", "ondemand");

	cr_assert(eq(str, (char *)worker->name, "kworker"));
	cr_assert(eq(int, (int)worker->class, TASK_FAIR));
}

Test(worker, schedutil_has_a_deadline_thread_from_4_16_on)
{
	const struct task *worker = worker_of("5.10", "schedutil");

	cr_assert(eq(str, (char *)worker->name, "sugov"));
	cr_assert(eq(int, (int)worker->class, TASK_DEADLINE));
	/* It reserves nothing. */
	cr_assert(eq(u64, tiny.run.kernel.rqs[0].dl_bw, 0));
}

Test(worker, before_that_it_is_a_real_time_one)
{
	const struct task *worker = worker_of("4.12", "schedutil");

	cr_assert(eq(int, (int)worker->class, TASK_FIFO));
	cr_assert(eq(int, worker->rt_priority, 50));
	cr_assert(eq(int, tiny.run.kernel.rqs[0].nr_rt, 0));
}

Test(worker, its_cpu_time_is_its_own)
{
	const struct task *worker = worker_of("5.10", "ondemand");
	const struct policy *policy = &tiny.run.kernel.policies[0];

	cr_assert(eq(i64, worker->sys_ns, policy->work_runs * 17000 + policy->commands * 510000));
	/* The task has all the rest. */
	cr_assert(eq(i64, tiny.run.kernel.user_ns, tiny.run.elapsed_ns - worker->sys_ns));
}

/* When load tracking last looked at the thread; 0: never. */
static uint64_t seen_ns(const char *worker_load)
{
	const struct script scripts[] = { { steps, 0, false } };
	char yaml[512];

	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"5.10\", hz: 1000, worker_load: %s }\n"
		"driver: 'null'\n"
		"governor: ondemand\n"
		"workload: scripted\n",
		worker_load);
	tiny_run(&tiny, yaml, scripts, 1);
	return tiny.run.kernel.rqs[0].worker.pelt.sig.last_update_ns;
}

Test(worker, load_tracking_sees_it_or_not)
{
	cr_assert(gt(u64, seen_ns("1"), 0));
	tiny_free(&tiny);
	cr_assert(eq(u64, seen_ns("0"), 0));
	/* The task is tracked as ever. */
	cr_assert(gt(u64, tiny.run.kernel.rqs[0].pelt.cfs.sig.last_update_ns, 0));
}
