#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/recording.h"

#define DATA "tests/data/traces/"
#define J1 "configs/traces/kernelbuild-j1.ftrace.xz"
#define MAX 60000

static struct trace_event events[MAX], others[MAX];

static void teardown(void)
{
	recording_remove();
}

TestSuite(reader, .fini = teardown);

/* The switches of a file, moved to the front of @to. */
static int64_t switches(const char *path, struct trace_event *to)
{
	struct error err = { 0 };
	int64_t nr = recording_events(path, to, MAX, NULL, &err), kept = 0;

	cr_assert(ge(i64, nr, 0), "%s", err.text);
	for (int64_t i = 0; i < nr; i++)
		if (to[i].kind == TRACE_SWITCH)
			to[kept++] = to[i];
	return kept;
}

static void same_switches(const char *path, const char *other)
{
	int64_t nr = switches(path, events);

	cr_assert(gt(i64, nr, 50));
	cr_assert(eq(i64, switches(other, others), nr), "%s", other);
	for (int64_t i = 0; i < nr; i++) {
		const struct trace_event *a = &events[i], *b = &others[i];

		/* Microseconds are rounded or cut, depending on the program. */
		cr_assert(a->cpu == b->cpu && a->a.pid == b->a.pid && a->b.pid == b->b.pid &&
				a->prev_state == b->prev_state && llabs(a->t_ns - b->t_ns) < 1000 &&
				strcmp(a->a.comm, b->a.comm) == 0 &&
				strcmp(a->b.comm, b->b.comm) == 0 && a->head.pid == b->head.pid,
			"%s: switch %lld", other, (long long)i);
	}
}

struct name {
	char name[64];
};

ParameterizedTestParameters(reader, every_spelling_tells_the_same_switches)
{
	static struct name names[] = {
		{ DATA "ftrace-tgid-noirq.txt" },
		{ DATA "ftrace-irq.txt" },
		{ DATA "ftrace-plain.txt" },
		{ DATA "ftrace-fields-option.txt" },
		{ DATA "tracecmd-report.txt" },
		{ DATA "tracecmd-report-N.txt" },
		{ DATA "tracecmd-report-R.txt" },
		{ DATA "tracecmd-report-t.txt" },
	};
	return cr_make_param_array(struct name, names, sizeof(names) / sizeof(names[0]));
}

ParameterizedTest(struct name *name, reader, every_spelling_tells_the_same_switches)
{
	same_switches(DATA "ftrace-tgid-irq.txt", name->name);
}

Test(reader, perf_with_and_without_threads_and_nanoseconds)
{
	same_switches(DATA "perf-script.txt", DATA "perf-script-ns-tid.txt");
}

ParameterizedTestParameters(reader, no_line_of_a_recording_is_left_over)
{
	static struct name names[] = {
		{ DATA "ftrace-tgid-irq.txt" },
		{ DATA "ftrace-tgid-noirq.txt" },
		{ DATA "ftrace-irq.txt" },
		{ DATA "ftrace-plain.txt" },
		{ DATA "ftrace-fields-option.txt" },
		{ DATA "ftrace-overwritten-head.txt" },
		{ DATA "ftrace-pipe-lost.txt" },
		{ DATA "perf-script.txt" },
		{ DATA "perf-script-ns-tid.txt" },
		{ DATA "tracecmd-report.txt" },
		{ DATA "tracecmd-report-N.txt" },
		{ DATA "tracecmd-report-R.txt" },
		{ DATA "tracecmd-report-t.txt" },
		{ DATA "tracecmd-report-dropped.txt" },
		{ J1 },
	};
	return cr_make_param_array(struct name, names, sizeof(names) / sizeof(names[0]));
}

ParameterizedTest(struct name *name, reader, no_line_of_a_recording_is_left_over)
{
	struct trace_reading reading;
	struct error err = { 0 };

	cr_assert(gt(i64, recording_events(name->name, events, MAX, &reading, &err), 100));
	cr_expect(eq(i64, reading.foreign, 0));
	cr_expect(eq(i64, reading.payloads, 0));
	cr_expect(eq(i64, reading.too_long, 0));
}

Test(reader, a_packed_recording_has_the_events_its_author_counted)
{
	struct trace_reading reading;
	struct error err = { 0 };

	/* 24,812 records and the header's line. */
	cr_assert(eq(i64, recording_events(J1, events, MAX, &reading, &err), 24813));
	cr_assert(eq(i64, reading.events[TRACE_SWITCH], 8253));
	cr_assert(eq(i64, reading.events[TRACE_WAKING], 3862));
	cr_assert(eq(i64, reading.events[TRACE_FORK], 954));
	cr_assert(eq(i64, reading.events[TRACE_MARK], 2));
}

Test(reader, lost_events_are_told)
{
	struct trace_reading reading;
	struct error err = { 0 };

	recording_events(DATA "ftrace-pipe-lost.txt", events, MAX, &reading, &err);
	cr_assert(eq(i64, reading.events[TRACE_LOST], 2));
	recording_events(DATA "tracecmd-report-dropped.txt", events, MAX, &reading, &err);
	cr_assert(eq(i64, reading.events[TRACE_LOST], 2));
}

struct refused {
	char path[64];
	char message[200];
};

ParameterizedTestParameters(reader, what_cannot_be_replayed_is_refused_by_name)
{
	static struct refused refused[] = {
		{ DATA "ftrace-latency-format.txt",
			"latency-format.txt:3:1: is in latency-format" },
		{ DATA "tracecmd-report-l.txt",
			"tracecmd-report-l.txt:2:11: is in latency-format" },
		{ DATA "ftrace-clock-tsc.txt",
			"clock-tsc.txt:13:32: time stamp is an integer (trace_clock counter, "
			"uptime "
			"or x86-tsc)" },
		{ DATA "ftrace-clock-counter.txt", ":13:32: time stamp is an integer" },
		{ DATA "ftrace-clock-uptime.txt", ":13:32: time stamp is an integer" },
		{ "CMakeLists.txt", "CMakeLists.txt:1:1: is not a trace: found \"cmake_minimum" },
		{ "tests/data/traces", "tests/data/traces: cannot be read: " },
		{ "tests/data/none.txt", "tests/data/none.txt: cannot be opened: No such file" },
	};
	return cr_make_param_array(struct refused, refused, sizeof(refused) / sizeof(refused[0]));
}

ParameterizedTest(struct refused *r, reader, what_cannot_be_replayed_is_refused_by_name)
{
	struct error err = { 0 };

	cr_assert(eq(i64, recording_events(r->path, events, MAX, NULL, &err), -1));
	cr_expect(eq(int, err.code, ERROR_TRACE));
	cr_expect(ne(ptr, strstr(err.text, r->message), NULL), "%s", err.text);
}

static void refuse_bytes(const void *bytes, size_t size, const char *message)
{
	struct error err = { 0 };
	const char *path = recording_file(bytes, size);

	cr_expect(eq(i64, recording_events(path, events, MAX, NULL, &err), -1), "%s", message);
	cr_expect(eq(int, err.code, ERROR_TRACE));
	cr_expect(ne(ptr, strstr(err.text, message), NULL), "%s", err.text);
}

Test(reader, other_containers_are_refused_by_name)
{
	static const char xz_bad[] = "\xfd"
				     "7zXZ\0 and then no such thing";

	refuse_bytes("\x17\x08\x44tracing6", 11, "is a trace.dat that libtracecmd cannot open");
	refuse_bytes("PERFILE2h", 9, "it is a perf.data file");
	refuse_bytes("\x1f\x8b\x08\0", 4, "is cut short: the gzip data have no end");
	refuse_bytes("\x1f\x8b\x07\0 and more", 12, "is damaged: the gzip data cannot be");
	refuse_bytes("\x28\xb5\x2f\xfd", 4, "is cut short: the zstd data have no end");
	refuse_bytes("\x28\xb5\x2f\xfd\x08 and more than a head", 26,
		"is damaged: the zstd data cannot be");
	refuse_bytes(xz_bad, sizeof(xz_bad), "is damaged: the xz data cannot be unpacked");
	refuse_bytes("", 0, ":1:1: is not a trace: no event in 0 lines");
	refuse_bytes("# tracer: nop\n#\n", 16, "is not a trace: no event in 2 lines");
	refuse_bytes("\n  \x01\xff text\n", 11, ":2:3: is not a trace: found \"?? text\"");
}

Test(reader, xz_data_cut_short_are_refused)
{
	size_t size;
	char *bytes = recording_read(J1, &size);

	refuse_bytes(bytes, size / 2, "is cut short: the xz data have no end");
	refuse_bytes(bytes, size - 1, "is cut short: the xz data have no end");
	free(bytes);
}

/* The bytes of @text, packed by @program, in a new file. */
static const char *packed(const char *program, const char *text)
{
	static char command[256];
	const char *path = recording_text(text);

	snprintf(command, sizeof(command), "%s -q -f <%s >%s.packed && mv %s.packed %s", program,
		path, path, path, path);
	cr_assert(eq(int, system(command), 0), "%s", command);
	return path;
}

#define GOOD "a-17 [001] d..2. 5.000001: x: y\n"

Test(reader, a_recording_packed_in_any_way)
{
	struct error err = { 0 };
	struct trace_reading reading;

	cr_assert(eq(i64,
			  recording_events(
				  packed("gzip", GOOD GOOD GOOD), events, MAX, &reading, &err),
			  3),
		"%s", err.text);
	cr_assert(eq(i64, reading.lines, 3));
	cr_assert(eq(i64, recording_events(packed("xz", GOOD GOOD), events, MAX, NULL, &err), 2));
	if (system("command -v zstd >/dev/null") == 0)
		cr_assert(eq(i64,
			recording_events(packed("zstd", GOOD GOOD), events, MAX, NULL, &err), 2));
}

Test(reader, standard_input_is_called_a_dash)
{
	struct error err = { 0 };
	const char *path = recording_text(GOOD GOOD);

	cr_assert(ne(ptr, freopen(path, "rb", stdin), NULL));
	cr_assert(eq(i64, recording_events("-", events, MAX, NULL, &err), 2), "%s", err.text);
	path = recording_text("no trace\n");
	cr_assert(ne(ptr, freopen(path, "rb", stdin), NULL));
	cr_assert(eq(i64, recording_events("-", events, MAX, NULL, &err), -1));
	cr_assert(ne(ptr, strstr(err.text, "standard input:1:1: is not a trace"), NULL), "%s",
		err.text);
}

#define PAGE "<!DOCTYPE html>\n<html>\n<script>a-1 [000] 1.0: x: y</script>\n"

Test(reader, a_page_of_systrace)
{
	struct error err = { 0 };
	struct trace_reading reading;
	const char *page = PAGE
		"<script class=\"trace-data\" type=\"application/text\">\n# tracer: nop\n" GOOD GOOD
		"  </script>\n<script class=\"trace-data\">" GOOD "</script>\n" GOOD;

	cr_assert(eq(i64, recording_events(recording_text(page), events, MAX, &reading, &err), 3),
		"%s", err.text);
	cr_expect(eq(i64, reading.foreign, 0));
	page = PAGE "<script>\n  var linuxPerfData = \"\\\n# tracer: nop\\n\\\n"
		    "a\\\\b-17 [001] d..2. 5.000001: x: y\\n\\\n"
		    "dummy-0000  [000] 0.0: 0: trace_event_clock_sync: parent_ts=0.0\\n\";\n"
		    "</script>\n" GOOD;
	cr_assert(eq(i64, recording_events(recording_text(page), events, MAX, &reading, &err), 2),
		"%s", err.text);
	cr_expect(eq(str, events[0].head.comm, "a\\b"));
	cr_expect(eq(i64, reading.foreign, 0));
	page = PAGE;
	cr_assert(eq(i64, recording_events(recording_text(page), events, MAX, NULL, &err), -1));
	cr_assert(ne(ptr, strstr(err.text, "is a page without a trace"), NULL), "%s", err.text);
}

Test(reader, two_packed_pieces_are_one_recording)
{
	size_t size;
	struct error err = { 0 };
	char *bytes = recording_read(J1, &size);
	char *twice = malloc(2 * size);

	memcpy(twice, bytes, size);
	memcpy(twice + size, bytes, size);
	cr_assert(
		eq(i64, recording_events(recording_file(twice, 2 * size), events, MAX, NULL, &err),
			2 * 24813));
	free(bytes);
	free(twice);
}

#define REST "rest of a print\n"
#define TAIL "\n" GOOD "a-17 [001] d..2. 5.0"

Test(reader, odd_lines_inside_a_recording_are_skipped_and_counted)
{
	struct trace_reading reading;
	struct error err = { 0 };
	size_t size = 200000;
	char *text = malloc(size);

	/* The rest of a print, a line no kernel writes, a line whose end is missing. */
	memset(text, 'x', size);
	memcpy(text, GOOD REST, strlen(GOOD REST));
	memcpy(text + size - strlen(TAIL), TAIL, strlen(TAIL));
	cr_assert(eq(
		i64, recording_events(recording_file(text, size), events, MAX, &reading, &err), 2));
	cr_expect(eq(i64, reading.foreign, 2));
	cr_expect(eq(i64, reading.too_long, 1));
	cr_expect(eq(i64, reading.lines, 5));
	free(text);
}

Test(reader, a_file_cut_anywhere_gives_the_events_before_the_cut)
{
	size_t size;
	char *bytes = recording_read(DATA "perf-script.txt", &size);

	for (size_t cut = 200; cut < size; cut += 997) {
		struct trace_reading reading;
		struct error err = { 0 };
		const char *path = recording_file(bytes, cut);

		cr_assert(gt(i64, recording_events(path, events, MAX, &reading, &err), 0), "%s",
			err.text);
		cr_assert(le(i64, reading.foreign + reading.payloads, 1));
	}
	free(bytes);
}
