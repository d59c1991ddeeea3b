/* The command tune on scenarios whose best point follows from a formula. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/program.h"

static struct program p;
static char top[64], scenario[96];

/* One CPU whose voltage rises with its clock: 0.6 V + 0.25 V per GHz, in steps of 100 MHz. */
#define LOWEST_MHZ 800
#define HIGHEST_MHZ 2600
#define CEFF 2675
#define STATIC_W 3.5

static double volts(int mhz)
{
	return 0.6 + 0.25 * mhz / 1000;
}

static void enter(void)
{
	strcpy(top, "/tmp/test_tune_XXXXXX");
	cr_assert(ne(ptr, mkdtemp(top), NULL));
	snprintf(scenario, sizeof(scenario), "%s/one.yaml", top);
	FILE *file = fopen(scenario, "w");
	fputs("machine:\n  name: one\n  reference: 2600MHz\n  cpus: [{ cpus: 0, package: 0 }]\n"
	      "  policies: per-cpu\n  clock: { scope: cpu, vote: running }\n"
	      "  frequency_table:\n",
		file);
	for (int mhz = LOWEST_MHZ; mhz <= HIGHEST_MHZ; mhz += 100)
		fprintf(file, "    - { freq: %dMHz, voltage: %.0fmV }\n", mhz, 1000 * volts(mhz));
	fprintf(file,
		"  idle:\n"
		"    - { name: C1, exit_latency: 1us, target_residency: 1us, power: 0W }\n"
		"  power: { ceff: %d, leak: 1.5W, uncore: 2W, package: 4W, rapl_unit: 15259nJ }\n"
		"  assumed: all\nkernel: { version: \"4.8\" }\ndriver: \"null\"\n"
		"governor: performance\nworkload: { name: periodic, tasks: 1, period: 100ms, run: "
		"10ms, jitter: 0.2 }\nrun: { duration: 4s }\n",
		CEFF);
	fclose(file);
}

static void leave(void)
{
	remove_tree(top);
}

TestSuite(tune, .init = enter, .fini = leave);

/* Joules that one unit of work costs at a clock: what is burnt while busy over the speed. */
static double cost(int mhz)
{
	return (CEFF * 1e-6 * mhz * volts(mhz) * volts(mhz) + STATIC_W) / mhz;
}

static int cheapest_from(int least_mhz)
{
	int best = least_mhz;

	for (int mhz = least_mhz; mhz <= HIGHEST_MHZ; mhz += 100)
		if (cost(mhz) < cost(best))
			best = mhz;
	return best;
}

/* The values behind the star. */
static void chose(const char *text)
{
	const char *star = strstr(p.out, "* ");

	star = star ? strstr(star, "  * ") ? strstr(p.out, "  * ") : star : NULL;
	cr_assert(ne(ptr, (void *)star, NULL), "%s%s", p.out, p.err);
	cr_assert(ne(ptr, strstr(star, text), NULL), "no %s:\n%s", text, p.out);
}

static void tune(int seed, const char *objective, const char *constraint, const char *more)
{
	char set[32];

	snprintf(set, sizeof(set), "run.seed=%d", seed);
	program_run(&p, "tune", scenario, "--set", set, "--objective", objective, "--budget", "60",
		"--over", "limits.scaling_max_freq=800MHz:2600MHz:100MHz", "--over", more,
		constraint ? "--constraint" : NULL, constraint, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
}

Test(tune, the_least_energy_lies_where_the_formula_says)
{
	char best[64];

	snprintf(best, sizeof(best), "limits.scaling_max_freq=%dMHz", cheapest_from(LOWEST_MHZ));
	cr_assert(ne(ptr, strstr(best, "1600"), NULL));
	for (int seed = 1; seed <= 10; seed++) {
		tune(885 * seed, "energy", NULL, "kernel.hz=100,250,1000");
		chose(best);
	}
}

/* At most 1.32 times the CPU time of the highest clock, 2600 MHz, so at least 1970 MHz. */
Test(tune, a_constraint_binds_where_the_formula_says)
{
	char best[64];

	snprintf(best, sizeof(best), "limits.scaling_max_freq=%dMHz", cheapest_from(2000));
	cr_assert(ne(ptr, strstr(best, "2000"), NULL));
	for (int seed = 1; seed <= 10; seed++) {
		tune(885 * seed, "energy", "user_s <= 1.32*performance", "kernel.hz=100,250,1000");
		chose(best);
		cr_assert(ne(ptr, strstr(p.out, "constraint: user_s <= "), NULL));
	}
}

/* CPU time is work over clock: the least work at the highest clock. */
Test(tune, the_corner_of_two_axes_is_found)
{
	for (int seed = 1; seed <= 10; seed++) {
		tune(885 * seed, "user_s", NULL, "workload.run=3ms:19ms");
		chose("limits.scaling_max_freq=2600MHz workload.run=3ms");
	}
}

/* Of time and energy every clock from the cheapest upwards is a compromise, none below it is. */
Test(tune, the_front_has_no_point_that_loses_in_both)
{
	tune(885, "energy,user_s", NULL, "kernel.hz=100,250,1000");
	cr_assert(ne(ptr, strstr(p.out, "point    (assumed power)\n"), NULL), "%s", p.out);
	cr_assert(ne(ptr, strstr(p.out, "scaling_max_freq=2600MHz"), NULL), "%s", p.out);
	for (int mhz = LOWEST_MHZ; mhz < 1600; mhz += 100) {
		char text[64];

		snprintf(text, sizeof(text), "scaling_max_freq=%dMHz", mhz);
		cr_assert(eq(ptr, strstr(p.out, text), NULL), "%s:\n%s", text, p.out);
	}
}

Test(tune, the_budget_holds_and_threads_change_nothing)
{
	static struct program other;

	program_run(&p, "tune", scenario, "--over", "limits.scaling_max_freq=800MHz:2600MHz:100MHz",
		"--over", "workload.run=3ms:19ms", "--budget", "50", "-j", "1", NULL);
	cr_assert(eq(int, strncmp(p.out, "50 runs, ", 9), 0), "%s", p.out);
	program_run(&other, "tune", scenario, "--over",
		"limits.scaling_max_freq=800MHz:2600MHz:100MHz", "--over", "workload.run=3ms:19ms",
		"--budget", "50", "-j", "3", NULL);
	cr_assert(eq(str, p.out, other.out));
}

static void refused(int status, const char *message)
{
	cr_assert(eq(int, p.status, status), "%s", p.err);
	cr_assert(ne(ptr, strstr(p.err, message), NULL), "%s", p.err);
}

Test(tune, mistakes_are_explained)
{
	program_run(&p, "tune", NULL);
	refused(64, "tune: the scenario is missing");
	program_run(&p, "tune", scenario, NULL);
	refused(64, "nothing to vary: expected --over PATH=VALUES");
	program_run(&p, "tune", scenario, "--objective", "speed", NULL);
	refused(64, "unknown metric \"speed\"");
	program_run(&p, "tune", scenario, "--objective", "energy,elapsed,user_s", NULL);
	refused(64, "--objective: more than 2 of them");
	program_run(&p, "tune", scenario, "--objective", "", NULL);
	refused(64, "--objective is empty");
	program_run(&p, "tune", scenario, "--constraint", "elapsed < 3", NULL);
	refused(64, "has no <= or >=");
	program_run(&p, "tune", scenario, "--constraint", "elapsed <= much", NULL);
	refused(64, "no number behind <= in");
	program_run(&p, "tune", scenario, "--constraint", "elapsed <= 3 apples", NULL);
	refused(64, "unexpected \"apples\"; expected *GOVERNOR");
	program_run(&p, "tune", scenario, "--constraint", "elapsed <= 3*perform", "--over",
		"run.seed=1:9", NULL);
	refused(2, "unknown governor \"perform\"");
	program_run(&p, "tune", scenario, "--over", "kernel.hz=100,99", NULL);
	refused(2, "hz");
	program_run(&p, "tune", scenario, "--over", "kernel.hz=100,250", "--constraint",
		"elapsed <= 1", NULL);
	refused(1, "no point keeps to the constraint within 80 runs");
}
