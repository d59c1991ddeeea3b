#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/program.h"
#include "tests/support/recording.h"

#define I7 "--machine", "i7-desktop-4ghz", "--set", "governor.rate_limit_us=10ms"

static struct program p;
static char dir[] = "/tmp/cpufreq-sim-test-XXXXXX";

static void setup(void)
{
	cr_assert(ne(ptr, mkdtemp(dir), NULL));
}

static void teardown(void)
{
	recording_remove();
	remove_tree(dir);
}

TestSuite(cmd_validate, .init = setup, .fini = teardown);

static void expect(const char *text)
{
	cr_assert(strstr(p.out, text) != NULL, "\"%s\" is not in:\n%s%s", text, p.out, p.err);
}

static void refused(int status, const char *text)
{
	cr_assert(eq(int, p.status, status), "%s%s", p.out, p.err);
	cr_assert(strstr(p.err, text) != NULL, "\"%s\" is not in:\n%s", text, p.err);
}

/* A figure of the CSV. */
static double figure(int cpu, const char *predictor, const char *name)
{
	char key[80];
	const char *at;

	snprintf(key, sizeof(key), "\n%d,%s,%s,", cpu, predictor, name);
	at = strstr(p.out, key);
	cr_assert(ne(ptr, (void *)at, NULL), "no %s in:\n%s%s", key + 1, p.out, p.err);
	return strtod(at + strlen(key), NULL);
}

/* Files of other people, outside of the tree: $CPUFREQSIM_TRACES names the folder. */
static const char *public_trace(const char *name)
{
	static char path[4096];
	const char *named = getenv("CPUFREQSIM_TRACES");

	snprintf(path, sizeof(path), "%s/public/%s", named ? named : "../shared/traces", name);
	if (access(path, R_OK) != 0)
		cr_skip("not checked: no file %s (CPUFREQSIM_TRACES names another place)", path);
	return path;
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	cr_assert(ne(ptr, file, NULL));
	fputs(text, file);
	fclose(file);
}

/* Runs a scenario under schedutil and validates what it wrote. */
static void round_trip(const char *kernel, const char *workload)
{
	char scenario[64], trace[64], text[512];

	snprintf(scenario, sizeof(scenario), "%s/s.yaml", dir);
	snprintf(trace, sizeof(trace), "%s/s.ftrace", dir);
	snprintf(text, sizeof(text),
		"machine: i7-desktop-4ghz\nkernel: { version: \"%s\", hz: 250 }\n"
		"governor: { name: schedutil, rate_limit_us: 2ms }\nworkload: %s\n"
		"run: { duration: 1s }\n",
		kernel, workload);
	write_file(scenario, text);
	program_run(&p, "run", scenario, "--trace", trace, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	program_run(&p, "validate", trace, "--governor", "schedutil", "--kernel", kernel,
		"--machine", "i7-desktop-4ghz", "--set", "governor.rate_limit_us=2ms", "--warmup",
		"0", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
}

Test(cmd_validate, a_simulated_run_is_predicted_from_its_scheduling_alone)
{
	static const char *const kernels[] = { "5.10", "6.1" };

	for (size_t i = 0; i < 2; i++) {
		round_trip(kernels[i], "{ name: periodic, tasks: 5, run: 7ms, period: 33ms }");
		for (int cpu = 0; cpu < 5; cpu++) {
			cr_expect(figure(cpu, "model", "evaluations") >= 8);
			cr_expect(epsilon_eq(dbl, figure(cpu, "model", "equal"), 1, 1e-9));
			cr_expect(epsilon_eq(
				dbl, figure(cpu, "model", "residency_distance"), 0, 0.002));
			cr_expect(figure(cpu, "best constant", "equal") < 0.8);
			cr_expect(figure(cpu, "best constant", "residency_distance") > 0.02);
		}
	}
}

Test(cmd_validate, the_wrong_kernel_predicts_worse)
{
	char trace[64];

	round_trip("5.10", "{ name: periodic, tasks: 5, run: 7ms, period: 33ms }");
	snprintf(trace, sizeof(trace), "%s/s.ftrace", dir);
	program_run(&p, "validate", trace, "--governor", "schedutil", "--kernel", "4.12",
		"--machine", "i7-desktop-4ghz", "--set", "governor.rate_limit_us=2ms", "--warmup",
		"0", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_expect(figure(1, "model", "equal") < 0.9);
}

#define SWITCH(head, cpu, t, from, prio, state, to, toprio)                          \
	head " [00" cpu "] d... " t ": sched_switch: prev_comm=c prev_pid=" from     \
	     " prev_prio=" prio " prev_state=" state " ==> next_comm=c next_pid=" to \
	     " next_prio=" toprio "\n"
#define MARK(t, mark, a, b) \
	"<idle>-0 [000] d.s. " t ": sutil_marker: Schedutil: " mark ": " a ": " b "\n"
#define EVALUATED(t, cur, util, before, now)     \
	MARK(t, "get_next_freq", cur, "1024")    \
	MARK(t, "update-single-util", "1", util) \
	MARK(t, "update-single-boost", "1", util) MARK(t, "update-single-freq", before, now)
#define IDLE "<idle>-0 [000] d... 10.000001: cpu_idle: state=6 cpu_id=0\n"
#define SET(t, khz) "<idle>-0 [000] d.s. " t ": cpu_frequency: state=" khz " cpu_id=0\n"

/* 4000000 * 1.25 * 578 / 1024 = 2822265, set as 2900000; too early; a busy CPU keeps its frequency; a
 * real-time task; and a decision that no rule gives. */
static const char marked[] = SET("9.000000", "4000000") SWITCH("<idle>-0", "0", "10.000000", "0",
	"120", "R", "7", "120") SWITCH("c-7", "0", "10.000000", "7", "120", "S", "0",
	"120") IDLE EVALUATED("10.000002", "4000000", "578", "4000000", "2822265") SET("10.000003",
	"2900000") MARK("10.005000", "update-single-return", "578", "572") EVALUATED("10.020000",
	"2900000", "453", "2822265", "2822265") SWITCH("<idle>-0", "0", "10.021000", "0", "120",
	"R", "9", "50") MARK("10.040000", "update-single-util", "453", "400")
	MARK("10.040000", "update-single-freq", "2822265", "4000000") SET("10.040001", "4000000")
		SWITCH("c-9", "0", "10.041000", "9", "50", "S", "0", "120")
			IDLE EVALUATED("10.060000", "4000000", "453", "4000000", "1234567");

static void validate_marked(const char *format)
{
	program_run(&p, "validate", recording_text(marked), "--governor", "schedutil", "--kernel",
		"4.12", I7, "--warmup", "0", "--explain", "--format", format, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
}

Test(cmd_validate, decisions_are_checked_from_recorded_inputs)
{
	validate_marked("csv");
	cr_expect(eq(dbl, figure(0, "inputs", "evaluated"), 4.0));
	cr_expect(eq(dbl, figure(0, "inputs", "decided"), 3.0));
	cr_expect(eq(dbl, figure(0, "inputs", "realtime"), 1.0));
	cr_expect(eq(dbl, figure(0, "inputs", "early"), 1.0));
	cr_expect(eq(dbl, figure(0, "inputs", "refused"), 1.0));
	cr_expect(eq(dbl, figure(0, "inputs", "sets"), 2.0));
	cr_expect(eq(dbl, figure(0, "inputs", "set_equal"), 2.0));
	cr_expect(eq(dbl, figure(0, "model", "util_calls"), 5.0));
}

Test(cmd_validate, a_decision_that_differs_is_explained)
{
	validate_marked("table");
	expect("from recorded inputs, cpu 0 decided otherwise\n"
	       "10.060000 s cpu 0: recorded 1234567 kHz, predicted 2211914 kHz\n");
	expect("worst moments of policy cpu0\n");
	expect("utilisation from scheduling alone");
}

Test(cmd_validate, a_simulated_intel_pstate_decides_from_its_samples_as_the_model_does)
{
	char scenario[64], trace[64];

	snprintf(scenario, sizeof(scenario), "%s/p.yaml", dir);
	snprintf(trace, sizeof(trace), "%s/p.ftrace", dir);
	write_file(scenario,
		"machine: i5-9600k\nkernel: { version: \"6.1\", hz: 250 }\n"
		"driver: intel_pstate\ngovernor: powersave\n"
		"workload: { name: periodic, tasks: 3, run: 7ms, period: 33ms }\n"
		"run: { duration: 1s }\n");
	program_run(&p, "run", scenario, "--trace", trace, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	program_run(&p, "validate", trace, "--governor", "intel_pstate", "--kernel", "6.1",
		"--machine", "i5-9600k", "--driver", "intel_pstate", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	for (int cpu = 0; cpu < 3; cpu++) {
		double evaluated = figure(cpu, "inputs", "evaluated");

		cr_expect(evaluated > 30);
		cr_expect(eq(dbl, figure(cpu, "inputs", "decided"), evaluated));
		/* One sample per evaluation, also where nothing changes. */
		cr_expect(figure(cpu, "model", "evaluations") >= evaluated - 1);
		cr_expect(figure(cpu, "model", "equal") > 0.7);
		cr_expect(figure(cpu, "model", "within1") > 0.9);
		cr_expect(figure(cpu, "best constant", "within1") < 0.7);
	}
}

Test(cmd_validate, samples_of_intel_pstate_are_checked_from_their_counters)
{
	/* 1.25 * 32 * 0.5 = 20, half of the way down from 24; then a boost; then a wrong level. */
	const char *path = recording_text(
		"a-7 [000] 5.000000: cpu_frequency: state=2400000 cpu_id=0\n"
		"a-7 [000] 5.000001: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 "
		"prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
		"a-7 [000] 5.010000: pstate_sample: core_busy=75 scaled=50 from=24 to=22 "
		"mperf=16000000 aperf=12000000 tsc=32000000 freq=2400000 io_boost=0\n"
		"a-7 [000] 5.020000: pstate_sample: core_busy=75 scaled=100 from=22 to=32 "
		"mperf=16000000 aperf=12000000 tsc=32000000 freq=2400000 io_boost=100\n"
		"a-7 [000] 5.030000: pstate_sample: core_busy=75 scaled=50 from=32 to=9 "
		"mperf=16000000 aperf=12000000 tsc=32000000 freq=2400000 io_boost=0\n"
		"a-7 [000] 5.030000: cpu_frequency: state=900000 cpu_id=0\n");

	program_run(&p, "validate", path, "--governor", "intel_pstate", "--kernel", "5.10",
		"--machine", "intel-2cpu-3200", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_expect(eq(dbl, figure(0, "inputs", "evaluated"), 3.0));
	cr_expect(eq(dbl, figure(0, "inputs", "decided"), 2.0));
	program_run(&p, "validate", path, "--governor", "intel_pstate", "--kernel", "5.10",
		"--machine", "intel-2cpu-3200", "--explain", NULL);
	expect("5.030000 s cpu 0: recorded 900000 kHz, predicted 2200000 kHz\n");
}

Test(cmd_validate, windows_of_load_follow_the_last_twenty_milliseconds)
{
	/* CPU 7 is busy for all of a window, and not after that; nobody is awake for 9.5 ms. */
	const char *path = recording_text(
		"a-7 [007] 5.000000: cpu_frequency: state=1056000 cpu_id=7\n"
		"<idle>-0 [007] 5.000001: sched_switch: prev_comm=i prev_pid=0 prev_prio=120 "
		"prev_state=R ==> next_comm=a next_pid=7 next_prio=120\n"
		"a-7 [007] 5.007000: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 "
		"prev_state=S ==> next_comm=b next_pid=8 next_prio=120\n"
		"b-8 [007] 5.014000: sched_switch: prev_comm=b prev_pid=8 prev_prio=120 "
		"prev_state=S ==> next_comm=a next_pid=7 next_prio=120\n"
		"a-7 [007] 5.020100: sched_switch: prev_comm=a prev_pid=7 prev_prio=120 "
		"prev_state=S ==> next_comm=i next_pid=0 next_prio=120\n"
		"a-7 [007] 5.020101: cpu_frequency: state=1401600 cpu_id=7\n"
		"a-7 [007] 5.040101: cpu_frequency: state=825600 cpu_id=7\n"
		"a-7 [007] 5.060000: x: y\n");

	program_run(&p, "validate", path, "--governor", "schedutil", "--kernel", "4.14",
		"--machine", "sm8150", "--load-tracking", "walt", "--set",
		"kernel.invariance=cpufreq", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_expect(epsilon_eq(dbl, figure(7, "model", "equal"), 1, 1e-9));
	cr_expect(figure(7, "model", "residency_distance") < 0.01);
}

Test(cmd_validate, a_task_that_stays_awake_gets_all_before_the_window_ends)
{
	const char *path = recording_text(
		"a-7 [007] 5.000000: cpu_frequency: state=1056000 cpu_id=7\n"
		"<idle>-0 [007] 5.000001: sched_switch: prev_comm=i prev_pid=0 prev_prio=120 "
		"prev_state=R ==> next_comm=a next_pid=7 next_prio=120\n"
		"a-7 [007] 5.011990: cpu_frequency: state=2841600 cpu_id=7\n"
		"a-7 [007] 5.019000: x: y\n");

	program_run(&p, "validate", path, "--governor", "schedutil", "--kernel", "4.14",
		"--machine", "sm8150", "--load-tracking", "walt", "--set",
		"kernel.invariance=cpufreq", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_expect(epsilon_eq(dbl, figure(7, "model", "equal"), 1, 1e-9));
	cr_expect(figure(7, "model", "residency_distance") < 0.01);
}

Test(cmd_validate, what_cannot_be_validated_is_refused)
{
	const char *path = recording_text("a-7 [000] 5.000000: x: y\n");

	program_run(&p, "validate", path, "--governor", "schedutil", "--kernel", "4.12", NULL);
	refused(3, "sched_switch");
	path = recording_text(
		"a-7 [000] 5.000000: sched_switch: prev_comm=a prev_pid=7 "
		"prev_prio=120 prev_state=S ==> next_comm=i next_pid=0 next_prio=120\n");
	program_run(&p, "validate", path, "--governor", "schedutil", "--kernel", "4.12", NULL);
	refused(3, "no cpu_frequency event: there is nothing to compare with");
	path = recording_text("a-7 [009] 5.000000: cpu_frequency: state=800000 cpu_id=9\n");
	program_run(&p, "validate", path, "--governor", "schedutil", "--kernel", "4.12", I7, NULL);
	refused(3, "the recording shows CPU 9; machine i7-desktop-4ghz has CPUs 0-7");
	path = recording_text(marked);
	program_run(&p, "validate", path, "--governor", "schedutil", "--kernel", "4.12", I7,
		"--warmup", "10s", NULL);
	refused(3, "no cpu_frequency event after 10000 ms of warm-up");
	program_run(&p, "validate", path, "--governor", "ondemand", "--kernel", "4.12", NULL);
	refused(64, "governor ondemand is not validated");
	program_run(&p, "validate", path, "--governor", "intel_pstate", "--kernel", "4.12", NULL);
	refused(64, "only from 4.14 on");
	program_run(&p, "validate", path, "--governor", "schedutil", "--kernel", "4.12", "--warmup",
		"soon", NULL);
	refused(64, "--warmup: \"soon\" is not a time");
	program_run(&p, "validate", path, "--governor", "schedutil", "--kernel", "4.12",
		"--load-tracking", "wald", NULL);
	refused(64, "did you mean \"walt\"?");
	program_run(&p, "validate", path, "--kernel", "4.12", NULL);
	refused(64, "validate: --governor is missing");
	program_run(&p, "validate", path, "--governor", "schedutil", NULL);
	refused(64, "validate: --kernel is missing");
	program_run(&p, "validate", "--governor", "schedutil", "--kernel", "4.12", NULL);
	refused(64, "validate: the recording is missing");
	program_run(
		&p, "validate", "README.md", "--governor", "schedutil", "--kernel", "4.12", NULL);
	cr_expect(eq(int, p.status, 3));
}

/* The counts are those of the README beside the files. */
Test(cmd_validate, schedutil_of_4_12_decided_everything_as_the_model_does)
{
	static const struct {
		const char *name;
		double evaluated, realtime, early, sets;
	} files[] = {
		{ "schedutil-412-i7/cpu0.ftrace.xz", 689, 2, 43, 19 },
		{ "schedutil-412-i7/cpu1.ftrace.xz", 711, 2, 21, 10 },
		{ "schedutil-412-i7/cpu2.ftrace.xz", 644, 35, 113, 35 },
		{ "schedutil-412-i7/cpu3.ftrace.xz", 710, 2, 50, 16 },
	};

	for (int i = 0; i < 4; i++) {
		program_run(&p, "validate", public_trace(files[i].name), "--governor", "schedutil",
			"--kernel", "4.12", I7, "--format", "csv", NULL);
		cr_assert(eq(int, p.status, 0), "%s", p.err);
		cr_expect(eq(dbl, figure(i, "inputs", "evaluated"), files[i].evaluated));
		cr_expect(eq(dbl, figure(i, "inputs", "decided"), files[i].evaluated));
		cr_expect(eq(dbl, figure(i, "inputs", "realtime"), files[i].realtime));
		cr_expect(eq(dbl, figure(i, "inputs", "early"), files[i].early));
		cr_expect(eq(dbl, figure(i, "inputs", "refused"), files[i].early));
		cr_expect(eq(dbl, figure(i, "inputs", "sets"), files[i].sets));
		cr_expect(eq(dbl, figure(i, "inputs", "set_equal"), files[i].sets));
		cr_expect(figure(i, "model", "util_median_error") <= 50);
		cr_expect(figure(i, "model", "util_median_error") <
			figure(i, "best constant", "util_median_error"));
	}
}

Test(cmd_validate, intel_pstate_of_4_15_is_predicted_from_busy_time)
{
	double evaluated = 0, equal = 0, within2 = 0;

	program_run(&p, "validate", public_trace("intel-pstate-lttng/apt-2cpu-415-partA.ftrace.xz"),
		"--governor", "intel_pstate", "--kernel", "4.15", "--machine", "intel-2cpu-3200",
		"--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	for (int cpu = 0; cpu < 2; cpu++) {
		double nr = figure(cpu, "model", "evaluations");

		evaluated += nr;
		equal += nr * figure(cpu, "model", "equal");
		within2 += nr * figure(cpu, "model", "within2");
	}
	cr_assert(eq(dbl, evaluated, 332.0));
	cr_expect(equal / evaluated >= 0.85);
	cr_expect(within2 / evaluated >= 0.95);
}

Test(cmd_validate, a_phone_of_three_clusters_spends_its_time_as_the_model_does)
{
	program_run(&p, "validate",
		public_trace("android-schedutil/sd855-flutter-scroll.ftrace.xz"), "--governor",
		"schedutil", "--kernel", "4.14", "--machine", "sm8150", "--load-tracking", "walt",
		"--set", "kernel.invariance=cpufreq", "--format", "csv", NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	for (int cpu = 0; cpu < 8; cpu += cpu ? 3 : 4) {
		cr_expect(figure(cpu, "best constant", "residency_distance") > 0.45);
		cr_expect(figure(cpu, "model", "residency_distance") < 0.15);
	}
}
