#include "governors/pstate_sample.h"

#include "governors/pstate_fixed.h"

bool pstate_sample_due(const struct pstate_sample *sample, uint64_t now_ns, int64_t period_ns)
{
	return (int64_t)(now_ns - sample->time_ns) >= period_ns;
}

static int32_t perf_of(const struct perf_counters *delta, enum pstate_perf format)
{
	switch (format) {
	case PERF_PERCENT:
		return (int32_t)(uint32_t)((delta->aperf << 8) * (UINT64_C(100) << 8) /
			(delta->mperf << 8));
	case PERF_RATIO:
		break;
	}
	return (int32_t)(uint32_t)ext_div(delta->aperf, delta->mperf);
}

enum pstate_taken pstate_sample_take(struct pstate_sample *sample,
	const struct perf_counters *counters, uint64_t now_ns, enum pstate_perf format, bool prime)
{
	/* Without mperf there is no ratio, without tsc no time: the old sample stays. */
	if (counters->mperf == sample->prev.mperf || counters->tsc == sample->prev.tsc)
		return SAMPLE_NONE;
	sample->delta = (struct perf_counters){
		.aperf = counters->aperf - sample->prev.aperf,
		.mperf = counters->mperf - sample->prev.mperf,
		.tsc = counters->tsc - sample->prev.tsc,
	};
	sample->prev = *counters;
	sample->last_time_ns = sample->time_ns;
	sample->time_ns = now_ns;
	if (prime && sample->last_time_ns == 0)
		return SAMPLE_PRIMED;
	sample->perf = perf_of(&sample->delta, format);
	return SAMPLE_TAKEN;
}
