#include "workloads/trace/wakeups.h"

#include <stdlib.h>

#include "sim/base/units.h"

/* So many wake-ups tell how long one takes. */
#define WAKEUPS_MIN 32
/* One in so many is left out at each end (a trimmed mean): a hypervisor, or a stand-in for idling
 * that was not preempted at once, holds some up for a thousand times as long as the others, and
 * some CPUs were awake already. */
#define CUT_ONE_IN 10

void trace_wakeup_add(struct arena *arena, struct trace_wakeup **list, struct trace_wakeup wakeup)
{
	struct trace_wakeup *added = arena_alloc(arena, sizeof(*added));

	*added = wakeup;
	added->next = *list;
	*list = added;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Of tasks that are replayed, those that @wanted names: bit 0 by the CPU itself on an idle CPU, bit
 * 1 by another on an idle CPU, bit 2 on a busy one. */
static size_t select_sorted(
	struct arena *arena, const struct trace_wakeup *list, unsigned wanted, int64_t **sorted_ns)
{
	size_t nr = 0, all = 0;

	for (const struct trace_wakeup *w = list; w; w = w->next)
		all++;
	*sorted_ns = arena_array(arena, all, sizeof(**sorted_ns));
	for (const struct trace_wakeup *w = list; w; w = w->next)
		if (w->task->in_tree && (wanted >> (w->idle ? w->remote : 2) & 1))
			(*sorted_ns)[nr++] = w->ns;
	if (nr)
		qsort(*sorted_ns, nr, sizeof(**sorted_ns), compare);
	return nr;
}

void trace_wakeups_mean(struct arena *arena, const struct trace_wakeup *list, int64_t mean_ns[2])
{
	for (unsigned i = 0; i < 2; i++) {
		int64_t *ns, sum_ns = 0;
		size_t nr = select_sorted(arena, list, 1U << i, &ns);

		/* Where one kind was hardly seen it takes as long as the other. */
		if (nr < WAKEUPS_MIN)
			nr = select_sorted(arena, list, 3, &ns);
		mean_ns[i] = 0;
		if (nr < WAKEUPS_MIN)
			continue;
		size_t cut = nr / CUT_ONE_IN;
		for (size_t at = cut; at < nr - cut; at++)
			sum_ns += ns[at];
		mean_ns[i] = sum_ns / (int64_t)(nr - 2 * cut);
	}
}

size_t trace_wakeups_sorted(
	struct arena *arena, const struct trace_wakeup *list, const int64_t **sorted_ns)
{
	int64_t *ns;
	size_t nr = select_sorted(arena, list, 7, &ns);

	*sorted_ns = ns;
	return nr;
}
