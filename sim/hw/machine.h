/*
 * The silicon: packages, clock domains, CPUs. Truth, not belief: what really runs.
 *
 * A clock domain is the set of CPUs that share one clock; each of its CPUs has a vote (the clock
 * last asked for it) and the domain runs at the highest vote of those that count (clock_vote),
 * or as high as the package allows (ceiling.h).
 * Clocks are named by their place in the domain's ascending list of possible clocks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/engine/engine.h"
#include "sim/hw/cpu.h"
#include "sim/hw/machine_spec.h"

enum stall_scope { STALL_NONE, STALL_ISSUER, STALL_PACKAGE, STALL_ALL };

/* CPUs that share one core: first, first + step, ... */
struct core {
	int id;
	int first_cpu, step, nr_cpus;
	struct cpu *cpus; /* the machine's */
	int nr_busy;
	int64_t yield_ppm; /* of all threads together; 0: they do not disturb each other */
	int64_t power_ppm; /* with all threads busy, of that with one */
	/* Its own account (core.h); NULL: of one thread. */
	int64_t *busy_ns;   /* per clock, with a busy thread */
	int64_t *shared_ns; /* the same times the threads beyond the first */
	int64_t *idle_ns;   /* per idle state, finished stays */
	int64_t since_ns, idle_from_ns;
};

struct package {
	int id;
	struct machine *machine;
	struct ceiling *ceiling; /* holds its clocks down; NULL: nothing does */
	int first_cpu, nr_cpus;  /* its CPUs follow each other in number */
	int nr_busy;
	int64_t active_ns; /* with at least one busy CPU */
	int64_t since_ns;  /* of the current stretch */
};

struct domain {
	int id;
	struct cpu **cpus;
	int nr_cpus;
	const int64_t *clocks_khz; /* ascending */
	int nr_clocks;
	enum clock_vote rule;
	int *votes;      /* CPUs per clock whose vote counts now */
	int clock;       /* index of the clock that runs */
	int cap;         /* and of the highest that may */
	int64_t changes; /* of the real clock */
};

struct machine {
	const struct machine_spec *spec;
	struct engine *engine;
	struct cpu *cpus;
	int nr_cpus;
	struct core *cores;
	int nr_cores;
	struct package *packages;
	int nr_packages;
	struct domain *domains;
	int nr_domains;
	struct ceilings *ceilings; /* NULL: none */
	int nr_busy;               /* CPUs that are not idle */
	struct timer thaw;
	int64_t stalls;                             /* freezes begun */
	int64_t stall_ns;                           /* sum of their lengths */
	void (*done)(void *arg, struct cpu *cpu);   /* a burst has ended */
	void (*thawed)(void *arg, struct cpu *cpu); /* a CPU runs again after a stall */
	/* Temperature now holds the clocks of a domain at index @cap or below. */
	void (*capped)(void *arg, const struct domain *domain, int cap);
	void *arg;
};

/* Builds everything but the clocks; domain_set_clocks() follows once the drivers have said them. */
void machine_build(struct machine *machine, const struct machine_spec *spec, struct engine *engine,
	struct arena *arena);
void domain_set_clocks(struct domain *domain, const int64_t *clocks_khz, size_t nr,
	int64_t boot_khz, struct arena *arena);

/* The domain's index of a clock: exact, else the next lower (the lowest when below all). */
int domain_clock_index(const struct domain *domain, int64_t clock_khz);

/* Used by cpu.c: the CPU's mode was @old until now; its vote may begin or cease to count. */
void domain_count_vote(struct domain *domain, struct cpu *cpu, enum cpu_mode old);

/* The vote of one CPU becomes clock @index; the domain follows at once. */
void cpu_vote(struct cpu *cpu, int index);

/* No clock above index @cap from now on; what is asked for stays asked for. */
void domain_cap(struct domain *domain, int cap);

/* Nothing in @scope of @issuer makes progress for @ns from now; overlapping stalls join. */
void machine_stall(struct machine *machine, struct cpu *issuer, enum stall_scope scope, int64_t ns);

/* Accounts every CPU and package up to now (before reading residencies). */
void machine_account(struct machine *machine);
