/*
 * Which figures a directory of results has. Knows the files that run -o, sweep -o and reproduce -o
 * write, not how a figure is drawn.
 */
#pragma once

#include "sim/cmd_draw.h"
#include "sim/timeline.h"

#define FIGURES_MAX_DIRS 32

struct figures_request {
	const char *dirs[FIGURES_MAX_DIRS];
	size_t nr;
	const char *kind;               /* NULL: the richest that the directories allow */
	struct timeline_request window; /* of a timeline */
};

/* The names of all kinds, NULL at the end. */
extern const char *const figure_kinds[];
/* What each shows, in the same order. */
extern const char *const figure_captions[];

/* The number of the kind that was asked for, or that suits. 0 or -1 with env->err. */
int figures_choose(struct cmd_env *env, const struct figures_request *request, int *kind);
/* Whether one directory alone has a figure of this kind. */
bool figures_has(struct cmd_env *env, const char *dir, int kind);
/* 0 or -1 with env->err. */
int figures_prepare(struct cmd_env *env, const struct figures_request *request, int kind,
	struct drawing *drawing);
