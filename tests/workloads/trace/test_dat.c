#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/recording.h"

#define DATA "tests/data/traces/"
#define V7 DATA "tracecmd-v7.dat"
#define V6 DATA "raw-sched-switch-v6.dat.xz"
#define MAX 20000

static struct trace_event events[MAX], others[MAX];
static struct error err;

static void teardown(void)
{
	recording_remove();
}

TestSuite(dat, .fini = teardown);

static int64_t of_kind(const char *path, enum trace_kind kind, struct trace_event *to)
{
	int64_t nr = recording_events(path, to, MAX, NULL, &err), kept = 0;

	cr_assert(ge(i64, nr, 0), "%s", err.text);
	for (int64_t i = 0; i < nr; i++)
		if (to[i].kind == kind)
			to[kept++] = to[i];
	return kept;
}

Test(dat, the_buffer_of_an_instance_tells_what_its_text_tells)
{
	static const enum trace_kind kinds[] = { TRACE_SWITCH, TRACE_WAKING, TRACE_WAKEUP,
		TRACE_WAKEUP_NEW, TRACE_FORK, TRACE_EXEC, TRACE_EXIT, TRACE_FREE, TRACE_WAIT,
		TRACE_RENAME };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		int64_t nr = of_kind(V7, kinds[k], events);

		cr_assert(eq(i64, of_kind(DATA "tracecmd-report-t.txt", kinds[k], others), nr),
			"%s", trace_kind_name(kinds[k]));
		for (int64_t i = 0; i < nr; i++) {
			const struct trace_event *a = &events[i], *b = &others[i];

			cr_assert(eq(i64, a->t_ns, b->t_ns));
			cr_assert(eq(int, a->cpu, b->cpu));
			cr_assert(eq(i64, a->head.pid, b->head.pid));
			cr_assert(eq(i64, a->a.pid, b->a.pid));
			cr_assert(eq(i64, a->b.pid, b->b.pid));
			cr_assert(eq(str, (char *)a->b.comm, (char *)b->b.comm));
			cr_assert(eq(int, a->prev_state, b->prev_state));
			cr_assert(eq(int, a->target_cpu, b->target_cpu));
		}
	}
}

Test(dat, version_6_packed_with_xz)
{
	struct trace_reading reading;

	cr_assert(eq(i64, recording_events(V6, events, MAX, &reading, &err), 758), "%s", err.text);
	cr_expect(eq(i64, reading.events[TRACE_SWITCH], 755));
	/* 0x400 is R+ there, as the format of the event says. */
	int64_t nr = of_kind(V6, TRACE_SWITCH, events), runnable = 0;
	for (int64_t i = 0; i < nr; i++)
		runnable += events[i].prev_state == TRACE_RUNNABLE;
	cr_expect(eq(i64, runnable, 372));
}

Test(dat, lost_events_are_told)
{
	int64_t nr = of_kind(DATA "tracecmd-v7-dropped.dat", TRACE_LOST, events);

	cr_assert(eq(i64, nr, 2));
	cr_expect(eq(int, events[0].cpu, 0));
	cr_expect(eq(i64, events[0].lost, -1));
	cr_expect(eq(int, events[1].cpu, 1));
	cr_expect(eq(i64, events[1].lost, 81052));
}

static void refuse(const void *bytes, size_t size, const char *message)
{
	const char *path = recording_file(bytes, size);

	err = (struct error){ 0 };
	cr_expect(eq(i64, recording_events(path, events, MAX, NULL, &err), -1), "%s", message);
	cr_expect(eq(int, err.code, ERROR_TRACE));
	cr_expect(ne(ptr, strstr(err.text, message), NULL), "%s", err.text);
}

/* The first place of @what in @bytes. */
static char *find(char *bytes, size_t size, const char *what, size_t len)
{
	for (size_t i = 0; i + len <= size; i++)
		if (memcmp(bytes + i, what, len) == 0)
			return bytes + i;
	cr_assert(0, "not found");
	return NULL;
}

Test(dat, another_compression_is_refused_by_name)
{
	size_t size;
	char *bytes = recording_read(V7, &size);

	memcpy(find(bytes, size, "zstd", 4), "zlib", 4);
	refuse(bytes, size, "is compressed with zlib, which this libtracecmd cannot read");
	free(bytes);
}

Test(dat, a_clock_that_counts_no_time_is_refused_by_name)
{
	static const char local[] = "[local] global counter uptime",
			  counter[] = "local global [counter] uptime";
	size_t size;
	char *bytes = recording_read(V7, &size);

	memcpy(find(bytes, size, local, sizeof(local) - 1), counter, sizeof(counter) - 1);
	refuse(bytes, size, "time stamps are those of trace_clock counter");
	free(bytes);
}

Test(dat, files_cut_anywhere_are_refused)
{
	size_t size;
	char *bytes = recording_read(V7, &size);

	for (size_t cut = 11; cut < size - 100; cut += size / 16)
		refuse(bytes, cut, "trace.dat");
	free(bytes);
}

/* libtracecmd itself does not survive this when its handle is closed. */
Test(dat, version_6_cut_in_its_data_is_refused)
{
	const char *unpacked = recording_unpacked(V6);
	size_t size;
	char *bytes = recording_read(unpacked, &size);

	refuse(bytes, size - 4096, "is cut short");
	refuse(bytes, size / 2, "is a trace.dat that libtracecmd cannot open");
	free(bytes);
	unlink(unpacked);
}
