#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/batch.h"
#include "sim/report/series.h"
#include "sim/run.h"
#include "workloads/workloads.h"

/*
 * The scenario of the PIDs-per-second mail (linux-pm, 2020-12-13): what its governors take in time
 * and watts, why schedutil swings between two clocks, and what is gone with a mechanism taken away.
 * Shorter than what was published: a minute or some for each row, fifteen for the one that swings.
 */

#define MAX_SETS 6

static struct batch_item item;

static void teardown(void)
{
	batch_free(&item, 1);
}

TestSuite(pids_experiment, .fini = teardown);

static void run(int executions, const char *const *sets, size_t nr)
{
	static struct arena arena;
	static struct scenario scenario;
	const struct catalog catalog = { governors, drivers, workloads };
	const char *overrides[MAX_SETS + 1];
	struct error err = { 0 };
	char first[64];

	snprintf(first, sizeof(first), "workload.executions=%d", executions);
	overrides[0] = first;
	for (size_t i = 0; i < nr; i++)
		overrides[i + 1] = sets[i];
	cr_assert(eq(int, arena_try(&arena), 0));
	if (scenario_load(&arena, &catalog, "configs/scenarios/pids-per-second.yaml", overrides,
		    nr + 1, &scenario, &err) < 0)
		cr_fatal("%s", err.text);
	batch_free(&item, 1);
	item = (struct batch_item){ .scenario = &scenario };
	if (batch_run(&item, 1, 1, &err) < 0)
		cr_fatal("%s", err.text);
	arena_free(&arena);
}

#define RUN(executions, ...)                             \
	run(executions, (const char *[]){ __VA_ARGS__ }, \
		sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *))

static double figure(const char *name)
{
	for (int i = 0; i < item.result.nr_measures; i++)
		if (strcmp(item.result.measures[i].name, name) == 0)
			return item.result.measures[i].value;
	cr_fatal("no %s", name);
	return 0;
}

static double metric(enum metric metric)
{
	return item.result.metrics[metric];
}

static double off_pct(double value, double published)
{
	return 100 * (value - published) / published;
}

Test(pids_experiment, at_a_fixed_clock_time_and_watts_are_the_published_ones)
{
	RUN(2, "governor=performance");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 10.54450), 0, 0.5));
	cr_assert(epsilon_eq(dbl, off_pct(metric(METRIC_power_sample_mean_w), 25.41355), 0, 0.5));
	RUN(2, "governor=powersave");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 59.93897), 0, 0.5));
	cr_assert(epsilon_eq(dbl, off_pct(metric(METRIC_power_sample_mean_w), 1.93887), 0, 0.5));
}

Test(pids_experiment, ondemand_stays_at_one_clock)
{
	RUN(8, "governor=ondemand");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 11.76442), 0, 1));
	cr_assert(epsilon_eq(dbl, off_pct(metric(METRIC_power_sample_mean_w), 16.95654), 0, 5));
	cr_assert(lt(dbl, figure("execution std"), 0.1));
}

Test(pids_experiment, conservative_stays_near_the_top)
{
	RUN(8, "governor=conservative");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 10.84296), 0, 1));
	cr_assert(epsilon_eq(dbl, off_pct(metric(METRIC_power_sample_mean_w), 23.60704), 0, 5));
}

/* Seconds of all CPUs at a clock, idle time left out; the clock with most of them. */
static int64_t commonest_khz(void)
{
	int64_t sums[64] = { 0 }, best = 0;

	for (size_t i = 0; i < item.result.nr_residencies; i++) {
		const struct residency *r = &item.result.residencies[i];

		if (r->khz)
			sums[r->khz / 100000] += r->ns;
	}
	for (int i = 1; i < 64; i++)
		if (sums[i] > sums[best])
			best = i;
	return best * 100000;
}

/* Readings in steps of 2 W up to 30. */
#define STEPS 15

static void count_watts(int64_t *steps)
{
	memset(steps, 0, STEPS * sizeof(*steps));
	for (size_t i = 0; i < item.result.nr_samples; i++)
		steps[(int)(item.result.samples[i].watts / 2)]++;
}

static double spectrum_peak_hz(void)
{
	static double watts[2000];
	struct arena arena = { 0 };
	struct spectrum spectrum;
	size_t nr = item.result.nr_samples;
	double hz;

	cr_assert(eq(int, arena_try(&arena), 0));
	for (size_t i = 0; i < nr; i++)
		watts[i] = item.result.samples[i].watts;
	spectrum_init(&spectrum, spectrum_length(nr), 1, WINDOW_HANN, &arena);
	spectrum_add(&spectrum, watts, nr);
	spectrum_finish(&spectrum);
	hz = (double)spectrum_peak(&spectrum) * spectrum.step_hz;
	arena_free(&arena);
	return hz;
}

Test(pids_experiment, schedutil_swings_between_two_levels)
{
	int64_t steps[STEPS], low, high, valley;

	RUN(65, "governor=schedutil");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 13.73416), 0, 5));
	cr_assert(ge(dbl, figure("execution std"), 0.4));
	cr_assert(le(dbl, figure("execution std"), 1.4));
	cr_assert(eq(i64, commonest_khz(), 3000000));
	count_watts(steps);
	/* Around 9 and 25 W. */
	low = steps[4];
	high = steps[12];
	valley = low;
	for (int i = 5; i < 12; i++)
		valley = steps[i] < valley ? steps[i] : valley;
	cr_assert(lt(i64, 2 * valley, low < high ? low : high));
	cr_assert(ge(dbl, spectrum_peak_hz(), 0.05));
	cr_assert(le(dbl, spectrum_peak_hz(), 0.3));
}

Test(pids_experiment, without_outside_events_schedutil_stays_low)
{
	RUN(6, "beside=[]");
	cr_assert(ge(dbl, figure("execution mean"), 15.4));
	cr_assert(le(dbl, figure("execution mean"), 15.8));
	cr_assert(lt(dbl, metric(METRIC_power_sample_std_w), 1));
}

Test(pids_experiment, without_the_hold_it_does_not_swing)
{
	RUN(12, "governor.hold=0");
	cr_assert(lt(dbl, metric(METRIC_power_sample_std_w), 2));
}

Test(pids_experiment, it_is_faster_where_children_stay_on_one_cpu)
{
	/* The rule of 5.5 to 5.8. */
	RUN(12, "kernel.placement=first-idle");
	cr_assert(lt(dbl, figure("execution mean"), 0.95 * 13.73416));
}

Test(pids_experiment, a_tracked_kworker_spoils_conservative)
{
	/* The gap that kernel.worker_load stands for: 10.84 s were published. */
	RUN(2, "governor=conservative", "kernel.worker_load=1");
	cr_assert(gt(dbl, figure("execution mean"), 20));
}

Test(pids_experiment, the_acpi_driver_is_slower_and_lower)
{
	RUN(20, "driver=acpi-cpufreq");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 15.94889), 0, 5));
	cr_assert(gt(dbl, figure("execution std"), 0.4));
}

Test(pids_experiment, hardware_that_chooses_by_itself_stays_at_the_top)
{
	RUN(2, "driver={ name: intel_cpufreq, hwp: 1 }", "governor=schedutil");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 10.58287), 0, 1));
	RUN(2, "driver={ name: intel_cpufreq, hwp: 1 }", "governor=conservative");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 10.58518), 0, 1));
}

Test(pids_experiment, a_wish_to_that_hardware_brings_the_swing_back)
{
	/* adjust_perf came with 5.11. */
	RUN(20, "driver={ name: intel_cpufreq, hwp: 1 }", "kernel.version=5.11");
	cr_assert(epsilon_eq(dbl, off_pct(figure("execution mean"), 14.57029), 0, 5));
	cr_assert(gt(dbl, metric(METRIC_power_sample_std_w), 3));
}
