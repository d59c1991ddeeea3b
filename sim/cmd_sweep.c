#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/batch.h"
#include "sim/cluster.h"
#include "sim/cmd_scenario.h"
#include "sim/report/csv.h"
#include "sim/sweep/export.h"
#include "sim/sweep/sweep.h"
#include "sim/sweep/runner.h"

enum {
	OPT_SWEEP,
	OPT_SET,
	OPT_REPEATS,
	OPT_SAMPLES,
	OPT_DESIGN,
	OPT_PRECISION,
	OPT_MAX_REPEATS,
	OPT_JOBS,
	OPT_SHARD,
	OPT_SHUFFLE,
	OPT_SKIP_INVALID,
	OPT_RETRY_FAILED,
	OPT_DRY_RUN,
	OPT_OUT,
};

static const struct cmd_option options[] = {
	{ "--sweep", 0, "PATH=LO:HI:STEP|A,B,C", "an axis: a range or a list; may be repeated" },
	CMD_OPTION_SET,
	{ "--repeats", 0, "N", "the same as --set run.repeats=N" },
	{ "--samples", 0, "N", "so many points spread over the axes instead of all" },
	{ "--design", 0, "grid|latin|sobol", "how (default with --samples: latin)" },
	{ "--precision", 0, "P%",
		"more repeats until the 95 % interval is within P % of the mean" },
	{ "--max-repeats", 0, "N", "but no more than N of them (default: 100)" },
	{ "--jobs", 'j', "N", "threads (default: processors online); changes no result" },
	{ "--shard", 0, "K/N", "only the Kth of N parts of the runs; merge puts them together" },
	{ "--shuffle", 0, "SEED", "start points in a random order; changes no result" },
	{ "--skip-invalid", 0, NULL, "list points that make no sense instead of refusing them" },
	{ "--retry-failed", 0, NULL, "run those again that failed before" },
	{ "--dry-run", 0, NULL, "print the points and how long they may take" },
	{ "--output", 'o', "DIR", "where the results are kept, or go on" },
	{ .name = NULL },
};

#define DEFAULT_MAX_REPEATS 100
/* An interval needs some repeats to begin with. */
#define LEAST_REPEATS 5

struct request {
	struct plan_request plan;
	struct cmd_overrides overrides;
	const char **sweeps;
	const char *out;
	struct schedule_request schedule;
	int64_t jobs;
	bool skip_invalid, retry_failed, dry_run;
	struct cluster cluster;
};

static int take_shard(const char *text, struct schedule_request *schedule, struct error *err)
{
	char part[32];
	const char *slash = strchr(text, '/');
	size_t length = slash ? (size_t)(slash - text) : 0;

	if (length == 0 || length >= sizeof(part))
		return error_set(
			err, ERROR_USAGE, "--shard: \"%.60s\" is not K/N, such as 2/8", text);
	snprintf(part, sizeof(part), "%.*s", (int)length, text);
	if (cmd_integer("--shard", slash + 1, 1, 1000000, &schedule->nr_shards, err) < 0 ||
		cmd_integer("--shard", part, 1, schedule->nr_shards, &schedule->shard, err) < 0)
		return -1;
	schedule->shard--;
	return 0;
}

static int take_precision(const char *text, double *precision, struct error *err)
{
	int64_t ppm;

	if (str_to_i64(text, UNIT_PPM, &ppm) < 0 || ppm < 1 || ppm > 1000000)
		return error_set(err, ERROR_USAGE,
			"--precision: \"%.60s\" is no share such as 1%% or 0.01", text);
	*precision = (double)ppm / 1e6;
	return 0;
}

static int take_number(struct cmd_env *env, struct request *r, const char *value, int opt)
{
	struct schedule_request *schedule = &r->schedule;

	switch (opt) {
	case OPT_REPEATS:
		cmd_overrides_add(&r->overrides, arena_printf(env->arena, "run.repeats=%s", value));
		return 0;
	case OPT_SAMPLES:
		return cmd_integer(
			"--samples", value, 1, PLAN_MAX_POINTS, &r->plan.samples, env->err);
	case OPT_MAX_REPEATS:
		return cmd_integer("--max-repeats", value, LEAST_REPEATS, 100000,
			&schedule->max_repeats, env->err);
	case OPT_SHUFFLE:
		return cmd_integer("--shuffle", value, 1, INT64_MAX, &schedule->shuffle, env->err);
	case OPT_JOBS:
		return cmd_integer("--jobs", value, 1, 256, &r->jobs, env->err);
	case OPT_PRECISION:
		return take_precision(value, &schedule->precision, env->err);
	}
	return take_shard(value, schedule, env->err);
}

static int take_option(struct cmd_env *env, struct request *r, struct cmd_args *args, int opt)
{
	switch (opt) {
	case CMD_BAD:
		return -1;
	case CMD_OPERAND:
		return cmd_operand(args, &r->plan.path, env->err);
	case OPT_SWEEP:
		r->sweeps[r->plan.nr_sweeps++] = args->value;
		return 0;
	case OPT_SET:
		cmd_overrides_add(&r->overrides, args->value);
		return 0;
	case OPT_DESIGN:
		return cmd_choice("design", args->value, design_names, &r->plan.design, env->err);
	case OPT_OUT:
		r->out = args->value;
		return 0;
	case OPT_SKIP_INVALID:
		r->skip_invalid = true;
		return 0;
	case OPT_RETRY_FAILED:
		r->retry_failed = true;
		return 0;
	case OPT_DRY_RUN:
		r->dry_run = true;
		return 0;
	}
	return take_number(env, r, args->value, opt);
}

static int parse(struct cmd_env *env, int argc, char **argv, struct request *r)
{
	struct cmd_args args = { .command = &cmd_sweep, .argc = argc, .argv = argv };
	int opt;

	*r = (struct request){ .plan.design = -1,
		.jobs = batch_default_jobs(),
		.sweeps = arena_array(env->arena, (size_t)argc + 1, sizeof(*r->sweeps)),
		.schedule = { .nr_shards = 1 } };
	cmd_overrides_init(&r->overrides, env->arena, argc);
	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (take_option(env, r, &args, opt) < 0)
			return -1;
	if (!r->plan.path)
		return cmd_missing(&cmd_sweep, "the scenario", env->err);
	if (!r->out && !r->dry_run)
		return cmd_missing(&cmd_sweep, "-o DIR", env->err);
	if (r->schedule.precision > 0 && r->schedule.nr_shards > 1)
		return error_set(env->err, ERROR_USAGE,
			"--precision looks at all repeats of a point, --shard at some: use one");
	if (r->schedule.max_repeats > 0 && r->schedule.precision <= 0)
		return error_set(env->err, ERROR_USAGE, "--max-repeats goes with --precision");
	if (r->plan.samples > 0 && r->plan.design < 0)
		r->plan.design = DESIGN_LATIN;
	r->plan.path = cmd_scenario_path(env->arena, r->plan.path);
	r->plan.overrides = r->overrides.texts;
	r->plan.nr_overrides = r->overrides.nr;
	r->plan.sweeps = r->sweeps;
	return 0;
}

/* Repeats of the scenario; with a precision they may become more. */
static int choose_repeats(struct schedule_request *schedule, int64_t repeats, struct error *err)
{
	schedule->repeats = schedule->max_repeats > 0 || schedule->precision <= 0 ||
			repeats >= LEAST_REPEATS
		? repeats
		: LEAST_REPEATS;
	if (schedule->precision <= 0) {
		schedule->max_repeats = repeats;
		return 0;
	}
	if (schedule->repeats < LEAST_REPEATS)
		schedule->repeats = LEAST_REPEATS;
	if (schedule->max_repeats == 0)
		schedule->max_repeats = repeats > DEFAULT_MAX_REPEATS ? repeats
								      : DEFAULT_MAX_REPEATS;
	if (schedule->max_repeats < schedule->repeats)
		return error_set(err, ERROR_USAGE,
			"--max-repeats %" PRId64 " is below the %" PRId64
			" repeats of the scenario",
			schedule->max_repeats, schedule->repeats);
	return 0;
}

static void list_skipped(FILE *out, const struct points *points)
{
	for (size_t i = 0; i < points->nr; i++)
		if (points->list[i].skipped)
			fprintf(out, "skipped: %s\n", points->list[i].skipped);
}

static void print_points(struct cmd_env *env, const struct plan *plan, const struct points *points)
{
	fputs("point", stdout);
	for (size_t a = 0; a < plan->nr_axes; a++) {
		putchar(',');
		csv_field(stdout, plan->axes[a].path);
	}
	putchar('\n');
	for (size_t i = 0; i < points->nr; i++) {
		if (points->list[i].skipped)
			continue;
		printf("%zu", i + 1);
		for (size_t a = 0; a < plan->nr_axes; a++) {
			putchar(',');
			csv_field(stdout,
				axis_value(&plan->axes[a], env->arena, plan_value_of(plan, i, a)));
		}
		putchar('\n');
	}
}

/* Runs the first, the middle and the last point once to say how long all of them may take. */
static int estimate(struct cmd_env *env, const struct request *r, const struct plan *plan,
	const struct points *points)
{
	const size_t tried[] = { 0, points->nr / 2, points->nr - 1 };
	double runs = (double)(points->nr - points->nr_skipped) * (double)r->schedule.repeats;
	struct outcome outcome;
	struct runner runner;
	double sum_s = 0;
	int nr = 0;

	runner_start(&runner, plan);
	for (size_t i = 0; i < sizeof(tried) / sizeof(tried[0]); i++) {
		if (points->list[tried[i]].skipped || (i > 0 && tried[i] == tried[i - 1]))
			continue;
		runner_run(&runner, tried[i], 0, &outcome);
		if (outcome.failed) {
			runner_end(&runner);
			return error_set(env->err, ERROR_RUN, "point %zu: %.500s", tried[i] + 1,
				outcome.message);
		}
		sum_s += outcome.wall_s;
		nr++;
	}
	runner_end(&runner);
	if (nr > 0)
		runs *= sum_s / nr / (double)r->jobs / (double)r->schedule.nr_shards;
	long seconds = (long)(runs + 0.5);
	fprintf(stderr,
		"%zu points, %" PRId64 " repeats%s: about %ld:%02ld:%02ld with %" PRId64
		" jobs%s (by %d runs, none kept)\n",
		points->nr - points->nr_skipped, r->schedule.repeats,
		r->schedule.precision > 0 ? " at least" : "", seconds / 3600, seconds / 60 % 60,
		seconds % 60, r->jobs, r->schedule.nr_shards > 1 ? " on each shard's machine" : "",
		nr);
	return 0;
}

static void report_precision(const struct request *r, const struct schedule *schedule)
{
	size_t nr = 0, first = 0;

	for (size_t p = schedule->points->nr; p-- > 0;) {
		if (schedule->coarse[p]) {
			first = p;
			nr++;
		}
	}
	if (nr > 0)
		printf("precision %g %% not reached with %" PRId64 " repeats at %zu points, the "
		       "first of them %zu\n",
			100 * r->schedule.precision, r->schedule.max_repeats, nr, first + 1);
}

static int conclude(struct cmd_env *env, const struct request *r, struct sweep *sweep)
{
	const struct schedule *schedule = &sweep->schedule;

	if (sweep->error.code != ERROR_NONE)
		return error_set(env->err, sweep->error.code, "%s", sweep->error.text);
	if (sweep->stopping)
		return error_set(env->err, ERROR_RUN,
			"stopped with %zu of %zu runs in %.200s; the same command goes on from "
			"there",
			schedule->ended, schedule->total, r->out);
	if (export_runs(sweep->store, env->arena, env->err) < 0)
		return -1;
	printf("%zu runs in %s: %zu done now, %zu there before, %zu failed, %zu points skipped\n",
		schedule->ended, r->out, sweep->done_now, schedule->ended - sweep->done_now,
		schedule->failed, sweep->points->nr_skipped);
	report_precision(r, schedule);
	if (schedule->failed > 0)
		return error_set(env->err, ERROR_RUN, "%zu of %zu runs failed, such as %s",
			schedule->failed, schedule->total, sweep->failure);
	return 0;
}

static int execute(struct cmd_env *env, struct request *r, const struct plan *plan,
	const struct points *points)
{
	struct sweep sweep;
	struct store store;
	int result = store_create(&store, env->arena, r->out, plan, points, env->err);

	if (result == 0 && r->retry_failed)
		result = store_forget_failed(&store, env->err);
	if (result == 0)
		result = sweep_start(
			&sweep, env->arena, plan, points, &store, &r->schedule, env->err);
	if (result == 0) {
		if (r->cluster.size > 1)
			cluster_serve(&r->cluster, &sweep);
		else
			sweep_run(&sweep, (int)r->jobs);
		sweep_end(&sweep);
		result = conclude(env, r, &sweep);
	}
	store_close(&store);
	return result;
}

/* All that one process does by itself, or rank 0 of a cluster. */
static int lead(struct cmd_env *env, struct request *r, const struct plan *plan)
{
	struct points points;

	if (points_check(&points, plan, env->arena, r->skip_invalid, (int)r->jobs, env->err) < 0 ||
		choose_repeats(&r->schedule, points.repeats, env->err) < 0)
		return -1;
	list_skipped(stderr, &points);
	if (!r->dry_run)
		return execute(env, r, plan, &points);
	print_points(env, plan, &points);
	return estimate(env, r, plan, &points);
}

/* Another rank: what is wrong with the command line or the scenario rank 0 says as well. */
static void follow(struct cmd_env *env, struct request *r, const struct plan *plan, int loaded)
{
	const char *problem = loaded < 0 ? arena_strdup(env->arena, env->err->text) : NULL;

	*env->err = (struct error){ .code = ERROR_NONE };
	cluster_work(&r->cluster, plan, problem);
}

static int sweep(struct cmd_env *env, int argc, char **argv)
{
	struct cluster cluster;
	struct request r;
	struct plan plan;

	if (cluster_start(&cluster, env->arena, env->err) < 0)
		return -1;
	int result = parse(env, argc, argv, &r);
	if (result == 0)
		result = plan_load(&plan, env->arena, env->catalog, &r.plan, env->err);
	r.cluster = cluster;
	if (cluster.rank > 0)
		follow(env, &r, &plan, result);
	else if (result == 0)
		lead(env, &r, &plan);
	cluster_end(&r.cluster);
	return env->err->code == ERROR_NONE ? 0 : -1;
}

const struct command cmd_sweep = {
	.name = "sweep",
	.operands = "SCENARIO -o DIR",
	.summary = "vary values of a scenario and keep what each run took",
	.notes = "Repeat k has the same seed at every point. Names are axes too: governor.name,\n"
		 "kernel.version, machine. A scenario may have the axes in itself, under sweep:.\n"
		 "What was done is not done again: after an interruption the same command goes "
		 "on.\n",
	.options = options,
	.run = sweep,
};
