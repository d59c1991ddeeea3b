#include "sim/kernel/hotplug.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/rq.h"
#include "sim/watch.h"
#include "tests/support/tiny.h"

/* CPUs 0 and 1 are one package, 2 and 3 the other, at 2 GHz under performance. */
#define MACHINE                                           \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"workload: scripted\n"
#define KERNEL(version) "kernel: { version: \"" version "\", hz: 1000 }\n" MACHINE
#define PERFORMANCE KERNEL("6.1") "governor: performance\n"
#define GONE(cpu, at) "events: [{ at: " at ", cpu: " cpu ", online: no }]\n"

#define MS (INT64_C(2000000) * NSEC_PER_MSEC)

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(hotplug, .fini = teardown);

static const struct script_step hundred[] = { SCRIPT_RUN(100 * MS), SCRIPT_EXIT };

Test(hotplug, a_task_goes_on_in_the_same_package_without_losing_a_cycle)
{
	const struct job jobs[] = { { hundred, 3, .nice = 0 } };

	tiny_run_jobs(&tiny, PERFORMANCE GONE("3", "10500us"), jobs, 1);
	cr_assert(eq(int, tiny.exit_cpu[0], 2));
	cr_assert(eq(i64, tiny.exit_ns[0], 100 * NSEC_PER_MSEC));
	cr_assert(eq(i64, tiny.run.kernel.migrations, 1));
	cr_assert(eq(i64, tiny.run.kernel.unbound, 0));
}

Test(hotplug, affinity_to_the_cpu_is_given_up)
{
	const struct job jobs[] = { { hundred, 3, .pin = 1 } };

	tiny_run_jobs(&tiny, PERFORMANCE GONE("3", "10ms"), jobs, 1);
	cr_assert(eq(int, tiny.exit_cpu[0], 2));
	cr_assert(eq(i64, tiny.run.kernel.unbound, 1));
}

Test(hotplug, those_that_wait_go_too)
{
	const struct job jobs[] = { { hundred, 3, .pin = 1 }, { hundred, 3, .pin = 1 },
		{ hundred, 3, .pin = 1 } };

	/* 10 ms are done; then three CPUs do the rest of 300 ms, one task each. */
	tiny_run_jobs(&tiny, PERFORMANCE GONE("3", "10ms"), jobs, 3);
	cr_assert(lt(i64, tiny.run.elapsed_ns, 115 * NSEC_PER_MSEC));
	cr_assert(eq(i64, tiny.run.kernel.unbound, 3));
}

Test(hotplug, those_that_wait_go_too_under_virtual_deadlines)
{
	const struct job jobs[] = { { hundred, 3, .pin = 1 }, { hundred, 3, .pin = 1, .nice = 5 },
		{ hundred, 3, .pin = 1 } };

	tiny_run_jobs(&tiny, KERNEL("6.12") "governor: performance\n" GONE("3", "10ms"), jobs, 3);
	cr_assert(lt(i64, tiny.run.elapsed_ns, 115 * NSEC_PER_MSEC));
	cr_assert(eq(i64, tiny.run.kernel.unbound, 3));
}

Test(hotplug, a_sleeper_is_woken_on_time_elsewhere)
{
	static const struct script_step sleeper[] = { SCRIPT_SLEEP(50000000), SCRIPT_RUN(1 * MS),
		SCRIPT_EXIT };
	const struct job jobs[] = { { sleeper, 3, .pin = 1 } };

	tiny_run_jobs(&tiny, PERFORMANCE GONE("3", "10ms"), jobs, 1);
	cr_assert(ne(int, tiny.exit_cpu[0], 3));
	cr_assert(eq(i64, tiny.exit_ns[0], 51 * NSEC_PER_MSEC));
}

Test(hotplug, a_sleeper_whose_cpu_is_back_in_time_keeps_its_affinity)
{
	static const struct script_step sleeper[] = { SCRIPT_SLEEP(50000000), SCRIPT_RUN(1 * MS),
		SCRIPT_EXIT };
	const struct job jobs[] = { { sleeper, 3, .pin = 1 } };

	tiny_run_jobs(&tiny,
		PERFORMANCE "events: [{ at: 10ms, cpu: 3, online: no }, { at: 20ms, cpu: 3, "
			    "online: yes }]\n",
		jobs, 1);
	cr_assert(eq(int, tiny.exit_cpu[0], 3));
	cr_assert(eq(i64, tiny.run.kernel.unbound, 0));
}

Test(hotplug, real_time_and_deadline_tasks_go_too)
{
	const struct job jobs[] = { { hundred, 3, .fifo = 40, .pin = 1 },
		{ hundred, 3, .fifo = 30, .pin = 1 },
		{ hundred, 3, .dl_runtime_ns = 5000000, .dl_period_ns = 10000000 } };

	tiny_run_jobs(&tiny, PERFORMANCE GONE("3", "10ms"), jobs, 3);
	for (int i = 0; i < 3; i++)
		cr_assert(ne(int, tiny.exit_cpu[i], 3));
	cr_assert(eq(i64, tiny.run.kernel.rqs[3].nr_rt, 0));
}

Test(hotplug, an_offline_cpu_sleeps_without_a_tick_and_takes_no_task)
{
	const struct job jobs[] = { { hundred, 3, .nice = 0 }, { hundred, 2, .nice = 0 },
		{ hundred, 1, .nice = 0 }, { hundred, 0, .nice = 0 } };

	tiny_run_jobs(&tiny, PERFORMANCE GONE("3", "20ms"), jobs, 4);
	const struct rq *rq = &tiny.run.kernel.rqs[3];
	cr_assert(not(timer_armed(&rq->tick)));
	cr_assert(eq(i64, cpu_idle_ns(rq->cpu, 0), tiny.run.elapsed_ns - 20 * NSEC_PER_MSEC));
	cr_assert(not(cpumask_test(&tiny.run.kernel.idle, 3)));
	/* 400 ms of work, 80 ms done by four CPUs and the rest by three, which share it badly. */
	cr_assert(ge(i64, tiny.run.elapsed_ns, (20 + 320 / 3) * NSEC_PER_MSEC));
}

Test(hotplug, a_cpu_that_comes_back_is_used_again)
{
	const struct job jobs[] = { { hundred, 3, .nice = 0 }, { hundred, 2, .nice = 0 },
		{ hundred, 1, .nice = 0 }, { hundred, 0, .nice = 0 } };

	tiny_run_jobs(&tiny,
		PERFORMANCE "events: [{ at: 20ms, cpu: 3, online: no }, { at: 30ms, cpu: 3, "
			    "online: yes }]\n",
		jobs, 4);
	/* It lacks 10 ms, and pulls what waits the moment it is back. */
	cr_assert(le(i64, tiny.run.elapsed_ns, 111 * NSEC_PER_MSEC));
}

/* Decisions for a policy, before and after a time. */
static struct {
	int64_t from_ns, to_ns;
	int inside, after, policy;
	bool started;
} seen;

static void listen(void *arg, const struct decision_record *record)
{
	(void)arg;
	if (record->policy->id != seen.policy)
		return;
	seen.inside += record->t_ns > seen.from_ns && record->t_ns < seen.to_ns;
	seen.after += record->t_ns > seen.to_ns;
}

#define PAIR(policies)                                                                          \
	"machine: { name: pair, reference: 2940MHz, cpus: [{ cpus: 0-2 }], policies: " policies \
	", clock: { scope: cpu, vote: non-idle }, power: { ceff: 2000 }, frequency_table: ["    \
	"{ freq: 1470MHz, voltage: 1V }, { freq: 2205MHz, voltage: 1V }, "                      \
	"{ freq: 2940MHz, voltage: 1V } ], "                                                    \
	"idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }] }\n"                    \
	"driver: 'null'\n"                                                                      \
	"kernel: { version: \"6.1\" }\n"                                                        \
	"workload: { name: periodic, tasks: 6, period: 12ms, run: 5ms, loops: 1000 }\n"         \
	"run: { duration: 1s }\n"

static void run(const char *yaml)
{
	cr_assert(eq(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", tiny.err.text);
	tiny.run.kernel.decisions.sink = listen;
	cr_assert(eq(int, run_execute(&tiny.run, &tiny.err), 0), "%s", tiny.err.text);
}

static void governor_sleeps_with_its_policy(const char *yaml)
{
	struct policy *policy;
	int64_t sum = 0;

	seen.policy = 2;
	seen.from_ns = 300 * NSEC_PER_MSEC;
	seen.to_ns = 600 * NSEC_PER_MSEC;
	run(yaml);
	policy = &tiny.run.kernel.policies[2];
	cr_assert(eq(int, seen.inside, 0));
	cr_assert(gt(int, seen.after, 10));
	/* The limit was written before it went. */
	cr_assert(eq(i64, policy->max_khz, 2205000));
	cr_assert(le(i64, policy->cur_khz, 2205000));
	/* Time in state goes on. */
	for (int i = 0; i < 3; i++)
		sum += cpufreq_time_in_state_ns(policy, i);
	cr_assert(eq(i64, sum, NSEC_PER_SEC));
}

#define AWAY                                                                   \
	"events:\n"                                                            \
	"  - { at: 100ms, set: limits.scaling_max_freq=2205MHz, policy: 2 }\n" \
	"  - { at: 300ms, cpu: 2, online: no }\n"                              \
	"  - { at: 600ms, cpu: 2, online: yes }\n"

Test(hotplug, schedutil_stops_with_the_last_cpu_and_returns_with_saved_limits)
{
	governor_sleeps_with_its_policy(PAIR("per-cpu") "governor: schedutil\n" AWAY);
}

Test(hotplug, ondemand_stops_with_the_last_cpu_and_returns_with_saved_limits)
{
	governor_sleeps_with_its_policy(PAIR("per-cpu") "governor: ondemand\n" AWAY);
}

static void owner_moves(const char *governor)
{
	char yaml[2000];
	const struct policy *policy;

	snprintf(yaml, sizeof(yaml),
		PAIR("[0, 1-2]") "governor: %s\nevents:\n"
				 "  - { at: 300ms, cpu: 1, online: no }\n"
				 "  - { at: 600ms, cpu: 1, online: yes }\n"
				 "  - { at: 700ms, cpu: 1, online: no }\n",
		governor);
	seen.policy = 1;
	seen.inside = seen.after = 0;
	seen.from_ns = 300 * NSEC_PER_MSEC;
	seen.to_ns = 700 * NSEC_PER_MSEC;
	run(yaml);
	policy = &tiny.run.kernel.policies[1];
	/* It keeps its name and its governor. */
	cr_assert(eq(int, policy->id, 1));
	cr_assert(eq(int, policy->cpu, 2));
	cr_assert(eq(int, policy->nr_online, 1));
	cr_assert(gt(int, seen.inside, 10));
	cr_assert(gt(int, seen.after, 10));
	teardown();
}

Test(hotplug, a_shared_policy_goes_on_with_its_other_cpu)
{
	owner_moves("schedutil");
	owner_moves("ondemand");
	owner_moves("conservative");
}

/* Linux looks at one CPU alone when no other of the policy is online. */
Test(hotplug, what_an_offline_cpu_left_behind_is_nobodys_wish)
{
	struct util_input in;

	run(PAIR("[0, 1-2]") "governor: schedutil\nevents: [{ at: 999ms, cpu: 2, online: no }]\n");
	kernel_util_read(&tiny.run.kernel, 2, &in);
	cr_assert(eq(u64, in.cfs_util_avg, 0));
	cr_assert(gt(u64, tiny.run.kernel.rqs[2].pelt.cfs.sig.util_avg, 0));
}

Test(hotplug, queued_work_of_a_governor_is_cancelled)
{
	/* The work takes longer than the time between two samples of two CPUs. */
	run("machine: tests/data/machines/two-package.yaml\n"
	    "kernel: { version: \"6.1\", work_cost: 900us }\n"
	    "driver: 'null'\n"
	    "governor: { name: ondemand, sampling_rate: 8ms }\n"
	    "workload: { name: periodic, tasks: 9, period: 12ms, run: 7ms, loops: 1000 }\n"
	    "run: { duration: 200ms }\n"
	    "events:\n"
	    "  - { at: 96ms, cpu: 3, online: no }\n"
	    "  - { at: 100ms, cpu: 2, online: no }\n"
	    "  - { at: 101ms, cpu: 1, online: no }\n"
	    "  - { at: 108ms, cpu: 2, online: yes }\n");
	for (int i = 1; i < 4; i += 2) {
		cr_assert(eq(int, tiny.run.kernel.policies[i].nr_online, 0));
		cr_assert(not(tiny.run.kernel.policies[i].work_pending));
	}
	cr_assert(eq(int, tiny.run.kernel.nr_online, 2));
}

static void refused(const char *events, const char *words)
{
	char yaml[2000];

	snprintf(yaml, sizeof(yaml), PAIR("per-cpu") "governor: ondemand\nevents:\n%s\n", events);
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, words) != NULL, "%s", tiny.err.text);
	tiny.err = (struct error){ 0 };
	arena_free(&tiny.arena);
}

Test(hotplug, what_cannot_be_is_refused, .fini = NULL)
{
	refused("  - { at: 1s, cpu: 0, online: no }", "CPU 0 cannot go offline");
	refused("  - { at: 1s, cpu: 3, online: no }", "no CPU 3; the machine has 0 to 2");
	refused("  - { at: 1s, online: no }", "cpu and online go together");
	refused("  - { at: 1s, cpu: 1, turbo: on }", "cpu and online go together");
	refused("  - { at: 1s, policy: 1, cpu: 1, online: no }", "of a cpu, not of a policy");
	refused("  - { at: 1s, cpu: 1, online: no, turbo: on }", "expected one");
	refused("  - { at: 1s, cpu: 1, online: no }\n"
		"  - { at: 2s, policy: 1, set: limits.scaling_max_freq=2205MHz }",
		"all CPUs of policy 1 are offline then");
	refused("  - { at: 1s, cpu: 1, online: no }\n"
		"  - { at: 2s, governor: conservative }",
		"name the others with policy");
}
