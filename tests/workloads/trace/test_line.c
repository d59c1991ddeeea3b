#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "workloads/trace/line.h"
#include "workloads/trace/state.h"

TestSuite(line);

static enum trace_line parse(const char *text, struct trace_event *event)
{
	int col;

	return trace_line_parse(text, strlen(text), event, &col);
}

struct head {
	char text[160];
	char comm[TRACE_COMM_SIZE];
	int64_t pid, t_ns;
	int cpu;
	enum trace_context context;
};

#define HEAD(text, comm, pid, cpu, t_ns, context)   \
	{                                           \
		text, comm, pid, t_ns, cpu, context \
	}

ParameterizedTestParameters(line, a_head_in_any_layout)
{
	static struct head heads[] = {
		HEAD("            bash-1786    (   1785) [003] d..2.  2766.624909: x: y", "bash",
			1786, 3, 2766624909000, TRACE_CONTEXT_TASK),
		HEAD("            bash-1786    (-------) [001]  2766.624909: x: y", "bash", 1786, 1,
			2766624909000, TRACE_CONTEXT_UNKNOWN),
		HEAD("            bash-1786  (-----) [001] d.h3  2766.624909: x: y", "bash", 1786,
			1, 2766624909000, TRACE_CONTEXT_IRQ),
		HEAD("          <idle>-0       [001] dNs4. 17.000043: x: y", "<idle>", 0, 1,
			17000043000, TRACE_CONTEXT_IRQ),
		HEAD("           <...>-41812 [117] .N.. 17.000043: x: y", "", 41812, 117,
			17000043000, TRACE_CONTEXT_TASK),
		HEAD("          (sd-pam)-812 [000] .... 17.100043: x: y", "(sd-pam)", 812, 0,
			17100043000, TRACE_CONTEXT_TASK),
		HEAD("  a [1] b-2 c-3-977   [002] .... 17.100043: x: y", "a [1] b-2 c-3", 977, 2,
			17100043000, TRACE_CONTEXT_TASK),
		HEAD("                -1234  [002] .... 17.100043: x: y", "", 1234, 2, 17100043000,
			TRACE_CONTEXT_TASK),
		HEAD("perf  1869/1870  [000]  2769.263250841:       sched:x: y", "perf", 1870, 0,
			2769263250841, TRACE_CONTEXT_UNKNOWN),
		HEAD("Web Content 99-3  1869 [000] 2769.263250:  1 sched:x: y", "Web Content 99-3",
			1869, 0, 2769263250000, TRACE_CONTEXT_UNKNOWN),
		HEAD(":-1    -1 [001]  2769.26: sched:x: y", "", TRACE_PID_UNKNOWN, 1,
			2769260000000, TRACE_CONTEXT_UNKNOWN),
		HEAD("rec2:      migration/1-21    [001]  2766.628334: x:    y", "migration/1", 21,
			1, 2766628334000, TRACE_CONTEXT_UNKNOWN),
		HEAD("kworker/u8:2-events_unbound-67  [001] d..2.  6.000001: x: y\r\n",
			"kworker/u8:2-events_unbound", 67, 1, 6000001000, TRACE_CONTEXT_TASK),
	};
	return cr_make_param_array(struct head, heads, sizeof(heads) / sizeof(heads[0]));
}

ParameterizedTest(struct head *head, line, a_head_in_any_layout)
{
	struct trace_event event;

	cr_assert(eq(int, parse(head->text, &event), TRACE_LINE_EVENT), "%s", head->text);
	cr_expect(eq(int, event.kind, TRACE_OTHER));
	cr_expect(eq(str, event.head.comm, head->comm));
	cr_expect(eq(i64, event.head.pid, head->pid));
	cr_expect(eq(i64, event.t_ns, head->t_ns));
	cr_expect(eq(int, event.cpu, head->cpu));
	cr_expect(eq(int, event.context, head->context), "%s", head->text);
}

static enum trace_line parse_payload(const char *payload, struct trace_event *event)
{
	char text[512];

	snprintf(text, sizeof(text), "   make-24532   ( 24532) [001] d..2.  4325.318795: %s",
		payload);
	return parse(text, event);
}

struct spelling {
	char payload[200];
	char prev[TRACE_COMM_SIZE], next[TRACE_COMM_SIZE];
	int64_t prev_pid, next_pid;
	enum trace_state state;
};

ParameterizedTestParameters(line, a_switch_in_any_spelling)
{
	static struct spelling spellings[] = {
		{ "sched_switch: prev_comm=cc1 prev_pid=23105 prev_prio=120 prev_state=R+ ==> "
		  "next_comm=swapper/1 next_pid=0 next_prio=120",
			"cc1", "swapper/1", 23105, 0, TRACE_RUNNABLE },
		{ "sched:sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=D|K ==> "
		  "next_comm=b next_pid=2 next_prio=-1 extra=9",
			"a", "b", 1, 2, TRACE_BLOCKED_D },
		{ "sched_switch:   cc1:23105 [120] S ==> a b:c:17 [98]", "cc1", "a b:c", 23105, 17,
			TRACE_BLOCKED },
		{ "sched_switch:   a [7]:23105 [120] R ==> b:17 [98]", "a [7]", "b", 23105, 17,
			TRACE_RUNNABLE },
		{ "sched_switch: prev_comm=as prev_pid=23105 prev_prio=120 prev_state=32 "
		  "next_comm=ld "
		  "next_pid=17 next_prio=120",
			"as", "ld", 23105, 17, TRACE_DEAD },
		{ "sched_switch: prev_comm=as prev_pid=23105 prev_prio=120 prev_state=256 "
		  "next_comm=ld "
		  "next_pid=17 next_prio=120",
			"as", "ld", 23105, 17, TRACE_RUNNABLE },
		{ "sched_switch: prev_comm=as prev_pid=23105 prev_prio=120 prev_state=128 "
		  "next_comm=ld "
		  "next_pid=17 next_prio=120",
			"as", "ld", 23105, 17, TRACE_BLOCKED },
		{ "sched_switch: prev_comm=bash prev_pid=0x6fa (1786) prev_prio=0x78 (120) "
		  "prev_state=0x2 (2) next_comm=bga next_pid=0x7988 (31112) next_prio=0x78 (120)",
			"bash", "bga", 1786, 31112, TRACE_BLOCKED_D },
		{ "sched_switch: prev_comm=x prev_pid=3 y prev_pid=23105 prev_prio=120 "
		  "prev_state=Z ==> "
		  "next_comm=w next_pid=5 next_pid=17 next_prio=120",
			"x prev_pid=3 y", "w next_pid=5", 23105, 17, TRACE_DEAD },
		{ "sched_switch: prev_comm= prev_pid=23105 prev_prio=120 prev_state=I ==> "
		  "next_comm= "
		  "next_pid=17 next_prio=120",
			"", "", 23105, 17, TRACE_BLOCKED },
	};
	return cr_make_param_array(
		struct spelling, spellings, sizeof(spellings) / sizeof(spellings[0]));
}

ParameterizedTest(struct spelling *s, line, a_switch_in_any_spelling)
{
	struct trace_event event;

	cr_assert(eq(int, parse_payload(s->payload, &event), TRACE_LINE_EVENT), "%s", s->payload);
	cr_assert(eq(int, event.kind, TRACE_SWITCH));
	cr_expect(eq(str, event.a.comm, s->prev));
	cr_expect(eq(str, event.b.comm, s->next));
	cr_expect(eq(i64, event.a.pid, s->prev_pid));
	cr_expect(eq(i64, event.b.pid, s->next_pid));
	if (event.state_bits >= 0)
		event.prev_state = trace_state_of_bits(
			&(struct trace_states){ 0 }, event.state_bits);
	cr_expect(eq(int, event.prev_state, s->state), "%s", s->payload);
}

struct wakeup {
	char payload[120];
	enum trace_kind kind;
	char comm[TRACE_COMM_SIZE];
	int64_t pid;
	int cpu;
};

ParameterizedTestParameters(line, a_wakeup_in_any_spelling)
{
	static struct wakeup wakeups[] = {
		{ "sched_waking: comm=rcu_preempt pid=15 prio=120 target_cpu=003", TRACE_WAKING,
			"rcu_preempt", 15, 3 },
		{ "sched_wakeup: comm=a pid=b pid=15 prio=120 success=1 target_cpu=003",
			TRACE_WAKEUP, "a pid=b", 15, 3 },
		{ "sched_wakeup: comm=a pid=15 prio=120 success=0 target_cpu=003", TRACE_OTHER, "a",
			15, 3 },
		{ "sched_wakeup_new:   bash:1790 [120] CPU:001", TRACE_WAKEUP_NEW, "bash", 1790,
			1 },
		{ "sched_wakeup: bash:1790 [120] success=1 CPU:002", TRACE_WAKEUP, "bash", 1790,
			2 },
		{ "sched_wakeup: b:1790 [120]<CANT FIND FIELD success> CPU:002", TRACE_WAKEUP, "b",
			1790, 2 },
		{ "sched_wakeup: comm=bash pid=0x6fe (1790) prio=0x78 (120) target_cpu=0x1 (1)",
			TRACE_WAKEUP, "bash", 1790, 1 },
	};
	return cr_make_param_array(struct wakeup, wakeups, sizeof(wakeups) / sizeof(wakeups[0]));
}

ParameterizedTest(struct wakeup *w, line, a_wakeup_in_any_spelling)
{
	struct trace_event event;

	cr_assert(eq(int, parse_payload(w->payload, &event), TRACE_LINE_EVENT), "%s", w->payload);
	cr_expect(eq(int, event.kind, w->kind), "%s", w->payload);
	cr_expect(eq(str, event.b.comm, w->comm));
	cr_expect(eq(i64, event.b.pid, w->pid));
	cr_expect(eq(int, event.target_cpu, w->cpu));
}

Test(line, the_life_of_a_process)
{
	struct trace_event e;

	parse_payload("sched_process_fork: comm=make pid=24532 child_comm=sh child_pid=24533", &e);
	cr_assert(eq(int, e.kind, TRACE_FORK));
	cr_assert(eq(i64, e.a.pid, 24532));
	cr_assert(eq(i64, e.b.pid, 24533));
	cr_assert(eq(str, e.b.comm, "sh"));
	parse_payload("sched_process_fork: parent_comm=make parent_pid=0x6fa (1786) child_comm=sh "
		      "child_pid=0x6fe (1790)",
		&e);
	cr_assert(eq(i64, e.a.pid, 1786));
	cr_assert(eq(i64, e.b.pid, 1790));
	parse_payload("task_newtask: pid=24533 comm=sh clone_flags=1200011 oom_score_adj=0", &e);
	cr_assert(eq(int, e.kind, TRACE_FORK));
	cr_assert(eq(i64, e.a.pid, 24532));
	cr_assert(eq(str, e.b.comm, "sh"));
	parse_payload("sched_process_exec: filename=/a b pid=7 c pid=24533 old_pid=24530", &e);
	cr_assert(eq(int, e.kind, TRACE_EXEC));
	cr_assert(eq(i64, e.a.pid, 24530));
	cr_assert(eq(i64, e.b.pid, 24533));
	parse_payload("task_rename: pid=24533 oldcomm=sh newcomm=sed -n oom_score_adj=0", &e);
	cr_assert(eq(int, e.kind, TRACE_RENAME));
	cr_assert(eq(str, e.a.comm, "sed -n"));
	parse_payload("sched_process_wait: comm=sh pid=0 prio=120", &e);
	cr_assert(eq(int, e.kind, TRACE_WAIT));
	parse_payload("sched_process_exit: comm=sh pid=24533 prio=120 group_dead=true", &e);
	cr_assert(eq(int, e.kind, TRACE_EXIT));
	cr_assert(eq(i64, e.a.pid, 24533));
	parse_payload("sched_process_free: comm=sh pid=24533 prio=120", &e);
	cr_assert(eq(int, e.kind, TRACE_FREE));
}

Test(line, frequencies_and_marks)
{
	struct trace_event e;

	parse_payload("cpu_frequency: state=2205000 cpu_id=3", &e);
	cr_assert(eq(int, e.kind, TRACE_FREQUENCY));
	cr_assert(eq(i64, e.khz, 2205000));
	cr_assert(eq(int, e.target_cpu, 3));
	parse_payload("power_frequency: type=2 state=1600000 cpu_id=1", &e);
	cr_assert(eq(i64, e.khz, 1600000));
	parse_payload("tracing_mark_write: workload_end rc=0", &e);
	cr_assert(eq(int, e.kind, TRACE_MARK));
	cr_assert(eq(str, e.text, "workload_end rc=0"));
	parse_payload("print:      tracing_mark_write: workload_start", &e);
	cr_assert(eq(int, e.kind, TRACE_MARK));
	cr_assert(eq(str, e.text, "workload_start"));
	parse_payload("print:      do_fork: hello", &e);
	cr_assert(eq(int, e.kind, TRACE_OTHER));
}

Test(line, what_only_a_simulated_machine_tells)
{
	struct trace_event e;

	parse_payload("cpufreqsim_work: cpu_id=3 less=2205000", &e);
	cr_assert(eq(int, e.kind, TRACE_WORK));
	cr_assert(eq(int, e.target_cpu, 3));
	cr_assert(eq(i64, e.work, -2205000));
	parse_payload("cpufreqsim_work: cpu_id=0 more=17", &e);
	cr_assert(eq(i64, e.work, 17));
	parse_payload("cpufreqsim_sync: pid=4711", &e);
	cr_assert(eq(int, e.kind, TRACE_SYNC));
	cr_assert(eq(i64, e.b.pid, 4711));
}

Test(line, lost_events_and_headers)
{
	struct trace_event e;

	cr_assert(eq(int, parse("CPU:1 [LOST 23349 EVENTS]", &e), TRACE_LINE_EVENT));
	cr_assert(eq(int, e.kind, TRACE_LOST));
	cr_assert(eq(int, e.cpu, 1));
	cr_assert(eq(i64, e.lost, 23349));
	parse("CPU:7 [LOST EVENTS]", &e);
	cr_assert(eq(int, e.kind, TRACE_LOST));
	cr_assert(eq(i64, e.lost, -1));
	parse("rec2: CPU:1 [81052 EVENTS DROPPED]", &e);
	cr_assert(eq(int, e.kind, TRACE_LOST));
	cr_assert(eq(i64, e.lost, 81052));
	parse("rec2: CPU:0 [EVENTS DROPPED]", &e);
	cr_assert(eq(i64, e.lost, -1));
	parse("cc1 77 [002] 17.5: PERF_RECORD_LOST lost 4", &e);
	cr_assert(eq(int, e.kind, TRACE_LOST));
	cr_assert(eq(int, e.cpu, 2));
	parse("# entries-in-buffer/entries-written: 874/60327   #P:2", &e);
	cr_assert(eq(int, e.kind, TRACE_CPUS));
	cr_assert(eq(i64, e.nr_cpus, 2));
	cr_assert(eq(i64, e.lost, 59453));
	parse("cpus=16", &e);
	cr_assert(eq(i64, e.nr_cpus, 16));
	cr_assert(eq(int, parse("version = 6", &e), TRACE_LINE_COMMENT));
	cr_assert(eq(int, parse("CPU 3 is empty", &e), TRACE_LINE_COMMENT));
	cr_assert(eq(int, parse("# tracer: nop", &e), TRACE_LINE_COMMENT));
	cr_assert(eq(int, parse("", &e), TRACE_LINE_COMMENT));
}

struct refusal {
	char text[120];
	enum trace_line line;
	int col;
};

ParameterizedTestParameters(line, what_is_no_event)
{
	static struct refusal refusals[] = {
		{ "#include <stdio.h>", TRACE_LINE_COMMENT, 1 },
		{ "  int main(void)", TRACE_LINE_FOREIGN, 3 },
		{ "   bash-1786 [000] ..... 5814250268758: sched_x: y", TRACE_LINE_INTEGER, 20 },
		{ "   bash-1786 [000] .....  soon: sched_x: y", TRACE_LINE_FOREIGN, 20 },
		{ "   bash-1786 [000] ..... 12.5 sched_x: y", TRACE_LINE_FOREIGN, 20 },
		{ "   bash-99999999 [000] ..... 12.5: sched_x: y", TRACE_LINE_FOREIGN, 4 },
		{ "   bash-17 [9999] ..... 12.5: sched_x: y", TRACE_LINE_FOREIGN, 4 },
		{ "   bash-17 [000] ..... 12345678901.5: sched_x: y", TRACE_LINE_FOREIGN, 18 },
		{ "    bash-1786      0d..2. 16878us+: sched_x: y", TRACE_LINE_LATENCY, 5 },
		{ "rec2:     bash-1786    0d..2.  2766.624916: sched_x: y", TRACE_LINE_LATENCY,
			11 },
		{ "# nop latency trace v1.1.5 on 6.18", TRACE_LINE_LATENCY, 1 },
	};
	return cr_make_param_array(
		struct refusal, refusals, sizeof(refusals) / sizeof(refusals[0]));
}

ParameterizedTest(struct refusal *r, line, what_is_no_event)
{
	struct trace_event event;
	int col;

	cr_expect(eq(int, trace_line_parse(r->text, strlen(r->text), &event, &col), r->line), "%s",
		r->text);
	cr_expect(eq(int, col, r->col), "%s", r->text);
}

Test(line, a_known_event_with_an_unreadable_payload_keeps_its_head)
{
	static const char *const payloads[] = {
		"sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S",
		"sched_switch: prev_comm=a prev_pid=1 prev_state=S next_comm=b next_pid=99999999",
		"sched_switch: hello",
		"sched_switch: a:b [1] S ==> c:d [2]",
		"sched_waking: comm=a pid=x prio=120",
		"sched_waking: comm=a pid=7 prio=120 target_cpu=99999",
		"sched_wakeup: a",
		"sched_process_fork: child_pid=1",
		"sched_process_exec: pid=1",
		"sched_process_exit: nobody",
		"task_rename: newcomm=x",
		"task_newtask: comm=x",
		"cpu_frequency: state=0 cpu_id=1",
		"cpu_frequency: state=99999999 cpu_id=1",
		"cpu_frequency: state=1000000",
		"cpufreqsim_work: cpu_id=1 less=x",
		"cpufreqsim_work: cpu_id=1",
		"cpufreqsim_work: less=5",
		"cpufreqsim_sync: pid=x",
	};
	struct trace_event event;

	for (size_t i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++) {
		cr_expect(eq(int, parse_payload(payloads[i], &event), TRACE_LINE_PAYLOAD), "%s",
			payloads[i]);
		cr_expect(eq(int, event.kind, TRACE_OTHER));
		cr_expect(eq(i64, event.head.pid, 24532));
	}
}

Test(line, every_kind_has_a_name)
{
	cr_assert(eq(str, (char *)trace_kind_name(TRACE_SWITCH), "sched_switch"));
	cr_assert(eq(str, (char *)trace_kind_name(TRACE_LOST), "lost events"));
	cr_assert(eq(str, (char *)trace_kind_name(TRACE_CPUS), "header"));
	cr_assert(eq(str, (char *)trace_kind_name(TRACE_OTHER), "other"));
}
