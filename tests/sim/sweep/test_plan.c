#include "sim/sweep/plan.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>
#include <unistd.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/governor.h"
#include "workloads/workloads.h"

static const struct catalog catalog = { governors, drivers, workloads };
static struct arena arena;
static struct error err;
static struct plan plan;

#define SCENARIO                                                           \
	"machine: generic-2cpu\ngovernor: { name: ondemand }\n"            \
	"workload: { name: periodic, tasks: 3, period: 43ms, run: 7ms }\n" \
	"run: { seed: 43815, duration: 613ms }\n"

/* Loads a scenario with @sweep under its "sweep:" and up to two axes from the command line. */
static int load(const char *sweep, const char *one, const char *two, int design, int64_t samples)
{
	const char *sweeps[] = { one, two };
	char path[] = "/tmp/test_plan_XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	const struct plan_request request = { .path = path,
		.sweeps = sweeps,
		.nr_sweeps = (size_t)(one != NULL) + (two != NULL),
		.design = design,
		.samples = samples };

	cr_assert(eq(int, arena_try(&arena), 0));
	fputs(SCENARIO, file);
	if (sweep)
		fprintf(file, "sweep:%s\n", sweep);
	fclose(file);
	err = (struct error){ .code = ERROR_NONE };
	int result = plan_load(&plan, &arena, &catalog, &request, &err);
	unlink(path);
	return result;
}

static const char *value(size_t point, size_t axis)
{
	return axis_value(&plan.axes[axis], &arena, plan_value_of(&plan, point, axis));
}

static void refused(const char *sweep, const char *one, const char *message)
{
	cr_assert(lt(int, load(sweep, one, NULL, -1, 0), 0));
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
	cr_assert(ne(ptr, (void *)strstr(err.text, message), NULL), "%s", err.text);
}

Test(plan, a_range_has_both_ends_and_its_unit)
{
	cr_assert(eq(int, load(NULL, "governor.sampling_rate=10ms:90ms:40ms", NULL, -1, 0), 0));
	cr_assert(eq(sz, plan.nr_points, 3));
	cr_assert(eq(str, (char *)value(0, 0), "10ms"));
	cr_assert(eq(str, (char *)value(1, 0), "50ms"));
	cr_assert(eq(str, (char *)value(2, 0), "90ms"));
}

Test(plan, a_range_takes_decimals_a_missing_unit_and_a_missing_step)
{
	cr_assert(eq(int, load(NULL, "workload.jitter=-0.5:1.05:0.75", "run.seed=7:9", -1, 0), 0));
	cr_assert(eq(sz, plan.nr_points, 9));
	cr_assert(eq(str, (char *)value(0, 0), "-0.5"));
	cr_assert(eq(str, (char *)value(3, 0), "0.25"));
	cr_assert(eq(str, (char *)value(8, 0), "1"));
	cr_assert(eq(str, (char *)value(8, 1), "9"));
	cr_assert(eq(int, load(NULL, "workload.run=1.5:3ms:0.5", NULL, -1, 0), 0));
	cr_assert(eq(sz, plan.nr_points, 4));
	cr_assert(eq(str, (char *)value(1, 0), "2ms"));
	cr_assert(eq(str, (char *)value(2, 0), "2.5ms"));
}

Test(plan, the_last_axis_changes_fastest)
{
	cr_assert(eq(int,
		load(" { kernel.version: [ \"4.8\", 6.1 ], run.seed: 3:5 }",
			"governor=performance,{ name: ondemand, up_threshold: 71 }", NULL, -1, 0),
		0));
	cr_assert(eq(sz, plan.nr_points, 12));
	cr_assert(eq(str, (char *)plan_describe(&plan, 3, &arena),
		"kernel.version=4.8 run.seed=4 governor={ name: ondemand, up_threshold: 71 }"));
	cr_assert(eq(str, (char *)plan_describe(&plan, 10, &arena),
		"kernel.version=6.1 run.seed=5 governor=performance"));
}

Test(plan, a_point_is_the_scenario_with_its_values)
{
	struct scenario scenario;

	cr_assert(eq(int,
		load(" { kernel.version: [ \"4.8\", 6.1 ] }",
			"governor=performance,{ name: ondemand, up_threshold: 71 }", NULL, -1, 0),
		0));
	cr_assert(eq(int, plan_scenario(&plan, 2, &arena, &scenario, &err), 0), "%s", err.text);
	cr_assert(eq(str, (char *)scenario.kernel.version_text, "6.1"));
	cr_assert(eq(str, (char *)scenario.governor->name, "performance"));
	cr_assert(eq(int, plan_scenario(&plan, 1, &arena, &scenario, &err), 0), "%s", err.text);
	cr_assert(eq(str, (char *)scenario.kernel.version_text, "4.8"));
	cr_assert(eq(str, (char *)scenario.governor->name, "ondemand"));
}

Test(plan, a_value_that_makes_no_sense_names_its_point)
{
	struct scenario scenario;

	cr_assert(eq(int,
		load(NULL, "governor.name=ondemand,performance", "governor.up_threshold=60,70", -1,
			0),
		0));
	cr_assert(lt(int, plan_scenario(&plan, 2, &arena, &scenario, &err), 0));
	cr_assert(ne(ptr,
		strstr(err.text, "point 3 (governor.name=performance governor.up_threshold=60): "),
		NULL));
	cr_assert(ne(ptr, strstr(err.text, "unknown key \"up_threshold\""), NULL));
}

Test(plan, the_command_line_replaces_an_axis_of_the_file)
{
	cr_assert(eq(int,
		load(" { run.seed: 3:5, kernel.hz: [ 100, 250 ] }", "run.seed=885", NULL, -1, 0),
		0));
	cr_assert(eq(sz, plan.nr_points, 2));
	cr_assert(eq(str, (char *)plan_describe(&plan, 1, &arena), "run.seed=885 kernel.hz=250"));
}

Test(plan, no_axis_is_one_point)
{
	struct scenario scenario;

	cr_assert(eq(int, load(NULL, NULL, NULL, -1, 0), 0));
	cr_assert(eq(sz, plan.nr_points, 1));
	cr_assert(eq(int, plan_scenario(&plan, 0, &arena, &scenario, &err), 0));
}

/* Each of 37 equal parts of both axes holds exactly one of 37 samples. */
Test(plan, a_latin_hypercube_visits_every_stratum_once)
{
	bool seen[2][37] = { { false } };

	cr_assert(eq(int,
		load(NULL, "run.seed=0:3699999", "workload.tasks=1:370", DESIGN_LATIN, 37), 0));
	cr_assert(eq(sz, plan.nr_points, 37));
	for (size_t i = 0; i < 37; i++) {
		size_t one = plan_value_of(&plan, i, 0) / 100000;
		size_t two = plan_value_of(&plan, i, 1) / 10;

		cr_assert(not(seen[0][one]));
		cr_assert(not(seen[1][two]));
		seen[0][one] = seen[1][two] = true;
	}
}

/* The first points of Sobol's sequence in two dimensions. */
Test(plan, sobol_halves_and_quarters)
{
	cr_assert(eq(int,
		load(" { design: sobol, samples: 4, run.seed: 0:999, workload.tasks: "
		     "1:1000 }",
			NULL, NULL, -1, 0),
		0));
	cr_assert(eq(
		str, (char *)plan_describe(&plan, 0, &arena), "run.seed=500 workload.tasks=501"));
	cr_assert(eq(
		str, (char *)plan_describe(&plan, 1, &arena), "run.seed=750 workload.tasks=251"));
	cr_assert(eq(
		str, (char *)plan_describe(&plan, 2, &arena), "run.seed=250 workload.tasks=751"));
	cr_assert(eq(
		str, (char *)plan_describe(&plan, 3, &arena), "run.seed=375 workload.tasks=376"));
}

Test(plan, every_mistake_is_explained)
{
	refused(NULL, "run.seed", "--sweep run.seed: expected section.key=lo:hi:step");
	refused(NULL, "=7", "expected section.key=lo:hi:step");
	refused(NULL, "run.seed=9:7", "the range \"9:7\" is empty");
	refused(NULL, "run.seed=7:9:0", "is empty; expected lo <= hi and step > 0");
	refused(NULL, "run.seed=7:9:x", "is none; expected lo:hi or lo:hi:step");
	refused(NULL, "run.seed=7:9:1:1", "is none");
	refused(NULL, "run.seed=1234567890123456:9", "is none");
	refused(NULL, "workload.run=500us:2ms:100us", "mixes units");
	refused(NULL, "run.seed=0:99999999999", "too many values");
	refused(NULL, "run.seed=7,,9", "value 2 is empty");
	refused(NULL, "run.seed=7,9,7", "\"7\" is given twice");
	refused(" 7", NULL, "sweep: expected a map");
	refused(" { run.seed: { a: b } }", NULL, "run.seed: found map; expected lo:hi:step or a");
	refused(" { samples: 0 }", NULL, "samples: expected a whole number");
	refused(" { design: random }", NULL, "found \"random\"; expected grid, latin or sobol");
	refused(" { design: latin, run.seed: 1:3 }", NULL, "the number of samples is missing");
	refused(" { samples: 7, run.seed: 1:3 }", NULL, "samples go with design latin or sobol");
	refused(" { run.seed: 1:4000, workload.tasks: 1:4000 }", NULL, "expected at most 10000000");
}

Test(plan, there_is_a_limit_to_the_number_of_axes)
{
	char text[512] = " {";

	for (int i = 0; i < 17; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s a%d.b: [ 1 ]",
			i ? "," : "", i);
	strcat(text, " }");
	refused(text, NULL, "more than 16 axes");
}
