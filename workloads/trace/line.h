/*
 * The grammar of one line of a text trace: ftrace's trace file, trace-cmd report, perf script.
 * Knows columns; of what follows them, that payload.h reads it. Knows no file and no other line.
 *
 * One grammar covers the three: "NAME-PID" or "NAME PID[/TID]", an optional "(TGID)", "[CPU]",
 * optional flags, seconds with a fraction, ":", an optional "GROUP:", the event, ":", the payload.
 * Any bytes are accepted as input.
 */
#pragma once

#include <stddef.h>

#include "workloads/trace/event.h"

enum trace_line {
	TRACE_LINE_EVENT,   /* @event is filled */
	TRACE_LINE_COMMENT, /* empty, a comment or a known header: nothing to see */
	TRACE_LINE_FOREIGN, /* no head: a continuation, or no trace at all */
	TRACE_LINE_PAYLOAD, /* a known event whose payload cannot be read */
	TRACE_LINE_LATENCY, /* the layout of the latency-format option */
	TRACE_LINE_INTEGER, /* a time stamp without a point: not a clock in seconds */
};

/* @text need not end in a NUL. @col: where reading stopped, from 1. */
enum trace_line trace_line_parse(const char *text, size_t len, struct trace_event *event, int *col);
