/*
 * One CPU as it really is: exact work, real clock, busy and idle residency. Knows no task: it runs
 * bursts, and says when one has ended.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/engine.h"

struct machine;
struct core;
struct cstate_spec;
struct package;
struct domain;
struct hwp_cpu;
struct opp_table;

/* CPU time still wanted: first @fixed_ns whatever the clock, then @work at the speed that clock,
 * kind of CPU and memory share give. */
struct burst {
	int64_t fixed_ns;
	int64_t work; /* kHz x ns */
	uint32_t mem_ppm;
};

enum cpu_mode {
	CPU_IDLE,
	CPU_RUN,  /* a burst */
	CPU_HOLD, /* busy in the kernel until told otherwise */
};

struct cpu {
	int id;
	struct machine *machine;
	struct package *package;
	struct core *core;
	struct domain *domain;
	int64_t capacity;                  /* as the kernel sees it: at the top clock */
	int64_t dmips;                     /* work per clock, 1024 for the best kind of CPU */
	const struct opp_table *table;     /* of its kind */
	const struct cstate_spec *cstates; /* idle states of its kind */
	int nr_cstates;
	enum cpu_mode mode;
	bool frozen;
	int64_t frozen_until_ns; /* while frozen */
	int vote;                /* clock index asked for */
	struct hwp_cpu *hwp;     /* chooses the vote by itself; NULL: cannot */
	struct burst *burst;     /* in CPU_RUN */
	int64_t speed_khz;       /* of the burst now; 0 while frozen */
	int64_t since_ns;        /* accounted up to here */
	int64_t idle_from_ns;    /* in CPU_IDLE */
	int idle_state;          /* in CPU_IDLE; CPU_STATE_IDEAL: known when it ends */
	struct timer done;
	int64_t *busy_ns;  /* per clock of the domain */
	int64_t *idle_ns;  /* per idle state, finished idle periods */
	int64_t *idle_nr;  /* how many these were, as usage of a state in sysfs */
	uint64_t cycles;   /* whole cycles done */
	int64_t work_rest; /* below one cycle */
	int64_t work_cut;  /* that the last nanoseconds of bursts had time for and no use */
};

/* How fast a burst works: an integer kHz. With mem_ppm 0 and dmips 1024 it is the clock. */
int64_t cpu_speed_khz(int64_t clock_khz, int64_t dmips, uint32_t mem_ppm, int nr_busy,
	const struct machine *machine);

/* Changes what the CPU does, from now on. Residencies and the burst are accounted first. */
void cpu_run(struct cpu *cpu, struct burst *burst);
void cpu_hold(struct cpu *cpu);
/* In idle state @state, or the deepest that the stay turns out to pay for. */
#define CPU_STATE_IDEAL (-1)
void cpu_idle(struct cpu *cpu, int state);

/* The idle state that a stay of @ns is in, as the CPU entered it last. */
int cpu_stay_state(const struct cpu *cpu, int64_t ns);
/* Time in idle state @state so far, a current stay counted as if it ended now. */
int64_t cpu_idle_ns(const struct cpu *cpu, int state);

/* Accounts time and work up to now; returns the ns since the last account. */
int64_t cpu_account(struct cpu *cpu);
/* Accounts, then plans the end of the burst anew (clock, contention or freeze changed). */
void cpu_replan(struct cpu *cpu);
