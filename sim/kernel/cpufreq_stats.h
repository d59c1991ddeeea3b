/*
 * cpufreq statistics of a policy: time in each frequency and changes between them, as sysfs shows
 * them. Belief: what was asked for, not what ran. Follows drivers/cpufreq/cpufreq_stats.c of Linux
 * 6.1.
 *
 * A state is a frequency of the table, or what the caller numbers otherwise. A frequency that is no
 * state is not seen: the state before it keeps running.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/kernel/freq_table.h"

#define STATS_TICK_NS INT64_C(10000000) /* time_in_state counts in USER_HZ */

struct cpufreq_stats {
	int nr_states;
	int last; /* current state, -1 unknown: nothing is counted then */
	int64_t since_ns;
	int64_t *time_ns; /* per state */
	uint32_t *trans;  /* nr_states x nr_states, from x to */
	int64_t total_trans;
	bool reset_pending; /* a reset takes effect at the next change */
	int64_t reset_ns;
};

/* Number of states a table gives, and the state of a frequency: valid frequencies in table order,
 * each once. -1 for one that is not there. */
int cpufreq_stats_states(const struct freq_table *table);
int cpufreq_stats_state(const struct freq_table *table, uint32_t khz);

void cpufreq_stats_init(struct cpufreq_stats *stats, int nr_states, struct arena *arena);
/* Counting starts in @state. */
void cpufreq_stats_start(struct cpufreq_stats *stats, int state, int64_t now_ns);
void cpufreq_stats_record(struct cpufreq_stats *stats, int state, int64_t now_ns);
void cpufreq_stats_reset(struct cpufreq_stats *stats, int64_t now_ns);

/* What is shown at @now_ns. */
int64_t cpufreq_stats_time_ns(const struct cpufreq_stats *stats, int state, int64_t now_ns);
int64_t cpufreq_stats_total(const struct cpufreq_stats *stats);
uint32_t cpufreq_stats_trans(const struct cpufreq_stats *stats, int from, int to);

/* The clock that the statistics of kernel @version read: up to 5.10 whole ticks. */
int64_t cpufreq_stats_clock_ns(unsigned version, int64_t hz, int64_t now_ns);
