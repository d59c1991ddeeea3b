#include "sim/report/power_report.h"

#include <inttypes.h>
#include <math.h>

#include "sim/base/units.h"
#include "sim/report/csv.h"
#include "sim/run.h"

/* Outliers named in the summary; the table has all of them. */
#define MAX_NAMED 5

static size_t count_readings(const struct report *report, size_t *longest)
{
	size_t nr = 0;

	*longest = 0;
	for (size_t i = 0; i < report->nr; i++) {
		size_t of_run = report->results[i]->nr_samples;

		nr += of_run;
		*longest = of_run > *longest ? of_run : *longest;
	}
	return nr;
}

static void find_outliers(
	struct power_report *power, struct arena *arena, const struct report *report)
{
	power->outliers = arena_array(arena, power->n, sizeof(*power->outliers));
	for (size_t i = 0; i < report->nr; i++) {
		const struct result *result = report->results[i];

		for (size_t s = 0; s < result->nr_samples; s++) {
			const struct power_sample *sample = &result->samples[s];
			double score = series_score(&power->robust, sample->watts);

			if (fabs(score) > OUTLIER_SCORE)
				power->outliers[power->nr_outliers++] = (struct power_outlier){
					.repeat = result->repeat,
					.t_ns = sample->t_ns,
					.watts = sample->watts,
					.score = score,
				};
		}
	}
}

/* Repeats are series of their own: no segment crosses from one to the next. */
static void make_spectrum(struct power_report *power, struct arena *arena,
	const struct report *report, const double *watts, size_t longest)
{
	size_t length = spectrum_length(longest);

	if (length == 0)
		return;
	spectrum_init(&power->spectrum, length, power->interval_s, WINDOW_HANN, arena);
	for (size_t i = 0; i < report->nr; i++) {
		spectrum_add(&power->spectrum, watts, report->results[i]->nr_samples);
		watts += report->results[i]->nr_samples;
	}
	spectrum_finish(&power->spectrum);
}

void power_report_make(struct power_report *power, struct arena *arena, const struct report *report,
	int64_t interval_ns)
{
	size_t longest, n = count_readings(report, &longest), at = 0;
	double *watts = arena_array(arena, 3 * n, sizeof(*watts));

	*power = (struct power_report){ .n = n,
		.interval_s = (double)interval_ns / (double)NSEC_PER_SEC };
	if (n == 0)
		return;
	for (size_t i = 0; i < report->nr; i++)
		for (size_t s = 0; s < report->results[i]->nr_samples; s++)
			watts[at++] = report->results[i]->samples[s].watts;
	stats_of(watts, 1, n, &power->stats);
	series_robust(watts, n, watts + n, &power->robust);
	find_outliers(power, arena, report);
	series_histogram(watts, n, arena, &power->histogram);
	make_spectrum(power, arena, report, watts, longest);
}

void power_report_write_csv(FILE *out, const struct report *report)
{
	static const enum metric metrics[] = { METRIC_power_samples, METRIC_power_sample_mean_w,
		METRIC_power_sample_std_w, METRIC_power_sample_max_w, METRIC_power_sample_min_w,
		METRIC_power_sample_median_w, METRIC_power_sample_mad_w,
		METRIC_power_sample_outliers };
	const struct power_report *power = report->power;
	const struct stats *s = &power->stats;

	fputs("repeat,n,mean_w,std_w,max_w,min_w,median_w,mad_w,outliers\n", out);
	fprintf(out, "all,%zu,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%zu\n", power->n, s->mean, s->sd,
		s->max, s->min, power->robust.median, power->robust.mad, power->nr_outliers);
	for (size_t i = 0; i < report->nr; i++) {
		fprintf(out, "%" PRId64, report->results[i]->repeat);
		for (size_t m = 0; m < sizeof(metrics) / sizeof(metrics[0]); m++) {
			fputc(',', out);
			csv_metric(out, metrics[m], report->results[i]->metrics[metrics[m]]);
		}
		fputc('\n', out);
	}
}

void power_report_write_outliers(FILE *out, const struct report *report)
{
	const struct power_report *power = report->power;

	fputs("repeat,t_s,power_w,score\n", out);
	for (size_t i = 0; i < power->nr_outliers; i++) {
		const struct power_outlier *outlier = &power->outliers[i];

		fprintf(out, "%" PRId64 ",", outlier->repeat);
		csv_seconds(out, outlier->t_ns);
		fprintf(out, ",%.6f,%.3f\n", outlier->watts, outlier->score);
	}
}

void power_report_write_histogram(FILE *out, const struct report *report)
{
	const struct power_report *power = report->power;
	const struct series_histogram *h = &power->histogram;

	fputs("from_w,to_w,readings,share_pct\n", out);
	for (size_t i = 0; i < h->nr; i++)
		fprintf(out, "%.9g,%.9g,%zu,%.6f\n", h->from + (double)i * h->width,
			h->from + (double)(i + 1) * h->width, h->counts[i],
			100 * (double)h->counts[i] / (double)power->n);
}

void power_report_write_spectrum(FILE *out, const struct report *report)
{
	const struct spectrum *s = &report->power->spectrum;

	fputs("f_hz,psd_w2_per_hz,f_psd_w2\n", out);
	for (size_t k = 1; k < s->nr; k++) {
		double hz = (double)k * s->step_hz;

		fprintf(out, "%.9g,%.9g,%.9g\n", hz, s->psd[k], hz * s->psd[k]);
	}
}

static void write_outliers(FILE *out, const struct power_report *power)
{
	fprintf(out, "  outliers %zu", power->nr_outliers);
	for (size_t i = 0; i < power->nr_outliers && i < MAX_NAMED; i++)
		fprintf(out, "%s run %" PRId64 " at %g s: %.2f W", i ? "," : ":",
			power->outliers[i].repeat,
			(double)power->outliers[i].t_ns / (double)NSEC_PER_SEC,
			power->outliers[i].watts);
	fputs(power->nr_outliers > MAX_NAMED ? ", ...\n" : "\n", out);
}

void power_report_write_summary(FILE *out, const struct report *report)
{
	const struct power_report *power = report->power;
	const struct spectrum *spectrum = &power->spectrum;

	if (power->n == 0)
		return;
	fprintf(out, "\npower by the energy counters%s, every %g s:\n",
		report->power_assumed ? " (assumed power)" : "", power->interval_s);
	fprintf(out, "  n %zu, mean %.2f W, std %.2f, max %.2f, min %.2f, median %.2f, MAD %.2f\n",
		power->n, power->stats.mean, power->stats.sd, power->stats.max, power->stats.min,
		power->robust.median, power->robust.mad);
	write_outliers(out, power);
	if (spectrum->segments)
		fprintf(out,
			"  f x S(f) highest at %.3g Hz (Hann window, %zu segment%s of %zu "
			"readings)\n",
			(double)spectrum_peak(spectrum) * spectrum->step_hz, spectrum->segments,
			spectrum->segments == 1 ? "" : "s", spectrum->length);
}
