/*
 * What recordings hold, counted by others: the figures stand in the notes that came with the files,
 * none is our own output. Most of the files are not part of the tree: $CPUFREQSIM_TRACES names the
 * folder that has them.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "tests/support/recording.h"

#define UNKNOWN (-1)
#define OWN "tests/data/traces/"

struct counts {
	const char *path;
	const char *root;
	double dur_s;
	int64_t events, sw, wk, wkg, fork, freq, idle, brk, tasks;
	double tree_s;
};

/* Columns: dur s, events, sw, wk, wkg, fork, freq, idle, brk, tasks, tree s. */
#define U UNKNOWN
#define RECORDED(name, dur, events, sw, wk, fork, brk, tasks, tree)                            \
	{                                                                                      \
		"recorded/" name, "auto", dur, events, sw, wk, U, fork, 0, U, brk, tasks, tree \
	}
#define PUBLIC(name, dur, events, sw, wk, wkg, fork, freq, idle)                           \
	{                                                                                  \
		"public/" name, "all", dur, events, sw, wk, wkg, fork, freq, idle, 0, U, U \
	}
#define VARIANT(name)                                                           \
	{                                                                       \
		OWN name, "all", 0.059, 224, 98, 39, 39, 12, 0, 0, 0, 23, 0.117 \
	}

static const struct counts recorded[] = {
	RECORDED("idle-20s-allevents.ftrace.xz", 20.056, 35688, 1119, 574, 4, 32, 1, 0.001),
	RECORDED("kernelbuild-j1.ftrace.xz", 10.691, 24812, 8253, 3862, 954, 13, 951, 10.476),
	RECORDED("kernelbuild-j2.ftrace.xz", 5.582, 21792, 6834, 3295, 975, 20, 951, 9.189),
	RECORDED("kernelbuild-j4.ftrace.xz", 5.203, 25145, 9113, 3776, 954, 9, 951, 9.260),
	RECORDED("forkexec-backtoback-2ms.ftrace.xz", 3.055, 32681, 9683, 3345, 1797, 7, 1794,
		2.996),
	RECORDED("forkexec-100hz-2ms.ftrace.xz", 4.056, 12778, 3840, 1806, 404, 7, 401, 0.761),
	RECORDED("forkexec-100hz-2ms-v7.dat", 4.056, 12778, 3840, 1806, 404, 7, 401, 0.761),
	RECORDED("forkexec-backtoback-tiny.ftrace.xz", 1.555, 57281, 12791, 5357, 4464, 1, 4461,
		1.456),
	RECORDED("hackbench-pT-g1-f5-l300.ftrace", 0.064, 2148, 841, 590, 14, 0, 11, 0.010),
	RECORDED(
		"hackbench-pT-g2-f5-l2000.ftrace.xz", 0.135, 47967, 18463, 13494, 24, 0, 21, 0.141),
	RECORDED("hackbench-pT-g10-l12.ftrace.xz", 0.103, 9043, 3013, 2012, 404, 0, 401, 0.050),
	RECORDED("perfbench-sched-pipe-6000.ftrace.xz", 0.141, 60138, 24041, 12020, 5, 1, 2, 0.060),
	RECORDED("rtapp-run20ms-period100ms.ftrace", 2.057, 714, 207, 102, 5, 3, 2, 0.446),
	RECORDED("rtapp-mp3-short.ftrace.xz", 6.063, 14302, 4408, 2219, 9, 10, 6, 1.259),
	RECORDED("rtapp-browser-short.ftrace", 6.057, 1930, 795, 401, 13, 9, 10, 0.208),
	RECORDED("cyclictest-4t-5ms.ftrace.xz", 4.113, 17805, 6466, 3236, 8, 6, 5, 0.018),
	RECORDED("fio-randread-think1ms.ftrace.xz", 3.336, 31656, 12277, 6138, 8, 3, 5, 0.240),
	RECORDED("stressng-cpu30-timer200.ftrace", 4.063, 4211, 1783, 893, 6, 10, 3, 1.211),
	RECORDED("forkexec-100hz-2ms-allevents.ftrace.xz", 1.059, 8028, 1069, 452, 104, 1, 101,
		0.210),
	RECORDED("fio-randread-think1ms-allevents.ftrace.xz", 1.338, 23920, 4124, 2059, 8, 1, 5,
		0.201),
	/* One run seen by both; neither recorder kept the forks of perf itself. */
	{ "recorded/dual-hackbench.ftrace.xz", "hackbench", 1.443, 14080, 8728, U, 0, 0, 0, 0, U, 9,
		U },
	{ "recorded/dual-hackbench.perf-script-ns.txt.xz", "hackbench", U, 13481, 8335, U, 0, 8, 0,
		0, 0, 9, U },
	RECORDED("variants/lost-events-v7-zstd.dat", U, U, U, U, U, U, U, U),
	RECORDED("variants/short-v7-zstd.dat", U, 224, U, U, U, U, U, U),
};

static const struct counts public[] = {
	PUBLIC("schedutil-412-i7/cpu0.ftrace.xz", 5.001, 26411, 5772, 2789, U, U, 19, 6330),
	PUBLIC("schedutil-412-i7/cpu1.ftrace.xz", 5.002, 24139, 5028, 2403, U, U, 10, 6330),
	PUBLIC("schedutil-412-i7/cpu2.ftrace.xz", 5.000, 24129, 5209, 2595, U, U, 35, 5590),
	PUBLIC("schedutil-412-i7/cpu3.ftrace.xz", 5.001, 23892, 5277, 2510, U, U, 16, 5519),
	PUBLIC("intel-pstate-lttng/apt-2cpu-415-partA.ftrace.xz", 2.123, U, 7757, 4361, U, 294, 334,
		U),
	PUBLIC("intel-pstate-lttng/shortcmd-8cpu-418.ftrace", 0.060, U, 774, 413, U, 2, 38, U),
	PUBLIC("intel-pstate-lttng/wget-nofreq-415.ftrace", 0.303, U, 2563, 1358, U, 2, 0, U),
	PUBLIC("android-schedutil/sd865-launcher.ftrace.xz", 3.648, U, 58652, 32400, 0, U, 1059,
		28900),
	PUBLIC("android-schedutil/sd865-launcher-allevents-excerpt.ftrace", 0.346, U, 1489, 887, 0,
		U, 12, 1171),
	PUBLIC("android-schedutil/sd855-flutter-scroll.ftrace.xz", 4.174, U, 30458, 16567, 16567, U,
		766, 0),
	PUBLIC("android-schedutil/sd855-launcher-scroll.ftrace.xz", 2.607, U, 16397, 8681, 8681, U,
		268, 10077),
	PUBLIC("android-schedutil/sd835-surfaceflinger.ftrace", 0.738, U, U, U, U, U, 104, 621),
	PUBLIC("arm-trace-dat/juno-r0-rtapp-v6.dat", 9.303, 7820, 1552, 0, 0, U, 12, U),
	PUBLIC("arm-trace-dat/raw-sched-switch-v6.dat", 0.004, 757, 755, 0, 0, 0, 0, 0),
	PUBLIC("arm-trace-dat/tc2-hmp-v6.dat", 4.094, 51797, 427, U, U, U, U, U),
	PUBLIC("arm-trace-dat/uniprocessor-arm32-v6.dat", 9.430, 997, 251, U, U, U, U, U),
	PUBLIC("misc/raw-numeric-states-rtapp.txt", 6.676, U, 1856, 1068, U, U, U, U),
	PUBLIC("misc/oldstyle-sched-switch.txt", 0.004, 757, 755, 0, 0, 0, 0, 0),
	PUBLIC("misc/android4-dualcore-nofreq.ftrace.xz", 5.000, U, U, U, 0, 0, 0, 0),
	PUBLIC("misc/perfetto-8cpu-lightload.ftrace.xz", 15.783, U, 15267, U, U, U, 168, 11687),
};

static const struct counts own[] = {
	VARIANT("ftrace-tgid-irq.txt"),
	VARIANT("ftrace-tgid-noirq.txt"),
	VARIANT("ftrace-irq.txt"),
	VARIANT("ftrace-plain.txt"),
	VARIANT("ftrace-fields-option.txt"),
	VARIANT("tracecmd-report.txt"),
	VARIANT("tracecmd-report-N.txt"),
	VARIANT("tracecmd-report-R.txt"),
	VARIANT("tracecmd-report-t.txt"),
	VARIANT("tracecmd-v7.dat"),
	{ OWN "raw-sched-switch-v6.dat.xz", "all", 0.004, 757, 755, 0, 0, 0, 0, 0, 0, U, U },
	{ "configs/traces/kernelbuild-j1.ftrace.xz", "auto", 10.691, 24812, 8253, 3862, 3862, 954,
		0, U, 13, 951, 10.476 },
	{ "configs/traces/kernelbuild-j4.ftrace.xz", "auto", 5.203, 25145, 9113, 3776, 3776, 954, 0,
		U, 9, 951, 9.260 },
};

static void same(const char *path, const char *what, int64_t found, int64_t wanted)
{
	cr_expect(wanted == UNKNOWN || found == wanted, "%s: %s is %lld, not %lld", path, what,
		(long long)found, (long long)wanted);
}

static void near(
	const char *path, const char *what, int64_t found_ns, double wanted_s, double share)
{
	double found_s = (double)found_ns / (double)NSEC_PER_SEC;
	double off = found_s > wanted_s ? found_s - wanted_s : wanted_s - found_s;

	cr_expect(wanted_s < 0 || off <= 0.00101 + share * wanted_s, "%s: %s is %.4f s, not %.3f s",
		path, what, found_s, wanted_s);
}

static void check(const char *dir, const struct counts *c)
{
	struct trace_options options = {
		.root = c->root, .idle = "idle-standin", .to_ns = NEVER_NS, .reference_khz = 1885000
	};
	static struct arena arena;
	struct trace_import import;
	struct error err = { 0 };
	char path[512];
	int64_t events = 0;

	snprintf(path, sizeof(path), "%s%s", dir, c->path);
	arena_free(&arena);
	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	if (trace_import(&arena, path, &options, &import, &err)) {
		cr_expect(0, "%s", err.text);
		return;
	}
	const struct trace_reading *reading = &import.reading;
	for (int kind = 0; kind < TRACE_KINDS; kind++)
		if (kind != TRACE_CPUS && kind != TRACE_LOST)
			events += reading->events[kind];
	near(path, "duration", import.totals.span_ns, c->dur_s, 0);
	same(path, "events", events, c->events);
	same(path, "switches", reading->events[TRACE_SWITCH], c->sw);
	same(path, "wake-ups", reading->events[TRACE_WAKEUP], c->wk);
	same(path, "wakings", reading->events[TRACE_WAKING], c->wkg);
	same(path, "forks", reading->events[TRACE_FORK], c->fork);
	same(path, "frequencies", reading->events[TRACE_FREQUENCY], c->freq);
	same(path, "idle events", reading->events[TRACE_IDLE], c->idle);
	same(path, "breaks", import.totals.chain_breaks, c->brk);
	same(path, "tasks", import.totals.tasks, c->tasks);
	/* Runs that breaks hide are found here, and were not in the figure noted. */
	near(path, "run time", import.totals.run_ns, c->tree_s, 0.004);
	same(path, "unreadable payloads", reading->payloads, 0);
	arena_free(&arena);
}

static const char *outside(void)
{
	static char dir[512];
	const char *named = getenv("CPUFREQSIM_TRACES");

	snprintf(dir, sizeof(dir), "%s/", named ? named : "../shared/traces");
	if (access(dir, R_OK) == 0)
		return dir;
	cr_skip("not checked: no recordings in %s (CPUFREQSIM_TRACES names another place)", dir);
	return NULL;
}

Test(counts, own_recordings)
{
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		check("", &own[i]);
}

Test(counts, recorded_workloads)
{
	const char *dir = outside();

	for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++)
		check(dir, &recorded[i]);
}

Test(counts, public_recordings)
{
	const char *dir = outside();

	for (size_t i = 0; i < sizeof(public) / sizeof(public[0]); i++)
		check(dir, &public[i]);
}

/* The switches of a file in @dir, moved to the front of @to. */
static int64_t switches(const char *dir, const char *name, struct trace_event *to, int64_t max)
{
	struct error err = { 0 };
	char path[512];
	int64_t kept = 0;

	snprintf(path, sizeof(path), "%s%s", dir, name);
	int64_t nr = recording_events(path, to, max, NULL, &err);
	cr_assert(ge(i64, nr, 0), "%s", err.text);
	for (int64_t i = 0; i < nr; i++)
		if (to[i].kind == TRACE_SWITCH)
			to[kept++] = to[i];
	return kept;
}

#define MAX 16000
static struct trace_event events[MAX], others[MAX];

static bool same_switch(const struct trace_event *a, const struct trace_event *b)
{
	return a->cpu == b->cpu && a->a.pid == b->a.pid && a->b.pid == b->b.pid &&
		a->prev_state == b->prev_state;
}

Test(counts, text_and_trace_dat_of_one_recording_have_the_same_switches)
{
	const char *dir = outside();
	int64_t nr = switches(dir, "recorded/forkexec-100hz-2ms.ftrace.xz", events, MAX);

	cr_assert(eq(i64, nr, 3840));
	cr_assert(eq(i64, switches(dir, "recorded/forkexec-100hz-2ms-v7.dat", others, MAX), nr));
	for (int64_t i = 0; i < nr; i++)
		cr_assert(same_switch(&events[i], &others[i]) &&
				llabs(events[i].t_ns - others[i].t_ns) < 1000,
			"switch %lld", (long long)i);
}

/* CPU by CPU: reports put CPUs together in different order where times are equal. */
Test(counts, every_switch_that_perf_saw_is_in_the_file_of_ftrace)
{
	const char *dir = outside();
	int64_t nr = switches(dir, "recorded/dual-hackbench.perf-script-ns.txt.xz", events, MAX);
	int64_t all = switches(dir, "recorded/dual-hackbench.ftrace.xz", others, MAX);
	int64_t found = 0;

	cr_assert(eq(i64, nr, 8335));
	for (int cpu = 0; cpu < 2; cpu++) {
		int64_t at = 0;

		for (int64_t i = 0; i < nr; i++) {
			if (events[i].cpu != cpu)
				continue;
			while (at < all &&
				(!same_switch(&events[i], &others[at]) ||
					llabs(events[i].t_ns / 1000 - others[at].t_ns / 1000) > 3))
				at++;
			found += at < all;
			at++;
		}
	}
	cr_assert(eq(i64, found, 8335));
}

struct bursts {
	int64_t pid[64], ns[64][64];
	int nr_tasks, nr[64];
};

/* Run times between two waits of each task. */
static void take_bursts(const char *path, struct bursts *to)
{
	struct trace_options options = {
		.root = "all", .idle = "idle-standin", .to_ns = NEVER_NS, .reference_khz = 1000000
	};
	static struct arena arena;
	struct trace_import import;
	struct error err = { 0 };

	*to = (struct bursts){ 0 };
	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	cr_assert(eq(int, trace_import(&arena, path, &options, &import, &err), 0), "%s", err.text);
	for (const struct trace_task *task = import.tasks; task; task = task->next) {
		int at = 0, i = to->nr_tasks++;

		cr_assert(lt(int, i, 64));
		to->pid[i] = task->pid;
		for (const struct trace_op *op = task->first; op; op = op->next) {
			bool waits = op->kind != TRACE_OP_RUN && op->kind != TRACE_OP_POST &&
				op->kind != TRACE_OP_SPAWN && op->kind != TRACE_OP_NONE;

			at += waits && to->ns[i][at] > 0;
			cr_assert(lt(int, at, 64));
			if (op->kind == TRACE_OP_RUN)
				to->ns[i][at] += op->ns;
		}
		to->nr[i] = at;
	}
	arena_free(&arena);
}

/* @off_ns: by which times may differ, since some spellings have microseconds. */
static void same_bursts(
	const char *path, const struct bursts *a, const struct bursts *b, int64_t off_ns)
{
	cr_assert(eq(int, a->nr_tasks, b->nr_tasks), "%s", path);
	for (int i = 0; i < a->nr_tasks; i++) {
		cr_expect(eq(i64, a->pid[i], b->pid[i]), "%s", path);
		cr_expect(eq(int, a->nr[i], b->nr[i]), "%s: pid %lld", path, (long long)a->pid[i]);
		for (int j = 0; j < 64; j++)
			cr_expect(llabs(a->ns[i][j] - b->ns[i][j]) <= off_ns,
				"%s: pid %lld burst %d: %lld and %lld", path, (long long)a->pid[i],
				j, (long long)a->ns[i][j], (long long)b->ns[i][j]);
	}
}

Test(counts, all_spellings_of_one_buffer_give_the_same_tasks_and_bursts)
{
	static const struct {
		const char *name;
		int64_t off_ns;
	} spellings[] = { { "ftrace-tgid-noirq.txt", 0 }, { "ftrace-irq.txt", 0 },
		{ "ftrace-plain.txt", 0 }, { "ftrace-fields-option.txt", 0 },
		{ "tracecmd-report.txt", 0 }, { "tracecmd-report-N.txt", 0 },
		{ "tracecmd-report-R.txt", 0 }, { "tracecmd-report-t.txt", 4000 },
		{ "tracecmd-v7.dat", 4000 } };
	static struct bursts first, other;

	take_bursts(OWN "ftrace-tgid-irq.txt", &first);
	cr_assert(gt(int, first.nr_tasks, 20));
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		char path[128];

		snprintf(path, sizeof(path), OWN "%s", spellings[i].name);
		take_bursts(path, &other);
		same_bursts(path, &first, &other, spellings[i].off_ns);
	}
}
