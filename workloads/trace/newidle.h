/*
 * How often a recorded CPU that ran out of work took a task that waited on another, and how often
 * it did not. Knows where new tasks were put and what each CPU switched to; knows no file format.
 *
 * Only tasks before their first turn count: others may not be moved for a while after they have run
 * (task_hot()). Nor does one that is put on an idle CPU, which it wakes.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "workloads/trace/script.h"

struct trace_newidle {
	int64_t looks; /* a CPU ran out of work while a task waited on another */
	int64_t pulls; /* and went on with such a task */
};

struct trace_put_cpu;

/* Tasks that wait for their first turn. */
struct trace_new_tasks {
	struct trace_put_cpu *cpus; /* TRACE_MAX_CPUS */
	int nr_cpus;                /* of these in use */
	int64_t epoch;              /* losses of events so far: who was put before is forgotten */
};

void trace_new_tasks_init(struct trace_new_tasks *tasks, struct arena *arena);
/* @task is born, and waits on @cpu. */
void trace_new_tasks_put(struct trace_new_tasks *tasks, struct trace_task *task, int cpu);
/* Events are missing: it is not known any more who waits. */
void trace_new_tasks_lost(struct trace_new_tasks *tasks);
/* @cpu goes on with @next. @rests: what ran before, a task, sleeps or has ended. @off: the CPU is
 * to idle, with no stand-in. */
void trace_new_tasks_switch(struct trace_new_tasks *tasks, struct trace_newidle *newidle, int cpu,
	struct trace_task *next, bool rests, bool off);
