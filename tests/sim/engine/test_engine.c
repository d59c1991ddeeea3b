#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include "sim/base/rng.h"
#include "sim/base/units.h"
#include "sim/engine/engine.h"

#define NR 2000

struct probe {
	struct timer timer;
	int id;
};

static struct engine engine;
static struct arena arena;
static struct probe probes[NR];
static int order[4 * NR];
static int64_t times[4 * NR];
static int nr_fired;

static void note(struct timer *timer)
{
	order[nr_fired] = container_of(timer, struct probe, timer)->id;
	times[nr_fired++] = engine.now_ns;
}

static void note_and_again(struct timer *timer)
{
	note(timer);
	if (nr_fired < 5)
		timer_arm(timer, engine.now_ns + 43815);
}

static void setup_nr(int nr, void (*fire)(struct timer *))
{
	cr_assert(not(arena_try(&arena)));
	for (int i = 0; i < nr; i++) {
		probes[i].id = i;
		timer_init(&engine, &probes[i].timer, ORDER_WAKE, fire);
	}
	engine_start(&engine, &arena);
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(engine, .fini = teardown);

Test(engine, timers_fire_in_order_of_time)
{
	setup_nr(3, note);
	timer_arm(&probes[0].timer, 1885000);
	timer_arm(&probes[1].timer, 43815);
	timer_arm(&probes[2].timer, 258730486);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(int, nr_fired, 3));
	cr_assert(eq(int, order[0], 1));
	cr_assert(eq(int, order[1], 0));
	cr_assert(eq(int, order[2], 2));
	cr_assert(eq(i64, engine.now_ns, 258730486));
}

Test(engine, the_order_class_decides_on_one_nanosecond)
{
	cr_assert(not(arena_try(&arena)));
	timer_init(&engine, &probes[0].timer, ORDER_PROBE, note);
	timer_init(&engine, &probes[1].timer, ORDER_TICK, note);
	timer_init(&engine, &probes[2].timer, ORDER_CLOCK, note);
	timer_init(&engine, &probes[3].timer, ORDER_DONE, note);
	engine_start(&engine, &arena);
	for (int i = 0; i < 4; i++) {
		probes[i].id = i;
		timer_arm(&probes[i].timer, 4000000);
	}
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(int, order[0], 2));
	cr_assert(eq(int, order[1], 3));
	cr_assert(eq(int, order[2], 1));
	cr_assert(eq(int, order[3], 0));
}

Test(engine, equals_fire_in_order_of_arming_and_moving_a_timer_arms_it_anew)
{
	setup_nr(3, note);
	for (int i = 0; i < 3; i++)
		timer_arm(&probes[i].timer, 10000);
	timer_arm(&probes[0].timer, 10000);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(int, order[0], 1));
	cr_assert(eq(int, order[1], 2));
	cr_assert(eq(int, order[2], 0));
}

Test(engine, a_cancelled_timer_does_not_fire)
{
	setup_nr(2, note);
	timer_arm(&probes[0].timer, 510);
	timer_arm(&probes[1].timer, 345);
	timer_cancel(&probes[1].timer);
	timer_cancel(&probes[1].timer);
	cr_assert(not(timer_armed(&probes[1].timer)));
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(int, nr_fired, 1));
	cr_assert(eq(int, order[0], 0));
}

Test(engine, a_timer_may_arm_itself_again)
{
	setup_nr(1, note_and_again);
	timer_arm(&probes[0].timer, 0);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(int, nr_fired, 5));
	cr_assert(eq(i64, times[4], 4 * 43815));
	cr_assert(eq(u64, engine.fired, 5));
}

Test(engine, a_run_stops_at_its_limit_and_can_go_on)
{
	setup_nr(2, note);
	timer_arm(&probes[0].timer, 1000);
	timer_arm(&probes[1].timer, 3000);
	engine_run(&engine, 2999);
	cr_assert(eq(int, nr_fired, 1));
	cr_assert(eq(i64, engine.now_ns, 2999));
	engine_run(&engine, 3000);
	cr_assert(eq(int, nr_fired, 2));
}

Test(engine, thousands_of_timers_armed_moved_and_cancelled_fire_sorted)
{
	struct rng rng;
	int cancelled = 0;

	setup_nr(NR, note);
	rng_set(&rng, 1885, 43);
	for (int i = 0; i < NR; i++)
		timer_arm(&probes[i].timer, rng_below(&rng, 1000000));
	for (int i = 0; i < NR; i++) {
		struct timer *timer = &probes[rng_below(&rng, NR)].timer;

		if (i % 3) {
			timer_arm(timer, rng_below(&rng, 1000000));
		} else if (timer_armed(timer)) {
			timer_cancel(timer);
			cancelled++;
		}
	}
	size_t armed = engine.nr;
	engine_run(&engine, NEVER_NS);
	cr_assert(gt(int, cancelled, 100));
	cr_assert(eq(sz, (size_t)nr_fired, armed));
	for (int i = 1; i < nr_fired; i++)
		cr_assert(le(i64, times[i - 1], times[i]));
}

Test(engine, a_million_timers_fit)
{
	const size_t nr = 1000000;

	cr_assert(not(arena_try(&arena)));
	struct probe *many = arena_array(&arena, nr, sizeof(*many));
	for (size_t i = 0; i < nr; i++)
		timer_init(&engine, &many[i].timer, ORDER_WAKE, note);
	engine_start(&engine, &arena);
	size_t used = arena.used_bytes;
	for (size_t i = 0; i < nr; i++)
		timer_arm(&many[i].timer, (int64_t)(i * 7919 % nr));
	for (size_t i = 3; i < nr; i++)
		timer_cancel(&many[i].timer);
	engine_run(&engine, NEVER_NS);
	cr_assert(eq(int, nr_fired, 3));
	cr_assert(eq(sz, arena.used_bytes, used));
}
