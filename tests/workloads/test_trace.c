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

#define YAML(governor, workload)   \
	"machine: generic-2cpu\n"  \
	"governor: " governor "\n" \
	"workload: { name: trace" workload " }\n"
#define J1 ", file: configs/traces/kernelbuild-j1.ftrace.xz"
#define J4 ", file: configs/traces/kernelbuild-j4.ftrace.xz"

static struct tiny tiny;

static void teardown(void)
{
	recording_remove();
	tiny_free(&tiny);
}

TestSuite(trace, .fini = teardown);

static double elapsed_s(void)
{
	return (double)tiny.run.elapsed_ns / (double)NSEC_PER_SEC;
}

static double cpu_s(void)
{
	return (double)(tiny.run.kernel.user_ns + tiny.run.kernel.sys_ns) / (double)NSEC_PER_SEC;
}

/* Of both CPUs, with what is below one cycle on each. */
static uint64_t cycles(void)
{
	const struct cpu *cpus = tiny.run.machine.cpus;

	return cpus[0].cycles + cpus[1].cycles +
		(uint64_t)((cpus[0].work_rest + cpus[1].work_rest) / WORK_PER_CYCLE);
}

static void near(double found, double wanted, double share)
{
	cr_expect(found > wanted * (1 - share) && found < wanted * (1 + share),
		"%.3f is not within %.0f %% of %.3f", found, share * 100, wanted);
}

Test(trace, one_job_takes_the_time_it_took_when_it_was_recorded)
{
	tiny_run(&tiny, YAML("performance", J1), NULL, 0);
	near(elapsed_s(), 10.640, 0.05);
	near(cpu_s(), 10.476, 0.01);
}

Test(trace, four_jobs_take_the_time_they_took_when_they_were_recorded)
{
	tiny_run(&tiny, YAML("performance", J4), NULL, 0);
	near(elapsed_s(), 5.153, 0.05);
	near(cpu_s(), 9.260, 0.01);
}

Test(trace, half_the_clock_takes_twice_as_long)
{
	tiny_run(&tiny, YAML("powersave", J1), NULL, 0);
	near(elapsed_s(), 21.1, 0.03);
	tiny_free(&tiny);
	tiny_run(&tiny, YAML("powersave", J4), NULL, 0);
	cr_expect(elapsed_s() > 9.3 && elapsed_s() < 10.4, "%.3f", elapsed_s());
}

Test(trace, every_governor_does_the_same_cycles)
{
	static const char *const governors[] = { "performance", "ondemand", "conservative",
		"powersave" };
	char yaml[256];
	uint64_t first = 0;

	for (int i = 0; i < 4; i++) {
		snprintf(yaml, sizeof(yaml), YAML("%s", J4), governors[i]);
		tiny_run(&tiny, yaml, NULL, 0);
		if (i == 0)
			first = cycles();
		cr_expect(eq(u64, cycles(), first), "%s", governors[i]);
		cr_expect(eq(i64, tiny.run.kernel.forks, 950), "%s", governors[i]);
		tiny_free(&tiny);
	}
}

Test(trace, a_recording_made_of_two_tasks)
{
	char yaml[256];
	const char *path = recording_text(
		"a-11 [000] d..2. 5.000: x: y\n"
		"b-12 [001] d..2. 5.000: x: y\n"
		"a-11 [000] d..2. 5.010: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 "
		"prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
		"b-12 [001] d..2. 5.030: sched_waking: comm=a pid=11 prio=120 target_cpu=000\n"
		"b-12 [001] d..2. 5.030: sched_switch: prev_comm=b prev_pid=12 prev_prio=120 "
		"prev_state=X ==> next_comm=swapper/1 next_pid=0 next_prio=120\n"
		"<idle>-0 [000] d..2. 5.037: sched_switch: prev_comm=swapper/0 prev_pid=0 "
		"prev_prio=120 prev_state=R ==> next_comm=a next_pid=11 next_prio=120\n"
		"a-11 [000] d..2. 5.050: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 "
		"prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120\n");

	/* a: 10 ms, waits for b at 30 ms, 13 ms; the 7 ms it waited for its CPU are gone. */
	snprintf(yaml, sizeof(yaml), YAML("performance", ", file: %s"), path);
	tiny_run(&tiny, yaml, NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 43 * NSEC_PER_MSEC));
	tiny_free(&tiny);
	/* Without b its wake-up is a sleep that no clock changes. */
	snprintf(yaml, sizeof(yaml), YAML("powersave", ", root: a, file: %s"), path);
	tiny_run(&tiny, yaml, NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, (20 + 20 + 26) * NSEC_PER_MSEC));
	tiny_free(&tiny);
	snprintf(yaml, sizeof(yaml), YAML("powersave", ", memory_share: 1, file: %s"), path);
	tiny_run(&tiny, yaml, NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 43 * NSEC_PER_MSEC));
}

/* A task of nice 5 shares the CPU with one of nice 0, and a real-time one is not kept waiting. */
Test(trace, tasks_run_in_the_class_they_ran_in)
{
	char yaml[256];
	const char *path = recording_text(
		"a-11 [000] d..2. 5.000: x: y\n"
		"a-11 [000] d..2. 5.010: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 "
		"prev_state=R ==> next_comm=b next_pid=12 next_prio=125\n"
		"b-12 [000] d..2. 5.020: sched_switch: prev_comm=b prev_pid=12 prev_prio=125 "
		"prev_state=R ==> next_comm=c next_pid=13 next_prio=19\n"
		"c-13 [000] d..2. 5.030: sched_switch: prev_comm=c prev_pid=13 prev_prio=19 "
		"prev_state=X ==> next_comm=a next_pid=11 next_prio=120\n"
		"a-11 [000] d..2. 5.040: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 "
		"prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120\n");
	const struct task *tasks;

	snprintf(yaml, sizeof(yaml), YAML("performance", ", file: %s"), path);
	cr_assert(eq(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", tiny.err.text);
	/* The pool hands them out from its end. */
	tasks = tiny.run.kernel.blocks->tasks;
	cr_assert(eq(u32, tasks[2].weight, 1024));
	cr_assert(eq(u32, tasks[1].weight, nice_weight(5)));
	cr_assert(eq(int, (int)tasks[0].class, TASK_FIFO));
	cr_assert(eq(int, tasks[0].rt_priority, 80));
}

static char said[8192];

static void take_line(void *arg, const char *name, const char *value)
{
	size_t used = strlen(said);

	(void)arg;
	snprintf(said + used, sizeof(said) - used, "%s: %s\n", name, value);
}

Test(trace, show_says_what_was_read_and_what_is_assumed)
{
	cr_assert(eq(int, tiny_build(&tiny, YAML("performance", J4), NULL, 0), 0));
	tiny.scenario.workload->describe(&tiny.run.workload_ctx, take_line, NULL);
	cr_expect(ne(ptr,
		strstr(said, "recorded at: 2940000 kHz assumed, the machine's reference\n"), NULL));
	cr_expect(ne(ptr, strstr(said, "tasks replayed: 951\n"), NULL));
	cr_expect(ne(ptr, strstr(said, "chain breaks repaired: 9\n"), NULL));
	cr_expect(ne(ptr, strstr(said, "events sched_switch: 9113\n"), NULL));
}

static void refuse(const char *yaml, enum error_code code, const char *message)
{
	tiny.err = (struct error){ 0 };
	cr_expect(ne(int, tiny_build(&tiny, yaml, NULL, 0), 0), "%s", yaml);
	cr_expect(eq(int, tiny.err.code, code));
	cr_expect(ne(ptr, strstr(tiny.err.text, message), NULL), "%s", tiny.err.text);
	tiny_free(&tiny);
}

Test(trace, mistakes_name_their_place)
{
	refuse(YAML("performance", ""), ERROR_SCENARIO, "workload.file is missing");
	refuse(YAML("performance", ", from: 3s, to: 2s" J1), ERROR_SCENARIO,
		"workload.to (2000000000 ns) is not after workload.from (3000000000 ns)");
	refuse(YAML("performance", ", file: none.txt"), ERROR_TRACE, "none.txt: cannot be opened");
	refuse(YAML("performance", ", file: README.md"), ERROR_TRACE, "README.md");
	refuse(YAML("performance", ", root: makee" J1), ERROR_SCENARIO, "did you mean \"make\"?");
}

/* Of recordings of known generators, where they are at hand. They were made under a late 6.18: that
 * idle CPUs leave tasks waiting by chance came with 6.18.5. */
static void recorded(const char *governor, const char *name)
{
	const char *named = getenv("CPUFREQSIM_TRACES");
	char path[256], yaml[512];

	snprintf(path, sizeof(path), "%s/recorded/%s", named ? named : "../shared/traces", name);
	if (access(path, R_OK) != 0)
		cr_skip("not checked: no file %s (CPUFREQSIM_TRACES names another place)", path);
	snprintf(yaml, sizeof(yaml), "kernel: { version: \"6.18.5\" }\n" YAML("%s", ", file: %s"),
		governor, path);
	tiny_free(&tiny);
	tiny_run(&tiny, yaml, NULL, 0);
}

struct known {
	char name[48];
	double window_s, tree_s;
	int tasks;
};

/* Window, CPU seconds and tasks as noted when they were recorded; of those shorter than 0.1 s not the
 * marks' window, 3 ms of which the recorder itself took, but the life of the workload. */
ParameterizedTestParameters(trace, a_known_generator_takes_the_time_it_took)
{
	static struct known known[] = {
		{ "forkexec-backtoback-2ms.ftrace.xz", 3.004, 2.996, 1794 },
		{ "forkexec-100hz-2ms.ftrace.xz", 4.005, 0.761, 401 },
		{ "forkexec-100hz-2ms-v7.dat", 4.005, 0.761, 401 },
		{ "kernelbuild-j1.ftrace.xz", 10.640, 10.476, 951 },
		{ "rtapp-run20ms-period100ms.ftrace", 2.005, 0.446, 2 },
		{ "rtapp-mp3-short.ftrace.xz", 6.012, 1.259, 6 },
		{ "rtapp-browser-short.ftrace", 6.006, 0.208, 10 },
		{ "fio-randread-think1ms.ftrace.xz", 3.285, 0.240, 5 },
		{ "stressng-cpu30-timer200.ftrace", 4.012, 1.211, 3 },
		{ "cyclictest-4t-5ms.ftrace.xz", 4.062, 0.018, 5 },
		{ "idle-20s-allevents.ftrace.xz", 20.005, 0.001279, 1 },
		{ "kernelbuild-j2.ftrace.xz", 5.531, 9.189, 951 },
		{ "kernelbuild-j4.ftrace.xz", 5.153, 9.260, 951 },
		{ "forkexec-backtoback-tiny.ftrace.xz", 1.504, 1.456, 4461 },
		{ "forkexec-100hz-2ms-allevents.ftrace.xz", 1.008, 0.210, 101 },
		{ "fio-randread-think1ms-allevents.ftrace.xz", 1.287, 0.201, 5 },
		{ "hackbench-pT-g2-f5-l2000.ftrace.xz", 0.0804, 0.141, 21 },
		{ "hackbench-pT-g1-f5-l300.ftrace", 0.00998, 0.010, 11 },
		{ "hackbench-pT-g10-l12.ftrace.xz", 0.0493, 0.050, 401 },
		{ "perfbench-sched-pipe-6000.ftrace.xz", 0.0858, 0.060, 2 },
	};
	return cr_make_param_array(struct known, known, sizeof(known) / sizeof(known[0]));
}

ParameterizedTest(struct known *k, trace, a_known_generator_takes_the_time_it_took)
{
	recorded("performance", k->name);
	near(elapsed_s(), k->window_s, k->window_s < 0.1 ? 0.05 : 0.03);
	near(cpu_s(), k->tree_s, 0.01);
	cr_expect(eq(i64, tiny.run.kernel.forks, k->tasks - 1));
}

/* Of as many equal CPUs as wanted, at the clock of generic-2cpu. */
static void build_on(const char *cpus, const char *as_recorded)
{
	char yaml[1024];

	snprintf(yaml, sizeof(yaml),
		"machine:\n"
		"  name: equal\n"
		"  summary: equal CPUs\n"
		"  reference: 2940MHz\n"
		"  cpus: [{ cpus: %s, package: 0 }]\n"
		"  policies: per-cpu\n"
		"  clock: { scope: cpu, vote: non-idle }\n"
		"  voltage_points: [{ freq: 2940MHz, voltage: 1V }]\n"
		"  idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }]\n"
		"  power: { ceff: 1000 }\n"
		"driver: 'null'\n"
		"governor: performance\n"
		"workload: { name: trace, as_recorded: %s" J4 " }\n",
		cpus, as_recorded);
	tiny_free(&tiny);
	tiny_run(&tiny, yaml, NULL, 0);
}

Test(trace, a_build_of_four_jobs_goes_faster_on_four_cpus_and_on_one_takes_its_cpu_time)
{
	build_on("0-1", "auto");
	double two_s = elapsed_s();
	near(two_s, 5.153, 0.03);
	build_on("0-3", "auto");
	cr_expect(elapsed_s() < 0.8 * two_s, "%.3f", elapsed_s());
	build_on("0-0", "auto");
	near(elapsed_s(), 9.260, 0.03);
}

/* On CPUs that wake in no time and idle as they should it is over sooner. */
Test(trace, what_was_slow_on_the_recorded_machine_can_be_left_out)
{
	build_on("0-1", "no");
	double without_s = elapsed_s();
	build_on("0-1", "yes");
	cr_expect(elapsed_s() > without_s + 0.05, "%.3f %.3f", elapsed_s(), without_s);
}

Test(trace, at_half_the_clock_timers_keep_their_time_and_work_does_not)
{
	recorded("powersave", "forkexec-100hz-2ms.ftrace.xz");
	near(elapsed_s(), 4.001, 0.01);
	near(cpu_s(), 2 * 0.761, 0.01);
	recorded("powersave", "forkexec-backtoback-2ms.ftrace.xz");
	near(elapsed_s(), 2 * 3.004, 0.03);
}
