#include "sim/kernel/tracepoint.h"

#include "sim/kernel/kernel.h"

void tracepoint_send(struct kernel *kernel, const struct tracepoint *record)
{
	struct tracepoint sent = *record;

	sent.t_ns = kernel->engine->now_ns;
	kernel->trace.sink(kernel->trace.arg, &sent);
}
