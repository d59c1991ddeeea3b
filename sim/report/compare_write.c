#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/compare.h"
#include "sim/report/csv.h"

#define MAIL_COLUMNS 72
#define MAX_TEXT 160

const char *const compare_formats[] = { "table", "markdown", "csv", "lkml", NULL };

/* One measure on its way out. */
struct page {
	FILE *out;
	const struct comparison_set *set;
	struct quantity measure;
	const struct cell_stats *cells;
	const char *base; /* name of the baseline */
};

static const struct cell_stats *cell_at(const struct page *page, size_t row, size_t series)
{
	return &page->cells[row * page->set->nr_series + series];
}

/* About five digits, fewer for what is almost nothing; never an exponent. */
static const char *number(char *buf, size_t size, double value, const char *sign)
{
	double v = fabs(value);
	int decimals = v >= 10000 ? 0 : v >= 1000 ? 1 : v >= 100 ? 2 : v >= 10 ? 3 : 4;

	if (v > 0 && v < 0.01)
		decimals = v < 0.001 ? 7 : 6;

	if (isnan(value))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, strcmp(sign, "+") == 0 ? "%+.*f" : "%.*f", decimals, value);
	return buf;
}

static void interval_text(char *buf, size_t size, const struct interval *interval, const char *sign)
{
	char lo[40], hi[40];

	if (isnan(interval->lo))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "[%s, %s]", number(lo, sizeof(lo), interval->lo, sign),
			number(hi, sizeof(hi), interval->hi, sign));
}

/* Fewest and most runs of a cell, and whether all or none of the comparisons are paired. */
struct counts {
	size_t least, most;
	bool paired, free;
};

static struct counts count_cells(const struct page *page)
{
	const struct comparison_set *set = page->set;
	struct counts counts = { .least = SIZE_MAX };

	for (size_t i = 0; i < set->nr_rows * set->nr_series; i++) {
		const struct cell_stats *cell = &page->cells[i];

		if (cell->n == 0)
			continue;
		counts.least = cell->n < counts.least ? cell->n : counts.least;
		counts.most = cell->n > counts.most ? cell->n : counts.most;
		if (i % set->nr_series == set->baseline)
			continue;
		counts.paired |= cell->paired > 0;
		counts.free |= cell->paired == 0;
	}
	return counts;
}

/* Watts and joules of numbers without a source are marked wherever they stand. */
static bool power_is_assumed(const struct page *page)
{
	const char *unit = page->measure.unit;

	if (strcmp(unit, "J") != 0 && strcmp(unit, "W") != 0 && strcmp(unit, "Js") != 0)
		return false;
	for (size_t s = 0; s < page->set->nr_series; s++)
		for (size_t i = 0; i < page->set->series[s].nr; i++)
			if (page->set->series[s].samples[i].values[METRIC_power_assumed] > 0)
				return true;
	return false;
}

static void describe(const struct page *page, char *buf, size_t size)
{
	static const char *const better[] = {
		[LESS] = "less is better; ", [MORE] = "more is better; ", [NEITHER] = ""
	};
	struct counts counts = count_cells(page);
	char runs[64];

	if (counts.least == counts.most)
		snprintf(runs, sizeof(runs), "%zu runs each", counts.most);
	else
		snprintf(runs, sizeof(runs), "%zu to %zu runs each", counts.least, counts.most);
	snprintf(buf, size,
		"%s%s%s%s%s: %smean of %s%s. Ratio and difference are against %.60s, the "
		"denominator; 95 %% intervals%s, significance * 0.05 ** 0.01 *** 0.001 after Holm "
		"over the table.",
		page->measure.name, *page->measure.unit ? " (" : "", page->measure.unit,
		*page->measure.unit ? ")" : "", power_is_assumed(page) ? ", assumed power" : "",
		better[page->measure.better], runs,
		!counts.paired        ? ""
			: counts.free ? ", some paired by seed"
				      : ", paired by seed",
		page->base, counts.most < 2 ? " need more than one run" : "");
}

/* Words on lines of at most @columns. */
static void write_wrapped(FILE *out, const char *text, size_t columns)
{
	size_t used = 0;

	while (*text) {
		size_t length = strcspn(text, " ");

		if (used > 0 && used + 1 + length > columns) {
			fputc('\n', out);
			used = 0;
		}
		used += (size_t)fprintf(out, "%s%.*s", used ? " " : "", (int)length, text);
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}

static size_t wider(size_t width, const char *text)
{
	return strlen(text) > width ? strlen(text) : width;
}

/* The texts of one line of a table. */
#define NR_FIELDS 8
struct line {
	char fields[NR_FIELDS][MAX_TEXT];
};

static void fill_line(const struct page *page, size_t row, size_t series, struct line *line)
{
	const struct cell_stats *cell = cell_at(page, row, series);
	const struct contrast *contrast = &cell->contrast;
	bool base = series == page->set->baseline;
	char(*f)[MAX_TEXT] = line->fields;

	snprintf(f[0], MAX_TEXT, "%s", page->set->rows[row]);
	snprintf(f[1], MAX_TEXT, "%s", page->set->series[series].name);
	snprintf(f[2], MAX_TEXT, "%zu", cell->n);
	number(f[3], MAX_TEXT, cell->stats.mean, "");
	number(f[4], MAX_TEXT, cell->n > 1 ? cell->stats.sd : (double)NAN, "");
	for (int i = 5; i < NR_FIELDS; i++)
		snprintf(f[i], MAX_TEXT, "%s", base ? "" : "-");
	if (base)
		return;
	char interval[100], value[40];
	interval_text(interval, sizeof(interval), &contrast->difference, "+");
	snprintf(f[5], MAX_TEXT, "%s %s",
		number(value, sizeof(value), contrast->difference.value, "+"), interval);
	interval_text(interval, sizeof(interval), &contrast->ratio, "");
	snprintf(f[6], MAX_TEXT, "%s %s", number(value, sizeof(value), contrast->ratio.value, ""),
		interval);
	snprintf(f[7], MAX_TEXT, "%s", compare_mark(cell->p));
}

static void write_line(FILE *out, const struct line *line, const size_t *widths, bool markdown)
{
	/* Names to the left, numbers to the right. */
	static const bool left[NR_FIELDS] = { true, true, false, false, false, true, true, true };
	size_t first = widths[0] ? 0 : 1;

	for (size_t i = first; i < NR_FIELDS; i++) {
		fputs(markdown ? "| " : i > first ? "  " : "", out);
		fprintf(out, left[i] ? "%-*s" : "%*s",
			i == NR_FIELDS - 1 && !markdown ? 0 : (int)widths[i], line->fields[i]);
		fputs(markdown ? " " : "", out);
	}
	fputs(markdown ? "|\n" : "\n", out);
}

static void write_rule(FILE *out, const size_t *widths)
{
	for (size_t i = widths[0] ? 0 : 1; i < NR_FIELDS; i++) {
		fputs("|", out);
		for (size_t k = 0; k < widths[i] + 2; k++)
			fputc('-', out);
	}
	fputs("|\n", out);
}

/* A line per row and series, as wide as its texts. */
static void write_lines(const struct page *page, bool markdown)
{
	const struct comparison_set *set = page->set;
	struct line head = { { "", "series", "runs", "mean", "sd", "difference, 95 %",
		"ratio, 95 %", "" } };
	size_t widths[NR_FIELDS] = { 0 };
	struct line line;

	snprintf(head.fields[0], MAX_TEXT, "%s", set->row_names);
	for (int pass = 0; pass < 2; pass++) {
		if (pass == 1)
			write_line(page->out, &head, widths, markdown);
		if (pass == 1 && markdown)
			write_rule(page->out, widths);
		for (int i = 0; i < NR_FIELDS; i++)
			widths[i] = wider(widths[i], head.fields[i]);
		for (size_t i = 0; i < set->nr_rows * set->nr_series; i++) {
			if (page->cells[i].n == 0)
				continue;
			fill_line(page, i / set->nr_series, i % set->nr_series, &line);
			for (int k = 0; k < NR_FIELDS; k++)
				widths[k] = wider(widths[k], line.fields[k]);
			if (pass == 1)
				write_line(page->out, &line, widths, markdown);
		}
	}
}

static void csv_number(FILE *out, double value)
{
	if (isnan(value))
		fputc(',', out);
	else
		fprintf(out, ",%.9g", value);
}

static void write_csv(const struct page *page)
{
	const struct comparison_set *set = page->set;

	for (size_t i = 0; i < set->nr_rows * set->nr_series; i++) {
		const struct cell_stats *cell = &page->cells[i];
		const struct contrast *c = &cell->contrast;
		bool base = i % set->nr_series == set->baseline;

		if (cell->n == 0)
			continue;
		fprintf(page->out, "%s,", page->measure.name);
		csv_field(page->out, set->rows[i / set->nr_series]);
		fputc(',', page->out);
		csv_field(page->out, set->series[i % set->nr_series].name);
		fputc(',', page->out);
		csv_field(page->out, page->base);
		fprintf(page->out, ",%zu,%zu", cell->n, base ? cell->n : cell->paired);
		csv_number(page->out, cell->stats.mean);
		csv_number(page->out, cell->n > 1 ? cell->stats.sd : (double)NAN);
		csv_number(page->out, cell->n > 1 ? cell->stats.ci95 : (double)NAN);
		const double values[] = { c->difference.value, c->difference.lo, c->difference.hi,
			c->ratio.value, c->ratio.lo, c->ratio.hi, c->effect, c->p, cell->p_ranks,
			cell->p };
		for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++)
			csv_number(page->out, base ? (double)NAN : values[k]);
		fprintf(page->out, ",%s\n", base ? "" : compare_mark(cell->p));
	}
}

/* Columns of a mail. */
#define MAIL_ROW_MAX 24
#define MAIL_SERIES_MAX 14
#define MAIL_RATIO 19

struct mail {
	int row, series;  /* widths */
	size_t at_a_time; /* series beside the baseline */
};

static struct mail fit_mail(const struct page *page)
{
	const struct comparison_set *set = page->set;
	size_t row = strlen(set->row_names), series = 9;

	for (size_t r = 0; r < set->nr_rows; r++)
		row = wider(row, set->rows[r]);
	for (size_t s = 0; s < set->nr_series; s++)
		series = wider(series, set->series[s].name);
	struct mail mail = { .row = row > MAIL_ROW_MAX ? MAIL_ROW_MAX : (int)row,
		.series = series > MAIL_SERIES_MAX ? MAIL_SERIES_MAX : (int)series };
	int left = MAIL_COLUMNS - mail.row - 1 - mail.series;
	mail.at_a_time = (size_t)(left / (mail.series + 1 + MAIL_RATIO));
	return mail;
}

static void write_mail_row(const struct page *page, const struct mail *mail, size_t row,
	const size_t *shown, size_t nr)
{
	char value[40], half[40];
	FILE *out = page->out;

	fprintf(out, "%-*.*s %*s", mail->row, mail->row, page->set->rows[row], mail->series,
		number(value, sizeof(value), cell_at(page, row, page->set->baseline)->stats.mean,
			""));
	for (size_t i = 0; i < nr; i++) {
		const struct cell_stats *cell = cell_at(page, row, shown[i]);

		fprintf(out, " %*s", mail->series,
			number(value, sizeof(value), cell->n ? cell->stats.mean : (double)NAN, ""));
	}
	for (size_t i = 0; i < nr; i++) {
		const struct cell_stats *cell = cell_at(page, row, shown[i]);
		const struct interval *ratio = &cell->contrast.ratio;
		bool known = cell->n && !isnan(ratio->lo);

		snprintf(half, sizeof(half), "%.4f", known ? (ratio->hi - ratio->lo) / 2 : 0);
		fprintf(out, " %7.4f%s%-6s%-3s", cell->n ? ratio->value : (double)NAN,
			known ? "+-" : "  ", known ? half : "",
			cell->n ? compare_mark(cell->p) : "");
	}
	fputc('\n', out);
}

static void write_mail_block(
	const struct page *page, const struct mail *mail, const size_t *shown, size_t nr)
{
	const struct comparison_set *set = page->set;
	FILE *out = page->out;

	fprintf(out, "\n%-*.*s %*.*s", mail->row, mail->row, set->row_names, mail->series,
		mail->series, page->base);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, " %*.*s", mail->series, mail->series, set->series[shown[i]].name);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "  %-*s", MAIL_RATIO - 1, "ratio");
	fputc('\n', out);
	for (size_t r = 0; r < set->nr_rows; r++)
		write_mail_row(page, mail, r, shown, nr);
}

static void write_mail(const struct page *page)
{
	size_t shown[COMPARE_MAX_SERIES], nr = 0;
	struct mail mail = fit_mail(page);

	for (size_t s = 0; s < page->set->nr_series; s++) {
		if (s != page->set->baseline)
			shown[nr++] = s;
		if (nr == mail.at_a_time || (s + 1 == page->set->nr_series && nr > 0)) {
			write_mail_block(page, &mail, shown, nr);
			nr = 0;
		}
	}
}

static void write_page(const struct page *page, enum compare_format format)
{
	char text[1024];

	if (format == COMPARE_CSV) {
		write_csv(page);
		return;
	}
	describe(page, text, sizeof(text));
	write_wrapped(page->out, text, format == COMPARE_LKML ? MAIL_COLUMNS : 100);
	if (format == COMPARE_LKML) {
		write_mail(page);
		return;
	}
	fputc('\n', page->out);
	write_lines(page, format == COMPARE_MARKDOWN);
}

static void note_failed(FILE *out, const struct comparison_set *set)
{
	for (size_t s = 0; s < set->nr_series; s++)
		if (set->series[s].nr_failed > 0)
			fprintf(out, "%s: %zu failed runs are left out.\n", set->series[s].name,
				set->series[s].nr_failed);
}

static int write_all(FILE *out, const struct comparison_set *set, enum compare_format format,
	const int *measures, size_t nr_measures, struct error *err)
{
	if (format == COMPARE_CSV)
		fputs("metric,row,series,baseline,runs,paired,mean,sd,ci95,difference,difference_"
		      "lo,"
		      "difference_hi,ratio,ratio_lo,ratio_hi,effect,p,p_ranks,p_holm,mark\n",
			out);
	for (size_t i = 0; i < nr_measures; i++) {
		const struct page page = { .out = out,
			.set = set,
			.measure = quantity_at(measures[i]),
			.cells = compare_measure(set, measures[i], err),
			.base = set->series[set->baseline].name };

		if (!page.cells)
			return -1;
		if (i > 0 && format != COMPARE_CSV)
			fputc('\n', out);
		write_page(&page, format);
	}
	if (format != COMPARE_CSV)
		note_failed(out, set);
	return 0;
}

/* Blanks at the end of a line are what mailers and git complain about. */
static void copy_trimmed(FILE *out, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n"), kept = length;

		while (kept > 0 && text[kept - 1] == ' ')
			kept--;
		fprintf(out, "%.*s\n", (int)kept, text);
		text += length + (text[length] == '\n');
	}
}

int compare_write(FILE *out, const struct comparison_set *set, enum compare_format format,
	const int *measures, size_t nr_measures, struct error *err)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return error_set(err, ERROR_RUN, "out of memory for a table");
	int result = write_all(memory, set, format, measures, nr_measures, err);
	if (fclose(memory) != 0)
		result = error_set(err, ERROR_RUN, "out of memory for a table");
	if (result == 0)
		copy_trimmed(out, text);
	free(text);
	return result;
}
