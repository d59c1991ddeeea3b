#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/report/tables.h"

static struct arena arena;
static struct error err;
static struct csv csv;
static char path[64];
static char *out;
static size_t size;

static void enter(void)
{
	cr_assert(eq(int, arena_try(&arena), 0));
}

static void leave(void)
{
	unlink(path);
	arena_free(&arena);
	free(out);
}

TestSuite(tables, .init = enter, .fini = leave);

static void read_table(const char *text)
{
	strcpy(path, "/tmp/test_tables_XXXXXX");
	int fd = mkstemp(path);

	cr_assert(eq(i64, (int64_t)write(fd, text, strlen(text)), (int64_t)strlen(text)));
	close(fd);
	cr_assert(eq(int, csv_read(&arena, path, &csv, &err), 0), "%s", err.text);
}

static void says(const char *text)
{
	cr_assert(ne(ptr, strstr(out, text), NULL), "no %s in\n%s", text, out);
}

#define NUMBER(value_, text_) "<td class=\"n\" data-v=\"" value_ "\">" text_ "</td>"

/* 4.302653 is Student's t for two degrees of freedom: 43, 44 and 45 deviate by 1. */
Test(tables, a_metric_has_mean_interval_and_spread)
{
	read_table("scenario,repeat,elapsed_s,energy_pkg_j\na,1,45,885\na,2,43,885\na,3,44,885\n");
	FILE *file = open_memstream(&out, &size);
	tables_write_metrics(file, &arena, &csv, true);
	fclose(file);
	says("<td>elapsed_s (s)</td><td class=\"n\" data-v=\"44\">44 <span class=\"ci\">[41.516, "
	     "46.484]</span></td>" NUMBER("1", "1") NUMBER("43", "43") NUMBER("44", "44")
			NUMBER("45", "45") NUMBER("3", "3") "<td></td><td>simulated time");
	says("<td><span class=\"mark\">assumed power</span></td><td>energy of all packages</td>");
}

/* Twice as long in every repeat: the ratio is 2, whatever the repeats have in common. */
Test(tables, a_point_is_compared_with_the_first_by_common_seeds)
{
	int first;

	read_table("scenario,point,governor,jobs,repeat,seed,elapsed_s,energy_pkg_j,failure\n"
		   "a,1,ondemand,8,1,7,10,5,\na,1,ondemand,8,2,8,11,5,\na,1,ondemand,8,3,9,12,5,\n"
		   "a,2,ondemand,16,1,7,20,5,\na,2,ondemand,16,2,8,22,5,\na,2,ondemand,16,3,9,24,"
		   "5,\na,3,ondemand,32,1,7,,,out of luck\n");
	cr_assert(eq(sz, tables_axes(&csv, &first), 2));
	cr_assert(eq(int, first, 2));
	FILE *file = open_memstream(&out, &size);
	tables_write_points(file, &arena, &csv, false);
	fclose(file);
	says("<tr>" NUMBER("1", "1") "<td>ondemand</td>" NUMBER("8", "8") NUMBER("3", "3"));
	says("data-v=\"2\">2 <span class=\"ci\">[2, 2]</span></td>");
	/* The one that failed has its row, with no runs. */
	says("<tr>" NUMBER("3", "3") "<td>ondemand</td>" NUMBER("32", "32") NUMBER("0", "0"));
}
