#include "sim/cmd_draw.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* POSIX asks programs to declare it themselves. */
extern char **environ;

/* Letters instead of a picture. */
static const char dumb[] = "dumb";

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

const char *draw_quoted(struct arena *arena, const char *text)
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

const char *draw_read_text(struct cmd_env *env, const char *path)
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

const char *draw_base_name(struct arena *arena, const char *path)
{
	const char *slash;
	char *name = arena_strdup(arena, path);

	while ((slash = strrchr(name, '/')) && !slash[1] && slash != name)
		name[strlen(name) - 1] = '\0';
	return slash && slash[1] ? slash + 1 : name;
}

/* Style, settings and script in one text that needs nothing but the data beside it. */
static const char *whole_script(struct cmd_env *env, const struct drawing *drawing,
	const char *format, const char *picture, const char *data)
{
	static const char load[] = "load style\n";
	struct arena *arena = env->arena;
	const char *path = cmd_data_path(arena, arena_printf(arena, "plots/%s.gp", drawing->kind));
	const char *style_path = cmd_data_path(arena, "plots/style.gp");

	if (!path || !style_path) {
		error_set(env->err, ERROR_RUN,
			"plots/%s.gp is neither in the source tree nor installed", drawing->kind);
		return NULL;
	}
	const char *script = draw_read_text(env, path), *style = draw_read_text(env, style_path);
	const char *at = script && style ? strstr(script, load) : NULL;
	if (!at) {
		error_set(env->err, ERROR_RUN, "%s does not load the style", path);
		return NULL;
	}
	return arena_printf(arena,
		"# Draws %s again: gnuplot --default-settings %s\n"
		"format = '%s'\nif (!exists(\"output\")) output = %s\ninput = %s\n%s\n%.*s%s%s",
		picture, draw_base_name(arena, data), format, draw_quoted(arena, picture),
		draw_quoted(arena, data), drawing->variables, (int)(at - script), script, style,
		at + strlen(load));
}

static int run_gnuplot(struct cmd_env *env, const char *before, const char *script)
{
	const char *const argv[] = { "gnuplot", "--default-settings", "-e", before, script, NULL };
	int status;
	pid_t pid;

	/* The scripts are in UTF-8, of which gnuplot complains in a locale of another encoding. */
	if (setenv("LC_ALL", "C.UTF-8", 1) != 0)
		return error_set(env->err, ERROR_RUN, "gnuplot: %s", strerror(errno));
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
		.format = dot ? format_of(picture) : dumb };
}

/* Writes script and data, draws under a temporary name, and names the picture when it is whole. */
static int draw(struct cmd_env *env, const struct place *place, const struct drawing *drawing)
{
	struct arena *arena = env->arena;
	const char *temporary = arena_printf(arena, "%s.tmp", place->picture);
	const char *script = whole_script(
		env, drawing, place->format, place->picture, draw_base_name(arena, place->data));
	const char *before = arena_printf(arena, "cd %s; output = %s",
		draw_quoted(arena, place->dir), draw_quoted(arena, temporary));
	const char *made = arena_printf(arena, "%s/%s", place->dir, temporary);
	const char *final = arena_printf(arena, "%s/%s", place->dir, place->picture);

	int result = script ? write_text(env, place->data, drawing->data) : -1;
	if (result == 0)
		result = write_text(env, place->script, script);
	if (result == 0)
		result = run_gnuplot(env, before, draw_base_name(arena, place->script));
	if (result == 0 && strcmp(place->format, dumb) != 0 && rename(made, final) < 0)
		result = error_at(env->err, ERROR_RUN, (struct where){ .file = final }, "%s",
			strerror(errno));
	if (result < 0) {
		unlink(made);
		unlink(place->data);
		unlink(place->script);
	}
	return result;
}

/* A folder of one's own for what nobody is to keep; NULL with env->err. */
static char *make_folder(struct cmd_env *env)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = arena_printf(env->arena, "%s/cpufreq-sim-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (mkdtemp(dir))
		return dir;
	error_at(env->err, ERROR_RUN, (struct where){ .file = dir }, "%s", strerror(errno));
	return NULL;
}

static void remove_folder(const struct place *place)
{
	unlink(place->script);
	unlink(place->data);
	rmdir(place->dir);
}

int draw_here(struct cmd_env *env, const struct drawing *drawing)
{
	const char *dir = make_folder(env);

	if (!dir)
		return -1;
	struct place place = place_at(env->arena, dir, "figure");
	fflush(stdout);
	int result = draw(env, &place, drawing);
	remove_folder(&place);
	return result;
}

const char *draw_svg(struct cmd_env *env, const struct drawing *drawing)
{
	const char *dir = make_folder(env), *text = NULL;

	if (!dir)
		return NULL;
	struct place place = place_at(env->arena, dir, "figure.svg");
	const char *picture = arena_printf(env->arena, "%s/%s", dir, place.picture);
	if (draw(env, &place, drawing) == 0)
		text = draw_read_text(env, picture);
	unlink(picture);
	remove_folder(&place);
	return text;
}

int draw_picture(struct cmd_env *env, const char *out, const struct drawing *drawing)
{
	const char *slash = strrchr(out, '/');
	const char *dir = slash ? arena_printf(env->arena, "%.*s", (int)(slash - out + 1), out)
				: ".";
	struct place place = place_at(env->arena, dir, slash ? slash + 1 : out);

	return draw(env, &place, drawing);
}

int draw_check(struct cmd_env *env, const char *out)
{
	if (format_of(out))
		return 0;
	return error_set(env->err, ERROR_USAGE,
		"%.200s: unknown kind of picture; expected .png, .svg or .pdf", out);
}
