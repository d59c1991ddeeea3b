#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "tests/support/recording.h"
#include "tests/support/tiny.h"

#define YAML                      \
	"machine: generic-2cpu\n" \
	"governor: %s\n"          \
	"workload: { name: load-series, file: \"%s\"%s }\n"
#define HEAD                                                                    \
	"{ \"quantumSec\": 0.001, \"windowQuantum\": 10, \"efficiency\": 1638," \
	"\"loadScale\": 100, \"coreNum\": 2, "
/* At the machine's own clock. */
#define SERIES HEAD "\"freq\": 2940, \"windowedLoad\": [[40,40,7,0],[95,31,95,1],[20,0,20,0]] }"

static struct tiny tiny;
static char said[1024];

static void teardown(void)
{
	recording_remove();
	tiny_free(&tiny);
}

TestSuite(load_series, .fini = teardown);

static void run(const char *governor, const char *more)
{
	char yaml[512];

	tiny_free(&tiny);
	snprintf(yaml, sizeof(yaml), YAML, governor, recording_text(SERIES), more);
	tiny_run(&tiny, yaml, NULL, 0);
}

static int64_t cpu_us(void)
{
	return (tiny.run.kernel.user_ns + tiny.run.kernel.sys_ns + 500) / 1000;
}

static double late(void)
{
	struct measure out[MEASURES_MAX];

	tiny.scenario.workload->measure(&tiny.run.workload_ctx, tiny.run.elapsed_ns, out);
	cr_assert(eq(str, (char *)out[2].name, "late_windows"));
	return out[2].value;
}

Test(load_series, each_window_has_its_load)
{
	run("performance", "");
	cr_expect(eq(i64, tiny.run.elapsed_ns, 22 * NSEC_PER_MSEC));
	cr_expect(eq(i64, cpu_us(), 100 * (40 + 7 + 31 + 95 + 20)));
	cr_expect(eq(dbl, late(), 0.0));
}

Test(load_series, what_is_left_of_a_window_is_done_in_the_next)
{
	/* 19 ms from 10 ms on, then 4 ms. */
	run("powersave", "");
	cr_expect(eq(i64, tiny.run.elapsed_ns, 33 * NSEC_PER_MSEC));
	cr_expect(eq(dbl, late(), 1.0));
}

Test(load_series, another_efficiency_is_other_work)
{
	run("performance", ", efficiency: 819");
	cr_expect(eq(i64, cpu_us(), 200 * (40 + 7 + 31 + 95 + 20)));
}

struct refused {
	char json[300], message[160];
};

ParameterizedTestParameters(load_series, mistakes_name_their_place)
{
	static struct refused refused[] = {
		{ "{ }", "is no load series: \"quantumSec\" is missing" },
		{ "{ \"quantumSec\": 7000 }", "quantumSec: 7000 is not a number of seconds" },
		{ HEAD "\"freq\": 0 }", "freq: 0 is not a whole number in 1..10000" },
		{ HEAD "\"freq\": 5 }", "\"windowedLoad\" is missing" },
		{ HEAD "\"freq\": 5, \"windowedLoad\": [] }", "\"windowedLoad\" is missing" },
		{ HEAD "\"freq\": 5, \"windowedLoad\": [[1, 2]] }",
			"a row has the largest load and those of 2 CPUs" },
		{ HEAD "\"freq\": 5, \"windowedLoad\": [[1, 2, 201]] }",
			"201 is not a whole number in 0..200" },
	};
	return cr_make_param_array(struct refused, refused, sizeof(refused) / sizeof(refused[0]));
}

ParameterizedTest(struct refused *r, load_series, mistakes_name_their_place)
{
	char yaml[512];

	snprintf(yaml, sizeof(yaml), YAML, "performance", recording_text(r->json), "");
	cr_expect(ne(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", r->json);
	cr_expect(ne(ptr, strstr(tiny.err.text, r->message), NULL), "%s", tiny.err.text);
}

static void take_line(void *arg, const char *name, const char *value)
{
	size_t used = strlen(said);

	(void)arg;
	snprintf(said + used, sizeof(said) - used, "%s: %s\n", name, value);
}

/* Rows and mean largest load as their notes give them. */
struct figures {
	char name[32], windows[64], mean[48];
};

ParameterizedTestParameters(load_series, series_of_others)
{
	static struct figures figures[] = {
		{ "idle-music", "windows: 3078 of 10 ms on 4 CPUs\n", ": 12.3 %\n" },
		{ "wx-chat", "windows: 3088 of", ": 26.0 %\n" },
		{ "share-feed", "windows: 3077 of", ": 29.2 %\n" },
		{ "bili-danmu", "windows: 2092 of", ": 34.6 %\n" },
		{ "twitter-feed", "windows: 2817 of", ": 43.1 %\n" },
		{ "task-switch", "windows: 2783 of", ": 50.5 %\n" },
		{ "game-7days-city-regular", "windows: 3086 of", ": 58.5 %\n" },
	};
	return cr_make_param_array(struct figures, figures, sizeof(figures) / sizeof(figures[0]));
}

ParameterizedTest(struct figures *f, load_series, series_of_others)
{
	const char *named = getenv("CPUFREQSIM_WORKLOADS");
	char path[256], yaml[512];

	snprintf(path, sizeof(path), "%s/load-series/%s.json",
		named ? named : "../shared/workloads", f->name);
	if (access(path, R_OK) != 0)
		cr_skip("not checked: no file %s (CPUFREQSIM_WORKLOADS names another place)", path);
	snprintf(yaml, sizeof(yaml), YAML, "performance", path, "");
	cr_assert(eq(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", tiny.err.text);
	tiny.scenario.workload->describe(&tiny.run.workload_ctx, take_line, NULL);
	cr_expect(ne(ptr, strstr(said, f->windows), NULL), "%s", said);
	cr_expect(ne(ptr, strstr(said, f->mean), NULL), "%s", said);
}
