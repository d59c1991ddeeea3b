#include "tests/support/recording.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

void recording_remove(void)
{
	if (path[0])
		unlink(path);
	path[0] = '\0';
}

const char *recording_file(const void *bytes, size_t size)
{
	recording_remove();
	snprintf(path, sizeof(path), "/tmp/cpufreq-sim-trace-XXXXXX");
	int fd = mkstemp(path);
	if (fd < 0)
		cr_assert(0, "no temporary file");
	FILE *file = fdopen(fd, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
		cr_assert(0, "cannot write %s", path);
	return path;
}

const char *recording_text(const char *text)
{
	return recording_file(text, strlen(text));
}

char *recording_read(const char *name, size_t *size)
{
	FILE *file = fopen(name, "rb");

	if (!file)
		cr_assert(0, "cannot open %s", name);
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	char *bytes = malloc(*size + 1);
	if (!bytes || fread(bytes, 1, *size, file) != *size)
		cr_assert(0, "cannot read %s", name);
	bytes[*size] = '\0';
	fclose(file);
	return bytes;
}

const char *recording_unpacked(const char *name)
{
	static struct arena arena;
	static char unpacked[256];
	struct trace_bytes bytes;
	struct error err = { 0 };
	const char *spooled = "";

	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	if (trace_bytes_open(&bytes, &arena, name, &err) ||
		trace_bytes_spool(&bytes, &arena, "", 0, &spooled, &err))
		cr_assert(0, "%s", err.text);
	trace_bytes_close(&bytes);
	snprintf(unpacked, sizeof(unpacked), "%s", spooled);
	arena_free(&arena);
	return unpacked;
}

int64_t recording_events(const char *name, struct trace_event *events, int64_t max,
	struct trace_reading *reading, struct error *err)
{
	static struct arena arena;
	static struct trace_reader reader;
	struct trace_event event;
	int64_t nr = 0;
	int got;

	if (arena_try(&arena))
		cr_assert(0, "out of memory");
	if (trace_open(&reader, &arena, name, err)) {
		arena_free(&arena);
		return -1;
	}
	while ((got = trace_next(&reader, &event, err)) > 0) {
		if (nr < max)
			events[nr] = event;
		nr++;
	}
	if (reading)
		*reading = reader.reading;
	trace_close(&reader);
	arena_free(&arena);
	return got < 0 ? -1 : nr;
}
