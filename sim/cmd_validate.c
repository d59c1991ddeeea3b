#include <stdio.h>

#include "sim/base/str.h"
#include "sim/cmd_recording.h"
#include "sim/validate/validate.h"

enum {
	OPT_GOVERNOR,
	OPT_KERNEL,
	OPT_MACHINE,
	OPT_DRIVER,
	OPT_TRACKING,
	OPT_WARMUP,
	OPT_EXPLAIN,
	OPT_FORMAT,
	OPT_SET,
};

static const struct cmd_option options[] = {
	{ "--governor", 0, "NAME",
		"that chose the recorded frequencies: schedutil or intel_pstate" },
	{ "--kernel", 0, "VERSION", "it was part of" },
	{ "--machine", 0, "MACHINE", "it ran on (default: generic-desktop)" },
	{ "--driver", 0, "NAME", "default: the machine's own" },
	{ "--load-tracking", 0, "pelt|walt",
		"how it knew of load (default: pelt; walt: windows, as on phones)" },
	{ "--warmup", 0, "TIME",
		"leave out the beginning (default: 500ms where load is tracked, else 0)" },
	{ "--explain", 0, NULL, "show the worst moments of each policy and what decided there" },
	{ "--format", 0, "table|csv", "what is printed (default: table)" },
	CMD_OPTION_SET,
	{ .name = NULL },
};

enum format { FORMAT_TABLE, FORMAT_CSV };

static const char *const trackings[] = { [TRACKING_PELT] = "pelt", [TRACKING_WALT] = "walt", NULL };
static const char *const formats[] = { "table", "csv", NULL };

struct request {
	struct recording_request recording;
	struct validate_options options;
	const char *kernel;
	int format, tracking;
};

static int take_warmup(struct cmd_env *env, const char *text, int64_t *ns)
{
	if (str_to_i64(text, UNIT_NS, ns) < 0 || *ns < 0)
		return error_set(env->err, ERROR_USAGE,
			"--warmup: \"%.60s\" is not a time, such as 500ms", text);
	return 0;
}

static int take_option(struct cmd_env *env, struct request *request, struct cmd_args *args, int opt)
{
	switch (opt) {
	case OPT_GOVERNOR:
		request->recording.governor = args->value;
		return 0;
	case OPT_KERNEL:
		request->kernel = args->value;
		return 0;
	case OPT_MACHINE:
		request->recording.machine = args->value;
		return 0;
	case OPT_DRIVER:
		request->recording.driver = args->value;
		return 0;
	case OPT_TRACKING:
		return cmd_choice(
			"load tracking", args->value, trackings, &request->tracking, env->err);
	case OPT_WARMUP:
		return take_warmup(env, args->value, &request->options.warmup_ns);
	case OPT_EXPLAIN:
		request->options.moments = VALIDATE_MOMENTS;
		return 0;
	case OPT_FORMAT:
		return cmd_choice("format", args->value, formats, &request->format, env->err);
	case OPT_SET:
		cmd_overrides_add(&request->recording.overrides, args->value);
		return 0;
	}
	return cmd_operand(args, &request->recording.trace, env->err);
}

#define PREDICTORS 4

/* A verdict's rows: the recording first, then who predicted it. */
static void rows_of(const struct policy_verdict *verdict, const char *names[PREDICTORS],
	const struct score *scores[PREDICTORS])
{
	names[0] = "recorded";
	names[1] = "model";
	names[2] = "best constant";
	names[3] = "keep the last";
	scores[0] = &verdict->recorded;
	scores[1] = &verdict->model;
	scores[2] = &verdict->constant;
	scores[3] = &verdict->keep;
}

static void print_scores(const struct validation *validation)
{
	const char *names[PREDICTORS];
	const struct score *scores[PREDICTORS];

	printf("%-7s %-14s %7s %7s %7s %7s %7s %9s %9s %8s %9s %9s\n", "policy", "", "events",
		"equal", "+-1", "+-2", "time", "residency", "mean", "mean", "absolute", "changes");
	printf("%-7s %-14s %7s %7s %7s %7s %7s %9s %9s %8s %9s %9s\n", "", "", "", "%", "step %",
		"steps %", "equal %", "distance", "MHz", "error %", "error MHz", "per s");
	for (size_t i = 0; i < validation->nr_policies; i++) {
		rows_of(&validation->policies[i], names, scores);
		for (int row = 0; row < PREDICTORS; row++) {
			const struct score *s = scores[row];

			printf("cpu%-4d %-14s %7lld", validation->policies[i].policy->first_cpu,
				names[row], (long long)s->evaluations);
			if (row == 0)
				printf(" %7s %7s %7s %7s %9s %9.1f %8s %9s", "", "", "", "", "",
					s->mean_khz / 1e3, "", "");
			else
				printf(" %7.1f %7.1f %7.1f %7.1f %9.3f %9.1f %+8.1f %9.1f",
					100 * s->equal, 100 * s->within1, 100 * s->within2,
					100 * s->time_equal, s->residency_distance,
					s->mean_khz / 1e3, 100 * s->mean_error,
					s->mean_error_khz / 1e3);
			printf(" %9.1f\n", s->changes_per_s);
		}
	}
}

static void print_utils(const struct validation *validation)
{
	if (validation->nr_utils == 0)
		return;
	printf("\nutilisation from scheduling alone, of 1024, median of the differences\n");
	printf("%-7s %7s %7s %15s\n", "cpu", "calls", "model", "constant");
	for (size_t i = 0; i < validation->nr_utils; i++) {
		const struct util_verdict *u = &validation->utils[i];

		printf("%-7d %7lld %7lld %7lld (at %lld)\n", u->cpu, (long long)u->calls,
			(long long)u->median_error, (long long)u->constant_error,
			(long long)u->constant);
	}
}

static void print_inputs(const struct validation *validation)
{
	bool titled = false;

	for (int cpu = 0; cpu < validation->model.loop.nr_cpus; cpu++) {
		const struct input_check *check = validation->checks[cpu];

		if (!check || check->counts.evaluated + check->counts.early == 0)
			continue;
		if (!titled)
			printf("\ndecisions from recorded inputs\n%-7s %10s %10s %10s %10s %10s "
			       "%10s "
			       "%10s\n",
				"cpu", "evaluated", "equal", "real-time", "early", "refused", "set",
				"equal");
		titled = true;
		printf("%-7d %10lld %10lld %10lld %10lld %10lld %10lld %10lld\n", cpu,
			(long long)check->counts.evaluated, (long long)check->counts.decided,
			(long long)check->counts.realtime, (long long)check->counts.early,
			(long long)check->counts.refused, (long long)check->counts.sets,
			(long long)check->counts.set_equal);
	}
}

static void print_moment(const struct validation *validation, const struct moment *moment)
{
	int64_t t_ns = moment->t_ns - validation->model.loop.offset_ns;
	const struct model_decision *decision = &moment->decision;

	printf("%lld.%06lld s cpu %d: recorded %u kHz, predicted %u kHz",
		(long long)(t_ns / 1000000000), (long long)(t_ns % 1000000000 / 1000),
		decision->cpu, moment->recorded_khz, moment->predicted_khz);
	if (moment->lasts_ns)
		printf(", for %.3f ms", (double)moment->lasts_ns / 1e6);
	printf("\n");
	if (decision->rule == DECISION_NONE)
		return;
	printf("  %s (%.3f ms before): %s\n ", decision_rule_info(decision->rule)->name,
		(double)(moment->t_ns - decision->t_ns) / 1e6,
		decision_rule_info(decision->rule)->meaning);
	for (int i = 0; i < decision->nr_facts; i++)
		printf(" %s=%lld%s", decision->facts[i].name, (long long)decision->facts[i].value,
			decision->facts[i].unit);
	printf("\n");
}

static void print_moments(const struct validation *validation)
{
	for (size_t i = 0; i < validation->nr_policies; i++) {
		const struct policy_verdict *verdict = &validation->policies[i];

		if (verdict->nr_worst)
			printf("\nworst moments of policy cpu%d\n", verdict->policy->first_cpu);
		for (size_t j = 0; j < verdict->nr_worst; j++)
			print_moment(validation, &verdict->worst[j]);
	}
	for (int cpu = 0; cpu < validation->model.loop.nr_cpus; cpu++) {
		const struct input_check *check = validation->checks[cpu];

		if (check && check->nr_wrong)
			printf("\nfrom recorded inputs, cpu %d decided otherwise\n", cpu);
		for (size_t j = 0; check && j < check->nr_wrong; j++)
			print_moment(validation, &check->wrong[j]);
	}
}

static void print_table(const struct validation *validation, const struct request *request)
{
	const struct scenario *scenario = validation->model.scenario;

	printf("%s: %s of Linux %s on %s, driver %s\n", request->recording.trace,
		scenario->governor->name, scenario->kernel.version_text, scenario->machine.name,
		scenario->driver->name);
	printf("%.3f s, the first %.3f s left out; %s\n\n", (double)validation->span_ns / 1e9,
		(double)validation->warmup_ns / 1e9,
		validation->model.governor->at_events
			? "each recorded event is one evaluation"
			: "the model evaluates when its own scheduler would");
	print_scores(validation);
	print_utils(validation);
	print_inputs(validation);
	if (request->options.moments)
		print_moments(validation);
}

static void csv(int cpu, const char *predictor, const char *figure, double value)
{
	printf("%d,%s,%s,%.9g\n", cpu, predictor, figure, value);
}

static void csv_scores(const struct policy_verdict *verdict)
{
	const char *names[PREDICTORS];
	const struct score *scores[PREDICTORS];
	int cpu = verdict->policy->first_cpu;

	rows_of(verdict, names, scores);
	for (int row = 0; row < PREDICTORS; row++) {
		const struct score *s = scores[row];

		csv(cpu, names[row], "evaluations", (double)s->evaluations);
		csv(cpu, names[row], "mean_khz", s->mean_khz);
		csv(cpu, names[row], "changes_per_s", s->changes_per_s);
		if (row == 0)
			continue;
		csv(cpu, names[row], "equal", s->equal);
		csv(cpu, names[row], "within1", s->within1);
		csv(cpu, names[row], "within2", s->within2);
		csv(cpu, names[row], "time_equal", s->time_equal);
		csv(cpu, names[row], "residency_distance", s->residency_distance);
		csv(cpu, names[row], "mean_error", s->mean_error);
		csv(cpu, names[row], "mean_error_khz", s->mean_error_khz);
	}
}

static void csv_inputs(const struct input_check *check)
{
	const struct input_counts *counts = &check->counts;

	csv(check->cpu, "inputs", "evaluated", (double)counts->evaluated);
	csv(check->cpu, "inputs", "decided", (double)counts->decided);
	csv(check->cpu, "inputs", "realtime", (double)counts->realtime);
	csv(check->cpu, "inputs", "early", (double)counts->early);
	csv(check->cpu, "inputs", "refused", (double)counts->refused);
	csv(check->cpu, "inputs", "sets", (double)counts->sets);
	csv(check->cpu, "inputs", "set_equal", (double)counts->set_equal);
}

static void print_csv(const struct validation *validation)
{
	printf("cpu,predictor,figure,value\n");
	for (size_t i = 0; i < validation->nr_policies; i++)
		csv_scores(&validation->policies[i]);
	for (size_t i = 0; i < validation->nr_utils; i++) {
		const struct util_verdict *u = &validation->utils[i];

		csv(u->cpu, "model", "util_calls", (double)u->calls);
		csv(u->cpu, "model", "util_median_error", (double)u->median_error);
		csv(u->cpu, "best constant", "util_median_error", (double)u->constant_error);
	}
	for (int cpu = 0; cpu < validation->model.loop.nr_cpus; cpu++)
		if (validation->checks[cpu] &&
			(validation->checks[cpu]->counts.evaluated ||
				validation->checks[cpu]->counts.early))
			csv_inputs(validation->checks[cpu]);
}

static int run_validate(struct cmd_env *env, int argc, char **argv)
{
	struct cmd_args args = { .command = &cmd_validate, .argc = argc, .argv = argv };
	struct request request = { .options = { .warmup_ns = PARAM_AUTO } };
	struct validation *validation = arena_alloc(env->arena, sizeof(*validation));
	const struct scenario *scenario;
	int opt;

	cmd_overrides_init(&request.recording.overrides, env->arena, argc + 1);
	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (opt == CMD_BAD || take_option(env, &request, &args, opt) < 0)
			return -1;
	if (!request.recording.trace)
		return cmd_missing(&cmd_validate, "the recording", env->err);
	if (!request.recording.governor)
		return cmd_missing(&cmd_validate, "--governor", env->err);
	if (!request.kernel)
		return cmd_missing(&cmd_validate, "--kernel", env->err);
	cmd_overrides_add(&request.recording.overrides,
		arena_printf(env->arena, "kernel.version=%s", request.kernel));
	scenario = recording_scenario(env, &request.recording);
	request.options.trace = request.recording.trace;
	request.options.tracking = (enum model_tracking)request.tracking;
	if (!scenario || validate(validation, env->arena, scenario, &request.options, env->err))
		return -1;
	if (request.format == FORMAT_CSV)
		print_csv(validation);
	else
		print_table(validation, &request);
	return 0;
}

const struct command cmd_validate = {
	.name = "validate",
	.operands = "TRACE",
	.summary = "let a governor's model predict the frequencies of a recording",
	.notes = "The recorded switches and wake-ups drive the model; of recorded frequencies it "
		 "knows\n"
		 "the first one and the limits. Beside it stand two predictors that know nothing: "
		 "for\n"
		 "each figure the best constant frequency, and the frequency before the present "
		 "one.\n"
		 "TRACE is what import takes.\n",
	.options = options,
	.run = run_validate,
};
