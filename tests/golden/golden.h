/*
 * golden-check: feeds vectors made by executing real Linux functions to the models of this program
 * and counts the rows that differ. Knows CSV files, folders and rows; knows no model.
 *
 * An area is a folder name. Its module area_NAME.c holds a table of the files it knows: the stem
 * (file name without ".csv" and without a part "_hz250"), the columns, and the function that
 * checks the file. A file without a function is a supporting file (configuration, tables): its rows
 * count as soon as a check has used them. A module calls the shipped models; it holds no formula of
 * its own. Adding an area is one file and one line in areas.def.
 *
 *	#define STEP(X) X(seq) X(step) X(delta_ns) X(o_load)
 *	GOLDEN_ROW(step, STEP);
 *
 *	static void check_steps(struct golden *g)
 *	{
 *		const struct golden_csv *cfgs = golden_open(g, "v61_seq");
 *		const struct step *r;
 *
 *		while ((r = golden_next(g)) != NULL) {
 *			const struct cfg *cfg = golden_find(g, cfgs, r->seq, NULL);
 *
 *			if (cfg == NULL)
 *				return;
 *			GOLDEN_EQ(g, r, o_load, load_step(cfg, r->delta_ns));
 *		}
 *	}
 *
 *	static const struct golden_file files[] = {
 *		{ "v61_steps", step_columns, check_steps, &v61 },
 *		{ "v61_seq", cfg_columns, NULL, NULL },
 *		{ NULL, NULL, NULL, NULL },
 *	};
 *	const struct golden_area golden_area_example = { "example", files };
 *
 * Every cell is a uint64_t; a negative number is stored in two's complement, so cast to int64_t
 * where a column has a sign. A row is a struct of nothing but uint64_t in the order of the module's
 * columns, whatever the order in the file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Declares struct TYPE with one uint64_t for each name of LIST, and TYPE_columns, its header. Where
 * a column's name is no C name, or where columns are numbered, write struct and text by hand:
 * "f0..f23" stands for 24 columns. In file and module alike a remark in parentheses is dropped and
 * '/' reads as '_'.
 */
#define GOLDEN_FIELD(name) uint64_t name;
#define GOLDEN_NAME(name) "," #name
#define GOLDEN_ROW(type, list)     \
	struct type {              \
		list(GOLDEN_FIELD) \
	};                         \
	static const char type##_columns[] = list(GOLDEN_NAME)

struct golden; /* one file being checked */

struct golden_file {
	const char *stem;
	const char *columns; /* a leading comma is allowed */
	void (*check)(struct golden *g);
	const void *arg; /* golden_arg() */
};

struct golden_area {
	const char *folder;
	const struct golden_file *files; /* ends with a NULL stem */
};

struct golden_csv {
	const char *name;
	int hz; /* of "_hz250" in its name, 0 when it has none */
	size_t nr_rows, nr_cols;
	const uint64_t *cells;
};

/* The file's own: arg of its table row, HZ of its name (0: none). */
const void *golden_arg(const struct golden *g);
int golden_hz(const struct golden *g);

/* The next data row, or NULL at the end or after golden_fail(). The check must read all rows. */
const void *golden_next(struct golden *g);
/* The row golden_next() will return, or NULL: to see that a group of rows is complete. */
const void *golden_peek(const struct golden *g);

/* Another file of the folder by its stem, preferring the one with the same HZ in its name. It must
 * be in the module's table. NULL after golden_fail() when it is missing or malformed. */
const struct golden_csv *golden_open(struct golden *g, const char *stem);
const void *golden_row(const struct golden_csv *csv, size_t row);
/* The rows of @csv whose first column is @key; they follow each other and count as used. With @nr
 * NULL exactly one is expected. NULL after golden_fail() when there are none; @csv may be NULL. */
const void *golden_find(struct golden *g, const struct golden_csv *csv, uint64_t key, size_t *nr);

/* Compares one output of the current row. A row counts as one mismatch however many differ. */
bool golden_eq(struct golden *g, const char *column, uint64_t expected, uint64_t got);
#define GOLDEN_EQ(g, row, column, got) golden_eq(g, #column, (row)->column, (uint64_t)(got))
/* As GOLDEN_EQ for a row other than the current one, which a group of rows needs: @back rows
 * before it. */
bool golden_eq_back(
	struct golden *g, size_t back, const char *column, uint64_t expected, uint64_t got);

/* The file cannot be checked: sequence without configuration, value out of the model's domain. */
void golden_fail(struct golden *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define AREA(name) extern const struct golden_area golden_area_##name;
#include "tests/golden/areas.def"
#undef AREA
