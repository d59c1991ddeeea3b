/*
 * A recording against a model: the governor that ran is given the recorded scheduling, and what it
 * chooses is compared with the frequencies that were recorded. The schedule is the recorded one
 * throughout; only the frequencies are the model's.
 *
 * Memory grows with tasks and with frequency changes, not with the length of the recording.
 */
#pragma once

#include "sim/base/arena.h"
#include "sim/base/error.h"
#include "sim/scenario/scenario.h"
#include "sim/validate/inputs.h"
#include "sim/validate/series.h"
#include "workloads/trace/reader.h"

#define VALIDATE_MOMENTS 5

struct validate_options {
	const char *trace;
	int64_t warmup_ns; /* PARAM_AUTO: as long as the governor's inputs remember */
	enum model_tracking tracking;
	size_t moments; /* worst ones kept of each policy; at most VALIDATE_MOMENTS */
};

struct policy_verdict {
	const struct model_policy *policy;
	struct score model, constant, keep, recorded;
	struct moment worst[VALIDATE_MOMENTS];
	size_t nr_worst;
};

/* How far utilisation from scheduling alone is from the recorded one; medians of 1024. */
struct util_verdict {
	int cpu;
	int64_t calls; /* that told one */
	int64_t median_error;
	int64_t constant; /* the one utilisation that is nearest to all ... */
	int64_t constant_error;
};

struct validation {
	struct model model;
	struct trace_reading reading;
	int64_t span_ns, warmup_ns;
	struct policy_verdict *policies; /* with recorded frequencies to compare */
	size_t nr_policies;
	struct util_verdict *utils;
	size_t nr_utils;
	struct input_check *const *checks; /* by CPU */
};

/* 0, or -1 with @err (code 3: no usable recording). */
int validate(struct validation *out, struct arena *arena, const struct scenario *scenario,
	const struct validate_options *options, struct error *err);
