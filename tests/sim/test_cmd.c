#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/program.h"

static struct program p;
static char top[64];

static void leave(void)
{
	remove_tree(top);
}

static void enter(void)
{
	strcpy(top, "/tmp/test_cmd_XXXXXX");
	cr_assert(ne(ptr, mkdtemp(top), NULL));
}

/* A path below the test's own directory; four can be in use at a time. */
static const char *inside(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", top, name);
	return path;
}

static const char *scenario(const char *name, const char *text)
{
	const char *path = inside(name);
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
	return path;
}

#define SMALL                                                                                    \
	"machine: generic-2cpu\n"                                                                \
	"governor: { name: performance }\n"                                                      \
	"workload: { name: periodic, tasks: 3, period: 43ms, run: 7ms, jitter: 0.21, loops: 97 " \
	"}\n"                                                                                    \
	"run: { seed: 43815, repeats: 5, sample_interval: 613ms }\n"

static bool says(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static int entries(const char *path)
{
	DIR *dir = opendir(path);
	int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr - 2;
}

static void assert_same_file(const char *a, const char *b)
{
	char *text_a = file_text(a), *text_b = file_text(b);

	cr_assert(eq(str, text_a, text_b));
	free(text_a);
	free(text_b);
}

Test(cmd, no_command_prints_usage_and_is_wrong_usage)
{
	program_run(&p, NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "cpufreq-sim: no command given\n"));
	cr_assert(eq(str, p.out, ""));
}

Test(cmd, help_and_version_are_fine)
{
	program_run(&p, "--help", NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out, "reproduce"));
	program_run(&p, "--version", NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out, "cpufreq-sim "));
	program_run(&p, "run", "--help", NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out, "usage: cpufreq-sim run [OPTION]... SCENARIO\n"));
	cr_assert(says(p.out, "-o, --output DIR"));
}

Test(cmd, an_unknown_command_names_the_nearest)
{
	program_run(&p, "reprodcue", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(eq(str, p.err,
		"cpufreq-sim: unknown command \"reprodcue\"; did you mean \"reproduce\"?\n"));
}

Test(cmd, an_unknown_option_names_the_nearest)
{
	program_run(&p, "run", "--repeat", "3", "x.yaml", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(eq(str, p.err,
		"cpufreq-sim: unknown option --repeat of run; did you mean \"--repeats\"?\n"));
}

Test(cmd, options_say_when_their_value_is_missing_wrong_or_too_much)
{
	program_run(&p, "run", "x.yaml", "--jobs", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "--jobs needs a value: N"));
	program_run(&p, "run", "x.yaml", "--jobs=0", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "--jobs: \"0\" is not a whole number in 1..256"));
	program_run(&p, "show", "x.yaml", "--map=3", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "--map takes no value"));
	program_run(&p, "run", "x.yaml", "--format", "cvs", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "unknown format \"cvs\"; did you mean \"csv\"?"));
}

Test(cmd, missing_and_surplus_operands_are_wrong_usage)
{
	program_run(&p, "run", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "run: the scenario is missing; usage: cpufreq-sim run SCENARIO"));
	program_run(&p, "run", "a.yaml", "b.yaml", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "unexpected \"b.yaml\" after \"a.yaml\""));
	program_run(&p, "check", NULL);
	cr_assert(eq(int, p.status, 64));
	program_run(&p, "show", NULL);
	cr_assert(eq(int, p.status, 64));
	program_run(&p, "reproduce", "--repeats", "0", NULL);
	cr_assert(eq(int, p.status, 64));
}

Test(cmd, after_two_dashes_everything_is_an_operand)
{
	program_run(&p, "check", "--", "--map", NULL);
	cr_assert(eq(int, p.status, 2));
	cr_assert(says(p.err, "--map: No such file"));
}

Test(cmd, a_wrong_scenario_is_named_with_its_place, .init = enter, .fini = leave)
{
	program_run(&p, "run",
		scenario("a.yaml",
			"machine: generic-2cpu\ngovernor: { name: performence }\nworkload: idle\n"),
		NULL);
	cr_assert(eq(int, p.status, 2));
	cr_assert(says(p.err,
		"a.yaml:2:19: unknown governor \"performence\"; "
		"did you mean \"performance\"?"));
	cr_assert(eq(str, p.out, ""));
}

Test(cmd, a_workload_that_never_ends_needs_a_duration, .init = enter, .fini = leave)
{
	program_run(&p, "check",
		scenario(
			"a.yaml", "machine: generic-2cpu\ngovernor: performance\nworkload: idle\n"),
		NULL);
	cr_assert(eq(int, p.status, 2));
	cr_assert(says(p.err, "run.duration is missing"));
}

Test(cmd, a_run_that_does_not_end_has_failed_and_leaves_nothing, .init = enter, .fini = leave)
{
	program_run(&p, "run",
		scenario("a.yaml",
			"machine: generic-2cpu\ngovernor: performance\n"
			"workload: { name: periodic, period: 1000s, run: 1ms }\n"),
		"-o", inside("out/deep"), NULL);
	cr_assert(eq(int, p.status, 1));
	cr_assert(says(p.err, "has not ended after 3600 s"));
	cr_assert(eq(int, entries(top), 1));
}

Test(cmd, a_wrong_trace_has_its_own_status, .init = enter, .fini = leave)
{
	scenario("bad.ftrace", "this is not a trace\n");
	program_run(&p, "run",
		scenario("a.yaml",
			"machine: generic-2cpu\ngovernor: performance\n"
			"workload: { name: trace, file: bad.ftrace }\n"),
		NULL);
	cr_assert(eq(int, p.status, 3));
}

Test(cmd, check_says_ok_for_each_file, .init = enter, .fini = leave)
{
	program_run(
		&p, "check", "configs/machines/generic-2cpu.yaml", scenario("a.yaml", SMALL), NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out, "configs/machines/generic-2cpu.yaml: ok\n"));
	cr_assert(says(p.out, "a.yaml: ok\n"));
}

Test(cmd, output_does_not_depend_on_the_number_of_threads, .init = enter, .fini = leave)
{
	static struct program one, two;

	scenario("a.yaml", SMALL);
	program_run(&one, "run", inside("a.yaml"), "--jobs", "1", "--format", "csv", "-o",
		inside("one"), NULL);
	program_run(&two, "run", inside("a.yaml"), "--jobs", "2", "--format", "csv", "-o",
		inside("two"), NULL);
	cr_assert(eq(int, one.status, 0), "%s", one.err);
	cr_assert(eq(int, two.status, 0), "%s", two.err);
	cr_assert(eq(str, one.out, two.out));
	assert_same_file(inside("one/runs.csv"), inside("two/runs.csv"));
	assert_same_file(inside("one/manifest.yaml"), inside("two/manifest.yaml"));
	assert_same_file(inside("one/series-power.csv"), inside("two/series-power.csv"));
	assert_same_file(inside("one/residency.csv"), inside("two/residency.csv"));
}

Test(cmd, a_manifest_reproduces_its_runs_byte_for_byte, .init = enter, .fini = leave)
{
	scenario("a.yaml", SMALL);
	program_run(&p, "run", inside("a.yaml"), "--seed", "7919", "--repeats", "3", "--set",
		"limits.scaling_max_freq=2205MHz", "-o", inside("one"), NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	program_run(&p, "run", inside("one/manifest.yaml"), "-o", inside("two"), NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	assert_same_file(inside("one/runs.csv"), inside("two/runs.csv"));
	assert_same_file(inside("one/manifest.yaml"), inside("two/manifest.yaml"));
	char *text = file_text(inside("one/manifest.yaml"));
	cr_assert(says(text, "seed: 7919"));
	cr_assert(says(text, "scaling_max_freq: 2205MHz"));
	free(text);
}

Test(cmd, a_manifest_finds_the_files_of_its_scenario_again, .init = enter, .fini = leave)
{
	program_run(&p, "run", "replay-kernelbuild-j1", "--set", "governor=performance", "-o",
		inside("one"), NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	program_run(&p, "run", inside("one/manifest.yaml"), "-o", inside("two"), NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	assert_same_file(inside("one/runs.csv"), inside("two/runs.csv"));
}

Test(cmd, an_output_directory_that_cannot_be_is_refused_before_the_run, .init = enter,
	.fini = leave)
{
	scenario("file", "x");
	program_run(&p, "run", scenario("a.yaml", SMALL), "-o", inside("file"), NULL);
	cr_assert(eq(int, p.status, 1));
	cr_assert(says(p.err, "file: not a directory"));
	cr_assert(eq(str, p.out, ""));
}

Test(cmd, the_table_has_the_columns_of_time_and_an_interval, .init = enter, .fini = leave)
{
	program_run(&p, "run", scenario("a.yaml", SMALL), NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(says(p.out, "user       sys   elapsed    CPU%"));
	cr_assert(says(p.out, "\n+-95%"));
	cr_assert(says(p.out, "(assumed power)"));
}

Test(cmd, json_holds_every_run, .init = enter, .fini = leave)
{
	program_run(&p, "run", scenario("a.yaml", SMALL), "--format", "json", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(says(p.out, "\"repeat\": 5,"));
}

Test(cmd, lists_name_plugins_files_and_metrics)
{
	program_run(&p, "list", NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out, "governors:\n"));
	cr_assert(says(p.out, "\ndl580-gen8 "));
	cr_assert(says(p.out, "\npcc-kernel-build "));
	cr_assert(says(p.out, "\nelapsed_s "));
	program_run(&p, "list", "drivers", NULL);
	cr_assert(says(p.out, "acpi-cpufreq "));
	cr_assert(not(says(p.out, "elapsed_s")));
	program_run(&p, "list", "machine", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "did you mean \"machines\"?"));
}

Test(cmd, help_shows_rows_of_a_plugin)
{
	program_run(&p, "help", "driver", "pcc-cpufreq", NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out, "command_time"));
	program_run(&p, "help", "governor", "powersave", NULL);
	cr_assert(says(p.out, "no parameters"));
	program_run(&p, "help", "driver", "pcc-cpufrq", NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "unknown driver \"pcc-cpufrq\"; did you mean \"pcc-cpufreq\"?"));
	program_run(&p, "help", "drive", "pcc-cpufreq", NULL);
	cr_assert(eq(int, p.status, 64));
	program_run(&p, "help", "driver", NULL);
	cr_assert(eq(int, p.status, 64));
	program_run(&p, "help", "driver", "pcc-cpufreq", "more", NULL);
	cr_assert(eq(int, p.status, 64));
}

Test(cmd, show_prints_policies_as_sysfs_does, .init = enter, .fini = leave)
{
	program_run(&p, "show", scenario("a.yaml", SMALL), NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out, "policy0, policy1:\n"));
	cr_assert(says(p.out, "scaling_available_frequencies  2940000 2205000 1470000\n"));
	cr_assert(says(p.out, "scaling_governor               performance\n"));
	program_run(&p, "show", "pcc-kernel-build", "--set", "governor=performance", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(says(p.out, "policy0..policy59:\n"));
	cr_assert(says(p.out, "cpuinfo_min_freq               1200000\n"));
}

Test(cmd, plot_says_what_it_cannot_draw, .init = enter, .fini = leave)
{
	program_run(&p, "plot", top, "-o", inside("a.gif"), NULL);
	cr_assert(eq(int, p.status, 64));
	cr_assert(says(p.err, "a.gif: unknown kind of picture; expected .png, .svg or .pdf"));
	program_run(&p, "plot", top, "-o", inside("a.png"), NULL);
	cr_assert(eq(int, p.status, 1));
	cr_assert(says(p.err, "no results to draw"));
	program_run(&p, "plot", top, NULL);
	cr_assert(eq(int, p.status, 64));
	program_run(&p, "plot", "-o", "a.png", NULL);
	cr_assert(eq(int, p.status, 64));
	program_run(&p, "plot", top, "--kind", "bar", "-o", inside("a.png"), NULL);
	cr_assert(eq(int, p.status, 64));
	program_run(&p, "plot", top, "--kind", "bars", "-o", inside("a.png"), NULL);
	cr_assert(eq(int, p.status, 1));
	cr_assert(says(p.err, "has no runs.csv with results"));
}

Test(cmd, plot_without_gnuplot_says_so_and_leaves_nothing, .init = enter, .fini = leave)
{
	program_run(&p, "run", scenario("a.yaml", SMALL), "-o", inside("out"), NULL);
	setenv("PATH", "/nonexistent", 1);
	program_run(&p, "plot", inside("out"), "-o", inside("a.png"), NULL);
	cr_assert(eq(int, p.status, 1));
	setenv("PATH", "/usr/bin:/bin", 1);
	cr_assert(says(p.err, "gnuplot was not found"));
	cr_assert(eq(int, entries(top), 2));
}

Test(cmd, plot_draws_every_kind, .init = enter, .fini = leave)
{
	static const char *const kinds[] = { "power", "residency", "bars" };
	struct stat st;

	if (access("/usr/bin/gnuplot", X_OK) != 0)
		cr_skip_test("no gnuplot");
	program_run(&p, "run", scenario("a.yaml", SMALL), "-o", inside("it's out"), NULL);
	for (int i = 0; i < 3; i++) {
		program_run(&p, "plot", inside("it's out"), "--kind", kinds[i], "-o",
			inside("a.svg"), NULL);
		cr_assert(eq(int, p.status, 0), "%s", p.err);
		cr_assert(eq(str, p.err, ""));
		cr_assert(eq(int, stat(inside("a.svg"), &st), 0));
		cr_assert(gt(i64, st.st_size, 4000));
	}
	/* Script and data stay beside the picture. */
	cr_assert(eq(int, entries(top), 5));
}

Test(cmd, plot_draws_an_experiment_against_its_published_numbers, .init = enter, .fini = leave)
{
	struct stat st;

	if (access("/usr/bin/gnuplot", X_OK) != 0)
		cr_skip_test("no gnuplot");
	scenario("figure.csv",
		"panel_nr,panel,series_nr,variant,numeric,x,axis,unit,published,simulated,ci95_lo,"
		"ci95_hi\n"
		"1,10ms,1,new,1,2,jobs,s,275.79,269.18,267.1,271.3\n"
		"1,10ms,1,new,1,32,jobs,s,37.05,41.16,40.5,42.1\n"
		"1,10ms,2,old,1,2,jobs,s,250.75,250.35,250.1,250.5\n"
		"2,90ms,1,new,1,2,jobs,s,NaN,283.69,283.69,283.69\n"
		"3,gain,1,new,0,1,new,%,5.4,3.69,3.1,4.2\n"
		"3,gain,2,old,0,2,old,%,NaN,2.69,2.1,3.2\n");
	program_run(&p, "plot", top, "-o", inside("a.png"), NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(eq(str, p.err, ""));
	cr_assert(eq(int, stat(inside("a.png"), &st), 0));
	cr_assert(gt(i64, st.st_size, 4000));
}

/* Linux 4.18 and later let no sampling governor run more than four CPUs behind one mailbox. */
Test(cmd, a_refused_pair_is_noted_and_performance_runs, .init = enter, .fini = leave)
{
	const char *path = scenario("refused.yaml",
		"machine: dl580-gen8\nkernel: { version: \"4.18\" }\ngovernor: ondemand\n"
		"workload: idle\nrun: { duration: 43ms }\n");
	const char *note = "Linux 4.18 refuses governor ondemand and falls back to performance";

	program_run(&p, "show", path, NULL);
	cr_assert(says(p.out, note));
	cr_assert(says(p.out, "scaling_governor               performance\n"));
	program_run(&p, "run", path, NULL);
	cr_assert(eq(int, p.status, 0));
	cr_assert(says(p.out, note));
	/* Other formats stay what they are. */
	program_run(&p, "run", path, "--format", "csv", NULL);
	cr_assert(not(says(p.out, note)));
	cr_assert(says(p.err, note));
}

Test(cmd, show_says_which_rules_a_kernel_has_and_how_well_they_are_known, .init = enter,
	.fini = leave)
{
	program_run(&p, "show", scenario("a.yaml", SMALL), "--set", "kernel.version=6.7", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(says(p.out, "6.6 .. 6.11, as in 6.6: only described (EEVDF"), "%s", p.out);
}
