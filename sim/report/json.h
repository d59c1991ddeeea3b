/*
 * The results of a scenario as one JSON object. Knows plain results, not how they came about.
 */
#pragma once

#include <stdio.h>

#include "sim/report/result.h"

/* A string with quotes and escapes. */
void json_string(FILE *out, const char *text);
void json_write_runs(FILE *out, const struct report *report);
