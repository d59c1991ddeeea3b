#include "sim/validate/clocks.h"

#include "sim/base/units.h"
#include "sim/kernel/invariance.h"
#include "sim/validate/model.h"

#define AWAKE_NS NSEC_PER_USEC

void clocks_init(struct clocks *clocks, struct arena *arena, int nr_cpus, int64_t now_ns)
{
	clocks->counters = arena_array(arena, (size_t)nr_cpus, sizeof(*clocks->counters));
	clocks->since_ns = now_ns;
}

static int package_of(const struct machine_spec *machine, int cpu)
{
	size_t range = 0;

	while (cpu > machine->cpus[range].last)
		range++;
	return machine->cpus[range].package;
}

static bool same_clock(const struct model *model, int a, int b)
{
	const struct machine_spec *machine = &model->scenario->machine;

	switch (machine->clock_scope) {
	case CLOCK_CPU:
		return a == b;
	case CLOCK_POLICY:
		return model->policy_of_cpu[a] == model->policy_of_cpu[b];
	case CLOCK_PACKAGE:
		return package_of(machine, a) == package_of(machine, b);
	case CLOCK_GROUP:
		return a / machine->clock_group == b / machine->clock_group;
	}
	return false;
}

static int64_t clock_khz(const struct model *model, int cpu)
{
	bool all = model->scenario->machine.clock_vote == VOTE_ALL;
	int64_t khz = 0;

	for (int i = 0; i < model->loop.nr_cpus; i++)
		if (same_clock(model, cpu, i) && (all || i == cpu || model->loop.cpus[i].running))
			khz = max_i64(khz, model->policy_of_cpu[i]->cur_khz);
	return khz;
}

static void run(struct clock_counter *counter, int64_t ns, int64_t khz)
{
	counter->busy_ns += ns;
	counter->rest += ns * khz;
	counter->cycles += (uint64_t)(counter->rest / WORK_PER_CYCLE);
	counter->rest %= WORK_PER_CYCLE;
}

void clocks_pass(struct model *model, int64_t now_ns)
{
	struct clocks *clocks = &model->clocks;
	int64_t ns = now_ns - clocks->since_ns;

	if (ns <= 0)
		return;
	clocks->since_ns = now_ns;
	for (int i = 0; i < model->loop.nr_cpus; i++)
		if (model->loop.cpus[i].running)
			run(&clocks->counters[i], ns, clock_khz(model, i));
}

static uint64_t cycles_of(int64_t ns, int64_t khz)
{
	int64_t ms = ns / NSEC_PER_MSEC, rest = ns % NSEC_PER_MSEC;

	return (uint64_t)(ms * khz + rest * khz / NSEC_PER_MSEC);
}

struct perf_counters clocks_read(const struct model *model, int cpu, int64_t now_ns)
{
	const struct clock_counter *counter = &model->clocks.counters[cpu];
	int64_t base_khz = model->scenario->machine.reference_khz;

	return (struct perf_counters){
		.aperf = counter->cycles,
		.mperf = cycles_of(counter->busy_ns, base_khz),
		.tsc = cycles_of(now_ns, base_khz),
	};
}

void clocks_wake(struct model *model, int cpu)
{
	if (!model->loop.cpus[cpu].running)
		run(&model->clocks.counters[cpu], AWAKE_NS, clock_khz(model, cpu));
}

void clocks_tick(struct model *model, int cpu, int64_t now_ns)
{
	struct clock_counter *counter = &model->clocks.counters[cpu];
	const struct perf_counters now = clocks_read(model, cpu, now_ns);
	const struct driver_info *info = &model->policy_of_cpu[cpu]->info;
	int64_t ratio = CAPACITY_SCALE * info->clocks_khz[info->nr_clocks - 1] /
		model->scenario->machine.reference_khz;

	if (model->scenario->kernel.invariance != INVARIANCE_COUNTERS)
		return;
	x86_freq_scale(now.aperf - counter->ticked.aperf, now.mperf - counter->ticked.mperf,
		(uint64_t)ratio, &model->loop.cpus[cpu].pelt.scale.freq);
	counter->ticked = now;
}
