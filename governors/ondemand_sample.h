/*
 * One sample of ondemand: from a load to a request and a delay. Pure: what it is given comes in,
 * what it wants comes out; it knows no clock, no driver and no cost. Frequencies are kHz; delays
 * are microseconds, before 4.6 jiffies. Follows drivers/cpufreq/cpufreq_ondemand.c.
 */
#pragma once

#include "governors/dbs.h"

/* How a load that is not above up_threshold becomes a frequency. */
enum ondemand_map {
	ONDEMAND_MAP_NEW,    /* proportional between cpuinfo min and max */
	ONDEMAND_MAP_OLD,    /* proportional to cpuinfo max: low loads all end at min */
	ONDEMAND_MAP_STEPS,  /* the new one in a few equal steps, rounded down */
	ONDEMAND_MAP_MINMAX, /* min only */
};

enum ondemand_shape {
	ONDEMAND_2620, /* lowers so that the load would be up_threshold - 10 */
	ONDEMAND_2639, /* the same by load times average frequency */
	ONDEMAND_MAP,  /* the load decides alone */
};

struct ondemand_rules {
	unsigned since; /* KVER() */
	enum ondemand_shape shape;
	enum ondemand_map map;
	unsigned map_relation; /* of a request by the map, without efficient */
	unsigned efficient;    /* RELATION_E or 0, in every request */
	bool bias_sorted;      /* powersave_bias searches the table as a sorted one */
	bool delay_us;         /* delays are microseconds */
};

const struct ondemand_rules *ondemand_rules(unsigned version);

enum ondemand_sample_type { ONDEMAND_NORMAL, ONDEMAND_SUB };

/* Tunables and state of a policy. dbs holds the tunables sampling_rate, io_is_busy and ignore_nice,
 * and the multiplier that sampling_down_factor sets. */
struct ondemand {
	const struct ondemand_rules *rules;
	struct dbs_setup dbs;
	uint32_t up_threshold, down_differential, sampling_down_factor, powersave_bias;
	enum ondemand_map map;
	uint32_t map_steps;
	bool map_steps_deadband; /* steps that lie in the old map's dead band give min */

	enum ondemand_sample_type sample_type; /* of the next sample */
	uint32_t freq_lo, freq_lo_delay, freq_hi_delay;
};

struct ondemand_input {
	struct dbs_policy policy;
	uint32_t average_khz; /* 2.6: as the driver measured it; 0: cur */
	uint64_t jiffies;     /* before 4.6 */
	bool align;           /* before 4.6: more than one CPU is online */
	bool delay_reset;     /* since 4.6: limits or sampling_rate were written */
};

/* Which rule decided. */
enum ondemand_reason {
	ONDEMAND_SKIPPED,    /* another CPU of the policy has just sampled */
	ONDEMAND_NO_TIME,    /* no time has passed: nothing */
	ONDEMAND_SUB_SAMPLE, /* second part of a powersave_bias period */
	ONDEMAND_TO_MAX,     /* above up_threshold */
	ONDEMAND_AT_MAX,     /* above up_threshold, and nothing above */
	ONDEMAND_BY_LOAD,
	ONDEMAND_AT_MIN,  /* 2.6: nothing below */
	ONDEMAND_IN_BAND, /* 2.6: neither busy nor idle enough */
};

struct ondemand_decision {
	enum ondemand_reason reason;
	struct dbs_request request;
	uint32_t delay;
};

/* A sample: true when it needs a load, which then goes to ondemand_decide(); otherwise @out is the
 * lower frequency of a powersave_bias period. */
bool ondemand_begin(
	struct ondemand *od, const struct ondemand_input *in, struct ondemand_decision *out);
struct ondemand_decision ondemand_decide(
	struct ondemand *od, const struct ondemand_input *in, struct dbs_load load);

/* The work of a CPU whose turn it is not: only the delay. */
struct ondemand_decision ondemand_skip(const struct ondemand *od, const struct ondemand_input *in);

/* The request for a load without a delay: what a change of limits does in 3.16. */
struct ondemand_decision ondemand_evaluate(
	struct ondemand *od, const struct ondemand_input *in, struct dbs_load load);

/* Frequency of the map for a load, before limits. */
uint32_t ondemand_map_khz(const struct ondemand *od, struct freq_limits cpuinfo, uint32_t load);
/* Where a steady @load ends: map or up_threshold, limits and table applied. 3.12 and later. */
uint32_t ondemand_steady_khz(
	const struct ondemand *od, const struct dbs_policy *policy, uint32_t load);
/* Every integer load below this ends at cpuinfo min. */
uint32_t ondemand_deadband_pct(const struct ondemand *od, struct freq_limits cpuinfo);

/* Writes to tunables, sampling_rate aside (dbs_write_rate()). 0, or -1 when the kernel rejects it;
 * a value may be limited instead. @restart: the load window begins anew, @nice with it. */
enum ondemand_tunable {
	ONDEMAND_SAMPLING_DOWN_FACTOR,
	ONDEMAND_POWERSAVE_BIAS,
	ONDEMAND_UP_THRESHOLD,
	ONDEMAND_IO_IS_BUSY,
	ONDEMAND_IGNORE_NICE,
};

struct ondemand_write {
	bool restart, nice;
};

int ondemand_write(struct ondemand *od, enum ondemand_tunable tunable, uint32_t value,
	struct ondemand_write *out);
