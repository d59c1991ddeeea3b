#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cmd.h"

/* POSIX asks programs to declare it themselves. */
extern char **environ;

enum { OPT_OUT, OPT_KIND };

static const struct cmd_option options[] = {
	{ "--output", 'o', "FILE", "picture to write: .png, .svg or .pdf" },
	{ "--kind", 0, "KIND",
		"bars, timeline, residency or lines (default: what the files allow)" },
	{ .name = NULL },
};

/* A kind of figure: the script, and the file of a result directory it reads. */
static const char *const kinds[] = { "lines", "timeline", "residency", "bars", NULL };
static const char *const inputs[] = { "figure.csv", "series-power.csv", "residency.csv",
	"runs.csv" };
enum { LINES, TIMELINE, RESIDENCY, BARS, NR_KINDS };

#define MAX_DIRS 32

struct request {
	const char *dirs[MAX_DIRS];
	size_t nr;
	const char *out, *kind;
};

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_plot, .argc = argc, .argv = argv };
	int opt;

	while ((opt = cmd_next(&args, env->err)) != CMD_END) {
		if (opt == CMD_BAD)
			return -1;
		if (opt == OPT_OUT)
			request->out = args.value;
		else if (opt == OPT_KIND)
			request->kind = args.value;
		else if (request->nr == MAX_DIRS)
			return error_set(
				env->err, ERROR_USAGE, "plot: more than %d directories", MAX_DIRS);
		else
			request->dirs[request->nr++] = args.value;
	}
	if (request->nr == 0)
		return cmd_missing(&cmd_plot, "the directory", env->err);
	return request->out ? 0 : cmd_missing(&cmd_plot, "-o FILE", env->err);
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

/* Several directories are compared; one is shown by the richest file it has. */
static int choose_kind(struct cmd_env *env, const struct request *request, int *kind)
{
	if (request->kind)
		return cmd_choice("kind", request->kind, kinds, kind, env->err);
	*kind = BARS;
	if (request->nr > 1)
		return 0;
	for (*kind = 0; *kind < NR_KINDS; ++*kind)
		if (has_rows(input_path(env, request->dirs[0], *kind)))
			return 0;
	return error_set(env->err, ERROR_RUN,
		"%s: no results to draw; expected a directory written by run -o or reproduce -o",
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

/* input: the file, or with several directories all of them separated by line feeds. */
static const char *join_inputs(struct cmd_env *env, const struct request *request, int kind)
{
	const char *all = input_path(env, request->dirs[0], kind);

	for (size_t i = 1; i < request->nr; i++)
		all = arena_printf(
			env->arena, "%s\n%s", all, input_path(env, request->dirs[i], kind));
	return all;
}

static int run_gnuplot(struct cmd_env *env, const char *variables, const char *script)
{
	const char *const argv[] = { "gnuplot", "--default-settings", "-e", variables, script,
		NULL };
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

static int draw(struct cmd_env *env, const struct request *request, int kind, const char *format)
{
	struct arena *arena = env->arena;
	const char *script = cmd_data_path(arena, arena_printf(arena, "plots/%s.gp", kinds[kind]));
	const char *style = cmd_data_path(arena, "plots/style.gp");
	const char *temporary = arena_printf(arena, "%s.tmp", request->out);

	if (!script || !style)
		return error_set(env->err, ERROR_RUN,
			"plots/%s.gp is neither in the source tree nor installed", kinds[kind]);
	const char *variables = arena_printf(arena, "style=%s; format='%s'; output=%s; input=%s",
		quoted(arena, style), format, quoted(arena, temporary),
		quoted(arena, join_inputs(env, request, kind)));
	if (run_gnuplot(env, variables, script) < 0) {
		unlink(temporary);
		return -1;
	}
	if (rename(temporary, request->out) < 0) {
		unlink(temporary);
		return error_at(env->err, ERROR_RUN, (struct where){ .file = request->out }, "%s",
			strerror(errno));
	}
	return 0;
}

static int plot(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { .nr = 0 };
	int kind;

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	const char *format = format_of(request.out);
	if (!format)
		return error_set(env->err, ERROR_USAGE,
			"%.200s: unknown kind of picture; expected .png, .svg or .pdf",
			request.out);
	if (choose_kind(env, &request, &kind) < 0)
		return -1;
	for (size_t i = 0; i < request.nr; i++)
		if (!has_rows(input_path(env, request.dirs[i], kind)))
			return error_set(env->err, ERROR_RUN, "%s: has no %s with results",
				request.dirs[i], inputs[kind]);
	return draw(env, &request, kind, format);
}

const struct command cmd_plot = {
	.name = "plot",
	.operands = "DIR... -o FILE",
	.summary = "draw the results of run -o or reproduce -o",
	.notes = "One directory: its timeline of power, or its residency, or published against\n"
		 "simulated. Several: bars that compare their runs.\n",
	.options = options,
	.run = plot,
};
