#include "sim/cmd_figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/report/csv.h"
#include "sim/report/figure.h"
#include "sim/scenario/scenario.h"

/* KIND(id, name of kind and script, the file of a result directory that it reads, what it shows).
 * For a directory without axes the first whose file has rows is drawn when none is asked for. */
#define KINDS(KIND)                                                                                \
	KIND(LINES, "lines", "figure.csv", "Published and simulated numbers")                      \
	KIND(POWER, "power", "series-power.csv", "Package power over time")                        \
	KIND(RESIDENCY, "residency", "residency.csv", "CPU time idle and at each clock")           \
	KIND(BARS, "bars", "runs.csv", "Runs compared")                                            \
	KIND(SWEEP, "sweep", "runs.csv", "Time and energy along an axis, with 95 % intervals")     \
	KIND(HEATMAP, "heatmap", "runs.csv", "Time and energy over two axes")                      \
	KIND(PARETO, "pareto", "runs.csv", "Time against energy, and the points none other beats") \
	KIND(HISTOGRAM, "histogram", "power-histogram.csv", "How often each power was read")       \
	KIND(SPECTRUM, "spectrum", "power-spectrum.csv", "What periods the power has")             \
	KIND(TIMELINE, "timeline", "manifest.yaml",                                                \
		"Clock, load and power of one policy, and its decisions")

#define NAME(id_, name_, input_, caption_) name_,
#define INPUT(id_, name_, input_, caption_) input_,
#define CAPTION(id_, name_, input_, caption_) caption_,
#define ID(id_, name_, input_, caption_) id_,

const char *const figure_kinds[] = { KINDS(NAME) NULL };
const char *const figure_captions[] = { KINDS(CAPTION) };
static const char *const inputs[] = { KINDS(INPUT) };
enum { KINDS(ID) NR_KINDS };

static const char *input_path(struct cmd_env *env, const char *dir, int kind)
{
	return arena_printf(env->arena, "%s/%s", dir, inputs[kind]);
}

/* More than the header row. */
static bool has_rows(const char *path)
{
	FILE *file = fopen(path, "r");
	int lines = 0;

	if (!file)
		return false;
	for (int c; lines < 2 && (c = fgetc(file)) != EOF;)
		lines += c == '\n';
	fclose(file);
	return lines >= 2;
}

/* Two axes of numbers, each with at least so many values. */
static bool is_map(const struct figure *figure, size_t values)
{
	return figure->nr_axes == 2 && figure->y && figure->nr_x >= values &&
		figure->nr_y >= values;
}

/* A sweep that is a map is drawn as one, any other as a set of curves. */
static int choose_sweep_kind(struct cmd_env *env, const char *path, int *kind)
{
	struct figure figure;

	if (figure_of_sweep(&figure, env->arena, path, env->err) < 0)
		return -1;
	*kind = is_map(&figure, 3) ? HEATMAP : SWEEP;
	return 0;
}

/* Several directories are compared; one is shown by the richest file it has. */
int figures_choose(struct cmd_env *env, const struct figures_request *request, int *kind)
{
	const char *runs = input_path(env, request->dirs[0], BARS);

	if (request->kind)
		return cmd_choice("kind", request->kind, figure_kinds, kind, env->err);
	*kind = BARS;
	if (request->nr > 1)
		return 0;
	if (figure_is_sweep(env->arena, runs))
		return choose_sweep_kind(env, runs, kind);
	for (*kind = 0; *kind <= BARS; ++*kind)
		if (has_rows(input_path(env, request->dirs[0], *kind)))
			return 0;
	return error_set(env->err, ERROR_RUN,
		"%s: no results to draw; expected a directory written by run -o, sweep -o or "
		"reproduce -o",
		request->dirs[0]);
}

bool figures_has(struct cmd_env *env, const char *dir, int kind)
{
	struct error ignored = { .code = ERROR_NONE };
	const char *path = input_path(env, dir, kind);
	struct figure figure;

	if (kind == BARS || !has_rows(path))
		return false;
	if (kind != SWEEP && kind != HEATMAP && kind != PARETO)
		return true;
	if (!figure_is_sweep(env->arena, path) ||
		figure_of_sweep(&figure, env->arena, path, &ignored) < 0)
		return false;
	return kind == HEATMAP ? is_map(&figure, 2) : figure.nr_x > 1;
}

static const char *quoted_list(struct arena *arena, const char *const *texts, size_t nr)
{
	const char *list = "";

	for (size_t i = 0; i < nr; i++)
		list = arena_printf(
			arena, "%s%s%s", list, i ? ", " : "", draw_quoted(arena, texts[i]));
	return list;
}

static int prepare_sweep(struct cmd_env *env, const char *path, int kind, struct drawing *drawing)
{
	struct arena *arena = env->arena;
	struct figure f;

	if (figure_of_sweep(&f, arena, path, env->err) < 0)
		return -1;
	if (kind == HEATMAP && !is_map(&f, 2))
		return error_set(env->err, ERROR_RUN,
			"%s: a heat map needs exactly two axes of numbers", path);
	drawing->data = f.data;
	drawing->variables = arena_printf(arena,
		"x_name = %s\ny_name = %s\nnumeric = %d\n"
		"fields = %zu\nseries_axes = %s\nseries_count = %zu\narray series_name[%zu] = "
		"[%s]\n",
		draw_quoted(arena, f.x), draw_quoted(arena, f.y ? f.y : ""), f.numeric,
		f.nr_x * f.nr_y, draw_quoted(arena, f.series_axes), f.nr_series, f.nr_series,
		quoted_list(arena, f.series, f.nr_series));
	return 0;
}

/* Figures that show several directories side by side, or one by itself. */
static int prepare_side_by_side(struct cmd_env *env, const struct figures_request *request,
	int kind, struct drawing *drawing)
{
	const char *paths[FIGURES_MAX_DIRS], *names[FIGURES_MAX_DIRS];
	size_t bands = 0;

	for (size_t i = 0; i < request->nr; i++) {
		paths[i] = input_path(env, request->dirs[i], kind);
		names[i] = draw_base_name(env->arena, request->dirs[i]);
	}
	drawing->data = kind == BARS
		? figure_bars(env->arena, paths, names, request->nr, env->err)
		: figure_residency(env->arena, paths, names, request->nr, &bands, env->err);
	drawing->variables = arena_printf(env->arena, "bands = %zu\n", bands);
	return drawing->data ? 0 : -1;
}

/* The runs are not kept as they went: the first repeat is made again. */
static int prepare_timeline(struct cmd_env *env, const struct figures_request *request,
	const char *path, struct drawing *drawing)
{
	struct arena *arena = env->arena;
	struct scenario scenario;
	struct timeline timeline;

	if (scenario_load(arena, env->catalog, path, NULL, 0, &scenario, env->err) < 0 ||
		timeline_make(&timeline, arena, &scenario, &request->window, env->err) < 0)
		return -1;
	const char *what = arena_printf(arena, "%s, policy of CPU %" PRId64 ", governor %s",
		scenario.name, request->window.cpu, timeline.governor);
	drawing->data = timeline.data;
	drawing->variables = arena_printf(arena,
		"window_from = %.9f\nwindow_to = %.9f\ndecisions = %" PRId64 "\nwhat = %s\n",
		(double)timeline.from_ns / (double)NSEC_PER_SEC,
		(double)timeline.to_ns / (double)NSEC_PER_SEC, timeline.decisions,
		draw_quoted(arena, what));
	return 0;
}

/* What titles add where a watt or joule comes from numbers without a source. */
static const char *assumed_text(struct cmd_env *env, const struct figures_request *request)
{
	struct error ignored = { .code = ERROR_NONE };

	for (size_t i = 0; i < request->nr; i++) {
		struct csv csv;

		if (csv_read(env->arena, input_path(env, request->dirs[i], BARS), &csv, &ignored) <
			0)
			continue;
		int column = csv_column(&csv, metric_infos[METRIC_power_assumed].name);

		for (size_t row = 0; column >= 0 && row < csv.nr_rows; row++)
			if (strtod(csv_cell(&csv, row, column), NULL) > 0)
				return " (assumed power)";
	}
	return "";
}

static int prepare(struct cmd_env *env, const struct figures_request *request, int kind,
	struct drawing *drawing)
{
	const char *path = input_path(env, request->dirs[0], kind);

	*drawing = (struct drawing){ .kind = figure_kinds[kind], .variables = "" };
	for (size_t i = 0; i < request->nr; i++)
		if (!has_rows(input_path(env, request->dirs[i], kind)))
			return error_set(env->err, ERROR_RUN, "%s: has no %s with results",
				request->dirs[i], inputs[kind]);
	if (kind == BARS || kind == RESIDENCY)
		return prepare_side_by_side(env, request, kind, drawing);
	if (request->nr > 1)
		return error_set(env->err, ERROR_USAGE, "a figure of kind %s shows one directory",
			figure_kinds[kind]);
	if (kind == SWEEP || kind == HEATMAP || kind == PARETO)
		return prepare_sweep(env, path, kind, drawing);
	if (kind == TIMELINE)
		return prepare_timeline(env, request, path, drawing);
	drawing->data = draw_read_text(env, path);
	return drawing->data ? 0 : -1;
}

int figures_prepare(struct cmd_env *env, const struct figures_request *request, int kind,
	struct drawing *drawing)
{
	if (prepare(env, request, kind, drawing) < 0)
		return -1;
	drawing->variables = arena_printf(
		env->arena, "assumed = '%s'\n%s", assumed_text(env, request), drawing->variables);
	return 0;
}
