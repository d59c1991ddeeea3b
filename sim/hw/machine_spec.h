/*
 * A machine as plain data: what a file in configs/machines/ says. Knows numbers and their origin,
 * not behaviour. Filled by scenario.c, read by run.c when it builds the silicon.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node;

/* One supported point. Power is that of one fully busy CPU above idle; 0 = use ceff V^2 f. */
struct opp_spec {
	int64_t khz;       /* as the table names it */
	int64_t clock_khz; /* what really runs; differs from khz for a turbo entry */
	int64_t uv;
	int64_t power_uw;
	bool turbo;
};

struct cstate_spec {
	const char *name;
	int64_t exit_latency_us;
	int64_t target_residency_us;
	int64_t power_uw; /* of one CPU in that state */
};

/* Operating points that policies share: those of one kind of CPU. Drivers with a frequency table
 * offer opps; power is read off the points, which are the opps unless the file tells both. */
struct opp_table {
	const char *name;      /* NULL for the only one of a machine */
	bool has_table;        /* opps is a frequency table; else there are only points */
	struct opp_spec *opps; /* ascending */
	size_t nr_opps;
	struct opp_spec *points; /* ascending */
	size_t nr_points;
	int64_t ceff_uw_per_mhz_v2; /* busy power of a point without one = ceff x MHz x V^2 */
	int64_t leak_uw;            /* on top of that, whatever the clock */
	int64_t min_khz, max_khz;   /* limits of a driver without a table */
	int64_t latency_ns;         /* of a change; below 0: not known */
	const struct cstate_spec *cstates; /* of this kind of CPU; NULL: the machine's */
	size_t nr_cstates;
};

/* Which CPUs of a range share a core: those half the range (a third, ...) apart in number, or
 * neighbours. */
enum smt_siblings { SIBLINGS_APART, SIBLINGS_ADJACENT };

/* CPUs of one kind that follow each other in number. */
struct cpus_spec {
	int first, last;
	int package;
	int64_t capacity; /* 1..1024, at the top clock: as the kernel sees it */
	int64_t dmips;    /* 1..1024, at the same clock; 0: as capacity */
	int64_t smt;      /* threads of a core */
	int64_t siblings; /* enum smt_siblings */
	/* What a core does with all its threads busy, compared with one; PARAM_AUTO: as if each
	 * thread were a core. */
	int64_t smt_yield_ppm;
	/* The power of a core with all its threads busy, compared with one. */
	int64_t smt_power_ppm;
};

/* The CPUs of a policy: a range, all of one kind. */
struct policy_spec {
	int first, last;
	size_t table; /* place among the machine's tables */
};

enum clock_scope { CLOCK_CPU, CLOCK_POLICY, CLOCK_PACKAGE, CLOCK_GROUP };
enum clock_vote { VOTE_RUNNING, VOTE_NON_IDLE, VOTE_ALL };

struct power_spec {
	int64_t ceff_uw_per_mhz_v2; /* of tables that do not say their own, as leak is */
	int64_t leak_uw;
	int64_t uncore_uw;      /* per package with a busy CPU */
	int64_t package_uw;     /* per package, always */
	int64_t rapl_unit_nj;   /* quantum of the energy counter */
	int64_t rapl_period_ns; /* between two updates of it */
	int64_t rapl_bits;      /* of it, then it wraps */
	bool assumed;           /* any value of the power model has no source */
};

/* The highest clock while so many cores of a package are busy. */
struct turbo_spec {
	int first, last;
	int64_t khz;
};

/* What holds clocks down (ceiling.h): a machine file's section hardware, then the scenario's. */
struct hardware_spec {
	int64_t turbo; /* by the table; 0: as high as is asked for */
	int64_t limit_power, limit_temperature;
	int64_t pressure; /* the firmware tells the kernel what temperature takes away */
	int64_t power_limit_uw, power_window_ns; /* of a package; PARAM_AUTO: none known */
	int64_t trip_mc, hysteresis_mc, ambient_mc;
	int64_t resistance_mk_per_w, heat_capacity_mj_per_k; /* from package to surroundings */
	int64_t period_ns;
};

struct memory_spec {
	int64_t contention_ppm; /* gamma: extra memory time when every CPU is busy */
};

struct machine_spec {
	const char *path, *name, *summary;
	int nr_cpus, nr_packages;
	struct cpus_spec *cpus;
	size_t nr_cpu_ranges;
	struct policy_spec *policies;
	size_t nr_policies;
	enum clock_scope clock_scope;
	enum clock_vote clock_vote;
	int64_t clock_group;      /* CPUs per clock with CLOCK_GROUP: neighbours in number */
	int64_t reference_khz;    /* the clock at which works given as time are measured */
	struct opp_table *tables; /* at least one */
	size_t nr_tables;
	struct cstate_spec *cstates; /* of CPUs without their own: shallow to deep, at least one */
	size_t nr_cstates;
	struct power_spec power;
	struct turbo_spec *turbo; /* by number of busy cores, upwards; may be empty */
	size_t nr_turbo;
	struct hardware_spec hardware;
	struct memory_spec memory;
	const char *default_driver; /* may be NULL */
	const struct node *drivers; /* per-driver parameter defaults of this machine; may be NULL */
	const struct node *root;    /* the file, for `show` of sources */
};

/* The operating points of a policy's CPUs. */
static inline const struct opp_table *machine_table(const struct machine_spec *spec, int policy)
{
	return &spec->tables[spec->policies[policy].table];
}
