#include <stdio.h>

#include "sim/cmd.h"
#include "sim/sweep/export.h"

enum { OPT_FORMAT };

static const struct cmd_option options[] = {
	{ "--format", 0, "csv|json", "what is printed (default: csv)" },
	{ .name = NULL },
};

enum { FORMAT_CSV, FORMAT_JSON };
static const char *const formats[] = { "csv", "json", NULL };

struct request {
	const char *dir;
	int format;
};

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_export, .argc = argc, .argv = argv };
	int opt, bad = 0;

	while (!bad && (opt = cmd_next(&args, env->err)) != CMD_END) {
		if (opt == OPT_FORMAT)
			bad = cmd_choice("format", args.value, formats, &request->format, env->err);
		else
			bad = opt == CMD_BAD ? -1 : cmd_operand(&args, &request->dir, env->err);
	}
	if (bad)
		return -1;
	return request->dir ? 0 : cmd_missing(&cmd_export, "the directory", env->err);
}

static int export(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { .format = FORMAT_CSV };
	struct store_info info;
	struct store store;

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	int result = store_open(&store, env->arena, request.dir, env->err);
	if (result == 0)
		result = store_describe(&store, env->arena, &info, env->err);
	if (result == 0)
		result = request.format == FORMAT_CSV
			? export_csv(stdout, &store, &info, env->err)
			: export_json(stdout, &store, &info, env->err);
	store_close(&store);
	return result;
}

const struct command cmd_export = {
	.name = "export",
	.operands = "DIR",
	.summary = "print the results of a sweep as a table, a row a run",
	.notes = "Rows stand in order of the axes, then of the repeats. The same sweep gives the\n"
		 "same bytes, however it was run. A sweep that goes on can be looked at.\n",
	.options = options,
	.run = export,
};
