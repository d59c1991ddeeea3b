#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cmd.h"
#include "sim/report/figure.h"

/* POSIX asks programs to declare it themselves. */
extern char **environ;

enum { OPT_OUT, OPT_KIND, OPT_TERMINAL };

static const struct cmd_option options[] = {
	{ "--output", 'o', "FILE", "picture to write: .png, .svg or .pdf" },
	{ "--kind", 0, "KIND",
		"bars, timeline, residency, histogram, lines, sweep, heatmap or pareto (default: "
		"what the files allow)" },
	{ "--terminal", 0, "dumb", "draw with letters here instead of a picture" },
	{ .name = NULL },
};

/* A kind of figure: the script of that name, and the file of a result directory it reads. */
static const char *const kinds[] = { "lines", "timeline", "residency", "bars", "sweep", "heatmap",
	"pareto", "histogram", NULL };
static const char *const inputs[] = { "figure.csv", "series-power.csv", "residency.csv", "runs.csv",
	"runs.csv", "runs.csv", "runs.csv", "series-power.csv" };
enum { LINES, TIMELINE, RESIDENCY, BARS, SWEEP, HEATMAP, PARETO, HISTOGRAM };

static const char *const terminals[] = { "dumb", NULL };

#define MAX_DIRS 32

struct request {
	const char *dirs[MAX_DIRS];
	size_t nr;
	const char *out, *kind;
	bool dumb;
};

static int take_option(struct cmd_env *env, struct request *request, struct cmd_args *args, int opt)
{
	int terminal;

	switch (opt) {
	case CMD_BAD:
		return -1;
	case OPT_OUT:
		request->out = args->value;
		return 0;
	case OPT_KIND:
		request->kind = args->value;
		return 0;
	case OPT_TERMINAL:
		request->dumb = true;
		return cmd_choice("terminal", args->value, terminals, &terminal, env->err);
	}
	if (request->nr == MAX_DIRS)
		return error_set(env->err, ERROR_USAGE, "plot: more than %d directories", MAX_DIRS);
	request->dirs[request->nr++] = args->value;
	return 0;
}

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_plot, .argc = argc, .argv = argv };
	int opt;

	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (take_option(env, request, &args, opt) < 0)
			return -1;
	if (request->nr == 0)
		return cmd_missing(&cmd_plot, "the directory", env->err);
	if (request->dumb && request->out)
		return error_set(env->err, ERROR_USAGE,
			"--terminal draws here, -o into a file: use one of them");
	return request->out || request->dumb ? 0 : cmd_missing(&cmd_plot, "-o FILE", env->err);
}

/* The end of the file's name says the format. */
static const char *format_of(const char *path)
{
	static const char *const formats[] = { "png", "svg", "pdf" };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(dot + 1, formats[i]) == 0)
			return formats[i];
	return NULL;
}

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

/* A sweep over two numeric axes with some values each is a map, any other a set of curves. */
static int choose_sweep_kind(struct cmd_env *env, const char *path, int *kind)
{
	struct figure figure;

	if (figure_of_sweep(&figure, env->arena, path, env->err) < 0)
		return -1;
	*kind = figure.nr_axes == 2 && figure.nr_x >= 3 && figure.nr_y >= 3 ? HEATMAP : SWEEP;
	return 0;
}

/* Several directories are compared; one is shown by the richest file it has. */
static int choose_kind(struct cmd_env *env, const struct request *request, int *kind)
{
	const char *runs = input_path(env, request->dirs[0], BARS);

	if (request->kind)
		return cmd_choice("kind", request->kind, kinds, kind, env->err);
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

/* Text as a string of gnuplot: in single quotes, a quote doubled. */
static const char *quoted(struct arena *arena, const char *text)
{
	char *quote = arena_alloc(arena, 2 * strlen(text) + 3), *to = quote;

	*to++ = '\'';
	for (const char *p = text; *p; p++) {
		if (*p == '\'')
			*to++ = '\'';
		*to++ = *p;
	}
	*to++ = '\'';
	*to = '\0';
	return quote;
}

static const char *quoted_list(struct arena *arena, const char *const *texts, size_t nr)
{
	const char *list = "";

	for (size_t i = 0; i < nr; i++)
		list = arena_printf(arena, "%s%s%s", list, i ? ", " : "", quoted(arena, texts[i]));
	return list;
}

/* The text of a file, or NULL with @err. */
static const char *read_text(struct cmd_env *env, const char *path)
{
	FILE *file = fopen(path, "rb");
	long size = -1;

	if (file && fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
		error_at(
			env->err, ERROR_RUN, (struct where){ .file = path }, "%s", strerror(errno));
		if (file)
			fclose(file);
		return NULL;
	}
	char *text = arena_alloc(env->arena, (size_t)size + 1);
	text[fread(text, 1, (size_t)size, file)] = '\0';
	fclose(file);
	return text;
}

static int write_text(struct cmd_env *env, const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	bool bad = !file || fputs(text, file) < 0;

	if ((file && fclose(file) != 0) || bad)
		return error_at(
			env->err, ERROR_RUN, (struct where){ .file = path }, "%s", strerror(errno));
	return 0;
}

/* What a script is given: the data it reads, and variables that it asks for. */
struct drawing {
	const char *data, *variables;
};

static int prepare_sweep(struct cmd_env *env, const char *path, int kind, struct drawing *drawing)
{
	struct arena *arena = env->arena;
	struct figure f;

	if (figure_of_sweep(&f, arena, path, env->err) < 0)
		return -1;
	if (kind == HEATMAP && (f.nr_axes != 2 || !f.y || f.nr_x < 2 || f.nr_y < 2))
		return error_set(env->err, ERROR_RUN,
			"%s: a heat map needs exactly two axes of numbers", path);
	drawing->data = f.data;
	drawing->variables = arena_printf(arena,
		"x_name = %s\ny_name = %s\nnumeric = %d\nx_step = %.9g\ny_step = %.9g\n"
		"fields = %zu\nseries_count = %zu\narray series_name[%zu] = [%s]\n",
		quoted(arena, f.x), quoted(arena, f.y ? f.y : ""), f.numeric, f.x_step, f.y_step,
		f.nr_x * f.nr_y, f.nr_series, f.nr_series,
		quoted_list(arena, f.series, f.nr_series));
	return 0;
}

static const char *base_name(struct arena *arena, const char *path)
{
	const char *slash;
	char *name = arena_strdup(arena, path);

	while ((slash = strrchr(name, '/')) && !slash[1] && slash != name)
		name[strlen(name) - 1] = '\0';
	return slash && slash[1] ? slash + 1 : name;
}

static int prepare_bars(struct cmd_env *env, const struct request *request, struct drawing *drawing)
{
	const char *paths[MAX_DIRS], *names[MAX_DIRS];

	for (size_t i = 0; i < request->nr; i++) {
		paths[i] = input_path(env, request->dirs[i], BARS);
		names[i] = base_name(env->arena, request->dirs[i]);
	}
	drawing->data = figure_bars(env->arena, paths, names, request->nr, env->err);
	return drawing->data ? 0 : -1;
}

static int prepare(
	struct cmd_env *env, const struct request *request, int kind, struct drawing *drawing)
{
	const char *path = input_path(env, request->dirs[0], kind);

	*drawing = (struct drawing){ .variables = "" };
	if (kind == BARS)
		return prepare_bars(env, request, drawing);
	if (request->nr > 1)
		return error_set(env->err, ERROR_USAGE, "a figure of kind %s shows one directory",
			kinds[kind]);
	if (kind == SWEEP || kind == HEATMAP || kind == PARETO)
		return prepare_sweep(env, path, kind, drawing);
	drawing->data = read_text(env, path);
	return drawing->data ? 0 : -1;
}

/* Style, settings and script in one text that needs nothing but the data beside it. */
static const char *whole_script(struct cmd_env *env, int kind, const char *format,
	const char *picture, const char *data, const char *variables)
{
	static const char load[] = "load style\n";
	struct arena *arena = env->arena;
	const char *path = cmd_data_path(arena, arena_printf(arena, "plots/%s.gp", kinds[kind]));
	const char *style_path = cmd_data_path(arena, "plots/style.gp");

	if (!path || !style_path) {
		error_set(env->err, ERROR_RUN,
			"plots/%s.gp is neither in the source tree nor installed", kinds[kind]);
		return NULL;
	}
	const char *script = read_text(env, path), *style = read_text(env, style_path);
	const char *at = script && style ? strstr(script, load) : NULL;
	if (!at) {
		error_set(env->err, ERROR_RUN, "%s does not load the style", path);
		return NULL;
	}
	return arena_printf(arena,
		"# Draws %s again: gnuplot --default-settings %s\n"
		"format = '%s'\nif (!exists(\"output\")) output = %s\ninput = %s\n%s\n%.*s%s%s",
		picture, base_name(arena, data), format, quoted(arena, picture),
		quoted(arena, data), variables, (int)(at - script), script, style,
		at + strlen(load));
}

static int run_gnuplot(struct cmd_env *env, const char *before, const char *script)
{
	const char *const argv[] = { "gnuplot", "--default-settings", "-e", before, script, NULL };
	int status;
	pid_t pid;

	/* posix_spawn takes strings that are not const, and does not change them. */
	int failed = posix_spawnp(
		&pid, "gnuplot", NULL, NULL, (char *const *)(const void *)argv, environ);
	if (failed == ENOENT)
		return error_set(
			env->err, ERROR_RUN, "gnuplot was not found; install it to draw pictures");
	if (failed)
		return error_set(env->err, ERROR_RUN, "gnuplot: %s", strerror(failed));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(env->err, ERROR_RUN, "gnuplot: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return error_set(env->err, ERROR_RUN, "gnuplot failed; its own message stands above");
}

/* Where a figure's files go: all in one folder. */
struct place {
	const char *dir, *picture; /* the picture's name in it */
	const char *script, *data; /* paths */
	const char *format;
};

static struct place place_at(struct arena *arena, const char *dir, const char *picture)
{
	const char *dot = strrchr(picture, '.');
	int stem = dot ? (int)(dot - picture) : (int)strlen(picture);

	return (struct place){ .dir = dir,
		.picture = picture,
		.script = arena_printf(arena, "%s/%.*s.gp", dir, stem, picture),
		.data = arena_printf(arena, "%s/%.*s.data.csv", dir, stem, picture),
		.format = dot ? format_of(picture) : terminals[0] };
}

/* Writes script and data, draws under a temporary name, and names the picture when it is whole. */
static int draw(
	struct cmd_env *env, const struct place *place, int kind, const struct drawing *drawing)
{
	struct arena *arena = env->arena;
	const char *temporary = arena_printf(arena, "%s.tmp", place->picture);
	const char *script = whole_script(env, kind, place->format, place->picture,
		base_name(arena, place->data), drawing->variables);
	const char *before = arena_printf(
		arena, "cd %s; output = %s", quoted(arena, place->dir), quoted(arena, temporary));
	const char *made = arena_printf(arena, "%s/%s", place->dir, temporary);
	const char *final = arena_printf(arena, "%s/%s", place->dir, place->picture);

	int result = script ? write_text(env, place->data, drawing->data) : -1;
	if (result == 0)
		result = write_text(env, place->script, script);
	if (result == 0)
		result = run_gnuplot(env, before, base_name(arena, place->script));
	if (result == 0 && strcmp(place->format, terminals[0]) != 0 && rename(made, final) < 0)
		result = error_at(env->err, ERROR_RUN, (struct where){ .file = final }, "%s",
			strerror(errno));
	if (result < 0) {
		unlink(made);
		unlink(place->data);
		unlink(place->script);
	}
	return result;
}

/* On the terminal nothing is left behind. */
static int draw_here(struct cmd_env *env, int kind, const struct drawing *drawing)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = arena_printf(env->arena, "%s/cpufreq-sim-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (!mkdtemp(dir))
		return error_at(
			env->err, ERROR_RUN, (struct where){ .file = dir }, "%s", strerror(errno));
	struct place place = place_at(env->arena, dir, "figure");
	fflush(stdout);
	int result = draw(env, &place, kind, drawing);
	unlink(place.script);
	unlink(place.data);
	rmdir(dir);
	return result;
}

static int draw_picture(
	struct cmd_env *env, const char *out, int kind, const struct drawing *drawing)
{
	const char *slash = strrchr(out, '/');
	const char *dir = slash ? arena_printf(env->arena, "%.*s", (int)(slash - out + 1), out)
				: ".";
	struct place place = place_at(env->arena, dir, slash ? slash + 1 : out);

	return draw(env, &place, kind, drawing);
}

static int plot(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { .nr = 0 };
	struct drawing drawing;
	int kind;

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	if (request.out && !format_of(request.out))
		return error_set(env->err, ERROR_USAGE,
			"%.200s: unknown kind of picture; expected .png, .svg or .pdf",
			request.out);
	if (choose_kind(env, &request, &kind) < 0)
		return -1;
	for (size_t i = 0; i < request.nr; i++)
		if (!has_rows(input_path(env, request.dirs[i], kind)))
			return error_set(env->err, ERROR_RUN, "%s: has no %s with results",
				request.dirs[i], inputs[kind]);
	if (prepare(env, &request, kind, &drawing) < 0)
		return -1;
	return request.dumb ? draw_here(env, kind, &drawing)
			    : draw_picture(env, request.out, kind, &drawing);
}

const struct command cmd_plot = {
	.name = "plot",
	.operands = "DIR... -o FILE",
	.summary = "draw the results of run -o, sweep -o or reproduce -o",
	.notes = "One directory: its timeline of power, or its residency, or published against\n"
		 "simulated, or a sweep as curves or as a map. Several: bars that compare their\n"
		 "runs. FILE's script and data are left beside it: gnuplot draws it again.\n",
	.options = options,
	.run = plot,
};
