/*
 * One sample of conservative: from a load to a step up or down. Pure: what it is given comes in,
 * what it wants comes out; it knows no clock, no driver and no cost. Frequencies are kHz. Follows
 * drivers/cpufreq/cpufreq_conservative.c.
 */
#pragma once

#include "governors/dbs.h"

struct conservative_rules {
	unsigned since;       /* KVER() */
	unsigned efficient;   /* RELATION_E or 0, in every request */
	bool from_cur;        /* steps start at cur, nothing is remembered */
	bool repairs;         /* a remembered frequency outside the limits is dropped */
	bool follows_changes; /* the same, but when the frequency changes */
	bool decays;          /* steps down for periods that passed idle */
	bool exits_early;     /* at the limit nothing is asked for */
	bool step_keeps_min;  /* a step down ends at min, not below */
	bool limits_reset;    /* new limits set the remembered frequency to cur */
};

const struct conservative_rules *conservative_rules(unsigned version);

/* Which rule decided. */
enum conservative_reason {
	CONSERVATIVE_NO_STEP, /* freq_step is 0 */
	CONSERVATIVE_UP,      /* above up_threshold */
	CONSERVATIVE_AT_MAX,  /* the same, and nothing above */
	CONSERVATIVE_WAIT,    /* sampling_down_factor samples are not over */
	CONSERVATIVE_BAND,    /* not below down_threshold */
	CONSERVATIVE_DOWN,    /* below it */
	CONSERVATIVE_AT_MIN,  /* the same, and nothing below */
};

/* Tunables and state of a policy; dbs holds the tunables sampling_rate and ignore_nice. */
struct conservative {
	const struct conservative_rules *rules;
	struct dbs_setup dbs;
	uint32_t up_threshold, down_threshold, freq_step, sampling_down_factor;
	uint32_t requested_khz;          /* asked for last; 0 where nothing is remembered */
	uint32_t down_skip;              /* samples without a step up since the last look down */
	enum conservative_reason reason; /* of the last decision */
};

void conservative_start(struct conservative *cs, uint32_t cur_khz);
struct dbs_request conservative_decide(
	struct conservative *cs, const struct dbs_policy *policy, struct dbs_load load);
/* The limits of @policy are new and cur is inside them. */
void conservative_limits_changed(struct conservative *cs, const struct dbs_policy *policy);
/* The frequency changes to @khz. */
void conservative_changed(struct conservative *cs, const struct dbs_policy *policy, uint32_t khz);

/* Writes to tunables, sampling_rate aside (dbs_write_rate()). 0, or -1 when the kernel rejects it.
 * @restart: the load window begins anew. */
enum conservative_tunable {
	CONSERVATIVE_SAMPLING_DOWN_FACTOR,
	CONSERVATIVE_FREQ_STEP,
	CONSERVATIVE_UP_THRESHOLD,
	CONSERVATIVE_DOWN_THRESHOLD,
	CONSERVATIVE_IGNORE_NICE,
};

int conservative_write(
	struct conservative *cs, enum conservative_tunable tunable, uint32_t value, bool *restart);
