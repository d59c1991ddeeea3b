/*
 * Machine files made from trees that look like sysfs: each of them passes check, whatever the tree.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/rng.h"
#include "tests/support/program.h"
#include "tests/support/recording.h"

static struct program p;
static char dir[] = "/tmp/cpufreq-sim-test-XXXXXX";
static char out[64], *machine;

static void setup(void)
{
	cr_assert(ne(ptr, mkdtemp(dir), NULL));
	snprintf(out, sizeof(out), "%s/machine.yaml", dir);
}

static void teardown(void)
{
	free(machine);
	remove_tree(dir);
}

TestSuite(probe, .init = setup, .fini = teardown);

/* The path of a file of the tree, whose folders are made. */
static const char *path_in_tree(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/sys/%s", dir, name);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	return path;
}

static void put(const char *text, const char *format, ...)
{
	char name[256];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	FILE *file = fopen(path_in_tree(name), "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		cr_assert(0, "cannot write %s", name);
}

static void put_number(long long number, const char *format, int n, const char *rest)
{
	char name[256], text[32];

	snprintf(name, sizeof(name), format, n);
	snprintf(text, sizeof(text), "%lld\n", number);
	put(text, "%s%s", name, rest);
}

#define CPU "devices/system/cpu/"

static void put_cpus(int nr, int packages, int cores)
{
	char list[16];

	snprintf(list, sizeof(list), "0-%d\n", nr - 1);
	put(list, CPU "present");
	for (int i = 0; i < nr; i++) {
		put_number(i % packages, CPU "cpu%d", i, "/topology/physical_package_id");
		put_number(i / packages % cores, CPU "cpu%d", i, "/topology/core_id");
	}
}

static void put_policy(
	int first, const char *related, const char *driver, long long min_khz, long long max_khz)
{
	put(driver, CPU "cpufreq/policy%d/scaling_driver", first);
	put(related, CPU "cpufreq/policy%d/related_cpus", first);
	put_number(min_khz, CPU "cpufreq/policy%d", first, "/cpuinfo_min_freq");
	put_number(max_khz, CPU "cpufreq/policy%d", first, "/cpuinfo_max_freq");
}

/* Probes the tree; the file passes check. */
static void probe_with(const char *option, const char *value)
{
	char tree[64];

	snprintf(tree, sizeof(tree), "%s/sys", dir);
	program_run(&p, "probe", "--sysfs", tree, "-o", out, option, value, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	size_t size;
	free(machine);
	machine = recording_read(out, &size);
	static struct program check;
	program_run(&check, "check", out, NULL);
	cr_assert(eq(int, check.status, 0), "%s\n%s", check.err, machine);
}

static void expect(const char *text)
{
	cr_expect(ne(ptr, strstr(machine, text), NULL), "no \"%s\" in\n%s", text, machine);
}

static void note(const char *text)
{
	cr_expect(ne(ptr, strstr(p.out, text), NULL), "no \"%s\" in\n%s", text, p.out);
	expect(text);
}

Test(probe, a_desktop_with_a_table_and_two_threads_per_core)
{
	static const char *const states[] = { "POLL", "C1E", "C6" };

	put_cpus(8, 1, 4);
	for (int i = 0; i < 8; i++) {
		char self[16];

		snprintf(self, sizeof(self), "%d\n", i);
		put_policy(i, self, "acpi-cpufreq\n", 1600000, 3401000);
		put("3401000 3400000 2667000 1600000 \n",
			CPU "cpufreq/policy%d/scaling_available_frequencies", i);
		put("0 1 2 3 4 5 6 7\n", CPU "cpufreq/policy%d/freqdomain_cpus", i);
		put("10000\n", CPU "cpufreq/policy%d/cpuinfo_transition_latency", i);
	}
	for (int i = 0; i < 3; i++) {
		put(states[i], CPU "cpu0/cpuidle/state%d/name", i);
		put_number(43 * i, CPU "cpu0/cpuidle/state%d", i, "/latency");
		put_number(117 * i, CPU "cpu0/cpuidle/state%d", i, "/residency");
	}
	probe_with("--name", "my desktop");
	expect("name: \"my-desktop\"\n");
	expect("driver: \"acpi-cpufreq\"  # scaling_driver: acpi-cpufreq\n");
	expect("reference: 3400000kHz  # base clock\n");
	expect("  - { cpus: \"0-7\", package: 0, dmips: 1024, smt: 2, siblings: apart }\n");
	expect("  - { cpus: \"7-7\" }\n");
	expect("clock: { scope: package, vote: non-idle }  # freqdomain_cpus\n");
	expect("  - { freq: 2667000kHz, voltage: ");
	expect("  - { freq: 3401000kHz, voltage: 1100000uV, turbo: 1 }\n");
	expect("  - { name: \"C6\", exit_latency: 86us, target_residency: 234us, power: 0W }\n");
	expect("  acpi-cpufreq:\n    transition_latency: 10us\n");
	expect("assumed: [clock.vote, power.ceff, frequency_table.voltage, idle.power]\n");
	note("kernel/debug/energy_model is missing (or not readable): power is assumed");
}

Test(probe, a_laptop_without_a_table)
{
	put_cpus(4, 1, 2);
	for (int i = 0; i < 4; i++) {
		char self[16];

		/* Two threads of a core follow each other. */
		put_number(i / 2, CPU "cpu%d", i, "/topology/core_id");
		snprintf(self, sizeof(self), "%d\n", i);
		put_policy(i, self, "intel_pstate\n", 400000, 4700000);
		put("2800000\n", CPU "cpufreq/policy%d/base_frequency", i);
		put("0\n", CPU "cpufreq/policy%d/cpuinfo_transition_latency", i);
	}
	probe_with(NULL, NULL);
	expect("driver: \"intel_pstate\"");
	expect("reference: 2800000kHz  # base clock\n");
	expect("smt: 2, siblings: adjacent }\n");
	expect("limits: { min: 400000kHz, max: 4700000kHz }\nvoltage_points:\n");
	note("cpuidle is missing: one idle state, left in 1 us");
	expect("assumed: [clock.scope, clock.vote, power.ceff, voltage_points.voltage, idle, "
	       "idle.power]\n");
}

static void put_state(const char *domain, int khz, int power)
{
	char text[32];

	snprintf(text, sizeof(text), "%d\n", khz);
	put(text, "kernel/debug/energy_model/%s/ps:%d/frequency", domain, khz);
	snprintf(text, sizeof(text), "%d\n", power);
	put(text, "kernel/debug/energy_model/%s/ps:%d/power", domain, khz);
}

static void put_phone(void)
{
	put_cpus(6, 1, 6);
	for (int i = 0; i < 6; i++)
		put_number(i < 4 ? 446 : 1024, CPU "cpu%d", i, "/cpu_capacity");
	put_policy(0, "0 1 2 3\n", "scpi-cpufreq\n", 450000, 850000);
	put_policy(4, "4 5\n", "scpi-cpufreq\n", 450000, 1100000);
	put("450000 700000 850000\n", CPU "cpufreq/policy0/scaling_available_frequencies");
	put("450000 800000\n", CPU "cpufreq/policy4/scaling_available_frequencies");
	put("1100000\n", CPU "cpufreq/policy4/scaling_boost_frequencies");
	put("0-3\n", "kernel/debug/energy_model/cpu0/cpus");
	put("4-5\n", "kernel/debug/energy_model/cpu4/cpus");
	put_state("cpu0", 450000, 31);
	put_state("cpu0", 700000, 67);
	put_state("cpu0", 850000, 113);
	put_state("cpu4", 450000, 131);
	put_state("cpu4", 800000, 347);
	put_state("cpu4", 1100000, 919);
}

Test(probe, unequal_cpus_with_an_energy_model)
{
	put_phone();
	probe_with(NULL, NULL);
	note("scaling_driver scpi-cpufreq is not simulated: cpufreq-dt stands for it");
	/* 446 of 1024 at 850 of 1100 MHz. */
	expect("  - { cpus: \"0-3\", package: 0, dmips: 577 }\n");
	expect("  - { cpus: \"4-5\", package: 0, dmips: 1024 }\n");
	expect("  - { cpus: \"0-3\", table: policy0 }\n  - { cpus: \"4-5\", table: policy4 }\n");
	expect("      - { freq: 700000kHz, power: 67000uW }\n");
	expect("      - { freq: 1100000kHz, power: 919000uW, turbo: 1 }\n");
	put("0x1\n", "kernel/debug/energy_model/cpu0/flags");
	put("bogoWatts\n", "kernel/debug/energy_model/cpu4/units");
	probe_with(NULL, NULL);
	expect("      - { freq: 700000kHz, power: 67uW }\n");
	note("energy_model/cpu4 is in bogoWatts: taken for mW");
}

Test(probe, two_sockets_whose_cpus_alternate)
{
	put_cpus(8, 2, 4);
	put_policy(0, "0-7\n", "cppc_cpufreq\n", 1000000, 2600000);
	probe_with(NULL, NULL);
	note("CPUs are numbered anew, package by package and policy by policy: CPU 7 here is "
	     "Linux's 7");
	note("a policy spans packages: one in each");
	expect("  - { cpus: \"0-3\", package: 0, dmips: 1024 }\n"
	       "  - { cpus: \"4-7\", package: 1, dmips: 1024 }\n");
}

Test(probe, a_kernel_that_keeps_policies_with_their_cpus)
{
	put("0-2\n", CPU "present");
	put("pcc-cpufreq\n", CPU "cpu0/cpufreq/scaling_driver");
	put("0 1\n", CPU "cpu0/cpufreq/affected_cpus");
	put("1200000\n", CPU "cpu0/cpufreq/cpuinfo_min_freq");
	put("2800000\n", CPU "cpu0/cpufreq/cpuinfo_max_freq");
	put("4294967295\n", CPU "cpu0/cpufreq/cpuinfo_transition_latency");
	const char *log = recording_text(
		"[    9.1] probe: PCCH header is at physical address: 0x6d, signature: 0x24504343, "
		"length: 16 bytes, major: 1, minor: 0, features: 0x0, command: 0x0, status: 0x0, "
		"nominal latency: 300 us\n"
		"[    9.1] probe: min_time_between_commands: 50000 us, max_time_between_commands: "
		"1000000 us, nominal CPU frequency: 2800 MHz, minimum CPU frequency: 150 MHz, "
		"minimum CPU frequency without throttling: 1200 MHz\n");
	probe_with("--dmesg", log);
	expect("drivers:\n  pcc-cpufreq:  # header of the boot log\n"
	       "    nominal_freq: 2800MHz\n    minimum_freq_unthrottled: 1200MHz\n"
	       "    minimum_freq: 150MHz\n    nominal_latency: 300us\n"
	       "    min_time_between_commands: 50000us\n"
	       "    max_time_between_commands: 1000000us\n");
	expect("reference: 2800000kHz  # base clock\n");
	note("topology/physical_package_id is missing: one package");
	note("1 CPUs have no cpufreq directory: as the CPU before them");
	probe_with("--dmesg", recording_text("nominal CPU frequency: many MHz\n"));
	note("the log has no PCC header");
	recording_remove();
}

Test(probe, a_virtual_machine_without_cpufreq)
{
	put_cpus(2, 1, 2);
	probe_with(NULL, NULL);
	note("cpufreq is missing: no driver, one clock of an assumed 1 GHz");
	expect("driver: \"null\"  # scaling_driver: none\n");
}

static void refused(const char *message, int status)
{
	char tree[64];

	snprintf(tree, sizeof(tree), "%s/sys", dir);
	program_run(&p, "probe", "--sysfs", tree, "-o", out, NULL);
	cr_expect(eq(int, p.status, status));
	cr_expect(ne(ptr, strstr(p.err, message), NULL), "%s", p.err);
	cr_expect(ne(int, access(out, F_OK), 0));
}

#define CLUSTER(cores, efficiency, opp, power)                                        \
	"{ \"coreNum\": " cores ", \"efficiency\": " efficiency ", \"opp\": " opp "," \
	" \"corePower\": " power " }"
#define SOC(clusters) "{ \"name\": \"x\",\n \"cluster\": [ " clusters " ] }\n"

static void soc(const char *text)
{
	program_run(&p, "probe", "--soc", recording_text(text), "-o", out, NULL);
}

static void soc_refused(const char *text, const char *message)
{
	soc(text);
	cr_expect(eq(int, p.status, 2), "%s", text);
	cr_expect(ne(ptr, strstr(p.err, message), NULL), "%s", p.err);
}

Test(probe, the_table_of_a_system_on_chip)
{
	size_t size;

	soc(SOC(CLUSTER("4", "1024", "[633, 1843]", "[44, 212]") ", " CLUSTER(
		"2", "1638", "[1113, 2208]", "[340, 1456]")));
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	machine = recording_read(out, &size);
	expect("  - { cpus: \"0-3\", package: 0, dmips: 640 }\n");
	expect("  - { cpus: \"4-5\", package: 0, dmips: 1024 }\n");
	expect("      - { freq: 1843000kHz, power: 212000uW }\n");
	expect("reference: 2208000kHz");
	note("clusterPower, of a cluster with a busy core, is left out");
	program_run(&p, "check", out, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	soc_refused("[1]", "a list \"cluster\" is missing");
	soc_refused(SOC(""), "a list \"cluster\" is missing");
	soc_refused(SOC("7"), "a cluster is an object");
	soc_refused(SOC("{ \"efficiency\": 1 }"), "\"coreNum\" is missing");
	soc_refused(
		SOC(CLUSTER("0", "1", "[1]", "[1]")), "coreNum: \"0\" is not a number in 1..256");
	soc_refused(SOC(CLUSTER("1", "1", "7", "[1]")), "lists \"opp\" and \"corePower\"");
	soc_refused(SOC(CLUSTER("1", "1", "[7, 8]", "[1]")), "as many frequencies");
	soc_refused(SOC(CLUSTER("1", "1", "[9, 8]", "[1, 2]")), "is not above the one before it");
	soc_refused(SOC(CLUSTER("1", "1", "[]", "[]")), "opp: the list is empty");
	recording_remove();
}

Test(probe, what_is_no_tree_is_refused)
{
	refused("devices/system/cpu/present cannot be read; expected the root of a sysfs", 2);
	put("0-99999999\n", CPU "present");
	refused("present is \"0-99999999\"; expected", 2);
	put("0-3;x\n", CPU "present");
	refused("present is \"0-3;x\"", 2);
	put("3-1", CPU "present");
	refused("present is \"3-1\"", 2);
	put("0-1", CPU "present");
	program_run(&p, "probe", "--sysfs", path_in_tree(""), NULL);
	cr_expect(eq(int, p.status, 64));
	program_run(&p, "probe", "here", "-o", out, NULL);
	cr_expect(eq(int, p.status, 64));
	program_run(
		&p, "probe", "--sysfs", path_in_tree(""), "--dmesg", "/none/x", "-o", out, NULL);
	cr_expect(ne(ptr, strstr(p.err, "--dmesg: /none/x cannot be opened"), NULL), "%s", p.err);
	program_run(&p, "probe", "--sysfs", path_in_tree(""), "-o", "/none/x", NULL);
	cr_expect(ne(ptr, strstr(p.err, "/none/x.partial cannot be written"), NULL), "%s", p.err);
}

Test(probe, pipes_loops_and_directories_in_place_of_files_do_no_harm)
{
	put_phone();
	unlink(path_in_tree(CPU "cpufreq/policy0/scaling_driver"));
	cr_assert(eq(int, mkfifo(path_in_tree(CPU "cpufreq/policy0/scaling_driver"), 0600), 0));
	unlink(path_in_tree(CPU "cpu0/topology/core_id"));
	cr_assert(eq(int, symlink("core_id", path_in_tree(CPU "cpu0/topology/core_id")), 0));
	cr_assert(eq(int, symlink("..", path_in_tree("kernel/debug/energy_model/loop")), 0));
	cr_assert(eq(int, symlink(".", path_in_tree("kernel/debug/energy_model/cpu0/ps:1000")), 0));
	mkdir(path_in_tree(CPU "cpufreq/policy4/scaling_driver/x"), 0755);
	probe_with(NULL, NULL);
	note("scaling_driver is missing: cpufreq-dt stands for it");
}

/* Whatever stands in the files, the result is a machine or one clear refusal. */
Test(probe, any_contents_give_a_machine_or_a_refusal, .timeout = 60)
{
	static const char *const names[] = { CPU "present", CPU "cpu1/cpu_capacity",
		CPU "cpu2/topology/physical_package_id", CPU "cpu3/topology/core_id",
		CPU "cpufreq/policy0/scaling_driver", CPU "cpufreq/policy0/related_cpus",
		CPU "cpufreq/policy4/related_cpus", CPU "cpufreq/policy0/cpuinfo_min_freq",
		CPU "cpufreq/policy4/cpuinfo_max_freq",
		CPU "cpufreq/policy0/scaling_available_frequencies",
		CPU "cpufreq/policy4/scaling_boost_frequencies",
		CPU "cpufreq/policy0/freqdomain_cpus", CPU "cpufreq/policy0/base_frequency",
		CPU "cpufreq/policy0/cpuinfo_transition_latency", CPU "cpu0/cpuidle/state0/name",
		CPU "cpu0/cpuidle/state0/latency", CPU "cpu0/cpuidle/state0/residency",
		"kernel/debug/energy_model/cpu0/cpus", "kernel/debug/energy_model/cpu0/flags",
		"kernel/debug/energy_model/cpu4/ps:800000/frequency",
		"kernel/debug/energy_model/cpu0/ps:700000/power" };
	static const char *const texts[] = { "", "\n", "-1\n", "0\n", "1\n", "999\n", "1000\n",
		"3\n", "5000000\n", "18446744073709551616\n", "9007199254740991\n", "0-5\n",
		"5,0-1\n", "0 2 4\n", "4095\n", "1000 1000 7 x", "800000 450000 450000 850000 \n",
		"a\": [}\n#\t{", "\xff\xfe\x01\n", "pcc-cpufreq\n", "amd-pstate-epp\n", "4 5 0 1\n",
		"1\r\n", "2147483648\n" };
	char tree[64];
	struct rng rng;

	snprintf(tree, sizeof(tree), "%s/sys", dir);
	rng_set(&rng, 7, 1);
	for (int i = 0; i < 25; i++) {
		put_phone();
		for (int j = 0; j < 4; j++)
			put(texts[rng_below(&rng, sizeof(texts) / sizeof(texts[0]))], "%s",
				names[rng_below(&rng, sizeof(names) / sizeof(names[0]))]);
		program_run(&p, "probe", "--sysfs", tree, "-o", out, NULL);
		cr_expect(p.status == 0 || (p.status == 2 && strstr(p.err, "/present ")), "%d: %s",
			p.status, p.err);
		if (p.status != 0)
			continue;
		program_run(&p, "check", out, NULL);
		cr_expect(eq(int, p.status, 0), "%d: %s", i, p.err);
	}
}
