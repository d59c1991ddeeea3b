/*
 * What a recording holds, counted in one pass. Knows events, no scripts. Memory grows with the
 * number of pids and CPUs, not with the length of the recording.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "workloads/trace/reader.h"

#define SURVEY_TOP 10

/* Time at one clock. */
struct survey_clock {
	struct survey_clock *next; /* ascending */
	int64_t khz;               /* 0: not known yet */
	int64_t ns;
};

struct survey_cpu {
	bool seen, lost;
	int64_t pid;   /* that runs; -1: not known */
	int64_t chain; /* that the last switch left running; -1: not known */
	int64_t since_ns, last_ns, lost_ns;
	int64_t khz, khz_since_ns;
	struct survey_clock *clocks;
};

struct survey_task {
	struct survey_task *next;
	int64_t pid;
	char comm[TRACE_COMM_SIZE];
	bool alive, fresh; /* fresh: born, and has not run */
	bool idle;         /* stands for an idle CPU */
	int64_t run_ns, wakeups;
};

struct survey {
	struct trace_reading reading;
	int64_t first_ns, last_ns;
	int64_t tasks, run_ns, wakeups, forks;
	int64_t chain_breaks, losses, lost_events, lost_ns, backward;
	int nr_cpus;                         /* that show events */
	int64_t header_cpus;                 /* as the header says; 0: it does not */
	struct survey_cpu *cpus;             /* TRACE_MAX_CPUS */
	struct survey_task *all;             /* one for each pid */
	struct survey_task *top[SURVEY_TOP]; /* by run time */
	int nr_top;
};

/* Reads @path from @from_ns to @to_ns after its first event. @idle: name of a task that stands for
 * an idle CPU; may be NULL. 0 or -1 with @err. */
int trace_survey(struct arena *arena, const char *path, int64_t from_ns, int64_t to_ns,
	const char *idle, struct survey *survey, struct error *err);
