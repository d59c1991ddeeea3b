/*
 * The event engine: a clock in int64_t ns, intrusive timers and a heap. Knows time, not CPUs.
 *
 * A timer lives inside its owner and is re-armed for ever. All timers are made while the run is
 * built (timer_init), then the heap is allocated once (engine_start): there is no limit on their
 * number and no allocation during a run. The heap compares one integer key that holds time, order
 * class (order.h) and arming number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"
#include "sim/engine/order.h"

struct engine;

struct timer {
	void (*fire)(struct timer *timer);
	struct engine *engine;
	int64_t when_ns; /* while armed */
	uint32_t slot;   /* 1-based place in the heap; 0 = not armed */
	uint8_t order;   /* enum order_class */
};

__extension__ typedef unsigned __int128 engine_key;

struct engine_entry {
	engine_key key;
	struct timer *timer;
};

struct engine {
	int64_t now_ns;
	uint64_t armed; /* arming number of the next timer_arm() */
	uint64_t fired; /* events so far */
	size_t nr;      /* entries of the heap: armed timers, and the hole */
	size_t nr_max;  /* timers made */
	bool stop;
	bool hole; /* the first entry is the timer that fires now; the next armed takes its place */
	struct engine_entry *heap;
	void (*settle)(void *arg); /* called after every event; may be NULL */
	void *settle_arg;
};

/* Build: every timer once, then the heap. */
void timer_init(struct engine *engine, struct timer *timer, enum order_class order,
	void (*fire)(struct timer *timer));
void engine_start(struct engine *engine, struct arena *arena);

/* Arms at @when_ns (>= now); an armed timer is moved. */
void timer_arm(struct timer *timer, int64_t when_ns);
void timer_cancel(struct timer *timer);
static inline bool timer_armed(const struct timer *timer)
{
	return timer->slot != 0;
}

/* Timers that wait to fire. */
static inline size_t engine_pending(const struct engine *engine)
{
	return engine->nr - engine->hole;
}

/* Runs events in order until @until_ns (inclusive), until engine->stop, or until none is left. The
 * clock ends at the last event, or at @until_ns when that is earlier than the next one. */
void engine_run(struct engine *engine, int64_t until_ns);
