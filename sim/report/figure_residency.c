#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/clock_bands.h"
#include "sim/report/csv.h"
#include "sim/report/figure.h"
#include "sim/report/figure_text.h"

/* More policies than these are put together in one bar. */
#define MAX_POLICIES 12

struct bar {
	const char *name;
	double total_s;
	double idle_s;
	double band_s[CLOCK_BANDS];
};

struct stack {
	struct bar *bars;
	size_t nr_bars;
	struct clock_bands bands;
};

struct columns {
	struct csv csv;
	int policy, khz, seconds;
};

static int find_columns(struct columns *c, struct arena *arena, const char *path, struct error *err)
{
	if (csv_read(arena, path, &c->csv, err) < 0)
		return -1;
	c->policy = csv_column(&c->csv, "policy");
	c->khz = csv_column(&c->csv, "khz");
	c->seconds = csv_column(&c->csv, "seconds");
	if (c->policy >= 0 && c->khz >= 0 && c->seconds >= 0)
		return 0;
	return error_at(err, ERROR_RUN, (struct where){ .file = path },
		"no columns policy, khz and seconds; expected what run -o writes");
}

static int64_t khz_of(const struct columns *c, size_t row)
{
	return strtoll(csv_cell(&c->csv, row, c->khz), NULL, 10);
}

static struct bar *bar_called(struct stack *stack, const char *name)
{
	for (size_t i = 0; i < stack->nr_bars; i++)
		if (strcmp(stack->bars[i].name, name) == 0)
			return &stack->bars[i];
	stack->bars[stack->nr_bars] = (struct bar){ .name = name };
	return &stack->bars[stack->nr_bars++];
}

static void add_row(const struct stack *stack, struct bar *bar, int64_t khz, double seconds)
{
	bar->total_s += seconds;
	if (khz == 0)
		bar->idle_s += seconds;
	else
		bar->band_s[clock_bands_of(&stack->bands, khz)] += seconds;
}

static void write_head(FILE *out, struct arena *arena, const struct stack *stack)
{
	fputs("name,idle", out);
	for (size_t i = 0; i < stack->bands.nr; i++)
		fprintf(out, ",%s", clock_bands_name(&stack->bands, arena, i));
	fputc('\n', out);
}

static void write_rows(FILE *out, const struct stack *stack)
{
	for (size_t i = 0; i < stack->nr_bars; i++) {
		const struct bar *bar = &stack->bars[i];
		double percent = bar->total_s > 0 ? 100 / bar->total_s : 0;

		csv_field(out, bar->name);
		fprintf(out, ",%.6g", percent * bar->idle_s);
		for (size_t k = 0; k < stack->bands.nr; k++)
			fprintf(out, ",%.6g", percent * bar->band_s[k]);
		fputc('\n', out);
	}
}

static const char *write_stack(const struct stack *stack, struct arena *arena, struct error *err)
{
	struct figure_text text;

	if (figure_text_start(&text, err) < 0)
		return NULL;
	write_head(text.out, arena, stack);
	write_rows(text.out, stack);
	return figure_text_end(&text, arena, err);
}

/* How many policies one table has, as far as they can be told apart in a figure. */
static size_t count_policies(const struct columns *c, struct arena *arena)
{
	struct stack stack = { .bars = arena_array(arena, MAX_POLICIES + 1, sizeof(struct bar)) };

	for (size_t row = 0; row < c->csv.nr_rows && stack.nr_bars <= MAX_POLICIES; row++)
		bar_called(&stack, csv_cell(&c->csv, row, c->policy));
	return stack.nr_bars;
}

/* Adds the rows of one table, to a bar called @name or, without one, to one per policy. */
static void add_table(
	struct stack *stack, struct arena *arena, const struct columns *c, const char *name)
{
	for (size_t row = 0; row < c->csv.nr_rows; row++) {
		const char *bar = name;

		if (!bar)
			bar = arena_printf(arena, "policy%s", csv_cell(&c->csv, row, c->policy));
		add_row(stack, bar_called(stack, bar), khz_of(c, row),
			strtod(csv_cell(&c->csv, row, c->seconds), NULL));
	}
}

const char *figure_residency(struct arena *arena, const char *const *paths,
	const char *const *names, size_t nr, size_t *bands, struct error *err)
{
	struct columns *tables = arena_array(arena, nr, sizeof(*tables));
	struct stack stack = { .nr_bars = 0 };

	for (size_t i = 0; i < nr; i++) {
		if (find_columns(&tables[i], arena, paths[i], err) < 0)
			return NULL;
		for (size_t row = 0; row < tables[i].csv.nr_rows; row++)
			clock_bands_add(&stack.bands, khz_of(&tables[i], row));
	}
	bool apart = nr == 1 && count_policies(&tables[0], arena) <= MAX_POLICIES;
	stack.bars = arena_array(arena, nr + MAX_POLICIES, sizeof(*stack.bars));
	for (size_t i = 0; i < nr; i++)
		add_table(&stack, arena, &tables[i], apart ? NULL : names[i]);
	*bands = stack.bands.nr;
	return write_stack(&stack, arena, err);
}
