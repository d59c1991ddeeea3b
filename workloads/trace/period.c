#include "workloads/trace/period.h"

#include <stdlib.h>

#include "sim/base/units.h"

/* So many sleeps tell a beat from chance. */
#define SLEEPS_MIN 5
/* A timer expires up to a slack (50 us by default) and an interrupt late. */
#define LATE_NS (100 * NSEC_PER_USEC)

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t median(int64_t *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare);
	return values[nr / 2];
}

/* A timer that ended the sleep, and nothing that the recording knows of. */
static bool is_timer(const struct trace_op *op)
{
	return op->kind == TRACE_OP_SLEEP && !op->u.wait.waker;
}

/* How far the values usually are from the nearest multiple of @period. */
static int64_t spread(int64_t *values, size_t nr, int64_t period)
{
	for (size_t i = 0; i < nr; i++) {
		int64_t beats = max_i64((values[i] + period / 2) / period, 1);

		values[i] = llabs(values[i] - beats * period);
	}
	return median(values, nr);
}

/* The wake-ups come regularly, and more so than the sleeps are equal: with a sleep of fixed length
 * it is the other way round. */
static bool keeps_a_beat(int64_t *intervals, int64_t *sleeps, size_t nr)
{
	int64_t period = median(intervals, nr), length = median(sleeps, nr);

	if (period <= 0)
		return false;
	int64_t late_ns = spread(intervals, nr, period);
	for (size_t i = 0; i < nr; i++)
		sleeps[i] = llabs(sleeps[i] - length);
	return late_ns <= period / 50 + LATE_NS && 2 * late_ns < median(sleeps, nr);
}

int64_t trace_period_find(struct arena *arena, struct trace_task *task, int64_t base_ns)
{
	size_t nr = 0, at = 0;
	int64_t last_ns = -1, turned = 0;

	for (const struct trace_op *op = task->first; op; op = op->next)
		nr += is_timer(op);
	if (nr < SLEEPS_MIN)
		return 0;
	int64_t *intervals = arena_array(arena, nr, sizeof(*intervals));
	int64_t *sleeps = arena_array(arena, nr, sizeof(*sleeps));
	for (const struct trace_op *op = task->first; op; op = op->next) {
		if (!is_timer(op))
			continue;
		if (last_ns >= 0) {
			intervals[at] = op->u.wait.end_ns - last_ns;
			sleeps[at++] = op->ns;
		}
		last_ns = op->u.wait.end_ns;
	}
	if (!keeps_a_beat(intervals, sleeps, at))
		return 0;
	for (struct trace_op *op = task->first; op; op = op->next) {
		if (!is_timer(op))
			continue;
		op->kind = TRACE_OP_UNTIL;
		op->ns = max_i64(op->u.wait.end_ns - base_ns, 0);
		turned++;
	}
	return turned;
}
