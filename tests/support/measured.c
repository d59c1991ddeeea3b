#include "tests/support/measured.h"

#include <criterion/criterion.h>
#include <string.h>

#include "sim/report/metric.h"

double measured(const struct tiny *tiny, const char *name)
{
	struct measure measures[MEASURES_MAX];
	int nr = metric_measures(&tiny->run, measures);

	for (int i = 0; i < nr; i++)
		if (strcmp(measures[i].name, name) == 0)
			return measures[i].value;
	cr_assert(0, "the workload measures no %s", name);
	return 0;
}

double cycles_done(const struct tiny *tiny)
{
	double values[METRIC_NR];

	metric_collect(&tiny->run, values);
	return values[METRIC_total_cycles];
}
