/*
 * A published table as an experiment reads it: which row, and what is computed from its columns.
 * Knows rows and columns, not what they mean.
 */
#pragma once

#include "sim/experiment/expr.h"
#include "sim/report/csv.h"

/* Column @column has the text @text. */
struct condition {
	const char *column, *text;
	struct where at;
	bool optional; /* a table without that column does not ask it */
};

/* The one row that meets every condition. 0 with *row, or -1 with @err at @at. */
int table_row(const struct csv *csv, const struct condition *conditions, size_t nr, struct where at,
	size_t *row, struct error *err);
/* The expression over the columns of a row. */
int table_value(const struct csv *csv, size_t row, const struct expr *expr, struct where at,
	double *value, struct error *err);
