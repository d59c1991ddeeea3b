/*
 * How a figure comes onto paper: a script of plots/ and its data, handed to gnuplot. Knows files
 * and that program; not what a figure shows.
 */
#pragma once

#include "sim/cmd.h"

/* What a script is given: the data it reads, and the variables that it asks for. */
struct drawing {
	const char *kind; /* the script of that name */
	const char *data, *variables;
};

/* Draws into @out, whose end (.png, .svg, .pdf) says how. Script and data are left beside it and
 * draw it again by themselves. 0 or -1 with env->err; then nothing is left. */
int draw_picture(struct cmd_env *env, const char *out, const struct drawing *drawing);
/* Whether the end of the name is one of those; else env->err says so. */
int draw_check(struct cmd_env *env, const char *out);
/* With letters on standard output. */
int draw_here(struct cmd_env *env, const struct drawing *drawing);
/* The picture's SVG as text, or NULL with env->err. */
const char *draw_svg(struct cmd_env *env, const struct drawing *drawing);
/* Text as a string of gnuplot: in single quotes, a quote doubled. */
const char *draw_quoted(struct arena *arena, const char *text);
/* "two" of "one/two/". */
const char *draw_base_name(struct arena *arena, const char *path);
/* The text of a file, or NULL with env->err. */
const char *draw_read_text(struct cmd_env *env, const char *path);
