#include "governors/dbs.h"

#include <stddef.h>

static const struct dbs_rules rules_of_versions[] = {
	{ .since = 0,
		.rate = DBS_RATE_2620,
		.reuse = DBS_REUSE_NEVER,
		.ticks = true,
		.timer = true },
	{ .since = KVER(2, 6, 39),
		.rate = DBS_RATE_2639,
		.reuse = DBS_REUSE_NEVER,
		.bad_idle = DBS_BAD_IDLE_SKIP_CPU,
		.idle_has_iowait = true,
		.timer = true },
	{ .since = KVER(3, 12, 0),
		.rate = DBS_RATE_316,
		.reuse = DBS_REUSE_LONG_WINDOW,
		.bad_idle = DBS_BAD_IDLE_SKIP_CPU,
		.load_at_start = true,
		.nice_of_policy = true,
		.timer = true },
	{ .since = KVER(4, 5, 0),
		.rate = DBS_RATE_316,
		.reuse = DBS_REUSE_LONG_WINDOW,
		.bad_idle = DBS_BAD_IDLE_SKIP_CPU,
		.load_at_start = true,
		.nice_of_policy = true,
		.never_backwards = true,
		.timer = true,
		.timer_of_policy = true },
	{ .since = KVER(4, 6, 0),
		.rate = DBS_RATE_316,
		.reuse = DBS_REUSE_LONG_WINDOW,
		.bad_idle = DBS_BAD_IDLE_SKIP_CPU,
		.load_at_start = true },
	{ .since = KVER(4, 8, 0),
		.rate = DBS_RATE_316,
		.reuse = DBS_REUSE_LONG_WINDOW,
		.bad_idle = DBS_BAD_IDLE_SIGNED },
	{ .since = KVER(4, 15, 0),
		.rate = DBS_RATE_415,
		.reuse = DBS_REUSE_LONG_IDLE,
		.bad_idle = DBS_BAD_IDLE_SIGNED,
		.nice_ns = true },
	{ .since = KVER(6, 1, 0),
		.rate = DBS_RATE_415,
		.reuse = DBS_REUSE_LONG_IDLE,
		.bad_idle = DBS_BAD_IDLE_ZERO,
		.nice_ns = true },
};

const struct dbs_rules *dbs_rules(unsigned version)
{
	size_t i = sizeof(rules_of_versions) / sizeof(rules_of_versions[0]) - 1;

	while (rules_of_versions[i].since > version)
		i--;
	return &rules_of_versions[i];
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* @count of 1/@hz s in units of which a second has @per_s. The fraction is reduced first, as in the
 * kernel's constants: where the product wraps is part of the result. */
static uint64_t ticks_to(uint64_t count, uint64_t per_s, uint32_t hz)
{
	uint64_t a = per_s, b = hz;

	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return count * (per_s / a) / (hz / a);
}

uint32_t dbs_jiffies_to_us(uint64_t jiffies, uint32_t hz)
{
	return (uint32_t)ticks_to(jiffies, 1000000, hz);
}

uint64_t dbs_us_to_jiffies(uint32_t us, uint32_t hz)
{
	return ((uint64_t)us * hz + 999999) / 1000000;
}

uint32_t dbs_timer_delay(uint32_t us, uint32_t hz, uint64_t jiffies, bool align)
{
	uint64_t delay = dbs_us_to_jiffies(us, hz);

	if (align && delay)
		delay -= jiffies % delay;
	return (uint32_t)delay;
}

/* Nice time in the unit the kernel counts it in. */
static uint64_t nice_count(const struct dbs_setup *setup, const struct dbs_counters *now)
{
	uint64_t tick_ns = (UINT64_C(1000000000) + setup->hz / 2) / setup->hz;

	if (setup->rules->nice_ns || setup->rules->ticks)
		return now->nice;
	return now->nice / tick_ns;
}

/* The idle clock as the governor reads it; follows get_cpu_idle_time(). */
static uint64_t idle_clock(const struct dbs_setup *setup, const struct dbs_counters *now)
{
	const struct dbs_rules *rules = setup->rules;
	uint64_t idle = now->idle;

	if (rules->ticks || rules->idle_has_iowait || !setup->io_is_busy)
		idle += now->iowait;
	if (rules->ticks && setup->ignore_nice)
		idle += now->nice;
	return idle;
}

void dbs_restart(const struct dbs_setup *setup, struct dbs_cpu *cpus,
	const struct dbs_counters *now, int nr, bool nice)
{
	for (int i = 0; i < nr; i++) {
		cpus[i].prev_wall = now[i].wall;
		cpus[i].prev_idle = idle_clock(setup, &now[i]);
		if (nice && setup->ignore_nice)
			cpus[i].prev_nice = nice_count(setup, &now[i]);
	}
}

void dbs_start(
	const struct dbs_setup *setup, struct dbs_cpu *cpus, const struct dbs_counters *now, int nr)
{
	for (int i = 0; i < nr; i++) {
		uint32_t wall = (uint32_t)now[i].wall;
		uint32_t idle = (uint32_t)idle_clock(setup, &now[i]);

		/* prev_iowait starts at 0 whatever has passed. */
		cpus[i] = (struct dbs_cpu){ .prev_load = 0 };
		if (setup->rules->load_at_start && wall)
			cpus[i].prev_load = 100 * (wall - idle) / wall;
	}
	dbs_restart(setup, cpus, now, nr, true);
}

/* 2.6.20: whole jiffies since the last call, idle as long as the least idle CPU. */
static struct dbs_load load_of_ticks(
	const struct dbs_setup *setup, struct dbs_cpu *cpus, const struct dbs_counters *now, int nr)
{
	struct dbs_load out = { .idle_periods = DBS_NO_IDLE_PERIODS };
	uint32_t total = (uint32_t)(now[0].wall - cpus[0].prev_wall);
	uint32_t least = UINT32_MAX;

	cpus[0].prev_wall = now[0].wall;
	if (!total)
		return out;
	for (int i = 0; i < nr; i++) {
		uint64_t clock = idle_clock(setup, &now[i]);
		uint32_t idle = (uint32_t)(clock - cpus[i].prev_idle);

		cpus[i].prev_idle = clock;
		if (idle < least)
			least = idle;
	}
	out.valid = true;
	out.elapsed = total;
	out.idle = least;
	out.load = 100 * (total - least) / total;
	return out;
}

/* Idle time of one CPU since the last call. */
static uint32_t idle_since(const struct dbs_setup *setup, struct dbs_cpu *cpu,
	struct dbs_cpu *nice_cpu, const struct dbs_counters *now)
{
	const struct dbs_rules *rules = setup->rules;
	uint64_t clock = idle_clock(setup, now);
	uint32_t iowait = (uint32_t)(now->iowait - cpu->prev_iowait);
	uint32_t idle;

	if (rules->never_backwards && clock < cpu->prev_idle)
		clock = cpu->prev_idle;
	idle = (uint32_t)(clock - cpu->prev_idle);
	if (rules->bad_idle == DBS_BAD_IDLE_ZERO && clock <= cpu->prev_idle)
		idle = 0;
	cpu->prev_idle = clock;
	cpu->prev_iowait = now->iowait;
	if (setup->ignore_nice) {
		uint64_t count = nice_count(setup, now);
		uint64_t nice = count - nice_cpu->prev_nice;

		nice_cpu->prev_nice = count;
		idle += rules->nice_ns ? (uint32_t)(nice / 1000)
				       : dbs_jiffies_to_us(nice, setup->hz);
	}
	if (rules->idle_has_iowait && setup->io_is_busy && idle >= iowait)
		idle -= iowait;
	return idle;
}

static bool is_long(enum dbs_reuse reuse, uint32_t elapsed, uint32_t idle, uint32_t threshold)
{
	switch (reuse) {
	case DBS_REUSE_NEVER:
		return false;
	case DBS_REUSE_LONG_WINDOW:
		return elapsed > threshold;
	case DBS_REUSE_LONG_IDLE:
		return idle > threshold;
	}
	return false;
}

/* A CPU that slept for long has work again: its last busy load says more than the idle average.
 * Once only, so that a load that went away is seen by the second sample. */
static struct dbs_load load_of_cpu(const struct dbs_rules *rules, struct dbs_cpu *cpu,
	uint32_t elapsed, uint32_t idle, uint32_t threshold)
{
	struct dbs_load out = { .elapsed = elapsed, .idle = idle };

	if (!elapsed) {
		out.load = cpu->prev_load;
		return out;
	}
	if (is_long(rules->reuse, elapsed, idle, threshold) && cpu->prev_load) {
		out.load = cpu->prev_load;
		out.reused = true;
		cpu->prev_load = 0;
		return out;
	}
	if (elapsed >= idle)
		out.load = 100 * (elapsed - idle) / elapsed;
	else
		out.load = rules->bad_idle == DBS_BAD_IDLE_SIGNED && idle > INT32_MAX ? 100 : 0;
	cpu->prev_load = out.load;
	return out;
}

/* The policy's load is the highest of its CPUs. */
static void take_highest(struct dbs_load *out, int cpu, struct dbs_load mine)
{
	if (mine.load < out->load || (mine.load == out->load && out->elapsed))
		return;
	out->load = mine.load;
	out->cpu = cpu;
	out->elapsed = mine.elapsed;
	out->idle = mine.idle;
	out->reused = mine.reused;
}

struct dbs_load dbs_load(
	const struct dbs_setup *setup, struct dbs_cpu *cpus, const struct dbs_counters *now, int nr)
{
	const struct dbs_rules *rules = setup->rules;
	struct dbs_load out = { .valid = true, .idle_periods = DBS_NO_IDLE_PERIODS };
	uint32_t period = setup->sampling_rate * setup->rate_mult;
	uint32_t threshold = 2 * period;

	if (rules->ticks)
		return load_of_ticks(setup, cpus, now, nr);
	for (int i = 0; i < nr; i++) {
		struct dbs_cpu *nice_cpu = rules->nice_of_policy ? &cpus[0] : &cpus[i];
		uint32_t elapsed = (uint32_t)(now[i].wall - cpus[i].prev_wall);
		uint32_t idle = idle_since(setup, &cpus[i], nice_cpu, &now[i]);
		bool skipped = rules->bad_idle == DBS_BAD_IDLE_SKIP_CPU &&
			(!elapsed || elapsed < idle);

		cpus[i].prev_wall = now[i].wall;
		if (skipped)
			continue;
		take_highest(&out, i, load_of_cpu(rules, &cpus[i], elapsed, idle, threshold));
		if (rules->reuse == DBS_REUSE_LONG_IDLE && idle > threshold && period &&
			idle / period < out.idle_periods)
			out.idle_periods = idle / period;
	}
	return out;
}

void dbs_clock_start(struct dbs_clock *clock, uint32_t sampling_rate)
{
	*clock = (struct dbs_clock){ .sample_delay_ns = (int64_t)sampling_rate * 1000 };
}

bool dbs_clock_hook(struct dbs_clock *clock, uint64_t time_ns, bool is_shared, bool may_update)
{
	uint64_t since_ns = time_ns - clock->last_sample_ns;

	if (!may_update || clock->work_in_progress)
		return false;
	/* A time stamp older than the last sample is a negative distance. */
	if (since_ns > INT64_MAX || (int64_t)since_ns < clock->sample_delay_ns)
		return false;
	if (is_shared) {
		if (clock->work_count)
			return false;
		clock->work_count = 1;
	}
	clock->last_sample_ns = time_ns;
	clock->work_in_progress = true;
	return true;
}

void dbs_clock_done(struct dbs_clock *clock, uint32_t delay)
{
	clock->sample_delay_ns = (int64_t)delay * 1000;
	clock->work_count = 0;
	clock->work_in_progress = false;
}

void dbs_clock_now(struct dbs_clock *clock)
{
	clock->sample_delay_ns = 0;
}

/* Up to 4.14: a thousand times the driver's latency, at least @min_factor times it and a base. */
static void default_rate_by_latency(struct dbs_defaults *out, const struct dbs_defaults_env *env,
	uint32_t latency_us, uint32_t min_factor)
{
	bool micro = env->governor == DBS_ONDEMAND && env->micro_accounting;
	uint32_t base = micro ? DBS_MICRO_BASE_US : 2 * dbs_jiffies_to_us(10, env->hz);

	out->min_sampling_rate = max_u32(base, latency_us * min_factor);
	out->sampling_rate = max_u32(out->min_sampling_rate, latency_us * 1000);
	out->max_sampling_rate = UINT32_MAX;
	out->rate_clamped = true;
}

static void default_rate(
	const struct dbs_rules *rules, const struct dbs_defaults_env *env, struct dbs_defaults *out)
{
	uint32_t latency_us = max_u32(env->transition_latency_ns / 1000, 1);
	uint32_t two_ticks_us;

	switch (rules->rate) {
	case DBS_RATE_2620:
		out->sampling_rate = max_u32(latency_us * 1000, 2 * dbs_jiffies_to_us(10, env->hz));
		out->min_sampling_rate = out->sampling_rate / 2;
		out->max_sampling_rate = out->sampling_rate * 500;
		return;
	case DBS_RATE_2639:
		default_rate_by_latency(out, env, latency_us, 100);
		return;
	case DBS_RATE_316:
		default_rate_by_latency(out, env, latency_us, 20);
		return;
	case DBS_RATE_415:
		two_ticks_us = (UINT32_C(1000000000) + env->hz / 2) / env->hz * 2 / 1000;
		out->min_sampling_rate = two_ticks_us;
		out->sampling_rate = max_u32(two_ticks_us,
			freq_transition_delay_us(env->transition_latency_ns,
				env->transition_delay_us, env->version));
		out->max_sampling_rate = UINT32_MAX;
		return;
	}
}

struct dbs_defaults dbs_defaults(const struct dbs_rules *rules, const struct dbs_defaults_env *env)
{
	struct dbs_defaults out = { .sampling_down_factor = 1 };
	bool micro = env->micro_accounting && !rules->ticks;

	default_rate(rules, env, &out);
	out.up_threshold = micro && env->governor == DBS_ONDEMAND ? 95 : 80;
	out.min_up_threshold = rules->rate == DBS_RATE_415 ? 1 : 11;
	out.down_differential = micro ? 3 : 10;
	return out;
}

int dbs_write_rate(const struct dbs_defaults *defaults, uint32_t value, uint32_t *sampling_rate)
{
	if (value > defaults->max_sampling_rate)
		return -1;
	if (value < defaults->min_sampling_rate) {
		if (!defaults->rate_clamped)
			return -1;
		value = defaults->min_sampling_rate;
	}
	*sampling_rate = value;
	return 0;
}

void dbs_clocks_from_ticks(const struct dbs_ticks *ticks, uint32_t hz, struct dbs_counters *out)
{
	uint64_t wall_ns = ticks_to(ticks->jiffies, 1000000000, hz);
	uint64_t busy_ns = ticks->user_ns + ticks->nice_ns + ticks->system_ns + ticks->softirq_ns +
		ticks->irq_ns + ticks->steal_ns;

	*out = (struct dbs_counters){
		.wall = wall_ns / 1000,
		.idle = (wall_ns - busy_ns) / 1000,
		.nice = ticks->nice_ns,
	};
}

struct dbs_request dbs_limits(const struct dbs_policy *policy, unsigned efficient)
{
	struct dbs_request out = { .wanted = false };

	if (policy->limits.max_khz < policy->cur_khz)
		out = (struct dbs_request){ true, policy->limits.max_khz, RELATION_H | efficient };
	else if (policy->limits.min_khz > policy->cur_khz)
		out = (struct dbs_request){ true, policy->limits.min_khz, RELATION_L | efficient };
	return out;
}
