/*
 * cpufreq-bench: rounds of cycles of load and sleep, as the tool of that name in cpupower. Load and
 * sleep grow from round to round. The work of a load is what the machine's reference clock does in
 * that time: how much longer it takes says what a governor costs. Settings may come from a
 * configuration file of the tool (key = value), or from the scenario, which wins. Ends after the
 * last round.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "workloads/steps.h"

struct bench_params {
	const char *config;
	int64_t load_us, sleep_us, load_step_us, sleep_step_us, cycles, rounds, cpu;
};

#define MAX_US INT64_C(3600000000)
#define MAX_NR INT64_C(1000000)
#define ROW(field, name, unit, max, help) \
	PARAM_INT(struct bench_params, field, name, unit, 0, max, PARAM_AUTO, help)

static const struct param params[] = {
	PARAM_TEXT(struct bench_params, config, "config", "",
		"configuration file of the tool; its governor, priority and output do not count"),
	ROW(load_us, "load", UNIT_US, MAX_US, "load of the first round; auto: config, else 500 ms"),
	ROW(sleep_us, "sleep", UNIT_US, MAX_US, "sleep after it; auto: config, else 500 ms"),
	ROW(load_step_us, "load_step", UNIT_US, MAX_US,
		"more load in each round; auto: config, else 500 ms"),
	ROW(sleep_step_us, "sleep_step", UNIT_US, MAX_US,
		"more sleep in each round; auto: config, else 500 ms"),
	ROW(cycles, "cycles", UNIT_NONE, MAX_NR, "loads in a round; auto: config, else 5"),
	ROW(rounds, "rounds", UNIT_NONE, MAX_NR, "rounds; auto: config, else 50"),
	ROW(cpu, "cpu", UNIT_NONE, 4095, "where it runs; auto: config, else 0"),
	PARAM_END,
};

struct bench_state {
	struct bench_params set;    /* nothing is auto */
	int64_t ideal_ns, loads_ns; /* of all rounds that are over */
	int64_t loads;
	double best, worst; /* round, ideal over real */
};

struct bench_task {
	int stage;
	int64_t round, cycle;
	int64_t begun_ns, now_ns;
	int64_t round_ns; /* at its loads */
};

static int64_t load_us(const struct bench_params *p, int64_t round)
{
	return p->load_us + round * p->load_step_us;
}

static void round_over(struct bench_state *s, struct bench_task *t)
{
	int64_t ideal_ns = load_us(&s->set, t->round) * NSEC_PER_USEC * s->set.cycles;
	double part = t->round_ns ? (double)ideal_ns / (double)t->round_ns : 1;

	s->ideal_ns += ideal_ns;
	s->loads_ns += t->round_ns;
	s->best = t->round == 0 || part > s->best ? part : s->best;
	s->worst = t->round == 0 || part < s->worst ? part : s->worst;
	t->round_ns = 0;
	t->cycle = 0;
	t->round++;
}

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	struct bench_state *s = ctx->state;
	const struct bench_params *p = &s->set;
	struct bench_task *t = task->priv;
	enum { BEGIN, LOAD, END, SLEEP, COUNT };

	switch (t->stage++) {
	case BEGIN:
		step_stamp(step, &t->begun_ns);
		return;
	case LOAD:
		step->kind = STEP_RUN;
		step->work = load_us(p, t->round) * NSEC_PER_USEC * ctx->reference_khz;
		return;
	case END:
		step_stamp(step, &t->now_ns);
		return;
	case SLEEP:
		t->round_ns += t->now_ns - t->begun_ns;
		s->loads++;
		step_sleep(step, (p->sleep_us + t->round * p->sleep_step_us) * NSEC_PER_USEC);
		return;
	default:
		if (++t->cycle >= p->cycles)
			round_over(s, t);
		t->stage = BEGIN;
		step_cycles(step, 0, 0);
		if (t->round == p->rounds)
			step_exit(step);
	}
}

static int wrong(struct error *err, const char *path, int line, const char *what)
{
	return error_at(err, ERROR_SCENARIO, (struct where){ .file = path, .line = line, .col = 1 },
		"%s", what);
}

/* What stands between blanks; NULL when there is nothing. */
static char *word(char *text)
{
	text += strspn(text, " \t");
	size_t len = strcspn(text, " \t\r\n");

	text[len] = '\0';
	return len ? text : NULL;
}

/* One "key = value" of the file; a key that the scenario has set already stays. */
static int read_line(
	struct bench_params *set, char *text, const char *path, int line, struct error *err)
{
	static const char *const ignored[] = { "governor", "priority", "output", "verbose", NULL };
	char *value = strchr(text, '=');
	const struct param *param;

	text[strcspn(text, "#\n")] = '\0';
	if (!text[strspn(text, " \t\r")])
		return 0;
	if (!value || !*value)
		return wrong(err, path, line, "expected key = value");
	*value++ = '\0';
	char *key = word(text), *given = word(value);
	for (const char *const *known = ignored; key && *known; known++)
		if (strcmp(key, *known) == 0)
			return 0;
	param = key ? param_find(params, key) : NULL;
	if (!param || param->type != PARAM_TYPE_INT || !given)
		return wrong(err, path, line,
			"expected one of load, sleep, load_step, sleep_step, "
			"cycles, rounds, cpu, governor, priority, output, verbose and its value");
	if (*param_i64(param, set) != PARAM_AUTO)
		return 0;
	return param_set(
		param, set, given, (struct where){ .file = path, .line = line, .col = 1 }, err);
}

static int read_config(
	struct workload_ctx *ctx, struct bench_params *set, const char *name, struct error *err)
{
	const char *path = name;
	char text[512];
	int result = 0;

	if (name[0] != '/' && ctx->scenario_dir)
		path = arena_printf(ctx->arena, "%s/%s", ctx->scenario_dir, name);
	FILE *file = fopen(path, "r");
	if (!file)
		file = fopen(path = name, "r");
	if (!file)
		return error_set(
			err, ERROR_SCENARIO, "cpufreq-bench: %s: %s", name, strerror(errno));
	for (int line = 1; result == 0 && fgets(text, sizeof(text), file); line++)
		result = read_line(set, text, path, line, err);
	fclose(file);
	return result;
}

static void fill(int64_t *value, int64_t usual)
{
	if (*value == PARAM_AUTO)
		*value = usual;
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct bench_params *p = ctx->params;
	struct bench_state *s = ctx->state;

	s->set = *p;
	if (*p->config && read_config(ctx, &s->set, p->config, err))
		return -1;
	fill(&s->set.load_us, 500000);
	fill(&s->set.sleep_us, 500000);
	fill(&s->set.load_step_us, 500000);
	fill(&s->set.sleep_step_us, 500000);
	fill(&s->set.cycles, 5);
	fill(&s->set.rounds, 50);
	fill(&s->set.cpu, 0);
	if (s->set.cycles == 0 || s->set.rounds == 0)
		return error_set(err, ERROR_SCENARIO,
			"cpufreq-bench: cycles or rounds is 0; expected at least 1");
	if (s->set.load_us + s->set.rounds * s->set.load_step_us >
		INT64_MAX / NSEC_PER_USEC / ctx->reference_khz)
		return error_set(err, ERROR_SCENARIO,
			"cpufreq-bench: the load of the last round does not fit in one stretch of "
			"work");
	if (s->set.cpu >= ctx->nr_cpus)
		return error_set(err, ERROR_SCENARIO, "cpufreq-bench: the machine has no CPU %lld",
			(long long)s->set.cpu);
	task_pool(ctx, 1);
	struct task *task = step_task(ctx, "cpufreq-bench", 1);
	task->pinned = true;
	step_lead(ctx, task, (int)s->set.cpu);
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct bench_state *s = ctx->state;
	int nr = measure_rate(out, "loads", "loads per second", (double)s->loads, elapsed_ns);

	out[nr++] = (struct measure){ "performance", "%",
		s->loads_ns ? 100.0 * (double)s->ideal_ns / (double)s->loads_ns : 0 };
	out[nr++] = (struct measure){ "of the worst round", "%", 100.0 * s->worst };
	out[nr++] = (struct measure){ "of the best round", "%", 100.0 * s->best };
	return nr;
}

const struct workload workload_cpufreq_bench = {
	.name = "cpufreq-bench",
	.summary = "rounds of load and sleep that grow",
	.params = params,
	.params_size = sizeof(struct bench_params),
	.state_size = sizeof(struct bench_state),
	.task_size = sizeof(struct bench_task),
	.build = build,
	.next = next,
	.measure = measure,
};
