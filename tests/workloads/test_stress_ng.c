#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: stress-ng" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(stress_ng, .fini = teardown);

Test(stress_ng, all_the_time_is_work)
{
	tiny_run(&tiny, YAML("performance", ", timeout: 1s, cpu: 3"), NULL, 0);
	/* 1.7 M cycles at 2 GHz are 850 us; the last is finished. */
	cr_assert(epsilon_eq(dbl, measured(&tiny, "bogo operations"), 3 * 1177, 1e-9));
	cr_assert(eq(i64, tiny.run.elapsed_ns, 1177 * 850000));
}

Test(stress_ng, a_load_is_a_share_of_time_whatever_the_clock)
{
	static const char *const yaml[] = {
		YAML("performance", ", timeout: 10s, cpu_load: 37"),
		YAML("powersave", ", timeout: 10s, cpu_load: 37"),
	};
	double ops[2];

	for (int i = 0; i < 2; i++) {
		tiny_run(&tiny, yaml[i], NULL, 0);
		double share = (double)tiny.run.kernel.user_ns / (double)tiny.run.elapsed_ns;
		cr_assert(epsilon_eq(dbl, share, 0.37, 0.01));
		ops[i] = measured(&tiny, "bogo operations");
		tiny_free(&tiny);
	}
	cr_assert(epsilon_eq(dbl, ops[0] / ops[1], 2, 0.05));
}

Test(stress_ng, it_sleeps_once_a_slice)
{
	tiny_run(&tiny, YAML("performance", ", timeout: 10s, cpu_load: 30"), NULL, 0);
	/* 40 ms of 133 ms: 7.5 a second. */
	cr_assert(epsilon_eq(dbl, (double)tiny.run.kernel.wakeups, 75, 4));
}
