#include "sim/report/json.h"

#include <inttypes.h>

#include "sim/report/csv.h"

void json_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p < 0x20)
			fprintf(out, "\\u%04x", (unsigned int)*p);
		else
			fputc(*p, out);
	}
	fputc('"', out);
}

static void write_member(FILE *out, const char *name, const char *text)
{
	fprintf(out, "  \"%s\": ", name);
	json_string(out, text);
	fputs(",\n", out);
}

void json_write_runs(FILE *out, const struct report *report)
{
	fputs("{\n", out);
	write_member(out, "scenario", report->scenario);
	write_member(out, "governor", report->governor);
	write_member(out, "driver", report->driver);
	write_member(out, "workload", report->workload);
	fprintf(out, "  \"seed\": %" PRId64 ",\n  \"power_assumed\": %s,\n  \"runs\": [",
		report->seed, report->power_assumed ? "true" : "false");
	for (size_t i = 0; i < report->nr; i++) {
		fprintf(out, "%s\n    {\n      \"repeat\": %" PRId64, i ? "," : "",
			report->results[i]->repeat);
		for (int m = 0; m < METRIC_NR; m++) {
			fprintf(out, ",\n      \"%s\": ", metric_infos[m].name);
			csv_metric(out, (enum metric)m, report->results[i]->metrics[m]);
		}
		fputs("\n    }", out);
	}
	fputs("\n  ]\n}\n", out);
}
