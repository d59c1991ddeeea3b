#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/golden/golden_csv.h"

#define COLUMNS_MAX 128
#define NAME_MAX_CHARS 64

struct columns {
	size_t nr;
	char name[COLUMNS_MAX][NAME_MAX_CHARS];
};

static int add_column(struct columns *cols, const char *stem, int number)
{
	char *name = cols->name[cols->nr];
	int len;

	if (cols->nr == COLUMNS_MAX)
		return -1;
	if (number >= 0)
		len = snprintf(name, NAME_MAX_CHARS, "%s%d", stem, number);
	else
		len = snprintf(name, NAME_MAX_CHARS, "%s", stem);
	if (len <= 0 || len >= NAME_MAX_CHARS)
		return -1;
	cols->nr++;
	return 0;
}

/* Adds one header word, which "f0..f23" makes 24 columns. */
static int add_word(struct columns *cols, const char *word)
{
	const char *dots = strstr(word, "..");
	char stem[NAME_MAX_CHARS];
	size_t stem_len = strcspn(word, "0123456789");
	long first, last;

	if (dots == NULL)
		return add_column(cols, word, -1);
	if (stem_len == 0 || strncmp(dots + 2, word, stem_len) != 0)
		return -1;
	memcpy(stem, word, stem_len);
	stem[stem_len] = '\0';
	first = strtol(word + stem_len, NULL, 10);
	last = strtol(dots + 2 + stem_len, NULL, 10);
	for (long i = first; i <= last; i++)
		if (add_column(cols, stem, (int)i) < 0)
			return -1;
	return first <= last ? 0 : -1;
}

/* Splits a header up to the end of its line. Remarks in parentheses may hold commas. */
static int split_columns(struct columns *cols, const char *text)
{
	char word[NAME_MAX_CHARS];
	size_t len = 0;
	int depth = 0;

	cols->nr = 0;
	for (;; text++) {
		bool end = *text == '\0' || *text == '\n';

		if (*text == '(')
			depth++;
		if (end || (*text == ',' && depth == 0)) {
			word[len] = '\0';
			len = 0;
			if (add_word(cols, word) < 0)
				return -1;
			if (end)
				return depth == 0 ? 0 : -1;
		} else if (depth == 0) {
			if (len == NAME_MAX_CHARS - 1)
				return -1;
			word[len++] = *text == '/' ? '_' : *text;
		}
		if (*text == ')')
			depth--;
	}
}

/* For each column of the file its place in the module's row. */
static int map_columns(size_t *place, const char *header, const char *columns, size_t *nr,
	char *why, size_t why_size)
{
	static const char advice[] = "the header is not one this program knows";
	struct columns *have = calloc(2, sizeof(*have));
	struct columns *want = have + 1;
	int result = -1;

	if (have == NULL) {
		snprintf(why, why_size, "out of memory");
		return -1;
	}
	if (split_columns(have, header) < 0 || split_columns(want, columns) < 0) {
		snprintf(why, why_size, "%s", advice);
		goto out;
	}
	for (size_t i = 0; i < have->nr; i++) {
		size_t j = 0;

		while (j < want->nr && strcmp(have->name[i], want->name[j]) != 0)
			j++;
		if (j == want->nr) {
			snprintf(why, why_size, "%s: unknown column %s", advice, have->name[i]);
			goto out;
		}
		want->name[j][0] = '\0';
		place[i] = j;
	}
	for (size_t j = 0; j < want->nr; j++) {
		if (want->name[j][0] != '\0') {
			snprintf(why, why_size, "%s: column %s is missing", advice, want->name[j]);
			goto out;
		}
	}
	*nr = want->nr;
	result = 0;
out:
	free(have);
	return result;
}

/* Reads one cell at @text; returns what follows it, or NULL when it is no 64-bit integer. */
static const char *parse_cell(const char *text, uint64_t *cell)
{
	bool negative = *text == '-';
	uint64_t value = 0;
	const char *p = text + negative;
	const char *start = p;

	for (; *p >= '0' && *p <= '9'; p++) {
		uint64_t digit = (uint64_t)(*p - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return NULL;
		value = value * 10 + digit;
	}
	if (p == start || (negative && value > (uint64_t)INT64_MAX + 1))
		return NULL;
	*cell = negative ? -value : value;
	return p;
}

static int parse_rows(struct csv *csv, const char *text, const size_t *place, size_t nr_lines,
	char *why, size_t why_size)
{
	size_t nr_cols = csv->pub.nr_cols;
	size_t row = 0;

	csv->cells = calloc(nr_lines * nr_cols + 1, sizeof(*csv->cells));
	csv->used = calloc(nr_lines + 1, sizeof(*csv->used));
	if (csv->cells == NULL || csv->used == NULL) {
		snprintf(why, why_size, "out of memory");
		return -1;
	}
	for (; *text != '\0'; row++) {
		uint64_t *cells = csv->cells + row * nr_cols;

		for (size_t i = 0; i < nr_cols; i++) {
			char follows = i + 1 < nr_cols ? ',' : '\n';

			text = parse_cell(text, &cells[place[i]]);
			if (text == NULL ||
				(*text != follows && !(*text == '\0' && follows == '\n'))) {
				snprintf(why, why_size,
					"line %zu, column %zu: a row is %zu decimal 64-bit "
					"integers",
					row + 2, i + 1, nr_cols);
				return -1;
			}
			text += *text != '\0';
		}
	}
	csv->pub.nr_rows = row;
	csv->pub.cells = csv->cells;
	return 0;
}

static char *read_text(const char *path, size_t *nr_lines, char *why, size_t why_size)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	long size = -1;

	if (file != NULL && fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
		snprintf(why, why_size, "%s", strerror(errno));
		goto out;
	}
	text = malloc((size_t)size + 1);
	if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) {
		snprintf(why, why_size, "cannot read all of it");
		free(text);
		text = NULL;
		goto out;
	}
	text[size] = '\0';
	*nr_lines = 1;
	for (const char *p = text; (p = strchr(p, '\n')) != NULL; p++)
		++*nr_lines;
out:
	if (file != NULL)
		fclose(file);
	return text;
}

int csv_read(struct csv *csv, const char *path, const char *columns, char *why, size_t why_size)
{
	size_t place[COLUMNS_MAX];
	size_t nr_lines = 0;
	char *text = read_text(path, &nr_lines, why, why_size);
	const char *rows;
	int result = -1;

	if (text == NULL)
		return -1;
	rows = strchr(text, '\n');
	if (text[0] == '\0') {
		snprintf(why, why_size, "the file is empty");
	} else if (text[0] != '#') {
		snprintf(why, why_size, "the first line is no header starting with '#'");
	} else if (rows == NULL || rows[1] == '\0') {
		snprintf(why, why_size, "the file has no data row");
	} else {
		columns += columns[0] == ',';
		result = map_columns(place, text + 1, columns, &csv->pub.nr_cols, why, why_size);
		if (result == 0)
			result = parse_rows(csv, rows + 1, place, nr_lines, why, why_size);
	}
	free(text);
	return result;
}

void csv_free(struct csv *csv)
{
	free(csv->cells);
	free(csv->used);
	csv->cells = NULL;
	csv->used = NULL;
}
