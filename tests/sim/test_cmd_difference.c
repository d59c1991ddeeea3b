#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"

#define LOADS "configs/scenarios/explain-pcc-loads.yaml"

static struct program p;
static char top[64], first[96], second[96];

static void enter(void)
{
	strcpy(top, "/tmp/test_difference_XXXXXX");
	cr_assert(ne(ptr, mkdtemp(top), NULL));
	snprintf(first, sizeof(first), "%s/first", top);
	snprintf(second, sizeof(second), "%s/second", top);
	program_run(&p, "run", LOADS, "-o", first, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
}

static void leave(void)
{
	remove_tree(top);
}

TestSuite(cmd_difference, .init = enter, .fini = leave);

static void differ(const char *setting)
{
	program_run(&p, "run", LOADS, "--set", setting, "-o", second, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	program_run(&p, "compare", "--first-difference", first, second, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
}

/* Where a paragraph with this name at its head has the text; NULL: it has not. */
static const char *of(const char *name, const char *text)
{
	char head[128];
	const char *at, *end, *found;

	snprintf(head, sizeof(head), "\n%s:\n", name);
	at = strstr(p.out, head);
	cr_assert(ne(ptr, (void *)at, NULL), "no %s:\n%s", name, p.out);
	found = strstr(at, text);
	end = strstr(at + strlen(head), "\n\n");
	return found && (!end || found < end) ? found : NULL;
}

#define SAYS(name_, text_) \
	cr_assert(ne(ptr, (void *)of(name_, text_), NULL), "%s: no %s in\n%s", name_, text_, p.out)

static void says(const char *text)
{
	cr_assert(ne(ptr, strstr(p.out, text), NULL), "no %s in\n%s", text, p.out);
}

Test(cmd_difference, a_run_and_its_scenario_have_no_difference)
{
	program_run(&p, "compare", "--first-difference", first, LOADS, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(eq(str, p.out, "All 20 decisions are equal.\n"));
}

/* At load 0 both maps come to the minimum; at load 1 only the old one does. */
Test(cmd_difference, two_maps_part_at_the_first_load_above_0)
{
	differ("governor.load_map=old");
	says("The first decision is equal, at 0.000000000 s; the next one differs.");
	SAYS(first, "load=1%");
	SAYS(first, "requested=1216000kHz(C) resolved=1216000kHz, applied");
	SAYS(second, "load=1%");
	SAYS(second, "resolved=1200000kHz, not applied: equal to the current frequency");
}

/* Of 19 loads 64 is the first above 60: 0, 1, 4 and 0 go before it, behind the one at the start. */
Test(cmd_difference, two_thresholds_part_at_the_load_between_them)
{
	differ("governor.up_threshold=60");
	says("The first 4 decisions are equal");
	SAYS(first, " map: ");
	SAYS(second, " up_threshold: ");
	SAYS(second, "requested=2800000kHz(H)");
	says("different in:  up_threshold 95%, 60%");
}

Test(cmd_difference, a_run_that_ends_earlier_parts_there)
{
	differ("run.duration=100ms");
	says("decisions are equal, the last of them at 0.0");
	SAYS(second, "no decision number ");
	SAYS(second, ": the run has ended");
}

Test(cmd_difference, mistakes_are_explained)
{
	program_run(&p, "compare", "--first-difference", first, NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(ne(ptr, strstr(p.err, "--first-difference takes two runs or scenarios"), NULL));
	program_run(&p, "compare", "--first-difference", first, top, NULL);
	cr_assert(eq(int, p.status, 2));
	cr_assert(ne(ptr, strstr(p.err, "manifest.yaml: No such file"), NULL), "%s", p.err);
}
