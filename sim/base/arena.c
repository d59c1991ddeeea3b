#include "sim/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size;
	size_t used;
	alignas(max_align_t) char bytes[];
};

static void *chunk_take(struct arena_chunk *chunk, size_t size)
{
	void *p = chunk->bytes + chunk->used;

	chunk->used += size;
	return p;
}

static struct arena_chunk *arena_grow(struct arena *arena, size_t size)
{
	size_t bytes = size > CHUNK_BYTES ? size : CHUNK_BYTES;

	if (arena->limit_bytes && bytes > arena->limit_bytes - arena->used_bytes)
		longjmp(arena->out_of_memory, 1);
	/* calloc leaves large untouched pieces unmapped: a pool never used costs nothing. */
	struct arena_chunk *chunk = calloc(1, sizeof(*chunk) + bytes);
	if (!chunk)
		longjmp(arena->out_of_memory, 1);
	chunk->size = bytes;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return chunk;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = alignof(max_align_t);

	if (size > SIZE_MAX / 4)
		longjmp(arena->out_of_memory, 1);
	size = (size + align - 1) / align * align;
	struct arena_chunk *chunk = arena->chunks;
	if (!chunk || chunk->size - chunk->used < size)
		chunk = arena_grow(arena, size);
	arena->used_bytes += size;
	return chunk_take(chunk, size);
}

void *arena_array(struct arena *arena, size_t nr, size_t size)
{
	if (size && nr > SIZE_MAX / size)
		longjmp(arena->out_of_memory, 1);
	return arena_alloc(arena, nr * size);
}

char *arena_strdup(struct arena *arena, const char *text)
{
	size_t len = strlen(text) + 1;

	return memcpy(arena_alloc(arena, len), text, len);
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	size_t size = (size_t)(len < 0 ? 0 : len) + 1;
	char *text = arena_alloc(arena, size);
	va_start(ap, fmt);
	vsnprintf(text, size, fmt, ap);
	va_end(ap);
	return text;
}

void arena_free(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;

		free(arena->chunks);
		arena->chunks = next;
	}
	arena->used_bytes = 0;
}
