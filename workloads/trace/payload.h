/*
 * What an event says of itself, after its name: the spellings of its fields in ftrace's own text,
 * in the plug-ins of trace-cmd and in perf script. Knows events; knows no head of a line, no file.
 */
#pragma once

#include "workloads/trace/event.h"
#include "workloads/trace/span.h"

#define TRACE_PID_MAX INT64_C(4194304) /* PID_MAX_LIMIT of a 64-bit kernel */

/* Fills @event from what stands after @name; an unknown name leaves it TRACE_OTHER. False: a known
 * event that cannot be read, which is left TRACE_OTHER, too. */
bool trace_payload_parse(struct span name, struct span s, struct trace_event *event);
