#include "workloads/trace/script.h"

struct trace_op *trace_op_add(struct arena *arena, struct trace_task *task, enum trace_op_kind kind)
{
	struct trace_op *op = arena_alloc(arena, sizeof(*op));

	op->kind = kind;
	op->cpu = -1;
	if (task->last)
		task->last->next = op;
	else
		task->first = op;
	task->last = op;
	return op;
}
