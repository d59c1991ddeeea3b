#include <stdio.h>
#include <stdlib.h>

#include "sim/cmd_draw.h"
#include "sim/cmd_experiment.h"
#include "sim/experiment/figure.h"
#include "sim/experiment/page.h"
#include "sim/experiment/show.h"
#include "sim/report/outdir.h"

enum { OPT_LIST, OPT_QUICK, OPT_REPEATS, OPT_FORMAT, OPT_JOBS, OPT_OUT };

static const struct cmd_option options[] = {
	{ "--list", 0, NULL, "say what the experiments compare; run nothing" },
	{ "--quick", 0, NULL, "the cells marked as quick, shorter runs" },
	{ "--repeats", 0, "N", "runs per cell (default: the experiment's)" },
	{ "--format", 0, "table|csv", "what is printed (default: table)" },
	{ "--jobs", 'j', "N", "threads (default: processors online); changes no result" },
	{ "--output", 'o', "DIR",
		"write comparison.csv, summary.csv, page.md and a figure of each there" },
	{ .name = NULL },
};

enum { FORMAT_TABLE, FORMAT_CSV };
static const char *const formats[] = { "table", "csv", NULL };

struct request {
	const char *names[MAX_EXPERIMENTS], *out;
	size_t nr;
	bool list, quick;
	int format;
	int64_t jobs, repeats; /* repeats 0: the experiment's */
};

/* One experiment and how it came out. */
struct reproduction {
	struct experiment experiment;
	struct outcome *outcomes;
	struct summary summary;
};

static int take_option(
	struct cmd_env *env, struct request *request, const struct cmd_args *args, int opt)
{
	switch (opt) {
	case CMD_BAD:
		return -1;
	case OPT_LIST:
		request->list = true;
		return 0;
	case OPT_QUICK:
		request->quick = true;
		return 0;
	case OPT_REPEATS:
		return cmd_integer("--repeats", args->value, 1, 1000, &request->repeats, env->err);
	case OPT_FORMAT:
		return cmd_choice("format", args->value, formats, &request->format, env->err);
	case OPT_JOBS:
		return cmd_integer("--jobs", args->value, 1, 256, &request->jobs, env->err);
	case OPT_OUT:
		request->out = args->value;
		return 0;
	}
	if (request->nr == MAX_EXPERIMENTS)
		return error_set(env->err, ERROR_USAGE, "reproduce: more than %d experiments",
			MAX_EXPERIMENTS);
	request->names[request->nr++] = cmd_experiment_path(env->arena, args->value);
	return 0;
}

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_reproduce, .argc = argc, .argv = argv };
	int opt;

	request->jobs = batch_default_jobs();
	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (take_option(env, request, &args, opt) < 0)
			return -1;
	if (request->nr == 0)
		request->nr = cmd_experiment_all(env->arena, request->names);
	return request->nr ? 0 : cmd_missing(&cmd_reproduce, "the experiment", env->err);
}

static void print_list(const struct experiment *e)
{
	printf("%-20s %4zu cells %4zu numbers %3zu fitted  %s\n", e->name, e->nr_cells,
		e->nr_targets, experiment_count(e, STATUS_FITTED), e->summary ? e->summary : "");
}

static int execute(
	struct cmd_env *env, const struct request *request, struct reproduction *reproduction)
{
	const struct experiment *e = &reproduction->experiment;
	struct runs runs;
	int result;

	reproduction->outcomes = arena_array(
		env->arena, e->nr_targets, sizeof(*reproduction->outcomes));
	result = runs_execute(&runs, env->arena, e, (int)request->jobs, env->err);
	if (result == 0)
		result = score_outcomes(&runs, env->arena, reproduction->outcomes, env->err);
	runs_free(&runs);
	if (result == 0)
		score_summary(e, reproduction->outcomes, &reproduction->summary);
	return result;
}

static void print(const struct request *request, const struct reproduction *r, size_t i)
{
	if (request->format == FORMAT_CSV) {
		if (i == 0)
			show_csv_header(stdout);
		show_csv(stdout, &r->experiment, r->outcomes);
	} else {
		if (i > 0)
			putchar('\n');
		show_table(stdout, &r->experiment, r->outcomes);
		show_summary(stdout, &r->experiment, &r->summary);
	}
	fflush(stdout);
}

/* The summaries of all, where the table has none of its own. */
static void print_summaries(const struct request *request, const struct reproduction *reproductions)
{
	if (request->format != FORMAT_CSV)
		return;
	for (size_t i = 0; i < request->nr; i++) {
		fprintf(stderr, "%s\n", reproductions[i].experiment.name);
		show_summary(stderr, &reproductions[i].experiment, &reproductions[i].summary);
	}
}

static int write_tables(struct cmd_env *env, struct outdir *dir, const struct request *request,
	const struct reproduction *reproductions)
{
	FILE *file = outdir_file(dir, "comparison.csv", env->err);

	if (!file)
		return -1;
	show_csv_header(file);
	for (size_t i = 0; i < request->nr; i++)
		show_csv(file, &reproductions[i].experiment, reproductions[i].outcomes);
	file = outdir_file(dir, "summary.csv", env->err);
	if (!file)
		return -1;
	show_summary_header(file);
	for (size_t i = 0; i < request->nr; i++)
		show_summary_csv(file, &reproductions[i].experiment, &reproductions[i].summary);
	file = outdir_file(dir, "page.md", env->err);
	if (!file)
		return -1;
	for (size_t i = 0; i < request->nr; i++) {
		const struct reproduction *r = &reproductions[i];

		page_write(file, &r->experiment, r->outcomes, &r->summary,
			arena_printf(env->arena, "%s.svg", r->experiment.name));
	}
	file = outdir_file(dir, "figure.csv", env->err);
	if (!file)
		return -1;
	figure_header(file);
	for (size_t i = 0, panels = 0; i < request->nr; i++)
		figure_rows(file, &reproductions[i].experiment, reproductions[i].outcomes, &panels);
	return 0;
}

/* The rows of one experiment as text, or NULL with env->err. */
static const char *figure_text(struct cmd_env *env, const struct reproduction *r)
{
	char *buf = NULL;
	size_t size = 0, panels = 0;
	FILE *out = open_memstream(&buf, &size);
	const char *text = NULL;

	if (out) {
		figure_header(out);
		figure_rows(out, &r->experiment, r->outcomes, &panels);
		if (fclose(out) == 0)
			text = arena_strdup(env->arena, buf);
	}
	free(buf);
	if (!text)
		error_set(env->err, ERROR_RUN, "out of memory");
	return text;
}

static int draw_figure(
	struct cmd_env *env, const struct request *request, const struct reproduction *r)
{
	struct drawing drawing = { .kind = "lines", .variables = "" };

	drawing.data = figure_text(env, r);
	return drawing.data
		? draw_picture(env,
			  arena_printf(env->arena, "%s/%s.svg", request->out, r->experiment.name),
			  &drawing)
		: -1;
}

/* The tables are there by now: where no figure can be drawn, that is said and no more. */
static void draw_figures(struct cmd_env *env, const struct request *request,
	const struct reproduction *reproductions)
{
	struct error err = { .code = ERROR_NONE };
	struct cmd_env own = { .arena = env->arena, .catalog = env->catalog, .err = &err };

	for (size_t i = 0; i < request->nr && err.code == ERROR_NONE; i++)
		draw_figure(&own, request, &reproductions[i]);
	if (err.code != ERROR_NONE)
		fprintf(stderr, "no figures: %s\n", err.text);
}

static int write_directory(struct cmd_env *env, const struct request *request,
	const struct reproduction *reproductions)
{
	struct outdir dir;

	if (outdir_open(&dir, env->arena, request->out, env->err) < 0)
		return -1;
	if (write_tables(env, &dir, request, reproductions) < 0) {
		outdir_abort(&dir);
		return -1;
	}
	if (outdir_commit(&dir, env->err) < 0)
		return -1;
	draw_figures(env, request, reproductions);
	return 0;
}

/* Every file is read before the first run: a mistake in the last shows at once. */
static int load(
	struct cmd_env *env, const struct request *request, struct reproduction *reproductions)
{
	for (size_t i = 0; i < request->nr; i++) {
		struct experiment *e = &reproductions[i].experiment;

		if (experiment_load(env->arena, env->catalog, request->names[i], request->quick, e,
			    env->err) < 0)
			return -1;
		if (request->repeats)
			e->repeats = request->repeats;
	}
	return request->out ? outdir_check(env->arena, request->out, env->err) : 0;
}

static int reproduce(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { .nr = 0 };

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	struct reproduction *reproductions = arena_array(
		env->arena, request.nr, sizeof(*reproductions));
	if (load(env, &request, reproductions) < 0)
		return -1;
	for (size_t i = 0; i < request.nr; i++) {
		if (request.list) {
			print_list(&reproductions[i].experiment);
			continue;
		}
		if (execute(env, &request, &reproductions[i]) < 0)
			return -1;
		print(&request, &reproductions[i], i);
	}
	if (request.list)
		return 0;
	print_summaries(&request, reproductions);
	return request.out ? write_directory(env, &request, reproductions) : 0;
}

const struct command cmd_reproduce = {
	.name = "reproduce",
	.operands = "[NAME|FILE...]",
	.summary = "run published experiments and compare with their numbers",
	.notes = "Without a name, every experiment that comes along (cpufreq-sim list "
		 "experiments).\n"
		 "Calibration rows are of cells that parameters were fitted on; prediction rows "
		 "are\n"
		 "not. docs/experiments.md describes the file. With --format csv the summaries go\n"
		 "to the standard error.\n",
	.options = options,
	.run = reproduce,
};
