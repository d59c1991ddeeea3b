#include "sim/experiment/page.h"

#include <math.h>

#include "sim/experiment/show.h"

/* Text in a cell: a bar would end it. */
static void put_cell(FILE *out, const char *text)
{
	for (; text && *text; text++)
		fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

static void put_paragraph(FILE *out, const char *title, const char *text)
{
	if (text)
		fprintf(out, "**%s.** %s\n\n", title, text);
}

static void put_number(FILE *out, const char *format, double value)
{
	fputs(" |", out);
	if (!isnan(value))
		fprintf(out, format, value);
}

static void put_parameters(FILE *out, const struct experiment *e)
{
	if (e->nr_parameters == 0)
		return;
	fputs("| parameter | value | | source, cells or reason |\n|---|---|---|---|\n", out);
	for (size_t i = 0; i < e->nr_parameters; i++) {
		const struct parameter *p = &e->parameters[i];

		fprintf(out, "| `%s` | %s | %s | ", p->path, p->value ? p->value : "",
			status_names[p->status]);
		put_cell(out, p->source);
		fputs(" |\n", out);
	}
	fputc('\n', out);
}

static void put_row(FILE *out, const struct target *t, const struct outcome *o)
{
	char tolerance[64];

	tolerance_print(&t->tolerance, tolerance, sizeof(tolerance));
	fprintf(out, "| %s | ", t->id);
	put_cell(out, t->unit);
	put_number(out, " %.6g", t->has_published ? t->published : (double)NAN);
	put_number(out, " %.6g", o->simulated);
	put_number(out, " %.6g", o->lo);
	put_number(out, " %.6g", o->hi);
	put_number(out, " %+.2f", o->error_pct);
	fprintf(out, " | %s | %s | %s |\n", tolerance, o->verdict, role_names[t->role]);
}

static void put_rows(FILE *out, const struct experiment *e, const struct outcome *outcomes)
{
	fprintf(out,
		"<details><summary>%zu numbers</summary>\n\n"
		"| target | unit | published | simulated | 95 %% from | to | error %% | tolerance "
		"| "
		"verdict | role |\n|---|---|---|---|---|---|---|---|---|---|\n",
		e->nr_targets);
	for (size_t i = 0; i < e->nr_targets; i++)
		put_row(out, &e->targets[i], &outcomes[i]);
	fputs("\n</details>\n\n", out);
}

/* Tolerances that no table of targets has, each with its reason once. */
static void put_reasons(FILE *out, const struct experiment *e)
{
	const struct target *last = NULL;

	for (size_t i = 0; i < e->nr_targets; i++) {
		const struct target *t = &e->targets[i];
		char tolerance[64];

		if (!t->why || (last && t->comparison == last->comparison && t->why == last->why))
			continue;
		tolerance_print(&t->tolerance, tolerance, sizeof(tolerance));
		fprintf(out, "%s %s (%s)",
			last ? ";" : "Tolerances that are stated here:", tolerance, t->why);
		last = t;
	}
	if (last)
		fputs(".\n\n", out);
}

void page_write(FILE *out, const struct experiment *experiment, const struct outcome *outcomes,
	const struct summary *summary, const char *figure)
{
	const struct experiment_notes *n = &experiment->notes;

	fprintf(out, "### %s\n\n", experiment->name);
	if (experiment->summary)
		fprintf(out, "%s.\n\n", experiment->summary);
	put_paragraph(out, "Published", n->source);
	put_paragraph(out, "Machine", n->machine);
	put_paragraph(out, "Kernel", n->kernel);
	fprintf(out, "![%s](%s)\n\n```", experiment->name, figure);
	show_summary(out, experiment, summary);
	fputs("```\n\n", out);
	put_paragraph(out, "Mechanism", n->mechanism);
	put_paragraph(out, "Ablations", n->ablations);
	put_paragraph(out, "Known gaps", n->gaps);
	put_parameters(out, experiment);
	put_reasons(out, experiment);
	put_rows(out, experiment, outcomes);
}
