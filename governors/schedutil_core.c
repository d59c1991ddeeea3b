#include "governors/schedutil_core.h"

#include "sim/base/units.h"
#include "sim/governor.h"

#define IOWAIT_BOOST_MIN (CAPACITY_SCALE / 8)
#define NO_KHZ UINT32_MAX
/* The patch ages a boost, and serves enqueued tasks, at most this often. */
#define CONSOLIDATED_SLICE_NS NSEC_PER_MSEC

/* The fixes of 2025 are in the stable releases that were alive then, not in those between. Where no
 * vectors exist, a row begins with the release that brought the change. */
static const struct sugov_rules all_rules[] = {
	{ KVER(6, 12, 0), SUGOV_5_10, SUGOV_RAW_REFERENCE, .perf = true, .largest_util = true,
		.cfs_boosted = true, .util_is_perf = true, .limits_once = true,
		.limits_free = true },
	{ KVER(6, 8, 0), SUGOV_5_10, SUGOV_RAW_REFERENCE, .perf = true, .largest_util = true,
		.cfs_boosted = true, .util_is_perf = true },
	{ KVER(6, 5, 0), SUGOV_5_10, SUGOV_RAW_UTIL_HEADROOM, .perf = true, .boost_clamped = true,
		.largest_util = true, .cfs_boosted = true },
	{ KVER(6, 2, 0), SUGOV_5_10, SUGOV_RAW_UTIL_HEADROOM, .perf = true, .boost_clamped = true },
	{ KVER(6, 1, 0), SUGOV_5_10, SUGOV_RAW_UTIL_HEADROOM, .perf = true, .boost_clamped = true,
		.limits_once = true, .limits_free = true },
	{ KVER(5, 18, 0), SUGOV_5_10, SUGOV_RAW_UTIL_HEADROOM, .perf = true,
		.boost_clamped = true },
	{ KVER(5, 14, 0), SUGOV_5_10, SUGOV_RAW_UTIL_HEADROOM, .perf = true },
	{ KVER(5, 11, 0), SUGOV_5_10, SUGOV_RAW_FREQ_HEADROOM, .perf = true },
	{ KVER(5, 10, 0), SUGOV_5_10, SUGOV_RAW_FREQ_HEADROOM, .limits_once = true },
	{ KVER(4, 17, 0), SUGOV_5_10, SUGOV_RAW_FREQ_HEADROOM, .perf = false },
	{ KVER(4, 9, 0), SUGOV_4_12, SUGOV_RAW_FREQ_HEADROOM, .perf = false },
	{ 0, SUGOV_4_8, SUGOV_RAW_FREQ_HEADROOM, .perf = false },
};

struct sugov_rules sugov_rules(unsigned version, unsigned patches)
{
	const struct sugov_rules *row = all_rules;
	struct sugov_rules rules;

	while (version < row->first_version)
		row++;
	rules = *row;
	rules.consolidated = patches & SUGOV_CONSOLIDATED;
	/* The patch was written before the first of the two fixes. */
	if (patches & (SUGOV_BASE | SUGOV_CONSOLIDATED))
		rules.limits_once = false;
	if (patches & SUGOV_BASE)
		rules.limits_free = false;
	return rules;
}

static int64_t elapsed_ns(uint64_t now_ns, uint64_t then_ns)
{
	return (int64_t)(now_ns - then_ns);
}

static bool later_than(uint64_t now_ns, uint64_t then_ns, uint64_t limit_ns)
{
	return elapsed_ns(now_ns, then_ns) > (int64_t)limit_ns;
}

void sugov_start(struct sugov_policy *sp, struct sugov_cpu *cpus)
{
	bool old = sp->rules.shape != SUGOV_5_10;

	sp->util_rules = util_rules(sp->version);
	sp->next_khz = old ? NO_KHZ : 0;
	sp->cached_raw_khz = 0;
	sp->last_freq_update_ns = 0;
	sp->need_update = !old && sp->needs_limits;
	sp->limits_changed = false;
	sp->work_in_progress = false;
	for (int i = 0; i < sp->nr_cpus; i++) {
		cpus[i] = (struct sugov_cpu){ .iowait_boost = 0 };
		if (sp->rules.shape == SUGOV_4_8)
			cpus[i].util = SUGOV_UTIL_MAX;
		else if (sp->rules.shape == SUGOV_4_12)
			cpus[i].flags = HOOK_RT;
	}
}

/* Follows sugov_should_update_freq(). */
static bool should_update(struct sugov_policy *sp, const struct sugov_call *call)
{
	int64_t since_ns = elapsed_ns(call->time_ns, sp->last_freq_update_ns);

	sp->reason = SUGOV_RATE_LIMIT;
	if (sp->rules.shape != SUGOV_5_10) {
		if (sp->work_in_progress) {
			sp->reason = SUGOV_IN_PROGRESS;
			return false;
		}
		if (sp->need_update) {
			sp->need_update = false;
			sp->next_khz = NO_KHZ;
			return true;
		}
		return since_ns >= (int64_t)sp->delay_ns;
	}
	if (sp->rules.consolidated && call->flags & HOOK_ENQUEUED &&
		since_ns < CONSOLIDATED_SLICE_NS)
		return false;
	if (sp->limits_changed) {
		sp->limits_changed = false;
		sp->need_update = true;
		return true;
	}
	if (sp->rules.consolidated && call->flags & HOOK_FORCE)
		return true;
	return since_ns >= (int64_t)sp->delay_ns;
}

/* The frequency that @util of @max is worth. The forms round differently. */
static uint32_t raw_khz(
	const struct sugov_policy *sp, const struct sugov_view *view, uint64_t util, uint64_t max)
{
	uint32_t khz = sp->invariant ? view->cpuinfo_max_khz : view->cur_khz;

	switch (sp->rules.raw) {
	case SUGOV_RAW_FREQ_HEADROOM:
		return (uint32_t)util_to_freq(util, util_with_headroom(khz), max);
	case SUGOV_RAW_UTIL_HEADROOM:
		return (uint32_t)util_to_freq(util_with_headroom(util), khz, max);
	case SUGOV_RAW_REFERENCE:
		break;
	}
	if (sp->ref_khz != 0)
		khz = sp->ref_khz;
	else if (!sp->invariant)
		khz += khz >> 2;
	return (uint32_t)util_to_freq(util, khz, max);
}

uint32_t sugov_next_khz(struct sugov_policy *sp, const struct sugov_view *view, uint64_t util,
	uint64_t max, uint32_t *cached_raw_khz)
{
	bool fresh = sp->rules.shape == SUGOV_5_10 ? !sp->need_update : sp->next_khz != NO_KHZ;
	uint32_t khz = raw_khz(sp, view, util, max);

	sp->reason = SUGOV_CACHE;
	if (khz == *cached_raw_khz && fresh)
		return sp->next_khz;
	sp->reason = SUGOV_UTIL;
	*cached_raw_khz = khz;
	return freq_resolve(view->table, khz, view->limits, sp->version).khz;
}

/* Follows sugov_iowait_reset(): a CPU that was away for more than a tick starts over. */
static bool iowait_reset(
	const struct sugov_policy *sp, struct sugov_cpu *cpu, uint64_t time_ns, bool set)
{
	if (!later_than(time_ns, cpu->last_update_ns, sp->tick_ns))
		return false;
	cpu->iowait_boost = set ? IOWAIT_BOOST_MIN : 0;
	cpu->iowait_pending = set;
	return true;
}

void sugov_iowait_boost(
	const struct sugov_policy *sp, struct sugov_cpu *cpu, uint64_t time_ns, unsigned flags)
{
	bool set = flags & HOOK_IOWAIT;
	bool keep = sp->rules.consolidated && flags & HOOK_FORCE;
	bool reset = !keep && cpu->iowait_boost != 0 && iowait_reset(sp, cpu, time_ns, set);

	cpu->last_update_ns = time_ns;
	if (reset || !set || cpu->iowait_pending)
		return;
	cpu->iowait_pending = true;
	if (cpu->iowait_boost == 0)
		cpu->iowait_boost = IOWAIT_BOOST_MIN;
	else if (cpu->iowait_boost >= CAPACITY_SCALE / 2)
		cpu->iowait_boost = CAPACITY_SCALE;
	else
		cpu->iowait_boost *= 2;
}

uint64_t sugov_iowait_apply(const struct sugov_policy *sp, struct sugov_cpu *cpu, uint64_t time_ns,
	uint64_t capacity, unsigned flags)
{
	bool keep = sp->rules.consolidated && flags & HOOK_FORCE;

	if (cpu->iowait_boost == 0 || (!keep && iowait_reset(sp, cpu, time_ns, false)))
		return 0;
	if (sp->rules.consolidated &&
		elapsed_ns(time_ns, cpu->last_update_ns) < CONSOLIDATED_SLICE_NS)
		keep = true;
	if (!cpu->iowait_pending && !keep) {
		cpu->iowait_boost /= 2;
		if (cpu->iowait_boost < IOWAIT_BOOST_MIN) {
			cpu->iowait_boost = 0;
			return 0;
		}
	}
	cpu->iowait_pending = false;
	return cpu->iowait_boost * capacity >> 10;
}

/* Follows sugov_cpu_is_busy(): no idle period has begun since the last look. */
static bool is_busy(const struct sugov_policy *sp, struct sugov_cpu *cpu, uint64_t idle_calls)
{
	bool busy = cpu->saved_idle_calls == idle_calls && !sp->no_hold;

	cpu->saved_idle_calls = idle_calls;
	return busy;
}

static struct sugov_action issue(struct sugov_policy *sp)
{
	struct sugov_action action = { .what = SUGOV_NOTHING };

	if (sp->fast_switch) {
		action.what = SUGOV_FAST_SWITCH;
		action.khz = sp->next_khz;
	} else if (!sp->work_in_progress) {
		sp->work_in_progress = true;
		action.what = SUGOV_QUEUE_WORK;
	}
	return action;
}

/* Whether a request for @khz is worth issuing. Follows sugov_update_next_freq(). */
static bool is_news(struct sugov_policy *sp, uint32_t khz)
{
	bool equal = sp->next_khz == khz;

	if (!sp->need_update)
		return !equal;
	if (!sp->rules.limits_once) {
		/* Such a driver is asked on every evaluation from then on. */
		sp->need_update = sp->needs_limits;
		return true;
	}
	sp->need_update = false;
	return !equal || sp->needs_limits;
}

static struct sugov_action commit(
	struct sugov_policy *sp, uint32_t khz, const struct sugov_call *call)
{
	const struct sugov_action nothing = { .what = SUGOV_NOTHING };
	bool forced = sp->rules.consolidated && call->flags & HOOK_FORCE;

	if (sp->rules.shape == SUGOV_4_8)
		sp->last_freq_update_ns = call->time_ns;
	if (sp->rules.shape == SUGOV_5_10 ? !is_news(sp, khz) : sp->next_khz == khz)
		return nothing;
	sp->next_khz = khz;
	if (!forced)
		sp->last_freq_update_ns = call->time_ns;
	return issue(sp);
}

/* What every callback does first; false when it ends there. Follows
 * sugov_update_single_common(). */
static bool begin_5_10(struct sugov_policy *sp, struct sugov_cpu *cpu, const struct util_input *in,
	const struct sugov_call *call)
{
	if (sp->rules.consolidated) {
		if (!should_update(sp, call))
			return false;
		sugov_iowait_boost(sp, cpu, call->time_ns, call->flags);
		return true;
	}
	sugov_iowait_boost(sp, cpu, call->time_ns, call->flags);
	/* A deadline reservation must not wait for the rate limit. */
	if (util_bw_dl(in) > cpu->bw_min)
		sp->limits_changed = true;
	return should_update(sp, call);
}

/* The CPU's utilisation with its boost. Follows sugov_get_util() and sugov_iowait_apply(). */
static void evaluate(const struct sugov_policy *sp, struct sugov_cpu *cpu,
	const struct util_input *in, const struct sugov_call *call, uint64_t caller_capacity)
{
	const struct util_rules *rules = sp->util_rules;
	uint64_t cfs = sp->rules.cfs_boosted ? util_cfs_boost(in) : util_cfs(rules, in);
	struct util_effective eff = util_effective(rules, in, cfs);
	uint64_t capacity = sp->rules.largest_util ? caller_capacity : in->capacity;
	uint64_t boost = sugov_iowait_apply(sp, cpu, call->time_ns, capacity, call->flags);

	if (sp->rules.util_is_perf) {
		cpu->bw_min = eff.min;
		cpu->util = util_to_perf(&eff, boost);
		cpu->boosted = boost > eff.util;
		return;
	}
	cpu->bw_min = util_bw_dl(in);
	if (boost != 0 && sp->rules.boost_clamped)
		boost = util_clamped(in, boost);
	cpu->util = eff.util > boost ? eff.util : boost;
	cpu->boosted = boost > eff.util;
}

/* A new frequency is the boost's when the boost was the utilisation. */
static void note_boost(struct sugov_policy *sp, bool boosted)
{
	if (sp->reason == SUGOV_UTIL && boosted)
		sp->reason = SUGOV_IO_BOOST;
}

/* Follows sugov_update_single_freq(). */
static struct sugov_action update_single(struct sugov_policy *sp, struct sugov_cpu *cpu,
	const struct sugov_view *view, const struct util_input *in, const struct sugov_call *call)
{
	uint32_t cached_raw_khz = sp->cached_raw_khz;
	uint32_t khz;

	evaluate(sp, cpu, in, call, in->capacity);
	khz = sugov_next_khz(sp, view, cpu->util, in->capacity, &sp->cached_raw_khz);
	note_boost(sp, cpu->boosted);
	/* A CPU that has not idled since is kept from slowing down: its utilisation may only just
	 * have decayed. The raw frequency is put back so that it is not mistaken for this one. */
	if (!util_is_capped(sp->util_rules, in) && is_busy(sp, cpu, in->idle_calls) &&
		khz < sp->next_khz && !(sp->rules.limits_free && sp->need_update)) {
		khz = sp->next_khz;
		sp->cached_raw_khz = cached_raw_khz;
		sp->reason = SUGOV_HOLD;
	}
	return commit(sp, khz, call);
}

/* Follows sugov_update_single_perf(). */
static struct sugov_action update_perf(struct sugov_policy *sp, struct sugov_cpu *cpu,
	const struct util_input *in, const struct sugov_call *call)
{
	uint64_t prev_util = cpu->util;
	struct sugov_action action = {
		.what = SUGOV_ADJUST_PERF,
		.perf_capacity = in->capacity,
	};

	evaluate(sp, cpu, in, call, in->capacity);
	sp->reason = SUGOV_UTIL;
	note_boost(sp, cpu->boosted);
	if (!util_is_capped(sp->util_rules, in) && is_busy(sp, cpu, in->idle_calls) &&
		cpu->util < prev_util) {
		cpu->util = prev_util;
		sp->reason = SUGOV_HOLD;
	}
	action.perf_min = cpu->bw_min;
	action.perf_target = cpu->util;
	if (!sp->rules.util_is_perf) {
		action.perf_min = util_with_headroom(action.perf_min);
		action.perf_target = util_with_headroom(action.perf_target);
	}
	if (!(sp->rules.consolidated && call->flags & HOOK_FORCE))
		sp->last_freq_update_ns = call->time_ns;
	return action;
}

/* Follows sugov_next_freq_shared(). */
static uint32_t shared_khz(struct sugov_policy *sp, struct sugov_cpu *cpus,
	const struct sugov_view *view, const struct sugov_source *source,
	const struct sugov_call *call, uint64_t caller_capacity)
{
	bool largest = sp->rules.largest_util;
	uint64_t util = 0, max = largest ? caller_capacity : 1;
	bool boosted = false;
	uint32_t khz;

	for (int i = 0; i < sp->nr_cpus; i++) {
		struct util_input in;

		source->read(source->ctx, i, &in);
		evaluate(sp, &cpus[i], &in, call, caller_capacity);
		if (largest ? cpus[i].util <= util : cpus[i].util * max <= in.capacity * util)
			continue;
		util = cpus[i].util;
		boosted = cpus[i].boosted;
		if (!largest)
			max = in.capacity;
	}
	khz = sugov_next_khz(sp, view, util, max, &sp->cached_raw_khz);
	note_boost(sp, boosted);
	return khz;
}

static struct sugov_action update_5_10(struct sugov_policy *sp, struct sugov_cpu *cpus,
	const struct sugov_view *view, const struct sugov_source *source,
	const struct sugov_call *call)
{
	const struct sugov_action nothing = { .what = SUGOV_NOTHING };
	struct sugov_cpu *cpu = &cpus[call->cpu];
	struct util_input in;

	source->read(source->ctx, call->cpu, &in);
	if (!begin_5_10(sp, cpu, &in, call))
		return nothing;
	if (sp->shared)
		return commit(sp, shared_khz(sp, cpus, view, source, call, in.capacity), call);
	if (sp->rules.perf && sp->fast_switch && sp->adjust_perf && sp->invariant)
		return update_perf(sp, cpu, &in, call);
	return update_single(sp, cpu, view, &in, call);
}

/* The boost of 4.12: straight to the top, and halved by each evaluation that sees it. Follows
 * sugov_set_iowait_boost() and sugov_iowait_boost(). */
static void set_boost_4_12(const struct sugov_policy *sp, struct sugov_cpu *cpu,
	const struct sugov_view *view, const struct sugov_call *call)
{
	if (call->flags & HOOK_IOWAIT)
		cpu->iowait_boost = view->cpuinfo_max_khz;
	else if (later_than(call->time_ns, cpu->last_update_ns, sp->tick_ns))
		cpu->iowait_boost = 0;
	cpu->last_update_ns = call->time_ns;
}

static bool apply_boost_4_12(
	struct sugov_cpu *cpu, const struct sugov_view *view, uint64_t *util, uint64_t *max)
{
	bool boosted = *util * view->cpuinfo_max_khz < *max * cpu->iowait_boost;

	if (cpu->iowait_boost == 0)
		return false;
	if (boosted) {
		*util = cpu->iowait_boost;
		*max = view->cpuinfo_max_khz;
	}
	cpu->iowait_boost >>= 1;
	return boosted;
}

static uint32_t single_khz_4_12(struct sugov_policy *sp, struct sugov_cpu *cpu,
	const struct sugov_view *view, const struct util_input *in, const struct sugov_call *call)
{
	uint64_t util = util_cfs(sp->util_rules, in), max = in->capacity;
	bool busy = is_busy(sp, cpu, in->idle_calls);
	bool boosted;
	uint32_t khz;

	sp->reason = SUGOV_RT_MAX;
	if (call->flags & (HOOK_RT | HOOK_DL))
		return view->cpuinfo_max_khz;
	boosted = apply_boost_4_12(cpu, view, &util, &max);
	khz = sugov_next_khz(sp, view, util, max, &sp->cached_raw_khz);
	note_boost(sp, boosted);
	/* The raw frequency stays cached: an equal one later gets what is held here. */
	if (!busy || khz >= sp->next_khz)
		return khz;
	sp->reason = SUGOV_HOLD;
	return sp->next_khz;
}

static uint32_t shared_khz_4_12(struct sugov_policy *sp, struct sugov_cpu *cpus,
	const struct sugov_view *view, const struct sugov_call *call)
{
	uint64_t util = 0, max = 1;
	bool boosted = false;
	uint32_t khz;

	sp->reason = SUGOV_RT_MAX;
	if (call->flags & (HOOK_RT | HOOK_DL))
		return view->cpuinfo_max_khz;
	for (int i = 0; i < sp->nr_cpus; i++) {
		struct sugov_cpu *cpu = &cpus[i];

		if (later_than(call->time_ns, cpu->last_update_ns, sp->tick_ns)) {
			cpu->iowait_boost = 0;
			continue;
		}
		if (cpu->flags & (HOOK_RT | HOOK_DL))
			return view->cpuinfo_max_khz;
		if (cpu->util * max > cpu->max * util) {
			util = cpu->util;
			max = cpu->max;
			boosted = false;
		}
		boosted |= apply_boost_4_12(cpu, view, &util, &max);
	}
	khz = sugov_next_khz(sp, view, util, max, &sp->cached_raw_khz);
	note_boost(sp, boosted);
	return khz;
}

static struct sugov_action update_4_12(struct sugov_policy *sp, struct sugov_cpu *cpus,
	const struct sugov_view *view, const struct sugov_source *source,
	const struct sugov_call *call)
{
	const struct sugov_action nothing = { .what = SUGOV_NOTHING };
	struct sugov_cpu *cpu = &cpus[call->cpu];
	struct util_input in;

	source->read(source->ctx, call->cpu, &in);
	if (sp->shared) {
		cpu->util = util_cfs(sp->util_rules, &in);
		cpu->max = in.capacity;
		cpu->flags = call->flags;
	}
	set_boost_4_12(sp, cpu, view, call);
	if (!should_update(sp, call))
		return nothing;
	if (sp->shared)
		return commit(sp, shared_khz_4_12(sp, cpus, view, call), call);
	return commit(sp, single_khz_4_12(sp, cpu, view, &in, call), call);
}

static uint32_t khz_4_8(struct sugov_policy *sp, struct sugov_cpu *cpus,
	const struct sugov_view *view, const struct sugov_call *call)
{
	uint64_t util = call->util, max = call->max;

	sp->reason = SUGOV_RT_MAX;
	if (util == SUGOV_UTIL_MAX)
		return view->cpuinfo_max_khz;
	for (int i = 0; i < sp->nr_cpus; i++) {
		const struct sugov_cpu *cpu = &cpus[i];

		/* Old values are told by the last frequency update, not by now. */
		if (i == call->cpu ||
			later_than(sp->last_freq_update_ns, cpu->last_update_ns, sp->tick_ns))
			continue;
		if (cpu->util == SUGOV_UTIL_MAX)
			return view->cpuinfo_max_khz;
		if (cpu->util * max > cpu->max * util) {
			util = cpu->util;
			max = cpu->max;
		}
	}
	return sugov_next_khz(sp, view, util, max, &cpus[call->cpu].cached_raw_khz);
}

static struct sugov_action update_4_8(struct sugov_policy *sp, struct sugov_cpu *cpus,
	const struct sugov_view *view, const struct sugov_call *call)
{
	const struct sugov_action nothing = { .what = SUGOV_NOTHING };
	struct sugov_cpu *cpu = &cpus[call->cpu];

	cpu->util = call->util;
	cpu->max = call->max;
	cpu->last_update_ns = call->time_ns;
	if (!should_update(sp, call))
		return nothing;
	return commit(sp, khz_4_8(sp, cpus, view, call), call);
}

struct sugov_action sugov_update(struct sugov_policy *sp, struct sugov_cpu *cpus,
	const struct sugov_view *view, const struct sugov_source *source,
	const struct sugov_call *call)
{
	switch (sp->rules.shape) {
	case SUGOV_4_8:
		return update_4_8(sp, cpus, view, call);
	case SUGOV_4_12:
		return update_4_12(sp, cpus, view, source, call);
	case SUGOV_5_10:
		break;
	}
	return update_5_10(sp, cpus, view, source, call);
}

bool sugov_limits(
	struct sugov_policy *sp, const struct sugov_view *view, uint32_t *khz, unsigned *relation)
{
	unsigned efficient = sp->version >= KVER(5, 16, 0) ? RELATION_E : 0;

	if (sp->rules.shape == SUGOV_5_10)
		sp->limits_changed = true;
	else
		sp->need_update = true;
	if (sp->fast_switch)
		return false;
	/* Follows cpufreq_policy_apply_limits(). */
	if (view->limits.max_khz < view->cur_khz) {
		*khz = view->limits.max_khz;
		*relation = RELATION_H | efficient;
		return true;
	}
	*khz = view->limits.min_khz;
	*relation = RELATION_L | efficient;
	return view->limits.min_khz > view->cur_khz;
}

uint32_t sugov_work(struct sugov_policy *sp)
{
	/* Later versions let a new request queue while the driver still works. */
	if (sp->rules.shape == SUGOV_5_10)
		sp->work_in_progress = false;
	return sp->next_khz;
}

void sugov_work_done(struct sugov_policy *sp)
{
	if (sp->rules.shape != SUGOV_5_10)
		sp->work_in_progress = false;
}

enum decision_rule sugov_rule(enum sugov_reason reason)
{
	static const enum decision_rule rules[] = {
		[SUGOV_RATE_LIMIT] = DECISION_RATE_LIMIT,
		[SUGOV_IN_PROGRESS] = DECISION_IN_PROGRESS,
		[SUGOV_UTIL] = DECISION_UTIL,
		[SUGOV_IO_BOOST] = DECISION_IO_BOOST,
		[SUGOV_RT_MAX] = DECISION_RT_MAX,
		[SUGOV_HOLD] = DECISION_HOLD,
		[SUGOV_CACHE] = DECISION_CACHE,
	};

	return rules[reason];
}
