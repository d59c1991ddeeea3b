#include "sim/sweep/export.h"

#include <inttypes.h>

#include "sim/report/csv.h"
#include "sim/report/json.h"
#include "sim/report/outdir.h"

struct writer {
	FILE *out;
	const struct store_info *info;
	size_t nr;
};

static int csv_row(void *ctx, const struct store_row *row)
{
	struct writer *w = ctx;

	csv_field(w->out, w->info->scenario);
	fprintf(w->out, ",%zu", row->point + 1);
	for (size_t a = 0; a < w->info->nr_axes; a++) {
		fputc(',', w->out);
		csv_field(w->out, w->info->values[row->point][a]);
	}
	fprintf(w->out, ",%" PRId64 ",%" PRId64, row->repeat + 1, row->seed);
	for (int m = 0; m < METRIC_NR; m++) {
		fputc(',', w->out);
		if (!row->message)
			csv_metric(w->out, (enum metric)m, row->values[m]);
	}
	fputc(',', w->out);
	csv_field(w->out, row->message ? row->message : "");
	fputc('\n', w->out);
	return 0;
}

int export_csv(FILE *out, struct store *store, const struct store_info *info, struct error *err)
{
	struct writer w = { .out = out, .info = info };

	fputs("scenario,point", out);
	for (size_t a = 0; a < info->nr_axes; a++) {
		fputc(',', out);
		csv_field(out, info->axes[a]);
	}
	fputs(",repeat,seed", out);
	for (int m = 0; m < METRIC_NR; m++)
		fprintf(out, ",%s", metric_infos[m].name);
	fputs(",failure\n", out);
	return store_read(store, csv_row, &w, err);
}

static void json_metrics(FILE *out, const double *values)
{
	for (int m = 0; m < METRIC_NR; m++) {
		fprintf(out, ", \"%s\": ", metric_infos[m].name);
		csv_metric(out, (enum metric)m, values[m]);
	}
}

static int json_row(void *ctx, const struct store_row *row)
{
	struct writer *w = ctx;
	FILE *out = w->out;

	fprintf(out, "%s\n    { \"point\": %zu", w->nr++ ? "," : "", row->point + 1);
	for (size_t a = 0; a < w->info->nr_axes; a++) {
		fputs(", ", out);
		json_string(out, w->info->axes[a]);
		fputs(": ", out);
		json_string(out, w->info->values[row->point][a]);
	}
	fprintf(out, ", \"repeat\": %" PRId64 ", \"seed\": %" PRId64, row->repeat + 1, row->seed);
	if (row->message) {
		fputs(", \"failure\": ", out);
		json_string(out, row->message);
	} else {
		json_metrics(out, row->values);
	}
	fputs(" }", out);
	return 0;
}

int export_json(FILE *out, struct store *store, const struct store_info *info, struct error *err)
{
	struct writer w = { .out = out, .info = info };

	fputs("{\n  \"scenario\": ", out);
	json_string(out, info->scenario);
	fputs(",\n  \"axes\": [", out);
	for (size_t a = 0; a < info->nr_axes; a++) {
		fputs(a ? ", " : " ", out);
		json_string(out, info->axes[a]);
	}
	fputs(" ],\n  \"runs\": [", out);
	int result = store_read(store, json_row, &w, err);
	fputs("\n  ]\n}\n", out);
	return result;
}

int export_runs(struct store *store, struct arena *arena, struct error *err)
{
	struct store_info info;
	struct outdir dir;

	if (store_describe(store, arena, &info, err) < 0 ||
		outdir_open(&dir, arena, store->dir, err) < 0)
		return -1;
	FILE *file = outdir_file(&dir, "runs.csv", err);
	if (!file || export_csv(file, store, &info, err) < 0) {
		outdir_abort(&dir);
		return -1;
	}
	return outdir_commit(&dir, err);
}
