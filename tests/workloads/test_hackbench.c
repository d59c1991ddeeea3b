#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/measured.h"
#include "tests/support/tiny.h"

#define YAML(governor, workload)                          \
	"machine: tests/data/machines/two-package.yaml\n" \
	"driver: 'null'\n"                                \
	"governor: " governor "\n"                        \
	"workload: { name: hackbench" workload " }\n"

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(hackbench, .fini = teardown);

static void refused(const char *yaml, const char *text)
{
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	cr_assert(lt(int, tiny_build(&tiny, yaml, NULL, 0), 0));
	cr_assert(strstr(tiny.err.text, text) != NULL, "%s", tiny.err.text);
}

/* 3 groups of 4 and 4 tasks: 3 x 4 x 4 x loops messages. */
Test(hackbench, every_message_is_read)
{
	static const char *const yaml[] = {
		YAML("performance", ", groups: 3, fds: 4, loops: 97, transport: pipe"),
		YAML("performance", ", groups: 3, fds: 4, loops: 97, transport: socket"),
		YAML("powersave", ", groups: 3, fds: 4, loops: 97, transport: pipe, batch: 1"),
		YAML("performance", ", groups: 3, fds: 4, loops: 97, transport: socket, batch: 1"),
		YAML("performance", ", groups: 3, fds: 4, loops: 97, batch: 1000, processes: 0"),
	};

	for (size_t i = 0; i < sizeof(yaml) / sizeof(yaml[0]); i++) {
		tiny_run(&tiny, yaml[i], NULL, 0);
		cr_assert(epsilon_eq(dbl, measured(&tiny, "messages"), 3 * 4 * 4 * 97, 1e-9));
		cr_assert(eq(i64, tiny.run.kernel.forks, 24));
		cr_assert(eq(i64, tiny.run.kernel.leading, 0));
		tiny_free(&tiny);
	}
}

Test(hackbench, full_pipes_and_sockets_do_not_end_it)
{
	static const char *const yaml[] = {
		YAML("performance",
			", groups: 1, fds: 1, loops: 20000, transport: pipe, read: 9000"),
		YAML("performance",
			", groups: 1, fds: 1, loops: 20000, transport: socket, read: 9000"),
		YAML("performance",
			", groups: 1, fds: 3, loops: 5000, transport: pipe, read: 9000"),
		YAML("performance",
			", groups: 9, fds: 2, loops: 3000, transport: socket, read: 9000"),
	};

	for (size_t i = 0; i < sizeof(yaml) / sizeof(yaml[0]); i++) {
		tiny_run(&tiny, yaml[i], NULL, 0);
		cr_assert(eq(i64, tiny.run.kernel.leading, 0));
		/* Writers had to wait again and again. */
		cr_assert(gt(i64, tiny.run.kernel.wakeups, 80));
		tiny_free(&tiny);
	}
}

/* The reader takes all the time: of 20000 messages 16 pages of 40 fit, then a page at a time. */
static int64_t wakeups_far_ahead(const char *kernel)
{
	char yaml[1024];

	snprintf(yaml, sizeof(yaml),
		"machine: tests/data/machines/two-package.yaml\n"
		"kernel: { version: \"%s\" }\n"
		"driver: 'null'\ngovernor: performance\n"
		"workload: { name: hackbench, groups: 1, fds: 1, loops: 20000, transport: pipe,\n"
		"  read: 100000, batch: 1 }\n",
		kernel);
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	tiny_run(&tiny, yaml, NULL, 0);
	return tiny.run.kernel.wakeups;
}

Test(hackbench, from_6_14_on_one_writer_far_ahead_wakes_once_a_page)
{
	int64_t wakeups = wakeups_far_ahead("6.14");

	cr_assert(ge(i64, wakeups, (20000 - 640) / 40));
	cr_assert(le(i64, wakeups, (20000 - 640) / 40 + 20));
}

/* A pipe is full while its 16th page is in use: the writer is woken at the first message read,
 * finds no page free and sleeps on, and so on to the end of the page. */
Test(hackbench, before_it_wakes_at_each_message_read_from_a_full_pipe)
{
	int64_t wakeups = wakeups_far_ahead("6.13");

	cr_assert(ge(i64, wakeups, 20000 - 640 - 20000 / 40));
	cr_assert(le(i64, wakeups, 20000 + 20));
}

Test(hackbench, cost_multiplies_all_cycles)
{
	double once;

	tiny_run(&tiny, YAML("performance", ", groups: 1, fds: 1, loops: 500, batch: 1"), NULL, 0);
	once = cycles_done(&tiny);
	tiny_free(&tiny);
	tiny = (struct tiny){ 0 };
	tiny_run(&tiny, YAML("performance", ", groups: 1, fds: 1, loops: 500, batch: 1, cost: 3.5"),
		NULL, 0);
	/* Who waits for whom stays what it was, but for the ticks. */
	cr_assert(epsilon_eq(dbl, cycles_done(&tiny), 3.5 * once, 0.02 * 3.5 * once));
}

Test(hackbench, cycles_are_those_of_messages_wakeups_and_switches)
{
	tiny_run(&tiny, YAML("performance", ", groups: 5, fds: 8, loops: 200, transport: pipe"),
		NULL, 0);
	double least = 5 * 64 * 200 * (750.0 + 650) + 80 * 363000;
	double most = least + (double)tiny.run.kernel.wakeups * (2000 + 3000) + 80 * 10000;
	cr_assert(ge(dbl, cycles_done(&tiny), least));
	cr_assert(le(dbl, cycles_done(&tiny), most));
	/* Creation is outside hackbench's own clock. */
	cr_assert(lt(dbl, measured(&tiny, "time"), (double)tiny.run.elapsed_ns / 1e9 - 0.0145));
}

Test(hackbench, at_half_the_clock_it_takes_about_twice_as_long)
{
	double fast, slow;

	tiny_run(&tiny, YAML("performance", ", groups: 5, loops: 100, transport: pipe"), NULL, 0);
	fast = measured(&tiny, "time");
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("powersave", ", groups: 5, loops: 100, transport: pipe"), NULL, 0);
	slow = measured(&tiny, "time");
	cr_assert(gt(dbl, slow / fast, 1.75));
	cr_assert(lt(dbl, slow / fast, 2.35));
}

Test(hackbench, too_many_tasks_are_refused)
{
	refused(YAML("performance", ", groups: 100000, fds: 1000"),
		"hackbench: 100000 groups of 1000 fds make 200000000 tasks; expected at most "
		"1000000");
}
