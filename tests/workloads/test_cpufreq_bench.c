#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/recording.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: cpufreq-bench" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(cpufreq_bench, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

Test(cpufreq_bench, at_the_reference_clock_performance_is_100_percent)
{
	tiny_run(&tiny,
		YAML("performance",
			", load: 50ms, sleep: 30ms, load_step: 10ms, "
			"sleep_step: 5ms, cycles: 3, rounds: 2"),
		NULL, 0);
	/* 3 x (50 + 30) and 3 x (60 + 35). */
	cr_assert(eq(i64, tiny.run.elapsed_ns, 525000000));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "performance"), 100, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "loads"), 6, 1e-9));
}

Test(cpufreq_bench, at_half_the_clock_it_is_50_percent)
{
	tiny_run(&tiny,
		YAML("powersave",
			", load: 50ms, sleep: 30ms, load_step: 10ms, "
			"sleep_step: 5ms, cycles: 3, rounds: 2, cpu: 1"),
		NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "performance"), 50, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "of the worst round"), 50, 1e-9));
	cr_assert(eq(i64, tiny.run.elapsed_ns, 525000000 + 330000000));
}

Test(cpufreq_bench, a_governor_is_better_at_long_loads)
{
	tiny_run(&tiny,
		YAML("ondemand",
			", load: 20ms, sleep: 100ms, load_step: 100ms, "
			"sleep_step: 0, cycles: 5, rounds: 3"),
		NULL, 0);
	cr_assert(lt(
		dbl, measured(&tiny, "of the worst round"), measured(&tiny, "of the best round")));
	cr_assert(ge(dbl, measured(&tiny, "performance"), 50));
	cr_assert(le(dbl, measured(&tiny, "performance"), 100));
}

Test(cpufreq_bench, the_tools_configuration_file_is_read)
{
	tiny_run(&tiny, YAML("performance", ", config: tests/data/cpufreq-bench.conf"), NULL, 0);
	/* load 11 ms, sleep 23 ms, steps of 1 and 2 ms, 2 cycles, 3 rounds. */
	cr_assert(eq(i64, tiny.run.elapsed_ns, 2 * ((11 + 12 + 13) + (23 + 25 + 27)) * 1000000));
	cr_assert(gt(u64, tiny.run.machine.cpus[2].cycles, 0));
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("performance", ", config: tests/data/cpufreq-bench.conf, rounds: 1"),
		NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 2 * (11 + 23) * 1000000));
}

static void refused_config(const char *text, const char *message)
{
	char yaml[512];

	snprintf(yaml, sizeof(yaml), YAML("performance", ", config: %s"), recording_text(text));
	refused(yaml, message);
	recording_remove();
}

Test(cpufreq_bench, a_wrong_configuration_file_is_refused)
{
	refused_config("load = 50000\nlode = 3\n", ":2:1: expected one of load, sleep");
	refused_config("# only\nload\n", ":2:1: expected key = value");
	refused_config("load =\n", ":1:1: expected one of load, sleep");
	refused_config("rounds = many\n", "rounds: \"many\" is not a number");
	refused(YAML("performance", ", config: no/such/file"),
		"cpufreq-bench: no/such/file: No such file or directory");
}

Test(cpufreq_bench, what_cannot_be_is_refused)
{
	refused(YAML("performance", ", rounds: 0"), "cycles or rounds is 0");
	refused(YAML("performance", ", rounds: 1000000, load_step: 3600s"),
		"does not fit in one stretch of work");
	refused(YAML("performance", ", cpu: 9"), "cpufreq-bench: the machine has no CPU 9");
}
