/*
 * What a machine's sysfs tree and boot log say of it, as facts without a file format: CPUs,
 * policies, idle states, energy model, the header of the PCC firmware interface. Knows sysfs; knows
 * no YAML.
 * Frequencies in kHz, power in uW, latencies as named.
 *
 * CPUs get numbers of their own, package by package and policy by policy, since a simulated machine
 * has them in a row; where the order is another one than Linux's a note says so.
 */
#pragma once

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/sysfs.h"

struct probe_cpu {
	int linux_id, package, core, policy;
	int64_t capacity; /* cpu_capacity; -1: not said */
};

struct probe_point {
	int64_t khz, power_uw; /* power_uw -1: not said */
	bool boost;
};

struct probe_policy {
	int first, nr;                                  /* CPUs by their new numbers */
	int64_t min_khz, max_khz, base_khz, latency_ns; /* -1: not said */
	const char *driver;
	struct probe_point *points;
	size_t nr_points; /* 0: there is no table */
	bool table;       /* the points are the driver's; else the energy model's */
};

struct probe_idle {
	const char *name;
	int64_t latency_us, residency_us;
};

/* pcc-cpufreq's "probe:" lines; -1: not said. */
struct probe_pcc {
	int64_t nominal_mhz, minimum_mhz, unthrottled_mhz;
	int64_t latency_us, min_time_us, max_time_us;
};

enum probe_scope { PROBE_SCOPE_UNKNOWN, PROBE_SCOPE_POLICY, PROBE_SCOPE_PACKAGE };

/* Beyond these no machine is. */
#define PROBE_KHZ_MIN 1000
#define PROBE_KHZ_MAX 42000000
#define PROBE_UW_MAX INT64_C(1000000000)
#define PROBE_POINTS_MAX 256
#define PROBE_IDLE_MAX 16
#define PROBE_NOTES_MAX 64

struct probe {
	struct sysfs sysfs;
	struct probe_cpu *cpus;
	int nr_cpus;
	bool has_topology, has_capacity, renumbered;
	int smt;       /* threads of each core; 0: not alike, or not said */
	bool adjacent; /* threads of a core follow each other */
	struct probe_policy *policies;
	int nr_policies;
	bool has_cpufreq;
	enum probe_scope scope;
	struct probe_idle idle[PROBE_IDLE_MAX];
	int nr_idle;
	struct probe_pcc pcc;
	const char *notes[PROBE_NOTES_MAX]; /* what was not there, and what became of it */
	int nr_notes;
};

/* Reads the tree. 0, or -1 with @err when it is none. */
int probe_read(struct probe *probe, struct arena *arena, const char *root, struct error *err);
/* The same of a file with the table of a system on chip. */
int probe_read_soc(struct probe *probe, struct arena *arena, const char *path, struct error *err);
/* Reads the header of PCC from a boot log. 0, or -1 with @err. */
int probe_read_log(struct probe *probe, const char *path, struct error *err);
/* Parts of probe_read(). */
void probe_read_idle(struct probe *probe);
void probe_read_energy_model(struct probe *probe);
void probe_note(struct probe *probe, const char *format, ...);

/* Writes a machine file. @driver: of the simulator; NULL: it has none of that name. */
void probe_write(FILE *out, struct probe *probe, const char *name, const char *driver);
