/*
 * Sets of CPUs. Knows numbers, not CPUs. A set is searched 64 CPUs at a time, so that looking for
 * an idle CPU among thousands costs little.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPUS_MAX 4096

struct cpumask {
	uint64_t words[CPUS_MAX / 64];
};

static inline void cpumask_set(struct cpumask *mask, int cpu)
{
	mask->words[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

static inline void cpumask_clear(struct cpumask *mask, int cpu)
{
	mask->words[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

static inline void cpumask_assign(struct cpumask *mask, int cpu, bool in)
{
	if (in)
		cpumask_set(mask, cpu);
	else
		cpumask_clear(mask, cpu);
}

/* NULL stands for all CPUs. */
static inline bool cpumask_test(const struct cpumask *mask, int cpu)
{
	return !mask || (mask->words[cpu / 64] >> cpu % 64 & 1);
}

/* What of word @w lies in @from .. @end - 1. */
static inline uint64_t cpumask_word(
	const struct cpumask *a, const struct cpumask *b, int w, int from, int end)
{
	uint64_t bits = a->words[w];

	if (b)
		bits &= b->words[w];
	if (w == from / 64)
		bits &= UINT64_MAX << from % 64;
	if (w == end / 64)
		bits &= (UINT64_C(1) << end % 64) - 1;
	return bits;
}

/* The first CPU from @from on, below @end, that is in @a and in @b (NULL: all); -1: none. */
static inline int cpumask_next(const struct cpumask *a, const struct cpumask *b, int from, int end)
{
	for (int w = from / 64; w * 64 < end; w++) {
		uint64_t bits = cpumask_word(a, b, w, from, end);

		if (bits)
			return w * 64 + __builtin_ctzll(bits);
	}
	return -1;
}

/* How many CPUs of @from .. @end - 1 are in both. */
static inline int cpumask_count(const struct cpumask *a, const struct cpumask *b, int from, int end)
{
	int nr = 0;

	for (int w = from / 64; w * 64 < end; w++)
		nr += __builtin_popcountll(cpumask_word(a, b, w, from, end));
	return nr;
}
