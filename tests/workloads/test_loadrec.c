#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/recording.h"
#include "tests/support/tiny.h"

#define YAML                      \
	"machine: generic-2cpu\n" \
	"governor: %s\n"          \
	"workload: { name: loadrec, file: \"%s\" }\n"
#define HEAD                                                                                \
	"usr.app.powerdxx.loadrec.features=1\nhw.machine=amd64\nhw.model=Core\nhw.ncpu=2\n" \
	"hw.acpi.acline=1\ndev.cpu.0.freq=2940\n"                                           \
	"dev.cpu.0.freq_levels=2940/35000 1470/15000\n"
/* 20 ms at 40 and 25 % of 2940 MHz, then 20 ms at 100 % of 1470 and none. */
#define ROWS                                           \
	"0 2940 2940 100 0 50 3 7000 90 0 30 1 7100\n" \
	"20 2940 2940 1 0 1 0 3 1 0 0 0 3\n"           \
	"20 1470 2940 2 1 1 1 0 0 0 0 0 5\n"

static struct tiny tiny;

static void teardown(void)
{
	recording_remove();
	tiny_free(&tiny);
}

TestSuite(loadrec, .fini = teardown);

static void run(const char *governor, const char *text)
{
	char yaml[512];

	tiny_free(&tiny);
	snprintf(yaml, sizeof(yaml), YAML, governor, recording_text(text));
	tiny_run(&tiny, yaml, NULL, 0);
}

static int64_t cpu_us(void)
{
	return (tiny.run.kernel.user_ns + tiny.run.kernel.sys_ns + 500) / 1000;
}

Test(loadrec, busy_shares_at_recorded_clocks_are_cycles)
{
	struct measure out[MEASURES_MAX];

	run("performance", HEAD ROWS);
	/* 8 and 5 ms of the first look; 20 ms at 1470 MHz are 10 at 2940. */
	cr_expect(eq(i64, cpu_us(), 8000 + 5000 + 10000));
	cr_expect(eq(i64, tiny.run.elapsed_ns, 30 * NSEC_PER_MSEC));
	tiny.scenario.workload->measure(&tiny.run.workload_ctx, tiny.run.elapsed_ns, out);
	cr_expect(eq(dbl, out[0].value, 4.0));
	cr_expect(eq(dbl, out[2].value, 0.0));
}

Test(loadrec, at_half_the_clock_the_same_cycles_take_twice_as_long)
{
	run("powersave", HEAD ROWS);
	cr_expect(eq(i64, cpu_us(), 2 * 23000));
	cr_expect(eq(i64, tiny.run.elapsed_ns, 40 * NSEC_PER_MSEC));
}

Test(loadrec, rows_without_clocks_have_those_of_the_head)
{
	run("performance", HEAD "25 100 0 50 3 7000 90 0 30 1 7100\n20 1 0 1 0 3 1 0 0 0 3\n");
	cr_expect(eq(i64, cpu_us(), 8000 + 5000));
}

static void refuse(const char *text, const char *message)
{
	char yaml[512];

	snprintf(yaml, sizeof(yaml), YAML, "performance", recording_text(text));
	tiny.err = (struct error){ 0 };
	cr_expect(ne(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", text);
	cr_expect(eq(int, tiny.err.code, ERROR_TRACE));
	cr_expect(ne(ptr, strstr(tiny.err.text, message), NULL), "%s", tiny.err.text);
	tiny_free(&tiny);
}

Test(loadrec, mistakes_name_their_line)
{
	refuse("hello\n", ":1:1: is no recording of loadrec: no line hw.ncpu=N");
	refuse("hw.ncpu=0\n", ":1:1: is no recording of loadrec: hw.ncpu is not in 1..256");
	refuse(HEAD "20 1 2 3\n", ":8:1: is no recording of loadrec: a row has milliseconds");
	refuse(HEAD "20 1470 2940 2 1 1 1 0 0 0 0 0 x\n", "a row has milliseconds");
	refuse(HEAD "0 2940 2940 100 0 50 3 7000 90 0 30 1 7100\n",
		"it has no row after the first");
	refuse("hw.ncpu=1\n0 1 1 1 1 1\n20 1 0 0 0 1\n", "a clock is not in 1..10000 MHz");
	refuse("hw.ncpu=1\n0 99 1 1 1 1 1\n600001 99 1 0 0 0 1\n", "too long a time");
	refuse("hw.ncpu=1\ndev.cpu.0.freq=10001\n", "a clock is not in 0..10000 MHz");
	tiny.err = (struct error){ 0 };
	cr_expect(ne(int,
		tiny_build(&tiny,
			"machine: generic-2cpu\ngovernor: performance\n"
			"workload: { name: loadrec, file: /none/x }\n",
			NULL, 0),
		0));
	cr_expect(ne(ptr, strstr(tiny.err.text, "/none/x: cannot be opened"), NULL));
}
