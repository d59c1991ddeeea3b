#include <inttypes.h>
#include <stdio.h>

#include "sim/cmd.h"
#include "sim/sweep/export.h"

enum { OPT_OUT };

static const struct cmd_option options[] = {
	{ "--output", 'o', "DIR", "where all of it goes; may have some already" },
	{ .name = NULL },
};

struct request {
	const char **dirs;
	size_t nr;
	const char *out;
};

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_merge, .argc = argc, .argv = argv };
	int opt;

	request->dirs = arena_array(env->arena, (size_t)argc + 1, sizeof(*request->dirs));
	while ((opt = cmd_next(&args, env->err)) != CMD_END) {
		if (opt == CMD_BAD)
			return -1;
		if (opt == OPT_OUT)
			request->out = args.value;
		else
			request->dirs[request->nr++] = args.value;
	}
	if (request->nr == 0)
		return cmd_missing(&cmd_merge, "the directory", env->err);
	return request->out ? 0 : cmd_missing(&cmd_merge, "-o DIR", env->err);
}

static int merge(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { .nr = 0 };
	struct store store;
	int64_t added;

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	int result = store_merge(
		&store, env->arena, request.out, request.dirs, request.nr, &added, env->err);
	if (result == 0)
		result = export_runs(&store, env->arena, env->err);
	store_close(&store);
	if (result == 0)
		printf("%" PRId64 " runs added to %s\n", added, request.out);
	return result;
}

const struct command cmd_merge = {
	.name = "merge",
	.operands = "DIR... -o DIR",
	.summary = "put the shards of a sweep together",
	.notes =
		"The parts must be of one sweep and one version. Runs that several have are taken\n"
		"once, and must be equal.\n",
	.options = options,
	.run = merge,
};
