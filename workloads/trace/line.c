#include "workloads/trace/line.h"

#include <string.h>

#include "workloads/trace/payload.h"
#include "workloads/trace/span.h"

#define SECONDS_MAX INT64_C(1000000000)
#define BRACKETS_MAX 32 /* more than a name can hold */

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
	return trace_payload_parse(name, span_trim(s), event) ? TRACE_LINE_EVENT
							      : TRACE_LINE_PAYLOAD;
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
	if (!span_number(pid, &who->pid) || who->pid > TRACE_PID_MAX)
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
