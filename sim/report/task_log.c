#include "sim/report/task_log.h"

#include "sim/base/units.h"
#include "sim/kernel/task.h"

#define SLOTS 4096

struct task_log_entry {
	struct task_log_entry *next;
	int64_t pid;
	bool awake, ran, finished;
	int64_t woken_ns, start_ns, end_ns; /* of the activation under way, or the last */
	int64_t before_ns;                  /* start of the one before */
};

void task_log_start(struct task_log *log, struct arena *arena, FILE *out)
{
	*log = (struct task_log){ .out = out, .arena = arena };
	log->tasks = arena_array(arena, SLOTS, sizeof(*log->tasks));
	fputs("#idx perf run period start end rel_st slack c_duration c_period wu_lat thread\n",
		out);
}

static struct task_log_entry *entry_of(struct task_log *log, const struct task *task)
{
	struct task_log_entry **slot = &log->tasks[task->pid % SLOTS];

	for (struct task_log_entry *e = *slot; e; e = e->next)
		if (e->pid == task->pid)
			return e;
	struct task_log_entry *added = arena_alloc(log->arena, sizeof(*added));
	added->pid = task->pid;
	added->before_ns = -1;
	added->next = *slot;
	*slot = added;
	return added;
}

static long long us(int64_t ns)
{
	return (long long)(ns / NSEC_PER_USEC);
}

/* The activation before is complete once it is known how long the task waited after it. */
static void put(
	struct task_log *log, const struct task *task, struct task_log_entry *e, int64_t slack_ns)
{
	if (!e->finished)
		return;
	fprintf(log->out, "%lld 0 %lld %lld %lld %lld %lld %lld 0 0 %lld %.15s-%lld\n",
		(long long)task->pid, us(e->end_ns - e->start_ns),
		e->before_ns < 0 ? 0 : us(e->start_ns - e->before_ns), us(e->start_ns),
		us(e->end_ns), us(e->start_ns), us(slack_ns), us(e->start_ns - e->woken_ns),
		task->name ? task->name : "task", (long long)task->pid);
	e->before_ns = e->start_ns;
	e->finished = false;
}

void task_log_take(void *arg, const struct tracepoint *record)
{
	struct task_log *log = arg;
	const struct task *task = record->task;
	struct task_log_entry *e;

	if (!task)
		return;
	e = entry_of(log, task);
	switch (record->kind) {
	case TRACEPOINT_WAKEUP:
	case TRACEPOINT_FORK:
		put(log, task, e, record->t_ns - e->end_ns);
		e->woken_ns = record->t_ns;
		e->awake = true;
		e->ran = false;
		break;
	case TRACEPOINT_RUN:
		if (e->awake && !e->ran)
			e->start_ns = record->t_ns;
		e->ran = true;
		break;
	case TRACEPOINT_LEAVE:
		if (!e->awake || task->state == TASK_RUNNABLE || task->state == TASK_THROTTLED)
			break;
		e->end_ns = record->t_ns;
		e->awake = false;
		e->finished = true;
		/* One that ends waits for nothing any more. */
		if (task->state == TASK_RUNNING)
			put(log, task, e, 0);
		break;
	case TRACEPOINT_WAKING:
	case TRACEPOINT_EXIT:
	case TRACEPOINT_FREQUENCY:
	case TRACEPOINT_LIMITS:
	case TRACEPOINT_IDLE:
		break;
	}
}
