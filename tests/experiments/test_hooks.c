#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"

/* The experiments about calls of the governor and about ticks, as --quick runs them. */

static struct program program;

static void reproduce(const char *name)
{
	program_run(&program, "reproduce", name, "--quick", "--format", "csv", NULL);
	cr_assert(eq(int, program.status, 0), "%s", program.err);
}

/* Column number @column of the row of @id: 3 is published, 4 simulated. */
static double field(const char *id, int column)
{
	char *row = strstr(program.out, id);

	cr_assert(row != NULL, "%s is missing", id);
	cr_assert(row[strlen(id)] == ',');
	for (int i = 1; i < column; i++)
		row = strchr(row, ',') + 1;
	return strtod(row, NULL);
}

static double simulated(const char *id)
{
	return field(id, 4);
}

Test(hooks, an_idle_rk3588_and_fio_call_as_often_as_published)
{
	reproduce("rk3588-update-util");
	cr_assert(epsilon_eq(dbl, simulated("update_util_idle_rate"), 15.53, 0.25 * 15.53));
	cr_assert(epsilon_eq(dbl, simulated("update_util_fio_rate"), 1342.5, 0.02 * 1342.5));
	cr_assert(epsilon_eq(dbl, simulated("update_util_fio_ratio"), 1.0006, 0.03));
}

Test(hooks, every_scale_of_a_juno_is_the_published_one)
{
	reproduce("juno-fie");
	cr_assert(eq(dbl, simulated("cppc_scale_0_450000"), 485));
	cr_assert(eq(dbl, simulated("cppc_scale_3_450000"), 485));
	cr_assert(eq(dbl, simulated("cppc_scale_4_600000"), 512));
	cr_assert(eq(dbl, simulated("cppc_scale_2_950000"), 1024));
	cr_assert(eq(dbl, simulated("cppc_scale_5_1200000"), 1024));
	/* The source that costs nothing is not slower; the others are, by less than 1 %. */
	cr_assert(lt(dbl, simulated("juno_pipe_amu_percent"), 0));
	cr_assert(lt(dbl, simulated("juno_pipe_cppc_percent"), simulated("juno_pipe_amu_percent")));
	cr_assert(gt(dbl, simulated("juno_pipe_cppc_percent"), -1));
}

Test(hooks, of_a_power9_only_the_row_of_context_switches_is_slower)
{
	static const char *const others[] = { "power9_execl", "power9_spawn", "power9_stress_ng",
		"power9_lmbench_fstat", "power9_lmbench_write" };

	reproduce("power9-consolidate");
	cr_assert(epsilon_eq(dbl, simulated("power9_pipe"), 0.94, 0.01));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		cr_assert(epsilon_eq(dbl, simulated(others[i]), 1, 0.01), "%s", others[i]);
}
