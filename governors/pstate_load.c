#include "governors/pstate_load.h"

#include "governors/pstate_fixed.h"

#define BOOST_MIN_FP (FP_ONE / 8)

/* Until 5.0 a task woken by I/O asks for everything, and at once; each evaluation halves what is
 * left of that. */
static uint32_t next_boost_at_once(uint32_t boost, bool iowait, bool stale)
{
	if (iowait)
		return FP_ONE;
	return stale ? 0 : boost;
}

/* Later it grows and decays with every call of the hook, not with every sample. */
static uint32_t next_boost(uint32_t boost, bool iowait, bool stale)
{
	if (!iowait)
		return stale ? 0 : boost >> 1;
	if (stale || boost < BOOST_MIN_FP)
		return BOOST_MIN_FP;
	return boost < FP_ONE / 2 ? boost << 1 : FP_ONE;
}

static int32_t busy_share(const struct pstate_load_params *params, struct pstate_load_cpu *cpu)
{
	const struct perf_counters *delta = &cpu->sample.delta;
	int32_t busy = fp_div(
		(int64_t)(delta->mperf << params->aperf_mperf_shift), (int64_t)delta->tsc);

	/* Compared unsigned: a share that wrapped negative beats any boost. */
	cpu->boosted = (uint32_t)busy < cpu->iowait_boost_fp;
	return cpu->boosted ? (int32_t)cpu->iowait_boost_fp : busy;
}

/* Asks for a quarter more than the share that was used, and goes only half of the way down from
 * the level the CPU had on average. */
static int32_t target_of(const struct pstate_load_params *params, struct pstate_load_cpu *cpu)
{
	const struct pstate_levels *levels = &params->levels;
	bool no_turbo = pstate_turbo_is_off(params->rules, levels, params->turbo);
	int32_t base = no_turbo ? levels->max : levels->turbo;
	int32_t busy = busy_share(params, cpu);
	int32_t target;

	cpu->busy_scaled_fp = (int32_t)((uint32_t)busy * 100);
	cpu->average = (int32_t)(uint32_t)ext_mul(
		(uint64_t)levels->max_physical, (uint64_t)(int64_t)cpu->sample.perf);
	target = max_s32(fp_mul(base + (base >> 2), busy), levels->min);
	if (cpu->average > target)
		target += (cpu->average - target) >> 1;
	return target;
}

bool pstate_load_note(const struct pstate_load_params *params, struct pstate_load_cpu *cpu,
	uint64_t now_ns, bool iowait)
{
	bool at_once = params->rules->boost_at_once;
	bool stale = now_ns - cpu->last_update_ns > params->tick_ns;

	cpu->iowait_boost_fp = at_once ? next_boost_at_once(cpu->iowait_boost_fp, iowait, stale)
				       : next_boost(cpu->iowait_boost_fp, iowait, stale);
	cpu->last_update_ns = now_ns;
	/* A CPU that was busy all the time has the highest level already. */
	if (at_once && iowait)
		return fp_floor(cpu->busy_scaled_fp) != 100;
	return pstate_sample_due(&cpu->sample, now_ns, PSTATE_LOAD_PERIOD_NS);
}

struct pstate_load_outcome pstate_load_evaluate(const struct pstate_load_params *params,
	struct pstate_load_cpu *cpu, const struct perf_counters *counters, uint64_t now_ns)
{
	struct pstate_load_outcome outcome = { .taken = SAMPLE_NONE };
	int32_t next;

	outcome.taken = pstate_sample_take(&cpu->sample, counters, now_ns, PERF_RATIO, true);
	if (outcome.taken != SAMPLE_TAKEN)
		return outcome;
	outcome.raw = target_of(params, cpu);
	if (params->rules->boost_at_once)
		cpu->iowait_boost_fp >>= 1;
	next = pstate_clamp(&params->levels, params->ratios, outcome.raw);
	outcome.write.written = next != cpu->pstate;
	if (outcome.write.written)
		outcome.write.value = pstate_ctl_value(
			params->rules, &params->levels, params->turbo, next);
	cpu->pstate = next;
	return outcome;
}

struct pstate_load_outcome pstate_load_step(const struct pstate_load_params *params,
	struct pstate_load_cpu *cpu, const struct perf_counters *counters, uint64_t now_ns,
	bool iowait)
{
	if (!pstate_load_note(params, cpu, now_ns, iowait))
		return (struct pstate_load_outcome){ .taken = SAMPLE_NONE };
	return pstate_load_evaluate(params, cpu, counters, now_ns);
}
