#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/experiment/experiment.h"
#include "sim/report/csv.h"
#include "tests/support/program.h"
#include "workloads/workloads.h"

static struct program p;
static struct arena arena;
static struct error err;

static void read_output(struct csv *csv)
{
	char path[] = "/tmp/test_pcc_XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");

	fputs(p.out, file);
	fclose(file);
	cr_assert(eq(int, csv_read(&arena, path, csv, &err), 0), "%s", err.text);
	remove(path);
}

static double number(const struct csv *csv, size_t row, const char *column)
{
	return strtod(csv_cell(csv, row, csv_column(csv, column)), NULL);
}

static size_t row_of(const struct csv *csv, const char *id)
{
	int column = csv_column(csv, "target_id");

	for (size_t i = 0; i < csv->nr_rows; i++)
		if (strcmp(csv_cell(csv, i, column), id) == 0)
			return i;
	cr_assert(false, "no target %s", id);
	return 0;
}

/* Single runs scatter by a few percent at 64 jobs; 32 jobs under the new map is a known misfit, the
 * commands of the old map at 2 jobs another. */
Test(pcc_kernel_build, quick_cells_are_near_the_published_numbers)
{
	struct csv csv;
	double sum = 0;
	size_t nr = 0;

	if (arena_try(&arena))
		abort();
	program_run(&p, "reproduce", "pcc-kernel-build", "--quick", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	read_output(&csv);
	for (size_t i = 0; i < csv.nr_rows; i++) {
		const char *id = csv_cell(&csv, i, csv_column(&csv, "target_id"));
		bool events = strncmp(id, "pcc_events", 10) == 0;

		if (strcmp(csv_cell(&csv, i, csv_column(&csv, "published")), "") == 0)
			continue;
		double error = fabs(number(&csv, i, "error_pct"));
		cr_expect(lt(dbl, error, events ? 40 : 13), "%s", id);
		sum += error;
		nr++;
	}
	cr_assert(eq(sz, nr, 100));
	cr_assert(lt(dbl, sum / (double)nr, 4));
	arena_free(&arena);
}

/* What survives any tolerance: the new map is slower where idle CPUs get fragments of work. */
Test(pcc_kernel_build, the_order_of_the_maps_is_the_published_one)
{
	struct csv csv;

	if (arena_try(&arena))
		abort();
	program_run(&p, "reproduce", "pcc-kernel-build", "--quick", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	read_output(&csv);
	double fresh = number(&csv, row_of(&csv, "pcc_elapsed_10ms_new_mapping_32"), "simulated");
	double old = number(&csv, row_of(&csv, "pcc_elapsed_10ms_old_mapping_32"), "simulated");
	double v1 = number(&csv, row_of(&csv, "pcc_elapsed_rc2_v1_32"), "simulated");
	cr_assert(gt(dbl, fresh, 1.3 * old));
	cr_assert(lt(dbl, fabs(v1 / old - 1), 0.03));
	arena_free(&arena);
}

static void assert_map(const char *variant, const char *column)
{
	struct csv csv;
	char set[64], line[64];

	if (arena_try(&arena))
		abort();
	snprintf(set, sizeof(set), "governor.load_map=%s", variant);
	program_run(&p, "show", "pcc-kernel-build", "--map", "--set", set, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(eq(int,
		csv_read(&arena, "configs/published/derived_ondemand_mapping_full.csv", &csv, &err),
		0));
	for (size_t load = 0; load <= 100; load++) {
		bool max = number(&csv, load, "above_up_threshold_95") > 0;

		snprintf(line, sizeof(line), "\n  load %-8zu %s\n", load,
			max ? "2800000" : csv_cell(&csv, load, csv_column(&csv, column)));
		cr_expect(strstr(p.out, line) != NULL, "%s", line);
	}
	arena_free(&arena);
}

Test(pcc_kernel_build, the_new_map_is_exact_at_every_load)
{
	assert_map("new", "target_new_khz");
}

Test(pcc_kernel_build, the_old_map_is_exact_at_every_load)
{
	assert_map("old", "target_old_khz");
}

/* What calibrate found is what anybody gets who runs the scenario: the workload's defaults, the
 * machine's and its drivers' values are those of the experiment. */
Test(pcc_kernel_build, the_scenario_has_the_fitted_values)
{
	static const struct catalog catalog = { governors, drivers, workloads };
	struct experiment e;
	char fitted[64], plain[64];
	struct scenario scenario;
	size_t nr = 0;

	if (arena_try(&arena))
		abort();
	cr_assert(eq(int,
			  experiment_load(&arena, &catalog,
				  "configs/experiments/pcc-kernel-build.yaml", true, &e, &err),
			  0),
		"%s", err.text);
	cr_assert(eq(int,
		scenario_load(&arena, &catalog, "configs/scenarios/pcc-kernel-build.yaml", NULL, 0,
			&scenario, &err),
		0));
	const struct scenario *with = e.cells[0].scenario;
	for (size_t i = 0; i < e.nr_parameters; i++) {
		const char *path = e.parameters[i].path;
		const struct param *row = NULL;

		if (strncmp(path, "workload.", 9) == 0)
			row = param_find(scenario.workload->params, path + 9);
		if (!row)
			continue;
		param_print(row, with->workload_params, fitted, sizeof(fitted));
		param_print(row, scenario.workload_params, plain, sizeof(plain));
		cr_expect(eq(str, plain, fitted), "%s", path);
		nr++;
	}
	cr_assert(ge(sz, nr, 10));
	cr_assert(eq(
		i64, scenario.machine.memory.contention_ppm, with->machine.memory.contention_ppm));
	arena_free(&arena);
}
