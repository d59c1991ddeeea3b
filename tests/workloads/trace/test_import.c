#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/recording.h"

#define REFERENCE_KHZ 2940000
#define J1 "configs/traces/kernelbuild-j1.ftrace.xz"
#define J4 "configs/traces/kernelbuild-j4.ftrace.xz"

static struct arena arena;
static struct trace_import import;
static struct error err;

static void teardown(void)
{
	recording_remove();
	arena_free(&arena);
}

TestSuite(import, .fini = teardown);

static int take(const char *path, struct trace_options options)
{
	if (!options.root)
		options.root = "auto";
	if (!options.to_ns)
		options.to_ns = NEVER_NS;
	options.idle = "idle-standin";
	options.reference_khz = REFERENCE_KHZ;
	arena_free(&arena);
	err = (struct error){ 0 };
	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	return trace_import(&arena, path, &options, &import, &err);
}

static void take_text(const char *text, const char *root)
{
	cr_assert(eq(int, take(recording_text(text), (struct trace_options){ .root = root }), 0),
		"%s", err.text);
}

static struct trace_task *task(int64_t pid)
{
	for (struct trace_task *t = import.tasks; t; t = t->next)
		if (t->pid == pid && t->in_tree)
			return t;
	cr_assert(0, "no task %lld is replayed", (long long)pid);
	return NULL;
}

/* The script of a task in short: "run 3000, block 5000, ..."; ns. */
static const char *script(int64_t pid)
{
	static const char *const names[] = { "", "run", "spawn", "post", "block", "sleep", "io",
		"until" };
	static char text[1024];
	size_t used = 0;

	text[0] = '\0';
	for (const struct trace_op *op = task(pid)->first; op; op = op->next) {
		enum trace_op_kind kind = op->kind;
		int64_t ns = op->ns;

		if (kind == TRACE_OP_NONE)
			continue;
		/* Where a burst is cut in two does not matter. */
		while (kind == TRACE_OP_RUN && op->next &&
			(op->next->kind == TRACE_OP_RUN || op->next->kind == TRACE_OP_NONE)) {
			op = op->next;
			ns += op->kind == TRACE_OP_RUN ? op->ns : 0;
		}
		used += (size_t)snprintf(
			text + used, sizeof(text) - used, "%s%s", used ? ", " : "", names[kind]);
		if (kind == TRACE_OP_SPAWN)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %lld",
				(long long)op->u.child->pid);
		else if (kind == TRACE_OP_POST)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %lld",
				(long long)op->u.post.sleeper->pid);
		else
			used += (size_t)snprintf(
				text + used, sizeof(text) - used, " %lld", (long long)ns);
	}
	return text;
}

/* Lines in microseconds after 5 s. */
#define AT(comm, pid, cpu, flags, us, event) \
	comm "-" #pid " [00" #cpu "] " flags " 5.000" #us ": " event "\n"
#define SWITCH(cpu, us, prev, state, next)                                             \
	"t-" #prev " [00" #cpu "] d..2. 5.000" #us ": sched_switch: prev_comm=t" #prev \
	" prev_pid=" #prev " prev_prio=120 prev_state=" state " ==> next_comm=t" #next \
	" next_pid=" #next " next_prio=120\n"
#define WAKE(event, pid, cpu, flags, us, who, target) \
	AT("t", pid, cpu, flags, us,                  \
		event ": comm=t" #who " pid=" #who " prio=120 target_cpu=00" #target)
#define WAKING(...) WAKE("sched_waking", __VA_ARGS__)
#define WAKEUP(...) WAKE("sched_wakeup", __VA_ARGS__)
#define WAKEUP_NEW(...) WAKE("sched_wakeup_new", __VA_ARGS__)
#define FORK(pid, cpu, us, child)                                                     \
	AT("t", pid, cpu, ".....", us,                                                \
		"sched_process_fork: comm=t" #pid " pid=" #pid " child_comm=t" #child \
		" child_pid=" #child)
#define EXIT(pid, cpu, us) \
	AT("t", pid, cpu, ".....", us, "sched_process_exit: comm=t" #pid " pid=" #pid " prio=120")
#define WAIT(pid, cpu, us) \
	AT("t", pid, cpu, ".....", us, "sched_process_wait: comm=t" #pid " pid=0 prio=120")

Test(import, a_wake_up_by_a_task_is_an_edge_at_its_point_of_progress)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(1, 100, 0, "R", 12) SWITCH(0, 110, 11, "S", 0)
			  WAKING(12, 1, "d..2.", 137, 11, 0) WAKEUP(12, 1, "d..2.", 139, 11, 0)
				  SWITCH(0, 150, 0, "R", 11) SWITCH(1, 160, 12, "S", 0)
					  SWITCH(0, 171, 11, "X", 0),
		"all");
	cr_assert(eq(str, (char *)script(11), "run 10000, block 27000, run 21000"));
	cr_assert(eq(str, (char *)script(12), "run 37000, post 11, run 23000"));
	cr_assert(eq(i64, import.totals.edges, 1));
	cr_assert(eq(i64, import.totals.open_blocks, 1));
	cr_assert(eq(i64, import.totals.run_ns, 91000));
	cr_assert(eq(i64, import.totals.work, INT64_C(91000) * REFERENCE_KHZ));
	cr_assert(import.totals.clock_assumed && !import.totals.clock_recorded);
}

Test(import, a_waker_that_leaves_its_cpu_says_so)
{
	take_text(SWITCH(0, 100, 0, "R", 12) SWITCH(1, 100, 0, "R", 11) SWITCH(1, 110, 11, "S",
			  0) WAKING(12, 0, "d..2.", 137, 11, 1) WAKEUP(12, 0, "d..2.", 139, 11, 0)
			  SWITCH(0, 150, 12, "S", 11) SWITCH(0, 160, 11, "S", 0) SWITCH(
				  1, 165, 0, "R", 13) WAKING(13, 1, "d..2.", 170, 12, 0)
				  WAKEUP(13, 1, "d..2.", 171, 12, 0) SWITCH(0, 180, 0, "R", 12),
		"all");
	for (struct trace_op *op = task(12)->first; op; op = op->next)
		if (op->kind == TRACE_OP_POST)
			cr_assert(eq(int, op->u.post.wake, WAKE_SYNC));
	for (struct trace_op *op = task(13)->first; op; op = op->next)
		if (op->kind == TRACE_OP_POST)
			cr_assert(eq(int, op->u.post.wake, WAKE_PLAIN));
}

Test(import, preemption_and_waiting_for_a_cpu_leave_no_trace)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(0, 110, 11, "R", 12) SWITCH(0, 120, 12, "R+",
			  11) SWITCH(0, 135, 11, "X", 12) SWITCH(0, 150, 12, "X", 0),
		"all");
	cr_assert(eq(str, (char *)script(11), "run 25000"));
	cr_assert(eq(str, (char *)script(12), "sleep 10000, run 25000"));
}

Test(import, a_timer_is_a_sleep_and_a_device_is_io)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(0, 110, 11, "S", 0)
			  WAKING(0, 0, "d.h2.", 140, 11, 0) SWITCH(0, 145, 0, "R", 11)
				  SWITCH(0, 150, 11, "D", 0) WAKING(0, 0, "d.h2.", 177, 11, 0)
					  SWITCH(0, 178, 0, "R", 11) SWITCH(0, 180, 11, "X", 0),
		"all");
	cr_assert(eq(
		str, (char *)script(11), "run 10000, sleep 30000, run 5000, io 27000, run 2000"));
}

Test(import, an_interrupt_on_the_cpu_of_a_task_is_not_that_task)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(1, 100, 0, "R", 12) SWITCH(0, 110, 11, "S", 0)
			  WAKING(12, 1, "d.s2.", 137, 11, 0) SWITCH(0, 150, 0, "R", 11)
				  SWITCH(0, 160, 11, "X", 0),
		"all");
	cr_assert(eq(str, (char *)script(11), "run 10000, sleep 27000, run 10000"));
	cr_assert(eq(str, (char *)script(12), "run 60000"));
}

Test(import, a_wake_up_that_finds_the_task_awake_is_no_block)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(1, 100, 0, "R", 12)
			  WAKING(12, 1, "d..2.", 120, 11, 0) WAKEUP(12, 1, "d..2.", 121, 11, 0)
				  SWITCH(0, 130, 11, "S", 0) WAKING(0, 0, "d.h2.", 140, 11, 0)
					  SWITCH(0, 141, 0, "R", 11) SWITCH(0, 150, 11, "X", 0),
		"all");
	cr_assert(eq(str, (char *)script(11), "run 30000, sleep 10000, run 9000"));
	cr_assert(eq(i64, import.totals.edges, 0));
}

Test(import, a_wake_up_of_a_task_on_its_way_out_is_an_edge)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(1, 100, 0, "R", 12) WAKING(12, 1, "d..2.", 129,
			  11, 0) SWITCH(0, 130, 11, "S", 0) WAKEUP(0, 0, "d.h2.", 131, 11, 0)
			  SWITCH(0, 141, 0, "R", 11) SWITCH(0, 150, 11, "X", 0),
		"all");
	cr_assert(eq(str, (char *)script(11), "run 30000, block 0, run 9000"));
	cr_assert(eq(str, (char *)script(12), "run 29000, post 11, run 21000"));
}

Test(import, only_the_first_of_several_wake_ups_counts)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(1, 100, 0, "R", 12) SWITCH(0, 110, 11, "S", 0)
			  WAKING(12, 1, "d..2.", 120, 11, 0) WAKING(12, 1, "d..2.", 125, 11, 0)
				  WAKEUP(12, 1, "d..2.", 126, 11, 0) SWITCH(0, 130, 0, "R", 11)
					  SWITCH(0, 140, 11, "X", 0),
		"all");
	cr_assert(eq(str, (char *)script(12), "run 20000, post 11, run 20000"));
	cr_assert(eq(i64, import.totals.edges, 1));
}

Test(import, a_missing_wake_up_is_a_sleep_until_the_task_runs)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(0, 110, 11, "S", 0) SWITCH(0, 140, 0, "R", 11)
			  SWITCH(0, 150, 11, "X", 0),
		"all");
	cr_assert(eq(str, (char *)script(11), "run 10000, sleep 30000, run 10000"));
	cr_assert(eq(i64, import.totals.missing_wakeups, 1));
}

Test(import, a_child_starts_where_its_parent_wakes_it_and_its_exit_wakes_the_parent)
{
	take_text(SWITCH(0, 100, 0, "R", 11) FORK(11, 0, 120, 13) WAKEUP_NEW(
			  11, 0, "d..2.", 123, 13, 1) SWITCH(1, 125, 0, "R", 13) WAIT(11, 0, 130)
			  SWITCH(0, 131, 11, "S", 0) EXIT(13, 1, 150)
				  WAKING(13, 1, "d..2.", 152, 11, 0) SWITCH(1, 155, 13, "Z", 0)
					  SWITCH(0, 156, 0, "R", 11) SWITCH(0, 160, 11, "X", 0),
		"11");
	cr_assert(eq(
		str, (char *)script(11), "run 23000, spawn 13, run 8000, block 21000, run 4000"));
	cr_assert(eq(str, (char *)script(13), "run 27000, post 11, run 3000"));
	cr_assert(eq(i64, import.totals.forks, 1));
	cr_assert(eq(i64, import.totals.tasks, 2));
}

Test(import, a_parent_that_waits_too_late_to_block_still_depends_on_the_exit)
{
	take_text(SWITCH(0, 100, 0, "R", 11) FORK(11, 0, 120, 13) WAKEUP_NEW(
			  11, 0, "d..2.", 123, 13, 1) SWITCH(1, 125, 0, "R", 13) EXIT(13, 1, 150)
			  SWITCH(1, 155, 13, "Z", 0) WAIT(11, 0, 170) SWITCH(0, 180, 11, "X", 0),
		"11");
	cr_assert(
		eq(str, (char *)script(11), "run 23000, spawn 13, run 47000, block 0, run 10000"));
	cr_assert(eq(str, (char *)script(13), "run 25000, post 11, run 5000"));
}

Test(import, a_vfork_parent_is_woken_by_its_child)
{
	take_text(SWITCH(0, 100, 0, "R", 11) FORK(11, 0, 120, 13)
			  WAKEUP_NEW(11, 0, "d..2.", 120, 13, 0) SWITCH(0, 121, 11, "D", 13)
				  WAKING(13, 0, "d..4.", 150, 11, 0) SWITCH(0, 151, 13, "R+", 11)
					  SWITCH(0, 160, 11, "X", 13) SWITCH(0, 165, 13, "X", 0),
		"11");
	cr_assert(eq(
		str, (char *)script(11), "run 20000, spawn 13, run 1000, block 29000, run 9000"));
	cr_assert(eq(str, (char *)script(13), "run 29000, post 11, run 6000"));
	cr_assert(eq(i64, import.totals.ios, 0));
}

/* Task 11 works for different times, and sleeps until a beat, or for the same time. */
static void take_turns(int beat_us, int sleep_us)
{
	static char text[8192];
	size_t used = 0;
	int t = 100000;

	for (int i = 0; i < 9; i++) {
		int work = 500 + 137 * (i * 5 % 7),
		    wake = beat_us ? 100000 + (i + 1) * beat_us : t + work + sleep_us + i % 3;

		used += (size_t)snprintf(text + used, sizeof(text) - used,
			"<idle>-0 [000] d..2. 5.%06d: sched_switch: prev_comm=i prev_pid=0 "
			"prev_prio=120 "
			"prev_state=R ==> next_comm=t11 next_pid=11 next_prio=120\n"
			"t11-11 [000] d..2. 5.%06d: sched_switch: prev_comm=t11 prev_pid=11 "
			"prev_prio=120 prev_state=S ==> next_comm=i next_pid=0 next_prio=120\n"
			"<idle>-0 [000] d.h2. 5.%06d: sched_waking: comm=t11 pid=11 prio=120 "
			"target_cpu=000\n",
			t, t + work, wake);
		t = wake;
	}
	take_text(text, "all");
}

Test(import, sleeps_that_end_in_a_beat_keep_it)
{
	take_turns(10000, 0);
	cr_assert(eq(i64, import.totals.sleeps, 9));
	cr_assert(eq(i64, import.totals.beats, 9));
	cr_assert(ne(ptr, strstr(script(11), "until 10000000, run 1185000, until 20000000"), NULL),
		"%s", script(11));
	take_turns(0, 3000);
	cr_assert(eq(i64, import.totals.sleeps, 9));
	cr_assert(eq(i64, import.totals.beats, 0));
}

Test(import, ties_to_tasks_outside_the_tree_become_sleeps)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(1, 100, 0, "R", 77) SWITCH(0, 110, 11, "D", 0)
			  WAKING(77, 1, "d..2.", 137, 11, 0) SWITCH(0, 150, 0, "R", 11)
				  SWITCH(1, 155, 77, "S", 0) WAKING(11, 0, "d..2.", 160, 77, 1)
					  SWITCH(0, 171, 11, "X", 0),
		"t11");
	cr_assert(eq(str, (char *)script(11), "run 10000, sleep 27000, run 21000"));
	cr_assert(eq(i64, import.totals.tasks, 1));
	cr_assert(eq(i64, import.root->pid, 11));
}

/* Of one task, in the order in which it ran with them. */
static int prio_of(int first, int second, int third)
{
	const int prios[] = { first, second, third };
	char text[2048] = "";
	size_t used = 0;

	for (int i = 0; i < 3; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
			"t-0 [000] d..2. 5.000%d00: sched_switch: prev_comm=t prev_pid=0 "
			"prev_prio=120 prev_state=R ==> next_comm=t11 next_pid=11 next_prio=%d\n"
			"t-11 [000] d..2. 5.000%d50: sched_switch: prev_comm=t11 prev_pid=11 "
			"prev_prio=%d prev_state=S ==> next_comm=t next_pid=0 next_prio=120\n",
			i + 1, prios[i], i + 1, prios[i]);
	take_text(text, "all");
	int prio = task(11)->prio;
	arena_free(&arena);
	return prio;
}

Test(import, a_task_has_the_priority_it_mostly_ran_with)
{
	cr_assert(eq(int, prio_of(120, 120, 120), 120));
	cr_assert(eq(int, prio_of(110, 110, 110), 110));
	cr_assert(eq(int, prio_of(120, 130, 130), 130));
	cr_assert(eq(int, prio_of(19, 120, 19), 19));
	cr_assert(eq(int, prio_of(-1, -1, -1), -1));
}

Test(import, recorded_clocks_give_cycles)
{
	take_text(AT("t", 0, 0, "d..2.", 090, "cpu_frequency: state=1600000 cpu_id=0")
			  SWITCH(0, 100, 0, "R", 11) AT(
				  "t", 11, 0, "d..2.", 130, "cpu_frequency: state=2000000 cpu_id=0")
				  SWITCH(0, 150, 11, "R", 0) SWITCH(1, 160, 0, "R", 11) AT("t", 11,
					  1, "d..2.", 170, "cpu_frequency: state=800000 cpu_id=1")
					  SWITCH(1, 185, 11, "X", 0),
		"all");
	/* CPU 1's clock before the first event about it is taken from that event. */
	cr_assert(eq(i64, import.totals.work,
		INT64_C(30000) * 1600000 + INT64_C(20000) * 2000000 + INT64_C(25000) * 800000));
	cr_assert(eq(i64, import.totals.run_ns, 75000));
	cr_assert(import.totals.clock_recorded && !import.totals.clock_assumed);
}

Test(import, what_a_simulated_task_did_beyond_its_time_counts)
{
	take_text(AT("t", 0, 0, "d..2.", 090, "cpu_frequency: state=1600000 cpu_id=0") SWITCH(
			  0, 100, 0, "R", 11) AT("t", 11, 0, "d..2.", 130,
			  "cpufreqsim_work: cpu_id=0 less=1600000000")
			  AT("t", 11, 0, "d..2.", 140, "cpufreqsim_work: cpu_id=0 more=7000000")
		/* Nobody can have done less than nothing. */
		AT("t", 11, 0, "d..2.", 150, "cpufreqsim_work: cpu_id=0 less=999999999999999")
			SWITCH(0, 150, 11, "X", 0),
		"all");
	cr_assert(eq(i64, import.totals.work, INT64_C(49000) * 1600000 + 7000000));
	cr_assert(eq(i64, import.totals.run_ns, 50000));
}

Test(import, a_break_of_the_chain_is_repaired_from_the_wake_up_or_the_record_before)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(0, 110, 11, "S", 5) SWITCH(1, 112, 0, "R", 12)
			  WAKING(12, 1, "d..2.", 120, 11, 0) AT("t", 12, 1, ".....", 124, "x: y")
				  SWITCH(0, 140, 11, "X", 0) SWITCH(1, 150, 12, "X", 0),
		"all");
	cr_assert(eq(i64, import.totals.chain_breaks, 1));
	cr_assert(eq(str, (char *)script(11), "run 10000, block 10000, run 16000"));
}

Test(import, a_thread_that_execs_keeps_its_script_under_the_pid_of_its_process)
{
	take_text(SWITCH(0, 100, 0, "R", 12) SWITCH(1, 100, 0, "R", 11) SWITCH(1, 105, 11, "S", 0)
			  AT("t", 11, 0, ".....", 120,
				  "sched_process_exec: filename=/x pid=11 old_pid=12")
				  SWITCH(0, 140, 11, "X", 0),
		"all");
	cr_assert(eq(i64, import.totals.chain_breaks, 0));
	cr_assert(eq(i64, import.totals.run_ns, 45000));
}

Test(import, a_pid_given_away_again_is_another_task)
{
	take_text(SWITCH(0, 100, 0, "R", 11) FORK(11, 0, 110, 13) SWITCH(0, 120, 11, "R", 13)
			  SWITCH(0, 130, 13, "X", 11) FORK(11, 0, 140, 13) SWITCH(0, 150, 11, "R",
				  13) SWITCH(0, 175, 13, "X", 11) SWITCH(0, 180, 11, "X", 0),
		"t11");
	cr_assert(eq(i64, import.totals.tasks, 3));
	cr_assert(
		eq(str, (char *)script(11), "run 10000, spawn 13, run 20000, spawn 13, run 15000"));
}

Test(import, after_a_loss_nothing_is_known_of_the_cpu)
{
	take_text(SWITCH(0, 100, 0, "R", 11)
			  AT("t", 11, 0, ".....", 110, "x: y") "CPU:0 [LOST 77 EVENTS]\n" AT(
				  "t", 11, 0, ".....", 150, "x: y") SWITCH(0, 160, 11, "X", 0),
		"all");
	cr_assert(eq(i64, import.totals.losses, 1));
	cr_assert(eq(i64, import.totals.lost_ns, 40000));
	cr_assert(eq(i64, import.totals.chain_breaks, 0));
	cr_assert(eq(str, (char *)script(11), "run 20000"));
}

Test(import, a_part_of_a_recording)
{
	const char *path = recording_text(SWITCH(0, 100, 0, "R", 11) SWITCH(0, 110, 11, "S", 0)
			SWITCH(0, 140, 0, "R", 11) SWITCH(0, 155, 11, "S", 0)
				SWITCH(0, 180, 0, "R", 11) SWITCH(0, 190, 11, "S", 0));

	cr_assert(
		eq(int, take(path, (struct trace_options){ .from_ns = 30000, .to_ns = 82000 }), 0));
	cr_assert(eq(i64, import.totals.span_ns, 52000));
	cr_assert(eq(str, (char *)script(11), "sleep 10000, run 15000, sleep 25000, run 2000"));
}

Test(import, time_that_goes_back_stands_still)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(0, 130, 11, "R", 12) SWITCH(0, 120, 12, "R", 11)
			  SWITCH(0, 140, 11, "X", 0),
		"all");
	cr_assert(eq(i64, import.totals.backward, 1));
	cr_assert(eq(i64, import.totals.run_ns, 40000));
}

Test(import, an_impossible_gap_is_refused)
{
	const char *path = recording_text(
		SWITCH(0, 100, 0, "R", 11) "t-11 [000] d..2. 1205.1: x: y\n");

	cr_assert(eq(int, take(path, (struct trace_options){ 0 }), -1));
	cr_assert(eq(int, err.code, ERROR_TRACE));
	cr_assert(ne(ptr, strstr(err.text, ":2:1: time stamp is 1200 s after the record above"),
			  NULL),
		"%s", err.text);
}

Test(import, the_marks_name_the_root_even_after_a_short_command)
{
	take_text(AT("rec", 9, 0, ".....", 100, "tracing_mark_write: workload_start") FORK(
			  9, 0, 110, 13) SWITCH(1, 112, 0, "R", 13) SWITCH(1, 120, 13, "X",
			  0) FORK(9, 0, 130, 14) SWITCH(1, 132, 0, "R", 14) SWITCH(1, 170, 14, "X",
			  0) FORK(9, 0, 175, 15) SWITCH(1, 178, 0, "R", 15) SWITCH(1, 180, 15, "X",
			  0) AT("rec", 9, 0, ".....", 182, "tracing_mark_write: workload_end rc=0")
			  FORK(9, 0, 183, 16) SWITCH(1, 184, 0, "R", 16) SWITCH(1, 299, 16, "X", 0),
		"auto");
	cr_assert(eq(i64, import.root->pid, 14));
	cr_assert(eq(i64, import.totals.tasks, 1));
	cr_assert(eq(i64, import.totals.run_ns, 38000));
}

Test(import, roots_that_do_not_exist)
{
	const char *text = SWITCH(0, 100, 0, "R", 11) SWITCH(0, 110, 11, "S", 0);

	cr_assert(eq(int, take(recording_text(text), (struct trace_options){ .root = "t12" }), -1));
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
	cr_assert(ne(ptr,
			  strstr(err.text,
				  "no task with the pid or name \"t12\"; did you mean \"t11\"?"),
			  NULL),
		"%s", err.text);
	text = AT("rec", 9, 0, ".....", 100, "tracing_mark_write: workload_start")
		SWITCH(0, 110, 9, "S", 0);
	cr_assert(eq(int, take(recording_text(text), (struct trace_options){ 0 }), -1));
	cr_assert(eq(int, err.code, ERROR_TRACE));
	cr_assert(ne(ptr, strstr(err.text, "their writer starts no task between them"), NULL));
	text = SWITCH(0, 110, 0, "R", 0);
	cr_assert(eq(int, take(recording_text(text), (struct trace_options){ 0 }), -1));
	cr_assert(ne(ptr, strstr(err.text, "has no task to replay"), NULL));
}

Test(import, a_trace_without_scheduling_is_refused)
{
	const char *text = AT("<idle>", 0, 0, ".....", 100, "cpu_idle: state=1 cpu_id=0");

	cr_assert(eq(int, take(recording_text(text), (struct trace_options){ 0 }), -1));
	cr_assert(eq(int, err.code, ERROR_TRACE));
	cr_assert(ne(ptr, strstr(err.text, "has no scheduling event"), NULL), "%s", err.text);
}

Test(import, a_task_that_exits_is_dead_whatever_its_last_state_is_called)
{
	take_text(SWITCH(0, 100, 0, "R", 11) FORK(11, 0, 105, 13) EXIT(11, 0, 110)
			  SWITCH(0, 120, 11, "128", 13) SWITCH(0, 150, 13, "S", 0),
		"all");
	cr_assert(eq(str, (char *)script(11), "run 5000, spawn 13, run 15000"));
	cr_assert(eq(i64, import.totals.open_blocks, 1));
}

Test(import, a_head_that_contradicts_the_switches_is_not_followed)
{
	take_text(SWITCH(0, 100, 0, "R", 11) SWITCH(0, 110, 11, "S", 12)
			  AT("t", 11, 0, ".....", 120, "x: y") SWITCH(0, 150, 12, "X", 0),
		"all");
	cr_assert(eq(i64, import.totals.chain_breaks, 0));
	cr_assert(eq(i64, import.totals.missing_wakeups, 0));
	cr_assert(eq(str, (char *)script(12), "sleep 10000, run 40000"));
}

Test(import, a_kernel_build_gives_back_the_figures_of_its_recording)
{
	cr_assert(eq(int, take(J1, (struct trace_options){ 0 }), 0), "%s", err.text);
	cr_assert(eq(i64, import.totals.tasks, 951));
	cr_assert(eq(i64, import.totals.chain_breaks, 13));
	cr_assert(eq(i64, import.totals.missing_wakeups, 0));
	cr_assert(eq(i64, import.totals.run_ns / NSEC_PER_MSEC, 10476));
	cr_assert(eq(int, take(J4, (struct trace_options){ 0 }), 0), "%s", err.text);
	cr_assert(eq(i64, import.totals.tasks, 951));
	cr_assert(eq(i64, import.totals.chain_breaks, 9));
	/* 9.260 s without the runs that the breaks hide. */
	cr_assert(eq(i64, import.totals.run_ns / (10 * NSEC_PER_MSEC), 928));
}

/* Every channel has one POST and one BLOCK, both of tasks that are replayed. */
static void check_edges(void)
{
	int64_t posts = 0, blocks = 0;

	for (struct trace_task *t = import.tasks; t; t = t->next) {
		for (struct trace_op *op = t->first; t->in_tree && op; op = op->next) {
			blocks += op->kind == TRACE_OP_BLOCK;
			if (op->kind != TRACE_OP_POST)
				continue;
			posts++;
			cr_assert(op->u.post.sleeper->in_tree);
			cr_assert(eq(int, op->u.post.block->kind, TRACE_OP_BLOCK));
			cr_assert(eq(ptr, op->u.post.block->u.wait.waker, t));
			/* A second POST for it would find the token of the first. */
			cr_assert(eq(i64, op->u.post.block->u.wait.channel.tokens, 0));
			op->u.post.block->u.wait.channel.tokens = 1;
		}
	}
	cr_assert(eq(i64, posts, blocks));
	cr_assert(eq(i64, posts, import.totals.edges));
}

Test(import, edges_come_in_pairs)
{
	static const char *const paths[] = { J1, J4, "tests/data/traces/ftrace-plain.txt",
		"tests/data/traces/ftrace-overwritten-head.txt",
		"tests/data/traces/tracecmd-report-dropped.txt" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		cr_assert(eq(int, take(paths[i], (struct trace_options){ 0 }), 0), "%s", err.text);
		check_edges();
	}
}

Test(import, out_of_memory_closes_the_file_and_reaches_the_caller)
{
	struct trace_options options = {
		.root = "auto", .to_ns = NEVER_NS, .reference_khz = REFERENCE_KHZ
	};
	static volatile int failures;

	for (int fd = 0; fd < 1100; fd++) {
		arena_free(&arena);
		arena.limit_bytes = 900000;
		if (arena_try(&arena))
			failures++;
		else
			trace_import(&arena, J4, &options, &import, &err);
		if (failures > 40)
			break;
	}
	arena.limit_bytes = 0;
	cr_assert(gt(int, failures, 40));
	cr_assert(eq(int, take(J4, (struct trace_options){ 0 }), 0), "%s", err.text);
}

static uint32_t draw(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Bytes changed, pieces cut out, pieces doubled: whatever comes is imported or refused. */
static void mutate(char *bytes, size_t *size, uint32_t *seed)
{
	for (uint32_t n = draw(seed) % 40; n; n--)
		bytes[draw(seed) % *size] = (char)draw(seed);
	size_t from = draw(seed) % *size, len = draw(seed) % 4000;

	if (len > *size - from)
		len = *size - from;
	if (draw(seed) % 2) {
		memmove(bytes + from, bytes + from + len, *size - from - len);
		*size -= len;
	}
	size_t to = draw(seed) % (*size + 1);
	if (len > *size - to)
		len = *size - to;
	if (from + len <= *size)
		memmove(bytes + to, bytes + from, len);
}

Test(import, mutated_recordings_never_crash_and_keep_their_edges_paired)
{
	static const char *const paths[] = {
		"tests/data/traces/ftrace-tgid-irq.txt",
		"tests/data/traces/ftrace-fields-option.txt",
		"tests/data/traces/tracecmd-report-R.txt",
		"tests/data/traces/tracecmd-report.txt",
		"tests/data/traces/perf-script-ns-tid.txt",
		"tests/data/traces/ftrace-pipe-lost.txt",
	};
	uint32_t seed = 20161109;
	int imported = 0;

	for (int i = 0; i < 240; i++) {
		size_t size;
		char *bytes = recording_read(paths[i % 6], &size);

		for (int more = i / 6 % 4; more >= 0; more--)
			mutate(bytes, &size, &seed);
		if (take(recording_file(bytes, size), (struct trace_options){ 0 }) == 0) {
			check_edges();
			imported++;
		} else {
			cr_assert(ne(int, err.code, ERROR_NONE));
		}
		free(bytes);
	}
	cr_assert(gt(int, imported, 120));
}
