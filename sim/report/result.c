#include "sim/report/result.h"

#include <string.h>

#include "sim/report/state.h"
#include "sim/run.h"

static void collect_samples(struct result *result, const struct run *run)
{
	size_t nr = run->nr_samples;

	result->samples = arena_array(&result->arena, nr, sizeof(*result->samples));
	if (nr)
		memcpy(result->samples, run->samples, nr * sizeof(*result->samples));
	result->nr_samples = nr;
}

static void add_residency(struct result *result, int policy, int64_t khz, int64_t ns)
{
	if (ns > 0)
		result->residencies[result->nr_residencies++] = (struct residency){
			.policy = policy, .khz = khz, .ns = ns
		};
}

/* The CPUs of a policy may sit in several clock domains with the same list of clocks. */
static void collect_policy(
	struct result *result, const struct run *run, const struct policy *policy)
{
	const struct cpu *first = &run->machine.cpus[policy->first_cpu];
	int64_t idle_ns = run->machine.engine->now_ns * policy->nr_cpus;

	for (int c = 0; c < first->domain->nr_clocks; c++) {
		int64_t ns = 0;

		for (int i = 0; i < policy->nr_cpus; i++)
			ns += first[i].busy_ns[c];
		add_residency(result, policy->id, first->domain->clocks_khz[c], ns);
		idle_ns -= ns;
	}
	add_residency(result, policy->id, 0, idle_ns);
}

static void collect_residencies(struct result *result, const struct run *run)
{
	const struct kernel *kernel = &run->kernel;
	size_t max = 0;

	for (int i = 0; i < kernel->nr_policies; i++) {
		int cpu = kernel->policies[i].first_cpu;

		max += (size_t)run->machine.cpus[cpu].domain->nr_clocks + 1;
	}
	result->residencies = arena_array(&result->arena, max, sizeof(*result->residencies));
	for (int i = 0; i < kernel->nr_policies; i++)
		collect_policy(result, run, &kernel->policies[i]);
}

static void collect_idle_of(
	struct result *result, const struct run *run, const struct policy *policy)
{
	const struct cpu *cpus = &run->machine.cpus[policy->first_cpu];

	for (int s = 0; s < cpus->nr_cstates; s++) {
		struct idle_residency *idle = &result->idle[result->nr_idle++];

		idle->policy = policy->id;
		idle->state = arena_strdup(&result->arena, cpus->cstates[s].name);
		for (int i = 0; i < policy->nr_cpus; i++) {
			idle->ns += cpu_idle_ns(&cpus[i], s);
			idle->usage += cpus[i].idle_nr[s];
		}
	}
}

static void collect_idle(struct result *result, const struct run *run)
{
	const struct kernel *kernel = &run->kernel;
	size_t nr = 0;

	for (int p = 0; p < kernel->nr_policies; p++)
		nr += (size_t)run->machine.cpus[kernel->policies[p].first_cpu].nr_cstates;
	result->idle = arena_array(&result->arena, nr, sizeof(*result->idle));
	for (int p = 0; p < kernel->nr_policies; p++)
		collect_idle_of(result, run, &kernel->policies[p]);
}

static void collect_latencies(struct result *result, const struct log_histogram *latency)
{
	size_t nr = 0;

	for (size_t i = 0; i < LOG_HISTOGRAM_BUCKETS; i++)
		nr += latency->counts[i] > 0;
	result->latencies = arena_array(&result->arena, nr, sizeof(*result->latencies));
	for (size_t i = 0; i < LOG_HISTOGRAM_BUCKETS; i++)
		if (latency->counts[i])
			result->latencies[result->nr_latencies++] = (struct latency_count){
				.from_ns = log_histogram_low(i),
				.to_ns = log_histogram_high(i),
				.nr = latency->counts[i],
			};
}

int result_collect(struct result *result, struct run *run, int64_t repeat, struct error *err)
{
	result->repeat = repeat;
	machine_account(&run->machine);
	metric_collect(run, result->metrics);
	result->nr_measures = metric_measures(run, result->measures);
	memcpy(result->hooks, run->kernel.hooks.by_site, sizeof(result->hooks));
	if (arena_try(&result->arena))
		return error_set(err, ERROR_RUN, "out of memory for the result of a run");
	if (run->note)
		result->note = arena_strdup(&result->arena, run->note);
	collect_samples(result, run);
	collect_residencies(result, run);
	state_collect(result, run);
	collect_idle(result, run);
	collect_latencies(result, &run->kernel.wakeup_latency);
	return 0;
}

void result_free(struct result *result)
{
	arena_free(&result->arena);
}

void report_values(const struct report *report, enum metric metric, double *values)
{
	for (size_t i = 0; i < report->nr; i++)
		values[i] = report->results[i]->metrics[metric];
}
