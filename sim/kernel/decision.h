/*
 * What a governor decided and why: one record an evaluation, filled by the code that decides. Knows
 * rules by name, no governor. Times in ns, frequencies in kHz.
 *
 * Rules are counted in every run; the record is made only when somebody listens.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct policy;

/* The rule that decided. Order and names are decision.c's table. */
enum decision_rule {
	DECISION_NONE,
	DECISION_LIMITS,
	DECISION_SETSPEED,
	/* ondemand and conservative */
	DECISION_UP_THRESHOLD,
	DECISION_AT_MAX,
	DECISION_MAP,
	DECISION_REUSE,
	DECISION_BIAS_LOW,
	DECISION_SKIP,
	DECISION_NO_TIME,
	DECISION_SCALE_DOWN,
	DECISION_AT_MIN,
	DECISION_BAND,
	DECISION_STEP_UP,
	DECISION_STEP_DOWN,
	DECISION_DOWN_WAIT,
	DECISION_NO_STEP,
	/* schedutil and intel_pstate */
	DECISION_RATE_LIMIT,
	DECISION_IN_PROGRESS,
	DECISION_UTIL,
	DECISION_IO_BOOST,
	DECISION_RT_MAX,
	DECISION_HOLD,
	DECISION_CACHE,
	DECISION_NO_SAMPLE,
	DECISION_PRIMED,
	DECISION_PID,
	DECISION_HOLDOFF,
	DECISION_IDLE,
	DECISION_RULES
};

struct decision_rule_info {
	const char *name;
	const char *meaning; /* one line */
};

const struct decision_rule_info *decision_rule_info(enum decision_rule rule);

/* What became of the request. */
enum decision_outcome {
	DECISION_ASKED_NOTHING,
	DECISION_QUEUED,  /* a kernel worker will ask for it */
	DECISION_EQUAL,   /* resolved to cur: the driver was not called */
	DECISION_IGNORED, /* the driver returned before doing anything */
	DECISION_APPLIED, /* the driver took it; the clock follows after its delay */
	DECISION_FAILED,  /* the driver tried in vain */
};

struct decision_value {
	const char *name, *unit;
	int64_t value;
};

#define DECISION_VALUES 32

struct decision_record {
	int64_t t_ns;
	int cpu;      /* whose evaluation it is, or the policy's first */
	bool per_cpu; /* the evaluation concerns that CPU alone */
	const struct policy *policy;
	enum decision_rule rule, then; /* then: what followed from it; DECISION_NONE: nothing */
	const char *function;          /* of the kernel */
	struct decision_value in[DECISION_VALUES], out[DECISION_VALUES];
	int nr_in, nr_out;
	int64_t from_khz; /* cur before */
	enum decision_outcome outcome;
	int64_t requested_khz, resolved_khz; /* 0: nothing asked */
	unsigned relation;
};

/* Of a run. evaluations is the sum of by_rule. */
struct decisions {
	int64_t evaluations, by_rule[DECISION_RULES];
	void (*sink)(void *arg, const struct decision_record *record); /* NULL: nobody listens */
	void *arg;
	struct decision_record *open; /* being filled */
	struct decision_record record;
};

/* One evaluation of @policy was decided by @rule, as kernel function @function does. Returns the
 * record to describe it in, or NULL. A request made before decision_end() belongs to it. Nothing
 * counts before time 0. */
struct decision_record *decision_begin(
	struct policy *policy, int cpu, enum decision_rule rule, const char *function);
void decision_end(struct policy *policy);

/* The value of that name, of what went in or came out; @missing where there is none. */
int64_t decision_find(const struct decision_record *record, const char *name, int64_t missing);

/* What went in and came out; @unit "" for a count. */
void decision_in(struct decision_record *record, const char *name, int64_t value, const char *unit);
void decision_out(
	struct decision_record *record, const char *name, int64_t value, const char *unit);
