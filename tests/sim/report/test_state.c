#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/report/result.h"
#include "sim/report/state.h"
#include "tests/support/tiny.h"

#define YAML(machine, driver)                                                     \
	"machine: " machine "\n"                                                  \
	"kernel: { version: \"6.1\", hz: 250 }\n"                                 \
	"driver: " driver "\n"                                                    \
	"governor: { name: userspace, set_speed: \"100ms=2GHz,400ms=1.7GHz\" }\n" \
	"workload: scripted\n"

static const struct script_step sleeper[] = { SCRIPT_SLEEP(1000000000), SCRIPT_EXIT };
static const struct script asleep[] = { { sleeper, 0, false } };
static struct tiny tiny;
static struct result result;
static char text[65536];

static void run(const char *yaml, void (*write)(FILE *out, const struct report *report))
{
	const struct result *results[] = { &result };
	const struct report report = { .results = results, .nr = 1 };
	FILE *out = fmemopen(text, sizeof(text), "w");

	tiny_run(&tiny, yaml, asleep, 1);
	cr_assert(not(result_collect(&result, &tiny.run, 1, &tiny.err)));
	write(out, &report);
	fclose(out);
}

static void teardown(void)
{
	result_free(&result);
	tiny_free(&tiny);
}

TestSuite(state, .fini = teardown);

Test(state, time_in_state_counts_ticks_of_ten_ms_by_percent_without_a_table)
{
	run(YAML("tests/data/machines/two-package.yaml", "{ name: 'null' }"), state_write_time);
	cr_assert(strstr(text, "\n1,3,1000000,10\n1,3,1700000,60\n1,3,2000000,30\n") != NULL);
}

Test(state, the_transition_table_lists_changes_that_happened)
{
	run(YAML("tests/data/machines/two-package.yaml", "{ name: 'null' }"), state_write_trans);
	cr_assert(strstr(text, "\n1,0,1000000,2000000,1\n1,0,2000000,1700000,1\n") != NULL);
}

Test(state, with_a_table_states_are_its_frequencies)
{
	run(YAML("i7-3770", "acpi-cpufreq"), state_write_trans);
	cr_assert(strstr(text, "\n1,5,2000000,1700000,1\n1,5,1600000,2000000,1\n") != NULL);
}
