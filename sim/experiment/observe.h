/*
 * What an experiment can ask of a finished run, by name. Knows results, and keeps the two series
 * that a result does not: the changes of frequency and the governor's evaluations, from the start.
 *
 * Names: every metric; the workload's own figures; hook_SITE_calls, _dropped, _dropped_rate_limit
 * and _changes; changes and evaluations (how many); and with an index
 *   change_s[i], change_khz[i], change_cpu[i]     the i-th change of a frequency
 *   requested_khz[i], resolved_khz[i], evaluated_s[i], decision_NAME[i]   the i-th evaluation
 *   freq_scale[cpu]         the frequency scale of load tracking at the end, 0..1024
 *   map_khz[load]           what the governor's map from load gives, without a run's doing
 *   described_NAME          a number that governor or driver say of themselves (`show`)
 *   residency_s[khz]        busy time of all CPUs at a clock; 0: idle time
 *   transitions_share_pct[k]   share of the policy with the k-th most transitions (0: the most)
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/batch.h"

struct observed_change;
struct observed_decision;
struct observed_line;

/* What is wanted beyond the result. */
enum observe_series { OBSERVE_CHANGES = 1, OBSERVE_DECISIONS = 2, OBSERVE_END = 4 };

struct observation {
	unsigned wanted; /* enum observe_series, before the run */
	struct arena arena;
	struct observed_change *changes;
	struct observed_decision *decisions;
	size_t nr_changes, nr_decisions;
	uint64_t *freq_scale; /* per CPU */
	int64_t *transitions; /* per policy, most first */
	int64_t *map_khz;     /* per load */
	size_t nr_map;
	struct observed_line *lines;
	size_t nr_lines;
	int nr_cpus, nr_policies;
};

/* For batch items: arg is the struct observation. Freed by observation_free(). */
extern const struct batch_probe observe_probe;
void observation_free(struct observation *observation);

/* The series that @name needs; *known says whether it is a name of every run (else it may be a
 * figure of the workload). */
unsigned observe_needs(const char *name, bool *known);
/* Whether the name takes an index. */
bool observe_indexed(const char *name);

/* 0 with *value, or -1 with @err (code 2) at @at. @index: NaN without one. */
int observe_value(const struct observation *observation, const struct result *result,
	const char *name, double index, struct where at, double *value, struct error *err);
