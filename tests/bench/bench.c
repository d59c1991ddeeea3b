/*
 * Measures how fast the simulator is: one scenario from start to end (wall time, events, peak
 * memory), the event engine alone at several queue lengths, and the models that are called most
 * (decisions.c).
 *
 * A machine's speed is not a result, so every time per event is also given as a ratio to a baseline
 * measured in the same process: a textbook binary heap whose smallest entry is taken out and put
 * back later, with as many entries and the same delays.
 *
 * usage: bench SCENARIO [KEY=VALUE...]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "sim/base/units.h"
#include "sim/engine/engine.h"
#include "sim/run.h"
#include "drivers/drivers.h"
#include "governors/governors.h"
#include "workloads/workloads.h"
#include "tests/bench/bench.h"

#define EVENTS 2000000
#define ROUNDS 5
#define TIMERS_MAX 16384

/* The same delays for both. */
static int64_t delay_ns(uint64_t *state)
{
	return (int64_t)(draw(state) % 4000003) + 1;
}

/* The engine: every timer re-arms itself until enough events have fired. */
struct ticker {
	struct timer timer;
	uint64_t *state;
	uint64_t *left;
};

static void ticker_fire(struct timer *timer)
{
	struct ticker *ticker = container_of(timer, struct ticker, timer);

	if (--*ticker->left == 0)
		timer->engine->stop = true;
	else
		timer_arm(timer, timer->engine->now_ns + delay_ns(ticker->state));
}

static double engine_ns_per_event(size_t nr)
{
	struct arena arena = { 0 };
	struct engine engine = { 0 };
	uint64_t state = UINT64_C(88172645463325252), left = EVENTS;

	if (arena_try(&arena)) {
		fprintf(stderr, "bench: out of memory\n");
		exit(1);
	}
	struct ticker *tickers = arena_array(&arena, nr, sizeof(*tickers));
	for (size_t i = 0; i < nr; i++) {
		tickers[i].state = &state;
		tickers[i].left = &left;
		timer_init(&engine, &tickers[i].timer, ORDER_WAKE, ticker_fire);
	}
	engine_start(&engine, &arena);
	for (size_t i = 0; i < nr; i++)
		timer_arm(&tickers[i].timer, delay_ns(&state));
	int64_t from_ns = wall_ns();
	engine_run(&engine, NEVER_NS);
	int64_t to_ns = wall_ns();
	arena_free(&arena);
	return (double)(to_ns - from_ns) / EVENTS;
}

/* The baseline: entries of time and number in a binary heap, and a call per event as the engine
 * makes one. */
struct entry {
	int64_t when_ns;
	uint64_t number;
};

static bool entry_before(const struct entry *a, const struct entry *b)
{
	return a->when_ns < b->when_ns || (a->when_ns == b->when_ns && a->number < b->number);
}

static void heap_push(struct entry *heap, size_t *nr, struct entry entry)
{
	size_t i = (*nr)++;

	while (i > 0 && entry_before(&entry, &heap[(i - 1) / 2])) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = entry;
}

static struct entry heap_pop(struct entry *heap, size_t *nr)
{
	struct entry first = heap[0], last = heap[--*nr];
	size_t i = 0;

	while (2 * i + 1 < *nr) {
		size_t child = 2 * i + 1;

		if (child + 1 < *nr && entry_before(&heap[child + 1], &heap[child]))
			child++;
		if (entry_before(&last, &heap[child]))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return first;
}

static double baseline_ns_per_event(size_t nr_entries)
{
	static struct entry heap[TIMERS_MAX + 1];
	uint64_t state = UINT64_C(88172645463325252), number = 0;
	size_t nr = 0;

	for (size_t i = 0; i < nr_entries; i++)
		heap_push(heap, &nr, (struct entry){ delay_ns(&state), number++ });
	int64_t from_ns = wall_ns();
	for (int64_t i = 0; i < EVENTS; i++) {
		struct entry entry = heap_pop(heap, &nr);

		entry.when_ns += delay_ns(&state);
		entry.number = number++;
		heap_push(heap, &nr, entry);
	}
	return (double)(wall_ns() - from_ns) / EVENTS;
}

/* The fastest of several rounds: what disturbs a measurement only ever makes it slower. */
static double fastest(double (*measure)(size_t), size_t nr)
{
	double best = measure(nr);

	for (int i = 1; i < ROUNDS; i++) {
		double next = measure(nr);

		if (next < best)
			best = next;
	}
	return best;
}

static void bench_engine(void)
{
	static const size_t lengths[] = { 64, 1024, TIMERS_MAX };

	printf("%-28s %12s %12s %8s\n", "event queue", "engine ns", "baseline ns", "ratio");
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		double ours = fastest(engine_ns_per_event, lengths[i]);
		double base = fastest(baseline_ns_per_event, lengths[i]);

		printf("%20zu timers %12.1f %12.1f %8.2f\n", lengths[i], ours, base, ours / base);
	}
}

static int bench_run(const char *path, const char *const *overrides, size_t nr)
{
	static struct arena arena;
	static struct scenario scenario;
	static struct run run;
	struct catalog catalog = { governors, drivers, workloads };
	struct error err = { 0 };
	struct rusage usage;

	if (arena_try(&arena)) {
		fprintf(stderr, "bench: out of memory\n");
		return 1;
	}
	if (scenario_load(&arena, &catalog, path, overrides, nr, &scenario, &err) < 0) {
		fprintf(stderr, "bench: %s\n", err.text);
		return 2;
	}
	int64_t from_ns = wall_ns();
	if (run_build(&run, &scenario, 0, &err) < 0) {
		fprintf(stderr, "bench: %s\n", err.text);
		return 1;
	}
	int64_t built_ns = wall_ns();
	if (run_execute(&run, &err) < 0) {
		fprintf(stderr, "bench: %s\n", err.text);
		run_free(&run);
		return 1;
	}
	int64_t to_ns = wall_ns();
	getrusage(RUSAGE_SELF, &usage);
	double run_s = (double)(to_ns - built_ns) / 1e9;
	double simulated_s = (double)run.engine.now_ns / 1e9;
	printf("%s: %d CPUs\n", path, run.machine.nr_cpus);
	printf("%-28s %12.3f s\n", "simulated", simulated_s);
	printf("%-28s %12.3f s\n", "wall time to build", (double)(built_ns - from_ns) / 1e9);
	printf("%-28s %12.3f s\n", "wall time to run", run_s);
	printf("%-28s %12.0f x\n", "faster than real time", simulated_s / run_s);
	printf("%-28s %12" PRIu64 "\n", "events", run.engine.fired);
	printf("%-28s %12.1f ns\n", "wall time per event", run_s * 1e9 / (double)run.engine.fired);
	printf("%-28s %12zu KiB\n", "memory of the run", run.arena.used_bytes / 1024);
	printf("%-28s %12ld KiB\n", "peak memory of the process", usage.ru_maxrss);
	run_free(&run);
	arena_free(&arena);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: bench SCENARIO [KEY=VALUE...]\n");
		return 64;
	}
	/* First, because the peak of memory is the process's and never falls. */
	int status = bench_run(argv[1], (const char *const *)argv + 2, (size_t)argc - 2);
	if (status)
		return status;
	printf("\n");
	bench_engine();
	printf("\n");
	bench_decisions();
	return 0;
}
