#include "workloads/trace/state.h"

/* Zombie and dead have been 0x10 and 0x20, in either order, ever since 2.6.39. */
#define DEAD_BITS 0x30
#define UNINTERRUPTIBLE_BIT 0x2
/* Dead, too, as long as "preempted" was above the wake-kill bit; since 4.14, where it is 0x100,
 * this bit says parked. */
#define OLD_DEAD_BIT 0x40
#define FOLDED_PREEMPTED_BIT 0x100
#define HIGHEST_PREEMPTED_BIT 0x1000

/*
 * R+ is one more than all states that sched_switch of a version prints: 0x200 in 2.6.39, 0x400 in
 * 3.16, 0x800 in 4.5, 0x1000 in 4.8, 0x100 since 4.14. Below it stand states that a task is hardly
 * ever switched out in by themselves (waking, parked, no load, new), so that the highest single bit
 * seen is R+.
 */
enum trace_state trace_state_of_bits(struct trace_states *states, int64_t bits)
{
	if (bits == 0)
		return TRACE_RUNNABLE;
	if (bits & DEAD_BITS)
		return TRACE_DEAD;
	if ((bits & (bits - 1)) == 0 && bits >= FOLDED_PREEMPTED_BIT &&
		bits <= HIGHEST_PREEMPTED_BIT && bits >= states->preempted) {
		states->preempted = bits;
		return TRACE_RUNNABLE;
	}
	if (bits & UNINTERRUPTIBLE_BIT)
		return TRACE_BLOCKED_D;
	if (bits == OLD_DEAD_BIT && states->preempted != FOLDED_PREEMPTED_BIT)
		return TRACE_DEAD;
	return TRACE_BLOCKED;
}
