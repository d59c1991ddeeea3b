/*
 * prev_state of sched_switch as a number. Knows how the kernel's bits moved from version to
 * version; knows no trace format.
 */
#pragma once

#include "workloads/trace/event.h"

/* What the numbers of a recording have told of the kernel that wrote them. */
struct trace_states {
	int64_t preempted; /* the bit of R+; 0: not seen */
};

/* What @bits mean in a recording that had @states before. */
enum trace_state trace_state_of_bits(struct trace_states *states, int64_t bits);
