#include "sim/report/compare.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "sim/base/str.h"

static const struct quantity derived[] = {
	{ "edp_js", "Js", 6, LESS },
	{ "performance_pct", "%", 3, MORE },
	{ "efficiency_pct", "%", 3, MORE },
	{ "residency_pct", "%", 3, NEITHER },
};

struct quantity quantity_at(int i)
{
	assert(i >= 0 && i < QUANTITY_NR);
	if (i >= METRIC_NR)
		return derived[i - METRIC_NR];
	return (struct quantity){ metric_infos[i].name, metric_infos[i].unit,
		metric_infos[i].decimals, metric_infos[i].better };
}

int quantity_find(const char *name, struct error *err)
{
	const char *names[QUANTITY_NR];
	char suggestion[512];

	for (int i = 0; i < QUANTITY_NR; i++) {
		names[i] = quantity_at(i).name;
		if (strcmp(names[i], name) == 0)
			return i;
	}
	str_suggest(name, names, QUANTITY_NR, suggestion, sizeof(suggestion));
	return error_set(err, ERROR_USAGE, "unknown metric \"%.60s\"; %s", name, suggestion);
}

/* The run of @series in the same row with the same seed, or NULL. Runs stand in the same order in
 * most tables: the search begins at @hint. */
static const struct sample *find_partner(
	const struct series *series, const struct sample *sample, size_t hint)
{
	for (size_t k = 0; k < series->nr; k++) {
		const struct sample *other = &series->samples[(hint + k) % series->nr];

		if (strcmp(other->seed, sample->seed) == 0 && strcmp(other->row, sample->row) == 0)
			return other;
	}
	return NULL;
}

/* Elapsed time under the reference governor: with the same seed, else the mean of the row. */
static double reference_s(const struct series *series, const struct sample *sample, size_t hint)
{
	const struct sample *partner = find_partner(series, sample, hint);
	double sum = 0;
	size_t nr = 0;

	if (partner)
		return partner->values[METRIC_elapsed_s];
	for (size_t i = 0; i < series->nr; i++) {
		if (strcmp(series->samples[i].row, sample->row) != 0)
			continue;
		sum += series->samples[i].values[METRIC_elapsed_s];
		nr++;
	}
	return nr ? sum / (double)nr : (double)NAN;
}

static double value_of(
	const struct comparison_set *set, int measure, const struct sample *sample, size_t hint)
{
	double elapsed_s = sample->values[METRIC_elapsed_s], fast_s, slow_s;

	if (measure < METRIC_NR)
		return sample->values[measure];
	if (measure == DERIVED_RESIDENCY)
		return sample->residency_pct;
	if (measure == DERIVED_EDP)
		return elapsed_s * sample->values[METRIC_energy_pkg_j];
	fast_s = reference_s(&set->series[set->performance], sample, hint);
	/* As cpufreq-bench has it: how fast, with the performance governor as 100 %. */
	if (measure == DERIVED_PERFORMANCE)
		return 100 * fast_s / elapsed_s;
	/* As rt-app's reports have it: 0 % is powersave, 100 % performance. */
	slow_s = reference_s(&set->series[set->powersave], sample, hint);
	return slow_s == fast_s ? (double)NAN : 100 * (slow_s - elapsed_s) / (slow_s - fast_s);
}

static int check_references(const struct comparison_set *set, int measure, struct error *err)
{
	if ((measure == DERIVED_PERFORMANCE || measure == DERIVED_EFFICIENCY) &&
		set->performance < 0)
		return error_set(err, ERROR_USAGE, "%s needs a series called performance",
			quantity_at(measure).name);
	if (measure == DERIVED_EFFICIENCY && set->powersave < 0)
		return error_set(err, ERROR_USAGE, "%s needs a series called powersave",
			quantity_at(measure).name);
	return 0;
}

/* Values of one series in one row; @partners are those of the baseline with the same seed. */
struct gathered {
	double *values, *partners, *scratch;
	size_t n, paired;
};

static void gather(const struct comparison_set *set, int measure, size_t series, const char *row,
	struct gathered *g)
{
	const struct series *from = &set->series[series], *base = &set->series[set->baseline];

	g->n = g->paired = 0;
	for (size_t i = 0; i < from->nr; i++) {
		const struct sample *sample = &from->samples[i];

		if (strcmp(sample->row, row) != 0)
			continue;
		double value = value_of(set, measure, sample, i);
		if (isnan(value))
			continue;
		const struct sample *partner = find_partner(base, sample, i);
		double other = partner ? value_of(set, measure, partner, i) : (double)NAN;
		/* Only as long as every run has its partner. */
		if (g->paired == g->n && !isnan(other))
			g->partners[g->paired++] = other;
		g->values[g->n++] = value;
	}
}

static void compare_cell(
	const struct gathered *base, const struct gathered *g, struct cell_stats *cell)
{
	double u;

	cell->n = g->n;
	if (g->n == 0)
		return;
	stats_of(g->values, 1, g->n, &cell->stats);
	if (base->n == 0) {
		cell->p = cell->p_ranks = NAN;
		return;
	}
	if (g->paired == g->n && g->n == base->n) {
		cell->paired = g->n;
		stats_paired(g->partners, g->values, g->n, &cell->contrast);
	} else {
		stats_welch(base->values, base->n, g->values, g->n, &cell->contrast);
	}
	cell->p = cell->contrast.p;
	cell->p_ranks = stats_mann_whitney(base->values, base->n, g->values, g->n, g->scratch, &u);
}

static void make_room(const struct comparison_set *set, struct gathered *g)
{
	size_t most = 0;

	for (size_t s = 0; s < set->nr_series; s++)
		if (set->series[s].nr > most)
			most = set->series[s].nr;
	g->values = arena_array(set->arena, most + 1, sizeof(double));
	g->partners = arena_array(set->arena, most + 1, sizeof(double));
	g->scratch = arena_array(set->arena, 6 * most + 6, sizeof(double));
}

/* All comparisons of a measure were made together, and are corrected together. */
static void correct(const struct comparison_set *set, struct cell_stats *cells)
{
	size_t nr = set->nr_rows * set->nr_series, count = 0;
	double *p = arena_array(set->arena, nr, sizeof(*p));
	size_t *order = arena_array(set->arena, nr, sizeof(*order));

	for (size_t i = 0; i < nr; i++)
		if (i % set->nr_series != set->baseline && cells[i].n > 0 && !isnan(cells[i].p))
			p[count++] = cells[i].p;
	stats_holm(p, count, order);
	count = 0;
	for (size_t i = 0; i < nr; i++)
		if (i % set->nr_series != set->baseline && cells[i].n > 0 && !isnan(cells[i].p))
			cells[i].p = p[count++];
}

struct cell_stats *compare_measure(const struct comparison_set *set, int measure, struct error *err)
{
	struct gathered base, other;

	if (check_references(set, measure, err) < 0)
		return NULL;
	make_room(set, &base);
	make_room(set, &other);
	struct cell_stats *cells = arena_array(
		set->arena, set->nr_rows * set->nr_series, sizeof(*cells));
	bool any = false;
	for (size_t r = 0; r < set->nr_rows; r++) {
		gather(set, measure, set->baseline, set->rows[r], &base);
		for (size_t s = 0; s < set->nr_series; s++) {
			gather(set, measure, s, set->rows[r], &other);
			compare_cell(&base, &other, &cells[r * set->nr_series + s]);
			any |= other.n > 0;
		}
	}
	if (!any) {
		error_set(
			err, ERROR_SCENARIO, "no run has a value of %s", quantity_at(measure).name);
		return NULL;
	}
	correct(set, cells);
	return cells;
}

const char *compare_mark(double p)
{
	if (isnan(p) || p >= 0.05)
		return "";
	return p < 0.001 ? "***" : p < 0.01 ? "**" : "*";
}
