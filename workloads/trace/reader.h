/*
 * A recorded trace as a stream of events. Knows files and what they are packed with; knows no
 * scheduler. Memory does not depend on the size of the file.
 *
 * trace_next() is the one interface: an importer never learns which source an event came from.
 */
#pragma once

#include <lzma.h>
#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "workloads/trace/event.h"

/* What a reader has met so far. */
struct trace_reading {
	int64_t events[TRACE_KINDS];
	int64_t lines;
	int64_t foreign;  /* no head: continuation of a print, or text that is no trace */
	int64_t payloads; /* known event, unreadable payload */
	int64_t too_long; /* longer than any kernel writes */
};

struct trace_reader {
	const char *path;
	FILE *file;
	bool xz; /* packed: raw bytes go through the decoder */
	bool raw_ended;
	bool ended; /* no further text */
	lzma_stream decoder;
	unsigned char *raw;
	char *text; /* unpacked, read up to text_at */
	size_t text_at, text_len;
	char *line;
	size_t line_len;
	bool line_too_long;
	int64_t bytes;  /* of text */
	int64_t heads;  /* lines with a head */
	int where_line; /* of the event returned last */
	struct where first_foreign;
	char foreign_text[48];
	struct trace_reading reading;
};

/* Opens @path; its text, or text packed with xz. 0 or -1 with @err (code 3). */
int trace_open(
	struct trace_reader *reader, struct arena *arena, const char *path, struct error *err);
/* 1 and the next event, 0 at the end, -1 with @err. */
int trace_next(struct trace_reader *reader, struct trace_event *event, struct error *err);
void trace_close(struct trace_reader *reader);

/* Where the event returned last stands. */
struct where trace_where(const struct trace_reader *reader);
