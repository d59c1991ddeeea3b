/*
 * Bytes damaged at random, but the same way for the same stream of random numbers: bytes changed,
 * pieces cut, doubled, and put in that mean something to the reader. Knows no format.
 */
#pragma once

#include <stddef.h>

#include "sim/base/rng.h"

#define DAMAGE_COPY_MAX 4096

struct damaged {
	unsigned char *bytes;
	size_t len, room;
	const char *const *pieces; /* ends with "" */
	size_t copy_max; /* longest piece of it that is put elsewhere; to DAMAGE_COPY_MAX */
};

void damage(struct damaged *d, struct rng *rng);
/* 0..@n - 1; 0 when @n is. */
size_t damage_below(struct rng *rng, size_t n);
