#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cmd_recording.h"
#include "sim/run.h"

enum { OPT_OUT, OPT_SUMMARY, OPT_ROOT, OPT_WINDOW, OPT_MACHINE, OPT_SET };

static const struct cmd_option options[] = {
	{ "--output", 'o', "WORKLOAD", "write what is replayed, free of the recording's machine" },
	{ "--summary", 0, NULL, "count the recording in one pass; nothing is imported" },
	{ "--root", 0, "PID|NAME",
		"import this task and all it forks (default: between marks, or all)" },
	{ "--window", 0, "FROM,TO", "import this part, in time from the first event on" },
	{ "--machine", 0, "MACHINE",
		"what it was recorded on: work per clock, and the clock where none is recorded" },
	CMD_OPTION_SET,
	{ .name = NULL },
};

struct request {
	struct recording_request recording;
	const char *out;
	bool summary;
};

static int take_option(struct cmd_env *env, struct request *request, struct cmd_args *args, int opt)
{
	switch (opt) {
	case OPT_OUT:
		request->out = args->value;
		return 0;
	case OPT_SUMMARY:
		request->summary = true;
		return 0;
	case OPT_ROOT:
		request->recording.root = args->value;
		return 0;
	case OPT_WINDOW:
		request->recording.window = args->value;
		return 0;
	case OPT_MACHINE:
		request->recording.machine = args->value;
		request->recording.recorded_there = true;
		return 0;
	case OPT_SET:
		cmd_overrides_add(&request->recording.overrides, args->value);
		return 0;
	}
	return cmd_operand(args, &request->recording.trace, env->err);
}

static void print_line(void *arg, const char *name, const char *value)
{
	(void)arg;
	printf("%-32s %s\n", name, value);
}

static int write_workload(struct cmd_env *env, const char *path, const struct run *run)
{
	const char *name = arena_printf(env->arena, "%s.partial", path);
	FILE *file = fopen(name, "wb");

	if (!file)
		return error_set(
			env->err, ERROR_RUN, "%s cannot be written: %s", name, strerror(errno));
	run->scenario->workload->save(&run->workload_ctx, file);
	bool failed = ferror(file);
	failed |= fclose(file) != 0;
	if (!failed && rename(name, path) == 0)
		return 0;
	error_set(env->err, ERROR_RUN, "%s cannot be written: %s", path, strerror(errno));
	unlink(name);
	return -1;
}

static int import(struct cmd_env *env, const struct request *request)
{
	const struct scenario *scenario = recording_scenario(env, &request->recording);
	struct run run;

	if (!scenario)
		return -1;
	if (!scenario->workload->save || !scenario->workload->survey)
		return error_set(env->err, ERROR_USAGE, "workload %s takes no recording",
			scenario->workload->name);
	if (request->summary)
		return scenario->workload->survey(
			env->arena, scenario->workload_params, print_line, NULL, env->err);
	if (run_build(&run, scenario, 0, env->err) < 0)
		return -1;
	int result = request->out ? write_workload(env, request->out, &run) : 0;
	if (result == 0)
		scenario->workload->describe(&run.workload_ctx, print_line, NULL);
	run_free(&run);
	return result;
}

static int run_import(struct cmd_env *env, int argc, char **argv)
{
	struct cmd_args args = { .command = &cmd_import, .argc = argc, .argv = argv };
	struct request request = { 0 };
	int opt;

	cmd_overrides_init(&request.recording.overrides, env->arena, argc);
	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (opt == CMD_BAD || take_option(env, &request, &args, opt) < 0)
			return -1;
	if (!request.recording.trace)
		return cmd_missing(&cmd_import, "the recording", env->err);
	if (request.summary && (request.out || request.recording.root))
		return error_set(env->err, ERROR_USAGE,
			"--summary imports nothing: no --output or --root with it");
	return import(env, &request);
}

const struct command cmd_import = {
	.name = "import",
	.operands = "TRACE",
	.summary = "turn a recording into a workload, or say what it holds",
	.notes = "TRACE is text of ftrace, trace-cmd report or perf script, a systrace page or a\n"
		 "trace.dat; it may be packed with xz, gzip or zstd. \"-\" is standard input.\n"
		 "What -o writes is a file for the workload \"trace\".\n",
	.options = options,
	.run = run_import,
};
