/*
 * All memory of a run, taken piece by piece while it is built and freed at once. Knows sizes, not
 * contents.
 *
 * Memory comes zeroed and aligned for any type. When the system has none left, or the limit is
 * reached, the arena jumps back to the arena_try() that guards the build: nothing between needs to
 * look at a null pointer. Outside an arena_try() an allocation must not be made.
 */
#pragma once

#include <setjmp.h>
#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks;
	size_t used_bytes;  /* handed out so far */
	size_t limit_bytes; /* 0: no limit */
	jmp_buf out_of_memory;
};

/* Evaluates to 0, and a second time to 1 when an allocation below it fails. Locals that changed
 * in between must be volatile. */
#define arena_try(arena) setjmp((arena)->out_of_memory)

void *arena_alloc(struct arena *arena, size_t size);
/* @nr things of @size bytes; a product that overflows is out of memory. */
void *arena_array(struct arena *arena, size_t nr, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *arena);
