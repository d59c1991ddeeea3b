/*
 * A recording as scripts: reads every event once and follows CPUs and tasks. Knows what the
 * scheduler's events mean and which defects recordings have; knows no governor and no simulated
 * machine.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "workloads/trace/newidle.h"
#include "workloads/trace/reader.h"
#include "workloads/trace/script.h"
#include "workloads/trace/wakeups.h"

struct trace_options {
	const char *root; /* "auto", "all", a pid, or a name */
	const char *idle; /* name of a task that stands for an idle CPU; may be NULL */
	int64_t from_ns,
		to_ns; /* part of the recording, from its first event; to_ns may be NEVER_NS */
	int64_t reference_khz; /* clock of CPUs whose frequency was not recorded */
	const int64_t
		*per_clock; /* work per clock of the recorded CPUs, 1024 the best kind's; NULL:
				     all alike. TRACE_MAX_CPUS */
};

struct trace_totals {
	int64_t span_ns;      /* of the part that was read */
	int64_t chain_breaks; /* a switch from another task than the last one to */
	int64_t missing_wakeups;
	int64_t losses;        /* places where the recorder lost events */
	int64_t lost_ns;       /* of CPU time in which events may be missing */
	int64_t backward;      /* time stamps before the one above them */
	int64_t recorded_cpus; /* that show events */
	int64_t tasks_seen;
	/* of the tasks replayed */
	int64_t tasks, forks, edges, sleeps, ios, open_blocks;
	int64_t reniced,
		urgent; /* tasks of another nice level than 0; real-time and deadline ones */
	int64_t beats;  /* of the sleeps: those that end at times of their own */
	int64_t run_ns;
	int64_t waits, wait_ns, wait_max_ns; /* from runnable to running */
	int64_t work;              /* kHz x ns; work of a clock that was recorded is real cycles */
	int64_t first_ns, last_ns; /* birth of the first, end of the last */
	bool clock_recorded;       /* cpu_frequency events told the clock of a CPU that ran tasks */
	bool clock_assumed;        /* of a CPU that ran tasks the clock is the reference clock */
};

/* What a recording tells of its machine, which is no work: it holds where the simulated machine may
 * be taken for that one. */
struct trace_machine {
	int64_t nr_cpus;    /* that show events; 0: not known */
	int64_t wake_ns[2]; /* mean from a wake-up on an idle CPU until the task runs: by an
				   interrupt there, by another CPU; 0: too few were seen */
	int64_t start_ns;   /* of the replay, on the recording's clock */
	struct trace_newidle newidle;
	const uint8_t *standin; /* by CPU: a stand-in kept it from idling. TRACE_MAX_CPUS; may be
				   NULL */
};

/* Time for which a CPU ran tasks at one clock. */
struct trace_clock {
	struct trace_clock *next; /* ascending by CPU and clock */
	int cpu;
	int64_t khz, ns; /* khz 0: before the first cpu_frequency */
};

struct trace_import {
	struct trace_task *tasks; /* in order of birth or first sight; replay those in_tree */
	struct trace_task *root;  /* NULL: every task */
	struct trace_reading reading;
	struct trace_totals totals;
	struct trace_machine machine;
	struct trace_wakeups wakeups;
	struct trace_clock *clocks; /* of all tasks */
};

/* What @ns at @khz are on recorded CPU @cpu. */
int64_t trace_work(const struct trace_options *options, int cpu, int64_t ns, int64_t khz);

/* 0, or -1 with @err. All memory is @arena's; nothing else stays open, even out of memory. */
int trace_import(struct arena *arena, const char *path, const struct trace_options *options,
	struct trace_import *import, struct error *err);
