#include "sim/engine/engine.h"

#include <assert.h>

/* A four-way heap: half the depth of a binary one, and four children share two cache lines. */
#define ARITY 4

void timer_init(struct engine *engine, struct timer *timer, enum order_class order,
	void (*fire)(struct timer *timer))
{
	assert(!engine->heap);
	*timer = (struct timer){ .fire = fire, .engine = engine, .order = (uint8_t)order };
	engine->nr_max++;
}

void engine_start(struct engine *engine, struct arena *arena)
{
	assert(!engine->heap);
	engine->heap = arena_array(arena, engine->nr_max + 1, sizeof(*engine->heap));
}

/* Time in the upper half; below it the order class and 60 bits of arming number. */
static engine_key key_of(const struct timer *timer, uint64_t arming)
{
	return (engine_key)(uint64_t)timer->when_ns << 64 | (uint64_t)timer->order << 60 | arming;
}

static void heap_put(struct engine *engine, size_t i, struct engine_entry entry)
{
	engine->heap[i] = entry;
	entry.timer->slot = (uint32_t)i + 1;
}

static size_t heap_up(struct engine *engine, size_t i, struct engine_entry entry)
{
	while (i > 0) {
		size_t parent = (i - 1) / ARITY;

		if (engine->heap[parent].key < entry.key)
			break;
		heap_put(engine, i, engine->heap[parent]);
		i = parent;
	}
	return i;
}

static size_t heap_least_child(const struct engine *engine, size_t i)
{
	size_t first = i * ARITY + 1, last = first + ARITY, least = first;

	if (last > engine->nr)
		last = engine->nr;
	for (size_t c = first + 1; c < last; c++)
		if (engine->heap[c].key < engine->heap[least].key)
			least = c;
	return least;
}

static size_t heap_down(struct engine *engine, size_t i, struct engine_entry entry)
{
	while (i * ARITY + 1 < engine->nr) {
		size_t child = heap_least_child(engine, i);

		if (entry.key < engine->heap[child].key)
			break;
		heap_put(engine, i, engine->heap[child]);
		i = child;
	}
	return i;
}

static void heap_settle(struct engine *engine, size_t i, struct engine_entry entry)
{
	size_t up = heap_up(engine, i, entry);

	heap_put(engine, up == i ? heap_down(engine, i, entry) : up, entry);
}

void timer_arm(struct timer *timer, int64_t when_ns)
{
	struct engine *engine = timer->engine;

	assert(when_ns >= engine->now_ns);
	assert(engine->nr <= engine->nr_max);
	timer->when_ns = when_ns;
	struct engine_entry entry = { key_of(timer, engine->armed++), timer };
	if (timer->slot) {
		heap_settle(engine, timer->slot - 1, entry);
	} else if (engine->hole) {
		engine->hole = false;
		heap_put(engine, heap_down(engine, 0, entry), entry);
	} else {
		heap_put(engine, heap_up(engine, engine->nr++, entry), entry);
	}
}

static void heap_remove(struct engine *engine, size_t i)
{
	struct engine_entry last = engine->heap[--engine->nr];

	if (i < engine->nr)
		heap_settle(engine, i, last);
}

void timer_cancel(struct timer *timer)
{
	if (!timer->slot)
		return;
	heap_remove(timer->engine, timer->slot - 1);
	timer->slot = 0;
}

void engine_run(struct engine *engine, int64_t until_ns)
{
	while (!engine->stop && engine->nr > 0) {
		struct timer *timer = engine->heap[0].timer;

		if (timer->when_ns > until_ns) {
			engine->now_ns = until_ns;
			return;
		}
		assert(timer->when_ns >= engine->now_ns);
		engine->now_ns = timer->when_ns;
		/* Its entry stays, first of all, until something takes its place: most events arm a
		 * timer, and one walk down the heap is saved. */
		timer->slot = 0;
		engine->hole = true;
		engine->fired++;
		timer->fire(timer);
		if (engine->settle)
			engine->settle(engine->settle_arg);
		if (engine->hole) {
			engine->hole = false;
			heap_remove(engine, 0);
		}
	}
}
