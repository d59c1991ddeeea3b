#include "sim/events.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/governor.h"
#include "tests/support/tiny.h"

#define MACHINE_OF(reference)                                                              \
	"machine: { name: pair, reference: " reference                                     \
	", cpus: [{ cpus: 0-1 }], policies: per-cpu, "                                     \
	"clock: { scope: cpu, vote: non-idle }, power: { ceff: 2000 }, frequency_table: [" \
	"{ freq: 1470MHz, voltage: 1V }, { freq: 2205MHz, voltage: 1V }, "                 \
	"{ freq: 2941MHz, clock: 3381MHz, voltage: 1V, turbo: 1 }, ], "                    \
	"idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }] }\n"               \
	"workload: { name: periodic, tasks: 2, period: 12ms, run: 3ms, loops: 1000 }\n"    \
	"run: { duration: 1s }\n"
#define MACHINE MACHINE_OF("2940MHz")
#define NULL_DRIVER "driver: \"null\"\n" MACHINE
#define ONDEMAND "kernel: { version: \"6.1\" }\ngovernor: ondemand\n" NULL_DRIVER

static struct tiny tiny;

/* Every decision for CPU 0's policy, and some values of its record. */
struct seen {
	int64_t t_ns, elapsed_us, up_threshold, requested_khz;
	enum decision_rule rule;
	int policy;
};

static struct seen all[20000];
static size_t nr_all;

static int64_t value_of(const struct decision_record *record, const char *name)
{
	for (int i = 0; i < record->nr_in; i++)
		if (strcmp(record->in[i].name, name) == 0)
			return record->in[i].value;
	return -1;
}

static void listen(void *arg, const struct decision_record *record)
{
	(void)arg;
	if (nr_all == sizeof(all) / sizeof(all[0]))
		return;
	all[nr_all++] = (struct seen){
		.t_ns = record->t_ns,
		.elapsed_us = value_of(record, "elapsed"),
		.up_threshold = value_of(record, "up_threshold"),
		.requested_khz = record->requested_khz,
		.rule = record->rule,
		.policy = record->policy->id,
	};
}

static void run(const char *yaml)
{
	cr_assert(eq(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", tiny.err.text);
	tiny.run.kernel.decisions.sink = listen;
	cr_assert(eq(int, run_execute(&tiny.run, &tiny.err), 0), "%s", tiny.err.text);
}

/* The first decision of a policy at or after a time. */
static const struct seen *first_at(int policy, int64_t t_ns)
{
	for (size_t i = 0; i < nr_all; i++)
		if (all[i].policy == policy && all[i].t_ns >= t_ns)
			return &all[i];
	cr_fatal("no decision");
	return NULL;
}

static const struct seen *last_before(int policy, int64_t t_ns)
{
	const struct seen *last = NULL;

	for (size_t i = 0; i < nr_all && all[i].t_ns < t_ns; i++)
		if (all[i].policy == policy)
			last = &all[i];
	cr_assert(last != NULL);
	return last;
}

static const struct policy *policy(int i)
{
	return &tiny.run.kernel.policies[i];
}

#define AT INT64_C(500000000)

Test(events, a_threshold_that_is_written_decides_from_then_on)
{
	run(ONDEMAND "events: [ { at: 500ms, set: governor.up_threshold=3 } ]\n");
	cr_expect(eq(int, last_before(0, AT)->rule, DECISION_MAP));
	cr_expect(eq(i64, last_before(0, AT)->up_threshold, 95));
	cr_expect(eq(int, first_at(0, AT)->rule, DECISION_UP_THRESHOLD));
	cr_expect(eq(i64, first_at(0, AT)->up_threshold, 3));
	cr_expect(eq(i64, first_at(1, AT)->up_threshold, 3));
	tiny_free(&tiny);
}

Test(events, one_policy_may_get_tunables_of_its_own)
{
	run(ONDEMAND "events: [ { at: 500ms, set: governor.up_threshold=73, policy: 1 }, "
		     "{ at: 700ms, set: governor.powersave_bias=431 } ]\n");
	cr_expect(eq(i64, first_at(0, AT)->up_threshold, 95));
	cr_expect(eq(i64, first_at(1, AT)->up_threshold, 73));
	/* A later write to all leaves the other values apart. */
	cr_expect(eq(i64, first_at(0, 800 * NSEC_PER_MSEC)->up_threshold, 95));
	cr_expect(eq(i64, first_at(1, 800 * NSEC_PER_MSEC)->up_threshold, 73));
	tiny_free(&tiny);
}

Test(events, tunables_of_a_policy_hold_from_the_start)
{
	run("governor: { name: ondemand, up_threshold: 83, policies: { 1: { up_threshold: 43 } } "
	    "}\n" NULL_DRIVER);
	cr_expect(eq(i64, first_at(0, 100 * NSEC_PER_MSEC)->up_threshold, 83));
	cr_expect(eq(i64, first_at(1, 100 * NSEC_PER_MSEC)->up_threshold, 43));
	tiny_free(&tiny);
}

Test(events, limits_move_the_frequency_at_once_and_sample_next)
{
	run("kernel: { version: \"6.1\" }\ngovernor: { name: ondemand, up_threshold: 2 "
	    "}\n" NULL_DRIVER "events: [ { at: 500ms, set: limits.scaling_max_freq=2.3GHz } ]\n");
	cr_expect(eq(int, first_at(0, AT)->rule, DECISION_LIMITS));
	cr_expect(eq(i64, first_at(0, AT)->t_ns, AT));
	cr_expect(eq(i64, first_at(0, AT)->requested_khz, 2205000));
	cr_expect(eq(i64, policy(0)->max_khz, 2205000));
	tiny_free(&tiny);
}

/* What the user asked for stays: a lower limit above the upper one waits for its turn. */
Test(events, limits_are_remembered_as_they_were_asked)
{
	run(ONDEMAND "events: [ { at: 500ms, set: limits.scaling_max_freq=1.5GHz }, "
		     "{ at: 600ms, set: limits.scaling_min_freq=2.2GHz, policy: 0 }, "
		     "{ at: 700ms, set: limits.scaling_max_freq=9GHz } ]\n");
	cr_expect(eq(i64, policy(0)->min_khz, 2205000));
	cr_expect(eq(i64, policy(1)->min_khz, 1470000));
	cr_expect(eq(i64, policy(0)->max_khz, 2941000));
	tiny_free(&tiny);
}

Test(events, a_new_sampling_rate_lets_the_next_hook_sample)
{
	run("kernel: { version: \"6.1\" }\ngovernor: { name: ondemand, sampling_rate: 200ms "
	    "}\n" NULL_DRIVER "events: [ { at: 500ms, set: governor.sampling_rate=24ms } ]\n");
	cr_expect(lt(i64, first_at(0, AT)->t_ns - AT, 12 * NSEC_PER_MSEC));
	cr_expect(lt(i64, first_at(0, AT)->elapsed_us, 200000));
	tiny_free(&tiny);
}

Test(events, another_idea_of_idle_begins_the_load_window_anew)
{
	run("kernel: { version: \"6.1\" }\ngovernor: { name: ondemand, sampling_rate: 200ms "
	    "}\n" NULL_DRIVER "events: [ { at: 500ms, set: governor.io_is_busy=0 } ]\n");
	cr_expect(eq(i64, first_at(0, AT)->elapsed_us, (first_at(0, AT)->t_ns - AT) / 1000));
	cr_expect(gt(i64, last_before(0, AT)->elapsed_us, 190000));
	tiny_free(&tiny);
}

Test(events, the_governor_changes_and_brings_its_defaults)
{
	run(ONDEMAND "events: [ { at: 500ms, governor: { name: conservative, up_threshold: 73 } }, "
		     "{ at: 700ms, set: governor.down_threshold=71 }, "
		     "{ at: 800ms, governor: powersave, policy: 1 } ]\n");
	cr_expect(eq(str, (char *)policy(0)->governor->name, "conservative"));
	cr_expect(eq(str, (char *)policy(1)->governor_name, "powersave"));
	cr_expect(eq(i64, first_at(0, 520 * NSEC_PER_MSEC)->up_threshold, 73));
	cr_expect(eq(i64, policy(1)->cur_khz, 1470000));
	cr_expect(eq(i64, first_at(1, 800 * NSEC_PER_MSEC)->requested_khz, 1470000));
	cr_expect(eq(int, first_at(1, 800 * NSEC_PER_MSEC)->rule, DECISION_LIMITS));
	tiny_free(&tiny);
}

Test(events, every_governor_can_follow_every_other)
{
	run("kernel: { version: \"6.1\" }\ngovernor: schedutil\n" NULL_DRIVER
	    "events: [ { at: 50ms, governor: ondemand }, { at: 100ms, governor: userspace }, "
	    "{ at: 150ms, governor: schedutil }, { at: 200ms, governor: conservative }, "
	    "{ at: 250ms, governor: intel_pstate }, { at: 300ms, governor: schedutil }, "
	    "{ at: 350ms, governor: performance }, { at: 400ms, governor: ondemand } ]\n");
	cr_expect(eq(str, (char *)policy(0)->governor->name, "ondemand"));
	cr_expect(eq(int, last_before(0, INT64_MAX)->rule, DECISION_MAP));
	tiny_free(&tiny);
}

Test(events, a_speed_is_written)
{
	run("governor: userspace\n" NULL_DRIVER
	    "events: [ { at: 500ms, set: scaling_setspeed=2GHz, policy: 1 } ]\n");
	cr_expect(eq(i64, policy(0)->cur_khz, 1470000));
	cr_expect(eq(i64, policy(1)->cur_khz, 2205000));
	cr_expect(eq(int, first_at(1, AT)->rule, DECISION_SETSPEED));
	tiny_free(&tiny);
}

static int64_t clock_of(int cpu)
{
	const struct domain *domain = tiny.run.machine.cpus[cpu].domain;

	return domain->clocks_khz[domain->clock];
}

Test(events, boost_is_switched_off_and_on)
{
	run("governor: performance\ndriver: acpi-cpufreq\n" MACHINE
	    "events: [ { at: 500ms, turbo: off } ]\n");
	cr_expect(eq(i64, policy(0)->cur_khz, 2941000));
	cr_expect(eq(i64, clock_of(0), 2205000));
	tiny_free(&tiny);
	run("governor: performance\ndriver: acpi-cpufreq\n" MACHINE
	    "events: [ { at: 500ms, turbo: off }, { at: 600ms, turbo: on } ]\n");
	cr_expect(eq(i64, clock_of(0), 3381000));
	tiny_free(&tiny);
}

Test(events, turbo_of_the_passive_intel_driver_is_switched_off)
{
	run("kernel: { version: \"6.1\" }\ngovernor: performance\ndriver: "
	    "intel_cpufreq\n" MACHINE_OF("2205MHz") "events: [ { at: 500ms, turbo: off } ]\n");
	cr_expect(le(i64, clock_of(0), 2205000));
	tiny_free(&tiny);
}

Test(events, no_turbo_of_intel_pstate_is_written)
{
	run("kernel: { version: \"6.1\" }\ngovernor: { name: intel_pstate, min_perf_pct: 100 "
	    "}\ndriver: \"null\"\n" MACHINE_OF(
		    "2205MHz") "events: [ { at: 500ms, turbo: off } ]\n");
	cr_expect(le(i64, clock_of(0), 2205000));
	tiny_free(&tiny);
}

/* The counts are kept by the code that decides, the work by the run queue. */
Test(events, counts_by_rule_add_up_to_the_evaluations)
{
	const struct decisions *decisions = &tiny.run.kernel.decisions;
	int64_t sum = 0, work_runs = 0;

	run(ONDEMAND);
	for (int i = 0; i < DECISION_RULES; i++)
		sum += decisions->by_rule[i];
	for (int i = 0; i < 2; i++)
		work_runs += policy(i)->work_runs;
	cr_expect(eq(i64, sum, decisions->evaluations));
	cr_expect(eq(i64, sum, work_runs));
	cr_expect(eq(sz, nr_all, (size_t)sum));
	cr_expect(gt(i64, sum, 100));
	tiny_free(&tiny);
}

/* Listening changes nothing. */
Test(events, a_run_that_is_explained_is_the_same_run)
{
	int64_t cycles;

	run(ONDEMAND);
	cycles = (int64_t)tiny.run.machine.cpus[0].cycles;
	tiny_free(&tiny);
	cr_assert(eq(int, tiny_build(&tiny, ONDEMAND, NULL, 0), 0));
	cr_assert(eq(int, run_execute(&tiny.run, &tiny.err), 0));
	cr_expect(eq(i64, (int64_t)tiny.run.machine.cpus[0].cycles, cycles));
	tiny_free(&tiny);
}

Test(events, a_governor_of_levels_is_refused_where_the_hardware_takes_none)
{
	cr_assert(lt(int,
		tiny_build(&tiny,
			"kernel: { version: \"6.1\" }\ngovernor: performance\n" NULL_DRIVER
			"events: [ { at: 50ms, governor: intel_pstate_hwp } ]\n",
			NULL, 0),
		0));
	cr_assert(strstr(tiny.err.text, "needs hardware that takes levels (HWP)") != NULL, "%s",
		tiny.err.text);
}
