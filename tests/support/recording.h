/*
 * Recordings for tests: a text put into a file, and all the events of a file.
 */
#pragma once

#include "workloads/trace/import.h"

/* The name of a new file that holds @size bytes; it goes with recording_remove(). */
const char *recording_file(const void *bytes, size_t size);
/* The same for a text. */
const char *recording_text(const char *text);
/* The contents of a file; fails the test when it cannot be read. */
char *recording_read(const char *path, size_t *size);
void recording_remove(void);
/* The name of a new file with what @name holds once unpacked; the test unlinks it. */
const char *recording_unpacked(const char *name);

/* Reads @path to its end into @events (at most @max; the rest is only counted). The number of
 * events, or -1 with @err. */
int64_t recording_events(const char *path, struct trace_event *events, int64_t max,
	struct trace_reading *reading, struct error *err);
