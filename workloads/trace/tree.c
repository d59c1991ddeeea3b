#include "workloads/trace/tree.h"

#include <string.h>

#include "sim/base/str.h"
#include "sim/base/units.h"
#include "workloads/trace/period.h"

/* Between its marks a recorder starts the workload, and perhaps short commands of its own before
 * and after it: the workload is the child that lived longest. */
static struct trace_task *marked_root(struct trace_import *import, struct trace_marks marks)
{
	struct trace_task *root = NULL;
	int64_t longest_ns = -1;

	for (struct trace_task *task = import->tasks; task; task = task->next) {
		if (task->parent != marks.writer || task->idle || task->birth_ns < marks.start_ns ||
			task->birth_ns > marks.end_ns)
			continue;
		if (task->death_ns - task->birth_ns > longest_ns) {
			longest_ns = task->death_ns - task->birth_ns;
			root = task;
		}
	}
	return root;
}

static int no_root(
	struct trace_import *import, const char *path, const char *root, struct error *err)
{
	const char *names[256];
	size_t nr = 0;

	for (struct trace_task *task = import->tasks; task && nr < 256; task = task->next)
		if (task->comm[0])
			names[nr++] = task->comm;
	const char *nearest = str_nearest(root, names, nr);
	return error_set(err, ERROR_SCENARIO,
		"workload.root: %s: no task with the pid or name \"%s\"%s%s%s", path, root,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

static int find_root(struct trace_import *import, const char *path,
	const struct trace_options *options, struct trace_marks marks, struct error *err)
{
	const char *root = options->root;
	int64_t pid;

	import->root = NULL;
	if (strcmp(root, "all") == 0 || (strcmp(root, "auto") == 0 && !marks.writer))
		return 0;
	if (strcmp(root, "auto") == 0) {
		import->root = marked_root(import, marks);
		if (import->root)
			return 0;
		return error_at(err, ERROR_TRACE, (struct where){ .file = path },
			"has marks of a workload, but their writer starts no task between them; "
			"say which task to replay (root: PID or name) or root: all");
	}
	bool number = str_to_i64(root, UNIT_NONE, &pid) == 0;
	for (struct trace_task *task = import->tasks; task && !import->root; task = task->next)
		if (!task->idle && (task->named || (number && task->pid == pid)))
			import->root = task;
	return import->root ? 0 : no_root(import, path, root, err);
}

static void resolve_run(struct trace_op *op, struct trace_totals *totals,
	const struct trace_options *options, struct trace_clocks clocks)
{
	if (op->cpu >= 0) {
		int64_t khz = clocks.first_khz[op->cpu];

		totals->clock_assumed |= khz == 0;
		totals->clock_recorded |= khz != 0;
		op->u.work = trace_work(
			options, op->cpu, op->ns, khz ? khz : options->reference_khz);
		op->cpu = -1;
	} else {
		totals->clock_recorded = true;
	}
	totals->run_ns += op->ns;
	totals->work += op->u.work;
}

static void resolve_block(struct trace_op *op, struct trace_totals *totals)
{
	const struct trace_task *waker = op->u.wait.waker;

	if (op->ns < 0) { /* the recording ended first */
		op->kind = TRACE_OP_NONE;
		totals->open_blocks++;
	} else if (waker && waker->in_tree) {
		totals->edges++;
	} else if (op->ns == 0) {
		op->kind = TRACE_OP_NONE;
	} else if (op->u.wait.device && !waker) {
		op->kind = TRACE_OP_IO;
		totals->ios++;
	} else {
		op->kind = TRACE_OP_SLEEP;
		totals->sleeps++;
	}
}

static void resolve_task(struct trace_task *task, struct trace_totals *totals,
	const struct trace_options *options, struct trace_clocks clocks)
{
	for (struct trace_op *op = task->first; op; op = op->next) {
		switch (op->kind) {
		case TRACE_OP_RUN:
			resolve_run(op, totals, options, clocks);
			break;
		case TRACE_OP_SPAWN:
			if (op->u.child->in_tree)
				totals->forks++;
			else
				op->kind = TRACE_OP_NONE;
			break;
		case TRACE_OP_POST:
			if (!op->u.post.block || !op->u.post.sleeper->in_tree)
				op->kind = TRACE_OP_NONE;
			break;
		case TRACE_OP_BLOCK:
			resolve_block(op, totals);
			break;
		case TRACE_OP_NONE:
		case TRACE_OP_SLEEP:
		case TRACE_OP_IO:
		case TRACE_OP_UNTIL:
			break;
		}
	}
}

int trace_tree(struct arena *arena, struct trace_import *import, const char *path,
	const struct trace_options *options, struct trace_marks marks, struct trace_clocks clocks,
	int64_t start_ns, struct error *err)
{
	struct trace_totals *totals = &import->totals;

	if (find_root(import, path, options, marks, err))
		return -1;
	totals->first_ns = NEVER_NS;
	/* Parents stand before their children in the list. */
	for (struct trace_task *task = import->tasks; task; task = task->next) {
		bool child = task->parent && task->parent->in_tree;

		task->in_tree = !task->idle && (!import->root || task == import->root || child);
		if (!task->in_tree)
			continue;
		if (!import->root && !child)
			task->delay_ns = task->birth_ns - start_ns;
		totals->tasks++;
		totals->reniced += task->prio >= TRACE_PRIO_FAIR && task->prio != TRACE_PRIO_NORMAL;
		totals->urgent += task->prio < TRACE_PRIO_FAIR;
		totals->waits += task->waits;
		totals->wait_ns += task->wait_ns;
		totals->wait_max_ns = max_i64(totals->wait_max_ns, task->wait_max_ns);
		totals->first_ns = min_i64(totals->first_ns, task->birth_ns);
		totals->last_ns = max_i64(totals->last_ns, task->death_ns);
	}
	if (totals->tasks == 0)
		return error_at(err, ERROR_TRACE, (struct where){ .file = path },
			"has no task to replay: no event names one");
	import->machine.start_ns = import->root ? import->root->birth_ns : start_ns;
	trace_wakeups_mean(arena, &import->wakeups, import->machine.wake_ns);
	for (struct trace_task *task = import->tasks; task; task = task->next)
		if (task->in_tree) {
			resolve_task(task, totals, options, clocks);
			totals->beats += trace_period_find(arena, task, import->machine.start_ns);
		}
	return 0;
}
