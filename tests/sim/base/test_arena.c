#include "sim/base/arena.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

Test(arena, pieces_are_zeroed_aligned_and_apart)
{
	struct arena arena = { 0 };
	char *last = NULL;

	cr_assert(eq(int, arena_try(&arena), 0));
	for (size_t size = 1; size < 5000; size += 37) {
		char *p = arena_alloc(&arena, size);

		cr_assert(eq(sz, (uintptr_t)p % alignof(max_align_t), 0));
		for (size_t i = 0; i < size; i++)
			cr_assert(eq(int, p[i], 0));
		memset(p, 0x5a, size);
		cr_assert(ne(ptr, p, last));
		last = p;
	}
	arena_free(&arena);
}

Test(arena, a_piece_larger_than_a_chunk_fits)
{
	struct arena arena = { 0 };

	cr_assert(eq(int, arena_try(&arena), 0));
	char *p = arena_alloc(&arena, 1234567);
	memset(p, 1, 1234567);
	char *q = arena_strdup(&arena, "acht");
	cr_assert(eq(str, q, "acht"));
	cr_assert(ge(sz, arena.used_bytes, 1234567 + 5));
	arena_free(&arena);
	cr_assert(eq(sz, arena.used_bytes, 0));
}

Test(arena, text_is_printed_whole)
{
	struct arena arena = { 0 };

	cr_assert(eq(int, arena_try(&arena), 0));
	char *text = arena_printf(&arena, "%s-%d%%", "load", 43);
	cr_assert(eq(str, text, "load-43%"));
	arena_free(&arena);
}

/* Each of these must jump back instead of returning. */
static int jumps(size_t nr, size_t size, size_t limit)
{
	struct arena arena = { .limit_bytes = limit };

	if (arena_try(&arena)) {
		arena_free(&arena);
		return 1;
	}
	arena_array(&arena, nr, size);
	arena_free(&arena);
	return 0;
}

Test(arena, no_memory_jumps_back_to_the_guard)
{
	cr_assert(eq(int, jumps(SIZE_MAX / 2, 3, 0), 1));
	cr_assert(eq(int, jumps(1, SIZE_MAX - 3, 0), 1));
	cr_assert(eq(int, jumps(1, 200000, 100000), 1));
	cr_assert(eq(int, jumps(3, 20000, 100000), 0));
	cr_assert(eq(int, jumps(0, 0, 0), 0));
}

Test(arena, a_limit_holds_over_many_small_pieces)
{
	struct arena arena = { .limit_bytes = 1000000 };
	volatile int taken = 0;

	if (!arena_try(&arena))
		for (;;) {
			arena_alloc(&arena, 977);
			taken++;
		}
	cr_assert(gt(int, taken, 800));
	cr_assert(le(sz, arena.used_bytes, 1000000));
	arena_free(&arena);
}
