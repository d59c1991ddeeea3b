/*
 * How commands find experiments: by file, by the name of a file that comes along, or all of them.
 * Knows folders, not what an experiment says.
 */
#pragma once

#include "sim/cmd.h"

#define MAX_EXPERIMENTS 64

/* The file of the experiment called @name: a path, or a name among those that come along. */
const char *cmd_experiment_path(struct arena *arena, const char *name);
/* The paths of all that come along, in order of name. How many. */
size_t cmd_experiment_all(struct arena *arena, const char **paths);
