/*
 * The program: walks folders, gives each CSV to the check that its area registered, reports.
 * Usage: golden-check DIR... [--verbose]. Exit status 0 all rows agree, 1 some differ, 2 a file
 * could not be checked.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/golden/golden_csv.h"

#define TEXT_MAX 1024

#define AREA(name) &golden_area_##name,
static const struct golden_area *const areas[] = {
#include "tests/golden/areas.def"
	NULL,
};
#undef AREA

/* A CSV found in a folder of an area. */
struct entry {
	struct csv csv;
	char path[PATH_MAX];
	char label[TEXT_MAX]; /* AREA/FILE */
	char stem[NAME_MAX + 1];
	const struct golden_file *file; /* NULL: unknown */
	bool read, failed;
};

struct folder {
	struct entry *entries;
	size_t nr;
};

struct totals {
	uint64_t rows, mismatches;
	bool failed;
	bool verbose;
};

struct golden {
	struct folder *folder;
	struct entry *entry;
	size_t next; /* row that golden_next() will return */
	bool *bad;   /* per row */
	bool failed;
	bool verbose;
};

static void entry_fail(struct entry *entry, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void entry_fail(struct entry *entry, const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "golden-check: %s: ", entry->label);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	entry->failed = true;
}

static int entry_read(struct entry *entry)
{
	char why[TEXT_MAX];

	if (entry->read)
		return entry->failed ? -1 : 0;
	entry->read = true;
	if (csv_read(&entry->csv, entry->path, entry->file->columns, why, sizeof(why)) < 0) {
		entry_fail(entry, "%s", why);
		return -1;
	}
	return 0;
}

const void *golden_arg(const struct golden *g)
{
	return g->entry->file->arg;
}

int golden_hz(const struct golden *g)
{
	return g->entry->csv.pub.hz;
}

const void *golden_row(const struct golden_csv *csv, size_t row)
{
	return csv->cells + row * csv->nr_cols;
}

const void *golden_peek(const struct golden *g)
{
	if (g->failed || g->next == g->entry->csv.pub.nr_rows)
		return NULL;
	return golden_row(&g->entry->csv.pub, g->next);
}

const void *golden_next(struct golden *g)
{
	const void *row = golden_peek(g);

	g->next += row != NULL;
	return row;
}

const struct golden_csv *golden_open(struct golden *g, const char *stem)
{
	struct entry *found = NULL;

	for (size_t i = 0; i < g->folder->nr; i++) {
		struct entry *entry = &g->folder->entries[i];

		if (strcmp(entry->stem, stem) != 0)
			continue;
		if (found == NULL || entry->csv.pub.hz == g->entry->csv.pub.hz)
			found = entry;
	}
	if (found == NULL || found->file == NULL) {
		golden_fail(g, "needs the file %s.csv beside it", stem);
		return NULL;
	}
	if (entry_read(found) < 0) {
		golden_fail(g, "needs %s", found->csv.pub.name);
		return NULL;
	}
	return &found->csv.pub;
}

const void *golden_find(struct golden *g, const struct golden_csv *pub, uint64_t key, size_t *nr)
{
	/* golden_open() hands out the first member of a struct csv. */
	struct csv *csv = (struct csv *)(uintptr_t)pub;
	size_t first, end;

	if (csv == NULL)
		return NULL;
	first = csv->find_row;
	if (csv->cells[first * pub->nr_cols] != key)
		first = 0;
	while (first < pub->nr_rows && csv->cells[first * pub->nr_cols] != key)
		first++;
	if (first == pub->nr_rows) {
		golden_fail(g, "line %zu: %s has no row for %" PRIu64, g->next + 1, pub->name, key);
		return NULL;
	}
	csv->find_row = first;
	for (end = first; end < pub->nr_rows && csv->cells[end * pub->nr_cols] == key; end++)
		csv->used[end] = true;
	if (nr != NULL) {
		*nr = end - first;
	} else if (end - first > 1) {
		golden_fail(g, "line %zu: %s has more than one row for %" PRIu64, g->next + 1,
			pub->name, key);
		return NULL;
	}
	return golden_row(pub, first);
}

static void print_value(uint64_t value)
{
	printf("%" PRIu64, value);
	if (value > INT64_MAX)
		printf(" (%" PRId64 ")", (int64_t)value);
}

/* The whole row under its column names. */
static void print_row(const struct golden *g, size_t row)
{
	const uint64_t *cells = golden_row(&g->entry->csv.pub, row);
	const char *columns = g->entry->file->columns;
	size_t nr_cols = g->entry->csv.pub.nr_cols;

	printf("\t%s\n\t", columns + (columns[0] == ','));
	for (size_t i = 0; i < nr_cols; i++) {
		print_value(cells[i]);
		putchar(i + 1 < nr_cols ? ',' : '\n');
	}
}

bool golden_eq_back(
	struct golden *g, size_t back, const char *column, uint64_t expected, uint64_t got)
{
	size_t row = g->next - 1 - back;

	if (expected == got)
		return true;
	if (g->verbose) {
		printf("%s:%zu: %s: expected ", g->entry->label, row + 2, column);
		print_value(expected);
		printf(", got ");
		print_value(got);
		putchar('\n');
		if (!g->bad[row])
			print_row(g, row);
	}
	g->bad[row] = true;
	return false;
}

bool golden_eq(struct golden *g, const char *column, uint64_t expected, uint64_t got)
{
	return golden_eq_back(g, 0, column, expected, got);
}

void golden_fail(struct golden *g, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list args;

	if (g->failed)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	entry_fail(g->entry, "%s", text);
	g->failed = true;
}

static void report(
	struct totals *totals, const struct entry *entry, uint64_t rows, uint64_t mismatches)
{
	printf("%s %" PRIu64 " %" PRIu64 "\n", entry->label, rows, mismatches);
	totals->rows += rows;
	totals->mismatches += mismatches;
}

static void check_entry(struct folder *folder, struct entry *entry, struct totals *totals)
{
	struct golden g = { .folder = folder, .entry = entry, .verbose = totals->verbose };
	uint64_t mismatches = 0;

	if (entry_read(entry) < 0)
		return;
	g.bad = calloc(entry->csv.pub.nr_rows, sizeof(*g.bad));
	if (g.bad == NULL) {
		entry_fail(entry, "out of memory");
		return;
	}
	entry->file->check(&g);
	if (!g.failed && g.next < entry->csv.pub.nr_rows)
		entry_fail(entry, "line %zu: the check stopped here", g.next + 2);
	if (g.failed && g.next > 0)
		g.next--; /* the row it failed on is not checked */
	for (size_t i = 0; i < g.next; i++)
		mismatches += g.bad[i];
	report(totals, entry, g.next, mismatches);
	free(g.bad);
}

/* Rows of configuration and tables are checked by the steps that used them. */
static void count_support(struct entry *entry, struct totals *totals)
{
	size_t nr_rows = entry->csv.pub.nr_rows;
	uint64_t used = 0;

	if (entry_read(entry) < 0)
		return;
	nr_rows = entry->csv.pub.nr_rows;
	for (size_t i = 0; i < nr_rows; i++)
		used += entry->csv.used[i];
	if (used == 0)
		entry_fail(entry, "no step used any of its %zu rows", nr_rows);
	else if (used < nr_rows)
		fprintf(stderr, "golden-check: %s: %" PRIu64 " of %zu rows used, %s\n",
			entry->label, used, nr_rows, "the others are not counted");
	report(totals, entry, used, 0);
}

/* Cuts "_hz250" out of @stem and returns its number, 0 when there is none, -1 for another HZ. */
static int cut_hz(char *stem)
{
	char *hz = strstr(stem, "_hz");
	char *end;
	long value;

	if (hz == NULL || hz[3] < '0' || hz[3] > '9')
		return 0;
	value = strtol(hz + 3, &end, 10);
	if (*end != '_' && *end != '\0')
		return -1;
	memmove(hz, end, strlen(end) + 1);
	return value == 100 || value == 250 || value == 300 || value == 1000 ? (int)value : -1;
}

static const struct golden_file *find_file(const char *folder, const char *stem)
{
	for (size_t i = 0; areas[i] != NULL; i++) {
		if (strcmp(areas[i]->folder, folder) != 0)
			continue;
		for (const struct golden_file *f = areas[i]->files; f->stem != NULL; f++)
			if (strcmp(f->stem, stem) == 0)
				return f;
	}
	return NULL;
}

static void add_entry(struct folder *folder, const char *path, const char *area, const char *name)
{
	struct entry *entry = &folder->entries[folder->nr++];
	int hz;

	memset(entry, 0, sizeof(*entry));
	snprintf(entry->path, sizeof(entry->path), "%s", path);
	snprintf(entry->label, sizeof(entry->label), "%s/%s", area, name);
	snprintf(entry->stem, sizeof(entry->stem), "%.*s", (int)strlen(name) - 4, name);
	hz = cut_hz(entry->stem);
	entry->csv.pub.name = strrchr(entry->label, '/') + 1;
	entry->csv.pub.hz = hz;
	if (hz >= 0)
		entry->file = find_file(area, entry->stem);
}

static void check_folder(struct folder *folder, struct totals *totals)
{
	for (size_t i = 0; i < folder->nr; i++) {
		struct entry *entry = &folder->entries[i];

		if (entry->file == NULL)
			entry_fail(entry, "no model for this file");
		else if (entry->file->check != NULL)
			check_entry(folder, entry, totals);
	}
	for (size_t i = 0; i < folder->nr; i++) {
		struct entry *entry = &folder->entries[i];

		if (entry->file != NULL && entry->file->check == NULL)
			count_support(entry, totals);
		totals->failed |= entry->failed;
		csv_free(&entry->csv);
	}
}

/* Checks the CSVs of @path, then the folders in it. Returns how many CSVs there were. */
static size_t walk(const char *path, struct totals *totals)
{
	struct folder folder = { NULL, 0 };
	struct dirent **names;
	int nr = scandir(path, &names, NULL, alphasort);
	const char *area = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
	char sub[PATH_MAX];
	struct stat st;
	size_t found;

	if (nr >= 0)
		folder.entries = calloc((size_t)nr + 1, sizeof(*folder.entries));
	if (nr < 0 || folder.entries == NULL) {
		fprintf(stderr, "golden-check: %s: %s\n", path, strerror(errno));
		totals->failed = true;
		return 0;
	}
	for (int i = 0; i < nr; i++) {
		const char *name = names[i]->d_name;
		size_t len = strlen(name);

		if (len < 5 || strcmp(name + len - 4, ".csv") != 0 || name[0] == '.')
			continue;
		if (snprintf(sub, sizeof(sub), "%s/%s", path, name) < (int)sizeof(sub))
			add_entry(&folder, sub, area, name);
	}
	check_folder(&folder, totals);
	found = folder.nr;
	free(folder.entries);
	for (int i = 0; i < nr; i++) {
		if (names[i]->d_name[0] != '.' &&
			snprintf(sub, sizeof(sub), "%s/%s", path, names[i]->d_name) <
				(int)sizeof(sub) &&
			stat(sub, &st) == 0 && S_ISDIR(st.st_mode))
			found += walk(sub, totals);
		free(names[i]);
	}
	free(names);
	return found;
}

static int check_argument(const char *dir, struct totals *totals)
{
	/* The name of the folder counts, so "." and "area/" have to be resolved. */
	char *path = realpath(dir, NULL);

	if (path == NULL) {
		fprintf(stderr, "golden-check: %s: %s\n", dir, strerror(errno));
		return -1;
	}
	if (walk(path, totals) == 0) {
		fprintf(stderr, "golden-check: %s: no CSV in it\n", dir);
		totals->failed = true;
	}
	free(path);
	return 0;
}

int main(int argc, char **argv)
{
	struct totals totals = { 0, 0, false, false };
	int nr_dirs = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--verbose") == 0)
			totals.verbose = true;
		else if (argv[i][0] == '-')
			nr_dirs = INT_MIN;
		else
			nr_dirs++;
	}
	if (nr_dirs < 1) {
		fprintf(stderr, "usage: golden-check DIR... [--verbose]\n");
		return 2;
	}
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--verbose") != 0 && check_argument(argv[i], &totals) < 0)
			totals.failed = true;
	printf("%" PRIu64 " rows, %" PRIu64 " mismatches\n", totals.rows, totals.mismatches);
	if (totals.failed)
		return 2;
	return totals.mismatches > 0 ? 1 : 0;
}
