/*
 * The readings of the power sampler over all repeats of a scenario: statistics, outliers, histogram
 * and spectrum, and the tables that show them. Knows readings of the energy counters, never the
 * exact energy. Watts, seconds and Hz.
 */
#pragma once

#include <stdio.h>

#include "sim/base/arena.h"
#include "sim/report/result.h"
#include "sim/report/series.h"
#include "sim/report/stats.h"

struct power_outlier {
	int64_t repeat;
	int64_t t_ns;
	double watts, score; /* distance from the median, in robust deviations */
};

/* Of no readings at all n is 0 and nothing else is set. */
struct power_report {
	size_t n;
	double interval_s;
	struct stats stats;
	struct robust robust;
	struct power_outlier *outliers; /* in order of repeat and time */
	size_t nr_outliers;
	struct series_histogram histogram;
	struct spectrum spectrum; /* length 0: too few readings for one */
};

/* All memory is @arena's: call under arena_try(). */
void power_report_make(struct power_report *power, struct arena *arena, const struct report *report,
	int64_t interval_ns);

/* power.csv: repeat ("all" first), n, mean, std, max, min, median, mad, outliers. */
void power_report_write_csv(FILE *out, const struct report *report);
/* power-outliers.csv: repeat, t_s, power_w, score. */
void power_report_write_outliers(FILE *out, const struct report *report);
/* power-histogram.csv: from_w, to_w, readings, share_pct. */
void power_report_write_histogram(FILE *out, const struct report *report);
/* power-spectrum.csv: f_hz, psd_w2_per_hz, f_psd_w2. */
void power_report_write_spectrum(FILE *out, const struct report *report);
/* For people: a few lines. */
void power_report_write_summary(FILE *out, const struct report *report);
