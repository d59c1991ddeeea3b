#include <stdio.h>
#include <string.h>

#include "governors/dbs_sampler.h"
#include "governors/ondemand_sample.h"

#define LOAD_MAX 100

struct ondemand_tunables {
	int64_t sampling_rate_us;
	int64_t up_threshold_pct;
	int64_t sampling_down_factor;
	int64_t ignore_nice_load;
	int64_t powersave_bias;
	int64_t io_is_busy;
	int64_t load_map; /* enum ondemand_map */
	int64_t load_map_steps;
	int64_t load_map_steps_deadband;

	/* Filled by tune(). */
	unsigned version;
	uint32_t hz, min_sampling_rate, down_differential;
};

struct ondemand_state {
	struct dbs_sampler sampler; /* first: dbs.h */
	struct ondemand od;
	unsigned version;
};

static const char *const maps[] = {
	[ONDEMAND_MAP_NEW] = "new",
	[ONDEMAND_MAP_OLD] = "old",
	[ONDEMAND_MAP_STEPS] = "steps",
	[ONDEMAND_MAP_MINMAX] = "minmax",
	NULL,
};

static const struct param params[] = {
	PARAM_INT(struct ondemand_tunables, sampling_rate_us, "sampling_rate", UNIT_US, 1,
		UINT32_MAX, PARAM_AUTO,
		"time between samples; auto: from the driver's latency, HZ and kernel version"),
	PARAM_INT(struct ondemand_tunables, up_threshold_pct, "up_threshold", UNIT_PCT, 1, 100,
		PARAM_AUTO,
		"load above which the highest frequency is taken; auto: 95, 80 in 2.6.20"),
	PARAM_INT(struct ondemand_tunables, sampling_down_factor, "sampling_down_factor", UNIT_NONE,
		1, 100000, 1, "multiplies sampling_rate while at the highest frequency"),
	PARAM_BOOL(struct ondemand_tunables, ignore_nice_load, "ignore_nice_load", 0,
		"count niced tasks as idle time"),
	PARAM_INT(struct ondemand_tunables, powersave_bias, "powersave_bias", UNIT_NONE, 0, 1000, 0,
		"thousandths by which every frequency is lowered"),
	PARAM_BOOL(struct ondemand_tunables, io_is_busy, "io_is_busy", 1,
		"count waiting for I/O as busy time"),
	PARAM_CHOICE(struct ondemand_tunables, load_map, "load_map", maps, PARAM_AUTO,
		"how load becomes frequency; auto: old (with a dead band) up to 3.16, then new"),
	PARAM_INT(struct ondemand_tunables, load_map_steps, "load_map_steps", UNIT_NONE, 1, 100, 10,
		"number of steps of load_map steps"),
	PARAM_BOOL(struct ondemand_tunables, load_map_steps_deadband, "load_map_steps_deadband", 0,
		"load_map steps gives the minimum in the dead band of the old map"),
	PARAM_END
};

static int ondemand_tune(
	const struct governor_env *env, void *tunables, const char **key, struct error *err)
{
	struct ondemand_tunables *t = tunables;
	const struct ondemand_rules *rules = ondemand_rules(dbs_version(env));
	const struct dbs_defaults_env of = dbs_defaults_env(env, DBS_ONDEMAND);
	const struct dbs_defaults defaults = dbs_defaults(dbs_rules(dbs_version(env)), &of);

	t->version = dbs_version(env);
	t->hz = of.hz;
	t->min_sampling_rate = defaults.min_sampling_rate;
	t->down_differential = defaults.down_differential;
	if (dbs_tune(&defaults, &t->sampling_rate_us, key, err) < 0)
		return -1;
	if (t->up_threshold_pct == PARAM_AUTO)
		t->up_threshold_pct = defaults.up_threshold;
	if (t->up_threshold_pct < defaults.min_up_threshold) {
		*key = "up_threshold";
		return error_set(err, ERROR_SCENARIO,
			"up_threshold: this kernel accepts %u..100 %%, not %d",
			defaults.min_up_threshold, (int)t->up_threshold_pct);
	}
	if (rules->shape != ONDEMAND_MAP && t->load_map != PARAM_AUTO &&
		t->load_map != (int64_t)rules->map) {
		*key = "load_map";
		return error_set(err, ERROR_SCENARIO,
			"load_map: ondemand of this kernel follows up_threshold, it has no map "
			"(3.12 and later have)");
	}
	if (t->load_map == PARAM_AUTO)
		t->load_map = (int64_t)rules->map;
	return 0;
}

static struct ondemand ondemand_from(const struct ondemand_tunables *t)
{
	return (struct ondemand){
		.rules = ondemand_rules(t->version),
		.dbs = {
			.rules = dbs_rules(t->version),
			.hz = t->hz,
			.sampling_rate = (uint32_t)t->sampling_rate_us,
			.rate_mult = 1,
			.io_is_busy = t->io_is_busy != 0,
			.ignore_nice = t->ignore_nice_load != 0,
		},
		.up_threshold = (uint32_t)t->up_threshold_pct,
		.down_differential = t->down_differential,
		.sampling_down_factor = (uint32_t)t->sampling_down_factor,
		.powersave_bias = (uint32_t)t->powersave_bias,
		.map = (enum ondemand_map)t->load_map,
		.map_steps = (uint32_t)t->load_map_steps,
		.map_steps_deadband = t->load_map_steps_deadband != 0,
	};
}

static void ondemand_start(struct policy *policy)
{
	const struct ondemand_tunables *t = policy->tunables;
	struct ondemand_state *state = policy->governor_state;

	state->od = ondemand_from(t);
	state->version = t->version;
	dbs_sampler_start(policy, &state->od.dbs);
}

static struct ondemand_input input(const struct policy *policy, int64_t now_ns)
{
	const struct ondemand_state *state = policy->governor_state;

	return (struct ondemand_input){
		.policy = dbs_policy(policy, state->version),
		.jiffies = dbs_jiffies(&state->od.dbs, now_ns),
		.align = true,
		.delay_reset = state->sampler.clock.sample_delay_ns <= 0,
	};
}

/* Reuse of the old load comes before what that load then leads to. */
static enum decision_rule rule_of(const struct ondemand *od, enum ondemand_reason reason)
{
	static const enum decision_rule rules[] = {
		[ONDEMAND_SKIPPED] = DECISION_SKIP,
		[ONDEMAND_NO_TIME] = DECISION_NO_TIME,
		[ONDEMAND_SUB_SAMPLE] = DECISION_BIAS_LOW,
		[ONDEMAND_TO_MAX] = DECISION_UP_THRESHOLD,
		[ONDEMAND_AT_MAX] = DECISION_AT_MAX,
		[ONDEMAND_BY_LOAD] = DECISION_MAP,
		[ONDEMAND_AT_MIN] = DECISION_AT_MIN,
		[ONDEMAND_IN_BAND] = DECISION_BAND,
	};

	if (reason == ONDEMAND_BY_LOAD && od->rules->shape != ONDEMAND_MAP)
		return DECISION_SCALE_DOWN;
	return rules[reason];
}

static const char *function_of(const struct ondemand *od)
{
	switch (od->rules->shape) {
	case ONDEMAND_2620:
	case ONDEMAND_2639:
		return "dbs_check_cpu";
	case ONDEMAND_MAP:
		break;
	}
	return od->rules->delay_us ? "od_update" : "od_check_cpu";
}

/* @load: NULL when the evaluation looked at none. Carries the decision out. */
static void carry_out(struct policy *policy, const struct dbs_load *load,
	const struct ondemand_decision *decision)
{
	const struct ondemand_state *state = policy->governor_state;
	const struct ondemand *od = &state->od;
	enum decision_rule rule = rule_of(od, decision->reason);
	bool reused = load && load->reused;
	struct decision_record *record = decision_begin(
		policy, policy->cpu, reused ? DECISION_REUSE : rule, function_of(od));

	if (record) {
		record->then = reused ? rule : DECISION_NONE;
		if (load)
			dbs_sampler_record(record, policy, &od->dbs, *load);
		decision_in(record, "up_threshold", od->up_threshold, "%");
		decision_out(record, "rate_mult", od->dbs.rate_mult, "");
		decision_out(record, "next_sample", decision->delay,
			od->rules->delay_us ? "us" : "jiffies");
		decision_out(record, "freq_lo", od->freq_lo, "kHz");
		decision_out(record, "freq_lo_delay", od->freq_lo_delay, "");
		decision_out(record, "freq_hi_delay", od->freq_hi_delay, "");
		decision_out(record, "sample_type", od->sample_type, "");
	}
	dbs_apply(policy, decision->request);
	decision_end(policy);
}

static void ondemand_limits(struct policy *policy)
{
	struct ondemand_state *state = policy->governor_state;
	struct ondemand *od = &state->od;
	struct ondemand_input in = input(policy, 0);

	dbs_sampler_limits(policy, dbs_limits(&in.policy, od->rules->efficient));
	if (!od->dbs.rules->timer) {
		dbs_clock_now(&state->sampler.clock);
	} else if (od->rules->shape == ONDEMAND_MAP) {
		/* From 3.12 to 4.5 a change of limits looks at the load at once. */
		const struct dbs_load load = dbs_sampler_load(policy, &od->dbs);
		struct ondemand_decision decision;

		in.policy.cur_khz = (uint32_t)policy->cur_khz;
		decision = ondemand_evaluate(od, &in, load);
		carry_out(policy, &load, &decision);
	}
}

/* A row that ondemand_write() knows, and its value. */
static bool kernel_tunable(const struct ondemand_tunables *t, const char *name,
	enum ondemand_tunable *tunable, uint32_t *value)
{
	const struct {
		const char *name;
		enum ondemand_tunable tunable;
		int64_t value;
	} known[] = {
		{ "up_threshold", ONDEMAND_UP_THRESHOLD, t->up_threshold_pct },
		{ "sampling_down_factor", ONDEMAND_SAMPLING_DOWN_FACTOR, t->sampling_down_factor },
		{ "ignore_nice_load", ONDEMAND_IGNORE_NICE, t->ignore_nice_load },
		{ "powersave_bias", ONDEMAND_POWERSAVE_BIAS, t->powersave_bias },
		{ "io_is_busy", ONDEMAND_IO_IS_BUSY, t->io_is_busy },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		*tunable = known[i].tunable;
		*value = (uint32_t)known[i].value;
		return true;
	}
	return false;
}

static void ondemand_written(struct policy *policy, const char *name, int64_t now_ns)
{
	const struct ondemand_tunables *t = policy->tunables;
	struct ondemand_state *state = policy->governor_state;
	struct ondemand *od = &state->od;
	enum ondemand_tunable tunable;
	struct ondemand_write effect;
	uint32_t value;

	if (strcmp(name, "sampling_rate") == 0) {
		/* From 3.12 to 4.5 the running timer is cut short. */
		dbs_sampler_rate(policy, &od->dbs, (uint32_t)t->sampling_rate_us,
			od->rules->shape == ONDEMAND_MAP ? now_ns : DBS_KEEP_TIMER);
		return;
	}
	if (!kernel_tunable(t, name, &tunable, &value)) {
		od->map = (enum ondemand_map)t->load_map;
		od->map_steps = (uint32_t)t->load_map_steps;
		od->map_steps_deadband = t->load_map_steps_deadband != 0;
		return;
	}
	if (ondemand_write(od, tunable, value, &effect) == 0 && effect.restart)
		dbs_sampler_restart(policy, &od->dbs, effect.nice);
}

static void ondemand_update(struct policy *policy, int cpu, int64_t now_ns, unsigned flags)
{
	const struct ondemand_state *state = policy->governor_state;

	(void)flags;
	dbs_sampler_update(policy, &state->od.dbs, cpu, now_ns);
}

static void ondemand_work(struct policy *policy, int64_t now_ns)
{
	struct ondemand_state *state = policy->governor_state;
	struct ondemand *od = &state->od;
	const struct ondemand_input in = input(policy, now_ns);
	struct ondemand_decision decision;
	struct dbs_load load;
	const struct dbs_load *seen = NULL;
	bool due = dbs_sampler_due(policy, &od->dbs, now_ns);

	if (!due) {
		decision = ondemand_skip(od, &in);
	} else if (ondemand_begin(od, &in, &decision)) {
		load = dbs_sampler_load(policy, &od->dbs);
		seen = &load;
		decision = ondemand_decide(od, &in, load);
	}
	carry_out(policy, seen, &decision);
	dbs_sampler_done(policy, &od->dbs, now_ns, decision.delay, due);
}

static void ondemand_describe(const struct policy *policy,
	void (*line)(void *arg, const char *name, const char *value), void *arg)
{
	const struct ondemand_tunables *t = policy->tunables;
	const struct ondemand od = ondemand_from(t);
	const struct dbs_policy view = dbs_policy(policy, t->version);
	uint32_t deadband = ondemand_deadband_pct(&od, view.cpuinfo);
	char name[32], value[64];

	snprintf(value, sizeof(value), "%u us", t->min_sampling_rate);
	line(arg, "min_sampling_rate", value);
	if (od.rules->shape != ONDEMAND_MAP)
		return;
	if (deadband > 1)
		snprintf(value, sizeof(value), "loads 0..%u give the minimum", deadband - 1);
	else
		snprintf(value, sizeof(value), "none");
	line(arg, "dead band", value);
	for (uint32_t load = 0; load <= LOAD_MAX; load++) {
		snprintf(name, sizeof(name), "map load %u", load);
		snprintf(value, sizeof(value), "%u", ondemand_steady_khz(&od, &view, load));
		line(arg, name, value);
	}
}

const struct governor governor_ondemand = {
	.name = "ondemand",
	.summary = "frequency by load in the last sampling interval, the top above up_threshold",
	.params = params,
	.tunables_size = sizeof(struct ondemand_tunables),
	.policy_size = sizeof(struct ondemand_state),
	.cpu_size = DBS_CPU_SIZE,
	.flags = GOVERNOR_DYNAMIC | GOVERNOR_LATENCY_LIMIT,
	.first_version = KVER(2, 6, 9),
	.tune = ondemand_tune,
	.start = ondemand_start,
	.limits = ondemand_limits,
	.written = ondemand_written,
	.update = ondemand_update,
	.work = ondemand_work,
	.describe = ondemand_describe,
};
