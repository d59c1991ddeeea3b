#include <inttypes.h>
#include <stdio.h>

#include "sim/batch.h"
#include "sim/cmd_explain.h"
#include "sim/cmd_scenario.h"
#include "sim/cmd_trace.h"
#include "sim/report/csv.h"
#include "sim/report/json.h"
#include "sim/report/manifest.h"
#include "sim/report/outdir.h"
#include "sim/report/power_report.h"
#include "sim/report/state.h"
#include "sim/report/summary.h"
#include "sim/run.h"

enum {
	OPT_SET,
	OPT_SEED,
	OPT_REPEATS,
	OPT_JOBS,
	OPT_FORMAT,
	OPT_OUT,
	OPT_EXPLAIN,
	OPT_HOOKS,
	OPT_TRACE
};

static const struct cmd_option options[] = {
	CMD_OPTION_SET,
	{ "--seed", 0, "N", "the same as --set run.seed=N" },
	{ "--repeats", 0, "N", "the same as --set run.repeats=N" },
	{ "--jobs", 'j', "N", "threads (default: processors online); changes no result" },
	{ "--format", 0, "table|csv|json", "what is printed (default: table)" },
	{ "--output", 'o', "DIR",
		"write runs.csv, manifest.yaml, series, residency and cpufreq stats there" },
	{ "--explain", 0, "cpu=N,from=T,to=T|summary",
		"instead of results: each evaluation of the governor, and the rule that decided" },
	{ "--hooks", 0, NULL, "add a table of the scheduler's calls of the governor" },
	CMD_OPTIONS_TRACE,
	{ .name = NULL },
};

enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };
static const char *const formats[] = { "table", "csv", "json", NULL };

struct request {
	const char *path, *out;
	struct cmd_overrides overrides;
	int64_t jobs;
	int format;
	bool hooks, explained;
	struct explain explain;
	struct cmd_trace trace;
};

static int take_option(struct cmd_env *env, struct request *request, struct cmd_args *args, int opt)
{
	const char *value = args->value;

	switch (opt) {
	case OPT_SET:
		cmd_overrides_add(&request->overrides, value);
		return 0;
	case OPT_SEED:
		cmd_overrides_add(
			&request->overrides, arena_printf(env->arena, "run.seed=%s", value));
		return 0;
	case OPT_REPEATS:
		cmd_overrides_add(
			&request->overrides, arena_printf(env->arena, "run.repeats=%s", value));
		return 0;
	case OPT_JOBS:
		return cmd_integer("--jobs", value, 1, 256, &request->jobs, env->err);
	case OPT_FORMAT:
		return cmd_choice("format", value, formats, &request->format, env->err);
	case OPT_OUT:
		request->out = value;
		return 0;
	case OPT_HOOKS:
		request->hooks = true;
		return 0;
	case OPT_EXPLAIN:
		request->explained = true;
		return explain_parse(env, value, &request->explain);
	}
	if (opt >= OPT_TRACE) {
		request->trace.paths[opt - OPT_TRACE] = value;
		return 0;
	}
	return cmd_operand(args, &request->path, env->err);
}

static int parse(struct cmd_env *env, int argc, char **argv, struct request *request)
{
	struct cmd_args args = { .command = &cmd_run, .argc = argc, .argv = argv };
	int opt;

	cmd_overrides_init(&request->overrides, env->arena, argc);
	request->jobs = batch_default_jobs();
	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (opt == CMD_BAD || take_option(env, request, &args, opt) < 0)
			return -1;
	if (request->explained && (request->out || request->format != FORMAT_TABLE))
		return error_set(env->err, ERROR_USAGE,
			"--explain takes the place of results: no --output or --format with it");
	return request->path ? 0 : cmd_missing(&cmd_run, "the scenario", env->err);
}

static int write_file(struct outdir *dir, const char *name, const struct report *report,
	void (*write)(FILE *out, const struct report *report), struct error *err)
{
	FILE *file = outdir_file(dir, name, err);

	if (!file)
		return -1;
	write(file, report);
	return 0;
}

static int write_power(struct outdir *dir, const struct report *report, struct error *err)
{
	static const struct {
		const char *name;
		void (*write)(FILE *out, const struct report *report);
	} files[] = {
		{ "series-power.csv", csv_write_power },
		{ "power.csv", power_report_write_csv },
		{ "power-outliers.csv", power_report_write_outliers },
		{ "power-histogram.csv", power_report_write_histogram },
		{ "power-spectrum.csv", power_report_write_spectrum },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (write_file(dir, files[i].name, report, files[i].write, err) < 0)
			return -1;
	return 0;
}

static int write_files(struct outdir *dir, const struct manifest *manifest,
	const struct report *report, struct error *err)
{
	if (write_file(dir, "runs.csv", report, csv_write_runs, err) < 0 ||
		write_file(dir, "residency.csv", report, csv_write_residency, err) < 0 ||
		write_file(dir, "time_in_state.csv", report, state_write_time, err) < 0 ||
		write_file(dir, "trans_table.csv", report, state_write_trans, err) < 0 ||
		write_file(dir, "hooks.csv", report, csv_write_hooks, err) < 0 ||
		write_file(dir, "idle.csv", report, csv_write_idle, err) < 0 ||
		write_file(dir, "wakeup-latency.csv", report, csv_write_latency, err) < 0 ||
		write_power(dir, report, err) < 0)
		return -1;
	FILE *file = outdir_file(dir, "manifest.yaml", err);
	if (!file)
		return -1;
	manifest_write(file, manifest);
	return 0;
}

static int write_directory(struct cmd_env *env, const char *path, const struct scenario *scenario,
	const struct report *report)
{
	struct manifest manifest;
	struct outdir dir;
	struct run run;

	/* What tune() made of the tunables is seen in a run that is built once more. */
	if (run_build(&run, scenario, 0, env->err) < 0)
		return -1;
	manifest = (struct manifest){
		.scenario = scenario, .tunables = run.tunables, .version = CPUFREQSIM_VERSION
	};
	int result = outdir_open(&dir, env->arena, path, env->err);
	if (result == 0) {
		result = write_files(&dir, &manifest, report, env->err);
		if (result == 0)
			result = outdir_commit(&dir, env->err);
		else
			outdir_abort(&dir);
	}
	run_free(&run);
	return result;
}

static void print_report(struct cmd_env *env, int format, const struct report *report)
{
	if (report->results[0]->note)
		fprintf(format == FORMAT_TABLE ? stdout : stderr, "note: %s\n",
			report->results[0]->note);
	if (format == FORMAT_CSV)
		csv_write_runs(stdout, report);
	else if (format == FORMAT_JSON)
		json_write_runs(stdout, report);
	else
		summary_write(stdout, report, arena_array(env->arena, report->nr, sizeof(double)));
}

static int deliver(struct cmd_env *env, const struct request *request,
	const struct scenario *scenario, struct batch_item *items, size_t nr)
{
	const struct result **results = arena_array(env->arena, nr, sizeof(*results));
	struct power_report power;
	struct report report = { .scenario = scenario->name,
		.governor = scenario->governor_name,
		.driver = scenario->driver->name,
		.workload = scenario->workload->name,
		.seed = scenario->run.seed,
		.power_assumed = scenario->machine.power.assumed,
		.results = results,
		.nr = nr };

	if (batch_run(items, nr, (int)request->jobs, env->err) < 0)
		return -1;
	for (size_t i = 0; i < nr; i++)
		results[i] = &items[i].result;
	power_report_make(&power, env->arena, &report, scenario->run.sample_interval_ns);
	report.power = &power;
	if (request->out && write_directory(env, request->out, scenario, &report) < 0)
		return -1;
	print_report(env, request->format, &report);
	if (request->hooks && request->format == FORMAT_TABLE)
		summary_write_hooks(stdout, &report);
	return 0;
}

/* The first repeat, once for its trace: the results are those of runs that nobody watches. */
static int write_trace(
	struct cmd_env *env, const struct scenario *scenario, struct cmd_trace *trace)
{
	struct run run;

	if (run_build(&run, scenario, 0, env->err) < 0)
		return -1;
	int result = cmd_trace_start(env, trace, &run);
	if (result == 0)
		result = run_execute(&run, env->err);
	if (cmd_trace_end(env, trace, &run) < 0)
		result = -1;
	run_free(&run);
	return result;
}

static int run_scenario(struct cmd_env *env, int argc, char **argv)
{
	struct request request = { 0 };

	if (parse(env, argc, argv, &request) < 0)
		return -1;
	const struct scenario *scenario = cmd_load_scenario(env, request.path, &request.overrides);
	if (!scenario || (request.out && outdir_check(env->arena, request.out, env->err) < 0))
		return -1;
	if (cmd_trace_wanted(&request.trace) && write_trace(env, scenario, &request.trace) < 0)
		return -1;
	if (request.explained)
		return explain_run(env, scenario, &request.explain);
	size_t nr = (size_t)scenario->run.repeats;
	struct batch_item *items = arena_array(env->arena, nr, sizeof(*items));
	for (size_t i = 0; i < nr; i++) {
		items[i].scenario = scenario;
		items[i].repeat = (int64_t)i;
	}
	int result = deliver(env, &request, scenario, items, nr);
	batch_free(items, nr);
	return result;
}

const struct command cmd_run = {
	.name = "run",
	.operands = "SCENARIO",
	.summary = "run a scenario and say what it took",
	.notes = "Repeats differ in their random draws only. A manifest.yaml is a scenario too:\n"
		 "running it gives the same runs.csv, byte for byte.\n"
		 "--explain and --trace look at the first repeat.\n",
	.options = options,
	.run = run_scenario,
};
