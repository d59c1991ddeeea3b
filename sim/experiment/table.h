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

/* The rows that meet every condition, at most @max, in order; exactly one where @one, else at least
 * one. 0 with *nr, or -1 with @err at @at. */
struct table_query {
	const struct condition *conditions;
	size_t nr_conditions;
	bool one;
	struct where at;
};

int table_rows(const struct csv *csv, const struct table_query *query, size_t *rows, size_t max,
	size_t *nr, struct error *err);
/* The mean over the rows of the expression over their columns. */
int table_value(const struct csv *csv, const size_t *rows, size_t nr, const struct expr *expr,
	struct where at, double *value, struct error *err);
