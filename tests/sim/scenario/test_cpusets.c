#include "sim/scenario/cpusets.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/report/manifest.h"
#include "tests/support/tiny.h"

#define MACHINE                                           \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: performance\n"                         \
	"run: { duration: 1s }\n"
#define BUSY "{ name: periodic, tasks: 6, period: 12ms, run: 5ms, loops: 1000"

static struct tiny tiny;

static void build(const char *yaml)
{
	tiny.err = (struct error){ 0 };
	cr_assert(eq(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", tiny.err.text);
}

static void run(const char *yaml)
{
	build(yaml);
	cr_assert(eq(int, run_execute(&tiny.run, &tiny.err), 0), "%s", tiny.err.text);
}

static bool worked(int cpu)
{
	return tiny.run.machine.cpus[cpu].cycles > 0;
}

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(cpusets, .fini = teardown);

Test(cpusets, tasks_stay_in_the_set_of_their_workload)
{
	run(MACHINE "cpusets: { back: 2-3 }\nworkload: " BUSY ", cpuset: back }\n");
	for (int cpu = 0; cpu < 4; cpu++)
		cr_assert(eq(int, worked(cpu), cpu >= 2));
}

Test(cpusets, each_workload_has_its_own)
{
	run(MACHINE "cpusets:\n  front: 0\n  back: [1, 3]\n"
		    "workload: " BUSY ", cpuset: back }\n"
		    "beside: [ " BUSY ", cpuset: front } ]\n");
	for (int cpu = 0; cpu < 4; cpu++)
		cr_assert(eq(int, worked(cpu), cpu != 2));
}

Test(cpusets, children_stay_in_the_set_of_their_parents)
{
	run(MACHINE "cpusets: { back: [1, 3] }\n"
		    "workload: { name: kernel-build, jobs: 6, units: 40, cpuset: back }\n");
	cr_assert(not(worked(0)));
	cr_assert(worked(1));
	cr_assert(not(worked(2)));
	cr_assert(worked(3));
}

Test(cpusets, affinity_holds_inside_the_set_and_fails_outside_it)
{
	run(MACHINE "cpusets: { back: [1, 3] }\n"
		    "workload: " BUSY ", first_cpu: 1, cpus: 2, cpuset: back }\n");
	cr_assert(worked(1));
	cr_assert(not(worked(2)));
	cr_assert(not(worked(3)));
	teardown();
	run(MACHINE "cpusets: { back: [1, 3] }\n"
		    "workload: " BUSY ", first_cpu: 2, cpus: 1, cpuset: back }\n");
	cr_assert(worked(1));
	cr_assert(not(worked(2)));
	cr_assert(worked(3));
}

Test(cpusets, a_set_whose_cpus_are_all_offline_no_longer_holds)
{
	run(MACHINE "cpusets: { back: [3] }\nworkload: " BUSY ", cpuset: back }\n"
		    "events: [{ at: 400ms, cpu: 3, online: no }]\n");
	cr_assert(worked(2));
	cr_assert(gt(i64, tiny.run.kernel.unbound, 0));
}

Test(cpusets, the_manifest_says_them)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	build(MACHINE "cpusets: { back: [1, 3], front: 0-1 }\nworkload: " BUSY ", cpuset: back }\n"
		      "beside: [ { name: idle, cpuset: front } ]\n");
	struct manifest manifest = {
		.scenario = &tiny.scenario, .tunables = tiny.run.tunables, .version = "1"
	};
	manifest_write(out, &manifest);
	fclose(out);
	teardown();
	/* It is a scenario with the same sets. */
	build(text);
	cr_assert(eq(sz, tiny.scenario.nr_cpusets, 2));
	cr_assert(eq(str, (char *)tiny.scenario.workload_place.cpuset->name, "back"));
	cr_assert(eq(str, (char *)tiny.scenario.beside[0].place.cpuset->name, "front"));
	cr_assert(not(cpumask_test(&tiny.scenario.workload_place.cpuset->cpus, 2)));
	cr_assert(cpumask_test(&tiny.scenario.workload_place.cpuset->cpus, 3));
	free(text);
}

static void refused(const char *yaml, const char *words)
{
	tiny.err = (struct error){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, words) != NULL, "%s", tiny.err.text);
	arena_free(&tiny.arena);
}

Test(cpusets, mistakes_are_named, .fini = NULL)
{
	refused(MACHINE "workload: { name: idle, cpuset: back }\n",
		"no cpuset \"back\"; the scenario has no section cpusets");
	refused(MACHINE "cpusets: { back: 1 }\nworkload: { name: idle, cpuset: bakc }\n",
		"did you mean");
	refused(MACHINE "cpusets: { back: 1 }\nworkload: { name: idle, cpuset: [back] }\n",
		"the name of one of cpusets");
	refused(MACHINE "cpusets: { back: 2-4 }\nworkload: idle\n", "the machine has 0 to 3");
	refused(MACHINE "cpusets: { back: [] }\nworkload: idle\n", "a range like 0-1");
	refused(MACHINE "cpusets: [1]\nworkload: idle\n", "a map such as");
}
