#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#include "tests/support/tiny.h"

/*
 * What each mechanism is for: take one away, and the published table no longer comes out. Nothing
 * is fitted again. Published at 10 ms and 32 jobs: 37.05 s under the new map, 24.92 under the old;
 * at 2 jobs 2382 commands per 10 s under the new map, 333 under the old.
 */

#define PUBLISHED_NEW_32_S 37.05

static struct tiny tiny;

static double elapsed_s(const char *map, int jobs, const char *driver)
{
	char yaml[512];
	double s;

	snprintf(yaml, sizeof(yaml),
		"machine: dl580-gen8\n"
		"kernel: { version: \"4.8\", hz: 250, placement: spread-random }\n"
		"driver: { name: pcc-cpufreq%s }\n"
		"governor: { name: ondemand, sampling_rate: 10ms, load_map: %s }\n"
		"workload: { name: kernel-build, jobs: %d }\n",
		driver, map, jobs);
	tiny_run(&tiny, yaml, NULL, 0);
	s = (double)tiny.run.elapsed_ns / 1e9;
	return s;
}

static double commands_per_10s(const char *map, const char *driver)
{
	double s = elapsed_s(map, 2, driver), commands = (double)tiny_commands(&tiny);

	tiny_free(&tiny);
	return commands / s * 10;
}

static double seconds(const char *map, int jobs, const char *driver)
{
	double s = elapsed_s(map, jobs, driver);

	tiny_free(&tiny);
	return s;
}

Test(pcc_mechanism, the_new_map_is_slower_from_2_to_32_jobs)
{
	for (int jobs = 2; jobs <= 32; jobs *= 2)
		cr_assert(gt(dbl, seconds("new", jobs, ""), 1.02 * seconds("old", jobs, "")));
}

Test(pcc_mechanism, with_free_commands_the_maps_differ_by_3_percent_at_most)
{
	const char *free_commands = ", command_time: 0, stall: 0";

	for (int jobs = 2; jobs <= 32; jobs *= 2) {
		double ratio = seconds("new", jobs, free_commands) /
			seconds("old", jobs, free_commands);

		cr_assert(gt(dbl, ratio, 0.97));
		cr_assert(lt(dbl, ratio, 1.03));
	}
}

Test(pcc_mechanism, a_stall_of_the_issuing_cpu_alone_is_20_percent_too_fast_at_32_jobs)
{
	cr_assert(lt(dbl, seconds("new", 32, ", stall_scope: issuer"), 0.8 * PUBLISHED_NEW_32_S));
}

Test(pcc_mechanism, a_stall_of_one_package_is_too_fast_at_32_jobs)
{
	cr_assert(lt(dbl, seconds("new", 32, ", stall_scope: package"), 0.85 * PUBLISHED_NEW_32_S));
}

Test(pcc_mechanism, the_v1_patch_is_within_3_percent_of_the_old_map)
{
	for (int jobs = 2; jobs <= 120; jobs = jobs == 64 ? 120 : jobs * 2) {
		double ratio = seconds("new", jobs, ", deadband_v1: on") / seconds("old", jobs, "");

		cr_assert(gt(dbl, ratio, 0.97));
		cr_assert(lt(dbl, ratio, 1.03));
		if (jobs == 120)
			break;
	}
}

Test(pcc_mechanism, commands_at_2_jobs_are_near_the_counted_ones)
{
	double new_map = commands_per_10s("new", "");

	cr_assert(gt(dbl, new_map, 2382 * 0.9));
	cr_assert(lt(dbl, new_map, 2382 * 1.1));
	cr_assert(gt(dbl, commands_per_10s("old", ""), 200));
}

Test(pcc_mechanism, without_housekeeping_there_are_a_third_fewer_commands)
{
	char yaml[512];

	snprintf(yaml, sizeof(yaml),
		"machine: dl580-gen8\n"
		"kernel: { version: \"4.8\", hz: 250, placement: spread-random }\n"
		"driver: pcc-cpufreq\n"
		"governor: { name: ondemand, sampling_rate: 10ms }\n"
		"workload: { name: kernel-build, jobs: 2, housekeepers: 0 }\n");
	tiny_run(&tiny, yaml, NULL, 0);
	double rate = (double)tiny_commands(&tiny) * 10 / ((double)tiny.run.elapsed_ns / 1e9);
	tiny_free(&tiny);
	cr_assert(lt(dbl, rate, 2382 * 0.8));
}
