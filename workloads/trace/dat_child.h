/*
 * What the process that runs libtracecmd does, and how it tells its events. Knows the library;
 * knows no importer.
 */
#pragma once

#include <stddef.h>

#include "workloads/trace/event.h"

/* What goes through the pipe: the events as they are, cut after the head where the rest says
 * nothing, then one closing record of these kinds. */
enum {
	TRACE_DAT_END = TRACE_KINDS,
	TRACE_DAT_REFUSED, /* the library does not open it */
	TRACE_DAT_CUT,     /* it ends within its data */
	TRACE_DAT_CLOCK,   /* the time stamps are no times; text: the clock */
};

/* Bytes of @event that are sent. */
size_t trace_dat_size(const struct trace_event *event);

/* Reads @file and writes its events to @fd. Does not return. */
void trace_dat_child(const char *file, int fd);
