#include "sim/kernel/tick.h"

#include "sim/base/units.h"
#include "sim/kernel/rq.h"
#include "sim/kernel/speed.h"

int64_t tick_after_ns(const struct kernel *kernel, int64_t from_ns)
{
	int64_t since_ns = (from_ns + kernel->tick_phase_ns) % kernel->tick_ns;

	return from_ns - since_ns + kernel->tick_ns;
}

static void tick_arm(struct rq *rq)
{
	int64_t latency_ns = rq->kernel->spec->tick_latency_ns;
	int64_t late_ns = latency_ns ? rng_below(&rq->tick_rng, (uint32_t)latency_ns + 1) : 0;

	timer_arm(&rq->tick, tick_after_ns(rq->kernel, rq->kernel->engine->now_ns) + late_ns);
}

/* Now and then a busy CPU brings the load that sleeping tasks left on tickless idle ones up to date
 * (nohz_balancer_kick(), which wants more than LOAD_AVG_PERIOD, 32 ms, to have passed). */
static void refresh_idle_cpus(struct rq *rq)
{
	struct kernel *kernel = rq->kernel;
	int64_t now = kernel->engine->now_ns;
	int nr = kernel->machine->nr_cpus;

	if (now <= kernel->blocked_next_ns)
		return;
	kernel->blocked_next_ns = now + kernel->spec->blocked_period_ns;
	kernel->executing = rq;
	for (int i = cpumask_next(&kernel->blocked, NULL, 0, nr); i >= 0;
		i = cpumask_next(&kernel->blocked, NULL, i + 1, nr)) {
		struct rq *idle = &kernel->rqs[i];

		if (!idle->idle || idle->pelt.cfs.sig.util_avg == 0) {
			cpumask_clear(&kernel->blocked, i);
			continue;
		}
		if (idle->cpu->frozen || idle_keeps_tick(idle))
			continue;
		rq_pelt_advance(idle, HOOK_SITE_BLOCKED);
		rq_pelt_blocked(&idle->pelt);
	}
	kernel->executing = NULL;
}

static void tick_fire(struct timer *timer)
{
	struct rq *rq = container_of(timer, struct rq, tick);

	if (rq->cpu->frozen) {
		timer_arm(timer, rq->cpu->frozen_until_ns);
		return;
	}
	if (rq->idle && !idle_keeps_tick(rq))
		return;
	rq->kernel->ticks++;
	tick_arm(rq);
	if (rq->idle) {
		idle_tick(rq);
		return;
	}
	speed_learn(rq);
	refresh_idle_cpus(rq);
	rq_tick(rq);
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
