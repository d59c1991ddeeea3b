#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: lmbench" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(lmbench, .fini = teardown);

Test(lmbench, calls_are_work_without_events)
{
	static const struct {
		const char *yaml;
		int64_t cycles;
	} rows[] = {
		{ YAML("performance", ", test: 'null'"), 330 },
		{ YAML("performance", ", test: read"), 444 },
		{ YAML("performance", ", test: write"), 343 },
		{ YAML("performance", ", test: stat"), 1131 },
		{ YAML("performance", ", test: fstat"), 559 },
		{ YAML("performance", ", test: open-close"), 2200 },
		{ YAML("performance", ", test: stat, cycles: 2718"), 2718 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tiny_run(&tiny, rows[i].yaml, NULL, 0);
		/* Each stretch of work ends on a whole nanosecond. */
		cr_assert(ge(i64, tiny.run.elapsed_ns, 10000 * rows[i].cycles / 2));
		cr_assert(le(i64, tiny.run.elapsed_ns, 10000 * rows[i].cycles / 2 + 25));
		cr_assert(eq(i64, tiny.run.kernel.switches, 1));
		cr_assert(epsilon_eq(
			dbl, measured(&tiny, "time of one"), (double)rows[i].cycles / 2e3, 1e-5));
		tiny_free(&tiny);
	}
}

Test(lmbench, a_process_is_forked_works_and_is_waited_for)
{
	static const struct {
		const char *yaml;
		int64_t cycles;
	} rows[] = {
		{ YAML("performance", ", repetitions: 300, test: fork"), 363000 },
		{ YAML("performance", ", repetitions: 300, test: exec"), 1390000 },
		{ YAML("performance", ", repetitions: 300, test: shell"), 3030000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tiny_run(&tiny, rows[i].yaml, NULL, 0);
		cr_assert(eq(i64, tiny.run.elapsed_ns, 300 * rows[i].cycles / 2));
		cr_assert(eq(i64, tiny.run.kernel.forks, 300));
		cr_assert(eq(i64, tiny.run.kernel.wakeups, 301));
		tiny_free(&tiny);
	}
}

Test(lmbench, a_round_trip_is_two_wakeups)
{
	tiny_run(&tiny, YAML("performance", ", repetitions: 2000, test: pipe"), NULL, 0);
	cr_assert(epsilon_eq(dbl, measured(&tiny, "operations"), 2000, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "time of one"), 4, 0.01));
	cr_assert(epsilon_eq(dbl, (double)tiny.run.kernel.wakeups, 4000, 4));
}

Test(lmbench, copies_run_at_once)
{
	tiny_run(&tiny, YAML("performance", ", test: read, copies: 4"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 10000 * 222));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "operations"), 40000, 1e-9));
	cr_assert(epsilon_eq(dbl, measured(&tiny, "time of one"), 0.222, 1e-9));
}
