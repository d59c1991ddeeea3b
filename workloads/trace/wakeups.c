#include "workloads/trace/wakeups.h"

#include <stdlib.h>

#include "sim/base/units.h"

/* So many wake-ups tell how long one takes. */
#define WAKEUPS_MIN 32
/* One in so many is left out at each end (a trimmed mean): a hypervisor, or a stand-in for idling
 * that was not preempted at once, holds some up for a thousand times as long as the others, and
 * some CPUs were awake already. */
#define CUT_ONE_IN 10
#define BLOCK 1024

struct wakeup {
	const struct trace_task *task;
	int64_t ns;
	enum trace_wakeup_kind kind;
};

struct trace_wakeup_block {
	struct trace_wakeup_block *next;
	size_t nr;
	struct wakeup wakeups[BLOCK];
};

void trace_wakeup_add(struct arena *arena, struct trace_wakeups *wakeups,
	const struct trace_task *task, enum trace_wakeup_kind kind, int64_t ns)
{
	struct trace_wakeup_block *block = wakeups->last;

	if (!block || block->nr == BLOCK) {
		block = arena_alloc(arena, sizeof(*block));
		if (wakeups->last)
			wakeups->last->next = block;
		else
			wakeups->first = block;
		wakeups->last = block;
	}
	block->wakeups[block->nr++] = (struct wakeup){ task, ns, kind };
	wakeups->nr++;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The waits of each kind, of tasks that are replayed. */
static void split(const struct trace_wakeups *wakeups, int64_t *ns[TRACE_WAKEUP_KINDS],
	size_t nr[TRACE_WAKEUP_KINDS])
{
	for (const struct trace_wakeup_block *b = wakeups->first; b; b = b->next)
		for (size_t i = 0; i < b->nr; i++) {
			const struct wakeup *w = &b->wakeups[i];

			if (ns[w->kind] && w->task->in_tree)
				ns[w->kind][nr[w->kind]++] = w->ns;
		}
}

/* Sorts them. */
static int64_t trimmed_mean(int64_t *ns, size_t nr)
{
	size_t cut = nr / CUT_ONE_IN;
	int64_t sum_ns = 0;

	if (nr < WAKEUPS_MIN)
		return 0;
	qsort(ns, nr, sizeof(*ns), compare);
	for (size_t i = cut; i < nr - cut; i++)
		sum_ns += ns[i];
	return sum_ns / (int64_t)(nr - 2 * cut);
}

void trace_wakeups_mean(
	struct arena *arena, const struct trace_wakeups *wakeups, int64_t mean_ns[2])
{
	int64_t *all = arena_array(arena, 2 * wakeups->nr, sizeof(*all));
	int64_t *ns[TRACE_WAKEUP_KINDS] = { all, all + wakeups->nr, NULL };
	size_t nr[TRACE_WAKEUP_KINDS] = { 0 };

	split(wakeups, ns, nr);
	for (int i = 0; i < 2; i++)
		mean_ns[i] = trimmed_mean(ns[i], nr[i]);
	/* Where one kind was hardly seen it takes as long as any. */
	for (size_t i = 0; i < nr[1]; i++)
		all[nr[0] + i] = ns[1][i];
	for (int i = 0; i < 2; i++)
		if (nr[i] < WAKEUPS_MIN)
			mean_ns[i] = trimmed_mean(all, nr[0] + nr[1]);
}

size_t trace_wakeups_sorted(const struct trace_wakeups *wakeups, int64_t *sorted_ns)
{
	size_t nr = 0;

	for (const struct trace_wakeup_block *b = wakeups->first; b; b = b->next)
		for (size_t i = 0; i < b->nr; i++)
			if (b->wakeups[i].task->in_tree)
				sorted_ns[nr++] = b->wakeups[i].ns;
	if (nr)
		qsort(sorted_ns, nr, sizeof(*sorted_ns), compare);
	return nr;
}
