#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/json.h"

Test(json, strings_are_escaped)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	json_string(out, "a\"b\\c\n");
	fclose(out);
	cr_assert(eq(str, text, "\"a\\\"b\\\\c\\u000a\""));
	free(text);
}

Test(json, runs_are_a_list_of_objects_with_every_metric)
{
	static const struct result first = { .repeat = 1,
		.metrics = { [METRIC_elapsed_s] = 37.26 } };
	static const struct result second = { .repeat = 2,
		.metrics = { [METRIC_elapsed_s] = 36.71 } };
	static const struct result *const results[] = { &first, &second };
	static const struct report report = { .scenario = "pcc",
		.governor = "ondemand",
		.driver = "pcc-cpufreq",
		.workload = "kernel-build",
		.seed = 7,
		.results = results,
		.power_assumed = true,
		.nr = 2 };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	json_write_runs(out, &report);
	fclose(out);
	cr_assert(strstr(text, "\"seed\": 7,\n  \"power_assumed\": true,\n  \"runs\": [") != NULL);
	cr_assert(strstr(text, "\"repeat\": 1,\n      \"elapsed_s\": 37.260000000") != NULL);
	cr_assert(strstr(text, "\n    },\n    {\n      \"repeat\": 2,") != NULL);
	cr_assert(strstr(text, "\"hwp_choices\": 0\n    }\n  ]\n}\n") != NULL);
	free(text);
}
