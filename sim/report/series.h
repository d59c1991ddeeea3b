/*
 * A series of readings at even times: robust statistics, outliers, histogram, spectrum (GSL).
 * Knows numbers, not what they measure; every result is in the unit of its input.
 */
#pragma once

#include <stddef.h>

#include "sim/base/arena.h"

/* Median, and median distance from it (MAD, as it is: not scaled to a standard deviation). */
struct robust {
	double median, mad;
	double scale; /* what the distances give for the standard deviation of normal values */
};

/* A value whose distance from the median is more than this many scales is an outlier (Iglewicz and
 * Hoaglin 1993). */
#define OUTLIER_SCORE 3.5

/* @n >= 1 values; @scratch: room for 2 n. Where more than half of the values are equal the MAD is
 * 0 and the mean distance gives the scale. */
void series_robust(const double *values, size_t n, double *scratch, struct robust *out);
/* Distance from the median in scales, with sign; 0 where no value differs. */
double series_score(const struct robust *robust, double value);
size_t series_outliers(const double *values, size_t n, const struct robust *robust);

/* Bins of one width: 1, 2 or 5 times a power of ten, the first of these that needs no more bins
 * than twice the root of @n. Borders are multiples of it; the last bin includes its upper one. */
struct series_histogram {
	double from, width;
	size_t nr;
	size_t *counts;
};

void series_histogram(
	const double *values, size_t n, struct arena *arena, struct series_histogram *out);

/* The middle of the fullest bin (the lowest of several). */
double series_histogram_mode(const struct series_histogram *histogram);

enum spectrum_window { WINDOW_RECTANGULAR, WINDOW_HANN };

/*
 * One-sided power spectral density by Welch's method: segments of @length values, each half
 * overlapping the one before, times the window, averaged. psd[k] belongs to the frequency k x
 * step_hz and is in unit^2 per Hz, such that the sum of psd x step_hz is the mean square of the
 * windowed values over that of the window: their variance, without a window and with one segment.
 */
struct spectrum {
	size_t length, nr; /* nr = length / 2 + 1 densities */
	double step_hz;
	double *psd;
	size_t segments;
	double interval_s, window_square;
	const double *window;
	double *scratch;
};

/* The largest power of two within half of @n values; 0 where @n is below 16. */
size_t spectrum_length(size_t n);
void spectrum_init(struct spectrum *spectrum, size_t length, double interval_s,
	enum spectrum_window window, struct arena *arena);
/* Adds the segments of one series of @n values, its mean removed. */
void spectrum_add(struct spectrum *spectrum, const double *values, size_t n);
/* Averages over all segments. */
void spectrum_finish(struct spectrum *spectrum);
/* The index above 0 with the largest frequency x density. */
size_t spectrum_peak(const struct spectrum *spectrum);
