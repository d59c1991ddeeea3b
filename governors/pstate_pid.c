#include "governors/pstate_pid.h"

#include "governors/pstate_fixed.h"
#include "sim/base/units.h"
#include "sim/kernel/version.h"

#define INTEGRAL_LIMIT_FP (30 * FP_ONE)

static const struct pstate_pid_rules rows[] = {
	{ .since = KVER(4, 7, 0),
		.idle_rule = true,
		.own_limits = true,
		.limits_raised = true,
		.perf = PERF_RATIO },
	{ .since = KVER(4, 6, 0), .idle_rule = true, .own_limits = true, .perf = PERF_PERCENT },
	{ .since = 0, .by_timer = true, .clock_us = true, .perf = PERF_PERCENT },
};

const struct pstate_pid_rules *pstate_pid_rules(unsigned version)
{
	const struct pstate_pid_rules *row = rows;

	while (version < row->since)
		row++;
	return row;
}

static int32_t fp_of_pct(int32_t pct)
{
	return fp_div(fp_of(pct), fp_of(100));
}

void pstate_pid_reset(struct pstate_pid *pid, const struct pstate_pid_params *params)
{
	*pid = (struct pstate_pid){
		.setpoint_fp = s32_of(fp_of(params->setpoint_pct)),
		.deadband_fp = s32_of(fp_of(params->deadband_pct)),
		.p_gain_fp = fp_of_pct(params->p_gain_pct),
		.i_gain_fp = fp_of_pct(params->i_gain_pct),
		.d_gain_fp = fp_of_pct(params->d_gain_pct),
	};
	/* It starts as if the CPU had been busy all the time. */
	pid->last_err_fp = s32_sub(pid->setpoint_fp, 100 * FP_ONE);
}

int32_t pstate_pid_calc(struct pstate_pid *pid, int32_t busy_fp)
{
	int32_t err = s32_sub(pid->setpoint_fp, busy_fp);
	int32_t magnitude = err < 0 ? s32_sub(0, err) : err;
	int32_t sum;

	if (magnitude <= pid->deadband_fp)
		return 0;
	/* The integral grows with an i_gain of 0 as well. */
	pid->integral_fp = clamp_s32(
		s32_add(pid->integral_fp, err), -INTEGRAL_LIMIT_FP, INTEGRAL_LIMIT_FP);
	sum = fp_mul(pid->p_gain_fp, err);
	sum = s32_add(sum, fp_mul(pid->integral_fp, pid->i_gain_fp));
	sum = s32_add(sum, fp_mul(pid->d_gain_fp, s32_sub(err, pid->last_err_fp)));
	pid->last_err_fp = err;
	return fp_floor(s32_add(sum, FP_ONE / 2));
}

/* How busy the CPU was against the level it had been given, before the hold-off. */
static int32_t core_busy(const struct pstate_pid_rules *rules, const struct pstate_levels *levels,
	const struct pstate_pid_cpu *cpu)
{
	int64_t physical = levels->max_physical;
	int32_t ratio;

	switch (rules->perf) {
	case PERF_PERCENT:
		return fp_mul(cpu->sample.perf, fp_div(fp_of(physical), fp_of(cpu->pstate)));
	case PERF_RATIO:
		break;
	}
	ratio = fp_div(100 * physical, cpu->pstate);
	return (int32_t)(uint32_t)ext_mul(
		(uint64_t)(int64_t)cpu->sample.perf, (uint64_t)(int64_t)ratio);
}

/*
 * A CPU that slept through several periods has one long sample, in which its busy time, at the
 * clock it then had, says little of what it needs. Returns whether the sample was that long, and
 * the share of a period in it.
 */
static bool slept_long(const struct pstate_pid_rules *rules, const struct pstate_pid_params *params,
	const struct pstate_sample *sample, int32_t *share_fp)
{
	int64_t elapsed = (int64_t)(sample->time_ns - sample->last_time_ns);
	int64_t period, limit;

	if (rules->clock_us) {
		uint32_t period_us = params->sample_rate_ms * 1000;

		elapsed /= NSEC_PER_USEC;
		period = fp_of(period_us);
		limit = period_us * params->holdoff_mult;
		*share_fp = elapsed > limit ? fp_div(period, fp_of(elapsed)) : 0;
	} else {
		period = (int64_t)params->sample_rate_ms * NSEC_PER_MSEC;
		limit = period * (int64_t)params->holdoff_mult;
		*share_fp = elapsed > limit ? fp_div(period, elapsed) : 0;
	}
	return elapsed > limit;
}

static int32_t core_busy_scaled(const struct pstate_pid_rules *rules,
	const struct pstate_pid_params *params, const struct pstate_levels *levels,
	struct pstate_pid_cpu *cpu)
{
	const struct perf_counters *delta = &cpu->sample.delta;
	int32_t busy = core_busy(rules, levels, cpu);
	int32_t share;

	if (slept_long(rules, params, &cpu->sample, &share)) {
		cpu->reason = PSTATE_PID_HOLDOFF;
		return params->holdoff == HOLDOFF_ZERO ? 0 : fp_mul(busy, share);
	}
	if (rules->idle_rule &&
		fp_div((int64_t)(100 * delta->mperf), (int64_t)delta->tsc) < FP_ONE) {
		cpu->reason = PSTATE_PID_IDLE;
		return 0;
	}
	return busy;
}

/* Time spent waiting for I/O counts as busy at the maximum; the sum may pass 100 %. */
static int32_t atom_busy(
	const struct pstate_levels *levels, struct pstate_pid_cpu *cpu, uint64_t iowait_us)
{
	uint64_t credit = iowait_us - cpu->iowait_us;
	uint64_t mperf;

	credit = credit * (uint64_t)levels->scaling_khz * (uint64_t)levels->max;
	mperf = cpu->sample.delta.mperf + credit / 1000;
	cpu->iowait_us = iowait_us;
	assert(cpu->sample.delta.tsc > 0);
	return (int32_t)(uint32_t)((UINT64_C(100) << 8) * mperf / cpu->sample.delta.tsc);
}

int32_t pstate_pid_busy(const struct pstate_pid_rules *rules,
	const struct pstate_pid_params *params, const struct pstate_levels *levels,
	struct pstate_pid_cpu *cpu, uint64_t iowait_us)
{
	cpu->reason = PSTATE_PID_BUSY;
	switch (params->algorithm) {
	case PSTATE_CORE:
		return core_busy_scaled(rules, params, levels, cpu);
	case PSTATE_ATOM:
		break;
	}
	return atom_busy(levels, cpu, iowait_us);
}

int32_t pstate_pid_core_pct(
	const struct pstate_pid_rules *rules, const struct pstate_sample *sample)
{
	switch (rules->perf) {
	case PERF_PERCENT:
		return fp_floor(sample->perf);
	case PERF_RATIO:
		break;
	}
	return (int32_t)(uint32_t)ext_mul(100, (uint64_t)(int64_t)sample->perf);
}

/* 4.8 goes down from the level the CPU really had on average, on Atom only. */
static int32_t level_before(const struct pstate_pid_rules *rules,
	const struct pstate_pid_params *params, const struct pstate_levels *levels,
	const struct pstate_pid_cpu *cpu)
{
	if (params->algorithm == PSTATE_CORE || rules->perf == PERF_PERCENT)
		return cpu->pstate;
	return (int32_t)(uint32_t)ext_mul(
		(uint64_t)levels->max_physical, (uint64_t)(int64_t)cpu->sample.perf);
}

struct pstate_pid_outcome pstate_pid_step(const struct pstate_pid_rules *rules,
	const struct pstate_pid_params *params, const struct pstate_levels *levels,
	struct pstate_ratios range, struct pstate_pid_cpu *cpu,
	const struct perf_counters *counters, uint64_t iowait_us, uint64_t now_ns)
{
	int64_t period_ns = (int64_t)params->sample_rate_ms * NSEC_PER_MSEC;
	struct pstate_pid_outcome outcome = { .taken = SAMPLE_NONE };
	int32_t next;

	if (!rules->by_timer && !pstate_sample_due(&cpu->sample, now_ns, period_ns))
		return outcome;
	outcome.taken = pstate_sample_take(
		&cpu->sample, counters, now_ns, rules->perf, !rules->by_timer);
	if (!rules->by_timer && outcome.taken != SAMPLE_TAKEN)
		return outcome;
	outcome.ran = true;
	cpu->busy_scaled_fp = pstate_pid_busy(rules, params, levels, cpu, iowait_us);
	outcome.raw = s32_sub(level_before(rules, params, levels, cpu),
		pstate_pid_calc(&cpu->pid, cpu->busy_scaled_fp));
	next = clamp_s32(outcome.raw, range.min, range.max);
	outcome.written = next != cpu->pstate;
	cpu->pstate = next;
	return outcome;
}

/* No turbo, or none there. */
static int32_t top_level(const struct pstate_levels *levels, struct pstate_turbo turbo)
{
	return turbo.user_off || turbo.firmware_off ? levels->max : levels->turbo;
}

struct pstate_ratios pstate_pid_range(const struct pstate_levels *levels, struct pstate_turbo turbo,
	int32_t min_perf_fp, int32_t max_perf_fp)
{
	int32_t top = top_level(levels, turbo);

	return (struct pstate_ratios){
		.min = clamp_s32(fp_mul(top, min_perf_fp), levels->min, top),
		.max = clamp_s32(fp_mul(top, max_perf_fp), levels->min, levels->turbo),
	};
}

/* Does the policy's maximum lie where a processor with a lowered TDP has only the top? */
static bool is_turbo_khz(const struct pstate_levels *levels, uint32_t khz, uint32_t top_khz)
{
	return levels->max_physical > levels->max && khz < top_khz &&
		khz > (uint32_t)levels->max * (uint32_t)levels->scaling_khz;
}

struct pstate_pid_limits pstate_pid_limits(const struct pstate_pid_rules *rules,
	const struct pstate_levels *levels, bool performance, uint32_t policy_min_khz,
	uint32_t policy_max_khz, uint32_t cpuinfo_max_khz, struct pstate_ratios sysfs_pct)
{
	struct pstate_pid_limits limits = { .performance = performance };
	int32_t lo, hi;

	if (rules->limits_raised && is_turbo_khz(levels, policy_max_khz, cpuinfo_max_khz))
		policy_max_khz = cpuinfo_max_khz;
	if (performance && policy_max_khz >= cpuinfo_max_khz) {
		limits.min_perf_pct = limits.max_perf_pct = 100;
		limits.min_perf_fp = limits.max_perf_fp = FP_ONE;
		return limits;
	}
	limits.performance = performance && rules->own_limits;
	lo = clamp_s32((int32_t)(policy_min_khz * 100 / cpuinfo_max_khz), 0, 100);
	hi = (int32_t)((policy_max_khz * 100 + cpuinfo_max_khz - 1) / cpuinfo_max_khz);
	hi = clamp_s32(hi, 0, 100);
	limits.max_perf_pct = max_s32(lo, min_s32(hi, sysfs_pct.max));
	limits.min_perf_pct = min_s32(hi, max_s32(lo, sysfs_pct.min));
	limits.min_perf_pct = min_s32(limits.min_perf_pct, limits.max_perf_pct);
	limits.min_perf_fp = fp_of_pct(limits.min_perf_pct);
	limits.max_perf_fp = fp_of_pct(limits.max_perf_pct);
	if (rules->limits_raised)
		limits.max_perf_fp = ((limits.max_perf_fp - 1) | 7) + 1;
	return limits;
}
