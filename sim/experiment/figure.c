#include "sim/experiment/figure.h"

#include <math.h>
#include <string.h>

void figure_header(FILE *out)
{
	fputs("panel_nr,panel,series_nr,variant,numeric,x,axis,unit,published,simulated,ci95_lo,"
	      "ci95_hi\n",
		out);
}

/* gnuplot ends a field at a comma, quoted or not. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(*text == ',' ? ';' : *text, out);
}

static void put_number(FILE *out, double value)
{
	if (isnan(value))
		fputs(",NaN", out);
	else
		fprintf(out, ",%.9g", value);
}

static bool is_shown(const struct experiment *e, const struct target *t)
{
	return !e->notes.figure || strcmp(e->notes.figure, t->label) == 0;
}

static bool same_panel(const struct target *a, const struct target *b)
{
	return strcmp(a->panel, b->panel) == 0 && strcmp(a->label, b->label) == 0;
}

static const struct coordinate *place(const struct target *t)
{
	return t->nr_axes ? &t->axes[t->nr_axes - 1] : NULL;
}

/* The variant's number in order of appearance among the targets shown. */
static size_t series_of(const struct experiment *e, size_t i)
{
	const char *names[64];
	size_t nr = 0;

	for (size_t k = 0; k <= i; k++) {
		size_t n = 0;

		if (!is_shown(e, &e->targets[k]))
			continue;
		while (n < nr && strcmp(names[n], e->targets[k].variant) != 0)
			n++;
		if (n == nr && nr < sizeof(names) / sizeof(names[0]))
			names[nr++] = e->targets[k].variant;
		if (k == i)
			return n + 1;
	}
	return 1;
}

static void put_row(FILE *out, const struct experiment *e, const struct outcome *o, size_t i,
	size_t panel, bool numeric, size_t at)
{
	const struct target *t = &e->targets[i];
	const struct coordinate *c = place(t);

	fprintf(out, "%zu,", panel);
	put_text(out, t->panel);
	fprintf(out, "%s", *t->panel ? ": " : "");
	put_text(out, t->label);
	fprintf(out, ",%zu,", series_of(e, i));
	put_text(out, t->variant);
	fprintf(out, ",%d", numeric);
	put_number(out, numeric ? c->number : (double)at);
	fputc(',', out);
	put_text(out, numeric ? c->name : t->variant);
	if (!numeric && c)
		fprintf(out, " %s", c->text);
	fputc(',', out);
	put_text(out, t->unit);
	put_number(out, t->has_published ? t->published : (double)NAN);
	put_number(out, o[i].simulated);
	put_number(out, isnan(o[i].lo) ? o[i].simulated : o[i].lo);
	put_number(out, isnan(o[i].hi) ? o[i].simulated : o[i].hi);
	fputc('\n', out);
}

/* All targets of the panel that target @first opens. */
static void put_panel(FILE *out, const struct experiment *e, const struct outcome *outcomes,
	size_t first, size_t panel)
{
	bool numeric = true;
	size_t at = 0;

	for (size_t i = first; i < e->nr_targets; i++) {
		const struct coordinate *c = place(&e->targets[i]);

		if (same_panel(&e->targets[first], &e->targets[i]) && (!c || isnan(c->number)))
			numeric = false;
	}
	for (size_t i = first; i < e->nr_targets; i++)
		if (same_panel(&e->targets[first], &e->targets[i]))
			put_row(out, e, outcomes, i, panel, numeric, ++at);
}

void figure_rows(FILE *out, const struct experiment *experiment, const struct outcome *outcomes,
	size_t *panels)
{
	for (size_t i = 0; i < experiment->nr_targets; i++) {
		bool fresh = is_shown(experiment, &experiment->targets[i]);

		for (size_t k = 0; fresh && k < i; k++)
			fresh = !same_panel(&experiment->targets[k], &experiment->targets[i]);
		if (fresh)
			put_panel(out, experiment, outcomes, i, ++*panels);
	}
}
