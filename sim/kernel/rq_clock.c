#include "sim/kernel/pelt.h"
#include "sim/kernel/rq_clock.h"

#define SHIFT 10

uint64_t rq_clock_advance(struct rq_clock *clock, uint64_t delta_ns, uint64_t irq_time_ns)
{
	uint64_t irq_ns = irq_time_ns - clock->prev_irq_ns;

	clock->clock_ns += delta_ns;
	if (irq_ns > delta_ns)
		irq_ns = delta_ns;
	clock->prev_irq_ns += irq_ns;
	clock->task_ns += delta_ns - irq_ns;
	return irq_ns;
}

void rq_clock_advance_pelt(
	struct rq_clock *clock, uint64_t delta_ns, bool idle, struct rq_scale scale)
{
	if (idle) {
		clock->pelt_ns = clock->task_ns;
		return;
	}
	/* Two truncations, the capacity first. */
	delta_ns = delta_ns * scale.cpu >> SHIFT;
	delta_ns = delta_ns * scale.freq >> SHIFT;
	clock->pelt_ns += delta_ns;
}

uint64_t rq_clock_pelt_ns(const struct rq_clock *clock)
{
	return clock->pelt_ns - clock->lost_idle_ns;
}

void rq_clock_enter_idle(struct rq_clock *clock, uint32_t util_sum, bool sync)
{
	const uint32_t saturated = (PELT_MIN_DIVIDER << SHIFT) - PELT_MAX;

	if (util_sum >= saturated)
		clock->lost_idle_ns += clock->task_ns - clock->pelt_ns;
	if (sync)
		clock->pelt_ns = clock->task_ns;
}
