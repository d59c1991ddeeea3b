/*
 * Linux as this run has it: run queues, tasks, policies, and the rules its version gives. The hub
 * that the files of this room share; knows no plug-in by name.
 */
#pragma once

#include "sim/base/rng.h"
#include "sim/engine/engine.h"
#include "sim/hw/machine.h"
#include "sim/kernel/cpufreq.h"
#include "sim/kernel/kernel_spec.h"
#include "sim/kernel/task.h"

struct rq;
struct workload_ctx;

struct kernel {
	const struct kernel_spec *spec;
	struct engine *engine;
	struct machine *machine;
	struct rq *rqs; /* one per CPU */
	struct policy *policies;
	int nr_policies;
	struct policy **policy_of_cpu;
	struct workload_ctx *workload_ctx;
	void (*next)(struct workload_ctx *ctx, struct task *task, void *step);

	struct task *pool; /* free tasks */
	size_t pool_size;
	int64_t leading;   /* leading tasks alive; the run ends at 0 */
	struct rq *resched; /* run queues to schedule after this event, in order of request */
	struct rq *resched_last;
	int64_t nr_waiting; /* runnable tasks that do not run */

	int64_t user_ns, sys_ns; /* of charged tasks that have exited or run */
	int64_t switches, wakeups, forks, migrations, ticks;
};
