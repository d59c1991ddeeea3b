#include <stdio.h>

#include "sim/cmd_machine.h"
#include "sim/cmd_scenario.h"
#include "sim/experiment/experiment.h"
#include "sim/run.h"
#include "sim/sweep/points.h"

/* Builds everything a run would need and executes nothing. */
static int check_scenario(struct cmd_env *env, const char *path)
{
	struct cmd_overrides none = { 0 };
	const struct scenario *scenario = cmd_load_scenario(env, path, &none);
	struct run run;

	if (!scenario || run_build(&run, scenario, 0, env->err) < 0)
		return -1;
	run_free(&run);
	return 0;
}

/* Every point is built. */
static int check_sweep(struct cmd_env *env, const char *path)
{
	const struct plan_request request = { .path = path, .design = -1 };
	struct points points;
	struct plan plan;

	if (plan_load(&plan, env->arena, env->catalog, &request, env->err) < 0)
		return -1;
	return points_check(&points, &plan, env->arena, false, 1, env->err);
}

/* A file is what its keys say: an experiment compares, a scenario runs a workload. */
static int check_file(struct cmd_env *env, const char *path)
{
	struct machine_spec machine;
	struct experiment experiment;
	struct node *root;

	if (yaml_read_file(env->arena, path, &root, env->err) < 0)
		return -1;
	if (node_get(root, "comparisons"))
		return experiment_load(
			env->arena, env->catalog, path, false, &experiment, env->err);
	if (node_get(root, "sweep"))
		return check_sweep(env, path);
	if (node_get(root, "machine") || node_get(root, "workload"))
		return check_scenario(env, path);
	if (machine_load(env->arena, path, &machine, env->err) < 0)
		return -1;
	cmd_machine_notes(env->arena, &machine);
	return 0;
}

static int check(struct cmd_env *env, int argc, char **argv)
{
	struct cmd_args args = { .command = &cmd_check, .argc = argc, .argv = argv };
	int nr = 0;

	for (int opt; (opt = cmd_next(&args, env->err)) != CMD_END; nr++) {
		if (opt == CMD_BAD || check_file(env, args.value) < 0)
			return -1;
		printf("%s: ok\n", args.value);
	}
	return nr ? 0 : cmd_missing(&cmd_check, "the file", env->err);
}

const struct command cmd_check = {
	.name = "check",
	.operands = "FILE...",
	.summary = "read scenario, machine and experiment files and say what is wrong with them",
	.notes = "A scenario is built as for a run, and then not run.\n",
	.run = check,
};
