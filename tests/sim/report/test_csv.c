#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/report/csv.h"
#include "sim/run.h"

static struct arena arena;
static struct error err;

/* Reads @text as a file. */
static int read_csv(const char *text, struct csv *csv)
{
	char path[] = "/tmp/test_csv_XXXXXX";
	int fd = mkstemp(path);

	if (arena_try(&arena))
		abort();
	cr_assert(eq(int, (int)write(fd, text, strlen(text)), (int)strlen(text)));
	close(fd);
	int result = csv_read(&arena, path, csv, &err);
	unlink(path);
	return result;
}

Test(csv, cells_are_found_by_column_name)
{
	struct csv csv;

	cr_assert(eq(int, read_csv("jobs,elapsed_s\r\n32,37.26\r\n64,14.04", &csv), 0));
	cr_assert(eq(sz, csv.nr_rows, 2));
	int column = csv_column(&csv, "elapsed_s");
	cr_assert(eq(int, column, 1));
	cr_assert(eq(str, (char *)csv_cell(&csv, 1, column), "14.04"));
	cr_assert(eq(int, csv_column(&csv, "elapsed"), -1));
	arena_free(&arena);
}

Test(csv, quoted_fields_keep_commas_quotes_and_line_feeds)
{
	struct csv csv;

	cr_assert(eq(int, read_csv("a,b\n\"1,5\",\"say \"\"hi\"\"\"\n", &csv), 0));
	cr_assert(eq(str, (char *)csv_cell(&csv, 0, 0), "1,5"));
	cr_assert(eq(str, (char *)csv_cell(&csv, 0, 1), "say \"hi\""));
	arena_free(&arena);
}

Test(csv, a_short_row_is_refused_with_its_line)
{
	struct csv csv;

	cr_assert(eq(int, read_csv("a,b,c\n1,2,3\n4,5\n", &csv), -1));
	cr_assert(strstr(err.text, ":3:1: found 2 fields; expected 3") != NULL);
	cr_assert(eq(int, err.code, ERROR_SCENARIO));
	arena_free(&arena);
}

Test(csv, a_long_row_is_refused_with_its_line)
{
	struct csv csv;

	cr_assert(eq(int, read_csv("a,b\n1,2,3\n", &csv), -1));
	cr_assert(strstr(err.text, ":2:1: more than 2 fields") != NULL);
	arena_free(&arena);
}

Test(csv, an_empty_file_is_refused)
{
	struct csv csv;

	cr_assert(eq(int, read_csv("", &csv), -1));
	cr_assert(strstr(err.text, "the file is empty") != NULL);
	arena_free(&arena);
}

Test(csv, a_missing_file_is_named)
{
	struct csv csv;

	if (arena_try(&arena))
		abort();
	cr_assert(eq(int, csv_read(&arena, "/nowhere/x.csv", &csv, &err), -1));
	cr_assert(eq(str, err.text, "/nowhere/x.csv: No such file or directory"));
	arena_free(&arena);
}

static char *text_of(const struct report *report, void (*write)(FILE *, const struct report *))
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	write(out, report);
	fclose(out);
	return text;
}

static struct power_sample samples[] = { { INT64_C(1500000000), 43.815 } };
static struct residency residencies[] = { { 4, 2205000, INT64_C(1234567891) },
	{ 4, 0, INT64_C(7) } };
static struct idle_residency idle[] = { { 4, "C6", 613, INT64_C(2345678901) } };
static struct latency_count latencies[] = { { 6422528, 6455295, 17 } };
static const struct result result = { .repeat = 3,
	.metrics = { [METRIC_elapsed_s] = 37.26, [METRIC_transitions] = 2382 },
	.samples = samples,
	.nr_samples = 1,
	.residencies = residencies,
	.nr_residencies = 2,
	.idle = idle,
	.nr_idle = 1,
	.latencies = latencies,
	.nr_latencies = 1 };
static const struct result *const results[] = { &result };
static const struct report report = { .scenario = "a,b",
	.governor = "ondemand",
	.driver = "pcc-cpufreq",
	.workload = "periodic",
	.seed = 43815,
	.results = results,
	.nr = 1 };

Test(csv, runs_have_one_row_per_run_and_one_column_per_metric)
{
	char *text = text_of(&report, csv_write_runs);
	struct csv csv;

	cr_assert(eq(int, read_csv(text, &csv), 0));
	cr_assert(eq(sz, csv.nr_columns, 6 + METRIC_NR));
	cr_assert(eq(str, (char *)csv_cell(&csv, 0, 0), "a,b"));
	cr_assert(eq(str, (char *)csv_cell(&csv, 0, csv_column(&csv, "repeat")), "3"));
	cr_assert(eq(str, (char *)csv_cell(&csv, 0, csv_column(&csv, "seed")), "43815"));
	cr_assert(
		eq(str, (char *)csv_cell(&csv, 0, csv_column(&csv, "elapsed_s")), "37.260000000"));
	cr_assert(eq(str, (char *)csv_cell(&csv, 0, csv_column(&csv, "transitions")), "2382"));
	free(text);
	arena_free(&arena);
}

Test(csv, the_power_series_is_one_row_per_reading)
{
	char *text = text_of(&report, csv_write_power);

	cr_assert(eq(str, text, "repeat,t_s,power_w\n3,1.500000000,43.815000\n"));
	free(text);
}

Test(csv, residency_is_exact_to_the_nanosecond)
{
	char *text = text_of(&report, csv_write_residency);

	cr_assert(eq(str, text,
		"repeat,policy,khz,seconds\n3,4,2205000,1.234567891\n3,4,0,0.000000007\n"));
	free(text);
}

Test(csv, idle_states_have_usage_and_time)
{
	char *text = text_of(&report, csv_write_idle);

	cr_assert(eq(str, text, "repeat,policy,state,usage,seconds\n3,4,C6,613,2.345678901\n"));
	free(text);
}

Test(csv, wake_up_latencies_are_counted_between_two_times)
{
	char *text = text_of(&report, csv_write_latency);

	cr_assert(eq(str, text, "repeat,from_us,to_us,wakeups\n3,6422.528,6455.295,17\n"));
	free(text);
}
