/*
 * A store as a tidy table: a row per run, columns for the axes, then what was measured, in order of
 * points and repeats. Knows rows, not how they came about; says nothing of host, date or duration.
 */
#pragma once

#include <stdio.h>

#include "sim/sweep/store.h"

int export_csv(FILE *out, struct store *store, const struct store_info *info, struct error *err);
int export_json(FILE *out, struct store *store, const struct store_info *info, struct error *err);

/* runs.csv in the store's own directory: it appears complete or not at all. */
int export_runs(struct store *store, struct arena *arena, struct error *err);
