#include "sim/report/summary.h"

#include <inttypes.h>

#include "sim/report/power_report.h"
#include "sim/report/stats.h"

/* More repeats than this are told by their mean alone. */
#define MAX_ROWS 20

struct column {
	const char *title;
	enum metric metric;
	int width, decimals;
};

/* The first four in the order and with the names of the time command. */
static const struct column columns[] = {
	{ "user", METRIC_user_s, 11, 3 },
	{ "sys", METRIC_sys_s, 10, 3 },
	{ "elapsed", METRIC_elapsed_s, 10, 3 },
	{ "CPU%", METRIC_cpu_pct, 8, 1 },
	{ "energy J", METRIC_energy_pkg_j, 11, 1 },
	{ "watts", METRIC_power_avg_w, 9, 2 },
	{ "mean GHz", METRIC_freq_avg_ghz, 9, 3 },
	{ "transitions", METRIC_transitions, 12, 0 },
	{ "driver s", METRIC_driver_busy_s, 10, 3 },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool is_energy(const struct column *column)
{
	return column->metric == METRIC_energy_pkg_j || column->metric == METRIC_power_avg_w;
}

static void write_heading(FILE *out, const struct report *report)
{
	fprintf(out, "%s: governor %s, driver %s, workload %s, seed %" PRId64 ", %zu run%s\n\n",
		report->scenario, report->governor, report->driver, report->workload, report->seed,
		report->nr, report->nr == 1 ? "" : "s");
	if (report->power_assumed) {
		int before = 6, width = 0;

		for (size_t i = 0; i < NR_COLUMNS; i++) {
			if (is_energy(&columns[i]))
				width += columns[i].width;
			else if (!width)
				before += columns[i].width;
		}
		fprintf(out, "%*s%*s\n", before, "", width, "(assumed power)");
	}
	fprintf(out, "%-6s", "run");
	for (size_t i = 0; i < NR_COLUMNS; i++)
		fprintf(out, "%*s", columns[i].width, columns[i].title);
	fputc('\n', out);
}

static void write_run(FILE *out, const struct result *result)
{
	fprintf(out, "%-6" PRId64, result->repeat);
	for (size_t i = 0; i < NR_COLUMNS; i++)
		fprintf(out, "%*.*f", columns[i].width, columns[i].decimals,
			result->metrics[columns[i].metric]);
	fputc('\n', out);
}

/* @values has room for one per run. */
static void write_means(FILE *out, const struct report *report, double *values)
{
	struct stats stats[NR_COLUMNS];

	fprintf(out, "%-6s", "mean");
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		report_values(report, columns[i].metric, values);
		stats_of(values, 1, report->nr, &stats[i]);
		fprintf(out, "%*.*f", columns[i].width, columns[i].decimals, stats[i].mean);
	}
	fprintf(out, "\n%-6s", "+-95%");
	for (size_t i = 0; i < NR_COLUMNS; i++)
		fprintf(out, "%*.*f", columns[i].width,
			columns[i].decimals ? columns[i].decimals : 1, stats[i].ci95);
	fputc('\n', out);
}

/* The workload's own figures, over all runs. */
static void write_measures(FILE *out, const struct report *report, double *values)
{
	const struct result *first = report->results[0];
	struct stats stats;

	if (first->nr_measures)
		fprintf(out, "\nmeasured by %s:\n", report->workload);
	for (int m = 0; m < first->nr_measures; m++) {
		for (size_t i = 0; i < report->nr; i++)
			values[i] = report->results[i]->measures[m].value;
		stats_of(values, 1, report->nr, &stats);
		fprintf(out, "  %-24s %14.3f %s", first->measures[m].name, stats.mean,
			first->measures[m].unit);
		if (report->nr > 1)
			fprintf(out, " +- %.3f", stats.ci95);
		fputc('\n', out);
	}
}

/* What the waits for the CPU were like. */
static void write_latency(FILE *out, const struct report *report, double *values)
{
	static const struct {
		const char *name;
		enum metric metric;
	} waits[] = { { "mean", METRIC_wakeup_mean_us }, { "p50", METRIC_wakeup_p50_us },
		{ "p90", METRIC_wakeup_p90_us }, { "p99", METRIC_wakeup_p99_us },
		{ "max", METRIC_wakeup_max_us } };

	fputs("\nfrom a wake-up or fork to the CPU, us:", out);
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		struct stats stats;

		report_values(report, waits[i].metric, values);
		stats_of(values, 1, report->nr, &stats);
		fprintf(out, "%s %s %.1f", i ? "," : "", waits[i].name,
			waits[i].metric == METRIC_wakeup_max_us ? stats.max : stats.mean);
	}
	fputc('\n', out);
}

void summary_write(FILE *out, const struct report *report, double *values)
{
	write_heading(out, report);
	for (size_t i = 0; i < report->nr && report->nr <= MAX_ROWS; i++)
		write_run(out, report->results[i]);
	if (report->nr > 1)
		write_means(out, report, values);
	write_measures(out, report, values);
	write_latency(out, report, values);
	if (report->power)
		power_report_write_summary(out, report);
}

/* Means over the runs. */
static double mean_of(int64_t sum, const struct report *report)
{
	return (double)sum / (double)report->nr;
}

void summary_write_hooks(FILE *out, const struct report *report)
{
	fprintf(out, "\n%-9s%12s%12s%12s%12s\n", "hook", "calls", "rate limit", "dropped",
		"changes");
	for (int site = 0; site < HOOK_SITES; site++) {
		struct hook_count sum = { 0 };

		for (size_t i = 0; i < report->nr; i++) {
			const struct hook_count *count = &report->results[i]->hooks[site];

			sum.calls += count->calls;
			sum.rate_limited += count->rate_limited;
			sum.dropped += count->dropped;
			sum.changes += count->changes;
		}
		fprintf(out, "%-9s%12.0f%12.0f%12.0f%12.0f  %s\n",
			hook_site_name((enum hook_site)site), mean_of(sum.calls, report),
			mean_of(sum.rate_limited, report), mean_of(sum.dropped, report),
			mean_of(sum.changes, report), hook_site_meaning((enum hook_site)site));
	}
}
