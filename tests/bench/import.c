/*
 * Measures how fast recordings are read: a whole import of text, a survey of it, and a trace.dat
 * beside libtracecmd doing nothing but going over the same file. CPU time of this process and its
 * children, so that other programs do not count.
 *
 * The text is a short recording put one after the other, each a little later than the one before,
 * until it is long enough; its size is printed.
 *
 * usage: bench_import RECORDING TRACE.DAT [MiB]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "workloads/trace/import.h"
#include "workloads/trace/survey.h"

#define ROUNDS 5

static int64_t cpu_ns(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	const struct timeval times[] = { self.ru_utime, self.ru_stime, children.ru_utime,
		children.ru_stime };
	int64_t ns = 0;
	for (int i = 0; i < 4; i++)
		ns += (int64_t)times[i].tv_sec * NSEC_PER_SEC + times[i].tv_usec * NSEC_PER_USEC;
	return ns;
}

/* One line with its seconds @later; lines without a time stay as they are. */
static void put_line(FILE *out, const char *line, size_t len, int64_t later_s)
{
	const char *at = memchr(line, ']', len), *end = line + len;

	while (at && at < end && !(at[-1] == ' ' && *at >= '0' && *at <= '9'))
		at++;
	if (!at || at >= end || line[0] == '#') {
		fwrite(line, 1, len, out);
		return;
	}
	fwrite(line, 1, (size_t)(at - line), out);
	char *point;
	fprintf(out, "%lld", strtoll(at, &point, 10) + (long long)later_s);
	fwrite(point, 1, (size_t)(end - point), out);
}

static int64_t make_text(const char *from, const char *to, int64_t bytes)
{
	static char text[64 << 20];
	static struct arena arena;
	struct trace_bytes in;
	struct error err = { 0 };
	static size_t len;
	int64_t got;
	FILE *out = fopen(to, "wb");

	if (!out || arena_try(&arena) || trace_bytes_open(&in, &arena, from, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	while ((got = trace_bytes_read(&in, text + len, sizeof(text) - len, &err)) > 0)
		len += (size_t)got;
	trace_bytes_close(&in);
	for (int64_t copy = 0; ftell(out) < bytes; copy++)
		for (size_t at = 0; at < len;) {
			const char *end = memchr(text + at, '\n', len - at);
			size_t line = end ? (size_t)(end - text) + 1 - at : len - at;

			put_line(out, text + at, line, copy * 30);
			at += line;
		}
	bytes = ftell(out);
	fclose(out);
	arena_free(&arena);
	return bytes;
}

static void import(struct arena *arena, const char *path, int64_t *events)
{
	struct trace_options options = {
		.root = "all", .idle = "idle-standin", .to_ns = NEVER_NS, .reference_khz = 2000000
	};
	struct trace_import found;
	struct error err = { 0 };

	if (trace_import(arena, path, &options, &found, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	*events = 0;
	for (int kind = 0; kind < TRACE_KINDS; kind++)
		*events += found.reading.events[kind];
}

static void survey(struct arena *arena, const char *path, int64_t *events)
{
	static struct survey found;
	struct error err = { 0 };

	if (trace_survey(arena, path, 0, NEVER_NS, NULL, &found, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	*events = 0;
	for (int kind = 0; kind < TRACE_KINDS; kind++)
		*events += found.reading.events[kind];
}

static int count_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *nr)
{
	(void)handle;
	(void)record;
	(void)cpu;
	++*(int64_t *)nr;
	return 0;
}

/* The library alone: opens the file and goes over the records of all its buffers. */
static void library(struct arena *arena, const char *path, int64_t *events)
{
	struct tracecmd_input *input = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);

	(void)arena;
	*events = 0;
	if (!input)
		exit(1);
	tracecmd_iterate_events(input, NULL, 0, count_record, events);
	for (int i = 0; i < tracecmd_buffer_instances(input); i++) {
		struct tracecmd_input *buffer = tracecmd_buffer_instance_handle(input, i);

		tracecmd_iterate_events(buffer, NULL, 0, count_record, events);
		tracecmd_close(buffer);
	}
	tracecmd_close(input);
}

/* The least of several rounds. */
static int64_t measure(const char *what,
	void (*work)(struct arena *arena, const char *path, int64_t *events), const char *path,
	int64_t bytes)
{
	static int64_t best_ns, events;
	static size_t memory;
	static int i;

	best_ns = NEVER_NS;
	for (i = 0; i < ROUNDS; i++) {
		static struct arena arena;

		int64_t from_ns = cpu_ns();

		if (arena_try(&arena))
			exit(1);
		work(&arena, path, &events);
		best_ns = min_i64(best_ns, cpu_ns() - from_ns);
		memory = arena.used_bytes;
		arena_free(&arena);
	}
	printf("%-24s %9" PRId64 " events %8.3f s %8.1f MB/s %8.1f ns per event %7.1f MB used\n",
		what, events, (double)best_ns / 1e9, (double)bytes * 1e3 / (double)best_ns,
		(double)best_ns / (double)max_i64(events, 1), (double)memory / 1e6);
	return best_ns;
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/cpufreq-sim-bench-XXXXXX";

	if (argc < 3) {
		fprintf(stderr, "usage: bench_import RECORDING TRACE.DAT [MiB]\n");
		return 64;
	}
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	int64_t bytes = make_text(argv[1], path, (int64_t)(argc > 3 ? atoi(argv[3]) : 256) << 20);
	printf("text: %s again and again, %.1f MB\n", argv[1], (double)bytes / 1e6);
	measure("import of text", import, path, bytes);
	measure("survey of text", survey, path, bytes);
	unlink(path);
	FILE *file = fopen(argv[2], "rb");
	if (!file)
		return 1;
	fseek(file, 0, SEEK_END);
	bytes = ftell(file);
	fclose(file);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	int64_t alone_ns = measure("libtracecmd alone", library, argv[2], bytes);
	int64_t import_ns = measure("import of trace.dat", import, argv[2], bytes);
	printf("import of trace.dat is %.2f times libtracecmd alone\n",
		(double)import_ns / (double)alone_ns);
	return 0;
}
