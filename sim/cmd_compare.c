#include <stdio.h>
#include <string.h>

#include "sim/cmd_difference.h"
#include "sim/report/compare.h"

enum { OPT_BASELINE, OPT_ACROSS, OPT_METRIC, OPT_FORMAT, OPT_DIFFERENCE };

static const struct cmd_option options[] = {
	{ "--baseline", 0, "NAME", "what the others are compared with (default: the first)" },
	{ "--across", 0, "PATH",
		"compare the values of this axis (default with one DIR: its first)" },
	{ "--metric", 0, "NAME,...", "what to compare (default: elapsed_s,energy_pkg_j,edp_js)" },
	{ "--format", 0, "table|markdown|csv|lkml", "what is printed (default: table)" },
	{ "--first-difference", 0, NULL,
		"of two runs or scenarios: the first decision that differs, and why" },
	{ .name = NULL },
};

#define MAX_MEASURES 32

struct request {
	const char **dirs;
	size_t nr;
	const char *baseline, *across;
	int measures[MAX_MEASURES];
	size_t nr_measures;
	int format;
	bool difference;
};

static int take_metrics(struct cmd_env *env, const char *text, struct request *request)
{
	while (*text) {
		size_t length = strcspn(text, ",");
		int measure = quantity_find(
			arena_printf(env->arena, "%.*s", (int)length, text), env->err);

		if (measure < 0)
			return -1;
		if (request->nr_measures == MAX_MEASURES)
			return error_set(
				env->err, ERROR_USAGE, "more than %d metrics", MAX_MEASURES);
		request->measures[request->nr_measures++] = measure;
		text += length + (text[length] == ',');
	}
	return 0;
}

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_compare, .argc = argc, .argv = argv };
	int opt, bad = 0;

	request->dirs = arena_array(env->arena, (size_t)argc + 1, sizeof(*request->dirs));
	while (!bad && (opt = cmd_next(&args, env->err)) != CMD_END) {
		if (opt == OPT_BASELINE)
			request->baseline = args.value;
		else if (opt == OPT_ACROSS)
			request->across = args.value;
		else if (opt == OPT_DIFFERENCE)
			request->difference = true;
		else if (opt == OPT_METRIC)
			bad = take_metrics(env, args.value, request);
		else if (opt == OPT_FORMAT)
			bad = cmd_choice(
				"format", args.value, compare_formats, &request->format, env->err);
		else if (opt == CMD_BAD)
			bad = -1;
		else
			request->dirs[request->nr++] = args.value;
	}
	if (bad)
		return -1;
	if (request->nr_measures == 0)
		take_metrics(env, "elapsed_s,energy_pkg_j,edp_js", request);
	return request->nr ? 0 : cmd_missing(&cmd_compare, "the directory", env->err);
}

/* Residencies have rows of their own: the clocks. */
static int read_set(struct cmd_env *env, const struct request *request, struct comparison_set *set)
{
	size_t nr = 0;

	for (size_t i = 0; i < request->nr_measures; i++)
		nr += request->measures[i] == DERIVED_RESIDENCY;
	if (nr == 0)
		return compare_read(set, env->arena, request->dirs, request->nr, request->across,
			request->baseline, env->err);
	if (request->nr_measures > nr || request->across)
		return error_set(env->err, ERROR_USAGE,
			"residency_pct has the clocks for rows: no other metric, and no --across, "
			"goes with it");
	return compare_read_residency(
		set, env->arena, request->dirs, request->nr, request->baseline, env->err);
}

static int compare(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { .format = COMPARE_TABLE };
	struct comparison_set set;

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	if (request.difference)
		return request.nr == 2 ? difference_print(env, request.dirs)
				       : error_set(env->err, ERROR_USAGE,
						 "--first-difference takes two runs or scenarios");
	if (read_set(env, &request, &set) < 0)
		return -1;
	return compare_write(stdout, &set, (enum compare_format)request.format, request.measures,
		request.nr_measures, env->err);
}

const struct command cmd_compare = {
	.name = "compare",
	.operands = "DIR...",
	.summary = "set results side by side: ratio, difference, interval, significance",
	.notes =
		"DIR is what run -o or sweep -o wrote. Runs with the same seed are compared with\n"
		"each other. Beside the metrics of \"list metrics\": edp_js (energy times time);\n"
		"performance_pct, against the series called performance; efficiency_pct, 0 at the\n"
		"series powersave and 100 at performance;\n"
		"residency_pct, by clock, of what run -o wrote.\n"
		"--first-difference runs the first repeat of both, a scenario or a DIR of run -o "
		"each.\n",
	.options = options,
	.run = compare,
};
