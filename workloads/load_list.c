/*
 * load-list: one CPU at a list of loads, each for a while, as far as it can: every period begins
 * with the work that the reference clock does in that share of it. At a lower clock the same work
 * takes longer; what is not done when the next period begins makes it late. Ends after the last
 * load.
 */
#include <stdlib.h>
#include <string.h>

#include "workloads/steps.h"

struct list_params {
	const char *loads;
	int64_t hold_ns, period_ns, cpu;
};

static const struct param params[] = {
	PARAM_TEXT(struct list_params, loads, "loads", "10 30 50 70 90 100 90 70 50 30 10",
		"percent, one after the other, separated by blanks or commas"),
	PARAM_INT(struct list_params, hold_ns, "hold", UNIT_NS, NSEC_PER_USEC, 3600 * NSEC_PER_SEC,
		NSEC_PER_SEC, "how long each"),
	PARAM_INT(struct list_params, period_ns, "period", UNIT_NS, NSEC_PER_USEC,
		100 * NSEC_PER_SEC, 5000000, "a piece of work at the start of each"),
	PARAM_INT(struct list_params, cpu, "cpu", UNIT_NONE, 0, 4095, 0, "where"),
	PARAM_END,
};

#define LOADS_MAX 1000

struct list_state {
	int loads[LOADS_MAX];
	int nr;
	int64_t periods; /* of each load */
	int64_t done, late;
	int64_t begun_ns;
};

struct list_task {
	int stage;
	int64_t period;
};

static void next(struct workload_ctx *ctx, struct task *task, struct step *step)
{
	const struct list_params *p = ctx->params;
	struct list_state *s = ctx->state;
	struct list_task *t = task->priv;
	int64_t load = s->loads[min_i64(t->period / s->periods, s->nr - 1)];
	enum { BEGIN, LOOK, WORK };

	switch (t->stage++) {
	case BEGIN:
		step_until(step, t->period * p->period_ns);
		return;
	case LOOK:
		step_stamp(step, &s->begun_ns);
		if (t->period == s->nr * s->periods)
			step_exit(step);
		return;
	default:
		s->late += s->begun_ns > t->period * p->period_ns;
		s->done++;
		t->period++;
		t->stage = BEGIN;
		step_reference_ns(ctx, step, p->period_ns * load / 100, 0);
	}
}

/* Reads the list; the text after a bad number is told. */
static int read_loads(struct list_state *s, const char *text, struct error *err)
{
	while (*(text += strspn(text, " ,\t"))) {
		char *end;
		long load = strtol(text, &end, 10);

		if (end == text || load < 0 || load > 100 || (*end && !strchr(" ,\t", *end)))
			return error_set(err, ERROR_SCENARIO,
				"load-list: loads: found \"%.20s\"; expected percent, 0 to 100",
				text);
		if (s->nr == LOADS_MAX)
			return error_set(
				err, ERROR_SCENARIO, "load-list: more than %d loads", LOADS_MAX);
		s->loads[s->nr++] = (int)load;
		text = end;
	}
	if (!s->nr)
		return error_set(err, ERROR_SCENARIO, "load-list: loads is empty");
	return 0;
}

static int build(struct workload_ctx *ctx, struct error *err)
{
	const struct list_params *p = ctx->params;
	struct list_state *s = ctx->state;

	if (read_loads(s, p->loads, err))
		return -1;
	s->periods = max_i64(p->hold_ns / p->period_ns, 1);
	if (p->cpu >= ctx->nr_cpus)
		return error_set(err, ERROR_SCENARIO, "load-list: the machine has no CPU %lld",
			(long long)p->cpu);
	task_pool(ctx, 1);
	struct task *task = step_task(ctx, "load", 1);
	task->pinned = true;
	step_lead(ctx, task, (int)p->cpu);
	return 0;
}

static int measure(const struct workload_ctx *ctx, int64_t elapsed_ns, struct measure *out)
{
	const struct list_state *s = ctx->state;
	int nr = measure_rate(out, "periods", "periods per second", (double)s->done, elapsed_ns);

	out[nr++] = (struct measure){ "begun late", "", (double)s->late };
	return nr;
}

const struct workload workload_load_list = {
	.name = "load-list",
	.summary = "one CPU at a list of loads, each for a while",
	.params = params,
	.params_size = sizeof(struct list_params),
	.state_size = sizeof(struct list_state),
	.task_size = sizeof(struct list_task),
	.build = build,
	.next = next,
	.measure = measure,
};
