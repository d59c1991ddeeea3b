#include "sim/cmd_trace.h"

#include <errno.h>
#include <string.h>

#include "sim/report/stats_tree.h"
#include "sim/report/turbostat.h"

bool cmd_trace_wanted(const struct cmd_trace *trace)
{
	for (int i = 0; i < CMD_TRACE_KINDS; i++)
		if (trace->paths[i])
			return true;
	return false;
}

static int open_files(struct cmd_env *env, struct cmd_trace *trace)
{
	for (int i = 0; i < CMD_TRACE_STATS; i++) {
		if (!trace->paths[i])
			continue;
		trace->files[i] = fopen(trace->paths[i], "wb");
		if (!trace->files[i])
			return error_set(env->err, ERROR_RUN, "%s cannot be written: %s",
				trace->paths[i], strerror(errno));
	}
	return 0;
}

int cmd_trace_start(struct cmd_env *env, struct cmd_trace *trace, struct run *run)
{
	struct kernel *kernel = &run->kernel;
	FILE **files = trace->files;

	if (open_files(env, trace) < 0)
		return -1;
	if (files[CMD_TRACE_FTRACE]) {
		ftrace_start(&trace->ftrace, env->arena, kernel, files[CMD_TRACE_FTRACE]);
		taps_add(&trace->taps, env->arena, kernel,
			(struct tap){ ftrace_take, ftrace_sample, &trace->ftrace });
	}
	if (files[CMD_TRACE_PSTATE]) {
		pstate_csv_start(files[CMD_TRACE_PSTATE]);
		taps_add(&trace->taps, env->arena, kernel,
			(struct tap){ NULL, pstate_csv_row, files[CMD_TRACE_PSTATE] });
	}
	if (files[CMD_TRACE_TASKS]) {
		task_log_start(&trace->tasks, env->arena, files[CMD_TRACE_TASKS]);
		taps_add(&trace->taps, env->arena, kernel,
			(struct tap){ task_log_take, NULL, &trace->tasks });
	}
	if (files[CMD_TRACE_COUNTS]) {
		event_counts_start(&trace->counts, env->arena, kernel);
		taps_add(&trace->taps, env->arena, kernel,
			(struct tap){ event_counts_take, NULL, &trace->counts });
	}
	return 0;
}

int cmd_trace_end(struct cmd_env *env, struct cmd_trace *trace, struct run *run)
{
	FILE **files = trace->files;
	int result = 0;

	if (files[CMD_TRACE_FTRACE])
		ftrace_end(&trace->ftrace);
	if (files[CMD_TRACE_COUNTS])
		event_counts_write(files[CMD_TRACE_COUNTS], &trace->counts);
	if (files[CMD_TRACE_TURBOSTAT])
		turbostat_write(files[CMD_TRACE_TURBOSTAT], run);
	for (int i = 0; i < CMD_TRACE_KINDS; i++) {
		if (!files[i])
			continue;
		bool failed = ferror(files[i]);
		failed |= fclose(files[i]) != 0;
		files[i] = NULL;
		if (failed)
			result = error_set(
				env->err, ERROR_RUN, "%s could not be written", trace->paths[i]);
	}
	if (result == 0 && trace->paths[CMD_TRACE_STATS])
		result = stats_tree_write(trace->paths[CMD_TRACE_STATS], run, env->err);
	return result;
}
