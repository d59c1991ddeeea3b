/*
 * loadrec: load of a FreeBSD machine as powerd++'s loadrec records it: how busy each CPU was
 * between two looks, and at which clock. A busy share at a clock is a number of cycles; a task for
 * each CPU does them, look by look. What is not done when the next one comes is done first then.
 * Ends with the last look's work.
 *
 * The file has lines NAME=VALUE, of which hw.ncpu is needed, then rows: milliseconds since the row
 * before, the clock of each CPU in MHz, and for each CPU the ticks it spent as user, nice, sys, in
 * interrupts and idle. Older recordings have no clocks in their rows: those of the dev.cpu.N.freq
 * lines hold all along. The first row counts from the start of the machine and is left out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "sim/workload.h"

#define CPUS_MAX_OF_RECORDING 256
#define STATES 5 /* user, nice, sys, interrupt, idle */
#define LINE_SIZE 32768
#define ROWS_MAX 4000000
#define MS_MAX 600000
#define MHZ_MAX 10000

struct loadrec_params {
	const char *file;
};

static const struct param params[] = {
	PARAM_TEXT(struct loadrec_params, file, "file", NULL, "what loadrec wrote"),
	PARAM_END,
};

struct look {
	struct look *next;
	int64_t begin_ns;
	int64_t *work; /* per CPU */
};

struct recording {
	int nr_cpus;
	int64_t khz[CPUS_MAX_OF_RECORDING]; /* of the header; 0: not said */
	struct look *first, *last;
	int64_t nr_looks, end_ns, late;
	double busy_ns;
};

/* One CPU's load. */
struct player {
	int cpu, stage;
	const struct look *look;
	int64_t begun_ns;
};

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct recording *r = ctx->state;
	struct player *p = task->priv;
	enum { BEGIN, LOOK, WORK };

	switch (p->stage++) {
	case BEGIN:
		step->kind = p->look ? STEP_UNTIL : STEP_EXIT;
		step->ns = p->look ? p->look->begin_ns : 0;
		return;
	case LOOK:
		step->kind = STEP_STAMP;
		step->stamp_ns = &p->begun_ns;
		return;
	case WORK:
		r->late += p->begun_ns > p->look->begin_ns;
		step->kind = STEP_RUN;
		step->work = p->look->work[p->cpu];
		p->look = p->look->next;
		p->stage = BEGIN;
	}
}

struct reader {
	struct workload_ctx *ctx;
	struct recording *recording;
	struct where at;
	struct error *err;
};

static int bad(const struct reader *r, const char *what)
{
	return error_at(r->err, ERROR_TRACE, r->at, "is no recording of loadrec: %s", what);
}

/* "hw.ncpu=4", "dev.cpu.0.freq=2401"; others are of no use here. */
static int read_setting(struct reader *r, const char *line)
{
	struct recording *recording = r->recording;
	int cpu, used = 0;
	long mhz;

	if (strncmp(line, "hw.ncpu=", 8) == 0) {
		long nr = strtol(line + 8, NULL, 10);

		if (nr < 1 || nr > CPUS_MAX_OF_RECORDING)
			return bad(r, "hw.ncpu is not in 1..256");
		recording->nr_cpus = (int)nr;
	}
	if (sscanf(line, "dev.cpu.%3d.freq=%n", &cpu, &used) == 1 && used && cpu >= 0 &&
		cpu < CPUS_MAX_OF_RECORDING) {
		mhz = strtol(line + used, NULL, 10);
		if (mhz < 0 || mhz > MHZ_MAX)
			return bad(r, "a clock is not in 0..10000 MHz");
		recording->khz[cpu] = mhz * 1000;
	}
	return 0;
}

/* The numbers of a row; -1: something else, or too many. */
static int take_numbers(const char *line, int64_t *numbers, int max)
{
	int nr = 0;

	for (line += strspn(line, " \t\r\n"); *line; line += strspn(line, " \t\r\n")) {
		char *end;

		if (nr == max || *line < '0' || *line > '9')
			return -1;
		errno = 0;
		numbers[nr] = strtoll(line, &end, 10);
		if (errno || numbers[nr++] > INT64_C(1) << 40)
			return -1;
		line = end;
	}
	return nr;
}

static int64_t work_of(struct recording *recording, const int64_t *ticks, int64_t khz, int64_t ns)
{
	int64_t all = 0;

	for (int i = 0; i < STATES; i++)
		all += ticks[i];
	/* So short a time may pass without a tick. */
	if (all == 0)
		return 0;
	double busy_ns = (double)ns * (double)(all - ticks[STATES - 1]) / (double)all;
	recording->busy_ns += busy_ns;
	return (int64_t)busy_ns * khz;
}

static int add_look(struct reader *r, const int64_t *numbers, bool clocks)
{
	struct recording *recording = r->recording;
	const int64_t *ticks = numbers + 1 + (clocks ? recording->nr_cpus : 0);
	struct look *look = arena_alloc(r->ctx->arena, sizeof(*look));
	int64_t ns = numbers[0] * NSEC_PER_MSEC, khz = 0;

	look->begin_ns = recording->end_ns;
	look->work = arena_array(r->ctx->arena, (size_t)recording->nr_cpus, sizeof(*look->work));
	for (int cpu = 0; cpu < recording->nr_cpus; cpu++) {
		int64_t told = clocks ? numbers[1 + cpu] * 1000 : recording->khz[cpu];

		/* A CPU that tells no clock has that of the one before it. */
		khz = told ? told : khz;
		if (khz < 1000 || khz > MHZ_MAX * 1000)
			return bad(r, "a clock is not in 1..10000 MHz");
		look->work[cpu] = work_of(recording, ticks + (ptrdiff_t)cpu * STATES, khz, ns);
	}
	recording->end_ns += ns;
	recording->nr_looks++;
	if (recording->last)
		recording->last->next = look;
	else
		recording->first = look;
	recording->last = look;
	return 0;
}

static int read_row(struct reader *r, const char *line, int64_t *numbers, bool first)
{
	struct recording *recording = r->recording;
	int plain = 1 + STATES * recording->nr_cpus, clocks = plain + recording->nr_cpus;

	if (recording->nr_cpus == 0)
		return bad(r, "no line hw.ncpu=N stands before the rows");
	int nr = take_numbers(line, numbers, clocks + 1);
	if (nr != plain && nr != clocks)
		return bad(r,
			"a row has milliseconds, perhaps a clock for each CPU, and five "
			"numbers of ticks for each");
	if (numbers[0] > MS_MAX || recording->nr_looks == ROWS_MAX)
		return bad(r, "too long a time");
	return first || numbers[0] == 0 ? 0 : add_look(r, numbers, nr == clocks);
}

static int read_lines(struct reader *r, FILE *file)
{
	char *line = arena_alloc(r->ctx->arena, LINE_SIZE);
	int64_t *numbers = arena_array(
		r->ctx->arena, 2 + (STATES + 1) * CPUS_MAX_OF_RECORDING, sizeof(*numbers));
	bool first = true;
	int rc = 0;

	while (rc == 0 && fgets(line, LINE_SIZE, file)) {
		r->at.line++;
		if (strchr(line, '=')) {
			rc = read_setting(r, line);
		} else if (line[strspn(line, " \t\r\n")]) {
			rc = read_row(r, line, numbers, first);
			first = false;
		}
	}
	if (rc == 0 && !r->recording->first)
		rc = bad(r, "it has no row after the first");
	return rc;
}

static int read_file(struct workload_ctx *ctx, const char *path, struct error *err)
{
	struct reader reader = {
		.ctx = ctx, .recording = ctx->state, .at = { .file = path, .col = 1 }, .err = err
	};
	FILE *file = fopen(path, "rb");

	if (!file)
		return error_at(err, ERROR_TRACE, (struct where){ .file = path },
			"cannot be opened: %s", strerror(errno));
	int rc = read_lines(&reader, file);
	fclose(file);
	return rc;
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct loadrec_params *p = ctx->params;
	struct recording *r = ctx->state;
	const char *path = p->file;

	if (!path || !path[0])
		return error_set(
			err, ERROR_SCENARIO, "workload.file is missing: the recording to play");
	if (path[0] != '/' && ctx->scenario_dir) {
		const char *beside = arena_printf(ctx->arena, "%s/%s", ctx->scenario_dir, path);

		path = access(beside, R_OK) == 0 ? beside : path;
	}
	if (read_file(ctx, path, err))
		return -1;
	task_pool(ctx, (size_t)r->nr_cpus);
	for (int cpu = 0; cpu < r->nr_cpus; cpu++) {
		struct task *task = task_take(ctx);

		*(struct player *)task->priv = (struct player){ .cpu = cpu, .look = r->first };
		task->name = "load";
		task->leading = true;
		/* On as many CPUs as were recorded, each stays on its own. */
		task->pinned = ctx->nr_cpus >= r->nr_cpus;
		task_start(ctx, task, task->pinned ? cpu : -1);
	}
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct recording *r = ctx->state;
	double looks = (double)r->nr_looks * (double)r->nr_cpus;

	out[0] = (struct measure){ "looks", "", looks };
	out[1] = (struct measure){ "looks_per_s", "1/s",
		elapsed_ns > 0 ? looks * (double)NSEC_PER_SEC / (double)elapsed_ns : 0 };
	out[2] = (struct measure){ "late_looks", "", (double)r->late };
	return 3;
}

static void describe(const struct workload_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct recording *r = ctx->state;
	char value[64];

	snprintf(value, sizeof(value), "%lld in %.3f s on %d CPUs", (long long)r->nr_looks,
		(double)r->end_ns / (double)NSEC_PER_SEC, r->nr_cpus);
	line(arg, "looks", value);
	snprintf(value, sizeof(value), "%.1f %%",
		100 * r->busy_ns / ((double)r->end_ns * (double)r->nr_cpus));
	line(arg, "mean load", value);
}

const struct workload workload_loadrec = {
	.name = "loadrec",
	.summary = "load of a FreeBSD machine, as powerd++'s loadrec recorded it",
	.params = params,
	.params_size = sizeof(struct loadrec_params),
	.state_size = sizeof(struct recording),
	.task_size = sizeof(struct player),
	.build = build,
	.next = next,
	.measure = measure,
	.describe = describe,
};
