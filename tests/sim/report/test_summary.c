#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/summary.h"

static const struct result first = { .repeat = 1,
	.metrics = { [METRIC_user_s] = 815.79, [METRIC_elapsed_s] = 37.26 } };
static const struct result second = { .repeat = 2,
	.metrics = { [METRIC_user_s] = 816.72, [METRIC_elapsed_s] = 37.22 } };
static const struct result *const results[] = { &first, &second };

static char text[4096];

static void summary_of(size_t nr, bool assumed)
{
	struct report report = { .scenario = "pcc",
		.governor = "ondemand",
		.driver = "pcc-cpufreq",
		.workload = "kernel-build",
		.seed = 7,
		.results = results,
		.power_assumed = assumed,
		.nr = nr };
	double values[2];
	FILE *out = fmemopen(text, sizeof(text), "w");

	summary_write(out, &report, values);
	fclose(out);
}

Test(summary, columns_come_in_the_order_of_the_time_command)
{
	summary_of(1, false);
	const char *user = strstr(text, "user"), *sys = strstr(text, " sys");
	const char *elapsed = strstr(text, "elapsed"), *cpu = strstr(text, "CPU%");

	cr_assert(user < sys && sys < elapsed && elapsed < cpu);
	cr_assert(not(strstr(text, "assumed") != NULL));
	cr_assert(not(strstr(text, "\nmean ") != NULL));
}

Test(summary, assumed_power_is_marked_above_the_energy)
{
	summary_of(1, true);

	cr_assert(strstr(text, "(assumed power)\n") != NULL);
}

Test(summary, several_runs_have_mean_and_interval)
{
	summary_of(2, false);

	cr_assert(strstr(text, "mean      816.255") != NULL);
	/* t(0.975, 1) = 12.706; half width 12.706 x 0.657609 / sqrt 2 */
	cr_assert(strstr(text, "+-95%       5.908") != NULL);
}
