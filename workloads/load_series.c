/*
 * load-series: recorded load of a phone, window by window, as wipe-v2's data set has it. The load
 * of a CPU at the clock of the recording is a number of cycles; a task for each CPU does them,
 * window by window. What is not done when a window ends is done in the next, before that one's own
 * work: the recording has demand, and no tasks. Ends with the last window's work.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/units.h"
#include "sim/workload.h"
#include "workloads/json.h"

struct series_params {
	const char *file;
	int64_t efficiency;
};

static const struct param params[] = {
	PARAM_TEXT(struct series_params, file, "file", NULL,
		"JSON file with a windowedLoad of rows [largest, CPU, ..., touch]"),
	PARAM_INT(struct series_params, efficiency, "efficiency", UNIT_NONE, 1, 100000, PARAM_AUTO,
		"work per cycle of this machine's CPUs, on the file's scale; auto: as recorded"),
	PARAM_END,
};

#define CPUS_MAX_OF_SERIES 64
#define LOAD_SCALE_MAX 1000000

struct series {
	int nr_cpus;
	int64_t nr_windows, window_ns;
	int64_t scale, khz; /* of a load; the clock of the recording */
	int64_t efficiency_recorded, efficiency;
	int *loads; /* [window][CPU] */
	int64_t late;
};

/* One CPU's load. */
struct player {
	int cpu, stage;
	int64_t window;
	int64_t begun_ns;
};

static int64_t window_work(const struct series *s, int load)
{
	/* At most 1e3 s of window times 1e7 kHz: within 2^63 only part by part. */
	int64_t work = s->window_ns * load / s->scale * s->khz;

	return work / s->efficiency * s->efficiency_recorded;
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct series *s = ctx->state;
	struct player *p = task->priv;
	enum { BEGIN, LOOK, WORK };

	switch (p->stage++) {
	case BEGIN:
		step->kind = STEP_UNTIL;
		step->ns = p->window * s->window_ns;
		if (p->window == s->nr_windows)
			step->kind = STEP_EXIT;
		return;
	case LOOK:
		step->kind = STEP_STAMP;
		step->stamp_ns = &p->begun_ns;
		return;
	default:
		s->late += p->begun_ns > p->window * s->window_ns;
		step->kind = STEP_RUN;
		step->work = window_work(s, s->loads[p->window * s->nr_cpus + p->cpu]);
		p->window++;
		p->stage = BEGIN;
	}
}

static int missing(const struct json *root, const char *key, struct error *err)
{
	return error_at(err, ERROR_SCENARIO, root->at, "is no load series: \"%s\" is missing", key);
}

static int number(const struct json *root, const char *key, int64_t min, int64_t max, int64_t *v,
	struct error *err)
{
	const struct json *json = json_get(root, key);

	return json ? json_integer(json, min, max, v, err) : missing(root, key, err);
}

/* "0.001": a quantum in seconds. */
static int quantum(const struct json *root, int64_t *ns, struct error *err)
{
	const struct json *json = json_get(root, "quantumSec");
	char text[64];

	if (!json)
		return missing(root, "quantumSec", err);
	snprintf(text, sizeof(text), "%ss", json->text ? json->text : "");
	if (str_to_i64(text, UNIT_NS, ns) || *ns < NSEC_PER_USEC || *ns > NSEC_PER_SEC)
		return error_at(err, ERROR_SCENARIO, json->at,
			"quantumSec: %s is not a number of seconds in 0.000001..1",
			json->text ? json->text : "what stands here");
	return 0;
}

static int read_rows(
	struct workload_ctx *ctx, struct series *s, const struct json *rows, struct error *err)
{
	int64_t window = 0, load;

	s->nr_windows = (int64_t)rows->nr;
	s->loads = arena_array(ctx->arena, rows->nr * (size_t)s->nr_cpus, sizeof(*s->loads));
	for (const struct json *row = rows->first; row; row = row->next, window++) {
		const struct json *value = row->first;

		if (row->type != JSON_LIST || row->nr < (size_t)s->nr_cpus + 1)
			return error_at(err, ERROR_SCENARIO, row->at,
				"a row has the largest load and those of %d CPUs", s->nr_cpus);
		for (int cpu = 0; cpu < s->nr_cpus; cpu++) {
			value = value->next;
			if (json_integer(value, 0, 2 * s->scale, &load, err))
				return -1;
			s->loads[window * s->nr_cpus + cpu] = (int)load;
		}
	}
	return 0;
}

static int read_series(struct workload_ctx *ctx, const char *path, struct error *err)
{
	const struct series_params *opt = ctx->params;
	struct series *s = ctx->state;
	int64_t nr_cpus, quantum_ns, quanta, mhz;
	struct json *root;

	if (json_read(ctx->arena, path, &root, err) || quantum(root, &quantum_ns, err) ||
		number(root, "windowQuantum", 1, 1000, &quanta, err) ||
		number(root, "loadScale", 1, LOAD_SCALE_MAX, &s->scale, err) ||
		number(root, "freq", 1, 10000, &mhz, err) ||
		number(root, "coreNum", 1, CPUS_MAX_OF_SERIES, &nr_cpus, err) ||
		number(root, "efficiency", 1, 100000, &s->efficiency_recorded, err))
		return -1;
	const struct json *rows = json_get(root, "windowedLoad");
	if (!rows || rows->type != JSON_LIST || !rows->first)
		return missing(root, "windowedLoad", err);
	s->nr_cpus = (int)nr_cpus;
	s->window_ns = quantum_ns * quanta;
	s->khz = mhz * 1000;
	s->efficiency = opt->efficiency == PARAM_AUTO ? s->efficiency_recorded : opt->efficiency;
	if (s->window_ns > 10 * NSEC_PER_SEC)
		return error_at(err, ERROR_SCENARIO, root->at, "windows of over 10 s");
	return read_rows(ctx, s, rows, err);
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct series_params *opt = ctx->params;
	struct series *s = ctx->state;
	const char *path = opt->file;

	if (!path || !path[0])
		return error_set(
			err, ERROR_SCENARIO, "workload.file is missing: the load series to play");
	if (path[0] != '/' && ctx->scenario_dir) {
		const char *beside = arena_printf(ctx->arena, "%s/%s", ctx->scenario_dir, path);

		path = access(beside, R_OK) == 0 ? beside : path;
	}
	if (read_series(ctx, path, err))
		return -1;
	task_pool(ctx, (size_t)s->nr_cpus);
	for (int cpu = 0; cpu < s->nr_cpus; cpu++) {
		struct task *task = task_take(ctx);

		((struct player *)task->priv)->cpu = cpu;
		task->name = "load";
		task->leading = true;
		/* On as many CPUs as were recorded, each stays on its own. */
		task->pinned = ctx->nr_cpus >= s->nr_cpus;
		task_start(ctx, task, task->pinned ? cpu : -1);
	}
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct series *s = ctx->state;
	double windows = (double)s->nr_windows * (double)s->nr_cpus;

	out[0] = (struct measure){ "windows", "", windows };
	out[1] = (struct measure){ "windows_per_s", "1/s",
		elapsed_ns > 0 ? windows * (double)NSEC_PER_SEC / (double)elapsed_ns : 0 };
	out[2] = (struct measure){ "late_windows", "", (double)s->late };
	return 3;
}

static void describe(const struct workload_ctx *ctx,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct series *s = ctx->state;
	int64_t sum = 0;
	char value[64];

	snprintf(value, sizeof(value), "%lld of %lld ms on %d CPUs", (long long)s->nr_windows,
		(long long)(s->window_ns / NSEC_PER_MSEC), s->nr_cpus);
	line(arg, "windows", value);
	snprintf(value, sizeof(value), "%lld kHz", (long long)s->khz);
	line(arg, "recorded at", value);
	for (int64_t window = 0; window < s->nr_windows; window++) {
		int largest = 0;

		for (int cpu = 0; cpu < s->nr_cpus; cpu++) {
			int load = s->loads[window * s->nr_cpus + cpu];

			largest = load > largest ? load : largest;
		}
		sum += largest;
	}
	snprintf(value, sizeof(value), "%.1f %%",
		100 * (double)sum / ((double)s->nr_windows * (double)s->scale));
	line(arg, "mean largest load", value);
}

const struct workload workload_load_series = {
	.name = "load-series",
	.summary = "recorded load of CPUs, window by window",
	.params = params,
	.params_size = sizeof(struct series_params),
	.state_size = sizeof(struct series),
	.task_size = sizeof(struct player),
	.build = build,
	.next = next,
	.measure = measure,
	.describe = describe,
};
