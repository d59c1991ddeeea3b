#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "sim/report/series.h"

static const double readings[] = { 12.5, 11.75, 12.25, 25.5, 12.0, 11.5, 12.75, 2.25, 12.25 };

#define NR (sizeof(readings) / sizeof(readings[0]))

static struct arena arena;

static void setup(void)
{
	if (arena_try(&arena))
		abort();
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(series, .init = setup, .fini = teardown);

Test(series, median_and_mad_of_known_readings)
{
	double scratch[2 * NR];
	struct robust r;

	series_robust(readings, NR, scratch, &r);
	/* Distances from 12.25: 0.25 0.5 0 13.25 0.25 0.75 0.5 10 0; the fifth of them is 0.5. */
	cr_assert(eq(dbl, r.median, 12.25));
	cr_assert(eq(dbl, r.mad, 0.5));
	cr_assert(epsilon_eq(dbl, r.scale, 0.741301109252801, 1e-14));
}

Test(series, outliers_are_far_from_the_median_on_either_side)
{
	double scratch[2 * NR];
	struct robust r;

	series_robust(readings, NR, scratch, &r);
	cr_assert(epsilon_eq(dbl, series_score(&r, 25.5), 13.25 / 0.741301109252801, 1e-12));
	cr_assert(lt(dbl, series_score(&r, 2.25), -OUTLIER_SCORE));
	cr_assert(eq(sz, series_outliers(readings, NR, &r), 2));
}

Test(series, equal_readings_have_no_outlier_and_one_that_differs_is_one)
{
	double values[20], scratch[40];
	struct robust r;

	for (size_t i = 0; i < 20; i++)
		values[i] = 43.815;
	series_robust(values, 20, scratch, &r);
	cr_assert(eq(dbl, r.scale, 0));
	cr_assert(eq(sz, series_outliers(values, 20, &r), 0));
	values[7] = 44.1;
	series_robust(values, 20, scratch, &r);
	cr_assert(eq(dbl, r.mad, 0));
	cr_assert(eq(sz, series_outliers(values, 20, &r), 1));
}

Test(series, the_scale_of_normal_values_is_their_deviation)
{
	static double values[100000], scratch[200000];
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	struct robust r;

	for (size_t i = 0; i < 100000; i++)
		values[i] = 13.7 + gsl_ran_gaussian(rng, 0.73);
	gsl_rng_free(rng);
	series_robust(values, 100000, scratch, &r);
	cr_assert(epsilon_eq(dbl, r.scale, 0.73, 0.01));
	/* 0.000465 of normal values lie beyond 3.5 deviations. */
	cr_assert(epsilon_eq(dbl, (double)series_outliers(values, 100000, &r), 46.5, 30));
}

Test(series, bins_have_a_round_width_and_hold_every_reading_once)
{
	struct series_histogram h;
	size_t sum = 0;

	series_histogram(readings, NR, &arena, &h);
	/* 23.25 W in at most 6 bins: 3.875 or more each. */
	cr_assert(eq(dbl, h.width, 5));
	cr_assert(eq(dbl, h.from, 0));
	cr_assert(eq(sz, h.nr, 6));
	for (size_t i = 0; i < h.nr; i++)
		sum += h.counts[i];
	cr_assert(eq(sz, sum, NR));
	cr_assert(eq(sz, h.counts[2], 7));
	cr_assert(eq(dbl, series_histogram_mode(&h), 12.5));
}

Test(series, the_highest_reading_on_a_border_has_no_bin_of_its_own)
{
	static const double values[] = { 10, 11, 12, 13, 14, 15, 16, 17, 20 };
	struct series_histogram h;

	series_histogram(values, 9, &arena, &h);
	cr_assert(eq(dbl, h.width, 2));
	cr_assert(eq(sz, h.nr, 5));
	cr_assert(eq(sz, h.counts[0], 2));
	cr_assert(eq(sz, h.counts[4], 1));
}

Test(series, equal_readings_share_one_bin)
{
	static const double values[] = { 43.815, 43.815, 43.815 };
	struct series_histogram h;

	series_histogram(values, 3, &arena, &h);
	cr_assert(eq(sz, h.nr, 1));
	cr_assert(eq(sz, h.counts[0], 3));
	cr_assert(eq(dbl, series_histogram_mode(&h), 43.5));
}

#define LENGTH 1024
#define INTERVAL 0.25
#define BIN 77
#define AMPLITUDE 3.7

/* A sine whose frequency is that of a bin, on top of a mean. */
static double *sine(size_t n)
{
	double *values = arena_array(&arena, n, sizeof(*values));

	for (size_t i = 0; i < n; i++)
		values[i] = 16.9 + AMPLITUDE * sin(2 * M_PI * BIN * (double)i / LENGTH + 0.4);
	return values;
}

static double total(const struct spectrum *s)
{
	double sum = 0;

	for (size_t k = 0; k < s->nr; k++)
		sum += s->psd[k] * s->step_hz;
	return sum;
}

Test(series, a_sine_has_all_its_power_at_its_frequency)
{
	struct spectrum s;

	spectrum_init(&s, LENGTH, INTERVAL, WINDOW_RECTANGULAR, &arena);
	spectrum_add(&s, sine(LENGTH), LENGTH);
	spectrum_finish(&s);
	cr_assert(eq(sz, s.segments, 1));
	cr_assert(epsilon_eq(dbl, s.step_hz, 1 / (LENGTH * INTERVAL), 1e-15));
	cr_assert(eq(sz, spectrum_peak(&s), BIN));
	cr_assert(epsilon_eq(dbl, s.psd[BIN] * s.step_hz, AMPLITUDE * AMPLITUDE / 2, 1e-9));
	cr_assert(epsilon_eq(dbl, total(&s), AMPLITUDE * AMPLITUDE / 2, 1e-9));
	cr_assert(lt(dbl, s.psd[BIN + 1], 1e-20));
}

Test(series, a_hann_window_spreads_a_sine_over_one_and_a_half_bins)
{
	struct spectrum s;

	spectrum_init(&s, LENGTH, INTERVAL, WINDOW_HANN, &arena);
	spectrum_add(&s, sine(8 * LENGTH), 8 * LENGTH);
	spectrum_finish(&s);
	cr_assert(eq(sz, s.segments, 15));
	cr_assert(eq(sz, spectrum_peak(&s), BIN));
	cr_assert(epsilon_eq(dbl, s.psd[BIN] * s.step_hz * 1.5, AMPLITUDE * AMPLITUDE / 2, 1e-9));
	cr_assert(epsilon_eq(dbl, s.psd[BIN + 1] / s.psd[BIN], 0.25, 1e-9));
	cr_assert(epsilon_eq(dbl, total(&s), AMPLITUDE * AMPLITUDE / 2, 1e-9));
}

/* Parseval: without a window the densities add up to the variance of any values; with one, to the
 * mean square of what is left of them over that of the window. */
Test(series, densities_add_up_to_the_variance)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	double values[LENGTH], mean = 0, square = 0, windowed = 0, window = 0;
	struct spectrum s;

	for (size_t i = 0; i < LENGTH; i++)
		mean += (values[i] = 12 + gsl_ran_exponential(rng, 5.5)) / LENGTH;
	gsl_rng_free(rng);
	for (size_t i = 0; i < LENGTH; i++) {
		double weight = 0.5 - 0.5 * cos(2 * M_PI * (double)i / LENGTH);

		square += (values[i] - mean) * (values[i] - mean);
		windowed += (values[i] - mean) * (values[i] - mean) * weight * weight;
		window += weight * weight;
	}
	spectrum_init(&s, LENGTH, INTERVAL, WINDOW_RECTANGULAR, &arena);
	spectrum_add(&s, values, LENGTH);
	spectrum_finish(&s);
	cr_assert(epsilon_eq(dbl, total(&s), square / LENGTH, 1e-9 * square / LENGTH));
	spectrum_init(&s, LENGTH, INTERVAL, WINDOW_HANN, &arena);
	spectrum_add(&s, values, LENGTH);
	spectrum_finish(&s);
	cr_assert(epsilon_eq(dbl, total(&s), windowed / window, 1e-9 * windowed / window));
}

/* White noise of variance 2.25 read every 0.25 s: 2.25 x 2 x 0.25 at every frequency. */
Test(series, white_noise_is_as_dense_everywhere)
{
	const size_t n = 200 * LENGTH;
	double *values = arena_array(&arena, n, sizeof(*values)), low = 0, high = 0;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	struct spectrum s;

	for (size_t i = 0; i < n; i++)
		values[i] = gsl_ran_gaussian(rng, 1.5);
	gsl_rng_free(rng);
	spectrum_init(&s, LENGTH, INTERVAL, WINDOW_HANN, &arena);
	spectrum_add(&s, values, n);
	spectrum_finish(&s);
	for (size_t k = 10; k < 110; k++) {
		low += s.psd[k] / 100;
		high += s.psd[k + 390] / 100;
	}
	cr_assert(epsilon_eq(dbl, low, 1.125, 0.02));
	cr_assert(epsilon_eq(dbl, high, 1.125, 0.02));
}

Test(series, a_spectrum_needs_sixteen_readings)
{
	cr_assert(eq(sz, spectrum_length(15), 0));
	cr_assert(eq(sz, spectrum_length(16), 8));
	cr_assert(eq(sz, spectrum_length(31), 8));
	cr_assert(eq(sz, spectrum_length(4000), 1024));
}
