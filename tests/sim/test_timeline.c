/* The table behind a timeline, as the command plot leaves it beside the picture. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/program.h"

#define LOADS "configs/scenarios/explain-pcc-loads.yaml"
#define MAX_ROWS 4096

struct row {
	char kind[16], outcome[32], rule[32];
	double t_s, value, load_pct;
};

static struct program p;
static char top[64], dir[96], picture[96];
static struct row rows[MAX_ROWS];
static int nr;

static void enter(void)
{
	if (access("/usr/bin/gnuplot", X_OK) != 0)
		cr_skip_test("no gnuplot");
	strcpy(top, "/tmp/test_timeline_XXXXXX");
	cr_assert(ne(ptr, mkdtemp(top), NULL));
	snprintf(dir, sizeof(dir), "%s/run", top);
	snprintf(picture, sizeof(picture), "%s/a.svg", top);
	program_run(&p, "run", LOADS, "-o", dir, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
}

static void leave(void)
{
	remove_tree(top);
}

TestSuite(timeline, .init = enter, .fini = leave);

/* Text up to the next comma, which is skipped. */
static const char *field(const char *from, char *to, size_t size)
{
	size_t length = strcspn(from, ",\n");

	snprintf(to, size, "%.*s", (int)length, from);
	return from + length + (from[length] == ',');
}

static void read_rows(void)
{
	char path[128], line[256], number[32];
	FILE *file;

	snprintf(path, sizeof(path), "%s/a.data.csv", top);
	file = fopen(path, "r");
	cr_assert(ne(ptr, file, NULL), "%s", p.err);
	cr_assert(ne(ptr, fgets(line, sizeof(line), file), NULL));
	cr_assert(eq(str, line, "kind,t_s,value,load_pct,outcome,rule\n"));
	for (nr = 0; nr < MAX_ROWS && fgets(line, sizeof(line), file); nr++) {
		struct row *row = &rows[nr];
		const char *at = field(line, row->kind, sizeof(row->kind));

		at = field(at, number, sizeof(number));
		row->t_s = strtod(number, NULL);
		at = field(at, number, sizeof(number));
		row->value = strtod(number, NULL);
		at = field(at, number, sizeof(number));
		row->load_pct = *number ? strtod(number, NULL) : -1;
		at = field(at, row->outcome, sizeof(row->outcome));
		field(at, row->rule, sizeof(row->rule));
	}
	fclose(file);
}

static void draw(const char *from, const char *to)
{
	program_run(&p, "plot", dir, "--kind", "timeline", "-o", picture, "--from", from, "--to",
		to, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	cr_assert(eq(str, p.err, ""));
	read_rows();
}

static int count(const char *kind)
{
	int sum = 0;

	for (int i = 0; i < nr; i++)
		sum += strcmp(rows[i].kind, kind) == 0;
	return sum;
}

/* The published trace: the load that the governor saw, and the frequency that it gave. */
Test(timeline, decisions_are_those_of_the_run)
{
	static const struct {
		double load_pct, ghz;
	} published[] = { { 0, 1.2 }, { 1, 1.216 }, { 4, 1.264 }, { 0, 1.2 }, { 64, 2.224 } };
	int found = 0;

	program_run(&p, "plot", dir, "--kind", "timeline", "-o", picture, NULL);
	cr_assert(eq(int, p.status, 0), "%s", p.err);
	read_rows();
	cr_assert(eq(int, count("decision"), 20));
	for (int i = 0; i < nr && found < 5; i++) {
		if (strcmp(rows[i].kind, "decision") != 0)
			continue;
		cr_assert(epsilon_eq(dbl, rows[i].load_pct, published[found].load_pct, 1e-9));
		cr_assert(epsilon_eq(dbl, rows[i].value, published[found].ghz, 1e-9));
		cr_assert(eq(str, rows[i].rule, "map"));
		cr_assert(eq(str, rows[i].outcome, found ? "applied" : "no change"));
		found++;
	}
	cr_assert(eq(int, found, 5));
}

Test(timeline, a_window_has_what_lies_in_it)
{
	draw("30ms", "70ms");
	cr_assert(eq(int, count("decision"), 3));
	cr_assert(gt(int, count("busy"), 0));
	cr_assert(eq(int, count("busy"), count("power")));
	for (int i = 0; i < nr; i++) {
		cr_assert(ge(dbl, rows[i].t_s, 0.03));
		cr_assert(le(dbl, rows[i].t_s, 0.07));
	}
}

/* Mean power over the stretches is the energy of the run over its time. */
Test(timeline, stretches_of_power_add_up_to_the_energy)
{
	double joules = 0, end_s = 0;
	char *at;

	program_run(&p, "run", LOADS, "--format", "json", NULL);
	at = strstr(p.out, "\"energy_pkg_j\": ");
	cr_assert(ne(ptr, at, NULL));
	double energy_j = strtod(at + strlen("\"energy_pkg_j\": "), NULL);
	double elapsed_s = strtod(
		strstr(p.out, "\"elapsed_s\": ") + strlen("\"elapsed_s\": "), NULL);
	program_run(&p, "plot", dir, "--kind", "timeline", "-o", picture, NULL);
	read_rows();
	end_s = elapsed_s;
	for (int i = nr; i-- > 0;) {
		if (strcmp(rows[i].kind, "power") != 0)
			continue;
		joules += rows[i].value * (end_s - rows[i].t_s);
		end_s = rows[i].t_s;
	}
	/* The first stretch begins with the first event; the last, if short, is dropped. */
	cr_assert(epsilon_eq(dbl, joules / energy_j, 1.0, 0.02));
}

static void refused(const char *message)
{
	cr_assert(eq(int, p.status, 64), "%s", p.err);
	cr_assert(ne(ptr, strstr(p.err, message), NULL), "%s", p.err);
	cr_assert(ne(int, access(picture, F_OK), 0));
}

Test(timeline, mistakes_are_explained)
{
	program_run(&p, "plot", dir, "--kind", "timeline", "-o", picture, "--cpu", "60", NULL);
	refused("there is no CPU 60; the machine has CPUs 0..59");
	program_run(&p, "plot", dir, "--kind", "timeline", "-o", picture, "--from", "50s", NULL);
	refused("the run has ended at 0.");
	program_run(&p, "plot", dir, "--kind", "timeline", "-o", picture, "--to", "soon", NULL);
	refused("--to: \"soon\" is no time such as 1.20s");
}
