/*
 * A recorded trace as a stream of events. Knows files and what they are packed with; knows no
 * scheduler. Memory does not depend on the size of the file.
 *
 * trace_next() is the one interface: an importer never learns which source an event came from.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "workloads/trace/dat.h"
#include "workloads/trace/event.h"
#include "workloads/trace/state.h"
#include "workloads/trace/unpack.h"

/* What a reader has met so far. */
struct trace_reading {
	int64_t events[TRACE_KINDS];
	int64_t bytes; /* of text */
	int64_t lines;
	int64_t foreign;     /* no head: continuation of a print, or text that is no trace */
	int64_t payloads;    /* known event, unreadable payload */
	int64_t too_long;    /* longer than any kernel writes */
	int64_t overwritten; /* events older than the ring buffer, as the header counts them */
};

/* Where in a web page the lines are. */
enum trace_page {
	TRACE_PAGE_NONE,   /* no page: all of the file is the trace */
	TRACE_PAGE_SCRIPT, /* outside of the trace */
	TRACE_PAGE_TRACE,  /* lines of a trace */
	TRACE_PAGE_QUOTED, /* lines of a trace, as text of a program: each ends with \n\ */
};

struct trace_reader {
	const char *path;
	struct trace_bytes bytes;
	const char *spooled; /* file that goes with the reader */
	bool binary;         /* trace.dat */
	struct trace_dat dat;
	bool ended; /* no further text */
	char *text; /* unpacked, read up to text_at */
	size_t text_at, text_len;
	char *line;
	size_t line_len;
	bool skipping; /* the rest of a line that is too long */
	enum trace_page page;
	struct trace_states states;
	int64_t heads;  /* lines with a head */
	int where_line; /* of the event returned last */
	struct where first_foreign;
	char foreign_text[48];
	struct trace_reading reading;
};

/* Opens @path ("-": standard input): text, a systrace page or a trace.dat, plain or packed with xz,
 * gzip or zstd. 0 or -1 with @err (code 3). */
int trace_open(
	struct trace_reader *reader, struct arena *arena, const char *path, struct error *err);
/* 1 and the next event, 0 at the end, -1 with @err. */
int trace_next(struct trace_reader *reader, struct trace_event *event, struct error *err);
void trace_close(struct trace_reader *reader);

/* Where the event returned last stands. */
struct where trace_where(const struct trace_reader *reader);
/* The error of a trace in which nothing is scheduled; -1. */
int trace_no_scheduling(const struct trace_reader *reader, struct error *err);
