#include "governors/conservative_sample.h"

#include <stddef.h>

static const struct conservative_rules rules_of_versions[] = {
	{ .since = 0, .follows_changes = true, .exits_early = true },
	{ .since = KVER(4, 8, 0), .from_cur = true, .exits_early = true },
	{ .since = KVER(4, 15, 0), .repairs = true, .decays = true, .exits_early = true },
	{ .since = KVER(5, 16, 0),
		.efficient = RELATION_E,
		.repairs = true,
		.decays = true,
		.exits_early = true },
	{ .since = KVER(6, 1, 0),
		.efficient = RELATION_E,
		.repairs = true,
		.decays = true,
		.step_keeps_min = true,
		.limits_reset = true },
};

/* A step of nothing would never move. */
#define STEP_MIN_KHZ 5
#define SAMPLING_DOWN_FACTOR_MAX 10

const struct conservative_rules *conservative_rules(unsigned version)
{
	size_t i = sizeof(rules_of_versions) / sizeof(rules_of_versions[0]) - 1;

	while (rules_of_versions[i].since > version)
		i--;
	return &rules_of_versions[i];
}

static bool outside(uint32_t khz, struct freq_limits limits)
{
	return khz > limits.max_khz || khz < limits.min_khz;
}

void conservative_start(struct conservative *cs, uint32_t cur_khz)
{
	cs->requested_khz = cs->rules->from_cur ? 0 : cur_khz;
	cs->down_skip = 0;
}

static struct dbs_request ask(struct conservative *cs, uint32_t khz, unsigned relation)
{
	if (!cs->rules->from_cur)
		cs->requested_khz = khz;
	return (struct dbs_request){ true, khz, relation | cs->rules->efficient };
}

static struct dbs_request step_up(
	struct conservative *cs, struct freq_limits limits, uint32_t from, uint32_t step)
{
	uint32_t khz = from + step;

	cs->reason = CONSERVATIVE_AT_MAX;
	if (cs->rules->exits_early && from == limits.max_khz)
		return (struct dbs_request){ .wanted = false };
	cs->reason = CONSERVATIVE_UP;
	if (khz > limits.max_khz && !cs->rules->from_cur)
		khz = limits.max_khz;
	return ask(cs, khz, RELATION_H);
}

static struct dbs_request step_down(
	struct conservative *cs, const struct dbs_policy *policy, uint32_t from, uint32_t step)
{
	uint32_t min = policy->limits.min_khz;
	uint32_t bottom = cs->rules->repairs ? from : policy->cur_khz;
	uint32_t above = cs->rules->step_keeps_min ? min + step : step;

	cs->reason = CONSERVATIVE_AT_MIN;
	if (cs->rules->exits_early && bottom == min)
		return (struct dbs_request){ .wanted = false };
	cs->reason = CONSERVATIVE_DOWN;
	return ask(cs, from > above ? from - step : min, RELATION_L);
}

struct dbs_request conservative_decide(
	struct conservative *cs, const struct dbs_policy *policy, struct dbs_load load)
{
	const struct conservative_rules *rules = cs->rules;
	struct freq_limits limits = policy->limits;
	uint32_t step = cs->freq_step * limits.max_khz / 100;
	uint32_t from;

	cs->reason = CONSERVATIVE_NO_STEP;
	if (!cs->freq_step)
		return (struct dbs_request){ .wanted = false };
	if (!step)
		step = STEP_MIN_KHZ;
	if (rules->repairs && outside(cs->requested_khz, limits))
		cs->requested_khz = policy->cur_khz;
	from = rules->from_cur ? policy->cur_khz : cs->requested_khz;
	if (rules->decays && load.idle_periods != DBS_NO_IDLE_PERIODS) {
		uint32_t steps = load.idle_periods * step;

		/* Only this sample sees it: without a step of its own the decay is lost. */
		from = from > limits.min_khz + steps ? from - steps : limits.min_khz;
	}
	if (load.load > cs->up_threshold) {
		cs->down_skip = 0;
		return step_up(cs, limits, from, step);
	}
	cs->reason = CONSERVATIVE_WAIT;
	if (++cs->down_skip < cs->sampling_down_factor)
		return (struct dbs_request){ .wanted = false };
	cs->down_skip = 0;
	cs->reason = CONSERVATIVE_BAND;
	if (load.load >= cs->down_threshold)
		return (struct dbs_request){ .wanted = false };
	return step_down(cs, policy, from, step);
}

void conservative_limits_changed(struct conservative *cs, const struct dbs_policy *policy)
{
	if (cs->rules->limits_reset)
		cs->requested_khz = policy->cur_khz;
}

void conservative_changed(struct conservative *cs, const struct dbs_policy *policy, uint32_t khz)
{
	if (cs->rules->follows_changes && outside(cs->requested_khz, policy->limits))
		cs->requested_khz = khz;
}

int conservative_write(
	struct conservative *cs, enum conservative_tunable tunable, uint32_t value, bool *restart)
{
	uint32_t min_down = cs->dbs.rules->rate == DBS_RATE_415 ? 1 : 11;
	bool flag = value != 0;

	*restart = false;
	switch (tunable) {
	case CONSERVATIVE_SAMPLING_DOWN_FACTOR:
		if (value < 1 || value > SAMPLING_DOWN_FACTOR_MAX)
			return -1;
		cs->sampling_down_factor = value;
		return 0;
	case CONSERVATIVE_FREQ_STEP:
		cs->freq_step = value > 100 ? 100 : value;
		return 0;
	case CONSERVATIVE_UP_THRESHOLD:
		if (value <= cs->down_threshold || value > 100)
			return -1;
		cs->up_threshold = value;
		return 0;
	case CONSERVATIVE_DOWN_THRESHOLD:
		if (value < min_down || value > 100 || value >= cs->up_threshold)
			return -1;
		cs->down_threshold = value;
		return 0;
	case CONSERVATIVE_IGNORE_NICE:
		*restart = cs->dbs.ignore_nice != flag;
		cs->dbs.ignore_nice = flag;
		return 0;
	}
	return -1;
}
