#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/hw/power.h"
#include "tests/support/tiny.h"

/* Four CPUs that always take the same power: two packages of 2 W, CPUs that idle for nothing or
 * run one busy task. */
#define YAML(power, run)                                                       \
	"machine:\n"                                                           \
	"  name: steady\n"                                                     \
	"  cpus: [ { cpus: 0-1, package: 0 }, { cpus: 2-3, package: 1 } ]\n"   \
	"  policies: per-cpu\n"                                                \
	"  clock: { scope: cpu }\n"                                            \
	"  reference: 2GHz\n"                                                  \
	"  frequency_table: [ { freq: 2GHz, power: 3W } ]\n"                   \
	"  idle: [ { name: C1, exit_latency: 0us, target_residency: 0us } ]\n" \
	"  power: { package: 2W" power " }\n"                                  \
	"driver: 'null'\n"                                                     \
	"governor: performance\n"                                              \
	"workload: scripted\n"                                                 \
	"run: { " run " }\n"

static const struct script_step hog[] = { SCRIPT_RUN(30 * INT64_C(2000000) * NSEC_PER_SEC),
	SCRIPT_EXIT };
static const struct script scripts[] = { { hog, 0, false } };

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(sampler, .fini = teardown);

Test(sampler, readings_are_whole_units_of_the_counters)
{
	tiny_run(&tiny, YAML("", "duration: 10s, sample_interval: 250ms"), scripts, 1);
	cr_assert(eq(sz, tiny.run.nr_samples, 40));
	for (size_t i = 0; i < 40; i++) {
		double units = tiny.run.samples[i].watts * 0.25 / 61035e-9;

		/* 5 W and 2 W. */
		cr_assert(epsilon_eq(dbl, tiny.run.samples[i].watts, 7, 2 * 61035e-9 / 0.25));
		cr_assert(epsilon_eq(dbl, units, (double)(int64_t)(units + 0.5), 1e-6));
		cr_assert(
			eq(i64, tiny.run.samples[i].t_ns, (int64_t)(i + 1) * 250 * NSEC_PER_MSEC));
	}
}

/* A counter of 16 bits and 61 uJ wraps every 4 J: several times in 10 s, unseen. */
Test(sampler, a_wrap_between_two_readings_is_not_seen)
{
	tiny_run(&tiny, YAML(", rapl_bits: 16", "duration: 10s, sample_interval: 250ms"), scripts,
		1);
	cr_assert(eq(sz, tiny.run.nr_samples, 40));
	for (size_t i = 0; i < 40; i++)
		cr_assert(epsilon_eq(dbl, tiny.run.samples[i].watts, 7, 2 * 61035e-9 / 0.25));
}

/* Updates at 0, 300, 600 ms and so on: a reading at 250 ms sees nothing yet. */
Test(sampler, a_reading_sees_the_last_update)
{
	static const double passed_ms[] = { 0, 300, 300, 300, 300, 300, 0, 300 };

	tiny_run(&tiny, YAML(", rapl_period: 300ms", "duration: 10s, sample_interval: 250ms"),
		scripts, 1);
	for (size_t i = 0; i < sizeof(passed_ms) / sizeof(passed_ms[0]); i++)
		cr_assert(epsilon_eq(dbl, tiny.run.samples[i].watts, 7 * passed_ms[i] / 250, 1e-3),
			"%zu", i);
}

static void refused(const char *yaml, const char *message)
{
	cr_assert(lt(int, tiny_build(&tiny, yaml, scripts, 1), 0));
	cr_assert(ne(ptr, strstr(tiny.err.text, message), NULL), "%s", tiny.err.text);
}

Test(sampler, an_interval_in_which_the_counter_may_wrap_twice_is_refused)
{
	/* 65535 units of 61035 nJ at 2 W + 2 x 3 W. */
	refused(YAML(", rapl_bits: 16", "duration: 10s, sample_interval: 501ms"),
		"sample_interval: in 501ms this machine's energy counter may wrap more than once; "
		"expected at most 0.5 s");
}

Test(sampler, more_readings_than_there_is_room_for_are_refused)
{
	refused(YAML("", "sample_interval: 1ms, duration: 4001s"),
		"sample_interval: up to 4001001 readings; expected at most 4000000");
}
