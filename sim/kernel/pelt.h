/*
 * Per-entity load tracking: one signal, a geometric sum of how long something ran. Knows sums and
 * averages, not tasks or run queues (cfs_pelt.h).
 *
 * Times are ns. Inside, a "microsecond" is 1024 ns and a period 1024 of those; a period's weight
 * halves in 32 periods. Averages are 0..1024 for utilisation. Widths are the kernel's, because
 * their wraps are part of the result.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define PELT_PERIOD 1024
#define PELT_MAX 47742 /* sum of an endless run */
#define PELT_MIN_DIVIDER (PELT_MAX - PELT_PERIOD)

/* The two wide sums lie apart on purpose: side by side, compilers add to both with one wide load,
 * which then waits for the two stores of the decay; an update took twice as long. */
struct pelt {
	uint64_t last_update_ns;
	uint64_t load_sum;
	uint32_t util_sum;
	uint32_t period_contrib;
	uint64_t runnable_sum; /* up to 4.12: the run queue's runnable_load_sum */
	uint64_t load_avg, runnable_avg, util_avg;
};

/* What is added while an interval passes. The numbers multiply; running is yes or no. */
struct pelt_input {
	uint64_t load, runnable;
	bool running;
};

/* @value after @periods periods; not the identity for 0. Follows decay_load(). */
uint64_t pelt_decay(uint64_t value, uint64_t periods);
/* Sum of an interval that crosses @periods >= 1 boundaries, begins with @first of its old period
 * and ends with @last of a new one. Follows __accumulate_pelt_segments(). */
uint32_t pelt_segments(uint64_t periods, uint32_t first, uint32_t last);
/* Divider of the averages. Follows get_pelt_divider(). */
uint32_t pelt_divider(const struct pelt *pelt);

/* Brings the sums to @now_ns; true when a period ended, and only then averages may change. Follows
 * ___update_load_sum() and ___update_load_avg() of 5.10 to 6.12. */
bool pelt_update_sum(struct pelt *pelt, uint64_t now_ns, struct pelt_input in);
void pelt_update_avg(struct pelt *pelt, uint64_t weight);

/* Up to 4.12 the scales are applied to what is added, and the sums carry the weight. */
struct pelt_scaled_input {
	uint64_t weight; /* 0: not queued */
	bool running;
	bool run_queue; /* also keeps the runnable sum */
	uint64_t freq_scale, cpu_scale;
};

/* Sums and averages in one. Follow __update_load_avg() of 4.8 and ___update_load_avg() of 4.12. */
bool pelt_update_4_8(struct pelt *pelt, uint64_t now_ns, struct pelt_scaled_input in);
bool pelt_update_4_12(struct pelt *pelt, uint64_t now_ns, struct pelt_scaled_input in);
/* Sum of @periods whole periods. Follows __compute_runnable_contrib() of 4.8. */
uint32_t pelt_contrib_4_8(uint64_t periods);
