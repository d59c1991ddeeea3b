#include <stdio.h>
#include <string.h>

#include "governors/conservative_sample.h"
#include "governors/dbs_sampler.h"

#define FIRST_VERSION KVER(3, 12, 0)

struct conservative_tunables {
	int64_t sampling_rate_us;
	int64_t up_threshold_pct, down_threshold_pct;
	int64_t freq_step_pct;
	int64_t sampling_down_factor;
	int64_t ignore_nice_load;

	/* Filled by tune(). */
	unsigned version;
	uint32_t hz, min_sampling_rate;
};

struct conservative_state {
	struct dbs_sampler sampler; /* first: dbs_sampler.h */
	struct conservative cs;
	unsigned version;
	int64_t seen_khz;    /* cur at the last sample: has it changed since? */
	bool limits_changed; /* since the last sample */
};

static const struct param params[] = {
	PARAM_INT(struct conservative_tunables, sampling_rate_us, "sampling_rate", UNIT_US, 1,
		UINT32_MAX, PARAM_AUTO,
		"time between samples; auto: from the driver's latency, HZ and kernel version"),
	PARAM_INT(struct conservative_tunables, up_threshold_pct, "up_threshold", UNIT_PCT, 2, 100,
		80, "load above which the frequency goes up a step"),
	PARAM_INT(struct conservative_tunables, down_threshold_pct, "down_threshold", UNIT_PCT, 1,
		99, 20, "load below which it goes down a step; less than up_threshold"),
	PARAM_INT(struct conservative_tunables, freq_step_pct, "freq_step", UNIT_PCT, 0, 100, 5,
		"length of a step in percent of the highest frequency allowed"),
	PARAM_INT(struct conservative_tunables, sampling_down_factor, "sampling_down_factor",
		UNIT_NONE, 1, 10, 1, "samples to wait before a step down"),
	PARAM_BOOL(struct conservative_tunables, ignore_nice_load, "ignore_nice_load", 0,
		"count niced tasks as idle time"),
	PARAM_END
};

static int tune_thresholds(
	struct conservative_tunables *t, uint32_t min_down, const char **key, struct error *err)
{
	*key = "down_threshold";
	if (t->down_threshold_pct < min_down)
		return error_set(err, ERROR_SCENARIO,
			"down_threshold: this kernel accepts %u..99 %%, not %d", min_down,
			(int)t->down_threshold_pct);
	if (t->down_threshold_pct >= t->up_threshold_pct)
		return error_set(err, ERROR_SCENARIO,
			"down_threshold: %d %% is not below up_threshold, %d %%",
			(int)t->down_threshold_pct, (int)t->up_threshold_pct);
	return 0;
}

static int conservative_tune(
	const struct governor_env *env, void *tunables, const char **key, struct error *err)
{
	struct conservative_tunables *t = tunables;
	const struct dbs_defaults_env of = dbs_defaults_env(env, DBS_CONSERVATIVE);
	const struct dbs_defaults defaults = dbs_defaults(dbs_rules(dbs_version(env)), &of);

	t->version = dbs_version(env);
	t->hz = of.hz;
	t->min_sampling_rate = defaults.min_sampling_rate;
	if (dbs_tune(&defaults, &t->sampling_rate_us, key, err) < 0)
		return -1;
	return tune_thresholds(t, defaults.min_up_threshold, key, err);
}

static void conservative_begin(struct policy *policy)
{
	const struct conservative_tunables *t = policy->tunables;
	struct conservative_state *state = policy->governor_state;

	state->version = t->version;
	state->cs = (struct conservative){
		.rules = conservative_rules(t->version),
		.dbs = {
			.rules = dbs_rules(t->version),
			.hz = t->hz,
			.sampling_rate = (uint32_t)t->sampling_rate_us,
			.rate_mult = 1,
			.ignore_nice = t->ignore_nice_load != 0,
		},
		.up_threshold = (uint32_t)t->up_threshold_pct,
		.down_threshold = (uint32_t)t->down_threshold_pct,
		.freq_step = (uint32_t)t->freq_step_pct,
		.sampling_down_factor = (uint32_t)t->sampling_down_factor,
	};
	state->seen_khz = policy->cur_khz;
	conservative_start(&state->cs, (uint32_t)policy->cur_khz);
	dbs_sampler_start(policy, &state->cs.dbs);
}

/* What has happened to the frequency since the last sample; changes arrive later than requests. */
static struct dbs_policy catch_up(struct policy *policy)
{
	struct conservative_state *state = policy->governor_state;
	const struct dbs_policy view = dbs_policy(policy, state->version);

	if (policy->cur_khz != state->seen_khz)
		conservative_changed(&state->cs, &view, view.cur_khz);
	if (state->limits_changed)
		conservative_limits_changed(&state->cs, &view);
	state->seen_khz = policy->cur_khz;
	state->limits_changed = false;
	return view;
}

static enum decision_rule rule_of(enum conservative_reason reason)
{
	static const enum decision_rule rules[] = {
		[CONSERVATIVE_NO_STEP] = DECISION_NO_STEP,
		[CONSERVATIVE_UP] = DECISION_STEP_UP,
		[CONSERVATIVE_AT_MAX] = DECISION_AT_MAX,
		[CONSERVATIVE_WAIT] = DECISION_DOWN_WAIT,
		[CONSERVATIVE_BAND] = DECISION_BAND,
		[CONSERVATIVE_DOWN] = DECISION_STEP_DOWN,
		[CONSERVATIVE_AT_MIN] = DECISION_AT_MIN,
	};

	return rules[reason];
}

/* Looks at the load and carries out what it leads to. */
static void evaluate(struct policy *policy)
{
	struct conservative_state *state = policy->governor_state;
	struct conservative *cs = &state->cs;
	const struct dbs_policy view = catch_up(policy);
	const struct dbs_load load = dbs_sampler_load(policy, &cs->dbs);
	const struct dbs_request request = conservative_decide(cs, &view, load);
	enum decision_rule rule = rule_of(cs->reason);
	struct decision_record *record = decision_begin(policy, policy->cpu,
		load.reused ? DECISION_REUSE : rule,
		cs->dbs.rules->timer ? "cs_check_cpu" : "cs_dbs_update");

	if (record) {
		record->then = load.reused ? rule : DECISION_NONE;
		dbs_sampler_record(record, policy, &cs->dbs, load);
		decision_in(record, "up_threshold", cs->up_threshold, "%");
		decision_in(record, "down_threshold", cs->down_threshold, "%");
		decision_in(record, "freq_step", cs->freq_step, "%");
		if (load.idle_periods != DBS_NO_IDLE_PERIODS)
			decision_in(record, "idle_periods", load.idle_periods, "");
		decision_out(record, "requested_freq", cs->requested_khz, "kHz");
		decision_out(record, "down_skip", cs->down_skip, "");
	}
	dbs_apply(policy, request);
	decision_end(policy);
}

static void conservative_limits(struct policy *policy)
{
	struct conservative_state *state = policy->governor_state;
	struct conservative *cs = &state->cs;
	const struct dbs_policy view = dbs_policy(policy, state->version);

	dbs_sampler_limits(policy, dbs_limits(&view, cs->rules->efficient));
	state->limits_changed = true;
	if (!cs->dbs.rules->timer) {
		dbs_clock_now(&state->sampler.clock);
		return;
	}
	/* Up to 4.5 a change of limits looks at the load at once. */
	evaluate(policy);
}

static void conservative_written(struct policy *policy, const char *name, int64_t now_ns)
{
	const struct conservative_tunables *t = policy->tunables;
	struct conservative_state *state = policy->governor_state;
	struct conservative *cs = &state->cs;
	const struct {
		const char *name;
		enum conservative_tunable tunable;
		int64_t value;
	} known[] = {
		{ "up_threshold", CONSERVATIVE_UP_THRESHOLD, t->up_threshold_pct },
		{ "down_threshold", CONSERVATIVE_DOWN_THRESHOLD, t->down_threshold_pct },
		{ "freq_step", CONSERVATIVE_FREQ_STEP, t->freq_step_pct },
		{ "sampling_down_factor", CONSERVATIVE_SAMPLING_DOWN_FACTOR,
			t->sampling_down_factor },
		{ "ignore_nice_load", CONSERVATIVE_IGNORE_NICE, t->ignore_nice_load },
	};
	bool restart = false;

	(void)now_ns;
	if (strcmp(name, "sampling_rate") == 0)
		dbs_sampler_rate(policy, &cs->dbs, (uint32_t)t->sampling_rate_us, DBS_KEEP_TIMER);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0)
			conservative_write(
				cs, known[i].tunable, (uint32_t)known[i].value, &restart);
	if (restart)
		dbs_sampler_restart(policy, &cs->dbs, true);
}

static void conservative_update(struct policy *policy, int cpu, int64_t now_ns, unsigned flags)
{
	const struct conservative_state *state = policy->governor_state;

	(void)flags;
	dbs_sampler_update(policy, &state->cs.dbs, cpu, now_ns);
}

static uint32_t delay(const struct conservative *cs, int64_t now_ns)
{
	uint32_t us = cs->dbs.sampling_rate;

	if (!cs->dbs.rules->timer)
		return us;
	return dbs_timer_delay(us, cs->dbs.hz, dbs_jiffies(&cs->dbs, now_ns), true);
}

static void conservative_work(struct policy *policy, int64_t now_ns)
{
	struct conservative_state *state = policy->governor_state;
	struct conservative *cs = &state->cs;
	bool due = dbs_sampler_due(policy, &cs->dbs, now_ns);

	if (due) {
		evaluate(policy);
	} else {
		decision_begin(policy, policy->cpu, DECISION_SKIP, "need_load_eval");
		decision_end(policy);
	}
	dbs_sampler_done(policy, &cs->dbs, now_ns, delay(cs, now_ns), due);
}

static void conservative_describe(const struct policy *policy,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct conservative_tunables *t = policy->tunables;
	char value[64];

	snprintf(value, sizeof(value), "%u us", t->min_sampling_rate);
	line(arg, "min_sampling_rate", value);
}

const struct governor governor_conservative = {
	.name = "conservative",
	.summary = "a step up above up_threshold, a step down below down_threshold",
	.params = params,
	.tunables_size = sizeof(struct conservative_tunables),
	.policy_size = sizeof(struct conservative_state),
	.cpu_size = DBS_CPU_SIZE,
	.flags = GOVERNOR_DYNAMIC | GOVERNOR_LATENCY_LIMIT,
	.first_version = FIRST_VERSION,
	.tune = conservative_tune,
	.start = conservative_begin,
	.limits = conservative_limits,
	.written = conservative_written,
	.update = conservative_update,
	.work = conservative_work,
	.describe = conservative_describe,
};
