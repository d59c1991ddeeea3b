#include "sim/validate/clocks.h"

#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/invariance.h"
#include "sim/validate/model.h"

#define AWAKE_NS NSEC_PER_USEC

static int package_of(const struct machine_spec *machine, int cpu)
{
	size_t range = 0;

	while (cpu > machine->cpus[range].last)
		range++;
	return machine->cpus[range].package;
}

static int domain_of(const struct model *model, int cpu)
{
	const struct machine_spec *machine = &model->scenario->machine;

	switch (machine->clock_scope) {
	case CLOCK_CPU:
		return cpu;
	case CLOCK_POLICY:
		return model->policy_of_cpu[cpu]->index;
	case CLOCK_PACKAGE:
		return package_of(machine, cpu);
	case CLOCK_GROUP:
		break;
	}
	return (int)(cpu / machine->clock_group);
}

void clocks_init(struct model *model)
{
	struct clocks *clocks = &model->clocks;
	size_t nr = (size_t)model->loop.nr_cpus;

	clocks->counters = arena_array(model->arena, nr, sizeof(*clocks->counters));
	clocks->domain_of = arena_array(model->arena, nr, sizeof(*clocks->domain_of));
	clocks->khz = arena_array(model->arena, nr, sizeof(*clocks->khz));
	clocks->since_ns = model->loop.now_ns;
	for (int i = 0; i < model->loop.nr_cpus; i++)
		clocks->domain_of[i] = domain_of(model, i);
}

/* The clock each domain runs at: the highest request of those that count. */
static void look(struct model *model)
{
	bool all = model->scenario->machine.clock_vote == VOTE_ALL;
	struct clocks *clocks = &model->clocks;

	memset(clocks->khz, 0, (size_t)model->loop.nr_cpus * sizeof(*clocks->khz));
	for (int i = 0; i < model->loop.nr_cpus; i++) {
		int64_t *khz = &clocks->khz[clocks->domain_of[i]];

		if (all || model->loop.cpus[i].running)
			*khz = max_i64(*khz, model->policy_of_cpu[i]->cur_khz);
	}
}

static void run(struct clock_counter *counter, int64_t ns, int64_t khz)
{
	counter->busy_ns += ns;
	counter->rest += ns % NSEC_PER_MSEC * khz;
	counter->cycles += (uint64_t)(ns / NSEC_PER_MSEC) * (uint64_t)khz +
		(uint64_t)(counter->rest / WORK_PER_CYCLE);
	counter->rest %= WORK_PER_CYCLE;
}

void clocks_pass(struct model *model, int64_t now_ns)
{
	struct clocks *clocks = &model->clocks;
	int64_t ns = now_ns - clocks->since_ns;

	if (ns <= 0)
		return;
	clocks->since_ns = now_ns;
	look(model);
	for (int i = 0; i < model->loop.nr_cpus; i++)
		if (model->loop.cpus[i].running)
			run(&clocks->counters[i], ns, clocks->khz[clocks->domain_of[i]]);
}

static uint64_t cycles_of(int64_t ns, int64_t khz)
{
	uint64_t whole = (uint64_t)(ns / NSEC_PER_MSEC) * (uint64_t)khz;

	return whole + (uint64_t)(ns % NSEC_PER_MSEC * khz / NSEC_PER_MSEC);
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
	struct clocks *clocks = &model->clocks;

	if (model->loop.cpus[cpu].running)
		return;
	look(model);
	run(&clocks->counters[cpu], AWAKE_NS,
		max_i64(clocks->khz[clocks->domain_of[cpu]], model->policy_of_cpu[cpu]->cur_khz));
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
