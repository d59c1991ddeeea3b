#include "workloads/trace/reader.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "workloads/trace/line.h"

#define RAW_BYTES ((size_t)32 * 1024)
#define TEXT_BYTES ((size_t)64 * 1024)
#define LINE_BYTES ((size_t)16 * 1024)
#define DECODER_BYTES (UINT64_C(256) << 20)
/* Text without a single head that is read before giving up. */
#define GIVE_UP_BYTES (INT64_C(64) << 20)

/* Containers that are known, but not read here. */
static const struct {
	const char *magic;
	size_t len;
	const char *what;
} refused[] = {
	{ "\x17\x08\x44tracing", 10, "a trace.dat file; give the text of `trace-cmd report`" },
	{ "PERFILE2", 8, "a perf.data file; give the text of `perf script --ns`" },
	{ "\x1f\x8b", 2, "packed with gzip; unpack it, or pack it with xz" },
	{ "\x28\xb5\x2f\xfd", 4, "packed with zstd; unpack it, or pack it with xz" },
};

static const char xz_magic[] = "\xfd"
			       "7zXZ";

static int bad_trace(struct trace_reader *reader, struct error *err, const char *what)
{
	struct where at = { .file = reader->path };

	return error_at(err, ERROR_TRACE, at, "%s", what);
}

static int read_raw(
	struct trace_reader *reader, void *buf, size_t size, size_t *got, struct error *err)
{
	*got = fread(buf, 1, size, reader->file);
	if (*got < size && ferror(reader->file))
		return error_at(err, ERROR_TRACE, (struct where){ .file = reader->path },
			"cannot be read: %s", strerror(errno));
	if (*got < size)
		reader->raw_ended = true;
	return 0;
}

/* Looks at the first bytes, which stay in raw for the first fill. */
static int sniff(struct trace_reader *reader, struct error *err)
{
	size_t got;

	if (read_raw(reader, reader->raw, RAW_BYTES, &got, err))
		return -1;
	reader->decoder.next_in = reader->raw;
	reader->decoder.avail_in = got;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (got >= refused[i].len &&
			memcmp(reader->raw, refused[i].magic, refused[i].len) == 0)
			return error_at(err, ERROR_TRACE, (struct where){ .file = reader->path },
				"is not a text trace: it is %s", refused[i].what);
	if (got < sizeof(xz_magic) || memcmp(reader->raw, xz_magic, sizeof(xz_magic)) != 0)
		return 0;
	reader->xz = true;
	if (lzma_stream_decoder(&reader->decoder, DECODER_BYTES, LZMA_CONCATENATED) != LZMA_OK)
		return bad_trace(reader, err, "cannot be unpacked: out of memory");
	return 0;
}

int trace_open(
	struct trace_reader *reader, struct arena *arena, const char *path, struct error *err)
{
	*reader = (struct trace_reader){ .path = arena_strdup(arena, path),
		.decoder = LZMA_STREAM_INIT };
	reader->raw = arena_alloc(arena, RAW_BYTES);
	reader->text = arena_alloc(arena, TEXT_BYTES);
	reader->line = arena_alloc(arena, LINE_BYTES);
	reader->file = fopen(path, "rb");
	if (!reader->file)
		return error_at(err, ERROR_TRACE, (struct where){ .file = reader->path },
			"cannot be opened: %s", strerror(errno));
	if (sniff(reader, err)) {
		trace_close(reader);
		return -1;
	}
	return 0;
}

void trace_close(struct trace_reader *reader)
{
	if (reader->file)
		fclose(reader->file);
	reader->file = NULL;
	lzma_end(&reader->decoder);
}

struct where trace_where(const struct trace_reader *reader)
{
	return (struct where){ .file = reader->path, .line = reader->where_line, .col = 1 };
}

static int refill_raw(struct trace_reader *reader, struct error *err)
{
	size_t got;

	if (reader->decoder.avail_in > 0 || reader->raw_ended)
		return 0;
	if (read_raw(reader, reader->raw, RAW_BYTES, &got, err))
		return -1;
	reader->decoder.next_in = reader->raw;
	reader->decoder.avail_in = got;
	return 0;
}

static int unpack(struct trace_reader *reader, struct error *err)
{
	lzma_stream *d = &reader->decoder;

	d->next_out = (uint8_t *)reader->text;
	d->avail_out = TEXT_BYTES;
	while (d->avail_out == TEXT_BYTES && !reader->ended) {
		if (refill_raw(reader, err))
			return -1;
		switch (lzma_code(d, reader->raw_ended ? LZMA_FINISH : LZMA_RUN)) {
		case LZMA_OK:
			break;
		case LZMA_STREAM_END:
			reader->ended = true;
			break;
		case LZMA_BUF_ERROR:
			return bad_trace(reader, err, "is cut short: the xz data have no end");
		case LZMA_MEMLIMIT_ERROR:
		case LZMA_MEM_ERROR:
			return bad_trace(reader, err, "needs too much memory to unpack");
		default:
			return bad_trace(reader, err, "is damaged: the xz data cannot be unpacked");
		}
	}
	reader->text_len = TEXT_BYTES - d->avail_out;
	return 0;
}

/* More text into the empty buffer. */
static int fill(struct trace_reader *reader, struct error *err)
{
	reader->text_at = 0;
	reader->text_len = 0;
	if (reader->xz) {
		if (unpack(reader, err))
			return -1;
	} else {
		if (refill_raw(reader, err))
			return -1;
		reader->text_len = reader->decoder.avail_in;
		memcpy(reader->text, reader->raw, reader->text_len);
		reader->decoder.avail_in = 0;
		reader->ended = reader->text_len == 0;
	}
	reader->bytes += (int64_t)reader->text_len;
	return 0;
}

/* 1 and a line (without its end), 0 when there is none, -1. */
static int next_line(struct trace_reader *reader, struct error *err)
{
	reader->line_len = 0;
	reader->line_too_long = false;
	bool any = false;
	for (;;) {
		if (reader->text_at == reader->text_len) {
			if (reader->ended)
				return any;
			if (fill(reader, err))
				return -1;
			if (reader->heads == 0 && reader->bytes > GIVE_UP_BYTES) {
				reader->ended = true;
				reader->text_len = 0;
			}
			continue;
		}
		any = true;
		const char *from = reader->text + reader->text_at;
		size_t left = reader->text_len - reader->text_at;
		const char *end = memchr(from, '\n', left);
		size_t len = end ? (size_t)(end - from) : left;
		size_t room = LINE_BYTES - reader->line_len;

		if (len > room)
			reader->line_too_long = true;
		memcpy(reader->line + reader->line_len, from, len < room ? len : room);
		reader->line_len += len < room ? len : room;
		reader->text_at += len + (end ? 1 : 0);
		if (end)
			return 1;
	}
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
	if (!reader->first_foreign.line)
		return error_at(err, ERROR_TRACE,
			(struct where){ .file = reader->path, .line = 1, .col = 1 },
			"is not a trace: no event in %lld lines", (long long)reader->reading.lines);
	return error_at(err, ERROR_TRACE, reader->first_foreign,
		"is not a trace: found \"%s\"; expected NAME-PID [CPU] TIME: EVENT: as ftrace, "
		"trace-cmd report or perf script print it",
		reader->foreign_text);
}

int trace_next(struct trace_reader *reader, struct trace_event *event, struct error *err)
{
	int got, col;

	while ((got = next_line(reader, err)) > 0) {
		reader->reading.lines++;
		if (reader->where_line < INT_MAX)
			reader->where_line++;
		if (reader->line_too_long) {
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
