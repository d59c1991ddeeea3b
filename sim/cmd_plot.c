#include <stdio.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/base/units.h"
#include "sim/cmd_figures.h"

enum { OPT_OUT, OPT_KIND, OPT_CPU, OPT_FROM, OPT_TO, OPT_TERMINAL };

static const struct cmd_option options[] = {
	{ "--output", 'o', "FILE", "picture to write: .png, .svg or .pdf" },
	{ "--kind", 0, "KIND",
		"bars, timeline, power, residency, histogram, spectrum, lines, sweep, heatmap or "
		"pareto (default: what the files allow)" },
	{ "--cpu", 0, "N", "of a timeline: whose policy (default: 0)" },
	{ "--from", 0, "TIME", "of a timeline: where it begins (default: 0s)" },
	{ "--to", 0, "TIME", "and ends (default: with the run, or 1500 decisions)" },
	{ "--terminal", 0, "dumb", "draw with letters here instead of a picture" },
	{ .name = NULL },
};

static const char *const terminals[] = { "dumb", NULL };

struct request {
	struct figures_request figures;
	const char *out;
	bool dumb;
};

static int take_time(const char *option, const char *text, int64_t *ns, struct error *err)
{
	if (str_to_i64(text, UNIT_NS, ns) < 0 || *ns < 0)
		return error_set(
			err, ERROR_USAGE, "%s: \"%.60s\" is no time such as 1.20s", option, text);
	return 0;
}

static int take_option(struct cmd_env *env, struct request *request, struct cmd_args *args, int opt)
{
	int terminal;

	switch (opt) {
	case CMD_BAD:
		return -1;
	case OPT_OUT:
		request->out = args->value;
		return 0;
	case OPT_KIND:
		request->figures.kind = args->value;
		return 0;
	case OPT_CPU:
		return cmd_integer(
			"--cpu", args->value, 0, 1000000, &request->figures.window.cpu, env->err);
	case OPT_FROM:
		return take_time("--from", args->value, &request->figures.window.from_ns, env->err);
	case OPT_TO:
		return take_time("--to", args->value, &request->figures.window.to_ns, env->err);
	case OPT_TERMINAL:
		request->dumb = true;
		return cmd_choice("terminal", args->value, terminals, &terminal, env->err);
	}
	if (request->figures.nr == FIGURES_MAX_DIRS)
		return error_set(
			env->err, ERROR_USAGE, "plot: more than %d directories", FIGURES_MAX_DIRS);
	request->figures.dirs[request->figures.nr++] = args->value;
	return 0;
}

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_plot, .argc = argc, .argv = argv };
	int opt;

	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (take_option(env, request, &args, opt) < 0)
			return -1;
	if (request->figures.nr == 0)
		return cmd_missing(&cmd_plot, "the directory", env->err);
	if (request->dumb && request->out)
		return error_set(env->err, ERROR_USAGE,
			"--terminal draws here, -o into a file: use one of them");
	return request->out || request->dumb ? 0 : cmd_missing(&cmd_plot, "-o FILE", env->err);
}

static int plot(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { .figures.window.to_ns = NEVER_NS };
	struct drawing drawing;
	int kind;

	if (parse(env, argc, argv, &request) < 0 ||
		(request.out && draw_check(env, request.out) < 0) ||
		figures_choose(env, &request.figures, &kind) < 0 ||
		figures_prepare(env, &request.figures, kind, &drawing) < 0)
		return -1;
	return request.dumb ? draw_here(env, &drawing) : draw_picture(env, request.out, &drawing);
}

const struct command cmd_plot = {
	.name = "plot",
	.operands = "DIR... -o FILE",
	.summary = "draw the results of run -o, sweep -o or reproduce -o",
	.notes = "One directory: its power over time, or its residency, or published against\n"
		 "simulated, or a sweep as curves or as a map. Several: bars that compare their\n"
		 "runs. FILE's script and data are left beside it: gnuplot draws it again.\n",
	.options = options,
	.run = plot,
};
