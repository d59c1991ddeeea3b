#include "sim/experiment/show.h"

#include <math.h>

#include "sim/report/csv.h"

/* A number as CSV has it: nothing where there is none. */
static void csv_number(FILE *out, const char *format, double value)
{
	fputc(',', out);
	if (!isnan(value))
		fprintf(out, format, value);
}

static double published_of(const struct target *t)
{
	return t->has_published ? t->published : (double)NAN;
}

void show_csv_header(FILE *out)
{
	fputs("experiment,target_id,unit,published,simulated,ci95_lo,ci95_hi,error_pct,tolerance,"
	      "verdict,role\n",
		out);
}

void show_csv(FILE *out, const struct experiment *experiment, const struct outcome *outcomes)
{
	for (size_t i = 0; i < experiment->nr_targets; i++) {
		const struct target *t = &experiment->targets[i];
		const struct outcome *o = &outcomes[i];
		char tolerance[64];

		tolerance_print(&t->tolerance, tolerance, sizeof(tolerance));
		csv_field(out, experiment->name);
		fputc(',', out);
		csv_field(out, t->id);
		fputc(',', out);
		csv_field(out, t->unit);
		csv_number(out, "%.9g", published_of(t));
		csv_number(out, "%.9g", o->simulated);
		csv_number(out, "%.9g", o->lo);
		csv_number(out, "%.9g", o->hi);
		csv_number(out, "%.3f", o->error_pct);
		fprintf(out, ",%s,%s,%s\n", tolerance, o->verdict, role_names[t->role]);
	}
}

void show_summary_header(FILE *out)
{
	fputs("experiment,role,quantity,value\n", out);
}

static void summary_row(FILE *out, const struct experiment *experiment, const char *role,
	const char *quantity, double value)
{
	csv_field(out, experiment->name);
	fprintf(out, ",%s,%s,%.9g\n", role, quantity, value);
}

void show_summary_csv(FILE *out, const struct experiment *experiment, const struct summary *summary)
{
	for (int r = 0; r < ROLE_UNSCORED; r++) {
		const struct role_summary *role = &summary->roles[r];

		if (role->nr == 0)
			continue;
		summary_row(out, experiment, role_names[r], "cells", (double)role->nr);
		summary_row(
			out, experiment, role_names[r], "within_tolerance", (double)role->nr_ok);
		summary_row(out, experiment, role_names[r], "mean_abs_error_pct",
			role->sum_pct / (double)role->nr);
		summary_row(out, experiment, role_names[r], "worst_abs_error_pct", role->worst_pct);
	}
	if (summary->nr_null) {
		double nr = (double)summary->nr_null;

		summary_row(out, experiment, "all", "null_model_cells", nr);
		summary_row(out, experiment, "all", "null_model_mean_abs_error_pct",
			summary->null_sum_pct / nr);
		summary_row(out, experiment, "all", "mean_abs_error_pct_on_these",
			summary->own_sum_pct / nr);
	}
	if (summary->nr_pairs)
		summary_row(out, experiment, "all", "order_agreement_pct",
			100 * (double)summary->nr_agreed / (double)summary->nr_pairs);
	summary_row(out, experiment, "all", "fitted_parameters",
		(double)experiment_count(experiment, STATUS_FITTED));
}

/* One column of the table: five significant digits, or blanks. */
static void column(FILE *out, int width, double value)
{
	if (isnan(value))
		fprintf(out, " %*s", width, "");
	else
		fprintf(out, " %*.5g", width, value);
}

static void table_row(FILE *out, int width, const struct target *t, const struct outcome *o)
{
	char tolerance[64];

	tolerance_print(&t->tolerance, tolerance, sizeof(tolerance));
	fprintf(out, "%-*s %-6s", width, t->id, t->unit);
	column(out, 10, published_of(t));
	column(out, 10, o->simulated);
	column(out, 10, o->lo);
	column(out, 10, o->hi);
	if (isnan(o->error_pct))
		fprintf(out, " %9s", "");
	else
		fprintf(out, " %+9.2f", o->error_pct);
	fprintf(out, " %-9s %-10s %s\n", tolerance, o->verdict, role_names[t->role]);
}

static int id_width(const struct experiment *e)
{
	size_t width = 20;

	for (size_t i = 0; i < e->nr_targets; i++) {
		size_t len = 0;

		while (e->targets[i].id[len])
			len++;
		width = len > width ? len : width;
	}
	return width < 60 ? (int)width : 60;
}

static size_t table_part(
	FILE *out, const struct experiment *e, const struct outcome *outcomes, bool scored)
{
	int width = id_width(e);
	size_t nr = 0;

	for (size_t i = 0; i < e->nr_targets; i++) {
		if ((e->targets[i].role != ROLE_UNSCORED) != scored)
			continue;
		if (nr++ == 0)
			fprintf(out, "%s\n%-*s %-6s %10s %10s %10s %10s %9s %-9s %-10s %s\n",
				scored ? "" : "\nShown, not scored:", width, "target", "unit",
				"published", "simulated", "ci95_lo", "ci95_hi", "error %",
				"tolerance", "verdict", "role");
		table_row(out, width, &e->targets[i], &outcomes[i]);
	}
	return nr;
}

void show_table(FILE *out, const struct experiment *experiment, const struct outcome *outcomes)
{
	fprintf(out, "%s: %s\n", experiment->name, experiment->summary ? experiment->summary : "");
	table_part(out, experiment, outcomes, true);
	table_part(out, experiment, outcomes, false);
}

void show_summary(FILE *out, const struct experiment *experiment, const struct summary *summary)
{
	fputc('\n', out);
	for (int r = 0; r < ROLE_UNSCORED; r++) {
		const struct role_summary *role = &summary->roles[r];

		if (role->nr)
			fprintf(out,
				"%s: %zu numbers, mean abs error %.2f %%, worst %.2f %% (%s), %zu "
				"within tolerance\n",
				role_names[r], role->nr, role->sum_pct / (double)role->nr,
				role->worst_pct, experiment->targets[role->worst].id, role->nr_ok);
	}
	if (summary->nr_null)
		fprintf(out,
			"null model (%s): mean abs error %.2f %% on %zu numbers, the simulation's "
			"on these %.2f %%\n",
			experiment->null_model ? experiment->null_model : "not described",
			summary->null_sum_pct / (double)summary->nr_null, summary->nr_null,
			summary->own_sum_pct / (double)summary->nr_null);
	if (summary->nr_pairs)
		fprintf(out,
			"order: right in %zu of %zu pairs that differ by more than their "
			"tolerance\n",
			summary->nr_agreed, summary->nr_pairs);
	fprintf(out, "%zu fitted parameters, %zu cells, %lld repeats\n",
		experiment_count(experiment, STATUS_FITTED), experiment->nr_cells,
		(long long)experiment->repeats);
}
