/*
 * What the figure of an experiment reads: published and simulated numbers with their intervals, by
 * panel and variant. Knows columns, not how they are drawn.
 */
#pragma once

#include "sim/experiment/score.h"

/* panel_nr, panel, series_nr, variant, numeric (1: x is the axis, 0: a place), x, axis, unit,
 * published, simulated, ci95_lo, ci95_hi. Panels are numbered from *@panels + 1, series from 1;
 * *@panels becomes the last. A missing number is NaN. */
void figure_header(FILE *out);
void figure_rows(FILE *out, const struct experiment *experiment, const struct outcome *outcomes,
	size_t *panels);
