/*
 * A scenario as plain data: every default filled, every value checked. Knows files and rows; knows
 * no behaviour.
 *
 *   machine: machines/dl580-gen8.yaml
 *   kernel:   { version: "4.8", hz: 250 }
 *   driver:   { name: pcc-cpufreq, command_time: 510us }
 *   governor: { name: ondemand, sampling_rate: 10ms }
 *   workload: { name: kernel-build, jobs: 32 }
 *   run:      { seed: 1, repeats: 5, duration: 60s }
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/catalog.h"
#include "sim/hw/machine_spec.h"
#include "sim/kernel/kernel_spec.h"
#include "sim/scenario/yaml.h"

struct run_spec {
	int64_t seed;
	int64_t repeats;
	int64_t duration_ns; /* PARAM_AUTO: until the workload ends (at most RUN_MAX_NS) */
	int64_t sample_interval_ns; /* of the power sampler */
};

struct policy_limits_spec {
	int64_t min_khz, max_khz; /* scaling_min_freq, scaling_max_freq; PARAM_AUTO: cpuinfo */
};

struct scenario {
	const char *path;
	struct node *root; /* after overrides */
	struct machine_spec machine;
	struct kernel_spec kernel;
	struct policy_limits_spec limits;
	const struct driver *driver;
	void *driver_params;
	const struct governor *governor;
	void *tunables;
	const struct workload *workload;
	void *workload_params;
	struct run_spec run;
};

extern const struct param kernel_params[], run_params[], limits_params[];

/* Reads @path, applies @overrides ("governor.sampling_rate=20ms"), fills @scenario. Nothing is
 * written anywhere. 0, or -1 with @err (code 2). All memory is @arena's: call under arena_try(). */
int scenario_load(struct arena *arena, const struct catalog *catalog, const char *path,
	const char *const *overrides, size_t nr_overrides, struct scenario *scenario,
	struct error *err);

/* The same from a tree already read (experiments build theirs). */
int scenario_from_tree(struct arena *arena, const struct catalog *catalog, struct node *root,
	struct scenario *scenario, struct error *err);

/* Reads a machine file into @spec. */
int machine_load(struct arena *arena, const char *path, struct machine_spec *spec,
	struct error *err);

/* Where the scenario says @key ("governor.up_threshold"); the scenario's top when it does not. */
struct where scenario_where(const struct scenario *scenario, const char *key);
