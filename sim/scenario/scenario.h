/*
 * A scenario as plain data: every default filled, every value checked. Knows files and rows; knows
 * no behaviour.
 *
 *   machine: machines/dl580-gen8.yaml   (or dl580-gen8)
 *   kernel:   { version: "4.8", hz: 250 }
 *   driver:   { name: pcc-cpufreq, command_time: 510us }
 *   governor: { name: ondemand, sampling_rate: 10ms }
 *   workload: { name: kernel-build, jobs: 32 }
 *   cpusets:  { batch: 2-3 }           (workload: { ..., cpuset: batch, start: 2s })
 *   limits:   { scaling_max_freq: 2GHz }
 *   hardware: { turbo: 0 }
 *   run:      { seed: 1, repeats: 5, duration: 60s }
 *   events:   [ { at: 2s, set: governor.up_threshold=80 } ]
 *
 * A plug-in section may be a bare name (governor: performance). machine, governor and workload are
 * required; the machine may name its usual driver.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/base/param.h"
#include "sim/catalog.h"
#include "sim/hw/machine_spec.h"
#include "sim/kernel/kernel_spec.h"
#include "sim/scenario/cpusets.h"
#include "sim/scenario/events.h"
#include "sim/scenario/yaml.h"

struct run_spec {
	int64_t seed;
	int64_t repeats;
	int64_t duration_ns;        /* PARAM_AUTO: until the workload ends (at most RUN_MAX_NS) */
	int64_t sample_interval_ns; /* of the power sampler */
};

struct policy_limits_spec {
	int64_t min_khz, max_khz; /* scaling_min_freq, scaling_max_freq; PARAM_AUTO: cpuinfo */
};

/* Where and when a workload runs. */
struct workload_place {
	const struct cpuset *cpuset; /* that its tasks are confined to; NULL: none */
	int64_t start_ns;
};

/* A workload that runs beside the one that leads. */
struct workload_use {
	const struct workload *workload;
	void *params;
	struct workload_place place;
};

struct scenario {
	const char *path;
	const char *name;    /* top-level "name", else the file's name without folder and ".yaml" */
	const char *summary; /* may be NULL */
	struct node *root;   /* after overrides */
	struct machine_spec machine;
	struct kernel_spec kernel;
	struct policy_limits_spec limits;
	const struct driver *driver;
	void *driver_params;
	const struct governor *governor;
	const char *governor_name; /* as scaling_governor has it: the algorithm may be another */
	void *tunables;
	const struct governor *fallback; /* performance, where a pair is refused; may be NULL */
	const struct policy_tunables *policy_tunables;
	size_t nr_policy_tunables;
	const struct event_spec *events; /* in order of time */
	size_t nr_events;
	const struct workload *workload;
	void *workload_params;
	struct workload_place workload_place;
	const struct cpuset *cpusets;
	size_t nr_cpusets;
	const struct workload_use *beside;
	size_t nr_beside;
	struct run_spec run;
};

extern const struct param kernel_params[], run_params[], limits_params[], hardware_params[];
extern const struct param place_params[]; /* of struct workload_place, beside cpuset */

/* Reads @path, applies @overrides ("governor.sampling_rate=20ms"), fills @scenario. Nothing is
 * written anywhere. 0, or -1 with @err (code 2). All memory is @arena's: call under arena_try(). */
int scenario_load(struct arena *arena, const struct catalog *catalog, const char *path,
	const char *const *overrides, size_t nr_overrides, struct scenario *scenario,
	struct error *err);

/* The same from a tree already read (experiments build theirs). */
int scenario_from_tree(struct arena *arena, const struct catalog *catalog, struct node *root,
	struct scenario *scenario, struct error *err);

/* Whether each limit that is on has what it needs. 0, or -1 with @err at @at. */
int hardware_check(const struct hardware_spec *hardware, struct where at, struct error *err);

/* Reads a machine file into @spec. */
int machine_load(
	struct arena *arena, const char *path, struct machine_spec *spec, struct error *err);
/* The same from a tree: a scenario may spell its machine out, as a manifest does. */
int machine_from_tree(
	struct arena *arena, const struct node *root, struct machine_spec *spec, struct error *err);

/* The file called @path in a scenario: beside the scenario, in the folder above, here, in
 * $CPUFREQSIM_CONFIGS, in the source tree's configs/, in the installed ones. @path itself when
 * there is no such file, so that opening it says what is missing. */
const char *scenario_resolve(
	struct arena *arena, const struct scenario *scenario, const char *path);

/* Where the scenario says @key ("governor.up_threshold"); the place of its section when it does
 * not, or the file as a whole. */
struct where scenario_where(const struct scenario *scenario, const char *key);
