/*
 * What a run does, written beside it in the formats of other programs: the options that run and
 * replay share. Knows files and runs.
 */
#pragma once

#include "sim/cmd.h"
#include "sim/report/event_counts.h"
#include "sim/report/ftrace.h"
#include "sim/report/tap.h"
#include "sim/report/task_log.h"
#include "sim/run.h"

enum cmd_trace_kind {
	CMD_TRACE_FTRACE,
	CMD_TRACE_PSTATE,
	CMD_TRACE_TASKS,
	CMD_TRACE_COUNTS,
	CMD_TRACE_TURBOSTAT,
	CMD_TRACE_STATS,
	CMD_TRACE_KINDS
};

/* In the order of the kinds. */
/* clang-format off */
#define CMD_OPTIONS_TRACE                                                                         \
	{ "--trace", 0, "FILE", "write what happens as text of ftrace, to be imported" },         \
	{ "--pstate-csv", 0, "FILE", "write intel_pstate's samples as intel_pstate_tracer does" }, \
	{ "--rtapp-log", 0, "FILE", "write each activation of a task in the columns of rt-app" }, \
	{ "--event-counts", 0, "FILE", "write how often which event happened on which CPU" },     \
	{ "--turbostat", 0, "FILE", "write clocks, busy and idle shares of CPUs as turbostat" },  \
	{ "--stats", 0, "DIR", "write cpufreq's files of sysfs, stats/ among them, as a tree" }
/* clang-format on */

struct cmd_trace {
	const char *paths[CMD_TRACE_KINDS]; /* NULL: not wanted */
	FILE *files[CMD_TRACE_KINDS];
	struct taps taps;
	struct ftrace ftrace;
	struct task_log tasks;
	struct event_counts counts;
};

bool cmd_trace_wanted(const struct cmd_trace *trace);
/* Before run_execute(). 0 or -1 with env->err. */
int cmd_trace_start(struct cmd_env *env, struct cmd_trace *trace, struct run *run);
/* After it, whatever came of it. */
int cmd_trace_end(struct cmd_env *env, struct cmd_trace *trace, struct run *run);
