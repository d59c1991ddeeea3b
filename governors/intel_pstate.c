/*
 * intel_pstate in active mode, policy "powersave", without HWP: every CPU decides for itself from
 * its APERF, MPERF and TSC counters; the policy gets the highest level of its CPUs. Until 4.13 by a
 * PID controller (pstate_pid.h), from 4.14 on by load (pstate_load.h); decisions are theirs, this
 * file keeps state and says when.
 */
#include <string.h>

#include "governors/pstate_fixed.h"
#include "governors/pstate_load.h"
#include "governors/pstate_pid.h"
#include "sim/base/units.h"
#include "sim/governor.h"
#include "sim/kernel/decision.h"

#define SCALING_KHZ 100000
#define LOAD_SINCE KVER(4, 14, 0)
/* The machine has been up before the run: time 0 means "never" to the samplers. */
#define UPTIME_NS (1000 * NSEC_PER_SEC)

struct tunables {
	int64_t algorithm, sample_rate_ms;
	int64_t setpoint, p_gain_pct, i_gain_pct, d_gain_pct, deadband;
	int64_t holdoff, holdoff_action;
	int64_t no_turbo, min_perf_pct, max_perf_pct;
	/* filled by tune() */
	const struct pstate_pid_rules *pid_rules; /* NULL: by load */
	const struct pstate_rules *rules;
	int64_t tick_ns, tick_latency_ns;
};

struct cpu_state {
	struct pstate_pid_cpu pid;
	struct pstate_load_cpu load;
	int64_t due_ns; /* of the deferrable timer */
	int32_t pstate;
};

struct policy_state {
	struct pstate_levels levels;
	struct pstate_pid_params pid;
	struct pstate_ratios range; /* PID generation */
	struct pstate_load_params load;
};

static const char *const algorithms[] = { "core", "atom", NULL };
static const char *const holdoff_actions[] = { "scale", "zero", NULL };

static const struct param params[] = { PARAM_CHOICE(struct tunables, algorithm, "algorithm",
					       algorithms, PSTATE_CORE,
					       "until 4.13: how busyness is measured"),
	PARAM_INT(struct tunables, sample_rate_ms, "sample_rate_ms", UNIT_NONE, 1, 1000, 10,
		"until 4.13: least time between samples, ms (later fixed at 10)"),
	PARAM_INT(struct tunables, setpoint, "setpoint", UNIT_PCT, 0, 100, PARAM_AUTO,
		"until 4.13: busyness the controller aims at; auto: 97, atom 60"),
	PARAM_INT(struct tunables, p_gain_pct, "p_gain_pct", UNIT_PCT, 0, 100, PARAM_AUTO,
		"until 4.13: proportional gain; auto: 20, atom 14"),
	PARAM_INT(struct tunables, i_gain_pct, "i_gain_pct", UNIT_PCT, 0, 100, PARAM_AUTO,
		"until 4.13: integral gain; auto: 0, atom 4"),
	PARAM_INT(struct tunables, d_gain_pct, "d_gain_pct", UNIT_PCT, 0, 100, 0,
		"until 4.13: differential gain"),
	PARAM_INT(struct tunables, deadband, "deadband", UNIT_PCT, 0, 100, 0,
		"until 4.13: error below which nothing changes"),
	PARAM_INT(struct tunables, holdoff, "holdoff", UNIT_NONE, 1, 1000, 3,
		"until 4.13: sample periods after which a sample counts as a long sleep"),
	PARAM_CHOICE(struct tunables, holdoff_action, "holdoff_action", holdoff_actions,
		HOLDOFF_SCALE,
		"until 4.13: busyness after a long sleep: scaled by its length, or 0"),
	PARAM_BOOL(
		struct tunables, no_turbo, "no_turbo", 0, "ask for no level above the base clock"),
	PARAM_INT(struct tunables, min_perf_pct, "min_perf_pct", UNIT_PCT, 0, 100, PARAM_AUTO,
		"least share of the top level; auto: 0, from 4.14 that of the lowest level"),
	PARAM_INT(struct tunables, max_perf_pct, "max_perf_pct", UNIT_PCT, 0, 100, 100,
		"largest share of the top level"),
	PARAM_END };

static void fill(int64_t *value, int64_t def)
{
	if (*value == PARAM_AUTO)
		*value = def;
}

static int tune(const struct governor_env *env, void *tunables, const char **key, struct error *err)
{
	struct tunables *t = tunables;
	bool atom = t->algorithm == PSTATE_ATOM;

	if (t->min_perf_pct > t->max_perf_pct) {
		*key = "min_perf_pct";
		return error_set(err, ERROR_SCENARIO,
			"min_perf_pct %lld is above max_perf_pct %lld", (long long)t->min_perf_pct,
			(long long)t->max_perf_pct);
	}
	fill(&t->setpoint, atom ? 60 : 97);
	fill(&t->p_gain_pct, atom ? 14 : 20);
	fill(&t->i_gain_pct, atom ? 4 : 0);
	t->tick_ns = tick_ns_of_hz(env->hz);
	t->tick_latency_ns = env->tick_latency_ns;
	t->rules = pstate_rules(env->version);
	t->pid_rules = env->version < LOAD_SINCE ? pstate_pid_rules(env->version) : NULL;
	return 0;
}

static struct pstate_turbo turbo_of(const struct tunables *t)
{
	return (struct pstate_turbo){ .user_off = t->no_turbo != 0 };
}

static struct pstate_levels levels_of(const struct policy *policy)
{
	int32_t min = (int32_t)(policy->cpuinfo_min_khz / SCALING_KHZ);
	int32_t turbo = (int32_t)(policy->cpuinfo_max_khz / SCALING_KHZ);
	int32_t base = (int32_t)(perf_counters_base_khz(policy->kernel) / SCALING_KHZ);
	struct pstate_levels levels = {
		.min = max_s32(min, 1),
		.turbo = max_s32(turbo, 1),
		.scaling_khz = SCALING_KHZ,
		.ctl_scaling_khz = SCALING_KHZ,
	};

	levels.max = levels.max_physical = clamp_s32(base, levels.min, levels.turbo);
	pstate_levels_name(&levels);
	return levels;
}

/* Every CPU votes for its level, the clock they share follows the highest. */
static void request(struct policy *policy, const struct policy_state *state)
{
	const struct cpu_state *cpus = policy->cpu_state;
	int32_t pstate = 0;

	for (int i = 0; i < policy->nr_cpus; i++)
		pstate = max_s32(pstate, cpus[i].pstate);
	cpufreq_target(policy, (int64_t)pstate * state->levels.scaling_khz, RELATION_L);
}

/* What the tunables make of the parameters. */
static void take_tunables(struct policy *policy)
{
	const struct tunables *t = policy->tunables;
	struct policy_state *state = policy->governor_state;

	state->pid = (struct pstate_pid_params){
		.algorithm = (enum pstate_algorithm)t->algorithm,
		.sample_rate_ms = (uint32_t)t->sample_rate_ms,
		.setpoint_pct = (int32_t)t->setpoint,
		.p_gain_pct = (int32_t)t->p_gain_pct,
		.i_gain_pct = (int32_t)t->i_gain_pct,
		.d_gain_pct = (int32_t)t->d_gain_pct,
		.deadband_pct = (int32_t)t->deadband,
		.holdoff_mult = (uint32_t)t->holdoff,
		.holdoff = (enum pstate_holdoff)t->holdoff_action,
	};
	state->load = (struct pstate_load_params){
		.rules = t->rules,
		.levels = state->levels,
		.turbo = turbo_of(t),
		.ratios = state->load.ratios,
		.tick_ns = (uint64_t)t->tick_ns,
	};
}

static void reset_controller(struct policy *policy)
{
	const struct policy_state *state = policy->governor_state;
	struct cpu_state *cpus = policy->cpu_state;

	for (int i = 0; i < policy->nr_cpus; i++)
		pstate_pid_reset(&cpus[i].pid.pid, &state->pid);
}

static void start(struct policy *policy)
{
	const struct tunables *t = policy->tunables;
	struct policy_state *state = policy->governor_state;
	struct cpu_state *cpus = policy->cpu_state;

	state->levels = levels_of(policy);
	take_tunables(policy);
	reset_controller(policy);
	for (int i = 0; i < policy->nr_cpus; i++) {
		struct cpu_state *cpu = &cpus[i];

		cpu->pstate = cpu->pid.pstate = cpu->load.pstate = state->levels.min;
		if (t->pid_rules && t->pid_rules->by_timer)
			cpu->pid.sample.time_ns = UPTIME_NS;
	}
	request(policy, state);
}

static void limits_pid(const struct policy *policy, struct policy_state *state)
{
	const struct tunables *t = policy->tunables;
	struct pstate_ratios sysfs = { .max = (int32_t)t->max_perf_pct };
	struct pstate_pid_limits limits;

	if (t->min_perf_pct != PARAM_AUTO)
		sysfs.min = (int32_t)t->min_perf_pct;
	limits = pstate_pid_limits(t->pid_rules, &state->levels, false, (uint32_t)policy->min_khz,
		(uint32_t)policy->max_khz, (uint32_t)policy->cpuinfo_max_khz, sysfs);
	state->range = pstate_pid_range(
		&state->levels, turbo_of(t), limits.min_perf_fp, limits.max_perf_fp);
}

static void limits(struct policy *policy)
{
	const struct tunables *t = policy->tunables;
	struct policy_state *state = policy->governor_state;
	struct pstate_user_limits user = { .max_pct = (int32_t)t->max_perf_pct };
	uint32_t max_khz = (uint32_t)policy->max_khz;

	if (t->pid_rules) {
		limits_pid(policy, state);
		return;
	}
	/* Follows intel_pstate_verify_cpu_policy(): without turbo the base clock is the maximum. */
	if (t->no_turbo && max_khz > state->levels.max_khz)
		max_khz = state->levels.max_khz;
	user.min_pct = t->min_perf_pct == PARAM_AUTO ? 100 * state->levels.min / state->levels.turbo
						     : (int32_t)t->min_perf_pct;
	state->load.ratios = pstate_limits(
		t->rules, &state->levels, turbo_of(t), &user, (uint32_t)policy->min_khz, max_khz);
}

/* Turbo and percentages move the range; a parameter of the controller resets it. Follows
 * store_no_turbo(), store_max_perf_pct() and pid_param_set(). */
static void written(struct policy *policy, const char *name, int64_t now_ns)
{
	static const char *const of_range[] = { "no_turbo", "min_perf_pct", "max_perf_pct" };
	bool moves = false;

	(void)now_ns;
	for (size_t i = 0; i < sizeof(of_range) / sizeof(of_range[0]); i++)
		moves |= strcmp(of_range[i], name) == 0;
	take_tunables(policy);
	if (moves)
		limits(policy);
	else
		reset_controller(policy);
}

/* A deferrable timer of whole jiffies runs in the tick, so never on an idle CPU. */
static bool timer_due(const struct tunables *t, struct cpu_state *cpu, int64_t now_ns)
{
	int64_t period_ns = t->sample_rate_ms * NSEC_PER_MSEC;

	int64_t late_ns = now_ns % t->tick_ns;

	if (late_ns > t->tick_latency_ns || now_ns < cpu->due_ns)
		return false;
	cpu->due_ns = now_ns - late_ns + ceil_div_i64(period_ns, t->tick_ns) * t->tick_ns;
	return true;
}

/* A call of the hook for one CPU: what it saw and what came of it. */
struct turn {
	int id;
	int64_t now_ns;
	uint64_t up_ns;
	bool iowait;
	struct perf_counters counters;
	uint64_t iowait_us;
	int32_t raw; /* level wanted, before the limits */
	bool written;
	uint64_t value; /* of PERF_CTL, by load */
	enum decision_rule rule;
};

static enum decision_rule rule_of_pid(
	const struct pstate_pid_cpu *cpu, const struct pstate_pid_outcome *outcome)
{
	static const enum decision_rule rules[] = {
		[PSTATE_PID_BUSY] = DECISION_PID,
		[PSTATE_PID_HOLDOFF] = DECISION_HOLDOFF,
		[PSTATE_PID_IDLE] = DECISION_IDLE,
	};

	if (outcome->ran)
		return rules[cpu->reason];
	return outcome->taken == SAMPLE_PRIMED ? DECISION_PRIMED : DECISION_NO_SAMPLE;
}

/* False when the CPU's timer had not expired: then there was no evaluation. */
static bool update_pid(struct policy *policy, struct cpu_state *cpu, struct turn *turn)
{
	const struct tunables *t = policy->tunables;
	const struct policy_state *state = policy->governor_state;
	struct pstate_pid_outcome outcome;
	struct cputime time;

	if (t->pid_rules->by_timer) {
		if (!timer_due(t, cpu, turn->now_ns))
			return false;
	} else if (!pstate_sample_due(
			   &cpu->pid.sample, turn->up_ns, t->sample_rate_ms * NSEC_PER_MSEC)) {
		turn->rule = DECISION_RATE_LIMIT;
		return true;
	}
	perf_counters_read(policy->kernel, turn->id, &turn->counters);
	turn->rule = DECISION_NO_SAMPLE;
	if (turn->counters.mperf == 0) /* not run yet: the older timer has nothing to decide on */
		return true;
	cputime_read(policy->kernel, turn->id, &time);
	turn->iowait_us = time.iowait_us;
	outcome = pstate_pid_step(t->pid_rules, &state->pid, &state->levels, state->range,
		&cpu->pid, &turn->counters, turn->iowait_us, turn->up_ns);
	turn->rule = rule_of_pid(&cpu->pid, &outcome);
	turn->raw = outcome.raw;
	turn->written = outcome.written;
	cpu->pstate = cpu->pid.pstate;
	return true;
}

static void update_load(struct policy *policy, struct cpu_state *cpu, struct turn *turn)
{
	const struct policy_state *state = policy->governor_state;
	struct pstate_load_outcome outcome;

	turn->rule = DECISION_RATE_LIMIT;
	if (!pstate_load_note(&state->load, &cpu->load, turn->up_ns, turn->iowait))
		return;
	perf_counters_read(policy->kernel, turn->id, &turn->counters);
	outcome = pstate_load_evaluate(&state->load, &cpu->load, &turn->counters, turn->up_ns);
	if (outcome.taken == SAMPLE_TAKEN)
		turn->rule = cpu->load.boosted ? DECISION_IO_BOOST : DECISION_UTIL;
	else
		turn->rule = outcome.taken == SAMPLE_PRIMED ? DECISION_PRIMED : DECISION_NO_SAMPLE;
	turn->raw = outcome.raw;
	turn->written = outcome.write.written;
	turn->value = outcome.write.value;
	cpu->pstate = cpu->load.pstate;
}

static void record_counters(struct decision_record *record, const struct turn *turn)
{
	decision_in(record, "aperf", (int64_t)turn->counters.aperf, "cycles");
	decision_in(record, "mperf", (int64_t)turn->counters.mperf, "cycles");
	decision_in(record, "tsc", (int64_t)turn->counters.tsc, "cycles");
	decision_in(record, "time", (int64_t)turn->up_ns, "ns");
}

static void record_sample(struct decision_record *record, const struct pstate_sample *sample)
{
	decision_in(record, "duration", (int64_t)(sample->time_ns - sample->last_time_ns), "ns");
	decision_out(record, "perf", sample->perf, "");
}

static void record_pid(struct decision_record *record, const struct tunables *t,
	const struct cpu_state *cpu, const struct turn *turn)
{
	if (turn->rule == DECISION_RATE_LIMIT)
		return;
	record_counters(record, turn);
	record_sample(record, &cpu->pid.sample);
	decision_in(record, "iowait_time", (int64_t)turn->iowait_us, "us");
	decision_in(record, "core_busy", pstate_pid_core_pct(t->pid_rules, &cpu->pid.sample), "%");
	decision_in(record, "holdoff", t->holdoff, "");
	decision_out(record, "scaled_busy", fp_floor(cpu->pid.busy_scaled_fp), "%");
	decision_out(record, "busy_scaled_fp", cpu->pid.busy_scaled_fp, "");
	decision_out(record, "integral_fp", cpu->pid.pid.integral_fp, "");
	decision_out(record, "last_err_fp", cpu->pid.pid.last_err_fp, "");
}

static void record_load(struct decision_record *record, const struct policy_state *state,
	const struct cpu_state *cpu, const struct turn *turn)
{
	decision_in(record, "iowait", turn->iowait, "");
	if (turn->rule == DECISION_RATE_LIMIT)
		decision_in(record, "time", (int64_t)turn->up_ns, "ns");
	else
		record_counters(record, turn);
	record_sample(record, &cpu->load.sample);
	decision_in(record, "min_perf_ratio", state->load.ratios.min, "");
	decision_in(record, "max_perf_ratio", state->load.ratios.max, "");
	decision_out(record, "iowait_boost_fp", cpu->load.iowait_boost_fp, "");
	decision_out(record, "busy_scaled_fp", cpu->load.busy_scaled_fp, "");
	decision_out(record, "average", cpu->load.average, "");
}

static void update(struct policy *policy, int id, int64_t now_ns, unsigned flags)
{
	const struct tunables *t = policy->tunables;
	struct cpu_state *cpus = policy->cpu_state;
	struct cpu_state *cpu = &cpus[id - policy->first_cpu];
	struct turn turn = {
		.id = id,
		.now_ns = now_ns,
		.up_ns = (uint64_t)(now_ns + UPTIME_NS),
		.iowait = flags & HOOK_IOWAIT,
	};
	int32_t before = cpu->pstate;
	struct decision_record *record;

	if (!t->pid_rules)
		update_load(policy, cpu, &turn);
	else if (!update_pid(policy, cpu, &turn))
		return;
	record = decision_begin(policy, id, turn.rule,
		!t->pid_rules                         ? "get_target_pstate"
			: t->algorithm == PSTATE_ATOM ? "get_target_pstate_use_cpu_load"
						      : "get_target_pstate_use_performance");
	if (record) {
		record->per_cpu = true;
		decision_in(record, "pstate", before, "");
		if (t->pid_rules)
			record_pid(record, t, cpu, &turn);
		else
			record_load(record, policy->governor_state, cpu, &turn);
		decision_out(record, "raw", turn.raw, "");
		decision_out(record, "next_pstate", cpu->pstate, "");
		decision_out(record, "written", turn.written, "");
		decision_out(record, "perf_ctl", (int64_t)turn.value, "");
	}
	if (turn.written)
		request(policy, policy->governor_state);
	decision_end(policy);
}

const struct governor governor_intel_pstate = {
	.name = "intel_pstate",
	.summary = "Intel's own: busyness against the level asked for; by load from 4.14 on",
	.params = params,
	.tunables_size = sizeof(struct tunables),
	.policy_size = sizeof(struct policy_state),
	.cpu_size = sizeof(struct cpu_state),
	.flags = GOVERNOR_DYNAMIC,
	.first_version = KVER(3, 9, 0),
	.tune = tune,
	.start = start,
	.limits = limits,
	.written = written,
	.update = update,
};
