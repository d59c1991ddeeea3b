/*
 * What remains of a finished run: plain data that outlives it. Knows no engine; the writers of this
 * room take nothing else.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/kernel/hook.h"
#include "sim/report/metric.h"
#include "sim/workload.h"

struct run;
struct power_report;
struct power_sample;
struct state_count;

/* CPU time of one policy at one clock; khz 0 is idle time. */
struct residency {
	int policy; /* its first CPU */
	int64_t khz;
	int64_t ns;
};

/* Time of one policy's CPUs in one idle state. */
struct idle_residency {
	int policy;
	const char *state;
	int64_t usage; /* finished stays */
	int64_t ns;
};

/* How many waits for the CPU took between two times. */
struct latency_count {
	int64_t from_ns, to_ns, nr;
};

struct result {
	struct arena arena;
	int64_t repeat;   /* from 1 */
	const char *note; /* of the run: what Linux does otherwise than asked; NULL: nothing */
	double metrics[METRIC_NR];
	struct measure measures[MEASURES_MAX]; /* the workload's own figures */
	int nr_measures;
	struct power_sample *samples;
	size_t nr_samples;
	struct hook_count hooks[HOOK_SITES];
	struct residency *residencies;
	size_t nr_residencies;
	struct state_count *states; /* of cpufreq stats */
	size_t nr_states;
	struct idle_residency *idle;
	size_t nr_idle;
	struct latency_count *latencies; /* from wake-up or fork to the CPU, ascending */
	size_t nr_latencies;
};

/* The results of one scenario, in order of the repeats. */
struct report {
	const char *scenario;
	const char *governor, *driver, *workload;
	int64_t seed;
	bool power_assumed; /* any number of the power model has no source */
	const struct result *const *results;
	size_t nr;
	const struct power_report *power; /* of all of them; NULL: not made */
};

/* Copies what is worth keeping of a finished run. 0, or -1 with @err when memory is out; freed by
 * result_free() in either case. */
int result_collect(struct result *result, struct run *run, int64_t repeat, struct error *err);
void result_free(struct result *result);

/* The values of one metric into @values[report->nr]. */
void report_values(const struct report *report, enum metric metric, double *values);
