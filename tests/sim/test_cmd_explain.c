#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/program.h"

static struct program p;

#define PCC "configs/scenarios/explain-pcc-loads.yaml"
#define HOLDOFF "configs/scenarios/explain-holdoff.yaml"

static bool says(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* The paragraph of the output that has @part, as a text of its own. */
static const char *paragraph(const char *part)
{
	static char text[4096];
	const char *at = strstr(p.out, part), *start = at, *end;

	if (!at)
		return "";
	while (start > p.out && !(start[-1] == '\n' && start[0] != ' '))
		start--;
	end = at;
	while (*end && !(end[0] == '\n' && end[1] != ' '))
		end++;
	snprintf(text, sizeof(text), "%.*s", (int)(end - start), start);
	return text;
}

static bool both(const char *text, const char *a, const char *b)
{
	return says(text, a) && says(text, b);
}

Test(cmd_explain, load_64_of_the_published_trace_is_decided_by_the_map)
{
	const char *text;

	program_run(&p, "run", PCC, "--explain", "cpu=0", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	text = paragraph("load=64%");
	cr_assert(both(text, " map: ", "od_update()"), "%s", text);
	cr_assert(
		both(text, "requested=2224000kHz(C) resolved=2224000kHz", ", applied"), "%s", text);
}

/* The loads of the trace and the frequencies that it shows, in order. */
Test(cmd_explain, nineteen_loads_give_the_nineteen_published_frequencies)
{
	static const struct {
		int load, khz, old_khz;
	} published[] = { { 1, 1216000, 1200000 }, { 4, 1264000, 1200000 }, { 0, 1200000, 1200000 },
		{ 64, 2224000, 1792000 }, { 4, 1264000, 1200000 }, { 0, 1200000, 1200000 },
		{ 2, 1232000, 1200000 }, { 4, 1264000, 1200000 }, { 0, 1200000, 1200000 },
		{ 1, 1216000, 1200000 }, { 0, 1200000, 1200000 }, { 0, 1200000, 1200000 },
		{ 1, 1216000, 1200000 }, { 0, 1200000, 1200000 }, { 0, 1200000, 1200000 },
		{ 2, 1232000, 1200000 }, { 0, 1200000, 1200000 }, { 1, 1216000, 1200000 },
		{ 0, 1200000, 1200000 } };

	for (int old = 0; old < 2; old++) {
		const char *at;
		int load, khz;

		program_run(&p, "run", PCC, "--set",
			old ? "governor.load_map=old" : "governor.load_map=new", "--explain",
			"cpu=0,from=1ms", NULL);
		at = p.out;
		for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
			at = strstr(at, " load=");
			cr_assert(at != NULL);
			load = (int)strtol(at + 6, NULL, 10);
			at = strstr(at, " resolved=");
			khz = (int)strtol(at + 10, NULL, 10);
			if (!old)
				cr_expect(eq(int, load, published[i].load));
			cr_expect(eq(int, khz, old ? published[i].old_khz : published[i].khz),
				"load %d", load);
		}
		cr_expect(not(says(at, " load=")));
	}
}

Test(cmd_explain, a_holdoff_of_three_periods_scales_the_busyness_and_stays_at_16)
{
	const char *text;

	program_run(&p, "run", HOLDOFF, "--explain", "cpu=0,from=44ms,to=45ms", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	text = paragraph("holdoff: ");
	cr_assert(both(text, "pstate=16", "duration=43815000ns"), "%s", text);
	cr_assert(both(text, "core_busy=101%", "scaled_busy=48%"), "%s", text);
	cr_assert(both(text, "raw=6 next_pstate=16 written=0", "nothing asked for"), "%s", text);
	cr_assert(both(text, "get_target_pstate_use_performance()", "holdoff=3"), "%s", text);
}

Test(cmd_explain, a_holdoff_of_twelve_periods_takes_it_as_it_is_and_goes_to_38)
{
	const char *text;

	program_run(&p, "run", HOLDOFF, "--set", "governor.holdoff=12", "--explain",
		"cpu=0,from=44ms,to=45ms", NULL);
	text = paragraph("pid: ");
	cr_assert(both(text, "core_busy=101%", "scaled_busy=214%"), "%s", text);
	cr_assert(both(text, "next_pstate=38 written=1", "requested=3800000kHz(L)"), "%s", text);
}

Test(cmd_explain, a_holdoff_that_zeroes_takes_the_core_as_idle)
{
	program_run(&p, "run", HOLDOFF, "--set", "governor.holdoff_action=zero", "--explain",
		"cpu=0", NULL);
	cr_assert(both(paragraph("holdoff: "), "scaled_busy=0%", "next_pstate=16"));
}

Test(cmd_explain, the_summary_adds_up_and_repeats_and_threads_do_not_matter)
{
	static char first[PROGRAM_MAX];
	long sum = 0, all = -1;

	program_run(&p, "run", PCC, "--explain", "summary", NULL);
	strcpy(first, p.out);
	for (char *line = strchr(p.out, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
		long nr = strtol(line + strcspn(line, " "), NULL, 10);

		if (strncmp(line, "all ", 4) == 0)
			all = nr;
		else
			sum += nr;
	}
	cr_assert(eq(long, sum, 20));
	cr_assert(eq(long, all, 20));
	program_run(&p, "run", PCC, "--explain", "summary", "--repeats", "3", "--jobs", "2", NULL);
	cr_assert(eq(str, p.out, first));
}

Test(cmd_explain, evaluations_outside_the_times_and_of_other_cpus_are_left_out)
{
	program_run(&p, "run", PCC, "--explain", "cpu=1", NULL);
	cr_assert(eq(str, p.out, ""));
	program_run(&p, "run", PCC, "--explain", "cpu=0,from=47ms,to=49ms", NULL);
	cr_assert(says(p.out, "load=64%"));
	cr_assert(not(says(p.out, "load=4%")));
}

static void refuse(const char *text, const char *message)
{
	program_run(&p, "run", PCC, "--explain", text, NULL);
	cr_expect(eq(int, p.status, 64), "%s", text);
	cr_expect(says(p.err, message), "%s: %s", text, p.err);
}

Test(cmd_explain, what_it_cannot_read_is_refused)
{
	refuse("cpu", "\"cpu\" is no KEY=VALUE");
	refuse("from=1s", "cpu=N is missing");
	refuse("cpu=0,form=1s", "did you mean \"from\"?");
	refuse("cpu=0,from=43q", "from");
	refuse("cpu=0,from=2s,to=1s", "to is before from");
	refuse("cpu=60", "the machine has CPUs 0..59");
	program_run(&p, "run", PCC, "--explain", "cpu=0", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "no --output or --format"));
}
