#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/report/manifest.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define HEAD "machine: generic-2cpu\ngovernor: performance\ndriver: 'null'\n"
#define PERIODIC "{ name: periodic, period: 100ms, run: 10ms, loops: 3"
#define CPUFREQ_BENCH "{ name: cpufreq-bench, load: 10ms, sleep: 10ms, cycles: 2, rounds: 2"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(start, .fini = teardown);

static int64_t elapsed_ns(const char *yaml)
{
	tiny_free(&tiny);
	tiny_run(&tiny, yaml, NULL, 0);
	return tiny.run.elapsed_ns;
}

Test(start, a_workload_begins_then_and_not_before)
{
	int64_t at_once = elapsed_ns(HEAD "workload: " PERIODIC " }\n");

	cr_assert(eq(i64, elapsed_ns(HEAD "workload: " PERIODIC ", start: 2s }\n"),
		at_once + 2 * NSEC_PER_SEC));
}

Test(start, what_it_measures_counts_from_there)
{
	double rate;

	elapsed_ns(HEAD "workload: " CPUFREQ_BENCH " }\n");
	rate = measured(&tiny, "loads per second");
	elapsed_ns(HEAD "workload: " CPUFREQ_BENCH ", start: 1s }\n");
	cr_assert(epsilon_eq(dbl, measured(&tiny, "loads per second"), rate, 1e-9));
}

Test(start, another_begins_while_the_first_runs)
{
	int64_t alone_ns = elapsed_ns(HEAD "workload: " PERIODIC " }\n");
	double alone = cycles_done(&tiny);

	/* Of three packets of the other one there is time for two. */
	cr_assert(eq(i64,
		elapsed_ns(
			HEAD "workload: " PERIODIC " }\nbeside: [ " PERIODIC ", start: 50ms } ]\n"),
		alone_ns));
	cr_assert(epsilon_eq(dbl, cycles_done(&tiny), alone * 5 / 3, alone * 1e-6));
}

Test(start, the_manifest_says_it)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	elapsed_ns(HEAD "workload: " PERIODIC ", start: 2s }\nbeside: [ " PERIODIC
			", start: 150ms } ]\n");
	struct manifest manifest = {
		.scenario = &tiny.scenario, .tunables = tiny.run.tunables, .version = "1"
	};
	manifest_write(out, &manifest);
	fclose(out);
	elapsed_ns(text);
	cr_assert(eq(i64, tiny.scenario.workload_place.start_ns, 2 * NSEC_PER_SEC));
	cr_assert(eq(i64, tiny.scenario.beside[0].place.start_ns, 150 * NSEC_PER_MSEC));
	free(text);
}

Test(start, is_a_time)
{
	cr_assert(lt(
		int, tiny_build(&tiny, HEAD "workload: " PERIODIC ", start: -1s }\n", NULL, 0), 0));
	cr_expect(ne(ptr, strstr(tiny.err.text, "start: -1s is out of range"), NULL), "%s",
		tiny.err.text);
	arena_free(&tiny.arena);
}
