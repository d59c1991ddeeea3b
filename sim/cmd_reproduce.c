#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/batch.h"
#include "sim/cmd_scenario.h"
#include "sim/experiment.h"
#include "sim/report/csv.h"
#include "sim/report/outdir.h"
#include "sim/report/stats.h"
#include "sim/scenario/search.h"

enum { OPT_QUICK, OPT_FORMAT, OPT_JOBS, OPT_OUT };

static const struct cmd_option options[] = {
	{ "--quick", 0, NULL, "a few cells, one run each" },
	{ "--format", 0, "table|csv", "what is printed (default: table)" },
	{ "--jobs", 'j', "N", "threads (default: processors online); changes no result" },
	{ "--output", 'o', "DIR", "write comparison.csv and figure.csv there" },
	{ .name = NULL },
};

enum { FORMAT_TABLE, FORMAT_CSV };
static const char *const formats[] = { "table", "csv", NULL };

struct request {
	const char *name, *out;
	bool quick;
	int format;
	int64_t jobs;
};

/* What a target came out as. */
struct outcome {
	double simulated, error_pct;
	const char *verdict;
};

/* Absolute errors of the targets of one role. */
struct role_summary {
	size_t nr, nr_ok;
	double sum_pct, worst_pct;
};

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_reproduce, .argc = argc, .argv = argv };
	int opt, bad = 0;

	request->jobs = batch_default_jobs();
	while (!bad && (opt = cmd_next(&args, env->err)) != CMD_END) {
		if (opt == OPT_QUICK)
			request->quick = true;
		else if (opt == OPT_FORMAT)
			bad = cmd_choice("format", args.value, formats, &request->format, env->err);
		else if (opt == OPT_JOBS)
			bad = cmd_integer("--jobs", args.value, 1, 256, &request->jobs, env->err);
		else if (opt == OPT_OUT)
			request->out = args.value;
		else
			bad = opt == CMD_BAD ? -1 : cmd_operand(&args, &request->name, env->err);
	}
	if (bad)
		return -1;
	return request->name ? 0 : cmd_missing(&cmd_reproduce, "the experiment", env->err);
}

/* An experiment is named by its file, or by the file's name among those that come along. */
static const char *experiment_path(struct arena *arena, const char *name)
{
	const char *path = search_file(
		arena, NULL, arena_printf(arena, "experiments/%s.yaml", name));

	if (strchr(name, '/') || !path)
		return name;
	return path;
}

static double simulated_mean(const struct experiment *e, const struct batch_item *items,
	const struct target *target, double *values)
{
	struct stats stats;

	for (int64_t r = 0; r < e->repeats; r++)
		values[r] = items[(int64_t)target->cell * e->repeats + r]
				    .result.metrics[target->metric];
	stats_of(values, 1, (size_t)e->repeats, &stats);
	return stats.mean;
}

static struct outcome judge(const struct target *target, double simulated)
{
	struct outcome outcome = { .simulated = simulated };

	if (target->published != 0)
		outcome.error_pct = 100 * (simulated / target->published - 1);
	else if (simulated != 0)
		outcome.error_pct = 100;
	if (target->role == ROLE_INFO)
		outcome.verdict = "info";
	else
		outcome.verdict = fabs(outcome.error_pct) <= target->tolerance_pct ? "ok" : "off";
	return outcome;
}

static void summarise(
	const struct experiment *e, const struct outcome *outcomes, struct role_summary *roles)
{
	for (size_t i = 0; i < e->nr_targets; i++) {
		struct role_summary *role = &roles[e->targets[i].role];
		double error = fabs(outcomes[i].error_pct);

		role->nr++;
		role->nr_ok += strcmp(outcomes[i].verdict, "ok") == 0;
		role->sum_pct += error;
		if (error > role->worst_pct)
			role->worst_pct = error;
	}
}

static void write_comparison(FILE *out, const struct experiment *e, const struct outcome *outcomes,
	const struct role_summary *roles)
{
	fputs("experiment,target_id,unit,published,simulated,error_pct,tolerance,verdict,role\n",
		out);
	for (size_t i = 0; i < e->nr_targets; i++) {
		const struct target *t = &e->targets[i];

		csv_field(out, e->name);
		fprintf(out, ",%s,%s,%.9g,%.9g,%.3f,%g,%s,%s\n", t->id, t->unit, t->published,
			outcomes[i].simulated, outcomes[i].error_pct, t->tolerance_pct,
			outcomes[i].verdict, role_names[t->role]);
	}
	for (int r = 0; r < NR_ROLES; r++) {
		if (roles[r].nr == 0)
			continue;
		csv_field(out, e->name);
		fprintf(out, ",summary_mean_abs_error,%%,,,%.3f,,,%s\n",
			roles[r].sum_pct / (double)roles[r].nr, role_names[r]);
		csv_field(out, e->name);
		fprintf(out, ",summary_worst_abs_error,%%,,,%.3f,,,%s\n", roles[r].worst_pct,
			role_names[r]);
	}
}

/* What a figure needs of each target, by column. */
static void write_figure(FILE *out, const struct experiment *e, const struct outcome *outcomes)
{
	fputs("panel,variant,axis,metric,published,simulated\n", out);
	for (size_t i = 0; i < e->nr_targets; i++) {
		const struct target *t = &e->targets[i];

		csv_field(out, t->panel);
		fprintf(out, ",%s,%s,%s,%.9g,%.9g\n", t->variant, t->axis,
			metric_infos[t->metric].name, t->published, outcomes[i].simulated);
	}
}

static void print_table(const struct experiment *e, const struct outcome *outcomes,
	const struct role_summary *roles)
{
	printf("%s: %s\n\n%-43s %-7s %11s %11s %8s %6s %-7s %s\n", e->name,
		e->summary ? e->summary : "", "target", "unit", "published", "simulated", "error %",
		"tol %", "verdict", "role");
	for (size_t i = 0; i < e->nr_targets; i++) {
		const struct target *t = &e->targets[i];

		printf("%-43s %-7s %11.3f %11.3f %+8.2f %6g %-7s %s\n", t->id, t->unit,
			t->published, outcomes[i].simulated, outcomes[i].error_pct,
			t->tolerance_pct, outcomes[i].verdict, role_names[t->role]);
	}
	putchar('\n');
	for (int r = 0; r < NR_ROLES; r++) {
		if (roles[r].nr == 0)
			continue;
		printf("%s: %zu targets, mean abs error %.2f %%, worst %.2f %%", role_names[r],
			roles[r].nr, roles[r].sum_pct / (double)roles[r].nr, roles[r].worst_pct);
		if (r != ROLE_INFO)
			printf(", %zu within tolerance", roles[r].nr_ok);
		putchar('\n');
	}
}

static int write_directory(struct cmd_env *env, const char *path, const struct experiment *e,
	const struct outcome *outcomes, const struct role_summary *roles)
{
	struct outdir dir;
	FILE *file;

	if (outdir_open(&dir, env->arena, path, env->err) < 0)
		return -1;
	file = outdir_file(&dir, "comparison.csv", env->err);
	if (file)
		write_comparison(file, e, outcomes, roles);
	file = file ? outdir_file(&dir, "figure.csv", env->err) : NULL;
	if (!file) {
		outdir_abort(&dir);
		return -1;
	}
	write_figure(file, e, outcomes);
	return outdir_commit(&dir, env->err);
}

static int deliver(struct cmd_env *env, const struct request *request, const struct experiment *e,
	struct batch_item *items, size_t nr)
{
	struct outcome *outcomes = arena_array(env->arena, e->nr_targets, sizeof(*outcomes));
	double *values = arena_array(env->arena, (size_t)e->repeats, sizeof(*values));
	struct role_summary roles[NR_ROLES] = { 0 };

	if (batch_run(items, nr, (int)request->jobs, env->err) < 0)
		return -1;
	for (size_t i = 0; i < e->nr_targets; i++)
		outcomes[i] = judge(
			&e->targets[i], simulated_mean(e, items, &e->targets[i], values));
	summarise(e, outcomes, roles);
	if (request->out && write_directory(env, request->out, e, outcomes, roles) < 0)
		return -1;
	if (request->format == FORMAT_CSV)
		write_comparison(stdout, e, outcomes, roles);
	else
		print_table(e, outcomes, roles);
	return 0;
}

static int reproduce(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { 0 };
	struct experiment e;

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	const char *path = experiment_path(env->arena, request.name);
	if (experiment_load(env->arena, env->catalog, path, request.quick, &e, env->err) < 0 ||
		(request.out && outdir_check(env->arena, request.out, env->err) < 0))
		return -1;
	size_t nr = e.nr_cells * (size_t)e.repeats;
	struct batch_item *items = arena_array(env->arena, nr, sizeof(*items));
	for (size_t i = 0; i < nr; i++) {
		items[i].scenario = e.cells[i / (size_t)e.repeats].scenario;
		items[i].repeat = (int64_t)i % e.repeats;
	}
	int result = deliver(env, &request, &e, items, nr);
	batch_free(items, nr);
	return result;
}

const struct command cmd_reproduce = {
	.name = "reproduce",
	.operands = "EXPERIMENT",
	.summary = "run a published experiment and compare with its numbers",
	.notes = "EXPERIMENT is a file or one of: cpufreq-sim list experiments. Calibration rows "
		 "are those\n"
		 "that parameters were fitted on; prediction rows are not.\n",
	.options = options,
	.run = reproduce,
};
