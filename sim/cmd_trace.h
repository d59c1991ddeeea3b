/*
 * The option --trace: what a run does, written beside it. Knows files and runs.
 */
#pragma once

#include "sim/cmd.h"
#include "sim/report/ftrace.h"
#include "sim/run.h"

#define CMD_OPTION_TRACE                                                                     \
	{                                                                                    \
		"--trace", 0, "FILE", "write what happens as text of ftrace, to be imported" \
	}

struct cmd_trace {
	const char *path; /* NULL: nothing is written */
	FILE *file;
	struct ftrace ftrace;
};

/* Before run_execute(). 0 or -1 with env->err. */
int cmd_trace_start(struct cmd_env *env, struct cmd_trace *trace, struct run *run);
/* After it, whatever came of it. */
int cmd_trace_end(struct cmd_env *env, struct cmd_trace *trace);
