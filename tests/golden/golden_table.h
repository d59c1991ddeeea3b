/*
 * Frequency tables of vectors: rows of table_id, sorted, idx, frequency, flags made one table.
 * Knows the columns, not how a table is searched.
 */
#pragma once

#include "sim/kernel/freq_table.h"
#include "tests/golden/golden.h"

#define GOLDEN_TABLE_ROW(X) \
	X(table_id)         \
	X(sorted)           \
	X(idx)              \
	X(frequency)        \
	X(flags)
#define GOLDEN_TABLE_MAX 256

struct golden_table {
	struct freq_table table;
	struct freq_entry entries[GOLDEN_TABLE_MAX];
	int sorted; /* as the kernel finds it, -1: refused */
};

extern const char golden_table_columns[];

/* Table @id of @csv in @buf. NULL for id 0, no table, and after golden_fail(): *ok tells. */
const struct freq_table *golden_table(struct golden *g, const struct golden_csv *csv, uint64_t id,
	struct golden_table *buf, bool *ok);

/* Checks a file of tables, whose stem is golden_arg(): the order is what the kernel finds. */
void golden_check_tables(struct golden *g);
