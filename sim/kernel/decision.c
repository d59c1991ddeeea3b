#include "sim/kernel/decision.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "sim/kernel/kernel.h"

static const struct decision_rule_info infos[DECISION_RULES] = {
	[DECISION_NONE] = { "none", "no rule" },
	[DECISION_LIMITS] = { "limits", "the policy's limits hold the frequency" },
	[DECISION_SETSPEED] = { "setspeed", "the frequency that was written" },
	[DECISION_UP_THRESHOLD] = { "up_threshold", "the load is above it: straight to the top" },
	[DECISION_AT_MAX] = { "at_max", "the load is above up_threshold, and nothing above cur" },
	[DECISION_MAP] = { "map", "the frequency that the load maps to" },
	[DECISION_REUSE] = { "reuse", "after a long time away the last load counts once more" },
	[DECISION_BIAS_LOW] = { "bias_low", "the lower part of a powersave_bias period" },
	[DECISION_SKIP] = { "skip", "another CPU of the policy has just sampled" },
	[DECISION_NO_TIME] = { "no_time", "no time has passed since the last sample" },
	[DECISION_SCALE_DOWN] = { "scale_down", "down until the load would be below up_threshold" },
	[DECISION_AT_MIN] = { "at_min", "nothing below cur" },
	[DECISION_BAND] = { "band", "the load is between the thresholds" },
	[DECISION_STEP_UP] = { "step_up", "the load is above up_threshold: a step up" },
	[DECISION_STEP_DOWN] = { "step_down", "the load is below down_threshold: a step down" },
	[DECISION_DOWN_WAIT] = { "down_wait", "sampling_down_factor samples are not over" },
	[DECISION_NO_STEP] = { "no_step", "freq_step is 0" },
	[DECISION_RATE_LIMIT] = { "rate_limit", "too early after the last one" },
	[DECISION_IN_PROGRESS] = { "in_progress", "the last request is still being carried out" },
	[DECISION_UTIL] = { "util", "the frequency that utilisation is worth" },
	[DECISION_IO_BOOST] = { "io_boost", "tasks that wake after I/O count for more" },
	[DECISION_RT_MAX] = { "rt_max", "a real-time or deadline task runs: the top" },
	[DECISION_HOLD] = { "hold", "a CPU that has not idled since is not slowed down" },
	[DECISION_CACHE] = { "cache", "the same raw frequency as last time" },
	[DECISION_NO_SAMPLE] = { "no_sample", "the counters stood still" },
	[DECISION_PRIMED] = { "primed", "the first sample only fills the fields" },
	[DECISION_PID] = { "pid", "the controller's answer to the busyness" },
	[DECISION_HOLDOFF] = { "holdoff", "after a long sleep the busyness is scaled, or 0" },
	[DECISION_IDLE] = { "idle", "busy for less than 1 %: counts as idle" },
};

const struct decision_rule_info *decision_rule_info(enum decision_rule rule)
{
	return &infos[rule];
}

struct decision_record *decision_begin(
	struct policy *policy, int cpu, enum decision_rule rule, const char *function)
{
	struct kernel *kernel = policy->kernel;
	struct decisions *decisions = &kernel->decisions;

	if (kernel->booting)
		return NULL;
	decisions->evaluations++;
	decisions->by_rule[rule]++;
	if (!decisions->sink)
		return NULL;
	decisions->record = (struct decision_record){
		.t_ns = kernel->engine->now_ns,
		.cpu = cpu,
		.policy = policy,
		.rule = rule,
		.function = function,
		.from_khz = policy->cur_khz,
	};
	decisions->open = &decisions->record;
	return decisions->open;
}

void decision_end(struct policy *policy)
{
	struct decisions *decisions = &policy->kernel->decisions;

	if (decisions->open)
		decisions->sink(decisions->arg, decisions->open);
	decisions->open = NULL;
}

void decision_in(struct decision_record *record, const char *name, int64_t value, const char *unit)
{
	assert(record->nr_in < DECISION_VALUES);
	record->in[record->nr_in++] = (struct decision_value){ name, unit, value };
}

void decision_out(struct decision_record *record, const char *name, int64_t value, const char *unit)
{
	assert(record->nr_out < DECISION_VALUES);
	record->out[record->nr_out++] = (struct decision_value){ name, unit, value };
}

int64_t decision_find(const struct decision_record *record, const char *name, int64_t missing)
{
	for (int i = 0; i < record->nr_in; i++)
		if (strcmp(record->in[i].name, name) == 0)
			return record->in[i].value;
	for (int i = 0; i < record->nr_out; i++)
		if (strcmp(record->out[i].name, name) == 0)
			return record->out[i].value;
	return missing;
}
