#include "sim/kernel/perf_counters.h"

#include "sim/base/units.h"
#include "sim/kernel/kernel.h"

/* The milliseconds apart, so that the product does not overflow in a run of any length. */
static uint64_t cycles_of(int64_t ns, int64_t khz)
{
	uint64_t whole = (uint64_t)(ns / NSEC_PER_MSEC) * (uint64_t)khz;
	uint64_t rest = (uint64_t)(ns % NSEC_PER_MSEC) * (uint64_t)khz;

	return whole + rest / (uint64_t)NSEC_PER_MSEC;
}

int64_t perf_counters_base_khz(const struct kernel *kernel)
{
	return kernel->machine->spec->reference_khz;
}

void perf_counters_read(struct kernel *kernel, int cpu, struct perf_counters *out)
{
	struct cpu *hw = &kernel->machine->cpus[cpu];
	const struct domain *domain = hw->domain;
	int64_t base_khz = perf_counters_base_khz(kernel);
	int64_t busy_ns = 0;

	cpu_account(hw);
	out->aperf = 0;
	for (int i = 0; i < domain->nr_clocks; i++) {
		if (hw->busy_ns[i] == 0)
			continue;
		busy_ns += hw->busy_ns[i];
		out->aperf += cycles_of(hw->busy_ns[i], domain->clocks_khz[i]);
	}
	out->mperf = cycles_of(busy_ns, base_khz);
	out->tsc = cycles_of(kernel->engine->now_ns, base_khz);
}
