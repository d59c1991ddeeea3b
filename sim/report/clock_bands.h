/*
 * Clocks as a table or a figure can show them: each by itself while they are few, else in bands of
 * equal width. Knows kHz, not where they come from.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/arena.h"

#define CLOCK_BANDS 8

struct clock_bands {
	int64_t clocks_khz[CLOCK_BANDS]; /* ascending; each is a band unless there are too many */
	size_t nr;
	bool many;
	int64_t low_khz, high_khz;
};

/* Makes room for a clock; 0, idle, is none. All of them go before the first question. */
void clock_bands_add(struct clock_bands *bands, int64_t khz);
/* Which band a clock, one of those added, is in. */
size_t clock_bands_of(const struct clock_bands *bands, int64_t khz);
/* "1.2 GHz" or "1.2 to 1.4 GHz". */
const char *clock_bands_name(const struct clock_bands *bands, struct arena *arena, size_t band);
