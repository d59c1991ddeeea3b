#include "sim/report/series.h"

#include <assert.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

/* Of normal values: standard deviation over median distance, and over mean distance. */
#define SIGMA_PER_MAD 1.482602218505602
#define SIGMA_PER_MEAN_DISTANCE 1.2533141373155003

void series_robust(const double *values, size_t n, double *scratch, struct robust *out)
{
	double *work = scratch + n, sum = 0;

	assert(n >= 1);
	memcpy(scratch, values, n * sizeof(*scratch));
	out->median = gsl_stats_median(scratch, 1, n);
	out->mad = gsl_stats_mad0(scratch, 1, n, work);
	out->scale = SIGMA_PER_MAD * out->mad;
	if (out->mad > 0)
		return;
	for (size_t i = 0; i < n; i++)
		sum += fabs(values[i] - out->median);
	out->scale = SIGMA_PER_MEAN_DISTANCE * sum / (double)n;
}

double series_score(const struct robust *robust, double value)
{
	return robust->scale > 0 ? (value - robust->median) / robust->scale : 0;
}

size_t series_outliers(const double *values, size_t n, const struct robust *robust)
{
	size_t nr = 0;

	for (size_t i = 0; i < n; i++)
		nr += fabs(series_score(robust, values[i])) > OUTLIER_SCORE;
	return nr;
}

/* The least of 1, 2 and 5 times a power of ten that is not below @width. */
static double round_width(double width)
{
	static const double steps[] = { 1, 2, 5, 10 };
	double unit = gsl_pow_int(10, (int)floor(log10(width)));
	size_t i = 0;

	while (i < 3 && steps[i] * unit < width * (1 - 1e-9))
		i++;
	return steps[i] * unit;
}

void series_histogram(
	const double *values, size_t n, struct arena *arena, struct series_histogram *out)
{
	double low, high;

	assert(n >= 1);
	gsl_stats_minmax(&low, &high, values, 1, n);
	out->width = high > low ? round_width((high - low) / (2 * sqrt((double)n))) : 1;
	out->from = floor(low / out->width) * out->width;
	out->nr = (size_t)fmax(ceil((high - out->from) / out->width), 1);
	out->counts = arena_array(arena, out->nr, sizeof(*out->counts));
	for (size_t i = 0; i < n; i++) {
		size_t bin = (size_t)((values[i] - out->from) / out->width);

		out->counts[bin < out->nr ? bin : out->nr - 1]++;
	}
}

double series_histogram_mode(const struct series_histogram *histogram)
{
	size_t most = 0;

	for (size_t i = 1; i < histogram->nr; i++)
		if (histogram->counts[i] > histogram->counts[most])
			most = i;
	return histogram->from + ((double)most + 0.5) * histogram->width;
}

size_t spectrum_length(size_t n)
{
	size_t length = 8;

	if (n < 2 * length)
		return 0;
	while (4 * length <= n)
		length *= 2;
	return length;
}

static const double *make_window(enum spectrum_window window, size_t length, struct arena *arena)
{
	double *weights = arena_array(arena, length, sizeof(*weights));

	for (size_t i = 0; i < length; i++)
		weights[i] = window == WINDOW_RECTANGULAR
			? 1
			: 0.5 - 0.5 * cos(2 * M_PI * (double)i / (double)length);
	return weights;
}

void spectrum_init(struct spectrum *spectrum, size_t length, double interval_s,
	enum spectrum_window window, struct arena *arena)
{
	*spectrum = (struct spectrum){
		.length = length,
		.nr = length / 2 + 1,
		.step_hz = 1 / ((double)length * interval_s),
		.psd = arena_array(arena, length / 2 + 1, sizeof(double)),
		.interval_s = interval_s,
		.window = make_window(window, length, arena),
		.scratch = arena_array(arena, length, sizeof(double)),
	};
	for (size_t i = 0; i < length; i++)
		spectrum->window_square += gsl_pow_2(spectrum->window[i]);
}

static void add_segment(struct spectrum *spectrum, const double *values, double mean)
{
	size_t length = spectrum->length;
	double *x = spectrum->scratch;
	/* Both signs of a frequency go to one side; 0 and the highest are their own mirrors. */
	double scale = spectrum->interval_s / spectrum->window_square;

	for (size_t i = 0; i < length; i++)
		x[i] = (values[i] - mean) * spectrum->window[i];
	gsl_fft_real_radix2_transform(x, 1, length);
	spectrum->psd[0] += scale * gsl_pow_2(x[0]);
	for (size_t k = 1; k < length / 2; k++)
		spectrum->psd[k] += 2 * scale * (gsl_pow_2(x[k]) + gsl_pow_2(x[length - k]));
	spectrum->psd[length / 2] += scale * gsl_pow_2(x[length / 2]);
	spectrum->segments++;
}

void spectrum_add(struct spectrum *spectrum, const double *values, size_t n)
{
	double mean = n ? gsl_stats_mean(values, 1, n) : 0;

	for (size_t at = 0; at + spectrum->length <= n; at += spectrum->length / 2)
		add_segment(spectrum, values + at, mean);
}

void spectrum_finish(struct spectrum *spectrum)
{
	for (size_t k = 0; k < spectrum->nr && spectrum->segments; k++)
		spectrum->psd[k] /= (double)spectrum->segments;
}

size_t spectrum_peak(const struct spectrum *spectrum)
{
	size_t peak = 1;

	for (size_t k = 2; k < spectrum->nr; k++)
		if ((double)k * spectrum->psd[k] > (double)peak * spectrum->psd[peak])
			peak = k;
	return peak;
}
