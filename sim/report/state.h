/*
 * What /sys/.../cpufreq/stats shows at the end of a run: time in each frequency and the changes
 * between them, as the kernel believes them (asked for, not what ran). A driver without a table has
 * whole percents of nominal for states.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

struct report;
struct result;
struct run;

/* One number of one policy: to_khz 0 is time spent in khz, else changes from khz to to_khz. */
struct state_count {
	int policy; /* its first CPU */
	int64_t khz, to_khz;
	int64_t value; /* ticks of 10 ms, or changes */
};

struct policy;

/* The frequency that a state of the statistics stands for. */
int64_t state_khz(const struct policy *policy, int state);

/* Keeps every number that is not 0. The result's arena must be under arena_try(). */
void state_collect(struct result *result, const struct run *run);

/* time_in_state and trans_table as tidy CSV. */
void state_write_time(FILE *out, const struct report *report);
void state_write_trans(FILE *out, const struct report *report);
