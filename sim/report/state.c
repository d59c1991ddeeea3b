#include "sim/report/state.h"

#include <inttypes.h>

#include "sim/report/result.h"
#include "sim/run.h"

int64_t state_khz(const struct policy *policy, int state)
{
	if (!policy->has_table)
		return policy->cpuinfo_max_khz * state / 100;
	for (int i = 0; i < policy->table.nr; i++) {
		uint32_t khz = policy->table.entries[i].khz;

		if (khz != FREQ_ENTRY_INVALID && cpufreq_stats_state(&policy->table, khz) == state)
			return khz;
	}
	return 0;
}

static void keep(struct result *result, struct state_count count)
{
	if (count.value > 0)
		result->states[result->nr_states++] = count;
}

static void collect_policy(struct result *result, const struct policy *policy)
{
	const struct cpufreq_stats *stats = &policy->stats;

	for (int from = 0; from < stats->nr_states; from++) {
		int64_t khz = state_khz(policy, from);

		keep(result,
			(struct state_count){ .policy = policy->id,
				.khz = khz,
				.value = cpufreq_time_in_state_ns(policy, from) / STATS_TICK_NS });
		/* The frequency of a state takes a search: only for the few that were gone to. */
		for (int to = 0; to < stats->nr_states; to++)
			if (cpufreq_stats_trans(stats, from, to) > 0)
				keep(result,
					(struct state_count){ .policy = policy->id,
						.khz = khz,
						.to_khz = state_khz(policy, to),
						.value = cpufreq_stats_trans(stats, from, to) });
	}
}

/* Rows that will not be 0: the table may be large and nearly empty. */
static size_t count_rows(const struct kernel *kernel)
{
	size_t rows = 0;

	for (int i = 0; i < kernel->nr_policies; i++) {
		const struct cpufreq_stats *stats = &kernel->policies[i].stats;

		rows += (size_t)stats->nr_states;
		for (int s = 0; s < stats->nr_states * stats->nr_states; s++)
			rows += stats->trans[s] > 0;
	}
	return rows;
}

void state_collect(struct result *result, const struct run *run)
{
	const struct kernel *kernel = &run->kernel;

	result->states = arena_array(&result->arena, count_rows(kernel), sizeof(*result->states));
	for (int i = 0; i < kernel->nr_policies; i++)
		collect_policy(result, &kernel->policies[i]);
}

void state_write_time(FILE *out, const struct report *report)
{
	fputs("repeat,policy,khz,time_10ms\n", out);
	for (size_t r = 0; r < report->nr; r++) {
		const struct result *result = report->results[r];

		for (size_t i = 0; i < result->nr_states; i++) {
			const struct state_count *s = &result->states[i];

			if (s->to_khz == 0)
				fprintf(out, "%" PRId64 ",%d,%" PRId64 ",%" PRId64 "\n",
					result->repeat, s->policy, s->khz, s->value);
		}
	}
}

void state_write_trans(FILE *out, const struct report *report)
{
	fputs("repeat,policy,from_khz,to_khz,transitions\n", out);
	for (size_t r = 0; r < report->nr; r++) {
		const struct result *result = report->results[r];

		for (size_t i = 0; i < result->nr_states; i++) {
			const struct state_count *s = &result->states[i];

			if (s->to_khz != 0)
				fprintf(out, "%" PRId64 ",%d,%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
					result->repeat, s->policy, s->khz, s->to_khz, s->value);
		}
	}
}
