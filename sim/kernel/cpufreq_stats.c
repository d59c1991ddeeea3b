#include "sim/kernel/cpufreq_stats.h"

#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/version.h"

/* Whether entry @i is the first of its frequency. */
static bool is_state(const struct freq_table *table, int i)
{
	uint32_t khz = table->entries[i].khz;

	return khz != FREQ_ENTRY_INVALID && freq_table_index(table, khz) == i;
}

int cpufreq_stats_states(const struct freq_table *table)
{
	int nr = 0;

	for (int i = 0; i < table->nr; i++)
		nr += is_state(table, i);
	return nr;
}

int cpufreq_stats_state(const struct freq_table *table, uint32_t khz)
{
	int index = freq_table_index(table, khz);
	int state = 0;

	for (int i = 0; i < index; i++)
		state += is_state(table, i);
	return index < 0 ? -1 : state;
}

void cpufreq_stats_init(struct cpufreq_stats *stats, int nr_states, struct arena *arena)
{
	size_t nr = (size_t)nr_states;

	*stats = (struct cpufreq_stats){ .nr_states = nr_states, .last = -1 };
	stats->time_ns = arena_array(arena, nr, sizeof(*stats->time_ns));
	stats->trans = arena_array(arena, nr * nr, sizeof(*stats->trans));
}

void cpufreq_stats_start(struct cpufreq_stats *stats, int state, int64_t now_ns)
{
	stats->last = state;
	stats->since_ns = now_ns;
}

/* The current state has run since @from_ns. */
static void pass(struct cpufreq_stats *stats, int64_t from_ns, int64_t now_ns)
{
	stats->time_ns[stats->last] += now_ns - from_ns;
	stats->since_ns = now_ns;
}

void cpufreq_stats_record(struct cpufreq_stats *stats, int state, int64_t now_ns)
{
	size_t nr = (size_t)stats->nr_states;

	if (stats->reset_pending) {
		memset(stats->time_ns, 0, nr * sizeof(*stats->time_ns));
		memset(stats->trans, 0, nr * nr * sizeof(*stats->trans));
		stats->total_trans = 0;
		stats->since_ns = now_ns;
		stats->reset_pending = false;
		if (stats->last >= 0)
			pass(stats, stats->reset_ns, now_ns);
	}
	if (stats->last < 0 || state < 0 || state == stats->last)
		return;
	pass(stats, stats->since_ns, now_ns);
	stats->trans[stats->last * stats->nr_states + state]++;
	stats->total_trans++;
	stats->last = state;
}

void cpufreq_stats_reset(struct cpufreq_stats *stats, int64_t now_ns)
{
	stats->reset_ns = now_ns;
	stats->reset_pending = true;
}

int64_t cpufreq_stats_time_ns(const struct cpufreq_stats *stats, int state, int64_t now_ns)
{
	if (stats->reset_pending)
		return state == stats->last ? now_ns - stats->reset_ns : 0;
	return stats->time_ns[state] + (state == stats->last ? now_ns - stats->since_ns : 0);
}

int64_t cpufreq_stats_total(const struct cpufreq_stats *stats)
{
	return stats->reset_pending ? 0 : stats->total_trans;
}

uint32_t cpufreq_stats_trans(const struct cpufreq_stats *stats, int from, int to)
{
	return stats->reset_pending ? 0 : stats->trans[from * stats->nr_states + to];
}

int64_t cpufreq_stats_clock_ns(unsigned version, int64_t hz, int64_t now_ns)
{
	if (version >= KVER(5, 11, 0))
		return now_ns;
	return now_ns - now_ns % tick_ns_of_hz(hz);
}
