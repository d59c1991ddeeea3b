/*
 * An experiment's outcomes as tables: for a person, as CSV, and what a figure needs. Knows the
 * columns, computes nothing.
 */
#pragma once

#include <stdio.h>

#include "sim/experiment/score.h"

/* experiment, target_id, unit, published, simulated, ci95_lo, ci95_hi, error_pct, tolerance,
 * verdict, role. The header stands apart: several experiments make one table. */
void show_csv_header(FILE *out);
void show_csv(FILE *out, const struct experiment *experiment, const struct outcome *outcomes);
/* experiment, quantity, role, value: what the summary of the table says. */
void show_summary_header(FILE *out);
void show_summary_csv(
	FILE *out, const struct experiment *experiment, const struct summary *summary);

void show_table(FILE *out, const struct experiment *experiment, const struct outcome *outcomes);
void show_summary(FILE *out, const struct experiment *experiment, const struct summary *summary);
