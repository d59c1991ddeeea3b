#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define RUN(machine, kernel, driver, governor)       \
	"machine: " machine "\n"                     \
	"kernel: { hz: 250, version: " kernel " }\n" \
	"driver: " driver "\n"                       \
	"governor: " governor "\n"                   \
	"workload: scripted\n"

#define QUAD "tests/data/machines/pstate-quad.yaml"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(30000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static const struct script_step runner[] = { SCRIPT_RUN(INT64_C(3800000) * 400 * NSEC_PER_MSEC),
	SCRIPT_EXIT };
static const struct script busy[] = { { runner, 1, false } };
static struct tiny tiny;

static const struct policy *policy(int i)
{
	return &tiny.run.kernel.policies[i];
}

/* rate_limit_us as show prints it: the first row of the tunables. */
static int64_t rate_limit_us(const char *yaml)
{
	int64_t us;

	cr_assert(eq(int, tiny_build(&tiny, yaml, asleep, 1), 0));
	us = *(const int64_t *)((const char *)policy(0)->tunables +
		policy(0)->governor->params[0].offset);
	tiny_free(&tiny);
	return us;
}

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(schedutil, .fini = teardown);

Test(schedutil, the_rate_limit_follows_driver_and_version)
{
	static const struct {
		const char *yaml;
		int64_t us;
	} rows[] = {
		{ RUN("i7-3770", "\"4.8\"", "acpi-cpufreq", "schedutil"), 10000 },
		{ RUN("i7-3770", "\"6.1\"", "acpi-cpufreq", "schedutil"), 10000 },
		{ RUN("i7-3770", "\"6.12\"", "acpi-cpufreq", "schedutil"), 15 },
		{ RUN(QUAD, "\"6.1\"", "intel_cpufreq", "schedutil"), 500 },
		{ RUN(QUAD, "\"6.1\"", "{ name: intel_cpufreq, hwp: 1 }", "schedutil"), 5000 },
		{ RUN("rk3588", "\"6.1\"", "{ name: cpufreq-dt, transition_latency: 62us }",
			  "schedutil"),
			10000 },
		{ RUN("rk3588", "\"6.12\"", "{ name: cpufreq-dt, transition_latency: 62us }",
			  "schedutil"),
			93 },
		{ RUN("juno-r2", "\"6.12\"", "{ name: cpufreq-dt, transition_latency: 1450us }",
			  "schedutil"),
			2175 },
		{ RUN(QUAD, "\"6.1\"", "\"null\"", "schedutil"), 1000 },
		{ RUN(QUAD, "\"6.1\"", "\"null\"", "{ name: schedutil, rate_limit_us: 1885 }"),
			1885 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_assert(eq(i64, rate_limit_us(rows[i].yaml), rows[i].us));
}

Test(schedutil, a_busy_cpu_reaches_the_top_in_every_version)
{
	static const char *const yamls[] = {
		RUN(QUAD, "\"4.8\"", "\"null\"", "schedutil"),
		RUN(QUAD, "\"4.12\"", "\"null\"", "schedutil"),
		RUN(QUAD, "\"5.10\"", "\"null\"", "schedutil"),
		RUN(QUAD, "\"6.1\"", "\"null\"", "schedutil"),
		RUN(QUAD, "\"6.1base\"", "\"null\"", "schedutil"),
		RUN(QUAD, "\"6.12\"", "\"null\"", "schedutil"),
		RUN(QUAD, "\"6.12\", patches: [consolidate-v7]", "\"null\"", "schedutil"),
	};

	for (size_t i = 0; i < sizeof(yamls) / sizeof(yamls[0]); i++) {
		tiny_run(&tiny, yamls[i], busy, 1);
		cr_assert(eq(i64, policy(1)->cur_khz, 3800000));
		cr_assert(gt(i64, policy(1)->fast_switches, 0));
		cr_assert(eq(i64, policy(3)->cur_khz, 1600000));
		tiny_free(&tiny);
	}
}

Test(schedutil, requests_keep_the_rate_limit)
{
	tiny_run(&tiny,
		RUN(QUAD, "\"6.1\"", "\"null\"", "{ name: schedutil, rate_limit_us: 20000 }"), busy,
		1);
	cr_assert(le(i64, policy(1)->requests, tiny.run.elapsed_ns / (20 * NSEC_PER_MSEC) + 1));
	cr_assert(gt(i64, policy(1)->requests, 0));
	cr_assert(gt(i64, tiny.run.kernel.decisions.by_rule[DECISION_RATE_LIMIT], 0));
}

/* The big cluster of the Juno: two CPUs, one policy. One busy CPU takes both up. */
Test(schedutil, a_shared_policy_goes_by_its_busiest_cpu)
{
	static const struct script_step steps[] = {
		SCRIPT_RUN(INT64_C(1200000) * 190 * NSEC_PER_MSEC), SCRIPT_EXIT
	};
	static const struct script scripts[] = { { steps, 4, false } };

	tiny_run(&tiny,
		RUN("juno-r2", "\"6.12\"", "{ name: cpufreq-dt, transition_latency: 1450us }",
			"schedutil"),
		scripts, 1);
	for (int i = 0; i < tiny.run.kernel.nr_policies; i++) {
		const struct policy *p = policy(i);
		bool big = tiny.exit_cpu[0] >= p->first_cpu &&
			tiny.exit_cpu[0] < p->first_cpu + p->nr_cpus;

		cr_assert(gt(int, p->nr_cpus, 1));
		if (big)
			cr_assert(eq(i64, p->cur_khz, p->cpuinfo_max_khz));
	}
}

Test(schedutil, limits_move_the_clock_when_the_hook_cannot)
{
	tiny_run(&tiny,
		RUN("rk3588", "\"6.1\"", "{ name: cpufreq-dt, transition_latency: 62us }",
			"schedutil") "limits: { scaling_min_freq: 1.2GHz }\n",
		asleep, 1);
	cr_assert(eq(i64, policy(2)->cur_khz, 1200000));
}

Test(schedutil, every_evaluation_has_a_rule)
{
	const struct decisions *d = &tiny.run.kernel.decisions;
	int64_t sum = 0;

	tiny_run(&tiny, RUN(QUAD, "\"6.1\"", "\"null\"", "schedutil"), busy, 1);
	for (int i = 0; i < DECISION_RULES; i++)
		sum += d->by_rule[i];
	cr_assert(eq(i64, sum, d->evaluations));
	cr_assert(gt(i64, d->by_rule[DECISION_UTIL], 0));
}

/* Work asked for while the worker still works is not lost: the driver holds it for 9 ms. */
Test(schedutil, a_request_during_the_last_one_follows_it)
{
	tiny_run(&tiny,
		RUN("rk3588", "\"6.12\"",
			"{ name: cpufreq-dt, transition_latency: 62us, call_time: 9ms }",
			"schedutil"),
		(const struct script[]){ { runner, 6, false } }, 1);
	cr_assert(gt(i64, policy(2)->work_runs, 1));
	cr_assert(eq(i64, policy(2)->cur_khz, 2400000));
}

/* Decisions of a second of short processes that were held back. */
static int64_t held(const char *governor)
{
	char yaml[512];

	snprintf(yaml, sizeof(yaml),
		"machine: i5-9600k\n"
		"kernel: { version: \"5.10\", hz: 1000, cpuidle: teo, exit_latency: 0 }\n"
		"driver: intel_cpufreq\n"
		"governor: %s\n"
		"workload: { name: pids-per-second, packets: 1200 }\n",
		governor);
	tiny_run(&tiny, yaml, NULL, 0);
	return tiny.run.kernel.decisions.by_rule[DECISION_HOLD];
}

Test(schedutil, the_hold_can_be_left_out)
{
	cr_assert(gt(i64, held("schedutil"), 100));
	tiny_free(&tiny);
	cr_assert(eq(i64, held("{ name: schedutil, hold: 0 }"), 0));
}
