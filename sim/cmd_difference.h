/*
 * `compare --first-difference`: where the decisions of two runs part. Knows records of decisions,
 * not governors.
 *
 * A decision is when it was made, for which CPU, by which rule, what the request came to and
 * what became of it. What went in is no part of it: it is what explains the difference.
 */
#pragma once

#include "sim/cmd.h"

/* Runs the first repeat of both, a scenario or a directory of run -o each, and prints the first
 * decision that differs, as each has it. 0 or -1 with env->err. */
int difference_print(struct cmd_env *env, const char *const *names);
