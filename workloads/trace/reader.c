#include "workloads/trace/reader.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "workloads/trace/line.h"

#define TEXT_BYTES ((size_t)256 * 1024)
#define LINE_BYTES ((size_t)16 * 1024)
/* Text without a single head that is read before giving up. */
#define GIVE_UP_BYTES (INT64_C(64) << 20)

/* Containers that are known, but not read here. */
static const struct {
	const char *magic;
	size_t len;
	const char *what;
} refused[] = {
	{ "PERFILE2", 8, "a perf.data file; give the text of `perf script --ns`" },
	{ "\xfd"
	  "7zXZ",
		6, "packed with xz twice; unpack it once" },
	{ "\x1f\x8b", 2, "packed twice, the inner time with gzip; unpack it once" },
	{ "\x28\xb5\x2f\xfd", 4, "packed twice, the inner time with zstd; unpack it once" },
};

static bool begins(const struct trace_reader *reader, const char *magic, size_t len)
{
	return reader->text_len >= len && memcmp(reader->text, magic, len) == 0;
}

/* More text behind what is left of it, which moves to the front. */
static int fill(struct trace_reader *reader, struct error *err)
{
	size_t left = reader->text_len - reader->text_at;

	memmove(reader->text, reader->text + reader->text_at, left);
	reader->text_at = 0;
	reader->text_len = left;
	int64_t got = trace_bytes_read(&reader->bytes, reader->text + left, TEXT_BYTES - left, err);
	if (got < 0)
		return -1;
	reader->ended = got == 0;
	reader->text_len += (size_t)got;
	reader->reading.bytes += got;
	return 0;
}

/* A trace.dat must be a file of its own for its library. */
static int open_dat(struct trace_reader *reader, struct arena *arena, struct error *err)
{
	const char *file = reader->path;

	if (reader->bytes.packing || reader->bytes.fd == STDIN_FILENO) {
		if (trace_bytes_spool(&reader->bytes, arena, reader->text, reader->text_len,
			    &reader->spooled, err))
			return -1;
		file = reader->spooled;
	}
	reader->binary = true;
	return trace_dat_open(&reader->dat, arena, file, reader->path, err);
}

static int sniff(struct trace_reader *reader, struct arena *arena, struct error *err)
{
	while (reader->text_len < TRACE_DAT_MAGIC_LEN && !reader->ended)
		if (fill(reader, err))
			return -1;
	if (begins(reader, TRACE_DAT_MAGIC, TRACE_DAT_MAGIC_LEN))
		return open_dat(reader, arena, err);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (begins(reader, refused[i].magic, refused[i].len))
			return error_at(err, ERROR_TRACE, (struct where){ .file = reader->path },
				"is not a text trace: it is %s", refused[i].what);
	const char *at = reader->text, *end = at + reader->text_len;
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
		at++;
	/* A line of a trace may begin with "<idle>". */
	if (end - at > 1 && *at == '<' && (at[1] == '!' || at[1] == 'h' || at[1] == 'H'))
		reader->page = TRACE_PAGE_SCRIPT;
	return 0;
}

int trace_open(
	struct trace_reader *reader, struct arena *arena, const char *path, struct error *err)
{
	*reader = (struct trace_reader){ .dat.fd = -1, .bytes.fd = -1 };
	reader->text = arena_alloc(arena, TEXT_BYTES);
	if (trace_bytes_open(&reader->bytes, arena, path, err))
		return -1;
	reader->path = reader->bytes.path;
	if (sniff(reader, arena, err)) {
		trace_close(reader);
		return -1;
	}
	return 0;
}

void trace_close(struct trace_reader *reader)
{
	trace_bytes_close(&reader->bytes);
	if (reader->binary)
		trace_dat_close(&reader->dat);
	if (reader->spooled)
		unlink(reader->spooled);
	reader->spooled = NULL;
}

struct where trace_where(const struct trace_reader *reader)
{
	return (struct where){ .file = reader->path, .line = reader->where_line, .col = 1 };
}

/* 1 and a line (without its end), 0 when there is none, -1. */
static int next_line(struct trace_reader *reader, struct error *err)
{
	size_t searched = 0;

	for (;;) {
		char *from = reader->text + reader->text_at;
		size_t left = reader->text_len - reader->text_at;
		char *end = memchr(from + searched, '\n', left - searched);

		if (end || (reader->ended && left > 0)) {
			reader->line = from;
			reader->line_len = end ? (size_t)(end - from) : left;
			reader->text_at += reader->line_len + (end ? 1 : 0);
			return 1;
		}
		if (reader->ended)
			return 0;
		searched = left;
		if (left > LINE_BYTES) {
			reader->skipping = true;
			reader->text_at = reader->text_len;
			searched = 0;
		}
		if (fill(reader, err))
			return -1;
		if (reader->heads == 0 && reader->reading.bytes > GIVE_UP_BYTES) {
			reader->ended = true;
			reader->text_at = reader->text_len;
		}
	}
}

static bool line_find(const struct trace_reader *reader, const char *key, size_t *after)
{
	size_t len = strlen(key);

	for (size_t i = 0; i + len <= reader->line_len; i++) {
		const char *p = memchr(reader->line + i, key[0], reader->line_len - len + 1 - i);

		if (!p)
			return false;
		i = (size_t)(p - reader->line);
		if (memcmp(p, key, len) == 0) {
			*after = i + len;
			return true;
		}
	}
	return false;
}

/* Old pages hold the trace as a string of a program, each line ending in "\n\". */
static void unquote(struct trace_reader *reader)
{
	char *line = reader->line;
	size_t kept = 0;

	if (reader->line_len > 0 && line[reader->line_len - 1] == '\r')
		reader->line_len--;
	if (reader->line_len >= 2 && memcmp(line + reader->line_len - 2, "\";", 2) == 0) {
		reader->line_len -= 2;
		reader->page = TRACE_PAGE_SCRIPT;
	} else if (reader->line_len >= 1 && line[reader->line_len - 1] == '\\') {
		reader->line_len--;
	}
	if (reader->line_len >= 2 && memcmp(line + reader->line_len - 2, "\\n", 2) == 0)
		reader->line_len -= 2;
	for (size_t i = 0; i < reader->line_len; i++) {
		if (line[i] == '\\' && i + 1 < reader->line_len)
			i++;
		line[kept++] = line[i];
	}
	reader->line_len = kept;
}

/* Leaves of a line of a web page what belongs to a trace; false: nothing does. */
static bool page_line(struct trace_reader *reader)
{
	size_t after;

	if (reader->page == TRACE_PAGE_TRACE && line_find(reader, "</script>", &after)) {
		reader->page = TRACE_PAGE_SCRIPT;
		reader->line_len = after - strlen("</script>");
		return reader->line_len > 0;
	}
	if (reader->page == TRACE_PAGE_SCRIPT) {
		if (line_find(reader, "class=\"trace-data\"", &after)) {
			reader->page = TRACE_PAGE_TRACE;
			while (after < reader->line_len && reader->line[after] != '>')
				after++;
			after += after < reader->line_len;
		} else if (line_find(reader, "linuxPerfData = \"", &after)) {
			reader->page = TRACE_PAGE_QUOTED;
		} else {
			return false;
		}
		reader->line += after;
		reader->line_len -= after;
	}
	if (reader->page == TRACE_PAGE_QUOTED)
		unquote(reader);
	return true;
}

/* Remembers the first line that is no trace, to show it when none was. */
static void note_foreign(struct trace_reader *reader, int col)
{
	size_t from = (size_t)(col - 1), i;

	reader->reading.foreign++;
	if (reader->first_foreign.line)
		return;
	reader->first_foreign = trace_where(reader);
	reader->first_foreign.col = col;
	for (i = 0; i + 1 < sizeof(reader->foreign_text) && from + i < reader->line_len; i++) {
		char c = reader->line[from + i];

		reader->foreign_text[i] = c >= ' ' && c <= '~' ? c : '?';
	}
	reader->foreign_text[i] = '\0';
}

static int refuse(struct trace_reader *reader, enum trace_line found, int col, struct error *err)
{
	struct where at = trace_where(reader);

	at.col = col;
	if (found == TRACE_LINE_LATENCY)
		return error_at(err, ERROR_TRACE, at,
			"is in latency-format, which has no time stamps to replay; expected the "
			"default layout (echo 0 > options/latency-format, trace-cmd report "
			"without -l)");
	return error_at(err, ERROR_TRACE, at,
		"time stamp is an integer (trace_clock counter, uptime or x86-tsc), which has no "
		"known unit; expected seconds: record with trace_clock mono, global or perf");
}

static int no_trace(struct trace_reader *reader, struct error *err)
{
	if (reader->page != TRACE_PAGE_NONE)
		return error_at(err, ERROR_TRACE, (struct where){ .file = reader->path },
			"is a page without a trace: no event in a script of class trace-data, as "
			"systrace writes it");
	if (!reader->first_foreign.line)
		return error_at(err, ERROR_TRACE,
			(struct where){ .file = reader->path, .line = 1, .col = 1 },
			"is not a trace: no event in %lld lines", (long long)reader->reading.lines);
	return error_at(err, ERROR_TRACE, reader->first_foreign,
		"is not a trace: found \"%s\"; expected NAME-PID [CPU] TIME: EVENT: as ftrace, "
		"trace-cmd report or perf script print it",
		reader->foreign_text);
}

static int next_text(struct trace_reader *reader, struct trace_event *event, struct error *err)
{
	int got, col;

	while ((got = next_line(reader, err)) > 0) {
		bool too_long = reader->skipping || reader->line_len > LINE_BYTES;

		reader->skipping = false;
		reader->reading.lines++;
		reader->where_line += reader->where_line < INT_MAX;
		if (reader->page != TRACE_PAGE_NONE && !page_line(reader))
			continue;
		if (too_long) {
			reader->reading.too_long++;
			continue;
		}
		enum trace_line found = trace_line_parse(
			reader->line, reader->line_len, event, &col);
		/* After a good line an odd one can only be the rest of a print. */
		if ((found == TRACE_LINE_LATENCY || found == TRACE_LINE_INTEGER) && !reader->heads)
			return refuse(reader, found, col, err);
		switch (found) {
		case TRACE_LINE_EVENT:
			reader->heads += event->head.pid != TRACE_PID_UNKNOWN || event->t_ns > 0;
			if (event->kind == TRACE_SWITCH && event->state_bits >= 0)
				event->prev_state = trace_state_of_bits(
					&reader->states, event->state_bits);
			if (event->kind == TRACE_CPUS)
				reader->reading.overwritten += event->lost;
			reader->reading.events[event->kind]++;
			return 1;
		case TRACE_LINE_PAYLOAD:
			/* Its head still says who ran, and when. */
			reader->heads++;
			reader->reading.payloads++;
			return 1;
		case TRACE_LINE_COMMENT:
			break;
		case TRACE_LINE_FOREIGN:
		case TRACE_LINE_LATENCY:
		case TRACE_LINE_INTEGER:
			note_foreign(reader, col);
			break;
		}
	}
	if (got == 0 && reader->heads == 0)
		return no_trace(reader, err);
	return got;
}

int trace_next(struct trace_reader *reader, struct trace_event *event, struct error *err)
{
	if (!reader->binary)
		return next_text(reader, event, err);
	int got = trace_dat_next(&reader->dat, event, err);
	if (got > 0)
		reader->reading.events[event->kind]++;
	return got;
}

int trace_no_scheduling(const struct trace_reader *reader, struct error *err)
{
	return error_at(err, ERROR_TRACE, (struct where){ .file = reader->path },
		"has no scheduling event: none of its events is a sched_switch; record with the "
		"events sched_switch, sched_waking and sched_process_fork on");
}
