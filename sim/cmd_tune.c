#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/batch.h"
#include "sim/cmd_scenario.h"
#include "sim/sweep/tune.h"

enum { OPT_OVER, OPT_OBJECTIVE, OPT_CONSTRAINT, OPT_BUDGET, OPT_SET, OPT_JOBS };

static const struct cmd_option options[] = {
	{ "--over", 0, "PATH=LO:HI:STEP|A,B,C", "an axis to search; may be repeated" },
	{ "--objective", 0, "METRIC[,METRIC]", "what is to be good (default: energy,elapsed)" },
	{ "--constraint", 0, "\"METRIC <= F*GOVERNOR\"", "or <= NUMBER, or >=" },
	{ "--budget", 0, "RUNS", "all runs together (default: 80)" },
	CMD_OPTION_SET,
	{ "--jobs", 'j', "N", "threads (default: processors online); changes no result" },
	{ .name = NULL },
};

#define LEAST_BUDGET 16

struct request {
	struct tune_request tune;
	struct tune_constraint constraint;
	struct cmd_overrides overrides;
	const char **axes;
	int64_t jobs;
};

/* A metric by its name, or by what everybody calls it. */
static int find_metric(const char *name, enum metric *metric, struct error *err)
{
	*metric = metric_find(name);
	if (strcmp(name, "energy") == 0)
		*metric = METRIC_energy_pkg_j;
	else if (strcmp(name, "elapsed") == 0)
		*metric = METRIC_elapsed_s;
	else if (strcmp(name, "power") == 0)
		*metric = METRIC_power_avg_w;
	if (*metric != METRIC_NR)
		return 0;
	return error_set(err, ERROR_USAGE,
		"unknown metric \"%.60s\"; expected energy, elapsed, power or one of: cpufreq-sim "
		"list metrics",
		name);
}

static int take_objectives(struct cmd_env *env, const char *text, struct tune_request *tune)
{
	tune->nr_objectives = 0;
	while (*text) {
		size_t length = strcspn(text, ",");

		if (tune->nr_objectives == TUNE_MAX_OBJECTIVES)
			return error_set(env->err, ERROR_USAGE, "--objective: more than %d of them",
				TUNE_MAX_OBJECTIVES);
		if (find_metric(arena_printf(env->arena, "%.*s", (int)length, text),
			    &tune->objectives[tune->nr_objectives++], env->err) < 0)
			return -1;
		text += length + (text[length] == ',');
	}
	return tune->nr_objectives ? 0 : error_set(env->err, ERROR_USAGE, "--objective is empty");
}

/* "elapsed <= 1.02*performance" */
static int take_constraint(struct cmd_env *env, const char *text, struct tune_constraint *c)
{
	size_t name = strcspn(text, " <>");
	const char *p = text + name + strspn(text + name, " ");
	char *end;

	if ((*p != '<' && *p != '>') || p[1] != '=')
		return error_set(env->err, ERROR_USAGE,
			"--constraint: \"%.80s\" has no <= or >=; expected such as \"elapsed <= "
			"1.02*performance\"",
			text);
	c->at_least = *p == '>';
	c->factor = strtod(p + 2, &end);
	if (end == p + 2 || !isfinite(c->factor))
		return error_set(env->err, ERROR_USAGE,
			"--constraint: no number behind %.2s in \"%.80s\"", p, text);
	end += strspn(end, " ");
	c->reference = NULL;
	if (*end == '*')
		c->reference = arena_strdup(env->arena, end + 1 + strspn(end + 1, " "));
	else if (*end)
		return error_set(env->err, ERROR_USAGE,
			"--constraint: unexpected \"%.40s\"; expected *GOVERNOR", end);
	return find_metric(arena_printf(env->arena, "%.*s", (int)name, text), &c->metric, env->err);
}

static int take_option(struct cmd_env *env, struct request *r, struct cmd_args *args, int opt)
{
	switch (opt) {
	case CMD_BAD:
		return -1;
	case OPT_OVER:
		r->axes[r->tune.plan.nr_sweeps++] = args->value;
		return 0;
	case OPT_OBJECTIVE:
		return take_objectives(env, args->value, &r->tune);
	case OPT_CONSTRAINT:
		r->tune.constraint = &r->constraint;
		return take_constraint(env, args->value, &r->constraint);
	case OPT_BUDGET:
		return cmd_integer(
			"--budget", args->value, LEAST_BUDGET, 100000, &r->tune.budget, env->err);
	case OPT_SET:
		cmd_overrides_add(&r->overrides, args->value);
		return 0;
	case OPT_JOBS:
		return cmd_integer("--jobs", args->value, 1, 256, &r->jobs, env->err);
	}
	return cmd_operand(args, &r->tune.plan.path, env->err);
}

static int parse(struct cmd_env *env, int argc, char **argv, struct request *r)
{
	struct cmd_args args = { .command = &cmd_tune, .argc = argc, .argv = argv };
	int opt;

	*r = (struct request){ .jobs = batch_default_jobs(),
		.axes = arena_array(env->arena, (size_t)argc + 1, sizeof(*r->axes)),
		.tune = { .budget = 80,
			.nr_objectives = 2,
			.objectives = { METRIC_energy_pkg_j, METRIC_elapsed_s } } };
	cmd_overrides_init(&r->overrides, env->arena, argc);
	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (take_option(env, r, &args, opt) < 0)
			return -1;
	if (!r->tune.plan.path)
		return cmd_missing(&cmd_tune, "the scenario", env->err);
	r->tune.plan.path = cmd_scenario_path(env->arena, r->tune.plan.path);
	r->tune.plan.overrides = r->overrides.texts;
	r->tune.plan.nr_overrides = r->overrides.nr;
	r->tune.plan.sweeps = r->axes;
	r->tune.jobs = (int)r->jobs;
	return 0;
}

/* Points of the front side by side on the seeds that all of them were run on. */
static size_t common_seeds(const struct tune_result *result)
{
	size_t least = TUNE_MAX_SEEDS;

	for (size_t i = 0; i < result->nr; i++)
		if (result->candidates[i].front && result->candidates[i].n < least)
			least = result->candidates[i].n;
	return least;
}

static void print_candidate(struct cmd_env *env, const struct tune_request *tune,
	const struct tune_result *result, size_t i, size_t seeds)
{
	const struct tune_candidate *c = &result->candidates[i];

	for (size_t o = 0; o < tune->nr_objectives; o++) {
		double sum = 0;

		for (size_t k = 0; k < seeds; k++)
			sum += c->values[k][tune->objectives[o]];
		printf("%14.5f", sum / (double)seeds);
	}
	printf("  %s%s\n", i == result->chosen ? "* " : "  ",
		plan_describe(&result->plan, i, env->arena));
}

static void print_check(const char *name, const char *unit, const struct stats *stats)
{
	printf("  %s: %.5f +- %.5f %s (95 %%)\n", name, stats->mean, stats->ci95, unit);
}

static bool power_is_assumed(const struct tune_result *result)
{
	for (size_t i = 0; i < result->nr; i++)
		if (result->candidates[i].n &&
			result->candidates[i].values[0][METRIC_power_assumed] > 0)
			return true;
	return false;
}

static void print_result(
	struct cmd_env *env, const struct request *r, const struct tune_result *result)
{
	const struct tune_request *tune = &r->tune;

	size_t seeds = common_seeds(result);

	printf("%" PRId64 " runs, %zu points tried; %s, means of %zu seeds:\n\n", result->used,
		result->nr,
		tune->nr_objectives > 1 ? "no other beats these in both (* the knee)" : "the best",
		seeds);
	for (size_t o = 0; o < tune->nr_objectives; o++)
		printf("%14s", metric_infos[tune->objectives[o]].name);
	printf("    point%s\n", power_is_assumed(result) ? "    (assumed power)" : "");
	for (size_t i = 0; i < result->nr; i++)
		if (result->candidates[i].front)
			print_candidate(env, tune, result, i, seeds);
	printf("\n%s on %" PRId64 " seeds that the search did not use:\n",
		plan_describe(&result->plan, result->chosen, env->arena), result->fresh);
	for (size_t o = 0; o < tune->nr_objectives; o++)
		print_check(metric_infos[tune->objectives[o]].name,
			metric_infos[tune->objectives[o]].unit, &result->check[o]);
	if (!tune->constraint)
		return;
	enum metric metric = tune->constraint->metric;
	print_check(
		metric_infos[metric].name, metric_infos[metric].unit, &result->check_constraint);
	printf("  constraint: %s %s %.5f\n", metric_infos[metric].name,
		tune->constraint->at_least ? ">=" : "<=", result->bound);
}

static int tune(struct cmd_env *env, int argc, char **argv)
{
	struct tune_result *result = arena_alloc(env->arena, sizeof(*result));
	struct request r;

	if (parse(env, argc, argv, &r) < 0 ||
		tune_search(result, env->arena, env->catalog, &r.tune, env->err) < 0)
		return -1;
	print_result(env, &r, result);
	return 0;
}

const struct command cmd_tune = {
	.name = "tune",
	.operands = "SCENARIO",
	.summary = "search values of a scenario for the best time and energy",
	.notes =
		"A space-filling start, then more seeds for the better half, then a walk from the\n"
		"best. The chosen point is measured on seeds that the search did not use.\n",
	.options = options,
	.run = tune,
};
