#include "sim/kernel/tick.h"

#include "sim/base/units.h"
#include "sim/kernel/rq.h"

static void tick_arm(struct rq *rq)
{
	int64_t tick_ns = rq->kernel->tick_ns;

	timer_arm(&rq->tick, (rq->kernel->engine->now_ns / tick_ns + 1) * tick_ns);
}

static void tick_fire(struct timer *timer)
{
	struct rq *rq = container_of(timer, struct rq, tick);

	if (rq->cpu->frozen) {
		timer_arm(timer, rq->cpu->frozen_until_ns);
		return;
	}
	if (rq->idle && rq->kernel->spec->nohz)
		return;
	rq->kernel->ticks++;
	tick_arm(rq);
	if (!rq->curr)
		return;
	rq_tick(rq);
	kernel_hook(rq->kernel, rq->cpu->id);
	/* Contention changes with every CPU that wakes or sleeps; it is looked at once a tick. */
	cpu_replan(rq->cpu);
}

void tick_start(struct rq *rq)
{
	if (!timer_armed(&rq->tick))
		tick_arm(rq);
}

void tick_init(struct rq *rq)
{
	timer_init(rq->kernel->engine, &rq->tick, ORDER_TICK, tick_fire);
}
