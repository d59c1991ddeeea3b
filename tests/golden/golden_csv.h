/*
 * Reads one CSV of golden vectors into numbers. Knows the format (a header after '#', decimal
 * integers between commas), not what a column means.
 */
#pragma once

#include "tests/golden/golden.h"

struct csv {
	struct golden_csv pub; /* first: golden_open() hands it out */
	uint64_t *cells;
	bool *used;      /* per row: a check has used it (supporting files) */
	size_t find_row; /* where the last golden_find() succeeded */
};

/* Reads @path, whose cells come out in the order of @columns. Returns 0, or -1 and the reason. */
int csv_read(struct csv *csv, const char *path, const char *columns, char *why, size_t why_size);
void csv_free(struct csv *csv);
