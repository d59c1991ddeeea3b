#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/report/power_report.h"
#include "sim/run.h"

/* Two repeats read every half second: 12 W and a sine of 2 W and 0.25 Hz; one reading is off. */

#define READINGS 256

static struct power_sample samples[2][READINGS];
static struct result runs[2];
static const struct result *const results[] = { &runs[0], &runs[1] };
static struct power_report power, none;
static struct report report = { .results = results, .nr = 2, .power = &power };
static struct arena arena;

static void setup(void)
{
	if (arena_try(&arena))
		abort();
	for (int r = 0; r < 2; r++) {
		for (int i = 0; i < READINGS; i++)
			samples[r][i] = (struct power_sample){
				.t_ns = (i + 1) * NSEC_PER_SEC / 2,
				.watts = 12 + 2 * sin(2 * M_PI * i / 8 + r),
			};
		runs[r] = (struct result){
			.repeat = r + 1, .samples = samples[r], .nr_samples = READINGS
		};
	}
	samples[1][100].watts = 43.8;
	power_report_make(&power, &arena, &report, NSEC_PER_SEC / 2);
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(power_report, .init = setup, .fini = teardown);

static char text[16384];

static void print_with(void (*write)(FILE *, const struct report *))
{
	FILE *out = fmemopen(text, sizeof(text), "w");

	write(out, &report);
	fclose(out);
}

Test(power_report, all_repeats_are_put_together)
{
	cr_assert(eq(sz, power.n, 2 * READINGS));
	cr_assert(epsilon_eq(dbl, power.stats.max, 43.8, 1e-12));
	cr_assert(epsilon_eq(dbl, power.robust.median, 12, 0.35));
	cr_assert(epsilon_eq(dbl, power.interval_s, 0.5, 0));
}

Test(power_report, outliers_are_named_with_their_time)
{
	print_with(power_report_write_outliers);
	const char *row = strstr(text, "\n2,50.500000000,43.800000,");

	cr_assert(eq(sz, power.nr_outliers, 1));
	cr_assert(eq(i64, power.outliers[0].repeat, 2));
	cr_assert(ne(ptr, (void *)row, NULL), "%s", text);
	print_with(power_report_write_summary);
	cr_assert(
		ne(ptr, strstr(text, "outliers 1: run 2 at 50.5 s: 43.80 W\n"), NULL), "%s", text);
}

Test(power_report, the_spectrum_peaks_where_the_power_swings)
{
	size_t peak = spectrum_peak(&power.spectrum);
	print_with(power_report_write_spectrum);

	cr_assert(eq(sz, power.spectrum.length, 128));
	/* Segments never cross from one repeat to the next. */
	cr_assert(eq(sz, power.spectrum.segments, 6));
	cr_assert(epsilon_eq(dbl, (double)peak * power.spectrum.step_hz, 0.25, 1e-12));
	cr_assert(eq(int, strncmp(text, "f_hz,psd_w2_per_hz,f_psd_w2\n0.015625,", 37), 0));
}

Test(power_report, the_histogram_holds_every_reading)
{
	print_with(power_report_write_histogram);
	const char *row = strchr(text, '\n') + 1;
	double from, to, share, sum = 0;
	long readings, nr = 0;

	for (; sscanf(row, "%lf,%lf,%ld,%lf", &from, &to, &readings, &share) == 4;
		row = strchr(row, '\n') + 1) {
		cr_assert(epsilon_eq(dbl, to - from, power.histogram.width, 1e-9));
		nr += readings;
		sum += share;
	}
	cr_assert(eq(long, nr, 2 * READINGS));
	cr_assert(epsilon_eq(dbl, sum, 100, 1e-3));
}

Test(power_report, the_table_has_all_and_each_repeat)
{
	print_with(power_report_write_csv);

	cr_assert(eq(int,
		strncmp(text, "repeat,n,mean_w,std_w,max_w,min_w,median_w,mad_w,outliers\nall,512,",
			66),
		0));
	cr_assert(ne(ptr, strstr(text, "\n2,0,"), NULL));
}

static void expect_text(void (*write)(FILE *, const struct report *), const char *expected)
{
	print_with(write);

	cr_assert(eq(str, text, (char *)expected));
}

Test(power_report, no_readings_leave_tables_with_a_header_alone)
{
	runs[0].nr_samples = runs[1].nr_samples = 0;
	power_report_make(&none, &arena, &report, NSEC_PER_SEC);
	report.power = &none;
	cr_assert(eq(sz, none.n, 0));
	expect_text(power_report_write_summary, "");
	expect_text(power_report_write_histogram, "from_w,to_w,readings,share_pct\n");
	expect_text(power_report_write_spectrum, "f_hz,psd_w2_per_hz,f_psd_w2\n");
}
