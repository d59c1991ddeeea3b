#include "sim/experiment/observe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/run.h"

#define MAX_CHANGES 65536
#define MAX_DECISIONS 4096
#define MAX_NOTES 16
#define MAP_PREFIX "map load "
#define MAX_LOAD 100
#define MAX_LINES 64
#define DESCRIBED_PREFIX "described_"

struct observed_change {
	int64_t t_ns, khz;
	int cpu;
};

struct observed_decision {
	int64_t t_ns, requested_khz, resolved_khz;
	struct decision_value values[MAX_NOTES];
	int nr;
};

/* What governor or driver say of themselves: "deadband limit of the v1 patch", "1885000 kHz". */
struct observed_line {
	char name[64];
	double value;
};

static void note_change(void *arg, const struct tracepoint *record)
{
	struct observation *o = arg;

	if (record->kind != TRACEPOINT_FREQUENCY)
		return;
	if (o->nr_changes < MAX_CHANGES)
		o->changes[o->nr_changes] = (struct observed_change){
			.t_ns = record->t_ns, .khz = record->khz, .cpu = record->cpu
		};
	o->nr_changes++;
}

static void note_values(struct observed_decision *note, const struct decision_value *values, int nr)
{
	for (int i = 0; i < nr && note->nr < MAX_NOTES; i++)
		note->values[note->nr++] = values[i];
}

static void note_decision(void *arg, const struct decision_record *record)
{
	struct observation *o = arg;

	if (o->nr_decisions < MAX_DECISIONS) {
		struct observed_decision *note = &o->decisions[o->nr_decisions];

		*note = (struct observed_decision){ .t_ns = record->t_ns,
			.requested_khz = record->requested_khz,
			.resolved_khz = record->resolved_khz };
		/* What came out first: there may be more of what went in than has room. */
		note_values(note, record->out, record->nr_out);
		note_values(note, record->in, record->nr_in);
	}
	o->nr_decisions++;
}

static int observe_built(void *arg, struct run *run, struct error *err)
{
	struct observation *o = arg;

	if (arena_try(&o->arena))
		return error_set(err, ERROR_RUN, "out of memory for what is observed of a run");
	if (o->wanted & OBSERVE_CHANGES) {
		o->changes = arena_array(&o->arena, MAX_CHANGES, sizeof(*o->changes));
		run->kernel.trace.sink = note_change;
		run->kernel.trace.arg = o;
	}
	if (o->wanted & OBSERVE_DECISIONS) {
		o->decisions = arena_array(&o->arena, MAX_DECISIONS, sizeof(*o->decisions));
		run->kernel.decisions.sink = note_decision;
		run->kernel.decisions.arg = o;
	}
	o->nr_cpus = run->machine.nr_cpus;
	o->nr_policies = run->kernel.nr_policies;
	o->freq_scale = arena_array(&o->arena, (size_t)o->nr_cpus, sizeof(*o->freq_scale));
	o->transitions = arena_array(&o->arena, (size_t)o->nr_policies, sizeof(*o->transitions));
	o->lines = arena_array(&o->arena, MAX_LINES, sizeof(*o->lines));
	o->map_khz = arena_array(&o->arena, MAX_LOAD + 1, sizeof(*o->map_khz));
	return 0;
}

static void note_line(void *arg, const char *name, const char *value)
{
	struct observation *o = arg;
	char *end;
	double number = strtod(value, &end);

	if (end == value || o->nr_lines == MAX_LINES)
		return;
	struct observed_line *line = &o->lines[o->nr_lines++];
	snprintf(line->name, sizeof(line->name), "%s", name);
	line->value = number;
}

/* The governor's own words on its map, and on anything else. */
static void note_governor(void *arg, const char *name, const char *value)
{
	struct observation *o = arg;
	long load;

	if (strncmp(name, MAP_PREFIX, strlen(MAP_PREFIX)) != 0) {
		note_line(arg, name, value);
		return;
	}
	load = strtol(name + strlen(MAP_PREFIX), NULL, 10);
	if (load < 0 || load > MAX_LOAD)
		return;
	o->map_khz[load] = strtoll(value, NULL, 10);
	o->nr_map = (size_t)load + 1;
}

static int compare_descending(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y) - (x > y);
}

static void observe_done(void *arg, struct run *run)
{
	struct observation *o = arg;

	for (int i = 0; i < o->nr_cpus; i++)
		o->freq_scale[i] = kernel_freq_scale(&run->kernel, i);
	for (int i = 0; i < o->nr_policies; i++)
		o->transitions[i] = run->kernel.policies[i].commands;
	if (run->governor->describe)
		run->governor->describe(&run->kernel.policies[0], note_governor, o);
	if (run->scenario->driver->describe)
		run->scenario->driver->describe(&run->driver_ctx, note_line, o);
	qsort(o->transitions, (size_t)o->nr_policies, sizeof(*o->transitions), compare_descending);
}

const struct batch_probe observe_probe = { .built = observe_built, .done = observe_done };

void observation_free(struct observation *observation)
{
	arena_free(&observation->arena);
}

/* One name with an index. */
struct series {
	const char *name;
	unsigned needs;
	size_t (*nr)(const struct observation *o, const struct result *result);
	double (*value)(const struct observation *o, const struct result *result, size_t i);
};

static size_t nr_changes(const struct observation *o, const struct result *result)
{
	(void)result;
	return o->nr_changes < MAX_CHANGES ? o->nr_changes : MAX_CHANGES;
}

static size_t nr_decisions(const struct observation *o, const struct result *result)
{
	(void)result;
	return o->nr_decisions < MAX_DECISIONS ? o->nr_decisions : MAX_DECISIONS;
}

static size_t nr_scales(const struct observation *o, const struct result *result)
{
	(void)result;
	return (size_t)o->nr_cpus;
}

static size_t nr_map(const struct observation *o, const struct result *result)
{
	(void)result;
	return o->nr_map;
}

static size_t nr_shares(const struct observation *o, const struct result *result)
{
	(void)result;
	return (size_t)o->nr_policies;
}

/* Any clock may be asked for: one that never ran has no time. */
static size_t nr_clocks(const struct observation *o, const struct result *result)
{
	(void)o;
	(void)result;
	return SIZE_MAX;
}

static double change_s(const struct observation *o, const struct result *result, size_t i)
{
	(void)result;
	return (double)o->changes[i].t_ns / 1e9;
}

static double change_khz(const struct observation *o, const struct result *result, size_t i)
{
	(void)result;
	return (double)o->changes[i].khz;
}

static double change_cpu(const struct observation *o, const struct result *result, size_t i)
{
	(void)result;
	return o->changes[i].cpu;
}

static double requested_khz(const struct observation *o, const struct result *result, size_t i)
{
	(void)result;
	return (double)o->decisions[i].requested_khz;
}

static double resolved_khz(const struct observation *o, const struct result *result, size_t i)
{
	(void)result;
	return (double)o->decisions[i].resolved_khz;
}

static double evaluated_s(const struct observation *o, const struct result *result, size_t i)
{
	(void)result;
	return (double)o->decisions[i].t_ns / 1e9;
}

static double freq_scale(const struct observation *o, const struct result *result, size_t i)
{
	(void)result;
	return (double)o->freq_scale[i];
}

static double map_khz(const struct observation *o, const struct result *result, size_t i)
{
	(void)result;
	return (double)o->map_khz[i];
}

static double residency_s(const struct observation *o, const struct result *result, size_t i)
{
	int64_t ns = 0;

	(void)o;
	for (size_t k = 0; k < result->nr_residencies; k++)
		if (result->residencies[k].khz == (int64_t)i)
			ns += result->residencies[k].ns;
	return (double)ns / 1e9;
}

static double transitions_share_pct(
	const struct observation *o, const struct result *result, size_t i)
{
	double all = result->metrics[METRIC_transitions];

	return all > 0 ? 100 * (double)o->transitions[i] / all : 0;
}

static const struct series series[] = {
	{ "change_s", OBSERVE_CHANGES, nr_changes, change_s },
	{ "change_khz", OBSERVE_CHANGES, nr_changes, change_khz },
	{ "change_cpu", OBSERVE_CHANGES, nr_changes, change_cpu },
	{ "requested_khz", OBSERVE_DECISIONS, nr_decisions, requested_khz },
	{ "resolved_khz", OBSERVE_DECISIONS, nr_decisions, resolved_khz },
	{ "evaluated_s", OBSERVE_DECISIONS, nr_decisions, evaluated_s },
	{ "freq_scale", OBSERVE_END, nr_scales, freq_scale },
	{ "map_khz", OBSERVE_END, nr_map, map_khz },
	{ "residency_s", 0, nr_clocks, residency_s },
	{ "transitions_share_pct", OBSERVE_END, nr_shares, transitions_share_pct },
};

#define DECISION_PREFIX "decision_"

static const struct series *series_find(const char *name)
{
	for (size_t i = 0; i < sizeof(series) / sizeof(series[0]); i++)
		if (strcmp(series[i].name, name) == 0)
			return &series[i];
	return NULL;
}

static bool is_decision(const char *name)
{
	return strncmp(name, DECISION_PREFIX, strlen(DECISION_PREFIX)) == 0;
}

/* "requests per second" as a word: requests_per_second. */
static bool same_figure(const char *figure, const char *name)
{
	for (; *figure && *name; figure++, name++)
		if (*figure != *name && !(*name == '_' && strchr(" /-.", *figure)))
			return false;
	return *figure == *name;
}

static bool is_described(const char *name)
{
	return strncmp(name, DESCRIBED_PREFIX, strlen(DESCRIBED_PREFIX)) == 0;
}

static bool hook_figure(const struct result *result, const char *name, double *value)
{
	static const char prefix[] = "hook_";
	char full[64];

	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	for (int i = 0; i < HOOK_SITES; i++) {
		const struct hook_count *count = result ? &result->hooks[i] : NULL;
		const struct {
			const char *suffix;
			int64_t value;
		} figures[] = {
			{ "calls", count ? count->calls : 0 },
			{ "dropped", count ? count->dropped : 0 },
			{ "dropped_rate_limit", count ? count->rate_limited : 0 },
			{ "changes", count ? count->changes : 0 },
		};

		for (size_t k = 0; k < sizeof(figures) / sizeof(figures[0]); k++) {
			snprintf(full, sizeof(full), "hook_%s_%s",
				hook_site_name((enum hook_site)i), figures[k].suffix);
			*value = (double)figures[k].value;
			if (strcmp(full, name) == 0)
				return true;
		}
	}
	return false;
}

unsigned observe_needs(const char *name, bool *known)
{
	const struct series *found = series_find(name);
	double unused;

	*known = true;
	if (found)
		return found->needs;
	if (is_decision(name) || strcmp(name, "evaluations") == 0)
		return OBSERVE_DECISIONS;
	if (strcmp(name, "changes") == 0)
		return OBSERVE_CHANGES;
	if (is_described(name))
		return 0;
	*known = metric_find(name) < METRIC_NR || hook_figure(NULL, name, &unused);
	return 0;
}

bool observe_indexed(const char *name)
{
	return series_find(name) || is_decision(name);
}

static int no_figure(
	const struct result *result, const char *name, struct where at, struct error *err)
{
	const char *names[METRIC_NR + MEASURES_MAX];
	char suggestion[1024];
	size_t nr = 0;

	for (int i = 0; i < result->nr_measures; i++)
		names[nr++] = result->measures[i].name;
	for (int i = 0; i < METRIC_NR; i++)
		names[nr++] = metric_infos[i].name;
	str_suggest(name, names, nr, suggestion, sizeof(suggestion));
	return error_at(err, ERROR_SCENARIO, at,
		"\"%.60s\" is neither a metric nor a figure of this workload; %.700s", name,
		suggestion);
}

static int decision_figure(const struct observed_decision *note, const char *name, struct where at,
	double *value, struct error *err)
{
	const char *names[MAX_NOTES];
	char suggestion[512];

	for (int i = 0; i < note->nr; i++) {
		names[i] = note->values[i].name;
		*value = (double)note->values[i].value;
		if (strcmp(names[i], name) == 0)
			return 0;
	}
	str_suggest(name, names, (size_t)note->nr, suggestion, sizeof(suggestion));
	return error_at(err, ERROR_SCENARIO, at, "that evaluation has no value \"%.60s\"; %.400s",
		name, suggestion);
}

/* The names that take no index. */
static int plain_value(const struct observation *o, const struct result *result, const char *name,
	struct where at, double *value, struct error *err)
{
	enum metric metric = metric_find(name);

	if (metric < METRIC_NR) {
		*value = result->metrics[metric];
		return 0;
	}
	if (strcmp(name, "changes") == 0 || strcmp(name, "evaluations") == 0) {
		*value = (double)(*name == 'c' ? o->nr_changes : o->nr_decisions);
		return 0;
	}
	if (hook_figure(result, name, value))
		return 0;
	for (size_t i = 0; is_described(name) && i < o->nr_lines; i++) {
		*value = o->lines[i].value;
		if (same_figure(o->lines[i].name, name + strlen(DESCRIBED_PREFIX)))
			return 0;
	}
	for (int i = 0; i < result->nr_measures; i++) {
		*value = result->measures[i].value;
		if (same_figure(result->measures[i].name, name))
			return 0;
	}
	return no_figure(result, name, at, err);
}

int observe_value(const struct observation *observation, const struct result *result,
	const char *name, double index, struct where at, double *value, struct error *err)
{
	const struct series *found = series_find(name);

	if (!observe_indexed(name))
		return plain_value(observation, result, name, at, value, err);
	size_t nr = found ? found->nr(observation, result) : nr_decisions(observation, result);
	if (!(index >= 0) || index >= (double)nr)
		return error_at(err, ERROR_SCENARIO, at, "%s[%g]: the run has %zu of them", name,
			index, nr);
	size_t i = (size_t)index;
	if (found) {
		*value = found->value(observation, result, i);
		return 0;
	}
	return decision_figure(
		&observation->decisions[i], name + strlen(DECISION_PREFIX), at, value, err);
}
