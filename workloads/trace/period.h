/*
 * Which sleeps of a task end at times of their own, as those of a periodic timer do, and which last
 * for a while, however late they begin. Knows scripts, no events.
 */
#pragma once

#include "sim/base/arena.h"
#include "workloads/trace/script.h"

/* Turns TRACE_OP_SLEEP into TRACE_OP_UNTIL where the task keeps a beat. @base_ns: time of the
 * recording at which the replay starts. How many it turned. */
int64_t trace_period_find(struct arena *arena, struct trace_task *task, int64_t base_ns);
