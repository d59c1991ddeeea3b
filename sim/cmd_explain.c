#include "sim/cmd_explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/param.h"
#include "sim/base/units.h"
#include "sim/run.h"

static const struct param rows[] = { PARAM_INT(struct explain, cpu, "cpu", UNIT_NONE, 0, 1000000,
					     PARAM_AUTO, "the CPU"),
	PARAM_INT(struct explain, from_ns, "from", UNIT_NS, 0, NEVER_NS, 0, "start"),
	PARAM_INT(struct explain, to_ns, "to", UNIT_NS, 0, NEVER_NS, NEVER_NS, "end"), PARAM_END };

/* "cpu=3" */
static int parse_part(struct cmd_env *env, char *part, struct explain *explain)
{
	static const struct where option = { .file = "--explain" };
	char *equals = strchr(part, '=');
	const struct param *row;
	struct error inner = { .code = ERROR_NONE };

	if (!equals)
		return error_set(env->err, ERROR_USAGE,
			"--explain: \"%.60s\" is no KEY=VALUE; expected summary or "
			"cpu=N,from=TIME,to=TIME",
			part);
	*equals = '\0';
	row = param_find(rows, part);
	if (!row)
		param_unknown(rows, NULL, "--explain", part, option, &inner);
	else
		param_set(row, explain, equals + 1, option, &inner);
	if (inner.code == ERROR_NONE)
		return 0;
	return error_set(env->err, ERROR_USAGE, "%s", inner.text);
}

int explain_parse(struct cmd_env *env, const char *text, struct explain *explain)
{
	char *part = arena_strdup(env->arena, text);

	*explain = (struct explain){ .summary = strcmp(text, "summary") == 0 };
	param_defaults(rows, explain);
	if (explain->summary)
		return 0;
	while (part) {
		char *comma = strchr(part, ',');

		if (comma)
			*comma = '\0';
		if (parse_part(env, part, explain) < 0)
			return -1;
		part = comma ? comma + 1 : NULL;
	}
	if (explain->cpu == PARAM_AUTO)
		return error_set(env->err, ERROR_USAGE, "--explain: cpu=N is missing");
	if (explain->to_ns < explain->from_ns)
		return error_set(env->err, ERROR_USAGE, "--explain: to is before from");
	return 0;
}

static void print_values(const char *title, const struct decision_value *values, int nr)
{
	if (nr == 0)
		return;
	printf("  %-9s", title);
	for (int i = 0; i < nr; i++) {
		const char *unit = values[i].unit;

		printf(" %s=%" PRId64 "%s", values[i].name, values[i].value, unit);
	}
	putchar('\n');
}

static void print_request(const struct decision_record *record)
{
	static const char *const outcomes[] = {
		[DECISION_ASKED_NOTHING] = "nothing asked for",
		[DECISION_QUEUED] = "a kernel worker will ask for it",
		[DECISION_EQUAL] = "not applied: equal to the current frequency",
		[DECISION_IGNORED] = "not applied: the driver returned at once",
		[DECISION_APPLIED] = "applied",
		[DECISION_FAILED] = "not applied: the driver failed",
	};
	static const char *const relations[] = { "L", "H", "C", "?" };
	bool efficient = record->relation & RELATION_E;

	printf("  %-9s cur=%" PRId64 "kHz", "request", record->from_khz);
	if (record->outcome != DECISION_ASKED_NOTHING)
		printf(" requested=%" PRId64 "kHz(%s%s)", record->requested_khz,
			relations[record->relation & 3], efficient ? "E" : "");
	if (record->resolved_khz)
		printf(" resolved=%" PRId64 "kHz", record->resolved_khz);
	printf(", %s\n", outcomes[record->outcome]);
}

void explain_print(const struct decision_record *record)
{
	const struct decision_rule_info *rule = decision_rule_info(record->rule);

	printf("%" PRId64 ".%09" PRId64 " s cpu %d %s: %s", record->t_ns / NSEC_PER_SEC,
		record->t_ns % NSEC_PER_SEC, record->cpu, rule->name, rule->meaning);
	if (record->then != DECISION_NONE)
		printf("; then %s", decision_rule_info(record->then)->name);
	printf("\n  %-9s %s()\n", "follows", record->function);
	print_values("in", record->in, record->nr_in);
	print_values("out", record->out, record->nr_out);
	print_request(record);
}

static void print_wanted(void *arg, const struct decision_record *record)
{
	const struct explain *explain = arg;
	const struct policy *policy = record->policy;
	bool mine = record->per_cpu ? record->cpu == explain->cpu
				    : explain->cpu >= policy->first_cpu &&
			explain->cpu < policy->first_cpu + policy->nr_cpus;

	if (mine && record->t_ns >= explain->from_ns && record->t_ns <= explain->to_ns)
		explain_print(record);
}

static void print_summary(const struct decisions *decisions)
{
	printf("%-14s %12s  %s\n", "rule", "evaluations", "meaning");
	for (int i = 0; i < DECISION_RULES; i++) {
		const struct decision_rule_info *rule = decision_rule_info((enum decision_rule)i);

		if (decisions->by_rule[i])
			printf("%-14s %12" PRId64 "  %s\n", rule->name, decisions->by_rule[i],
				rule->meaning);
	}
	printf("%-14s %12" PRId64 "\n", "all", decisions->evaluations);
}

int explain_run(struct cmd_env *env, const struct scenario *scenario, const struct explain *explain)
{
	struct explain wanted = *explain;
	struct run run;
	int result;

	if (!wanted.summary && wanted.cpu >= scenario->machine.nr_cpus)
		return error_set(env->err, ERROR_USAGE,
			"--explain: cpu %" PRId64 ": the machine has CPUs 0..%d", wanted.cpu,
			scenario->machine.nr_cpus - 1);
	if (run_build(&run, scenario, 0, env->err) < 0)
		return -1;
	if (!wanted.summary) {
		run.kernel.decisions.sink = print_wanted;
		run.kernel.decisions.arg = &wanted;
	}
	result = run_execute(&run, env->err);
	if (result == 0 && wanted.summary)
		print_summary(&run.kernel.decisions);
	run_free(&run);
	return result;
}
