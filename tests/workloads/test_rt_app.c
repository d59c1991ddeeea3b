#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/recording.h"
#include "tests/support/tiny.h"

/* Both CPUs of the machine run at 2.94 GHz, its reference, or at half of that. */
#define YAML                      \
	"machine: generic-2cpu\n" \
	"governor: %s\n"          \
	"workload: { name: rt-app, file: \"%s\" }\n"

static struct tiny tiny;

static void teardown(void)
{
	recording_remove();
	tiny_free(&tiny);
}

TestSuite(rt_app, .fini = teardown);

static void run(const char *governor, const char *json)
{
	char yaml[512];

	tiny_free(&tiny);
	snprintf(yaml, sizeof(yaml), YAML, governor, recording_text(json));
	tiny_run(&tiny, yaml, NULL, 0);
}

static void lasts_us(const char *json, int64_t us)
{
	run("performance", json);
	cr_expect(eq(i64, tiny.run.elapsed_ns / 1000, us), "%s", json);
}

static int64_t cpu_us(void)
{
	return (tiny.run.kernel.user_ns + tiny.run.kernel.sys_ns + 500) / 1000;
}

#define TASKS(text) "{ \"tasks\": {" text "} }"

Test(rt_app, run_depends_on_the_clock_and_runtime_does_not)
{
	const char *json = TASKS("\"a\": { \"loop\": 3, \"run\": 4100, \"runtime\": 1300 }");

	run("performance", json);
	cr_expect(eq(i64, tiny.run.elapsed_ns, 3 * 5400 * NSEC_PER_USEC));
	run("powersave", json);
	cr_expect(eq(i64, tiny.run.elapsed_ns, 3 * 9500 * NSEC_PER_USEC));
}

Test(rt_app, comments_commas_bare_keys_and_repeated_keys)
{
	lasts_us("{ /* one */ \"tasks\": { // two\n"
		 "\t\"a\": { \"loop\": 1, \"run\": 1100, \"run\": 700, \"sleep\": 300, \"run2\": "
		 "50,\n"
		 "\t\t\"resume\", \"yield\": \"\", }, }, }",
		1100 + 700 + 300 + 50);
}

Test(rt_app, phases_and_their_loops)
{
	lasts_us(TASKS("\"a\": { \"loop\": 2, \"delay\": 900, \"phases\": {"
		       "\"p\": { \"loop\": 3, \"run\": 100 }, \"q\": { \"sleep\": 77 },"
		       "\"p\": { \"loop\": 0, \"run\": 5000 } } }"),
		900 + 2 * (300 + 77));
}

Test(rt_app, a_timer_keeps_its_period_and_starts_anew_when_late)
{
	/* 10 ms of period: expires at 10, 20; the long run ends at 45, from where it counts on. */
	lasts_us(TASKS("\"a\": { \"loop\": 1, \"phases\": {"
		       "\"p\": { \"loop\": 2, \"run\": 3000,"
		       "         \"timer\": { \"ref\": \"unique\", \"period\": 10000 } },"
		       "\"q\": { \"run\": 25000, \"timer\": { \"ref\": \"unique\", \"period\": "
		       "10000 } },"
		       "\"r\": { \"timer\": { \"ref\": \"unique\", \"period\": 10000 } } } }"),
		55000);
	lasts_us(
		TASKS("\"a\": { \"loop\": 1, \"run\": 25000,"
		      "\"timer\": { \"ref\": \"t\", \"period\": 10000, \"mode\": \"absolute\" },"
		      "\"timer\": { \"ref\": \"t\", \"period\": 10000, \"mode\": \"absolute\" },"
		      "\"timer\": { \"ref\": \"t\", \"period\": 10000, \"mode\": \"absolute\" } }"),
		30000);
}

Test(rt_app, suspend_and_resume)
{
	/* b runs when a says so, at 2 and 5 ms; a resume that finds nobody is lost. */
	lasts_us(TASKS("\"a\": { \"loop\": 1, \"sleep\": 2000, \"resume\": \"b\", \"sleep\": 3000,"
		       "         \"resume\": \"b\", \"resume\": \"b\" },"
		       "\"b\": { \"loop\": 2, \"suspend\", \"run\": 700 }"),
		5700);
}

Test(rt_app, a_lock_is_held_by_one_at_a_time)
{
	lasts_us(TASKS("\"a\": { \"instance\": 2, \"loop\": 1, \"lock\": \"m\", \"run\": 1500,"
		       "         \"unlock\": \"m\", \"unlock\": \"m\" }"),
		3000);
}

Test(rt_app, wait_gives_the_lock_up_and_signal_and_broad_wake)
{
	lasts_us(TASKS("\"a\": { \"instance\": 2, \"loop\": 1, \"lock\": \"m\","
		       "  \"wait\": { \"ref\": \"c\", \"mutex\": \"m\" }, \"run\": 1000,"
		       "  \"unlock\": \"m\" },"
		       "\"b\": { \"loop\": 1, \"sleep\": 4000, \"lock\": \"m\", \"run\": 500,"
		       "  \"broad\": \"c\", \"unlock\": \"m\" }"),
		4500 + 2 * 1000);
	lasts_us(TASKS("\"a\": { \"loop\": 1, \"lock\": \"m\","
		       "  \"sync\": { \"ref\": \"c\", \"mutex\": \"m\" }, \"unlock\": \"m\","
		       "  \"run\": 100 },"
		       "\"b\": { \"loop\": 1, \"sleep\": 4000, \"lock\": \"m\", \"signal\": \"c\","
		       "  \"unlock\": \"m\" }"),
		4100);
}

Test(rt_app, barriers_and_semaphores)
{
	lasts_us(TASKS("\"a\": { \"loop\": 1, \"run\": 300, \"barrier\": \"g\", \"run\": 1000 },"
		       "\"b\": { \"loop\": 1, \"sleep\": 4000, \"barrier\": \"g\" }"),
		5000);
	lasts_us(TASKS("\"a\": { \"loop\": 2, \"sem_wait\": \"s\", \"run\": 100 },"
		       "\"b\": { \"loop\": 1, \"sem_post\": \"s\", \"sleep\": 4000,"
		       "         \"sem_post\": \"s\" }"),
		4100);
}

Test(rt_app, fork_starts_another_instance)
{
	lasts_us(TASKS("\"a\": { \"loop\": 3, \"run\": 1000, \"fork\": \"b\" },"
		       "\"b\": { \"instance\": 0, \"loop\": 1, \"sleep\": 2000, \"run\": 400 }"),
		3000 + 2400);
	cr_expect(eq(i64, tiny.run.kernel.forks, 3));
	cr_expect(eq(i64, cpu_us(), 3000 + 3 * 400));
}

Test(rt_app, the_duration_ends_tasks_without_an_end)
{
	lasts_us("{ \"tasks\": { \"a\": { \"run\": 100, \"sleep\": 900 } },"
		 "  \"global\": { \"duration\": 2 } }",
		2000000);
	cr_expect(eq(i64, cpu_us(), 200000));
	/* Those that have one end before, or then. */
	lasts_us("{ \"tasks\": { \"a\": { \"loop\": 1, \"run\": 100 } },"
		 "  \"global\": { \"duration\": 2 } }",
		100);
	lasts_us("{ \"tasks\": { \"a\": { \"loop\": 9, \"sleep\": 700000 } },"
		 "  \"global\": { \"duration\": 2 } }",
		2100000);
}

Test(rt_app, priority_policy_and_cpus)
{
	/* On one CPU the real-time task runs first. */
	lasts_us(TASKS("\"a\": { \"loop\": 1, \"cpus\": [1], \"run\": 5000 },"
		       "\"b\": { \"loop\": 1, \"cpus\": [1], \"policy\": \"SCHED_FIFO\","
		       "         \"priority\": 40, \"sleep\": 1000, \"run\": 3000 }"),
		8000);
	/* The deadline task goes before the other, wherever that is put. */
	run("performance",
		TASKS("\"a\": { \"loop\": 1, \"cpus\": [0, 1], \"priority\": -19, \"run\": 500 },"
		      "\"d\": { \"loop\": 1, \"policy\": \"SCHED_DEADLINE\","
		      "         \"dl-runtime\": 1000, \"dl-period\": 10000, \"run\": 900,"
		      "         \"util_min\": 200, \"util_max\": 700 }"));
	cr_expect(ge(i64, tiny.run.elapsed_ns, 900 * NSEC_PER_USEC));
	cr_expect(le(i64, tiny.run.elapsed_ns, 1400 * NSEC_PER_USEC));
}

Test(rt_app, the_old_grammar_of_resources)
{
	/* a: 3 ms of work, 1 of it in r0, each 10 ms; b: woken by it, 2 ms. */
	run("performance",
		"{ \"tasks\": {"
		"\"a\": { \"exec\": 3000, \"period\": 10000, \"loop\": 5,"
		"  \"lock_order\": [\"r0\", \"trig\"],"
		"  \"resources\": { \"r0\": { \"duration\": 1000 }, \"trig\": { \"duration\": 0 } "
		"} },"
		"\"b\": { \"exec\": 2000, \"period\": 10000, \"loop\": 5, \"sleep\": false,"
		"  \"lock_order\": [\"w\"],"
		"  \"resources\": { \"w\": { \"duration\": 0, \"access\": [\"m\"] } } } },"
		"\"resources\": { \"r0\": { \"type\": \"run\" }, \"m\": { \"type\": \"mutex\" },"
		"  \"w\": { \"type\": \"wait\" },"
		"  \"trig\": { \"type\": \"signal\", \"target\": \"w\" } } }");
	cr_expect(eq(i64, tiny.run.elapsed_ns, 50 * NSEC_PER_MSEC));
	cr_expect(eq(i64, cpu_us(), 5 * 5000));
}

struct refused {
	char json[300], message[160];
};

ParameterizedTestParameters(rt_app, mistakes_name_their_place)
{
	static struct refused refused[] = {
		{ "[1]", ":1:1: found '['; expected '{'" },
		{ "{ \"tasks\": { \"a\": { \"run\": 5 }",
			"the file ends here; expected ',' or '}'" },
		{ "{ \"tasks\" 5 }", ":1:11: found '5'; expected ':' and a value, ',' or '}'" },
		{ "{ tasks: 5 }", ":1:3: found 't'; expected a key in quotes, or '}'" },
		{ "{ \"a\": 1 \"b\": 2 }", "expected ',' or '}'" },
		{ "{ \"a\": [1 2] }", "expected ',' or ']'" },
		{ "{ \"a\": [", "the file ends here; expected ']'" },
		{ "{ \"a\": }", "found '}'; expected a value" },
		{ "{ \"a", "expected the closing quote of a text" },
		{ "{ /* ", "expected the end of a comment" },
		{ "{ } 7", "expected the end of the file" },
		{ "{ }", "starts no task" },
		{ TASKS("\"a\": 7"), "task \"a\" is no map" },
		{ TASKS("\"a\": { \"phases\": { \"p\": 7 } }"), "a phase is a map of events" },
		{ TASKS("\"a\": { \"runn\": 7 }"),
			"unknown event \"runn\"; did you mean \"run\"?" },
		{ TASKS("\"a\": { \"run\": \"long\" }"),
			"run: long is not a whole number in 0..3600000000" },
		{ TASKS("\"a\": { \"timer\": { \"period\": 7 } }"), "timer: \"ref\" is missing" },
		{ TASKS("\"a\": { \"timer\": { \"ref\": \"t\" } }"),
			"timer: \"period\" is missing" },
		{ TASKS("\"a\": { \"lock\": 7 }"), "lock is missing or no text in quotes" },
		{ TASKS("\"a\": { \"wait\": { \"ref\": \"c\" } }"), "wait: \"mutex\" is missing" },
		{ TASKS("\"a\": { \"fork\": \"b\" }"), "fork: there is no task \"b\"" },
		{ TASKS("\"a\": { \"cpus\": [2], \"run\": 1 }"),
			"task \"a\" runs on CPU 2, and the machine has 2" },
		{ TASKS("\"a\": { \"policy\": \"SCHED_DEADLINE\", \"run\": 1 }"),
			"is SCHED_DEADLINE without \"dl-runtime\"" },
		{ TASKS("\"a\": { \"exec\": 5, \"lock_order\": [\"m0\"] }"),
			"resource \"m0\" is not described" },
		{ TASKS("\"a\": { \"exec\": 5, \"lock_order\": [7] }"),
			"lock_order: expected the name of a resource in quotes" },
	};
	return cr_make_param_array(struct refused, refused, sizeof(refused) / sizeof(refused[0]));
}

ParameterizedTest(struct refused *r, rt_app, mistakes_name_their_place)
{
	char yaml[512];

	snprintf(yaml, sizeof(yaml), YAML, "performance", recording_text(r->json));
	cr_expect(ne(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", r->json);
	cr_expect(eq(int, tiny.err.code, ERROR_SCENARIO));
	cr_expect(ne(ptr, strstr(tiny.err.text, r->message), NULL), "%s", tiny.err.text);
}

Test(rt_app, a_task_that_never_takes_time_ends)
{
	lasts_us(TASKS("\"a\": { \"resume\": \"b\" }, \"b\": { \"loop\": 1, \"run\": 100 }"), 100);
}

/* Every example of rt-app's own, where they are at hand; parts of a program are none. */
Test(rt_app, examples_of_others)
{
	const char *named = getenv("CPUFREQSIM_WORKLOADS");
	char pattern[512], yaml[1024];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/rt-app/*.json",
		named ? named : "../shared/workloads");
	if (glob(pattern, 0, NULL, &found) != 0)
		cr_skip("not checked: no files %s (CPUFREQSIM_WORKLOADS names another place)",
			pattern);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];

		tiny_free(&tiny);
		tiny.err = (struct error){ 0 };
		snprintf(
			yaml, sizeof(yaml), YAML "run: { duration: 500ms }\n", "performance", path);
		int built = tiny_build(&tiny, yaml, NULL, 0);
		if (strstr(path, "merge_"))
			cr_expect(ne(int, built, 0), "%s", path);
		else
			cr_expect(eq(int, built, 0), "%s", tiny.err.text);
	}
	cr_expect(eq(sz, found.gl_pathc, 20));
	globfree(&found);
}
