/*
 * The clocks of a run queue: raw, without interrupts, and the one load tracking runs on, which
 * goes slower on a small or slow CPU and catches up while it idles. Knows time, not tasks. ns.
 *
 * Follows update_rq_clock_task() of kernel/sched/core.c and kernel/sched/pelt.h of 5.10 to 6.12.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct rq_clock {
	uint64_t clock_ns;
	uint64_t task_ns;
	uint64_t pelt_ns;
	uint64_t lost_idle_ns;
	uint64_t prev_irq_ns;
};

/* Scales in force at an update; they apply to all of the time since the one before. */
struct rq_scale {
	uint64_t cpu, freq; /* 0..1024 */
};

/* Advances raw and task clock by @delta_ns, of which interrupts took up to @irq_time_ns (the CPU's
 * total) has grown. Returns the ns that interrupts took. */
uint64_t rq_clock_advance(struct rq_clock *clock, uint64_t delta_ns, uint64_t irq_time_ns);
/* Advances the PELT clock by @delta_ns of task time. Follows update_rq_clock_pelt(). */
void rq_clock_advance_pelt(
	struct rq_clock *clock, uint64_t delta_ns, bool idle, struct rq_scale scale);
/* What the signals see. Follows rq_clock_pelt(). */
uint64_t rq_clock_pelt_ns(const struct rq_clock *clock);

/* The idle task comes next. Time that a saturated CPU could not give back is lost. @util_sum: of
 * the fair, real-time and deadline signals together. @sync: the PELT clock catches up at once
 * (6.1), not at the next update (5.10). Follows update_idle_rq_clock_pelt(). */
void rq_clock_enter_idle(struct rq_clock *clock, uint32_t util_sum, bool sync);
