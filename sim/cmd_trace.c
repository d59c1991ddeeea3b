#include "sim/cmd_trace.h"

#include <errno.h>
#include <string.h>

int cmd_trace_start(struct cmd_env *env, struct cmd_trace *trace, struct run *run)
{
	if (!trace->path)
		return 0;
	trace->file = fopen(trace->path, "wb");
	if (!trace->file)
		return error_set(env->err, ERROR_RUN, "%s cannot be written: %s", trace->path,
			strerror(errno));
	ftrace_start(&trace->ftrace, env->arena, &run->kernel, trace->file);
	return 0;
}

int cmd_trace_end(struct cmd_env *env, struct cmd_trace *trace)
{
	if (!trace->file)
		return 0;
	ftrace_end(&trace->ftrace);
	bool failed = ferror(trace->file);
	failed |= fclose(trace->file) != 0;
	trace->file = NULL;
	return failed ? error_set(env->err, ERROR_RUN, "%s could not be written", trace->path) : 0;
}
