#include "sim/report/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/run.h"

#define MAX_FILE_BYTES ((long)256 * 1024 * 1024)

/* A whole file as text with a terminating zero. */
static int read_text(struct arena *arena, const char *path, char **text, struct error *err)
{
	struct where at = { .file = path };
	FILE *file = fopen(path, "rb");
	long size = -1;

	if (!file)
		return error_at(err, ERROR_SCENARIO, at, "%s", strerror(errno));
	if (fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size < 0 || size > MAX_FILE_BYTES || fseek(file, 0, SEEK_SET) != 0) {
		fclose(file);
		return error_at(err, ERROR_SCENARIO, at,
			"not a file of at most 256 MiB; expected comma-separated text");
	}
	*text = arena_alloc(arena, (size_t)size + 1);
	size_t got = fread(*text, 1, (size_t)size, file);
	fclose(file);
	if (got != (size_t)size || strlen(*text) != got)
		return error_at(err, ERROR_SCENARIO, at, "not text");
	return 0;
}

/* Cuts one field off @p in place and undoes its quoting. Returns what ended it. */
static char cut_field(char **p, const char **field)
{
	char *from = *p, *to = *p;
	int quoted = *from == '"';

	*field = to;
	from += quoted;
	while (*from) {
		if (quoted && *from == '"') {
			from++;
			if (*from != '"') {
				quoted = 0;
				continue;
			}
		} else if (!quoted && (*from == ',' || *from == '\n')) {
			break;
		}
		if (*from != '\r' || quoted)
			*to++ = *from;
		from++;
	}
	char end = *from;
	*to = '\0';
	*p = end ? from + 1 : from;
	return end;
}

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (const char *p = text; *p; nr++) {
		const char *end = strchr(p, '\n');

		p = end ? end + 1 : p + strlen(p);
	}
	return nr;
}

static size_t count_header(const char *text)
{
	size_t nr = 1;

	for (const char *p = text; *p && *p != '\n'; p++)
		nr += *p == ',';
	return nr;
}

int csv_read(struct arena *arena, const char *path, struct csv *csv, struct error *err)
{
	struct where at = { .file = path, .line = 1, .col = 1 };
	char *text = NULL;

	if (read_text(arena, path, &text, err) < 0)
		return -1;
	size_t lines = count_lines(text), columns = count_header(text);
	if (lines == 0)
		return error_at(
			err, ERROR_SCENARIO, at, "the file is empty; expected a header row");
	const char **cells = arena_array(arena, lines * columns, sizeof(*cells));
	size_t rows = 0;
	for (char *p = text; *p; rows++, at.line++) {
		size_t nr = 0;
		char end = ',';

		for (; end == ',' && nr < columns; nr++)
			end = cut_field(&p, &cells[rows * columns + nr]);
		if (nr != columns || end == ',')
			return error_at(err, ERROR_SCENARIO, at,
				"%s %zu fields; expected %zu as in the header",
				end == ',' ? "more than" : "found", nr, columns);
	}
	*csv = (struct csv){ .path = arena_strdup(arena, path),
		.header = cells,
		.nr_columns = columns,
		.cells = cells + columns,
		.nr_rows = rows - 1 };
	return 0;
}

int csv_column(const struct csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->nr_columns; i++)
		if (strcmp(csv->header[i], name) == 0)
			return (int)i;
	return -1;
}

const char *csv_cell(const struct csv *csv, size_t row, int column)
{
	return csv->cells[row * csv->nr_columns + (size_t)column];
}

void csv_field(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (const char *p = text; *p; p++) {
		if (*p == '"')
			fputc('"', out);
		fputc(*p, out);
	}
	fputc('"', out);
}

void csv_metric(FILE *out, enum metric metric, double value)
{
	fprintf(out, "%.*f", metric_infos[metric].decimals, value);
}

void csv_write_runs(FILE *out, const struct report *report)
{
	fputs("scenario,repeat,seed,governor,driver,workload", out);
	for (int m = 0; m < METRIC_NR; m++)
		fprintf(out, ",%s", metric_infos[m].name);
	fputc('\n', out);
	for (size_t i = 0; i < report->nr; i++) {
		csv_field(out, report->scenario);
		fprintf(out, ",%" PRId64 ",%" PRId64 ",%s,%s,%s", report->results[i]->repeat,
			report->seed, report->governor, report->driver, report->workload);
		for (int m = 0; m < METRIC_NR; m++) {
			fputc(',', out);
			csv_metric(out, (enum metric)m, report->results[i]->metrics[m]);
		}
		fputc('\n', out);
	}
}

void csv_seconds(FILE *out, int64_t ns)
{
	fprintf(out, "%" PRId64 ".%09" PRId64, ns / NSEC_PER_SEC, ns % NSEC_PER_SEC);
}

void csv_write_power(FILE *out, const struct report *report)
{
	fputs("repeat,t_s,power_w\n", out);
	for (size_t i = 0; i < report->nr; i++) {
		const struct result *result = report->results[i];

		for (size_t s = 0; s < result->nr_samples; s++) {
			fprintf(out, "%" PRId64 ",", result->repeat);
			csv_seconds(out, result->samples[s].t_ns);
			fprintf(out, ",%.6f\n", result->samples[s].watts);
		}
	}
}

void csv_write_residency(FILE *out, const struct report *report)
{
	fputs("repeat,policy,khz,seconds\n", out);
	for (size_t i = 0; i < report->nr; i++) {
		const struct result *result = report->results[i];

		for (size_t r = 0; r < result->nr_residencies; r++) {
			const struct residency *residency = &result->residencies[r];

			fprintf(out, "%" PRId64 ",%d,%" PRId64 ",", result->repeat,
				residency->policy, residency->khz);
			csv_seconds(out, residency->ns);
			fputc('\n', out);
		}
	}
}

void csv_write_hooks(FILE *out, const struct report *report)
{
	fputs("repeat,site,calls,dropped_rate_limit,dropped_other,changes\n", out);
	for (size_t i = 0; i < report->nr; i++) {
		const struct result *result = report->results[i];

		for (int site = 0; site < HOOK_SITES; site++) {
			const struct hook_count *count = &result->hooks[site];

			fprintf(out,
				"%" PRId64 ",%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
				result->repeat, hook_site_name((enum hook_site)site), count->calls,
				count->rate_limited, count->dropped, count->changes);
		}
	}
}

void csv_write_idle(FILE *out, const struct report *report)
{
	fputs("repeat,policy,state,usage,seconds\n", out);
	for (size_t i = 0; i < report->nr; i++) {
		const struct result *result = report->results[i];

		for (size_t s = 0; s < result->nr_idle; s++) {
			const struct idle_residency *idle = &result->idle[s];

			fprintf(out, "%" PRId64 ",%d,", result->repeat, idle->policy);
			csv_field(out, idle->state);
			fprintf(out, ",%" PRId64 ",", idle->usage);
			csv_seconds(out, idle->ns);
			fputc('\n', out);
		}
	}
}

void csv_write_latency(FILE *out, const struct report *report)
{
	fputs("repeat,from_us,to_us,wakeups\n", out);
	for (size_t i = 0; i < report->nr; i++) {
		const struct result *result = report->results[i];

		for (size_t k = 0; k < result->nr_latencies; k++) {
			const struct latency_count *count = &result->latencies[k];

			fprintf(out, "%" PRId64 ",%.3f,%.3f,%" PRId64 "\n", result->repeat,
				(double)count->from_ns / 1e3, (double)count->to_ns / 1e3,
				count->nr);
		}
	}
}
