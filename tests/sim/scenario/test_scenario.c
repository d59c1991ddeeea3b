#include "sim/scenario/scenario.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/kernel/version.h"
#include "sim/workload.h"

struct settings {
	int64_t rate_us, threshold_pct;
	const char *file;
};

static const struct param rows[] = {
	PARAM_INT(struct settings, rate_us, "sampling_rate", UNIT_US, 1, 1000000, PARAM_AUTO, "r"),
	PARAM_INT(struct settings, threshold_pct, "up_threshold", UNIT_PCT, 1, 100, 80, "t"),
	PARAM_TEXT(struct settings, file, "file", NULL, "f"),
	PARAM_END,
};

static const struct governor ondemand = {
	.name = "ondemand", .params = rows, .tunables_size = sizeof(struct settings)
};
static const struct governor performance = { .name = "performance" };
static const struct driver pcc = {
	.name = "pcc-cpufreq", .params = rows, .params_size = sizeof(struct settings)
};
static const struct driver null = { .name = "null" };
static const struct workload build = {
	.name = "kernel-build", .params = rows, .params_size = sizeof(struct settings)
};

static const struct governor *const governors[] = { &ondemand, &performance, NULL };
static const struct driver *const drivers[] = { &pcc, &null, NULL };
static const struct workload *const workloads[] = { &build, NULL };
static const struct catalog catalog = { governors, drivers, workloads };

static struct arena arena;
static struct error err;
static struct scenario scenario;
static char top[] = "/tmp/cpufreqsim-scenario-XXXXXX";
static char file[64];

#define MACHINE                                                                               \
	"name: duo\ncpus: [ { cpus: 0-1 } ]\npolicies: per-cpu\nclock: {}\nreference: 1GHz\n" \
	"frequency_table: [ { freq: 1GHz, voltage: 1V, power: 1W } ]\n"                       \
	"idle: [ { name: C1, exit_latency: 1us, target_residency: 1us } ]\n"

static void write_file(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs(text, f);
	fclose(f);
}

static void make_folder(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	cr_assert(eq(int, mkdir(path, 0700), 0));
}

/* TOP/scenarios/s.yaml and TOP/machines/duo.yaml, as in configs/. */
static void start(void)
{
	cr_assert(mkdtemp(top) != NULL);
	make_folder("machines");
	make_folder("scenarios");
	snprintf(file, sizeof(file), "%s/scenarios/s.yaml", top);
	write_file("machines/duo.yaml",
		MACHINE "driver: pcc-cpufreq\n"
			"drivers: { pcc-cpufreq: { up_threshold: 43, sampling_rate: 510us } }\n");
	write_file("machines/bare.yaml", MACHINE);
	unsetenv("CPUFREQSIM_CONFIGS");
}

static void stop(void)
{
	char command[128];

	arena_free(&arena);
	snprintf(command, sizeof(command), "rm -rf %s", top);
	cr_assert(eq(int, system(command), 0));
}

TestSuite(scenario, .init = start, .fini = stop);

static int load_set(const char *text, const char *const *set, size_t nr)
{
	write_file("scenarios/s.yaml", text);
	err = (struct error){ 0 };
	if (arena_try(&arena))
		cr_fatal("out of memory");
	return scenario_load(&arena, &catalog, file, set, nr, &scenario, &err);
}

static void load(const char *text)
{
	cr_assert(eq(int, load_set(text, NULL, 0), 0), "%s", err.text);
}

/* @message follows the path of the scenario file, or of the file under TOP that it names. */
static void expect_refused(const char *text, const char *message)
{
	char expected[512];

	cr_assert(eq(int, load_set(text, NULL, 0), -1), "%s", text);
	bool other = *message != ':';
	snprintf(expected, sizeof(expected), "%s%s%s", other ? top : file, other ? "/" : "",
		message);
	cr_assert(eq(str, err.text, expected));
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
}

#define REST "governor: ondemand\nworkload: kernel-build\n"

static const struct settings *tunables(void)
{
	return scenario.tunables;
}

Test(scenario, defaults_fill_what_is_not_said)
{
	load("machine: duo\n" REST);
	cr_assert(eq(str, (char *)scenario.path, file));
	cr_assert(eq(str, (char *)scenario.machine.name, "duo"));
	cr_assert(eq(str, (char *)scenario.kernel.version_text, "6.1"));
	cr_assert(eq(i64, scenario.kernel.version, KVER(6, 1, 0)));
	cr_assert(eq(i64, scenario.kernel.hz, 250));
	cr_assert(eq(i64, scenario.kernel.nohz, 1));
	cr_assert(eq(i64, scenario.kernel.placement, PLACEMENT_LEAST_UTILISED));
	cr_assert(eq(i64, scenario.kernel.notifier_cost_ns, 0));
	cr_assert(eq(i64, scenario.kernel.notifiers, 0));
	cr_assert(eq(i64, scenario.kernel.work_cost_ns, 0));
	cr_assert(eq(i64, scenario.limits.min_khz, PARAM_AUTO));
	cr_assert(eq(i64, scenario.limits.max_khz, PARAM_AUTO));
	cr_assert(eq(i64, scenario.run.seed, 1));
	cr_assert(eq(i64, scenario.run.repeats, 1));
	cr_assert(eq(i64, scenario.run.duration_ns, PARAM_AUTO));
	cr_assert(eq(i64, scenario.run.sample_interval_ns, 1000000000));
	cr_assert(eq(ptr, (void *)scenario.governor, (void *)&ondemand));
	cr_assert(eq(ptr, (void *)scenario.workload, (void *)&build));
	cr_assert(eq(i64, tunables()->rate_us, PARAM_AUTO));
	cr_assert(eq(i64, tunables()->threshold_pct, 80));
}

Test(scenario, every_section_reaches_its_fields)
{
	load("machine: machines/bare.yaml\n"
	     "kernel: { version: 4.10, hz: 300, nohz: no, placement: spread-random,\n"
	     "  notifier_cost: 2us, notifiers: 3, work_cost: 417ns }\n"
	     "limits: { scaling_min_freq: 1.2GHz, scaling_max_freq: 1885MHz }\n"
	     "driver: { name: pcc-cpufreq, up_threshold: 17 }\n"
	     "governor: { name: ondemand, sampling_rate: 43.815ms, file: a/b }\n"
	     "workload: { name: kernel-build, up_threshold: 63 }\n"
	     "run: { seed: 4711, repeats: 5, duration: 12.5s, sample_interval: 7ms }\n");
	cr_assert(eq(i64, scenario.kernel.version, KVER(4, 10, 0)));
	cr_assert(eq(i64, scenario.kernel.hz, 300));
	cr_assert(eq(i64, scenario.kernel.nohz, 0));
	cr_assert(eq(i64, scenario.kernel.placement, PLACEMENT_SPREAD_RANDOM));
	cr_assert(eq(i64, scenario.kernel.notifier_cost_ns, 2000));
	cr_assert(eq(i64, scenario.kernel.notifiers, 3));
	cr_assert(eq(i64, scenario.kernel.work_cost_ns, 417));
	cr_assert(eq(i64, scenario.limits.min_khz, 1200000));
	cr_assert(eq(i64, scenario.limits.max_khz, 1885000));
	cr_assert(eq(ptr, (void *)scenario.driver, (void *)&pcc));
	cr_assert(eq(i64, ((const struct settings *)scenario.driver_params)->threshold_pct, 17));
	cr_assert(eq(i64, tunables()->rate_us, 43815));
	cr_assert(eq(str, (char *)tunables()->file, "a/b"));
	cr_assert(eq(i64, ((const struct settings *)scenario.workload_params)->threshold_pct, 63));
	cr_assert(eq(i64, scenario.run.seed, 4711));
	cr_assert(eq(i64, scenario.run.repeats, 5));
	cr_assert(eq(i64, scenario.run.duration_ns, 12500000000));
	cr_assert(eq(i64, scenario.run.sample_interval_ns, 7000000));
}

Test(scenario, the_machine_names_driver_and_its_settings)
{
	const struct settings *params;

	load("machine: duo\n" REST);
	params = scenario.driver_params;
	cr_assert(eq(ptr, (void *)scenario.driver, (void *)&pcc));
	cr_assert(eq(i64, params->threshold_pct, 43));
	cr_assert(eq(i64, params->rate_us, 510));
	load("machine: duo\ndriver: { up_threshold: 17 }\n" REST);
	params = scenario.driver_params;
	cr_assert(eq(ptr, (void *)scenario.driver, (void *)&pcc));
	cr_assert(eq(i64, params->threshold_pct, 17));
	cr_assert(eq(i64, params->rate_us, 510));
	load("machine: duo\ndriver: null\n" REST);
	cr_assert(eq(ptr, (void *)scenario.driver, (void *)&null));
}

Test(scenario, the_command_line_wins)
{
	static const char *const set[] = { "governor.sampling_rate=20ms", "run.seed=7",
		"governor.sampling_rate=30ms", "kernel={ hz: 1000 }" };

	cr_assert(eq(int, load_set("machine: duo\n" REST, set, 4), 0), "%s", err.text);
	cr_assert(eq(i64, tunables()->rate_us, 30000));
	cr_assert(eq(i64, scenario.run.seed, 7));
	cr_assert(eq(i64, scenario.kernel.hz, 1000));
	cr_assert(eq(ptr, (void *)scenario.governor, (void *)&ondemand));
}

Test(scenario, a_mistake_on_the_command_line_names_the_assignment)
{
	static const char *const rate[] = { "governor.sampling_rate=20m" };
	static const char *const key[] = { "governor.samplng_rate=20ms" };
	static const char *const section[] = { "govenor.sampling_rate=20ms" };
	static const char *const syntax[] = { "governor" };

	cr_assert(eq(int, load_set("machine: duo\n" REST, rate, 1), -1));
	cr_assert(eq(str, err.text,
		"(command line) governor.sampling_rate=20m: sampling_rate: \"20m\" is not a whole "
		"number of us; expected 1us..1s or auto (units: us ns ms s min)"));
	cr_assert(eq(int, load_set("machine: duo\n" REST, key, 1), -1));
	cr_assert(eq(str, err.text,
		"(command line) governor.samplng_rate=20ms: unknown key \"samplng_rate\" in "
		"governor "
		"ondemand; did you mean \"sampling_rate\"?"));
	cr_assert(eq(int, load_set("machine: duo\n" REST, section, 1), -1));
	cr_assert(eq(str, err.text,
		"(command line) govenor.sampling_rate=20ms: unknown key \"govenor\" in a scenario; "
		"did you mean \"governor\"?"));
	cr_assert(eq(int, load_set("machine: duo\n" REST, syntax, 1), -1));
	cr_assert(
		eq(str, err.text, "(command line) governor: no \"=\"; expected section.key=value"));
}

Test(scenario, missing_sections_are_named)
{
	expect_refused(REST,
		": section \"machine\" is missing; expected machine: FILE or the name of one");
	expect_refused("machine: duo\nworkload: kernel-build\n",
		": section \"governor\" is missing; known: ondemand, performance");
	expect_refused("machine: duo\ngovernor: ondemand\n",
		": section \"workload\" is missing; known: kernel-build");
	expect_refused("machine: bare\n" REST,
		": section \"driver\" is missing; known: pcc-cpufreq, null");
	expect_refused("machine: bare\ndriver: { up_threshold: 3 }\n" REST,
		":2:9: driver: \"name\" is missing; known: pcc-cpufreq, null");
}

Test(scenario, unknown_names_meet_their_nearest)
{
	expect_refused("machine: duo\ngoverner: ondemand\n",
		":2:1: unknown key \"governer\" in a scenario; did you mean \"governor\"?");
	expect_refused("machine: duo\ngovernor: ondemnd\nworkload: kernel-build\n",
		":2:11: unknown governor \"ondemnd\"; did you mean \"ondemand\"?");
	expect_refused("machine: duo\ndriver: { name: pcc }\n" REST,
		":2:17: unknown driver \"pcc\"; did you mean \"pcc-cpufreq\"?");
	expect_refused("machine: duo\ngovernor: ondemand\nworkload: hackbench\n",
		":3:11: unknown workload \"hackbench\"; known: kernel-build");
	expect_refused("machine: duo\nworkload: kernel-build\n"
		       "governor: { name: ondemand, up_treshold: 3 }\n",
		":3:29: unknown key \"up_treshold\" in governor ondemand; did you mean "
		"\"up_threshold\"?");
	expect_refused("machine: duo\nworkload: kernel-build\n"
		       "governor: { name: performance, up_threshold: 3 }\n",
		":3:32: unknown key \"up_threshold\" in governor performance; known: name, "
		"policies");
	expect_refused("machine: duo\nkernel: { hertz: 3 }\n" REST,
		":2:11: unknown key \"hertz\" in kernel; known: patches, version, hz, "
		"tick_latency, nohz, cpuidle, exit_latency, placement, energy_aware, balance, ...");
	expect_refused("machine: duo\nrun: { sed: 3 }\n" REST,
		":2:8: unknown key \"sed\" in run; did you mean \"seed\"?");
	expect_refused("machine: duo\nlimits: { max: 3 }\n" REST,
		":2:11: unknown key \"max\" in limits; known: scaling_min_freq, scaling_max_freq");
}

static const struct kernel_spec *kernel_of(const char *text)
{
	load(text);
	return &scenario.kernel;
}

Test(scenario, a_version_names_its_source)
{
	cr_assert(eq(uint,
		kernel_of("machine: duo\nkernel: { version: \"6.1.192\" }\n" REST)->patches, 0));
	cr_assert(eq(uint,
		kernel_of("machine: duo\nkernel: { version: \"6.1base\" }\n" REST)->patches,
		KERNEL_BASE));
	cr_assert(eq(uint,
		kernel_of("machine: duo\nkernel: { version: \"6.12\", patches: [consolidate-v7] "
			  "}\n" REST)
			->patches,
		KERNEL_CONSOLIDATED));
	cr_assert(eq(uint,
		kernel_of("machine: duo\nkernel: { version: \"6.12\", patches: [] }\n" REST)
			->patches,
		0));
}

Test(scenario, wrong_values_are_refused)
{
	expect_refused("machine: duo\nkernel: { hz: 500 }\n" REST,
		":2:15: hz: 500 is not one of 100, 250, 300, 1000");
	expect_refused("machine: duo\nkernel: { hz: 50 }\n" REST,
		":2:15: hz: 50 is out of range; expected 100..1000");
	expect_refused("machine: duo\nkernel: { version: six }\n" REST,
		":2:20: version: \"six\" is no kernel version; expected one like 4.8 or 6.1.192");
	expect_refused("machine: duo\nkernel: { version: \"2.4.37\" }\n" REST,
		":2:20: version: Linux 2.4.37 has no cpufreq; the first one is 2.6.0");
	expect_refused("machine: duo\nkernel: { version: \"4.8base\" }\n" REST,
		":2:20: version: \"4.8base\": base is for 5.10, 6.1 and 6.12, whose stable "
		"releases changed rules");
	expect_refused(
		"machine: duo\nkernel: { version: \"6.12\", patches: [consolidate-v6] }\n" REST,
		":2:38: patches: unknown patch \"consolidate-v6\"; did you mean "
		"\"consolidate-v7\"?");
	expect_refused(
		"machine: duo\nkernel: { version: \"4.8\", patches: [consolidate-v7] }\n" REST,
		":2:37: patches: consolidate-v7 is for kernel 6.12, not 4.8");
	expect_refused(
		"machine: duo\nkernel: { version: \"6.12\", patches: consolidate-v7 }\n" REST,
		":2:37: patches: found \"consolidate-v7\"; expected a list such as "
		"[consolidate-v7]");
	expect_refused("machine: duo\nkernel: { version: [4, 8] }\n" REST,
		":2:20: version: found list; expected one value");
	expect_refused("machine: duo\nkernel: 4.8\n" REST,
		":2:9: kernel: found \"4.8\"; expected a map { key: value, ... }");
	expect_refused("machine: duo\nrun: { repeats: 100001 }\n" REST,
		":2:17: repeats: 100001 is out of range; expected 1..100000");
	expect_refused("machine: duo\nrun: { sample_interval: 999us }\n" REST,
		":2:25: sample_interval: 999us is out of range; expected 1ms..3600s");
	expect_refused(
		"machine: duo\nlimits: { scaling_min_freq: 2GHz, scaling_max_freq: 1GHz }\n" REST,
		":2:9: limits: scaling_min_freq is above scaling_max_freq");
	expect_refused("machine: duo\nworkload: kernel-build\ngovernor: [ondemand]\n",
		":3:11: governor: found list; expected a name or { name: NAME, ... }");
	expect_refused("machine: [duo]\n" REST,
		":1:10: machine: found list; expected a file or the name of one");
	expect_refused("- a\n",
		":1:1: scenario: found list; expected sections machine, governor, workload, ...");
}

Test(scenario, machine_and_scenario_are_told_apart)
{
	expect_refused(MACHINE, ": is a machine file; expected a scenario");
	expect_refused("machine: scenarios/s.yaml\n" REST,
		"scenarios/s.yaml: is a scenario; expected a machine file");
	write_file("machines/loop.yaml", MACHINE "machine: loop\n");
	expect_refused("machine: loop\n" REST,
		"machines/loop.yaml:8:1: unknown key \"machine\" in a machine file; known: cpus, "
		"policies, clock, limits, "
		"frequency_table, voltage_points, tables, idle, power, memory, ...");
}

Test(scenario, settings_of_a_driver_in_the_machine_file_are_checked)
{
	write_file("machines/m.yaml", MACHINE "driver: null\ndrivers: { pcc: { x: 1 } }\n");
	expect_refused("machine: m\n" REST,
		"machines/m.yaml:9:12: unknown driver \"pcc\"; did you mean \"pcc-cpufreq\"?");
	write_file("machines/m.yaml", MACHINE "driver: null\ndrivers: { pcc-cpufreq: { x: 1 } }\n");
	expect_refused("machine: m\n" REST,
		"machines/m.yaml:9:27: unknown key \"x\" in driver pcc-cpufreq; known: name, "
		"sampling_rate, up_threshold, file");
	write_file("machines/m.yaml", MACHINE "driver: null\ndrivers: { pcc-cpufreq: 3 }\n");
	expect_refused("machine: m\n" REST,
		"machines/m.yaml:9:25: pcc-cpufreq: found \"3\"; expected a map { key: value, ... "
		"}");
	write_file("machines/m.yaml", MACHINE "driver: nul\n");
	expect_refused(
		"machine: m\n" REST, ":1:10: unknown driver \"nul\"; did you mean \"null\"?");
}

Test(scenario, a_machine_that_is_nowhere_meets_its_nearest)
{
	expect_refused("machine: dou\n" REST,
		":1:10: machine: there is no \"dou\"; did you mean \"duo\"?");
	expect_refused("machine: machines/dou.yaml\n" REST,
		":1:10: machine: there is no \"machines/dou.yaml\"; did you mean \"duo\"?");
	expect_refused("machine: /no/such\n" REST,
		":1:10: machine: there is no \"/no/such\"; known: bare, duo");
	expect_refused("machine: ../machines\n" REST,
		"scenarios/../machines: is a directory; expected a YAML file");
}

Test(scenario, machines_are_found_beside_above_and_in_configs)
{
	char configs[64];

	write_file("scenarios/near.yaml", MACHINE "driver: null\n");
	load("machine: near.yaml\n" REST);
	load("machine: ../machines/duo.yaml\n" REST);
	load("machine: machines/duo.yaml\n" REST);
	load("machine: configs/machines/generic-2cpu.yaml\ndriver: null\n" REST);
	load("machine: generic-2cpu\ndriver: null\n" REST);
	make_folder("other");
	make_folder("other/machines");
	write_file("other/machines/far.yaml", MACHINE "driver: null\n");
	snprintf(configs, sizeof(configs), "%s/other", top);
	setenv("CPUFREQSIM_CONFIGS", configs, 1);
	load("machine: far\n" REST);
	unsetenv("CPUFREQSIM_CONFIGS");
	expect_refused(
		"machine: far\n" REST, ":1:10: machine: there is no \"far\"; known: bare, duo");
}

Test(scenario, other_files_are_found_the_same_way)
{
	char expected[128];

	load("machine: duo\n" REST);
	write_file("scenarios/t.trace", "");
	snprintf(expected, sizeof(expected), "%s/scenarios/t.trace", top);
	cr_assert(eq(str, (char *)scenario_resolve(&arena, &scenario, "t.trace"), expected));
	cr_assert(eq(str, (char *)scenario_resolve(&arena, &scenario, "no.trace"), "no.trace"));
	cr_assert(eq(str, (char *)scenario_resolve(&arena, &scenario, expected), expected));
}

Test(scenario, a_key_has_a_place_or_its_section_has)
{
	load("machine: duo\ngovernor: { name: ondemand,\n  up_threshold: 63 }\n"
	     "workload: kernel-build\n");
	struct where at = scenario_where(&scenario, "governor.up_threshold");
	cr_assert(eq(int, at.line, 3));
	cr_assert(eq(int, at.col, 17));
	at = scenario_where(&scenario, "governor.sampling_rate");
	cr_assert(eq(int, at.line, 2));
	at = scenario_where(&scenario, "workload.jobs");
	cr_assert(eq(int, at.line, 4));
	at = scenario_where(&scenario, "run.seed");
	cr_assert(eq(int, at.line, 0));
	cr_assert(eq(str, (char *)at.file, file));
}

Test(scenario, a_tree_without_a_file_is_a_scenario_too)
{
	struct node *root;

	err = (struct error){ 0 };
	if (arena_try(&arena))
		cr_fatal("out of memory");
	yaml_read_text(&arena, "built", "machine: generic-2cpu\ndriver: null\n" REST, &root, &err);
	cr_assert(eq(int, scenario_from_tree(&arena, &catalog, root, &scenario, &err), 0), "%s",
		err.text);
	cr_assert(eq(int, scenario.machine.nr_cpus, 2));
}
