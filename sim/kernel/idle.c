#include "sim/kernel/idle.h"

#include "sim/base/units.h"
#include "sim/kernel/eevdf.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/tick.h"

static bool is_ideal(const struct rq *rq)
{
	return rq->idling.cpuidle.governor == CPUIDLE_IDEAL;
}

static int64_t next_timer_ns(const struct rq *rq)
{
	int64_t when_ns = NEVER_NS;

	for (const struct task *task = rq->idling.timers; task; task = task->timer_next)
		when_ns = min_i64(when_ns, task->wake.when_ns);
	return when_ns == NEVER_NS ? NEVER_NS : when_ns - rq->kernel->engine->now_ns;
}

static void ask(struct rq *rq)
{
	const struct kernel *kernel = rq->kernel;
	struct idle_loop *loop = &rq->idling;
	int64_t now = kernel->engine->now_ns, timer_ns = next_timer_ns(rq);
	const struct cpuidle_query query = {
		.now_ns = now,
		.next_timer_ns = timer_ns,
		.next_tick_ns = min_i64(timer_ns, tick_after_ns(kernel, now) - now),
		.tick_ns = kernel->tick_ns,
		.tick_stopped = loop->tick_stopped,
		.nr_iowait = rq->nr_iowait,
	};
	struct cpuidle_choice choice = cpuidle_select(&loop->cpuidle, &query);

	if (choice.stop_tick && kernel->spec->nohz) {
		loop->tick_stopped = true;
		rq->idle_calls++;
		timer_cancel(&rq->tick);
	} else {
		tick_start(rq);
	}
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_IDLE, .cpu = rq->cpu->id, .value = choice.state);
	cpu_idle(rq->cpu, choice.state);
}

void idle_enter(struct rq *rq)
{
	rq->idling.waking = rq->idling.awake = rq->idling.by_other = rq->idling.by_fork = false;
	if (!is_ideal(rq)) {
		ask(rq);
		return;
	}
	/* The tick lapses when it next fires. */
	rq->idle_calls += rq->kernel->spec->nohz != 0;
	TRACEPOINT(rq->kernel, .kind = TRACEPOINT_IDLE, .cpu = rq->cpu->id);
	cpu_idle(rq->cpu, CPU_STATE_IDEAL);
}

/* A new task does not preempt what spins there. A tick makes way for it, from 6.6 on one that finds
 * the stand-in's turn over: until then it is protected (RUN_TO_PARITY; update_curr()). */
static int64_t standin_ns(const struct rq *rq)
{
	int64_t now = rq->kernel->engine->now_ns, from_ns = now;

	if (rq->kernel->fair->eevdf)
		from_ns = max_i64(now, rq->idling.since_ns + eevdf_slice_ns(rq));
	return tick_after_ns(rq->kernel, from_ns) - now;
}

/* From the wake-up until something runs. */
static int64_t exit_ns(const struct rq *rq)
{
	const struct kernel *kernel = rq->kernel;
	int state = rq->idling.cpuidle.last_state;

	if (rq->idling.standin && rq->idling.by_fork)
		return standin_ns(rq);
	if (is_ideal(rq))
		return kernel->idle_wake_ns[rq->idling.by_other];
	if (state < 0)
		return 0;
	/* Microseconds times parts per million over a thousand are nanoseconds. */
	return rq->cpu->cstates[state].exit_latency_us * kernel->spec->exit_latency_ppm / 1000;
}

bool idle_exit(struct rq *rq)
{
	struct idle_loop *loop = &rq->idling;

	if (loop->awake)
		return true;
	int64_t latency_ns = exit_ns(rq);
	if (latency_ns == 0)
		return true;
	if (!loop->waking || loop->exit.when_ns > rq->kernel->engine->now_ns + latency_ns)
		timer_arm(&loop->exit, rq->kernel->engine->now_ns + latency_ns);
	loop->waking = true;
	return false;
}

static void exit_done(struct timer *timer)
{
	struct idle_loop *loop = container_of(timer, struct idle_loop, exit);
	struct rq *rq = container_of(loop, struct rq, idling);

	if (rq->cpu->frozen) {
		timer_arm(timer, rq->cpu->frozen_until_ns);
		return;
	}
	loop->waking = false;
	loop->awake = true;
	rq_resched(rq);
}

void idle_leave(struct rq *rq)
{
	rq->idling.tick_stopped = false;
	if (!is_ideal(rq))
		cpuidle_reflect(&rq->idling.cpuidle, rq->kernel->engine->now_ns, false);
}

bool idle_keeps_tick(const struct rq *rq)
{
	return !rq->kernel->spec->nohz || (!is_ideal(rq) && !rq->idling.tick_stopped);
}

void idle_tick(struct rq *rq)
{
	/* The tick wakes the CPU: it looks around and idles again. */
	if (is_ideal(rq) || rq->idling.waking)
		return;
	cpuidle_reflect(&rq->idling.cpuidle, rq->kernel->engine->now_ns, true);
	ask(rq);
}

void idle_park(struct rq *rq)
{
	struct idle_loop *loop = &rq->idling;

	timer_cancel(&loop->exit);
	timer_cancel(&rq->tick);
	loop->waking = loop->awake = loop->tick_stopped = false;
	cpu_idle(rq->cpu, (int)rq->kernel->machine->spec->nr_cstates - 1);
}

void idle_timers_move(struct rq *from, struct rq *to)
{
	while (from->idling.timers) {
		struct task *task = from->idling.timers;

		idle_timer_del(task);
		idle_timer_add(to, task);
	}
}

void idle_timer_add(struct rq *rq, struct task *task)
{
	task->timer_next = rq->idling.timers;
	task->timer_link = &rq->idling.timers;
	if (task->timer_next)
		task->timer_next->timer_link = &task->timer_next;
	rq->idling.timers = task;
}

void idle_timer_del(struct task *task)
{
	if (!task->timer_link)
		return;
	*task->timer_link = task->timer_next;
	if (task->timer_next)
		task->timer_next->timer_link = task->timer_link;
	task->timer_link = NULL;
}

void idle_init(struct rq *rq)
{
	cpuidle_init(&rq->idling.cpuidle, (enum cpuidle_governor)rq->kernel->spec->cpuidle,
		rq->cpu->cstates, rq->cpu->nr_cstates);
	timer_init(rq->kernel->engine, &rq->idling.exit, ORDER_WAKE, exit_done);
}
