#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/report/metric.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

/* The Juno of the CPPC frequency invariance thread (linux-pm, 2021-02-22, I. Voinescu), its clocks
 * set by hand: whatever load tracking learns them from, and what that costs. */

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(speed, .fini = teardown);

static const char *const sources[] = { "none", "cpufreq", "counters", "amu", "cppc" };

#define PIPE "name: sched-pipe, loops: 20000"
#define HACKBENCH "name: hackbench, loops: 10"
#define DHRYSTONE "name: dhrystone, loops: 3000000"

static const char *yaml_of(
	const char *source, const char *cost, int little_mhz, int big_mhz, const char *workload)
{
	static char yaml[1024];

	snprintf(yaml, sizeof(yaml),
		"machine: configs/machines/juno-r2.yaml\n"
		"kernel: { version: \"6.1\", hz: 250, invariance: %s, invariance_cost: %s }\n"
		"driver: cppc_cpufreq\n"
		"governor: { name: userspace, scaling_setspeed: %dMHz,\n"
		"  policies: { 4: { scaling_setspeed: %dMHz } } }\n"
		"workload: { %s }\n",
		source, cost, little_mhz, big_mhz, workload);
	return yaml;
}

static void run(const char *yaml)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	tiny_run(&tiny, yaml, NULL, 0);
}

/* A task on a little and one on a big CPU, for some ticks. */
static void expect_scales(
	const char *source, int little_mhz, int big_mhz, uint64_t little, uint64_t big)
{
	static const struct script_step busy[] = { SCRIPT_RUN(INT64_C(40000000) * 1200000),
		SCRIPT_EXIT };
	static const struct script scripts[] = { { busy, 0, false }, { busy, 4, false } };
	int64_t low, high;

	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	tiny_run(&tiny, yaml_of(source, "0", little_mhz, big_mhz, "name: scripted"), scripts, 2);
	low = (int64_t)(kernel_freq_scale(&tiny.run.kernel, 0) - little);
	high = (int64_t)(kernel_freq_scale(&tiny.run.kernel, 4) - big);
	/* Quotients of counters are cut twice. */
	int64_t least = strcmp(source, "cpufreq") == 0 ? 0 : -2;
	cr_assert(ge(i64, low, least), "%s", source);
	cr_assert(ge(i64, high, least), "%s", source);
	cr_assert(le(i64, low, 0), "%s", source);
	cr_assert(le(i64, high, 0), "%s", source);
}

Test(speed, every_source_gives_the_published_scales)
{
	for (size_t i = 1; i < sizeof(sources) / sizeof(sources[0]); i++) {
		expect_scales(sources[i], 450, 600, 485, 512);
		expect_scales(sources[i], 950, 1200, 1024, 1024);
	}
}

Test(speed, without_a_source_every_clock_is_the_whole_speed)
{
	expect_scales("none", 450, 600, 1024, 1024);
}

Test(speed, at_no_cost_the_source_changes_nothing)
{
	static const char *const workloads[] = { PIPE, HACKBENCH, DHRYSTONE };

	for (size_t w = 0; w < sizeof(workloads) / sizeof(workloads[0]); w++) {
		double first[METRIC_NR], values[METRIC_NR];

		for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
			run(yaml_of(sources[i], "0", 950, 1200, workloads[w]));
			metric_collect(&tiny.run, i ? values : first);
			cr_assert(i == 0 || memcmp(values, first, sizeof(first)) == 0,
				"%s under %s", workloads[w], sources[i]);
		}
	}
}

static double seconds(const char *cost, const char *workload)
{
	run(yaml_of("cppc", cost, 950, 1200, workload));
	return (double)tiny.run.elapsed_ns / 1e9;
}

static const char *const costs[] = { "0", "500ns", "15us", "60us", "250us", "1ms" };
#define NR_COSTS (sizeof(costs) / sizeof(costs[0]))

Test(speed, round_trips_take_longer_the_longer_a_tick_does)
{
	double last = 0;

	for (size_t i = 0; i < NR_COSTS; i++) {
		double s = seconds(costs[i], PIPE);

		cr_assert(gt(dbl, s, last), "%s", costs[i]);
		last = s;
	}
}

/* Who meets whom in hackbench shifts with any delay, which is worth some per cent of a short run:
 * the sum of several, and steps that count. */
Test(speed, messages_take_longer_the_longer_a_tick_does)
{
	static const char *const steps[] = { "0", "250us", "1ms" };
	double last = 0;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		double sum = 0;

		for (int loops = 40; loops < 50; loops++) {
			char workload[96];

			snprintf(workload, sizeof(workload), "name: hackbench, loops: %d", loops);
			run(yaml_of("cppc", steps[i], 950, 1200, workload));
			sum += measured(&tiny, "time");
		}
		cr_assert(gt(dbl, sum, last), "%s: %.6f after %.6f", steps[i], sum, last);
		last = sum;
	}
}

Test(speed, computing_takes_less_than_half_a_per_cent_longer_at_the_usual_cost)
{
	double free_s, s;

	free_s = seconds("0", DHRYSTONE);
	s = seconds("15us", DHRYSTONE);
	cr_assert(gt(dbl, s, free_s));
	cr_assert(lt(dbl, s, 1.005 * free_s));
	/* 15 us of every 4 ms: what auto stands for. */
	cr_assert(epsilon_eq(dbl, s, free_s / (1 - 15.0 / 4000), 1e-3 * s));
	cr_assert(epsilon_eq(dbl, seconds("auto", DHRYSTONE), s, 1e-12));
	run(yaml_of("amu", "auto", 950, 1200, DHRYSTONE));
	cr_assert(lt(dbl, (double)tiny.run.elapsed_ns / 1e9, 1.0003 * free_s));
}

Test(speed, cppc_needs_the_driver_that_reads_its_counters)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int,
		tiny_build(&tiny,
			"machine: configs/machines/juno-r2.yaml\n"
			"kernel: { version: \"6.1\", invariance: cppc }\n"
			"governor: performance\nworkload: { name: dhrystone }\n",
			NULL, 0),
		0));
	cr_assert(strstr(tiny.err.text,
			  "driver cpufreq-dt reads no counters of cppc; expected cppc_cpufreq") !=
			NULL,
		"%s", tiny.err.text);
}
