#include "governors/ondemand_sample.h"

static const struct ondemand_rules rules_of_versions[] = {
	{ .since = 0, .shape = ONDEMAND_2620, .map = ONDEMAND_MAP_OLD },
	{ .since = KVER(2, 6, 39), .shape = ONDEMAND_2639, .map = ONDEMAND_MAP_OLD },
	{ .since = KVER(3, 12, 0),
		.shape = ONDEMAND_MAP,
		.map = ONDEMAND_MAP_OLD,
		.map_relation = RELATION_L },
	{ .since = KVER(3, 17, 0),
		.shape = ONDEMAND_MAP,
		.map = ONDEMAND_MAP_NEW,
		.map_relation = RELATION_C },
	{ .since = KVER(4, 6, 0),
		.shape = ONDEMAND_MAP,
		.map = ONDEMAND_MAP_NEW,
		.map_relation = RELATION_C,
		.delay_us = true },
	{ .since = KVER(4, 8, 0),
		.shape = ONDEMAND_MAP,
		.map = ONDEMAND_MAP_NEW,
		.map_relation = RELATION_C,
		.bias_sorted = true,
		.delay_us = true },
	{ .since = KVER(5, 16, 0),
		.shape = ONDEMAND_MAP,
		.map = ONDEMAND_MAP_NEW,
		.map_relation = RELATION_C,
		.efficient = RELATION_E,
		.bias_sorted = true,
		.delay_us = true },
};

/* The 2.6.20 rule's distance below up_threshold, not a tunable there. */
#define DOWN_DIFFERENTIAL_2620 10

#define SAMPLING_DOWN_FACTOR_MAX 100000
#define POWERSAVE_BIAS_MAX 1000

const struct ondemand_rules *ondemand_rules(unsigned version)
{
	size_t i = sizeof(rules_of_versions) / sizeof(rules_of_versions[0]) - 1;

	while (rules_of_versions[i].since > version)
		i--;
	return &rules_of_versions[i];
}

static uint32_t table_khz(const struct freq_table *table, int index)
{
	return table->entries[index < 0 ? 0 : index].khz;
}

/* One bound of the biased frequency; @relation without the efficiency flag. */
static uint32_t bias_bound(
	const struct ondemand *od, const struct dbs_policy *policy, uint32_t khz, unsigned relation)
{
	const struct freq_table *table = policy->table;
	bool efficient = od->rules->efficient && table->efficiencies;
	int index;

	if (!od->rules->bias_sorted)
		return table_khz(
			table, freq_table_find_unsorted(table, khz, policy->limits, relation));
	index = freq_table_find(table, khz, policy->limits, relation, efficient);
	return table_khz(table, index);
}

/* Lowers @khz by powersave_bias and splits the period between the two table frequencies around it.
 * The products wrap at 32 bits as in the kernel. Follows generic_powersave_bias_target(). */
static uint32_t bias(
	struct ondemand *od, const struct dbs_policy *policy, uint32_t khz, unsigned relation)
{
	uint32_t wanted, average, lo, hi, period;

	if (!policy->table) {
		od->freq_lo = 0;
		od->freq_lo_delay = 0;
		return khz;
	}
	wanted = table_khz(policy->table,
		freq_table_target(policy->table, khz, policy->limits,
			relation | od->rules->efficient, policy->version));
	average = wanted - wanted * od->powersave_bias / 1000;
	lo = bias_bound(od, policy, average, RELATION_H);
	hi = bias_bound(od, policy, average, RELATION_L);
	if (hi == lo) {
		od->freq_lo = 0;
		od->freq_lo_delay = 0;
		return lo;
	}
	period = od->dbs.sampling_rate;
	if (!od->rules->delay_us)
		period = (uint32_t)dbs_us_to_jiffies(period, od->dbs.hz);
	od->freq_hi_delay = ((average - lo) * period + (hi - lo) / 2) / (hi - lo);
	od->freq_lo_delay = period - od->freq_hi_delay;
	od->freq_lo = lo;
	return hi;
}

/* Above the threshold: straight to the top. Follows dbs_freq_increase(). */
static struct ondemand_decision increase(struct ondemand *od, const struct dbs_policy *policy)
{
	struct ondemand_decision out = { .reason = ONDEMAND_TO_MAX };
	uint32_t max = policy->limits.max_khz;

	if (policy->cur_khz < max && od->rules->shape != ONDEMAND_2620)
		od->dbs.rate_mult = od->sampling_down_factor;
	if (od->powersave_bias) {
		out.request.khz = bias(od, policy, max, RELATION_H);
		out.request.relation = RELATION_L | od->rules->efficient;
		out.request.wanted = true;
	} else if (policy->cur_khz == max) {
		out.reason = ONDEMAND_AT_MAX;
	} else {
		out.request = (struct dbs_request){ true, max, RELATION_H | od->rules->efficient };
	}
	return out;
}

static struct ondemand_decision by_load(
	struct ondemand *od, const struct dbs_policy *policy, uint32_t khz, unsigned relation)
{
	if (od->powersave_bias)
		khz = bias(od, policy, khz, RELATION_L);
	return (struct ondemand_decision){
		.reason = ONDEMAND_BY_LOAD,
		.request = { true, khz, relation | od->rules->efficient },
	};
}

static struct ondemand_decision nothing(enum ondemand_reason reason)
{
	return (struct ondemand_decision){ .reason = reason };
}

/* Follows dbs_check_cpu() of 2.6.20. */
static struct ondemand_decision evaluate_2620(
	struct ondemand *od, const struct dbs_policy *policy, uint32_t average_khz, uint32_t load)
{
	uint32_t threshold = od->up_threshold - DOWN_DIFFERENTIAL_2620;

	if (load > od->up_threshold)
		return increase(od, policy);
	if (policy->cur_khz == policy->limits.min_khz)
		return nothing(ONDEMAND_AT_MIN);
	if (load >= threshold)
		return nothing(ONDEMAND_IN_BAND);
	return by_load(od, policy, average_khz * load / threshold, RELATION_L);
}

/* Follows dbs_check_cpu() of 2.6.39. */
static struct ondemand_decision evaluate_2639(
	struct ondemand *od, const struct dbs_policy *policy, uint32_t average_khz, uint32_t load)
{
	uint32_t load_freq = load * average_khz;
	uint32_t threshold = od->up_threshold - od->down_differential;
	uint32_t khz;

	if (load_freq > od->up_threshold * policy->cur_khz)
		return increase(od, policy);
	if (policy->cur_khz == policy->limits.min_khz)
		return nothing(ONDEMAND_AT_MIN);
	if (load_freq >= threshold * policy->cur_khz)
		return nothing(ONDEMAND_IN_BAND);
	khz = load_freq / threshold;
	od->dbs.rate_mult = 1;
	if (khz < policy->limits.min_khz)
		khz = policy->limits.min_khz;
	return by_load(od, policy, khz, RELATION_L);
}

uint32_t ondemand_deadband_pct(const struct ondemand *od, struct freq_limits cpuinfo)
{
	uint32_t load = 0;

	while (load <= od->up_threshold && load < 100 &&
		ondemand_map_khz(od, cpuinfo, load) <= cpuinfo.min_khz)
		load++;
	return load;
}

uint32_t ondemand_map_khz(const struct ondemand *od, struct freq_limits cpuinfo, uint32_t load)
{
	uint32_t min = cpuinfo.min_khz, max = cpuinfo.max_khz;
	uint32_t old_khz = load * max / 100;

	switch (od->map) {
	case ONDEMAND_MAP_NEW:
		return min + load * (max - min) / 100;
	case ONDEMAND_MAP_OLD:
		return old_khz;
	case ONDEMAND_MAP_STEPS:
		if (od->map_steps_deadband && old_khz < min)
			return min;
		return min + load * od->map_steps / 100 * (max - min) / od->map_steps;
	case ONDEMAND_MAP_MINMAX:
		return min;
	}
	return min;
}

/* Follows od_check_cpu() of 3.16 and od_update() of later kernels. */
static struct ondemand_decision evaluate_map(
	struct ondemand *od, const struct dbs_policy *policy, uint32_t load)
{
	uint32_t khz;

	if (load > od->up_threshold)
		return increase(od, policy);
	khz = ondemand_map_khz(od, policy->cpuinfo, load);
	od->dbs.rate_mult = 1;
	return by_load(od, policy, khz, od->rules->map_relation);
}

struct ondemand_decision ondemand_evaluate(
	struct ondemand *od, const struct ondemand_input *in, struct dbs_load load)
{
	uint32_t average_khz = in->average_khz ? in->average_khz : in->policy.cur_khz;

	od->freq_lo = 0;
	if (!load.valid)
		return nothing(ONDEMAND_NO_TIME);
	switch (od->rules->shape) {
	case ONDEMAND_2620:
		return evaluate_2620(od, &in->policy, average_khz, load.load);
	case ONDEMAND_2639:
		return evaluate_2639(od, &in->policy, average_khz, load.load);
	case ONDEMAND_MAP:
		return evaluate_map(od, &in->policy, load.load);
	}
	return nothing(ONDEMAND_NO_TIME);
}

/* Time to the next sample when no powersave_bias part says otherwise. */
static uint32_t normal_delay(const struct ondemand *od, const struct ondemand_input *in)
{
	uint32_t us = od->dbs.sampling_rate;

	if (od->rules->shape == ONDEMAND_2620)
		return dbs_timer_delay(us, od->dbs.hz, in->jiffies, true);
	us *= od->dbs.rate_mult;
	if (od->rules->delay_us)
		return us;
	return dbs_timer_delay(us, od->dbs.hz, in->jiffies, in->align);
}

/* Whether the sample is the low part of a period. */
static bool is_sub_sample(const struct ondemand *od, const struct ondemand_input *in)
{
	if (od->sample_type != ONDEMAND_SUB)
		return false;
	if (od->rules->shape != ONDEMAND_MAP)
		return od->powersave_bias != 0;
	return !od->rules->delay_us || !in->delay_reset;
}

/* 3.16 replaces a part of no length by a normal delay. */
static uint32_t part_delay(
	const struct ondemand *od, const struct ondemand_input *in, uint32_t delay)
{
	if (!delay && od->rules->shape == ONDEMAND_MAP && !od->rules->delay_us)
		return normal_delay(od, in);
	return delay;
}

struct ondemand_decision ondemand_skip(const struct ondemand *od, const struct ondemand_input *in)
{
	return (struct ondemand_decision){ .reason = ONDEMAND_SKIPPED,
		.delay = normal_delay(od, in) };
}

bool ondemand_begin(
	struct ondemand *od, const struct ondemand_input *in, struct ondemand_decision *out)
{
	bool sub = is_sub_sample(od, in);

	od->sample_type = ONDEMAND_NORMAL;
	if (!sub)
		return true;
	out->reason = ONDEMAND_SUB_SAMPLE;
	out->request = (struct dbs_request){ true, od->freq_lo, RELATION_H | od->rules->efficient };
	if (od->rules->shape == ONDEMAND_2620)
		out->delay = normal_delay(od, in);
	else
		out->delay = part_delay(od, in, od->freq_lo_delay);
	return false;
}

struct ondemand_decision ondemand_decide(
	struct ondemand *od, const struct ondemand_input *in, struct dbs_load load)
{
	struct ondemand_decision out = ondemand_evaluate(od, in, load);

	if (!od->freq_lo) {
		out.delay = normal_delay(od, in);
		return out;
	}
	od->sample_type = ONDEMAND_SUB;
	out.delay = part_delay(od, in, od->freq_hi_delay);
	return out;
}

uint32_t ondemand_steady_khz(
	const struct ondemand *od, const struct dbs_policy *policy, uint32_t load)
{
	struct freq_request core = {
		.table = policy->table,
		.limits = policy->limits,
		.version = policy->version,
	};

	if (load > od->up_threshold)
		return freq_request(
			&core, policy->limits.max_khz, RELATION_H | od->rules->efficient)
			.khz;
	return freq_request(&core, ondemand_map_khz(od, policy->cpuinfo, load),
		od->rules->map_relation | od->rules->efficient)
		.khz;
}

int ondemand_write(struct ondemand *od, enum ondemand_tunable tunable, uint32_t value,
	struct ondemand_write *out)
{
	uint32_t min_up_threshold = od->dbs.rules->rate == DBS_RATE_415 ? 1 : 11;
	bool flag = value != 0;

	*out = (struct ondemand_write){ .restart = false };
	switch (tunable) {
	case ONDEMAND_SAMPLING_DOWN_FACTOR:
		if (value < 1 || value > SAMPLING_DOWN_FACTOR_MAX)
			return -1;
		od->sampling_down_factor = value;
		od->dbs.rate_mult = 1;
		return 0;
	case ONDEMAND_POWERSAVE_BIAS:
		od->powersave_bias = value > POWERSAVE_BIAS_MAX ? POWERSAVE_BIAS_MAX : value;
		od->freq_lo = 0;
		return 0;
	case ONDEMAND_UP_THRESHOLD:
		if (value < min_up_threshold || value > 100)
			return -1;
		od->up_threshold = value;
		return 0;
	case ONDEMAND_IO_IS_BUSY:
		od->dbs.io_is_busy = flag;
		out->restart = true;
		out->nice = !od->dbs.rules->timer;
		return 0;
	case ONDEMAND_IGNORE_NICE:
		out->restart = od->dbs.ignore_nice != flag;
		out->nice = true;
		od->dbs.ignore_nice = flag;
		return 0;
	}
	return -1;
}
