/*
 * Micro-benchmarks: copies of one small operation again and again, a given number of times or for a
 * given time. What lmbench and unixbench have in common; each names its operations in rows.
 */
#pragma once

#include "workloads/steps.h"

enum micro_kind {
	MICRO_CALL,     /* work without any event */
	MICRO_PROCESS,  /* fork, work of the child, exit, wait */
	MICRO_PINGPONG, /* a word to another task and back */
	MICRO_SCRIPT,   /* scripts at a time, each five pairs of processes with a pipe between */
};

struct micro_row {
	const char *name;
	enum micro_kind kind;
	int64_t cycles;       /* of the operation; PROCESS: of the fork; PINGPONG: of half a trip */
	int64_t child_cycles; /* PROCESS; SCRIPT: of each process */
	int64_t scripts;      /* SCRIPT: in parallel */
};

struct micro_copy {
	struct channel told;     /* a child has ended */
	struct channel words[2]; /* PINGPONG */
};

/* State of the run. Filled by the workload up to the line, then micro_build(). */
struct micro {
	const struct micro_row *row;
	int64_t nr_copies, repetitions, duration_ns; /* repetitions 0: for that time */

	struct micro_copy *copies;
	bool over;
	int64_t operations;
};

struct micro_task {
	int role, stage;
	struct micro_copy *copy;
	struct task *parent;  /* of who has one */
	struct channel ended; /* script: its processes */
	struct channel pipe;  /* second process of a pair: the first has written */
	int64_t done, waiting;
};

void micro_build(struct workload_ctx *ctx, struct micro *micro);
void micro_next(struct workload_ctx *ctx, struct task *task, struct step *step);
/* Operations, operations per second, time of one as each copy sees it. */
int micro_measure(const struct micro *micro, int64_t elapsed_ns, struct measure *out);
