#include "sim/report/ftrace.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/kernel/rq.h"

#define COMM 24
/* Context of a line: interrupts off in the scheduler, in an interrupt, in a task. */
#define IN_SCHED "d..2."
#define IN_IRQ "d.h2."
#define IN_TASK "....."

/* A task by value: its memory may be another's when the line is written. */
struct who {
	int64_t pid;
	int prio;
	char comm[COMM];
};

struct ftrace_cpu {
	struct who curr;
	bool left; /* curr has gone, and who follows is not known yet */
	char state;
	int64_t khz;      /* as announced last */
	int64_t since_ns; /* told up to here what curr has done */
	uint64_t done;    /* work of the CPU until then, modulo 2^64 */
};

/* As the kernel counts: nice 0 is 120, real time is below 100, deadline tasks below 0. */
static int prio_of(const struct task *task)
{
	int nice = -20;

	if (task->class == TASK_DEADLINE)
		return -1;
	if (task->class != TASK_FAIR)
		return 99 - task->rt_priority;
	while (nice < 19 && nice_weight(nice) > task->weight)
		nice++;
	return 120 + nice;
}

/* Who has the CPU when nobody wants it. */
static struct who who_idles(const struct kernel *kernel, int cpu)
{
	struct who who = { .pid = kernel->rqs[cpu].idling.standin, .prio = 120 };

	if (who.pid)
		snprintf(who.comm, sizeof(who.comm), "idle-standin");
	else
		snprintf(who.comm, sizeof(who.comm), "swapper/%d", cpu);
	return who;
}

static struct who who_of(const struct task *task)
{
	struct who who = { 0 };

	who.pid = task->pid;
	who.prio = prio_of(task);
	/* As Linux names what the simulator calls by its kind alone. */
	if (task == &task->kernel->rqs[task->cpu].worker)
		snprintf(who.comm, sizeof(who.comm),
			strcmp(task->name, "sugov") == 0 ? "sugov:%d" : "kworker/%d:0", task->cpu);
	else
		snprintf(who.comm, sizeof(who.comm), "%.15s", task->name ? task->name : "task");
	return who;
}

static void head(const struct ftrace *ftrace, int cpu, const char *flags, int64_t t_ns)
{
	const struct who *who = &ftrace->cpus[cpu].curr;

	/* As on Linux a tick is at a multiple of its period: who reads it knows the next. */
	t_ns += ftrace->kernel->tick_phase_ns;
	fprintf(ftrace->out,
		"%16s-%-7lld [%03d] %s %5lld.%09lld: ", who->pid ? who->comm : "<idle>",
		(long long)who->pid, cpu, flags, (long long)(t_ns / NSEC_PER_SEC),
		(long long)(t_ns % NSEC_PER_SEC));
}

/* Work of a CPU since the start, in kHz x ns, the last nanosecond of a burst taken for whole. */
static uint64_t work_of(const struct ftrace *ftrace, int cpu)
{
	struct cpu *c = &ftrace->kernel->machine->cpus[cpu];

	cpu_account(c);
	return c->cycles * (uint64_t)WORK_PER_CYCLE + (uint64_t)(c->work_rest + c->work_cut);
}

/* Who reads the trace takes a task's cycles for its time at the announced frequency. Where it did
 * more or less a line of our own says so: the clock changes later than is announced, the governor
 * takes time inside the task's, and CPUs do not work equally much per clock. */
static void put_work(struct ftrace *ftrace, int cpu, int64_t t_ns)
{
	struct ftrace_cpu *c = &ftrace->cpus[cpu];
	uint64_t done = work_of(ftrace, cpu);
	int64_t more = (int64_t)(done - c->done) - (t_ns - c->since_ns) * c->khz;

	c->done = done;
	c->since_ns = t_ns;
	if (c->curr.pid == 0 || c->curr.pid == ftrace->kernel->rqs[cpu].idling.standin || more == 0)
		return;
	head(ftrace, cpu, IN_SCHED, t_ns);
	fprintf(ftrace->out, "cpufreqsim_work: cpu_id=%d %s=%lld\n", cpu,
		more < 0 ? "less" : "more", llabs(more));
}

static void put_switch(struct ftrace *ftrace, int cpu, int64_t t_ns, const struct who *next)
{
	struct ftrace_cpu *c = &ftrace->cpus[cpu];
	const char state[] = { c->state, '\0' };

	/* Who is put back and picked again has not been switched. */
	if (c->curr.pid != next->pid || c->state != 'R') {
		head(ftrace, cpu, IN_SCHED, t_ns);
		fprintf(ftrace->out,
			"sched_switch: prev_comm=%s prev_pid=%lld prev_prio=%d prev_state=%s ==> "
			"next_comm=%s next_pid=%lld next_prio=%d\n",
			c->curr.comm, (long long)c->curr.pid, c->curr.prio, state, next->comm,
			(long long)next->pid, next->prio);
	}
	c->curr = *next;
	c->left = false;
	c->state = 'R';
}

/* Who has left is not there when the next thing happens on its CPU: the CPU idles until then. */
static void settle(struct ftrace *ftrace, int cpu, int64_t t_ns)
{
	const struct who idle = who_idles(ftrace->kernel, cpu);

	if (ftrace->cpus[cpu].left && ftrace->cpus[cpu].state != 'R')
		put_switch(ftrace, cpu, t_ns, &idle);
}

static void take_leave(struct ftrace *ftrace, const struct tracepoint *r)
{
	struct ftrace_cpu *c = &ftrace->cpus[r->cpu];

	c->left = true;
	switch (r->task->state) {
	case TASK_RUNNABLE:
	case TASK_THROTTLED:
		c->state = 'R';
		break;
	case TASK_IOWAIT:
		c->state = 'D';
		break;
	case TASK_RUNNING: /* it ends */
		c->state = 'X';
		break;
	default:
		c->state = 'S';
		break;
	}
}

static void take_wake(struct ftrace *ftrace, const struct tracepoint *r, const char *event)
{
	struct who who = who_of(r->task);

	/* Woken before another has followed it: it has slept all the same. */
	for (int cpu = 0; cpu < ftrace->kernel->machine->nr_cpus; cpu++)
		if (ftrace->cpus[cpu].left && ftrace->cpus[cpu].curr.pid == who.pid)
			settle(ftrace, cpu, r->t_ns);
	settle(ftrace, r->cpu, r->t_ns);
	/* A wake-up is announced first, by whom it is. */
	if (r->kind != TRACEPOINT_WAKEUP) {
		ftrace->by_task = r->other != NULL;
		ftrace->sync = r->kind == TRACEPOINT_WAKING && r->value == WAKE_SYNC;
	}
	/* Whose waker waits soon is put on the waker's CPU, or looks for one from there on: where
	 * it is put does not always tell. */
	if (r->kind == TRACEPOINT_WAKEUP && ftrace->sync && r->target_cpu != r->cpu) {
		head(ftrace, r->cpu, IN_SCHED, r->t_ns);
		fprintf(ftrace->out, "cpufreqsim_sync: pid=%lld\n", (long long)who.pid);
	}
	head(ftrace, r->cpu, ftrace->by_task ? IN_SCHED : IN_IRQ, r->t_ns);
	fprintf(ftrace->out, "%s: comm=%s pid=%lld prio=%d target_cpu=%03d\n", event, who.comm,
		(long long)who.pid, who.prio, r->target_cpu);
}

static void take_fork(struct ftrace *ftrace, const struct tracepoint *r)
{
	const struct who parent = who_of(r->other), child = who_of(r->task);

	head(ftrace, r->cpu, IN_TASK, r->t_ns);
	fprintf(ftrace->out, "sched_process_fork: comm=%s pid=%lld child_comm=%s child_pid=%lld\n",
		parent.comm, (long long)parent.pid, child.comm, (long long)child.pid);
	take_wake(ftrace, r, "sched_wakeup_new");
}

static void put_frequency(struct ftrace *ftrace, int cpu, int64_t t_ns, int64_t khz)
{
	put_work(ftrace, cpu, t_ns);
	ftrace->cpus[cpu].khz = khz;
	head(ftrace, cpu, IN_SCHED, t_ns);
	fprintf(ftrace->out, "cpu_frequency: state=%lld cpu_id=%d\n", (long long)khz, cpu);
}

static void put_limits(struct ftrace *ftrace, const struct policy *policy, int64_t t_ns)
{
	head(ftrace, policy->cpu, IN_TASK, t_ns);
	fprintf(ftrace->out, "cpu_frequency_limits: min=%lld max=%lld cpu_id=%d\n",
		(long long)policy->min_khz, (long long)policy->max_khz, policy->cpu);
}

static void put_idle(struct ftrace *ftrace, const struct tracepoint *r)
{
	settle(ftrace, r->cpu, r->t_ns);
	/* Where a stand-in runs nothing idles. */
	if (ftrace->kernel->rqs[r->cpu].idling.standin)
		return;
	head(ftrace, r->cpu, IN_SCHED, r->t_ns);
	fprintf(ftrace->out, "cpu_idle: state=%lu cpu_id=%d\n",
		(unsigned long)(r->value < 0 ? UINT32_MAX : (uint32_t)r->value), r->cpu);
}

void ftrace_take(void *arg, const struct tracepoint *r)
{
	struct ftrace *ftrace = arg;
	struct who who;

	put_work(ftrace, r->cpu, r->t_ns);
	switch (r->kind) {
	case TRACEPOINT_LEAVE:
		take_leave(ftrace, r);
		break;
	case TRACEPOINT_RUN:
		who = r->task ? who_of(r->task) : who_idles(ftrace->kernel, r->cpu);
		put_switch(ftrace, r->cpu, r->t_ns, &who);
		break;
	case TRACEPOINT_WAKING:
		take_wake(ftrace, r, "sched_waking");
		break;
	case TRACEPOINT_WAKEUP:
		take_wake(ftrace, r, "sched_wakeup");
		break;
	case TRACEPOINT_FORK:
		take_fork(ftrace, r);
		break;
	case TRACEPOINT_EXIT:
		who = who_of(r->task);
		head(ftrace, r->cpu, IN_TASK, r->t_ns);
		fprintf(ftrace->out, "sched_process_exit: comm=%s pid=%lld prio=%d\n", who.comm,
			(long long)who.pid, who.prio);
		break;
	case TRACEPOINT_FREQUENCY:
		for (int i = 0; i < r->policy->nr_cpus; i++)
			put_frequency(ftrace, r->policy->first_cpu + i, r->t_ns, r->khz);
		break;
	case TRACEPOINT_LIMITS:
		put_limits(ftrace, r->policy, r->t_ns);
		break;
	case TRACEPOINT_IDLE:
		put_idle(ftrace, r);
		break;
	}
}

void ftrace_start(struct ftrace *ftrace, struct arena *arena, struct kernel *kernel, FILE *out)
{
	int nr_cpus = kernel->machine->nr_cpus;

	*ftrace = (struct ftrace){ .out = out, .kernel = kernel };
	ftrace->cpus = arena_array(arena, (size_t)nr_cpus, sizeof(*ftrace->cpus));
	fprintf(out, "# tracer: nop\n#\n");
	fprintf(out, "#           TASK-PID     CPU#  |||||   TIMESTAMP     FUNCTION\n");
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		const struct policy *policy = kernel->policy_of_cpu[cpu];

		ftrace->cpus[cpu] = (struct ftrace_cpu){ .curr = who_idles(kernel, cpu),
			.state = 'R' };
		if (policy && policy->cur_khz > 0)
			put_frequency(ftrace, cpu, 0, policy->cur_khz);
	}
	for (int i = 0; i < kernel->nr_policies; i++)
		put_limits(ftrace, &kernel->policies[i], 0);
}

void ftrace_sample(void *arg, const struct pstate_row *row)
{
	struct ftrace *ftrace = arg;

	put_work(ftrace, row->cpu, row->t_ns);
	head(ftrace, row->cpu, IN_SCHED, row->t_ns);
	fprintf(ftrace->out,
		"pstate_sample: core_busy=%lld scaled=%lld from=%lld to=%lld mperf=%llu aperf=%llu "
		"tsc=%llu freq=%lld io_boost=%lld\n",
		(long long)row->core_busy, (long long)row->scaled, (long long)row->from,
		(long long)row->to, (unsigned long long)row->mperf, (unsigned long long)row->aperf,
		(unsigned long long)row->tsc, (long long)row->freq_khz, (long long)row->io_boost);
}

void ftrace_end(struct ftrace *ftrace)
{
	for (int cpu = 0; cpu < ftrace->kernel->machine->nr_cpus; cpu++)
		settle(ftrace, cpu, ftrace->kernel->engine->now_ns);
}
