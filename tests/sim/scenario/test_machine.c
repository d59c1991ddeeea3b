#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/scenario/scenario.h"

static struct arena arena;
static struct error err;
static struct machine_spec spec;
static char file[] = "/tmp/cpufreqsim-machine-XXXXXX";

static void start(void)
{
	int fd = mkstemp(file);

	cr_assert(fd >= 0);
	close(fd);
}

static void stop(void)
{
	unlink(file);
	arena_free(&arena);
}

TestSuite(machine, .init = start, .fini = stop);

static int load(const char *path)
{
	err = (struct error){ 0 };
	if (arena_try(&arena))
		cr_fatal("out of memory");
	return machine_load(&arena, path, &spec, &err);
}

/* A small machine, one line a section; a test replaces or adds one. */
static const char *const sections[][2] = {
	{ "name", "name: duo" },
	{ "cpus", "cpus: [ { cpus: 0-3, package: 0, capacity: 446 }, { cpus: 4-5, package: 1 } ]" },
	{ "policies", "policies: [ 0-3, 4-5 ]" },
	{ "clock", "clock: { scope: policy, vote: all }" },
	{ "reference", "reference: 1885MHz" },
	{ "limits", "" },
	{ "opps",
		"frequency_table: [ { freq: 533MHz, voltage: 0.81125V }, "
		"{ freq: 1885MHz, clock: 2.1GHz, power: 1.7W, turbo: 1 } ]" },
	{ "idle",
		"idle: [ { name: WFI, exit_latency: 3us, target_residency: 17us, power: 43mW } ]" },
	{ "power", "power: { ceff: 417, leak: 91mW, rapl_unit: 15.3uJ }" },
	{ "rest", "" },
};

/* @text stands for the sections that @replaced names. */
static int load_with(const char *replaced, const char *text)
{
	FILE *f = fopen(file, "w");

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		bool same = strstr(replaced, sections[i][0]) != NULL;

		fprintf(f, "%s\n", same ? text : sections[i][1]);
		if (same)
			text = "";
	}
	fclose(f);
	return load(file);
}

static void expect_refused(const char *section, const char *text, const char *message)
{
	char expected[512];

	cr_assert(eq(int, load_with(section, text), -1), "%s", text);
	snprintf(expected, sizeof(expected), "%s%s", file, message);
	cr_assert(eq(str, err.text, expected));
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
}

Test(machine, every_value_reaches_its_field)
{
	cr_assert(eq(int, load_with("", ""), 0), "%s", err.text);
	cr_assert(eq(str, (char *)spec.name, "duo"));
	cr_assert(eq(str, (char *)spec.path, file));
	cr_assert(eq(int, spec.nr_cpus, 6));
	cr_assert(eq(int, spec.nr_packages, 2));
	cr_assert(eq(sz, spec.nr_cpu_ranges, 2));
	cr_assert(eq(i64, spec.cpus[0].capacity, 446));
	cr_assert(eq(i64, spec.cpus[1].capacity, 1024));
	cr_assert(eq(int, spec.cpus[1].first, 4));
	cr_assert(eq(int, spec.cpus[1].package, 1));
	cr_assert(eq(sz, spec.nr_policies, 2));
	cr_assert(eq(int, spec.policies[1].last, 5));
	cr_assert(eq(int, spec.clock_scope, CLOCK_POLICY));
	cr_assert(eq(int, spec.clock_vote, VOTE_ALL));
	cr_assert(eq(i64, spec.reference_khz, 1885000));
	cr_assert(eq(sz, spec.nr_tables, 1));
	const struct opp_table *table = machine_table(&spec, 1);
	cr_assert(eq(int, table->has_table, 1));
	cr_assert(eq(sz, table->nr_opps, 2));
	cr_assert(eq(i64, table->opps[0].uv, 811250));
	cr_assert(eq(i64, table->opps[0].clock_khz, 533000));
	cr_assert(eq(int, table->opps[0].turbo, 0));
	cr_assert(eq(i64, table->opps[1].clock_khz, 2100000));
	cr_assert(eq(i64, table->opps[1].power_uw, 1700000));
	cr_assert(eq(int, table->opps[1].turbo, 1));
	cr_assert(eq(ptr, table->points, table->opps));
	cr_assert(eq(i64, table->min_khz, 533000));
	cr_assert(eq(i64, table->max_khz, 1885000));
	cr_assert(eq(i64, table->ceff_uw_per_mhz_v2, 417));
	cr_assert(eq(i64, table->leak_uw, 91000));
	cr_assert(eq(sz, spec.nr_cstates, 1));
	cr_assert(eq(str, (char *)spec.cstates[0].name, "WFI"));
	cr_assert(eq(i64, spec.cstates[0].exit_latency_us, 3));
	cr_assert(eq(i64, spec.cstates[0].target_residency_us, 17));
	cr_assert(eq(i64, spec.cstates[0].power_uw, 43000));
	cr_assert(eq(i64, spec.power.ceff_uw_per_mhz_v2, 417));
	cr_assert(eq(i64, spec.power.leak_uw, 91000));
	cr_assert(eq(i64, spec.cpus[0].smt, 1));
	cr_assert(eq(i64, spec.power.rapl_unit_nj, 15300));
	cr_assert(eq(int, spec.power.assumed, 0));
	cr_assert(eq(i64, spec.memory.contention_ppm, 0));
	cr_assert(eq(ptr, (void *)spec.drivers, NULL));
	cr_assert(eq(ptr, (void *)spec.default_driver, NULL));
}

Test(machine, points_and_limits_stand_for_a_table)
{
	cr_assert(eq(int,
			  load_with("opps",
				  "voltage_points: [ { freq: 1.7GHz, voltage: 1V } ]\n"
				  "limits: { min: 417MHz, max: 2718MHz }\n"
				  "memory: { contention: 0.53 }\ndriver: pcc-cpufreq"),
			  0),
		"%s", err.text);
	cr_assert(eq(int, spec.tables[0].has_table, 0));
	cr_assert(eq(sz, spec.tables[0].nr_points, 1));
	cr_assert(eq(i64, spec.tables[0].min_khz, 417000));
	cr_assert(eq(i64, spec.tables[0].max_khz, 2718000));
	cr_assert(eq(i64, spec.memory.contention_ppm, 530000));
	cr_assert(eq(str, (char *)spec.default_driver, "pcc-cpufreq"));
}

Test(machine, policies_have_two_short_forms)
{
	cr_assert(eq(int, load_with("policies", "policies: per-cpu"), 0), "%s", err.text);
	cr_assert(eq(sz, spec.nr_policies, 6));
	cr_assert(eq(int, spec.policies[5].first, 5));
	cr_assert(eq(int, spec.policies[5].last, 5));
	cr_assert(eq(int, load_with("policies", "policies: shared"), 0), "%s", err.text);
	cr_assert(eq(sz, spec.nr_policies, 1));
	cr_assert(eq(int, spec.policies[0].last, 5));
}

Test(machine, a_table_may_have_a_voltage_curve_of_its_own)
{
	cr_assert(eq(int,
			  load_with("rest",
				  "voltage_points: [ { freq: 533MHz, voltage: 0.7V }, "
				  "{ freq: 1.6GHz, voltage: 0.93V }, { freq: 2.1GHz, voltage: 1.2V "
				  "} ]"),
			  0),
		"%s", err.text);
	cr_assert(eq(int, spec.tables[0].has_table, 1));
	cr_assert(eq(sz, spec.tables[0].nr_opps, 2));
	cr_assert(eq(sz, spec.tables[0].nr_points, 3));
	cr_assert(eq(i64, spec.tables[0].max_khz, 2100000));
}

#define TWO_TABLES                                                                        \
	"tables:\n"                                                                       \
	"  small: { ceff: 137, frequency_table: [ { freq: 450MHz, voltage: 820mV } ] }\n" \
	"  large: { leak: 17mW, limits: { min: 600MHz, max: 1.3GHz }, frequency_table: "  \
	"[ { freq: 613MHz, voltage: 0.9V }, { freq: 1.2GHz, voltage: 1V } ] }\n"

Test(machine, kinds_of_cpus_have_tables_of_their_own)
{
	cr_assert(eq(int,
			  load_with("policies opps",
				  TWO_TABLES "policies: [ { cpus: 0-3, table: small, each: 2 }, "
					     "{ cpus: 4-5, table: large } ]"),
			  0),
		"%s", err.text);
	cr_assert(eq(sz, spec.nr_tables, 2));
	cr_assert(eq(sz, spec.nr_policies, 3));
	cr_assert(eq(int, spec.policies[1].first, 2));
	cr_assert(eq(int, spec.policies[1].last, 3));
	const struct opp_table *small = machine_table(&spec, 1), *large = machine_table(&spec, 2);
	cr_assert(eq(str, (char *)small->name, "small"));
	cr_assert(eq(i64, small->opps[0].khz, 450000));
	cr_assert(eq(i64, small->ceff_uw_per_mhz_v2, 137));
	cr_assert(eq(i64, small->leak_uw, 91000));
	cr_assert(eq(i64, small->max_khz, 450000));
	cr_assert(eq(i64, large->ceff_uw_per_mhz_v2, 417));
	cr_assert(eq(i64, large->leak_uw, 17000));
	cr_assert(eq(i64, large->min_khz, 600000));
	cr_assert(eq(i64, large->max_khz, 1300000));
}

Test(machine, capacity_follows_from_compute_power_per_clock)
{
	const char *rest = "tables:\n"
			   "  a53: { frequency_table: [ { freq: 450MHz, voltage: 820mV }, "
			   "{ freq: 950MHz, voltage: 1V } ] }\n"
			   "  a72: { frequency_table: [ { freq: 1.2GHz, voltage: 1V } ] }\n"
			   "cpus: [ { cpus: 0-3, dmips: 485 }, { cpus: 4-5, smt: 2 } ]\n"
			   "policies: [ { cpus: 0-3, table: a53 }, { cpus: 4-5, table: a72 } ]";

	cr_assert(eq(int, load_with("cpus policies opps", rest), 0), "%s", err.text);
	cr_assert(eq(i64, spec.cpus[0].dmips, 485));
	cr_assert(eq(i64, spec.cpus[0].capacity, 383));
	cr_assert(eq(i64, spec.cpus[1].dmips, 1024));
	cr_assert(eq(i64, spec.cpus[1].capacity, 1024));
	cr_assert(eq(i64, spec.cpus[1].smt, 2));
}

Test(machine, wrong_tables_are_refused)
{
	expect_refused("policies opps", TWO_TABLES "policies: [ { cpus: 0-5, table: medium } ]",
		":6:33: policies: no table \"medium\"; expected one that tables names");
	expect_refused("policies opps", TWO_TABLES "policies: [ { cpus: 0-5 } ]",
		":6:13: policies: \"table\" is missing; the file has tables");
	expect_refused("policies opps", TWO_TABLES "policies: shared",
		":6:11: policies: found \"shared\"; expected a list of { cpus: 0-3, table: NAME }, "
		"as the file has tables");
	expect_refused("policies", "policies: [ { cpus: 0-5, table: small } ]",
		":3:33: policies: no table \"small\"; expected one that tables names");
	expect_refused("rest", TWO_TABLES,
		":11:3: tables beside frequency_table, voltage_points or limits; expected these "
		"inside it");
	expect_refused("opps", "tables: []",
		":7:9: tables: found list; expected a map from name to { frequency_table: ... }");
	expect_refused("opps", "tables: { small: { leak: 1mW } }",
		":7:18: neither frequency_table nor voltage_points; expected one of them");
	expect_refused("opps", "tables: { small: { cef: 1 } }",
		":7:20: unknown key \"cef\" in a table; did you mean \"ceff\"?");
	expect_refused("policies clock opps",
		TWO_TABLES
		"policies: [ { cpus: 0-3, table: small }, { cpus: 4-5, table: large } ]\n"
		"clock: { scope: group, group: 6 }",
		":7:8: clock: CPUs 3 and 4 share one and have different tables");
}

Test(machine, neighbours_may_share_a_clock)
{
	cr_assert(eq(int,
			  load_with("policies clock",
				  "policies: [ { cpus: 0-5, each: 1 } ]\n"
				  "clock: { scope: group, group: 3 }"),
			  0),
		"%s", err.text);
	cr_assert(eq(int, spec.clock_scope, CLOCK_GROUP));
	cr_assert(eq(i64, spec.clock_group, 3));
	cr_assert(eq(sz, spec.nr_policies, 6));
	expect_refused("clock", "clock: { scope: group }",
		":4:8: clock: group is given with scope group, and only then");
	expect_refused("clock", "clock: { group: 2 }",
		":4:8: clock: group is given with scope group, and only then");
	expect_refused("clock", "clock: { scope: group, group: 3 }",
		":4:8: clock: policy 0-3 spans groups; expected one, as they share a clock");
}

Test(machine, what_is_assumed_of_power_marks_power)
{
	static const struct {
		const char *text;
		bool assumed;
	} rows[] = {
		{ "assumed: all", true },
		{ "assumed: []", false },
		{ "assumed: [cpus, reference, cpus.capacity, idle.exit_latency]", false },
		{ "assumed: [power]", true },
		{ "assumed: [power.leak]", true },
		{ "assumed: [frequency_table.freq]", false },
		{ "assumed: [frequency_table.voltage]", true },
		{ "assumed: [frequency_table]", true },
		{ "assumed: [idle.power]", true },
		{ "assumed: [cpus, idle]", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		cr_assert(eq(int, load_with("rest", rows[i].text), 0), "%s", err.text);
		cr_assert(eq(int, spec.power.assumed, rows[i].assumed), "%s", rows[i].text);
	}
}

Test(machine, wrong_cpus_are_refused)
{
	expect_refused(
		"cpus", "cpus: [ { cpus: 1-3 } ]", ":2:9: cpus: found CPU 1; expected CPU 0 next");
	expect_refused("cpus", "cpus: [ { cpus: 0-3 }, { cpus: 5 } ]",
		":2:24: cpus: found CPU 5; expected CPU 4 next");
	expect_refused("cpus", "cpus: [ { cpus: 0-3, package: 1 } ]",
		":2:9: cpus: found package 1; expected packages in order, 0 next");
	expect_refused("cpus", "cpus: [ { cpus: 3-0 } ]",
		":2:17: cpus: found \"3-0\"; expected one CPU or a range like 0-14, at most 4095");
	expect_refused("cpus", "cpus: [ { cpus: 0-4096 } ]",
		":2:17: cpus: found \"0-4096\"; expected one CPU or a range like 0-14, at most "
		"4095");
	expect_refused("cpus", "cpus: [ { cpus: a-b } ]",
		":2:17: cpus: found \"a-b\"; expected one CPU or a range like 0-14, at most 4095");
	expect_refused("cpus", "cpus: [ { package: 0 } ]", ":2:9: cpus: \"cpus\" is missing");
	expect_refused(
		"cpus", "cpus: [ { cpus: [0] } ]", ":2:17: cpus: found list; expected one value");
	expect_refused("cpus", "cpus: 60", ":2:7: cpus: found \"60\"; expected a list of maps");
	expect_refused("cpus", "cpus: []", ":2:7: cpus: found list; expected a list of maps");
	expect_refused("cpus", "cpus: [ 0-3 ]",
		":2:9: cpus: found \"0-3\"; expected a map { key: value, ... }");
	expect_refused("cpus", "cpus: [ { cpus: 0-3, capacity: 1025 } ]",
		":2:32: capacity: 1025 is out of range; expected 1..1024 or auto");
	expect_refused("cpus", "cpus: [ { cpus: 0-3, pakage: 0 } ]",
		":2:22: unknown key \"pakage\" in cpus; did you mean \"package\"?");
}

Test(machine, wrong_policies_are_refused)
{
	expect_refused("policies", "policies: [ 0-2, 4-5 ]",
		":3:18: policies: found CPUs 4-5; expected CPU 3 next, at most CPU 5");
	expect_refused("policies", "policies: [ 0-6 ]",
		":3:13: policies: found CPUs 0-6; expected CPU 0 next, at most CPU 5");
	expect_refused("policies", "policies: [ 0-3 ]",
		":3:11: policies: CPU 4 has none; expected every CPU in one");
	expect_refused("policies", "policies: [ { a: 1 } ]",
		":3:15: unknown key \"a\" in policies; known: cpus, each, table");
	expect_refused("policies", "policies: percpu",
		":3:11: policies: found \"percpu\"; expected per-cpu, shared or a list of ranges "
		"like "
		"[0-3, 4-5]");
	expect_refused("policies", "policies: { a: 1 }",
		":3:11: policies: found map; expected per-cpu, shared or a list of ranges like "
		"[0-3, 4-5]");
}

Test(machine, wrong_clocks_are_refused)
{
	expect_refused("clock", "clock: { scope: pakage }",
		":4:17: scope: \"pakage\" is not one of cpu, policy, package, group; did you mean "
		"\"package\"?");
	expect_refused("clock", "clock: { vote: none }",
		":4:16: vote: \"none\" is not one of running, non-idle, all");
	expect_refused("clock", "", ":1:1: a machine file: \"clock\" is missing");
	cr_assert(eq(int, load_with("clock", "clock: { scope: package }"), 0), "%s", err.text);
	cr_assert(eq(int, spec.clock_vote, VOTE_NON_IDLE));
}

Test(machine, a_policy_may_not_span_packages_that_each_have_a_clock)
{
	expect_refused("policies clock", "policies: shared\nclock: { scope: package }",
		":4:8: clock: policy 0-5 spans packages; expected one, as they share a clock");
}

Test(machine, wrong_frequencies_are_refused)
{
	expect_refused(
		"opps", "", ": neither frequency_table nor voltage_points; expected one of them");
	expect_refused("opps",
		"frequency_table: [ { freq: 2GHz, voltage: 1V }, { freq: 2GHz, voltage: 1V } ]",
		":7:49: freq is not above the one before it");
	expect_refused("opps", "frequency_table: [ { freq: 2GHz } ]",
		":7:20: neither voltage nor power is given");
	expect_refused("opps power", "frequency_table: [ { freq: 2GHz, voltage: 1V } ]",
		":7:20: a busy CPU would take no power; expected power here, or ceff");
	expect_refused("opps", "frequency_table: [ { voltage: 1V } ]",
		":7:20: frequency_table: \"freq\" is missing");
	expect_refused("opps", "frequency_table: [ { freq: 200THz } ]",
		":7:28: freq: \"200THz\" is not a whole number of kHz; expected 1MHz..100GHz "
		"(units: "
		"kHz MHz GHz)");
	expect_refused(
		"limits", "limits: { min: 2GHz, max: 1GHz }", ":6:9: limits: min is above max");
	expect_refused("limits", "limits: { max: 1GHz }", ":6:9: limits: \"min\" is missing");
	expect_refused("limits", "limits: 1GHz",
		":6:9: limits: found \"1GHz\"; expected a map { key: value, ... }");
	expect_refused("reference", "", ":1:1: a machine file: \"reference\" is missing");
	expect_refused("reference", "reference: 0",
		":5:12: reference: 0 is out of range; expected 1MHz..100GHz");
}

Test(machine, too_many_frequencies_are_refused)
{
	char text[20000] = "frequency_table: [";

	for (int i = 0; i < 257; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			"{ freq: %dMHz, voltage: 1V }, ", 400 + i);
	strcat(text, "]");
	expect_refused("opps", text, ":7:18: frequency_table: 257 elements; expected at most 256");
}

Test(machine, wrong_idle_states_are_refused)
{
	expect_refused("idle", "idle: [ { name: C1, exit_latency: 1us } ]",
		":8:9: idle: \"target_residency\" is missing");
	expect_refused("idle",
		"idle: [ { name: a, exit_latency: 1, target_residency: 9 }, "
		"{ name: b, exit_latency: 1, target_residency: 8 } ]",
		":8:60: idle: target_residency is below that of the state before");
	expect_refused("idle", "idle: []", ":8:7: idle: found list; expected a list of maps");
	expect_refused("idle", "", ":1:1: a machine file: \"idle\" is missing");
}

Test(machine, wrong_power_and_origin_are_refused)
{
	expect_refused("power", "power: { cef: 1 }",
		":9:10: unknown key \"cef\" in power; did you mean \"ceff\"?");
	expect_refused("power", "power: { leak: 1mw }",
		":9:16: leak: \"1mw\" is not a whole number of uW; expected 0..1000W (units: uW mW "
		"W)");
	expect_refused("rest", "memory: { contention: -1 }",
		":10:23: contention: -1 is out of range; expected 0..100");
	expect_refused("rest", "assumed: [power.cef]",
		":10:11: assumed: this file has no \"power.cef\"; expected a key like power or "
		"power.ceff");
	expect_refused("rest", "assumed: [memory]",
		":10:11: assumed: this file has no \"memory\"; expected a key like power or "
		"power.ceff");
	expect_refused("rest", "assumed: [[power]]",
		":10:11: assumed: found list; expected names of keys");
	expect_refused("rest", "assumed: power",
		":10:10: assumed: found \"power\"; expected all or a list of keys");
	expect_refused("rest", "drivers: [ a ]",
		":10:10: drivers: found list; expected a map from driver to its settings");
}

Test(machine, what_is_no_machine_is_refused)
{
	expect_refused("rest", "governor: ondemand", ": is a scenario; expected a machine file");
	expect_refused("rest", "machine: x",
		":10:1: unknown key \"machine\" in a machine file; known: cpus, policies, clock, "
		"limits, frequency_table, voltage_points, tables, idle, power, memory, ...");
	cr_assert(eq(int, load("/tmp/no/machine.yaml"), -1));
	cr_assert(eq(str, err.text, "/tmp/no/machine.yaml: No such file or directory"));
	FILE *f = fopen(file, "w");
	fputs("- a\n", f);
	fclose(f);
	cr_assert(eq(int, load(file), -1));
	char expected[128];
	snprintf(expected, sizeof(expected),
		"%s:1:1: machine: found list; expected a machine file: a map of sections", file);
	cr_assert(eq(str, err.text, expected));
}

Test(machine, every_machine_we_ship_loads)
{
	glob_t found;

	cr_assert(eq(int, glob("configs/machines/*.yaml", 0, NULL, &found), 0));
	for (size_t i = 0; i < found.gl_pathc; i++)
		cr_assert(eq(int, load(found.gl_pathv[i]), 0), "%s", err.text);
	cr_assert(ge(sz, found.gl_pathc, 4));
	globfree(&found);
}

Test(machine, the_pcc_server_is_what_its_listings_say)
{
	cr_assert(eq(int, load("configs/machines/dl580-gen8.yaml"), 0), "%s", err.text);
	cr_assert(eq(int, spec.nr_cpus, 60));
	cr_assert(eq(int, spec.nr_packages, 4));
	cr_assert(eq(sz, spec.nr_policies, 60));
	cr_assert(eq(int, spec.tables[0].has_table, 0));
	cr_assert(eq(int, spec.clock_scope, CLOCK_PACKAGE));
	cr_assert(eq(int, spec.clock_vote, VOTE_NON_IDLE));
	cr_assert(eq(i64, spec.tables[0].min_khz, 1200000));
	cr_assert(eq(i64, spec.tables[0].max_khz, 2800000));
	cr_assert(eq(i64, spec.memory.contention_ppm, 500000));
	cr_assert(eq(int, spec.power.assumed, 1));
	cr_assert(eq(str, (char *)spec.default_driver, "pcc-cpufreq"));
	cr_assert(node_get(spec.drivers, "pcc-cpufreq") != NULL);
}
