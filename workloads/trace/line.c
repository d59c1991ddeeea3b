#include "workloads/trace/line.h"

#include <string.h>

#define SECONDS_MAX INT64_C(1000000000)
#define BRACKETS_MAX 32          /* more than a name can hold */
#define PID_MAX INT64_C(4194304) /* PID_MAX_LIMIT of a 64-bit kernel */

/* Part of a line: from at up to, not including, end. */
struct span {
	const char *at, *end;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span span_trim(struct span s)
{
	while (s.at < s.end && is_blank(*s.at))
		s.at++;
	while (s.end > s.at && is_blank(s.end[-1]))
		s.end--;
	return s;
}

static void span_skip_blanks(struct span *s)
{
	while (s->at < s->end && is_blank(*s->at))
		s->at++;
}

/* Takes @key off the front. */
static inline bool span_take(struct span *s, const char *key)
{
	size_t len = strlen(key);

	if ((size_t)(s->end - s->at) < len || memcmp(s->at, key, len) != 0)
		return false;
	s->at += len;
	return true;
}

/* Looks for the last byte of @key first: most keys end in '=', which is rare in a line. */
static inline const char *span_find_last(struct span s, const char *key)
{
	const size_t last = strlen(key) - 1;

	if ((size_t)(s.end - s.at) <= last)
		return NULL;
	for (const char *p = s.end - 1; p >= s.at + last; p--)
		if (*p == key[last] && memcmp(p - last, key, last) == 0)
			return p - last;
	return NULL;
}

static inline bool span_contains(struct span s, const char *key)
{
	return span_find_last(s, key) != NULL;
}

static inline bool span_ends(struct span s, const char *key)
{
	size_t len = strlen(key);

	return (size_t)(s.end - s.at) >= len && memcmp(s.end - len, key, len) == 0;
}

/* Cuts the last "KEYvalue" off the end. Names may hold anything, even what looks like a field: only
 * reading from the right finds the true ones. */
static inline bool span_cut(struct span *s, const char *key, struct span *value)
{
	const char *p = span_find_last(*s, key);

	if (!p)
		return false;
	*value = (struct span){ p + strlen(key), s->end };
	s->end = p;
	return true;
}

static void span_copy(struct span s, char *buf, size_t size)
{
	s = span_trim(s);
	size_t len = (size_t)(s.end - s.at);

	if (len > size - 1)
		len = size - 1;
	memcpy(buf, s.at, len);
	buf[len] = '\0';
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* At most so many digits: more would be no pid, CPU, frequency or count. */
#define DIGITS_MAX 15

static bool span_take_hex(struct span *s, int64_t *v)
{
	int digits = 0;

	*v = 0;
	for (; s->at < s->end && hex_digit(*s->at) >= 0; s->at++, digits++) {
		if (digits == DIGITS_MAX)
			return false;
		*v = *v * 16 + hex_digit(*s->at);
	}
	return digits > 0 && (s->at == s->end || !is_word(*s->at));
}

/* Takes an unsigned number, decimal or 0x (the option `fields` prints "0x6fa (1786)"). */
static bool span_take_number(struct span *s, int64_t *v)
{
	const char *from = s->at;

	if (s->end - from > 1 && from[0] == '0' && from[1] == 'x') {
		s->at += 2;
		return span_take_hex(s, v);
	}
	*v = 0;
	for (; s->at < s->end && is_digit(*s->at); s->at++) {
		if (s->at - from == DIGITS_MAX)
			return false;
		*v = *v * 10 + (*s->at - '0');
	}
	return s->at > from && (s->at == s->end || !is_word(*s->at));
}

static bool span_number(struct span s, int64_t *v)
{
	return span_take_number(&s, v);
}

static bool span_pid(struct span s, int64_t *pid)
{
	return span_take_number(&s, pid) && *pid <= PID_MAX;
}

/* "15 next_prio=120": a pid, and the priority where it follows. */
static bool span_pid_prio(struct span s, struct trace_who *who)
{
	int64_t v;

	if (!span_take_number(&s, &who->pid) || who->pid > PID_MAX)
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
		event->a.pid > PID_MAX || !span_cut(&s, " caller=", &v) ||
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

/* Takes "EVENT:" or "GROUP:EVENT:"; perf may print a sample period before it. */
static bool take_event_name(struct span *s, struct span *name)
{
	int64_t period;
	struct span t = *s;

	if (span_take_number(&t, &period) && t.at < t.end && is_blank(*t.at)) {
		span_skip_blanks(&t);
		*s = t;
	}
	for (int part = 0; part < 2; part++) {
		*name = (struct span){ s->at, s->at };
		while (name->end < s->end && is_word(*name->end))
			name->end++;
		if (name->end == name->at || name->end == s->end || *name->end != ':')
			return false;
		s->at = name->end + 1;
		if (s->at == s->end || !is_word(*s->at) || part == 1)
			break;
		/* "sched:sched_switch:" has a word right after the first colon. */
		const char *p = s->at;
		while (p < s->end && is_word(*p))
			p++;
		if (p == s->end || *p != ':')
			break;
	}
	return true;
}

static enum trace_line parse_event(struct span s, struct trace_event *event)
{
	struct span name;

	event->kind = TRACE_OTHER;
	event->target_cpu = -1;
	span_skip_blanks(&s);
	if (span_take(&s, "PERF_RECORD_LOST")) {
		event->kind = TRACE_LOST;
		event->lost = -1;
		return TRACE_LINE_EVENT;
	}
	if (!take_event_name(&s, &name))
		return TRACE_LINE_EVENT;
	s = span_trim(s);
	size_t len = (size_t)(name.end - name.at);
	for (size_t i = 0; i < sizeof(grammars) / sizeof(grammars[0]); i++) {
		if (grammars[i].len != len || memcmp(grammars[i].name, name.at, len) != 0)
			continue;
		event->kind = grammars[i].kind;
		if (grammars[i].payload(s, event))
			return TRACE_LINE_EVENT;
		event->kind = TRACE_OTHER;
		return TRACE_LINE_PAYLOAD;
	}
	return TRACE_LINE_EVENT;
}

/* Seconds with a fraction of up to nine digits, then a colon. */
static enum trace_line take_time(struct span *s, int64_t *t_ns)
{
	int64_t seconds = 0, fraction = 0, scale = INT64_C(1000000000);
	int digits = 0;

	for (; s->at < s->end && is_digit(*s->at); s->at++, digits++) {
		if (digits == 20)
			return TRACE_LINE_FOREIGN;
		if (digits < 15)
			seconds = seconds * 10 + (*s->at - '0');
	}
	if (digits == 0 || s->at == s->end)
		return TRACE_LINE_FOREIGN;
	if (*s->at == ':') {
		s->at++;
		return TRACE_LINE_INTEGER;
	}
	if (*s->at != '.' || digits > 10 || seconds > SECONDS_MAX)
		return TRACE_LINE_FOREIGN;
	for (s->at++; s->at < s->end && is_digit(*s->at) && scale > 1; s->at++) {
		scale /= 10;
		fraction += (*s->at - '0') * scale;
	}
	if (s->at == s->end || *s->at != ':' || scale == INT64_C(1000000000))
		return TRACE_LINE_FOREIGN;
	s->at++;
	*t_ns = seconds * INT64_C(1000000000) + fraction;
	return TRACE_LINE_EVENT;
}

/* irqs off, need resched, interrupt, preempt depth and, since 5.11, migrate disable. */
static bool take_flags(struct span *s, enum trace_context *context)
{
	struct span t = *s;

	while (t.at < t.end && !is_blank(*t.at)) {
		if (!is_word(*t.at) && *t.at != '.' && *t.at != '#')
			return false;
		t.at++;
	}
	if (t.at - s->at < 4 || t.at - s->at > 6)
		return false;
	*context = strchr("hHsSzZ", s->at[2]) ? TRACE_CONTEXT_IRQ : TRACE_CONTEXT_TASK;
	s->at = t.at;
	span_skip_blanks(s);
	return true;
}

/* What stands before "[CPU]": name and pid. */
static bool parse_task(struct span s, struct trace_who *who)
{
	s = span_trim(s);
	if (s.at < s.end && s.end[-1] == ')') {
		while (s.end > s.at && s.end[-1] != '(')
			s.end--;
		if (s.end == s.at)
			return false;
		s.end--;
		s = span_trim(s);
	}
	const char *p = s.end;
	while (p > s.at && is_digit(p[-1]))
		p--;
	struct span pid = { p, s.end };
	if (p > s.at && p[-1] == '/') { /* perf's pid/tid */
		p--;
		while (p > s.at && is_digit(p[-1]))
			p--;
	}
	struct span name = { s.at, p };
	if (p > s.at && p[-1] == '-') {
		name.end--;
		struct span trimmed = span_trim(name);
		/* perf no longer knows a task that is gone, and says ":-1 -1". */
		if (trimmed.end - trimmed.at == 3 && memcmp(trimmed.at, ":-1", 3) == 0) {
			who->pid = TRACE_PID_UNKNOWN;
			who->comm[0] = '\0';
			return true;
		}
	} else if (p > s.at && !is_blank(p[-1])) {
		return false;
	}
	if (!span_pid(pid, &who->pid))
		return false;
	span_copy(name, who->comm, sizeof(who->comm));
	if (strcmp(who->comm, "<...>") == 0)
		who->comm[0] = '\0';
	return true;
}

/* The head: looks for the "[CPU]" around which everything fits; names may hold brackets too. */
static enum trace_line parse_head(struct span *line, struct trace_event *event, const char **stop)
{
	const char *p = line->at;

	for (int nr = 0; nr < BRACKETS_MAX; nr++, p++) {
		p = memchr(p, '[', (size_t)(line->end - p));
		if (!p)
			break;
		struct span s = { p + 1, line->end };
		int64_t v;
		bool number = span_take_number(&s, &v) && v < TRACE_MAX_CPUS;

		if (number && s.at < s.end && *s.at == ']' &&
			parse_task((struct span){ line->at, p }, &event->head)) {
			event->cpu = (int)v;
			event->context = TRACE_CONTEXT_UNKNOWN;
			s.at++;
			span_skip_blanks(&s);
			*stop = s.at;
			if (s.at < s.end && !is_digit(*s.at))
				take_flags(&s, &event->context);
			enum trace_line found = take_time(&s, &event->t_ns);
			if (found != TRACE_LINE_FOREIGN) {
				line->at = s.at;
				return found;
			}
		}
	}
	return TRACE_LINE_FOREIGN;
}

/* "name-pid   CPUflags time": the CPU is glued to the flags and no bracket is there. */
static bool is_latency_format(struct span s)
{
	for (const char *p = s.at; (p = memchr(p, '-', (size_t)(s.end - p))); p++) {
		struct span t = { p + 1, s.end };
		enum trace_context context;

		while (t.at < t.end && is_digit(*t.at))
			t.at++;
		if (t.at == p + 1 || t.at == t.end || !is_blank(*t.at))
			continue;
		span_skip_blanks(&t);
		const char *cpu = t.at;
		while (t.at < t.end && is_digit(*t.at))
			t.at++;
		if (t.at == cpu || t.at == t.end || !memchr("dDbBX.", *t.at, 6))
			continue;
		if (take_flags(&t, &context) && t.at < t.end && is_digit(*t.at))
			return true;
	}
	return false;
}

/* "CPU:1 [LOST 23349 EVENTS]" of the kernel, "CPU:1 [81052 EVENTS DROPPED]" of trace-cmd. */
static bool parse_lost(struct span s, struct trace_event *event)
{
	int64_t cpu;

	if (!span_take(&s, "CPU:") || !span_take_number(&s, &cpu) || cpu >= TRACE_MAX_CPUS)
		return false;
	if (!span_contains(s, "EVENTS") ||
		(!span_contains(s, "[LOST ") && !span_contains(s, " DROPPED]")))
		return false;
	event->kind = TRACE_LOST;
	event->cpu = (int)cpu;
	event->lost = -1;
	while (s.at < s.end && !is_digit(*s.at))
		s.at++;
	if (s.at < s.end && !span_take_number(&s, &event->lost))
		event->lost = -1;
	return true;
}

/* "# entries-in-buffer/entries-written: 874/60327   #P:2": the difference was overwritten. */
static bool parse_header(struct span s, struct trace_event *event)
{
	int64_t kept, written;
	struct span v;

	if (!span_cut(&s, "#P:", &v) || !span_number(v, &event->nr_cpus) ||
		event->nr_cpus > TRACE_MAX_CPUS)
		return false;
	if (!span_cut(&s, "entries-written:", &v))
		return false;
	span_skip_blanks(&v);
	event->kind = TRACE_CPUS;
	event->lost = 0;
	if (span_take_number(&v, &kept) && span_take(&v, "/") && span_take_number(&v, &written) &&
		written > kept)
		event->lost = written - kept;
	return true;
}

/* Lines without a head that belong to a trace. */
static enum trace_line parse_other(struct span s, struct trace_event *event)
{
	if (s.at == s.end)
		return TRACE_LINE_COMMENT;
	if (*s.at == '#') {
		if (span_contains(s, "latency trace v"))
			return TRACE_LINE_LATENCY;
		return parse_header(s, event) ? TRACE_LINE_EVENT : TRACE_LINE_COMMENT;
	}
	if (parse_lost(s, event))
		return TRACE_LINE_EVENT;
	if (span_take(&s, "cpus=") && span_number(s, &event->nr_cpus) &&
		event->nr_cpus <= TRACE_MAX_CPUS) {
		event->kind = TRACE_CPUS;
		return TRACE_LINE_EVENT;
	}
	if (span_take(&s, "version = ") || (span_take(&s, "CPU ") && span_contains(s, " is empty")))
		return TRACE_LINE_COMMENT;
	return is_latency_format(s) ? TRACE_LINE_LATENCY : TRACE_LINE_FOREIGN;
}

/* A report of an instance buffer starts each line with "NAME:" and blanks. */
static void skip_instance(struct span *s)
{
	const char *p = s->at;

	while (p < s->end && !is_blank(*p) && *p != ':')
		p++;
	if (p == s->at || s->end - p < 2 || *p != ':' || !is_blank(p[1]))
		return;
	s->at = p + 1;
	span_skip_blanks(s);
}

enum trace_line trace_line_parse(const char *text, size_t len, struct trace_event *event, int *col)
{
	struct span s = { text, text + len };

	while (s.end > s.at && (s.end[-1] == '\n' || s.end[-1] == '\r'))
		s.end--;
	memset(event, 0, sizeof(*event));
	event->cpu = -1;
	event->target_cpu = -1;
	event->state_bits = -1;
	event->head.pid = TRACE_PID_UNKNOWN;
	event->head.prio = event->a.prio = event->b.prio = TRACE_PRIO_NORMAL;
	skip_instance(&s);
	const char *stop = span_trim(s).at;
	enum trace_line found = s.at < s.end && *s.at == '#' ? TRACE_LINE_FOREIGN
							     : parse_head(&s, event, &stop);
	if (found == TRACE_LINE_EVENT)
		found = parse_event(s, event);
	else if (found == TRACE_LINE_FOREIGN)
		found = parse_other(span_trim(s), event);
	*col = (int)(stop - text) + 1;
	return found;
}
