#include "sim/kernel/speed.h"

#include "sim/base/units.h"
#include "sim/hw/ceiling.h"
#include "sim/kernel/cppc.h"
#include "sim/kernel/invariance.h"
#include "sim/kernel/perf_counters.h"
#include "sim/kernel/rq.h"

static int64_t top_khz(const struct rq *rq)
{
	const struct domain *domain = rq->cpu->domain;

	return domain->clocks_khz[domain->nr_clocks - 1];
}

/* Follows scale_freq_tick() of 5.7 and later. */
static void learn_x86(struct rq *rq, struct perf_counters *then, const struct perf_counters *now)
{
	int64_t base = perf_counters_base_khz(rq->kernel);
	/* Client processors' highest ratio is that of four cores (core_set_max_freq_ratio()). */
	int64_t top = min_i64(top_khz(rq), ceiling_turbo_khz(rq->kernel->machine->spec, 4));

	x86_freq_scale(now->aperf - then->aperf, now->mperf - then->mperf,
		(uint64_t)(CAPACITY_SCALE * top / base), &rq->pelt.scale.freq);
	*then = *now;
}

/* Follows amu_scale_freq_tick(). The rate of the constant counter falls out of the result. */
static void learn_amu(struct rq *rq, struct perf_counters *then, const struct perf_counters *now)
{
	uint64_t base = (uint64_t)perf_counters_base_khz(rq->kernel), top = (uint64_t)top_khz(rq);

	amu_freq_scale((struct amu_counters){ then->aperf, then->mperf },
		(struct amu_counters){ now->aperf, now->mperf }, amu_max_scale(base, top),
		&rq->pelt.scale.freq);
	*then = *now;
}

/* Follows cppc_scale_freq_tick() and its worker, which here is done when the tick is. Performance
 * counts MHz, as cppc_cpufreq's does. */
static void learn_cppc(struct rq *rq, struct perf_counters *then, const struct perf_counters *now)
{
	const struct kernel *kernel = rq->kernel;
	uint64_t reference_perf = (uint64_t)perf_counters_base_khz(kernel) / 1000;
	struct cppc_counters prev = { then->mperf, then->aperf, reference_perf };
	const struct cppc_counters sample = { now->mperf, now->aperf, reference_perf };

	cppc_freq_scale(&prev, &sample, (uint64_t)top_khz(rq) / 1000,
		(uint64_t)kernel->policy_of_cpu[rq->cpu->id]->cur_khz / 1000,
		(unsigned)kernel->spec->version, &rq->pelt.scale.freq);
	/* 6.12 keeps the old sample where the new one says nothing. */
	then->mperf = prev.reference;
	then->aperf = prev.delivered;
}

typedef void learn_fn(struct rq *rq, struct perf_counters *then, const struct perf_counters *now);

void speed_learn(struct rq *rq)
{
	static learn_fn *const by_rule[] = {
		[INVARIANCE_NONE] = NULL,
		[INVARIANCE_CPUFREQ] = NULL,
		[INVARIANCE_COUNTERS] = learn_x86,
		[INVARIANCE_AMU] = learn_amu,
		[INVARIANCE_CPPC] = learn_cppc,
	};
	const struct kernel_spec *spec = rq->kernel->spec;
	learn_fn *learn = by_rule[spec->invariance];
	struct perf_counters now;

	hook_owe(rq, spec->tick_cost_ns);
	if (!learn)
		return;
	perf_counters_read(rq->kernel, rq->cpu->id, &now);
	learn(rq, &rq->counters, &now);
}
