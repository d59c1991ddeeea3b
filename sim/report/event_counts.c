#include "sim/report/event_counts.h"

#include <stdlib.h>

static const char *const names[] = {
	[TRACEPOINT_LEAVE] = NULL, /* half of a switch */
	[TRACEPOINT_RUN] = "sched:sched_switch",
	[TRACEPOINT_WAKING] = "sched:sched_waking",
	[TRACEPOINT_WAKEUP] = "sched:sched_wakeup",
	[TRACEPOINT_FORK] = "sched:sched_process_fork",
	[TRACEPOINT_EXIT] = "sched:sched_process_exit",
	[TRACEPOINT_FREQUENCY] = "power:cpu_frequency",
	[TRACEPOINT_LIMITS] = "power:cpu_frequency_limits",
	[TRACEPOINT_IDLE] = "power:cpu_idle",
};
#define NR_KINDS (sizeof(names) / sizeof(names[0]))

void event_counts_start(
	struct event_counts *counts, struct arena *arena, const struct kernel *kernel)
{
	counts->arena = arena;
	counts->nr_cpus = kernel->machine->nr_cpus;
	counts->counts = arena_array(
		arena, NR_KINDS * (size_t)counts->nr_cpus, sizeof(*counts->counts));
}

void event_counts_take(void *arg, const struct tracepoint *record)
{
	struct event_counts *counts = arg;
	/* A frequency event is printed once for each CPU of the policy. */
	int first = record->kind == TRACEPOINT_FREQUENCY ? record->policy->first_cpu : record->cpu;
	int nr = record->kind == TRACEPOINT_FREQUENCY ? record->policy->nr_cpus : 1;

	for (int cpu = first; cpu < first + nr; cpu++)
		counts->counts[(size_t)record->kind * (size_t)counts->nr_cpus + (size_t)cpu]++;
}

struct line {
	int64_t nr;
	int kind, cpu;
};

static int compare(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? 1 : -1;
	return x->kind != y->kind ? x->kind - y->kind : x->cpu - y->cpu;
}

void event_counts_write(FILE *out, const struct event_counts *counts)
{
	struct line *lines = arena_array(
		counts->arena, NR_KINDS * (size_t)counts->nr_cpus, sizeof(*lines));
	int64_t all = 0;
	size_t nr = 0;

	for (size_t kind = 0; kind < NR_KINDS; kind++)
		for (int cpu = 0; names[kind] && cpu < counts->nr_cpus; cpu++) {
			int64_t n = counts->counts[kind * (size_t)counts->nr_cpus + (size_t)cpu];

			all += n;
			if (n)
				lines[nr++] = (struct line){ n, (int)kind, cpu };
		}
	if (nr)
		qsort(lines, nr, sizeof(*lines), compare);
	fprintf(out, "# Total events: %lld\n#\n# Overhead       Events  CPU  Event\n#\n",
		(long long)all);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%9.2f%%  %11lld  %03d  %s\n", 100 * (double)lines[i].nr / (double)all,
			(long long)lines[i].nr, lines[i].cpu, names[lines[i].kind]);
}
