#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cmd_draw.h"
#include "sim/cmd_experiment.h"
#include "sim/experiment/fit.h"
#include "sim/experiment/show.h"

enum { OPT_REPEATS, OPT_JOBS, OPT_OUT, OPT_QUICK };

static const struct cmd_option options[] = {
	{ "--repeats", 0, "N", "runs per cell (default: the file's, or 2)" },
	{ "--jobs", 'j', "N", "threads (default: processors online); changes no result" },
	{ "--output", 'o', "FILE", "the experiment with the fitted values in it" },
	{ "--quick", 0, NULL, "as for reproduce: the cells marked as quick" },
	{ .name = NULL },
};

struct request {
	const char *name, *out;
	int64_t repeats, jobs; /* 0 repeats: the file's */
	bool quick;
};

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_calibrate, .argc = argc, .argv = argv };
	int opt, bad = 0;

	request->jobs = batch_default_jobs();
	while (!bad && (opt = cmd_next(&args, env->err)) != CMD_END) {
		if (opt == OPT_REPEATS)
			bad = cmd_integer(
				"--repeats", args.value, 1, 1000, &request->repeats, env->err);
		else if (opt == OPT_JOBS)
			bad = cmd_integer("--jobs", args.value, 1, 256, &request->jobs, env->err);
		else if (opt == OPT_OUT)
			request->out = args.value;
		else if (opt == OPT_QUICK)
			request->quick = true;
		else
			bad = opt == CMD_BAD ? -1 : cmd_operand(&args, &request->name, env->err);
	}
	if (bad)
		return -1;
	return request->name ? 0 : cmd_missing(&cmd_calibrate, "the experiment", env->err);
}

/* With the values, so that a fit that is broken off was not for nothing. */
static void report_step(void *arg, const struct fit *fit)
{
	struct cmd_env *env = arg;

	fprintf(stderr, "step %zu: objective %.2f after %zu points:", fit->nr_steps, fit->objective,
		fit->nr_points);
	for (size_t i = 0; i < fit->nr_parameters; i++) {
		const struct parameter *p = &fit->experiment->parameters[fit->parameters[i].index];

		fprintf(stderr, " %s=%s", p->path,
			fit_text(env->arena, p, fit->parameters[i].value));
	}
	fputc('\n', stderr);
}

static void print_parameters(struct cmd_env *env, const struct fit *fit)
{
	printf("%-34s %12s %12s %12s %12s\n", "parameter", "start", "fitted", "std. error",
		"in file");
	for (size_t i = 0; i < fit->nr_parameters; i++) {
		const struct fit_parameter *f = &fit->parameters[i];
		const struct parameter *p = &fit->experiment->parameters[f->index];

		printf("%-34s %12s %12s %12s %12s%s\n", p->path, fit_text(env->arena, p, p->start),
			fit_text(env->arena, p, f->value),
			arena_printf(env->arena, "%.3g%s", f->error, p->suffix), p->value,
			f->identified ? "" : "  not identified by these rows");
	}
}

/* The rows that were not fitted on, with the fitted values. */
static int print_other_rows(struct cmd_env *env, struct fit *fit)
{
	struct experiment e;
	struct summary summary;
	struct runs runs;

	if (fit_experiment(fit, &e) < 0)
		return -1;
	struct outcome *outcomes = arena_array(env->arena, e.nr_targets, sizeof(*outcomes));
	int result = runs_execute(&runs, env->arena, &e, fit->jobs, env->err);
	if (result == 0)
		result = score_outcomes(&runs, env->arena, outcomes, env->err);
	runs_free(&runs);
	if (result < 0)
		return -1;
	score_summary(&e, outcomes, &summary);
	show_summary(stdout, &e, &summary);
	return 0;
}

/* Where a place is in the text from which it was read. */
static const char *find_place(const char *text, struct where at)
{
	for (int line = 1; line < at.line; line++)
		text = strchr(text, '\n') + 1;
	return text + at.col - 1;
}

/* The file's text with the fitted values, everything else as it stands. Values come in the order
 * in which they stand in the file. */
static int write_file(struct cmd_env *env, const struct fit *fit, const char *out)
{
	const char *text = draw_read_text(env, fit->experiment->path), *from = text;

	if (!text)
		return -1;
	FILE *file = fopen(out, "w");
	for (size_t i = 0; file && i < fit->nr_parameters; i++) {
		const struct parameter *p = &fit->experiment->parameters[fit->parameters[i].index];
		const char *at = find_place(text, p->value_at);

		at += *at == '"' || *at == '\'';
		fwrite(from, 1, (size_t)(at - from), file);
		fputs(fit_text(env->arena, p, fit->parameters[i].value), file);
		from = at + strlen(p->value);
	}
	if (file)
		fputs(from, file);
	if (!file || fclose(file) != 0)
		return error_at(
			env->err, ERROR_RUN, (struct where){ .file = out }, "could not be written");
	return 0;
}

static int calibrate(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { .name = NULL };
	struct experiment e;
	double now;

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	const char *path = cmd_experiment_path(env->arena, request.name);
	if (experiment_load(env->arena, env->catalog, path, request.quick, &e, env->err) < 0)
		return -1;
	e.repeats = request.repeats ? request.repeats : e.fit_repeats;
	struct fit fit = { .arena = env->arena,
		.catalog = env->catalog,
		.experiment = &e,
		.jobs = (int)request.jobs,
		.err = env->err,
		.progress = report_step,
		.arg = env };
	if (fit_prepare(&fit) < 0 || fit_objective_now(&fit, &now) < 0 || fit_run(&fit) < 0)
		return -1;
	printf("%s: %zu parameters fitted on %zu numbers of %zu cells, %" PRId64 " repeats\n\n",
		e.name, fit.nr_parameters, fit.rows.nr_targets, fit.rows.nr_cells, e.repeats);
	print_parameters(env, &fit);
	printf("\nobjective (sum of squared weighted errors in tolerances): "
	       "start %.2f, fitted %.2f, file %.2f\n",
		fit.start_objective, fit.objective, now);
	if (print_other_rows(env, &fit) < 0)
		return -1;
	return request.out ? write_file(env, &fit, request.out) : 0;
}

const struct command cmd_calibrate = {
	.name = "calibrate",
	.operands = "EXPERIMENT",
	.summary = "fit an experiment's parameters on its calibration rows",
	.notes = "EXPERIMENT is a file or the name of one that comes along. Starts at the rounded\n"
		 "values of the file, keeps to its bounds, and prints the fitted values with\n"
		 "standard errors, the objective, and the errors of all rows. Steps are reported\n"
		 "on the standard error.\n",
	.options = options,
	.run = calibrate,
};
