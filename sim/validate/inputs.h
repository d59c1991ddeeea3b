/*
 * Decisions checked from what the recording itself says went into them: markers in schedutil, the
 * event pstate_sample. Knows one decision at a time; of scheduling only what the governor asks for
 * beside: whether the CPU has idled, and whether a real-time task runs.
 */
#pragma once

#include "governors/schedutil_core.h"
#include "sim/validate/series.h"

#define INPUT_MOMENTS 5

struct input_counts {
	int64_t evaluated, decided; /* ... of them as recorded */
	int64_t realtime;           /* of those: a real-time task asks for the maximum */
	int64_t early, refused;  /* calls within the rate limit, and how many the model refuses */
	int64_t sets, set_equal; /* frequencies that the driver then set */
};

/* One CPU's check. */
struct input_check {
	struct model_policy policy; /* a copy: its frequency follows the check's own decisions */
	int cpu;
	bool started; /* the first decision has told what was before it */
	struct sugov_policy sugov;
	struct sugov_cpu sugov_cpu;
	struct trace_util marks[TRACE_UTIL_OTHER]; /* of the call that is being told */
	unsigned seen;                             /* bits of enum trace_util_mark */
	int64_t call_ns;
	bool unset; /* a frequency was asked for, and the recording has not shown it yet */
	struct input_counts counts;
	struct moment wrong[INPUT_MOMENTS];
	size_t nr_wrong;
};

struct inputs {
	struct model *model;
	struct input_check **checks; /* by CPU; NULL: nothing to check there */
};

void inputs_init(struct inputs *inputs, struct model *model);
/* Follows open_loop_event() of the same event. */
void inputs_event(struct inputs *inputs, const struct trace_event *event);
