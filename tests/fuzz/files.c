/*
 * Recordings, workload files and tables of machines damaged at random, but the same way for the same seed. Whatever
 * comes of it is imported, or refused with one message and the right status; nothing crashes, leaks,
 * takes over 2 s of CPU time or memory out of proportion.
 *
 * usage: fuzz_files [INPUTS [SEED]] CORPUS...
 *
 * The corpus are whole files; each input takes one, changes bytes, cuts, doubles and mixes pieces of
 * it. Inputs of libtracecmd are a hundredth: each is a process of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/base/units.h"
#include "sim/probe.h"
#include "sim/run.h"
#include "tests/support/damage.h"
#include "workloads/json.h"
#include "workloads/rt_app/program.h"
#include "workloads/trace/import.h"
#include "workloads/trace/script_file.h"
#include "workloads/trace/survey.h"
#include "workloads/workloads.h"

#define FILES_MAX 256
#define INPUT_MAX ((size_t)96 << 10) /* a longer file is cut to a piece */
#define LIMIT_NS (4 * NSEC_PER_SEC)  /* it is read twice */
#define MEMORY_BYTES ((size_t)16 << 20)
#define MEMORY_TIMES 20
#define SCENARIO "tests/fuzz/played.yaml"

enum form {
	FORM_TEXT,
	FORM_PACKED,
	FORM_DAT,
	FORM_JSON,
	FORM_SCRIPTS,
	FORM_SOC,
	FORM_PLAYED, /* the file of a workload that has no reader beside itself */
};

struct file {
	const char *path;
	enum form form;
	const char *workload, *key; /* FORM_PLAYED */
	unsigned char *bytes;
	size_t len;
};

static struct file files[FILES_MAX];
static size_t nr_files;
static unsigned char room[2 * INPUT_MAX + (4u << 20)];
static int64_t imported, refused;

/* What readers look for. */
static const char *const pieces[] = { "[", "]", "[000]", "-", ":", ": ", " ", "==>",
	"prev_comm=", "prev_pid=", "next_pid=", "prev_state=", "target_cpu=", "sched_switch:",
	"sched_waking:", "cpu_frequency: state=1 cpu_id=4095", "\n", "\r\n", "0", "4294967295",
	"99999999999999999999", "0x", "#P:2", "CPU:0 [LOST 7 EVENTS]",
	"<script class=\"trace-data\">", "</script>", "linuxPerfData = \"", "\\n\\", "{", "}", "/*",
	"*/", "//", "\"", ",", "\"loop\": -1", "\"run\": 7", "post 0", "wait 0", "spawn 1",
	"task 7 0 a", "tasks 3 edges 2", "hw.ncpu=", "=", "windowedLoad", "\xff", "" };

static struct damaged input = { room, 0, sizeof(room), pieces, DAMAGE_COPY_MAX };

static void make_input(struct rng *rng, const struct file *file)
{
	size_t from = 0;

	input.len = file->len;
	/* Text may begin at any line; the others have heads. */
	if (input.len > INPUT_MAX && file->form == FORM_TEXT) {
		from = damage_below(rng, input.len - INPUT_MAX);
		input.len = INPUT_MAX;
	}
	memcpy(room, file->bytes + from, input.len);
	size_t most = 1 + input.len / 256;
	for (size_t n = 1 + damage_below(rng, most < 12 ? most : 12); n; n--)
		damage(&input, rng);
}

static void fail(uint64_t seed, int64_t nr, const struct file *file, const char *why)
{
	FILE *out = fopen("fuzz-failure", "wb");

	if (out) {
		fwrite(room, 1, input.len, out);
		fclose(out);
	}
	printf("seed %llu, input %lld from %s: %s; see fuzz-failure\n", (unsigned long long)seed,
		(long long)nr, file->path, why);
	exit(1);
}

/* Builds the workload, and plays nothing: a file may ask for years. */
static int play(struct arena *arena, const char *path, const struct file *file, struct error *err)
{
	static const struct catalog catalog = { governors, drivers, workloads };
	static struct scenario scenario;
	static struct run run;
	char name[64], value[64];
	const char *overrides[] = { name, value };

	snprintf(name, sizeof(name), "workload.name=%s", file->workload);
	snprintf(value, sizeof(value), "workload.%s=%s", file->key, path);
	if (scenario_load(arena, &catalog, SCENARIO, overrides, 2, &scenario, err))
		return -1;
	if (run_build(&run, &scenario, 0, err))
		return -1;
	size_t used_bytes = run.arena.used_bytes;
	run_free(&run);
	arena_alloc(arena, used_bytes);
	return 0;
}

/* Reads the input in every way its form has: 0 when it is good. */
static int read_input(
	struct arena *arena, const char *path, const struct file *file, struct error *err)
{
	static struct trace_import import;
	static struct survey survey;
	static struct rt_program program;
	static struct probe probe;
	struct trace_options options = {
		.root = "all", .idle = "idle-standin", .to_ns = NEVER_NS, .reference_khz = 1885000
	};

	switch (file->form) {
	case FORM_JSON:
		return rt_program_read(arena, NULL, path, &program, err);
	case FORM_SCRIPTS:
		return script_file_load(arena, path, &import, err);
	case FORM_SOC:
		probe = (struct probe){ 0 };
		return probe_read_soc(&probe, arena, path, err);
	case FORM_PLAYED:
		return play(arena, path, file, err);
	default:
		if (trace_import(arena, path, &options, &import, err))
			return -1;
		return trace_survey(arena, path, 0, NEVER_NS, NULL, &survey, err);
	}
}

/* Of this process and those it has waited for: other programs do not count. */
static int64_t cpu_ns(void)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	int64_t s = self.ru_utime.tv_sec + self.ru_stime.tv_sec + children.ru_utime.tv_sec +
		children.ru_stime.tv_sec;
	int64_t us = self.ru_utime.tv_usec + self.ru_stime.tv_usec + children.ru_utime.tv_usec +
		children.ru_stime.tv_usec;
	return s * NSEC_PER_SEC + us * NSEC_PER_USEC;
}

static bool is_trace(enum form form)
{
	return form != FORM_JSON && form != FORM_SOC && form != FORM_PLAYED;
}

static void try_input(const char *path, uint64_t seed, int64_t nr, const struct file *file)
{
	static struct arena arena;
	struct error err = { 0 };
	FILE *out = fopen(path, "wb");

	if (!out || fwrite(room, 1, input.len, out) != input.len || fclose(out))
		fail(seed, nr, file, "cannot be written");
	arena.limit_bytes = MEMORY_BYTES + MEMORY_TIMES * input.len;
	if (file->form == FORM_PACKED)
		arena.limit_bytes *= 10; /* of what it holds */
	int64_t from_ns = cpu_ns();
	if (arena_try(&arena))
		fail(seed, nr, file, "memory over 20 times the file");
	int rc = read_input(&arena, path, file, &err);
	int64_t ns = cpu_ns() - from_ns;
	arena_free(&arena);
	if (ns > LIMIT_NS)
		fail(seed, nr, file, "over 2 s of CPU time");
	if (rc == 0 && err.code != ERROR_NONE)
		fail(seed, nr, file, "read, and refused");
	if (rc != 0 && (err.code == ERROR_NONE || !err.text[0]))
		fail(seed, nr, file, "refused without a message");
	if (rc != 0 && is_trace(file->form) && err.code != ERROR_TRACE)
		fail(seed, nr, file, err.text);
	if (rc != 0 && strncmp(err.text, SCENARIO, strlen(SCENARIO)) == 0)
		fail(seed, nr, file, err.text);
	imported += rc == 0;
	refused += rc != 0;
}

static bool ends(const char *path, const char *end)
{
	size_t len = strlen(path), end_len = strlen(end);

	return len >= end_len && strcmp(path + len - end_len, end) == 0;
}

/* Those that do not say by their first bytes what they are say it by their name. */
static bool form_by_name(struct file *file)
{
	static const struct file named[] = {
		{ ".loadrec", FORM_PLAYED, "loadrec", "file", NULL, 0 },
		{ ".load.json", FORM_PLAYED, "load-series", "file", NULL, 0 },
		{ ".conf", FORM_PLAYED, "cpufreq-bench", "config", NULL, 0 },
		{ ".soc.json", FORM_SOC, NULL, NULL, NULL, 0 },
	};

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (!ends(file->path, named[i].path))
			continue;
		file->form = named[i].form;
		file->workload = named[i].workload;
		file->key = named[i].key;
		return true;
	}
	return false;
}

static enum form form_of(const unsigned char *bytes, size_t size)
{
	if (size > 10 && memcmp(bytes, TRACE_DAT_MAGIC, TRACE_DAT_MAGIC_LEN) == 0)
		return FORM_DAT;
	if (size > 1 && bytes[0] == '{')
		return FORM_JSON;
	if (size > 11 && memcmp(bytes, "cpufreq-sim", 11) == 0)
		return FORM_SCRIPTS;
	if (size > 4 && (bytes[0] == 0xfd || bytes[0] == 0x1f || bytes[0] == 0x28))
		return FORM_PACKED;
	return FORM_TEXT;
}

static void add_file(const char *path)
{
	FILE *in = fopen(path, "rb");
	struct file *file = &files[nr_files];

	if (!in || nr_files == FILES_MAX || fseek(in, 0, SEEK_END)) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(1);
	}
	file->len = (size_t)ftell(in);
	rewind(in);
	file->bytes = malloc(file->len + 1);
	file->path = path;
	if (!file->bytes || fread(file->bytes, 1, file->len, in) != file->len)
		exit(1);
	fclose(in);
	if (!form_by_name(file))
		file->form = form_of(file->bytes, file->len);
	if (file->len > sizeof(room) / 2)
		free(file->bytes);
	else
		nr_files++;
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/cpufreq-sim-fuzz-XXXXXX";
	long long numbers[2] = { 2000, 20161109 };
	int at = 1;

	for (int i = 0; i < 2 && at < argc && argv[at][0] >= '0' && argv[at][0] <= '9'; i++)
		numbers[i] = strtoll(argv[at++], NULL, 10);
	for (; at < argc; at++)
		add_file(argv[at]);
	if (nr_files == 0) {
		fprintf(stderr, "usage: fuzz_files [INPUTS [SEED]] CORPUS...\n");
		return 64;
	}
	int fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	for (int64_t nr = 0; nr < numbers[0]; nr++) {
		struct rng rng;

		rng_set(&rng, (uint64_t)numbers[1], (uint64_t)nr);
		const struct file *file = &files[damage_below(&rng, nr_files)];
		if (file->form == FORM_DAT && damage_below(&rng, 100) > 0)
			file = &files[0];
		make_input(&rng, file);
		try_input(path, (uint64_t)numbers[1], nr, file);
	}
	unlink(path);
	printf("%lld inputs from %zu files: %lld read, %lld refused\n", numbers[0], nr_files,
		(long long)imported, (long long)refused);
	return 0;
}
