/*
 * Configuration files, damaged at random but the same way every time. Whatever comes of it is a
 * scenario or one message; never a crash, never a silent refusal.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/scenario/scenario.h"
#include "tests/support/damage.h"
#include "workloads/workloads.h"

#define MAX_TEXT 8192
#define ROUNDS 4000

static const struct catalog catalog = { governors, drivers, workloads };

/* Pieces that mean something to YAML or to a number reader. */
static const char *const pieces[] = { ":", ": ", "\n", "\n  ", "- ", "[", "]", "{", "}", ",", "#",
	"'", "\"", "\t", "&a ", "*a", "!!str ", "---\n", "? ", "|\n", ">\n", "%", "@", "\\",
	"\"\\0\"", "-1", "0", "9223372036854775807", "1e9", "0.5", "auto", "ms", "GHz", "name",
	"machine", "\xff", "\xc3", "\xc3\xa4", "\x7f", "\xe2\x80\xa8", "\xef\xbb\xbf", "0-1023",
	"<<: ", "" };

static unsigned char text[MAX_TEXT];
static struct damaged sample = { text, 0, MAX_TEXT, pieces, 40 };

static void read_sample(const char *path)
{
	FILE *f = fopen(path, "r");

	cr_assert(f != NULL, "%s", path);
	sample.len = fread(text, 1, MAX_TEXT, f);
	fclose(f);
}

static void write_damaged(const char *path)
{
	FILE *f = fopen(path, "w");

	cr_assert(f != NULL, "%s", path);
	fwrite(text, 1, sample.len, f);
	fclose(f);
}

static void expect_scenario_or_message(const char *path)
{
	struct arena arena = { .limit_bytes = 64 * 1024 * 1024 };
	struct scenario scenario;
	struct machine_spec machine;
	struct error scenario_err = { 0 }, machine_err = { 0 };

	if (arena_try(&arena))
		cr_fatal("more than 64 MiB");
	int rc = scenario_load(&arena, &catalog, path, NULL, 0, &scenario, &scenario_err);
	cr_assert(eq(int, rc, scenario_err.code ? -1 : 0), "%s", scenario_err.text);
	rc = machine_load(&arena, path, &machine, &machine_err);
	cr_assert(eq(int, rc, machine_err.code ? -1 : 0), "%s", machine_err.text);
	cr_assert(rc == 0 || strlen(machine_err.text) > strlen(path));
	cr_assert(eq(ptr, strpbrk(scenario_err.text, "\n\033"), NULL), "%s", scenario_err.text);
	arena_free(&arena);
}

Test(fuzz_yaml, damaged_files_give_a_scenario_or_a_message)
{
	char path[] = "/tmp/cpufreqsim-fuzz-XXXXXX";
	struct rng rng;
	glob_t found;

	int fd = mkstemp(path);
	cr_assert(fd >= 0);
	close(fd);
	cr_assert(eq(int, glob("configs/machines/*.yaml", 0, NULL, &found), 0));
	cr_assert(eq(int, glob("configs/scenarios/*.yaml", GLOB_APPEND, NULL, &found), 0));
	for (uint64_t round = 0; round < ROUNDS; round++) {
		rng_set(&rng, 4711, round);
		read_sample(found.gl_pathv[round % found.gl_pathc]);
		for (uint32_t n = 1 + rng_below(&rng, 6); n; n--)
			damage(&sample, &rng);
		write_damaged(path);
		expect_scenario_or_message(path);
	}
	globfree(&found);
	unlink(path);
}
