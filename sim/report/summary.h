/*
 * The results of a scenario as a table for a person: the columns the time command prints, then
 * energy, clock and transitions; with several repeats their mean and its 95 % interval.
 */
#pragma once

#include <stdio.h>

#include "sim/report/result.h"

/* @values: room for one number per run. */
void summary_write(FILE *out, const struct report *report, double *values);
/* The scheduler's calls of the governor by the place they came from, means over the runs. */
void summary_write_hooks(FILE *out, const struct report *report);
