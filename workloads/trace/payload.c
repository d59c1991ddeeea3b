#include "workloads/trace/payload.h"

static bool span_pid(struct span s, int64_t *pid)
{
	return span_take_number(&s, pid) && *pid <= TRACE_PID_MAX;
}

/* "15 next_prio=120": a pid, and the priority where it follows. */
static bool span_pid_prio(struct span s, struct trace_who *who)
{
	int64_t v;

	if (!span_take_number(&s, &who->pid) || who->pid > TRACE_PID_MAX)
		return false;
	while (s.at < s.end && *s.at != '=')
		s.at++;
	if (s.at == s.end)
		return true;
	s.at++;
	if (s.at < s.end && *s.at == '-')
		who->prio = -1;
	else if (span_take_number(&s, &v) && v < 2 * TRACE_PRIO_NORMAL)
		who->prio = (int)v;
	return true;
}

static bool span_cpu(struct span s, int *cpu)
{
	int64_t v;

	if (!span_number(s, &v) || v >= TRACE_MAX_CPUS)
		return false;
	*cpu = (int)v;
	return true;
}

/* A number, whose meaning depends on the kernel, or letters joined by '|'; anything unknown has
 * blocked. */
static bool span_state(struct span s, struct trace_event *event)
{
	s = span_trim(s);
	if (s.at == s.end)
		return false;
	if (is_digit(*s.at))
		return span_number(s, &event->state_bits);
	event->prev_state = *s.at == 'R' ? TRACE_RUNNABLE : TRACE_BLOCKED;
	for (; s.at < s.end && !is_blank(*s.at); s.at++) {
		if (*s.at == 'Z' || *s.at == 'X' || *s.at == 'x')
			event->prev_state = TRACE_DEAD;
		else if (*s.at == 'D' && event->prev_state == TRACE_BLOCKED)
			event->prev_state = TRACE_BLOCKED_D;
	}
	return true;
}

/* "C:P [prio]" of the plug-ins of trace-cmd, with @tail for what follows the bracket. */
static bool span_plugin_task(struct span s, struct trace_who *who, struct span *tail)
{
	const char *open = span_find_last(s, " [");
	const char *colon = open ? span_find_last((struct span){ s.at, open }, ":") : NULL;

	if (!colon || !span_pid((struct span){ colon + 1, open }, &who->pid))
		return false;
	const char *close = memchr(open, ']', (size_t)(s.end - open));
	if (!close)
		return false;
	struct span number = { open + 2, close };
	int64_t prio;
	if (number.at < close && *number.at == '-')
		who->prio = -1;
	else if (span_number(number, &prio) && prio < 2 * TRACE_PRIO_NORMAL)
		who->prio = (int)prio;
	span_copy((struct span){ s.at, colon }, who->comm, sizeof(who->comm));
	*tail = (struct span){ close + 1, s.end };
	return true;
}

static bool switch_plugin(struct span s, struct trace_event *event)
{
	struct span next, tail;

	if (!span_cut(&s, " ==> ", &next))
		return false;
	return span_plugin_task(span_trim(next), &event->b, &tail) &&
		span_plugin_task(span_trim(s), &event->a, &tail) && span_state(tail, event);
}

static bool switch_fields(struct span s, struct trace_event *event)
{
	struct span v, comm;

	if (!span_cut(&s, " next_pid=", &v) || !span_pid_prio(v, &event->b))
		return false;
	if (!span_cut(&s, " next_comm=", &comm))
		return false;
	span_copy(comm, event->b.comm, sizeof(event->b.comm));
	if (!span_cut(&s, " prev_state=", &v) || !span_state(v, event))
		return false;
	if (!span_cut(&s, " prev_pid=", &v) || !span_pid_prio(v, &event->a))
		return false;
	if (!span_cut(&s, "prev_comm=", &comm))
		return false;
	span_copy(comm, event->a.comm, sizeof(event->a.comm));
	return true;
}

static bool payload_switch(struct span s, struct trace_event *event)
{
	return switch_fields(s, event) || switch_plugin(s, event);
}

static bool wakeup_plugin(struct span s, struct trace_event *event)
{
	struct span tail, v;

	if (!span_plugin_task(span_trim(s), &event->b, &tail))
		return false;
	if (span_contains(tail, "success=0"))
		event->kind = TRACE_OTHER;
	if (span_cut(&tail, "CPU:", &v) && !span_cpu(v, &event->target_cpu))
		return false;
	return true;
}

static bool payload_wakeup(struct span s, struct trace_event *event)
{
	struct span v, comm;

	struct span all = s;

	if (span_cut(&s, " target_cpu=", &v) && !span_cpu(v, &event->target_cpu))
		return false;
	/* Kernels before 4.4 also logged wake-ups that found the task awake. */
	if (span_ends(s, " success=0"))
		event->kind = TRACE_OTHER;
	if (!span_cut(&s, " pid=", &v))
		return wakeup_plugin(all, event);
	if (!span_pid_prio(v, &event->b))
		return false;
	if (!span_cut(&s, "comm=", &comm))
		return false;
	span_copy(comm, event->b.comm, sizeof(event->b.comm));
	return true;
}

/* "comm= pid= child_comm= child_pid=", raw with a parent_ in front of the first two. */
static bool payload_fork(struct span s, struct trace_event *event)
{
	struct span v, comm;

	if (!span_cut(&s, " child_pid=", &v) || !span_pid(v, &event->b.pid))
		return false;
	if (!span_cut(&s, " child_comm=", &comm))
		return false;
	span_copy(comm, event->b.comm, sizeof(event->b.comm));
	if (!span_cut(&s, "pid=", &v) || !span_pid(v, &event->a.pid))
		return false;
	if (span_cut(&s, "comm=", &comm)) {
		if (!span_cut(&comm, " parent_", &v))
			comm = span_trim(comm);
		span_copy(comm, event->a.comm, sizeof(event->a.comm));
	}
	return true;
}

/* Android records task_newtask in place of a fork; the parent is the task that runs. */
static bool payload_newtask(struct span s, struct trace_event *event)
{
	struct span v;

	if (!span_take(&s, "pid=") || !span_pid(s, &event->b.pid))
		return false;
	event->a = event->head;
	if (span_cut(&s, " clone_flags=", &v) && span_cut(&s, " comm=", &v))
		span_copy(v, event->b.comm, sizeof(event->b.comm));
	return true;
}

static bool payload_exec(struct span s, struct trace_event *event)
{
	struct span v;

	if (!span_cut(&s, " old_pid=", &v) || !span_pid(v, &event->a.pid))
		return false;
	return span_cut(&s, " pid=", &v) && span_pid(v, &event->b.pid);
}

static bool payload_task(struct span s, struct trace_event *event)
{
	struct span v;

	if (!span_cut(&s, " pid=", &v) || !span_pid(v, &event->a.pid))
		return false;
	if (span_cut(&s, "comm=", &v))
		span_copy(v, event->a.comm, sizeof(event->a.comm));
	return true;
}

static bool payload_rename(struct span s, struct trace_event *event)
{
	struct span v;

	if (!span_take(&s, "pid=") || !span_pid(s, &event->a.pid))
		return false;
	span_cut(&s, " oom_score_adj=", &v);
	if (!span_cut(&s, " newcomm=", &v))
		return false;
	span_copy(v, event->a.comm, sizeof(event->a.comm));
	return true;
}

static bool payload_frequency(struct span s, struct trace_event *event)
{
	struct span v;

	if (!span_cut(&s, " cpu_id=", &v) || !span_cpu(v, &event->target_cpu))
		return false;
	return span_cut(&s, "state=", &v) && span_number(v, &event->khz) && event->khz > 0 &&
		event->khz <= TRACE_KHZ_MAX;
}

static bool payload_limits(struct span s, struct trace_event *event)
{
	struct span v;

	if (!span_cut(&s, " cpu_id=", &v) || !span_cpu(v, &event->target_cpu))
		return false;
	return span_cut(&s, "max=", &v) && span_number(v, &event->khz) &&
		span_cut(&s, "min=", &v) && span_number(v, &event->min_khz);
}

static bool payload_idle(struct span s, struct trace_event *event)
{
	struct span v;

	if (!span_cut(&s, " cpu_id=", &v) || !span_cpu(v, &event->target_cpu))
		return false;
	if (!span_cut(&s, "state=", &v) || !span_number(v, &event->idle_state))
		return false;
	if (event->idle_state == UINT32_MAX)
		event->idle_state = -1;
	return true;
}

static bool payload_work(struct span s, struct trace_event *event)
{
	struct span v;

	if (!span_cut(&s, " less=", &v)) {
		if (!span_cut(&s, " more=", &v) || !span_number(v, &event->work))
			return false;
	} else {
		if (!span_number(v, &event->work))
			return false;
		event->work = -event->work;
	}
	return span_cut(&s, "cpu_id=", &v) && span_cpu(v, &event->target_cpu);
}

static bool payload_sync(struct span s, struct trace_event *event)
{
	struct span v;

	return span_cut(&s, "pid=", &v) && span_pid(v, &event->b.pid);
}

static bool payload_mark(struct span s, struct trace_event *event)
{
	span_copy(s, event->text, sizeof(event->text));
	return true;
}

/* trace-cmd prints a mark as an event "print" that names the function which wrote it. */
static bool payload_print(struct span s, struct trace_event *event)
{
	if (!span_take(&s, "tracing_mark_write: "))
		event->kind = TRACE_OTHER;
	return payload_mark(s, event);
}

/* "Schedutil: update-single-util: 96: 95": the name of the marker, then its numbers. */
static bool payload_util(struct span s, struct trace_event *event)
{
	static const char *const marks[TRACE_UTIL_OTHER] = {
		[TRACE_UTIL_INPUTS] = "get_next_freq: ",
		[TRACE_UTIL_SEEN] = "update-single-util: ",
		[TRACE_UTIL_BOOST] = "update-single-boost: ",
		[TRACE_UTIL_FREQ] = "update-single-freq: ",
		[TRACE_UTIL_EARLY] = "update-single-return: ",
	};
	struct trace_util *util = &event->util;

	span_take(&s, "Schedutil: ");
	for (util->mark = 0; util->mark < TRACE_UTIL_OTHER; util->mark++)
		if (span_take(&s, marks[util->mark]))
			return span_take_number(&s, &util->before) && span_take(&s, ": ") &&
				span_take_number(&s, &util->now);
	return true;
}

static bool payload_pstate(struct span s, struct trace_event *event)
{
	struct trace_pstate *p = &event->pstate;
	struct span v;

	*p = (struct trace_pstate){ 0 };
	if (span_cut(&s, " io_boost=", &v) && !span_take_number(&v, &p->io_boost))
		return false;
	return span_cut(&s, " tsc=", &v) && span_take_number(&v, &p->tsc) &&
		span_cut(&s, " aperf=", &v) && span_number(v, &p->aperf) &&
		span_cut(&s, " mperf=", &v) && span_number(v, &p->mperf) &&
		span_cut(&s, " to=", &v) && span_number(v, &p->to) && span_cut(&s, " from=", &v) &&
		span_number(v, &p->from);
}

static bool payload_reason(struct span s, struct trace_event *event)
{
	struct span v;
	int64_t iowait = 0;

	if (!span_take(&s, "pid=") || !span_take_number(&s, &event->a.pid) ||
		event->a.pid > TRACE_PID_MAX || !span_cut(&s, " caller=", &v) ||
		!span_cut(&s, " iowait=", &v) || !span_number(v, &iowait))
		return false;
	event->iowait = iowait != 0;
	return true;
}

static bool payload_none(struct span s, struct trace_event *event)
{
	(void)s;
	(void)event;
	return true;
}

#define GRAMMAR(name, kind, payload)                          \
	{                                                     \
		name, sizeof(name) - 1, TRACE_##kind, payload \
	}

static const struct {
	const char *name;
	size_t len;
	enum trace_kind kind;
	bool (*payload)(struct span s, struct trace_event *event);
} grammars[] = {
	GRAMMAR("sched_switch", SWITCH, payload_switch),
	GRAMMAR("sched_waking", WAKING, payload_wakeup),
	GRAMMAR("sched_wakeup", WAKEUP, payload_wakeup),
	GRAMMAR("sched_wakeup_new", WAKEUP_NEW, payload_wakeup),
	GRAMMAR("sched_process_fork", FORK, payload_fork),
	GRAMMAR("task_newtask", FORK, payload_newtask),
	GRAMMAR("sched_process_exec", EXEC, payload_exec),
	GRAMMAR("sched_process_exit", EXIT, payload_task),
	GRAMMAR("sched_process_free", FREE, payload_task),
	GRAMMAR("sched_process_wait", WAIT, payload_task),
	GRAMMAR("task_rename", RENAME, payload_rename),
	GRAMMAR("cpu_frequency", FREQUENCY, payload_frequency),
	GRAMMAR("power_frequency", FREQUENCY, payload_frequency),
	GRAMMAR("cpu_frequency_limits", LIMITS, payload_limits),
	GRAMMAR("cpu_idle", IDLE, payload_idle),
	GRAMMAR("cpufreqsim_work", WORK, payload_work),
	GRAMMAR("cpufreqsim_sync", SYNC, payload_sync),
	GRAMMAR("tracing_mark_write", MARK, payload_mark),
	GRAMMAR("print", MARK, payload_print),
	GRAMMAR("sutil_marker", UTIL, payload_util),
	GRAMMAR("pstate_sample", PSTATE, payload_pstate),
	GRAMMAR("sched_blocked_reason", REASON, payload_reason),
	GRAMMAR("block_rq_complete", IO_DONE, payload_none),
};

const char *trace_kind_name(enum trace_kind kind)
{
	if (kind == TRACE_LOST)
		return "lost events";
	if (kind == TRACE_CPUS)
		return "header";
	for (size_t i = 0; i < sizeof(grammars) / sizeof(grammars[0]); i++)
		if (grammars[i].kind == kind)
			return grammars[i].name;
	return "other";
}

bool trace_payload_parse(struct span name, struct span s, struct trace_event *event)
{
	size_t len = (size_t)(name.end - name.at);

	for (size_t i = 0; i < sizeof(grammars) / sizeof(grammars[0]); i++) {
		if (grammars[i].len != len || memcmp(grammars[i].name, name.at, len) != 0)
			continue;
		event->kind = grammars[i].kind;
		if (grammars[i].payload(s, event))
			return true;
		event->kind = TRACE_OTHER;
		return false;
	}
	return true;
}
