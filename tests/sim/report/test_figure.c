#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/report/figure.h"

static struct arena arena;
static struct error err;
static char paths[2][64];

static void enter(void)
{
	cr_assert(eq(int, arena_try(&arena), 0));
}

static void leave(void)
{
	for (int i = 0; i < 2; i++)
		if (paths[i][0])
			unlink(paths[i]);
	arena_free(&arena);
}

TestSuite(figure, .init = enter, .fini = leave);

static const char *table(int i, const char *text)
{
	strcpy(paths[i], "/tmp/test_figure_XXXXXX");
	int fd = mkstemp(paths[i]);

	cr_assert(ge(int, fd, 0));
	cr_assert(eq(i64, (int64_t)write(fd, text, strlen(text)), (int64_t)strlen(text)));
	close(fd);
	return paths[i];
}

static const char *stack(const char *const *files, size_t nr, size_t *bands)
{
	static const char *const names[] = { "one", "two" };
	const char *text = figure_residency(&arena, files, names, nr, bands, &err);

	cr_assert(ne(ptr, (void *)text, NULL), "%s", err.text);
	return text;
}

/* Both repeats count; what is left of 100 % is idle. */
Test(figure, residency_of_one_run_has_a_bar_per_policy)
{
	const char *file = table(0,
		"repeat,policy,khz,seconds\n1,0,0,6\n1,0,1200000,1\n1,0,2800000,3\n1,4,0,10\n"
		"2,0,0,8\n2,0,2800000,2\n2,4,1200000,10\n");
	size_t bands;

	cr_assert(eq(str, (char *)stack(&file, 1, &bands),
		"name,idle,1.2 GHz,2.8 GHz\npolicy0,70,5,25\npolicy4,50,50,0\n"));
	cr_assert(eq(sz, bands, 2));
}

Test(figure, residency_of_several_runs_has_a_bar_for_each)
{
	const char *files[] = { table(0, "repeat,policy,khz,seconds\n1,0,0,1\n1,4,1200000,3\n"),
		table(1, "repeat,policy,khz,seconds\n1,0,0,4\n1,4,885000,1\n") };
	size_t bands;

	cr_assert(eq(str, (char *)stack(files, 2, &bands),
		"name,idle,0.885 GHz,1.2 GHz\none,25,0,75\ntwo,80,20,0\n"));
}

Test(figure, many_clocks_are_put_together_in_bands)
{
	char text[1024] = "repeat,policy,khz,seconds\n";
	size_t bands;

	for (int i = 0; i <= 16; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "1,0,%d,1\n",
			1200000 + 100000 * i);
	const char *file = table(0, text), *out = stack(&file, 1, &bands);
	cr_assert(eq(sz, bands, 8));
	cr_assert(ne(ptr, strstr(out, ",1.2 to 1.4 GHz,"), NULL), "%s", out);
	/* Two of 17 in each band, three in the first. */
	cr_assert(ne(ptr, strstr(out, "\npolicy0,0,17.6471,11.7647,"), NULL), "%s", out);
	cr_assert(ne(ptr, strstr(out, ",11.7647\n"), NULL), "%s", out);
}

Test(figure, another_table_is_no_residency)
{
	static const char *const names[] = { "one" };
	const char *file = table(0, "a,b\n1,2\n");
	size_t bands;

	cr_assert(eq(ptr, (void *)figure_residency(&arena, &file, names, 1, &bands, &err), NULL));
	cr_assert(ne(ptr, strstr(err.text, "no columns policy, khz and seconds"), NULL));
}

/* 2.776445 is Student's t for four degrees of freedom: 5, 6, 7, 8, 9 deviate by sqrt(2.5). */
Test(figure, bars_have_half_the_width_of_the_interval)
{
	static const char *const names[] = { "one" };
	const char *file = table(0,
		"elapsed_s,energy_pkg_j,freq_avg_ghz,transitions\n5,1,2,0\n6,1,2,0\n7,1,2,0\n"
		"8,1,2,0\n9,1,2,0\n");
	const char *text = figure_bars(&arena, &file, names, 1, &err);

	cr_assert(ne(ptr, (void *)text, NULL), "%s", err.text);
	cr_assert(ne(ptr, strstr(text, "\none,7,1.9632"), NULL), "%s", text);
	cr_assert(ne(ptr, strstr(text, ",1,0,2,0,0,0\n"), NULL), "%s", text);
}
