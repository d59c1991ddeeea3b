#include <math.h>
#include <stdio.h>

#include "sim/base/str.h"
#include "sim/cmd_recording.h"
#include "sim/cmd_trace.h"
#include "sim/report/result.h"
#include "sim/run.h"

enum { OPT_MACHINE, OPT_GOVERNOR, OPT_DRIVER, OPT_ROOT, OPT_WINDOW, OPT_SET, OPT_TRACE };

static const struct cmd_option options[] = {
	{ "--machine", 0, "MACHINE", "where it is replayed; required" },
	{ "--governor", 0, "NAME", "default: schedutil" },
	{ "--driver", 0, "NAME", "default: the machine's own" },
	{ "--root", 0, "PID|NAME",
		"replay this task and all it forks (default: between marks, or all)" },
	{ "--window", 0, "FROM,TO", "replay this part, in time from the first event on" },
	CMD_OPTION_SET,
	CMD_OPTIONS_TRACE,
	{ .name = NULL },
};

static int take_option(struct cmd_env *env, struct recording_request *request,
	struct cmd_trace *trace, struct cmd_args *args, int opt)
{
	switch (opt) {
	case OPT_MACHINE:
		request->machine = args->value;
		return 0;
	case OPT_GOVERNOR:
		request->governor = args->value;
		return 0;
	case OPT_DRIVER:
		request->driver = args->value;
		return 0;
	case OPT_ROOT:
		request->root = args->value;
		return 0;
	case OPT_WINDOW:
		request->window = args->value;
		return 0;
	case OPT_SET:
		cmd_overrides_add(&request->overrides, args->value);
		return 0;
	}
	if (opt >= OPT_TRACE) {
		trace->paths[opt - OPT_TRACE] = args->value;
		return 0;
	}
	return cmd_operand(args, &request->trace, env->err);
}

/* What of all metrics is shown: those of the recording first. */
static const enum metric shown[] = { METRIC_elapsed_s, METRIC_cpu_seconds_s, METRIC_freq_avg_ghz,
	METRIC_total_cycles, METRIC_wakeups, METRIC_forks, METRIC_switches, METRIC_wakeup_p50_us,
	METRIC_wakeup_p99_us, METRIC_energy_pkg_j, METRIC_power_avg_w, METRIC_transitions,
	METRIC_driver_busy_s };

static void print_metrics(const struct measure *recorded, int nr, const double *values)
{
	printf("%-18s %-5s %16s %16s %9s\n", "", "unit", "recorded", "replayed", "change");
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		const struct metric_info *info = &metric_infos[shown[i]];
		int decimals = info->decimals < 6 ? info->decimals : 6, at = 0;

		while (at < nr && metric_find(recorded[at].name) != shown[i])
			at++;
		printf("%-18s %-5s ", info->name, info->unit);
		if (at == nr) {
			printf("%16s %16.*f\n", "-", decimals, values[shown[i]]);
			continue;
		}
		printf("%16.*f %16.*f", decimals, recorded[at].value, decimals, values[shown[i]]);
		if (fabs(recorded[at].value) > 0)
			printf(" %+8.1f%%", 100 * (values[shown[i]] / recorded[at].value - 1));
		printf("\n");
	}
}

static void print_residency(const struct result *result)
{
	printf("\n%-8s %12s %14s %7s\n", "policy", "clock", "time", "share");
	for (size_t i = 0; i < result->nr_residencies; i++) {
		const struct residency *r = &result->residencies[i];
		int64_t all_ns = 0;
		char clock[32] = "idle";

		for (size_t j = 0; j < result->nr_residencies; j++)
			if (result->residencies[j].policy == r->policy)
				all_ns += result->residencies[j].ns;
		if (r->ns == 0)
			continue;
		if (r->khz)
			str_from_i64(r->khz, UNIT_KHZ, clock, sizeof(clock));
		printf("cpu%-5d %12s %12.6f s %6.1f%%\n", r->policy, clock, (double)r->ns / 1e9,
			100 * (double)r->ns / (double)all_ns);
	}
}

/* Of the recording busy time alone: what its CPUs' clocks do while they idle is not told. */
static void print_recorded_clocks(const struct recorded_clock *clocks, size_t nr)
{
	if (nr == 0)
		return;
	printf("\n%-8s %12s %14s %7s\n", "recorded", "clock", "busy time", "share");
	for (size_t i = 0; i < nr; i++) {
		int64_t all_ns = 0;
		char clock[32] = "not told";

		for (size_t j = 0; j < nr; j++)
			if (clocks[j].cpu == clocks[i].cpu)
				all_ns += clocks[j].ns;
		if (clocks[i].ns == 0)
			continue;
		if (clocks[i].khz)
			str_from_i64(clocks[i].khz, UNIT_KHZ, clock, sizeof(clock));
		printf("cpu%-5d %12s %12.6f s %6.1f%%\n", clocks[i].cpu, clock,
			(double)clocks[i].ns / 1e9, 100 * (double)clocks[i].ns / (double)all_ns);
	}
}

/* What the recording says of itself, before the run takes place. */
struct recorded {
	struct measure measures[MEASURES_MAX];
	int nr;
	const struct recorded_clock *clocks;
	size_t nr_clocks;
};

static void read_recorded(const struct run *run, struct recorded *recorded)
{
	const struct workload *workload = run->scenario->workload;

	if (workload->recorded)
		recorded->nr = workload->recorded(&run->workload_ctx, recorded->measures);
	if (workload->clocks)
		recorded->nr_clocks = workload->clocks(&run->workload_ctx, &recorded->clocks);
}

static int replay(
	struct cmd_env *env, const struct recording_request *request, struct cmd_trace *trace)
{
	const struct scenario *scenario = recording_scenario(env, request);
	struct recorded recorded = { 0 };
	struct result result = { 0 };
	struct run run;

	if (!scenario || run_build(&run, scenario, 0, env->err) < 0)
		return -1;
	read_recorded(&run, &recorded);
	int rc = cmd_trace_start(env, trace, &run);
	if (rc == 0)
		rc = run_execute(&run, env->err);
	rc = cmd_trace_end(env, trace, &run) ? -1 : rc;
	if (rc == 0)
		rc = result_collect(&result, &run, 1, env->err);
	if (rc == 0) {
		printf("%s on %s: governor %s, driver %s\n\n", request->trace,
			scenario->machine.name ? scenario->machine.name : request->machine,
			scenario->governor_name, scenario->driver->name);
		print_metrics(recorded.measures, recorded.nr, result.metrics);
		print_residency(&result);
		print_recorded_clocks(recorded.clocks, recorded.nr_clocks);
		if (scenario->machine.power.assumed)
			printf("\nThe power model of this machine is assumed.\n");
	}
	result_free(&result);
	run_free(&run);
	return rc;
}

static int run_replay(struct cmd_env *env, int argc, char **argv)
{
	struct cmd_args args = { .command = &cmd_replay, .argc = argc, .argv = argv };
	struct recording_request request = { 0 };
	struct cmd_trace trace = { 0 };
	int opt;

	cmd_overrides_init(&request.overrides, env->arena, argc);
	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (opt == CMD_BAD || take_option(env, &request, &trace, &args, opt) < 0)
			return -1;
	if (!request.trace)
		return cmd_missing(&cmd_replay, "the recording", env->err);
	if (!request.machine)
		return cmd_missing(&cmd_replay, "--machine", env->err);
	return replay(env, &request, &trace);
}

const struct command cmd_replay = {
	.name = "replay",
	.operands = "TRACE",
	.summary = "run a recording on a simulated machine, beside what was recorded",
	.notes =
		"Of the recorded times nothing is kept but those that come from outside: timers,\n"
		"devices, tasks that are left out. TRACE is what import takes, or what it wrote.\n",
	.options = options,
	.run = run_replay,
};
