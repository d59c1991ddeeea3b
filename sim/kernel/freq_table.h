/*
 * Frequency tables and the search for the entry that serves a request; how often a policy wants to
 * be asked. Knows kHz and order, not policies or costs. Follows include/linux/cpufreq.h and
 * drivers/cpufreq/freq_table.c.
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

/* What a user or firmware allows a policy. min may exceed max: every search then ends at max. */
struct freq_limits {
	uint32_t min_khz, max_khz;
};

/* Sorts out what a table is: sets order and efficiencies. -1 when two neighbours are equal (order
 * stays unsorted). Follows set_freq_table_sorted(). */
int freq_table_sort(struct freq_table *table);

/* cpuinfo limits that a table gives, boost entries counting with @boost only. cpuinfo->max_khz
 * keeps what a driver preset when that is larger; @limits are the policy's first ones. -1 when no
 * entry is usable. Follows cpufreq_frequency_table_cpuinfo(). */
int freq_table_cpuinfo(const struct freq_table *table, bool boost, struct freq_limits *limits,
	struct freq_limits *cpuinfo);

/* Index of the entry that serves @khz in a table taken as sorted (an unsorted one is walked as if
 * descending), inefficient entries skipped with @efficient. -1 when none is usable. Follows
 * cpufreq_table_find_index_{l,h,c}(). */
int freq_table_find(const struct freq_table *table, uint32_t khz, struct freq_limits limits,
	unsigned relation, bool efficient);

/* The same by looking at every entry inside the limits, whatever the order; the target is not
 * clamped. -1 when no entry is inside. Follows cpufreq_table_index_unsorted(), and before 4.8
 * cpufreq_frequency_table_target(). */
int freq_table_find_unsorted(
	const struct freq_table *table, uint32_t khz, struct freq_limits limits, unsigned relation);

/* The search that kernel @version makes for a request; E counts when the table has inefficient
 * entries. From 4.8 on an unsorted table with nothing inside the limits gives index 0, before that
 * -1. Follows cpufreq_frequency_table_target(). */
int freq_table_target(const struct freq_table *table, uint32_t khz, struct freq_limits limits,
	unsigned relation, unsigned version);

/* Index of the first entry of exactly @khz, or -1. */
int freq_table_index(const struct freq_table *table, uint32_t khz);

/* A raw frequency made one that the policy can run, and what the policy remembers of it for a fast
 * switch: the clamped target and its entry. Without a table nothing is remembered. */
struct freq_resolution {
	uint32_t khz;
	uint32_t cached_khz;
	int cached_index;
};

/* @table may be NULL. Follows cpufreq_driver_resolve_freq(). */
struct freq_resolution freq_resolve(
	const struct freq_table *table, uint32_t khz, struct freq_limits limits, unsigned version);

/* What a driver is asked for when the hook itself switches. Follows
 * cpufreq_driver_fast_switch(). */
uint32_t freq_fast_switch_khz(uint32_t khz, struct freq_limits limits, unsigned version);

/* Forces @limits into [bounds.min, bounds.max]. Follows cpufreq_verify_within_limits(). */
void freq_limits_verify(struct freq_limits *limits, struct freq_limits bounds);

/* The same for a driver with a table: if no entry is left inside, the limits move to one (6.12:
 * downwards, before: upwards). Follows cpufreq_frequency_table_verify(). */
void freq_table_verify(const struct freq_table *table, struct freq_limits *limits,
	struct freq_limits cpuinfo, unsigned version);

/* A governor's request on its way to the driver. */
struct freq_request {
	const struct freq_table *table; /* NULL: the driver takes any frequency */
	struct freq_limits limits;
	uint32_t cur_khz;
	bool needs_limits; /* the driver wants to hear of equal requests (NEED_UPDATE_LIMITS) */
	unsigned version;
};

/* What comes of it: whether the driver is called, with which frequency and entry (-1: no table).
 * Follows __cpufreq_driver_target(). */
struct freq_outcome {
	bool driver_called;
	uint32_t khz;
	int index;
};

struct freq_outcome freq_request(
	const struct freq_request *request, uint32_t khz, unsigned relation);

/* Least time between requests that a policy wishes, from what its driver says. In 4.8 the driver
 * could not set one. Follows cpufreq_policy_transition_delay_us(). */
uint32_t freq_transition_delay_us(uint32_t latency_ns, uint32_t delay_us, unsigned version);
