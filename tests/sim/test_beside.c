#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/report/manifest.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(workload, beside)                            \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: performance\n"                         \
	"workload: { " workload " }\n" beside

#define COMPUTE "name: dhrystone, loops: 1000000, threads: 4"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(beside, .fini = teardown);

Test(beside, the_first_ends_the_run_and_is_measured)
{
	tiny_run(&tiny,
		YAML("name: dhrystone, loops: 1000000",
			"beside: [ noise, { name: periodic, "
			"run: 1ms, period: 10ms } ]\n"),
		NULL, 0);
	/* The monitor takes 50 us of its CPU. */
	cr_assert(ge(i64, tiny.run.elapsed_ns, 60000000));
	cr_assert(le(i64, tiny.run.elapsed_ns, 60100000));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "dhrystones"), 1e6, 1e-9));
	/* Its own 60 ms are counted, though six packets and a monitor ran beside it. */
	cr_assert(eq(i64, tiny.run.kernel.user_ns, 60000000));
	cr_assert(gt(dbl, cycles_done(&tiny), 120e6 + 6 * 2e6));
}

Test(beside, who_shares_the_cpus_takes_his_part)
{
	double alone;

	tiny_run(&tiny, YAML(COMPUTE, ""), NULL, 0);
	alone = (double)tiny.run.elapsed_ns;
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	tiny_run(&tiny, YAML(COMPUTE, "beside: [ { name: stress-ng, cpu: 4 } ]\n"), NULL, 0);
	/* Half the CPUs' time: twice as long. */
	cr_assert(epsilon_eq(dbl, (double)tiny.run.elapsed_ns / alone, 2, 0.1));
}

Test(beside, a_workload_without_an_end_may_run_beside_one_that_has)
{
	tiny_run(&tiny,
		YAML("name: lmbench, test: fork, repetitions: 100",
			"beside: [ { name: idle, daemons: 9 }, { name: hackbench, loops: 10 } ]\n"),
		NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "operations"), 100, 1e-9));
}

Test(beside, the_same_again_gives_the_same)
{
	int64_t elapsed;

	for (int i = 0; i < 2; i++) {
		tiny_run(&tiny,
			YAML("name: make-test, processes: 100",
				"beside: [ { name: pids-per-second }, { name: noise, timers: 3 } "
				"]\n"),
			NULL, 0);
		if (i)
			cr_assert(eq(i64, tiny.run.elapsed_ns, elapsed));
		elapsed = tiny.run.elapsed_ns;
		tiny_free(&tiny);
		tiny = (struct tiny){ 0 };
	}
}

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

Test(beside, mistakes_are_told_where_they_are)
{
	refused(YAML(COMPUTE, "beside: noise\n"),
		":5:9: beside: found \"noise\"; expected a list of workloads");
	refused(YAML(COMPUTE, "beside: [ nose ]\n"), ":5:11: unknown workload \"nose\"");
	refused(YAML(COMPUTE, "beside: [ { monitor: 1s } ]\n"),
		":5:11: workload: \"name\" is missing");
	refused(YAML(COMPUTE, "beside: [ { name: noise, monitr: 1s } ]\n"),
		"unknown key \"monitr\" in workload noise; did you mean \"monitor\"?");
	refused(YAML("name: idle", "beside: [ { name: dhrystone } ]\n"),
		"workload idle does not end by itself: run.duration is missing");
	refused(YAML(COMPUTE, "beside: [ { name: boot-storm, cpus: 9 } ]\n"),
		"boot-storm: 9 cpus; the machine has 4");
}

Test(beside, the_manifest_names_it)
{
	static char text[65536];
	FILE *out = fmemopen(text, sizeof(text), "w");

	tiny_run(&tiny, YAML(COMPUTE, "beside: [ { name: noise, monitor: 730ms } ]\n"), NULL, 0);
	manifest_write(out, &(struct manifest){ .scenario = &tiny.scenario, .version = "1" });
	fclose(out);
	cr_assert(
		strstr(text, "beside:\n  - name: noise\n    monitor: 730ms\n") != NULL, "%s", text);
}
