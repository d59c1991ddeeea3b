/*
 * Frequency tables and the search for the entry that serves a request. Knows kHz and order, not
 * policies or costs. Follows include/linux/cpufreq.h and drivers/cpufreq/freq_table.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* L: lowest at or above the target. H: highest at or below. C: closest. The E bit (6.1) asks to
 * skip inefficient entries. */
enum relation {
	RELATION_L = 0,
	RELATION_H = 1,
	RELATION_C = 2,
	RELATION_E = 4,
};

enum freq_order { FREQ_UNSORTED, FREQ_ASCENDING, FREQ_DESCENDING };

#define FREQ_ENTRY_INVALID UINT32_MAX

struct freq_entry {
	uint32_t khz; /* FREQ_ENTRY_INVALID: skipped, but counted in the index */
	bool boost;
	bool inefficient;
};

struct freq_table {
	struct freq_entry *entries;
	int nr;
	enum freq_order order;
	bool efficiencies; /* any valid entry is inefficient */
};
