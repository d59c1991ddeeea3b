#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/hw/ceiling.h"
#include "sim/hw/power.h"
#include "sim/kernel/kernel.h"
#include "tests/support/tiny.h"

/* One package of four cores with two threads each that share a clock: 1 GHz at 2 W a busy CPU, 2 GHz
 * at 5 W, 3 GHz at 10 W; 2 W for the package, nothing for what idles. */
#define YAML(turbo, hardware, run)                                                   \
	"machine:\n"                                                                 \
	"  name: ceiling\n"                                                          \
	"  cpus: [ { cpus: 0-7, package: 0, smt: 2 } ]\n"                            \
	"  policies: per-cpu\n"                                                      \
	"  clock: { scope: package }\n"                                              \
	"  reference: 3GHz\n"                                                        \
	"  frequency_table: [ { freq: 1GHz, power: 2W }, { freq: 2GHz, power: 5W }," \
	" { freq: 3GHz, power: 10W } ]\n"                                            \
	"  idle: [ { name: C1, exit_latency: 0us, target_residency: 0us } ]\n"       \
	"  power: { package: 2W }\n" turbo "hardware: { " hardware " }\n"            \
	"driver: 'null'\n"                                                           \
	"governor: performance\n"                                                    \
	"workload: scripted\n"                                                       \
	"run: { duration: " run " }\n"

#define TURBO "  turbo: [ { cores: 1-2, freq: 3GHz }, { cores: 3, freq: 2500MHz } ]\n"
#define POWER "limit_power: 1, power_limit: 9W, power_window: 4s"
#define HEAT "limit_temperature: 1, thermal_resistance: 4000, heat_capacity: 2000, trip: 60C"

static const struct script_step hog[] = { SCRIPT_RUN(900 * INT64_C(3000000) * NSEC_PER_SEC),
	SCRIPT_EXIT };
static const struct script_step second[] = { SCRIPT_SLEEP(1000000000),
	SCRIPT_RUN(900 * INT64_C(3000000) * NSEC_PER_SEC), SCRIPT_EXIT };
static const struct script_step third[] = { SCRIPT_SLEEP(2000000000),
	SCRIPT_RUN(INT64_C(2500000) * NSEC_PER_SEC), SCRIPT_EXIT };

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(ceiling, .fini = teardown);

static int64_t busy_ms(int cpu, int clock)
{
	cpu_account(&tiny.run.machine.cpus[cpu]);
	return tiny.run.machine.cpus[cpu].busy_ns[clock] / NSEC_PER_MSEC;
}

static const struct ceiling *package(void)
{
	return &tiny.run.machine.ceilings->packages[0];
}

static void run_hog(const char *yaml)
{
	const struct job jobs[] = { { hog, 0, false, .pin = 1 } };

	tiny_run_jobs(&tiny, yaml, jobs, 1);
}

/* One core until 1 s, two until 2 s, three until the third task is done: 2.5 GHz for a second, a
 * clock that no request can name. */
Test(ceiling, turbo_goes_down_as_cores_become_busy)
{
	const struct job jobs[] = { { hog, 0, false, .pin = 1 }, { second, 1, false, .pin = 1 },
		{ third, 2, false, .pin = 1 } };

	tiny_run_jobs(&tiny, YAML(TURBO, "", "5s"), jobs, 3);
	cr_assert(eq(i64, tiny.exit_ns[2], 3 * NSEC_PER_SEC));
	cr_assert(eq(i64, busy_ms(0, 2), 1000));
	cr_assert(eq(i64, busy_ms(0, 3), 4000));
	/* Up to 3 GHz at the start, down and up again. */
	cr_assert(eq(i64, tiny.run.machine.domains[0].changes, 3));
}

/* CPUs 0 and 4 are threads of core 0. */
Test(ceiling, threads_of_a_core_count_once)
{
	const struct job jobs[] = { { hog, 0, false, .pin = 1 }, { second, 1, false, .pin = 1 },
		{ third, 4, false, .pin = 1 } };

	tiny_run_jobs(&tiny, YAML(TURBO, "", "5s"), jobs, 3);
	cr_assert(eq(int, package()->active_cores, 2));
	cr_assert(eq(i64, busy_ms(0, 2), 0));
}

Test(ceiling, without_turbo_by_cores_all_reach_the_top)
{
	const struct job jobs[] = { { hog, 0, false, .pin = 1 }, { second, 1, false, .pin = 1 },
		{ third, 2, false, .pin = 1 } };

	tiny_run_jobs(&tiny, YAML(TURBO, "turbo: 0", "5s"), jobs, 3);
	cr_assert(eq(ptr, tiny.run.machine.ceilings, NULL));
	cr_assert(eq(i64, busy_ms(0, 2), 5000));
}

/* 12 W from time 0: the average is 12 (1 - exp(-t / 4 s)) W and reaches 9 W at 4 ln 4 s. */
Test(ceiling, power_is_held_once_its_average_has_reached_the_limit)
{
	int64_t at_ms = (int64_t)(4000 * log(4));

	run_hog(YAML("", POWER, "6s"));
	cr_assert(ge(i64, busy_ms(0, 2), at_ms));
	cr_assert(le(i64, busy_ms(0, 2), at_ms + 10));
	cr_assert(eq(i64, busy_ms(0, 1), 6000 - busy_ms(0, 2)));
	cr_assert(package()->holding);
}

Test(ceiling, the_average_is_a_low_pass_of_one_time_constant)
{
	run_hog(YAML("", POWER, "5s"));
	cr_assert(epsilon_eq(dbl, package()->average_w, 12 * (1 - exp(-5.0 / 4)), 1e-9));
}

/* 7 W until the average has fallen to 8.55 W, 4 ln(2 / 1.55) s; then 12 W until it is 9 W again,
 * 4 ln(3.45 / 3) s; and so on. */
Test(ceiling, power_alternates_about_the_limit)
{
	double low_s = 4 * log(2 / 1.55), high_s = 4 * log(3.45 / 3);
	double share = high_s / (low_s + high_s), t = 300 - 4 * log(4), high;

	run_hog(YAML("", POWER, "300s"));
	high = (double)busy_ms(0, 2) / 1e3 - 4 * log(4);
	cr_assert(epsilon_eq(dbl, high / t, share, 0.02));
	cr_assert(le(dbl, package()->average_w, 9 * 1.002));
	cr_assert(lt(dbl, power_energy_j(&tiny.run.machine), 9 * t + 12 * 4 * log(4)));
}

/* The hog's power is 12 W: 25 + 48 (1 - exp(-t / RC)), with RC = 4 K/W x 2 J/K. */
Test(ceiling, temperature_is_the_step_response_of_one_rc)
{
	run_hog(YAML("", HEAT, "5s"));
	cr_assert(epsilon_eq(dbl, package()->celsius, 25 + 48 * (1 - exp(-5.0 / 8)), 1e-9));
	cr_assert(eq(i64, busy_ms(0, 2), 5000));
}

Test(ceiling, the_clock_falls_at_the_trip_point)
{
	int64_t at_ms = (int64_t)(-8000 * log(1 - 35.0 / 48));

	run_hog(YAML("", HEAT, "10500ms"));
	cr_assert(ge(i64, busy_ms(0, 2), at_ms));
	cr_assert(le(i64, busy_ms(0, 2), at_ms + 10));
	cr_assert(eq(i64, busy_ms(0, 2) + busy_ms(0, 1) + busy_ms(0, 0), 10500));
}

Test(ceiling, temperature_stays_between_trip_point_and_hysteresis)
{
	run_hog(YAML("", HEAT ", hysteresis: 1500", "200s"));
	cr_assert(gt(dbl, package()->celsius, 58.4));
	cr_assert(lt(dbl, package()->celsius, 60.1));
	/* Between 4 W, 41 C, and 12 W, 73 C. */
	cr_assert(gt(i64, busy_ms(0, 2), 10454));
	cr_assert(gt(i64, tiny.run.machine.domains[0].changes, 4));
}

/* What was asked for stays asked for; APERF over MPERF tells what runs. */
Test(ceiling, the_kernel_sees_the_clock_in_its_counters_alone)
{
	run_hog(YAML("", POWER, "6s"));
	cr_assert(eq(i64, tiny.run.kernel.policies[0].cur_khz, 3000000));
	cr_assert(eq(u64, kernel_freq_scale(&tiny.run.kernel, 0), 1024 * 2 / 3));
}

static void refused(const char *yaml, const char *message)
{
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(ne(ptr, strstr(tiny.err.text, message), NULL), "%s", tiny.err.text);
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
}

Test(ceiling, mistakes_are_explained)
{
	refused(YAML("", "limit_power: 1", "1s"), "limit_power needs a power_limit, such as 65W");
	refused(YAML("", "limit_temperature: 1, heat_capacity: 5", "1s"),
		"limit_temperature needs thermal_resistance, in mK/W, and heat_capacity, in mJ/K");
	refused(YAML("", "trip: 400C", "1s"), "trip: 400C is out of range");
	refused(YAML("  turbo: [ { cores: 2, freq: 3GHz } ]\n", "", "1s"),
		"turbo: found 2 cores; expected 1 next");
	refused(YAML("  turbo: [ { cores: 1, freq: 3GHz }, { cores: 2-4, freq: 3GHz } ]\n", "",
			"1s"),
		"turbo: freq is not below the one before it");
}

/* A deadlock is noticed although the hardware goes on looking. */
Test(ceiling, a_run_that_is_stuck_is_still_noticed)
{
	static struct channel never;
	static const struct script_step waits[] = { SCRIPT_WAIT(&never), SCRIPT_EXIT };
	static const struct script scripts[] = { { waits, 0, false } };

	cr_assert(eq(int, tiny_build(&tiny, YAML("", POWER, "60s"), scripts, 1), 0), "%s",
		tiny.err.text);
	cr_assert(lt(int, run_execute(&tiny.run, &tiny.err), 0));
	cr_assert(strstr(tiny.err.text, "wait for each other") != NULL, "%s", tiny.err.text);
}
