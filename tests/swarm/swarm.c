/*
 * Random scenarios with no expected values: machine x kernel x driver x governor x workload x
 * faults, drawn from a seed that is printed. Each runs under a watch (sim/watch.h), which fails when
 * something does not hold that must hold of any run. Pairs that are refused are drawn again.
 *
 * usage: swarm [SEED [COUNT [planted|print]]]
 *
 * With "print" each is printed before it runs, for the one that ends the program. With "planted" each run loses a cycle at its first change of a clock: the watch has to find all of
 * them.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/base/rng.h"
#include "sim/base/units.h"
#include "sim/run.h"
#include "workloads/workloads.h"

#define DEFAULT_COUNT 500
/* Draws that are refused, per scenario that is run. */
#define REFUSALS_MAX 400

static const char *const machines[] = {
	"dl580-gen8",
	"generic-2cpu",
	"generic-desktop",
	"generic-laptop",
	"i5-9600k",
	"i7-2600k",
	"i7-3770",
	"juno-r2",
	"rk3588",
	"sm8250",
};
static const char *const versions[] = { "2.6.39", "3.16", "4.5", "4.8", "4.12", "4.19", "5.6",
	"5.10", "6.1", "6.1base", "6.5", "6.8", "6.12", "6.15" };
static const char *const hzs[] = { "100", "250", "300", "1000" };
static const char *const placements[] = { "auto", "spread-random", "idle-sibling", "idlest-cpu",
	"first-idle", "least-utilised" };

#define PICK(rng, list) (list)[rng_below(rng, sizeof(list) / sizeof((list)[0]))]

struct text {
	char buf[4096];
	size_t len;
};

static void say(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text->len += (size_t)vsnprintf(
		text->buf + text->len, sizeof(text->buf) - text->len, format, args);
	va_end(args);
}

static unsigned between(struct rng *rng, unsigned lo, unsigned hi)
{
	return lo + rng_below(rng, hi - lo + 1);
}

static void say_kernel(struct text *text, struct rng *rng)
{
	say(text, "kernel: { version: \"%s\"", PICK(rng, versions));
	say(text, ", hz: %s", PICK(rng, hzs));
	say(text, ", placement: %s", PICK(rng, placements));
	say(text, ", nohz: %u", rng_below(rng, 2));
	say(text, ", remote_hook: %u", rng_below(rng, 2));
	say(text, ", balance: %s", rng_below(rng, 2) ? "periodic" : "new-idle");
	if (rng_below(rng, 3) == 0)
		say(text, ", hook_cost: %uns", between(rng, 1, 5000));
	if (rng_below(rng, 3) == 0) {
		unsigned us = between(rng, 1, 80);

		say(text, ", work_cost: %uus, worker_load: %u", us, us % 2);
	}
	say(text, " }\n");
}

static const char *governor_name(struct rng *rng)
{
	unsigned nr = 0;

	while (governors[nr])
		nr++;
	return governors[rng_below(rng, nr)]->name;
}

/* scaling_governor takes these with every driver. */
static const char *const writable[] = { "performance", "powersave", "userspace", "ondemand",
	"conservative", "schedutil" };

static void say_driver(struct text *text, struct rng *rng)
{
	unsigned nr = 0;

	while (drivers[nr])
		nr++;
	const char *name = drivers[rng_below(rng, nr)]->name;
	say(text, "driver: { name: \"%s\"", name);
	/* Commands that fail now and then. */
	if (strcmp(name, "pcc-cpufreq") == 0 && rng_below(rng, 2))
		say(text, ", fail_every: %u", between(rng, 2, 7));
	say(text, " }\n");
}

/* Of periodic tasks; a runtime that is longer than the period is refused. */
static void say_class(struct text *text, struct rng *rng)
{
	static const char *const classes[] = { "fifo", "rr", "deadline" };

	if (rng_below(rng, 3) == 0) {
		say(text, ", class: %s", PICK(rng, classes));
		say(text, ", priority: %u", between(rng, 1, 99));
		say(text, ", runtime: %uus", between(rng, 5, 900));
	} else {
		say(text, ", nice: %d", (int)rng_below(rng, 40) - 20);
	}
	if (rng_below(rng, 3) == 0)
		say(text, ", uclamp_max: %u", between(rng, 0, 1024));
	if (rng_below(rng, 3) == 0)
		say(text, ", cpus: %u", between(rng, 1, 4));
}

static void say_workload(struct text *text, struct rng *rng)
{
	if (rng_below(rng, 3) == 0) {
		say(text, "workload: { name: kernel-build, jobs: %u", between(rng, 1, 24));
		say(text, ", units: %u", between(rng, 21, 60));
		say(text, ", long_mean: %uus }\n", between(rng, 300, 30000));
		return;
	}
	say(text, "workload: { name: periodic, tasks: %u", between(rng, 1, 90));
	say(text, ", period: %uus", between(rng, 900, 70000));
	say(text, ", run: %uus", between(rng, 10, 20000));
	say(text, ", jitter: 0.%u", between(rng, 0, 9));
	say(text, ", loops: %u", between(rng, 1, 400));
	say_class(text, rng);
	say(text, "%s }\n", rng_below(rng, 4) ? "" : ", cpuset: some");
	say(text, "cpusets: { some: [0, 1] }\n");
}

/* CPUs that go offline and mostly come back, anywhere among the rest; CPU 0 or a policy that has
 * none left is refused, and drawn again. */
static void say_hotplug(struct text *text, struct rng *rng, unsigned from_ms)
{
	for (unsigned n = rng_below(rng, 4); n > 0; n--) {
		unsigned cpu = between(rng, 1, 7);

		from_ms += between(rng, 0, 30);
		say(text, "  - { at: %ums, cpu: %u, online: no }\n", from_ms, cpu);
		from_ms += between(rng, 0, 30);
		if (rng_below(rng, 3))
			say(text, "  - { at: %ums, cpu: %u, online: yes }\n", from_ms, cpu);
	}
}

/* What a user does meanwhile. */
static void say_events(struct text *text, struct rng *rng)
{
	unsigned way = rng_below(rng, 3);

	if (way == 0)
		return;
	say(text, "events:\n");
	if (way == 1)
		say_hotplug(text, rng, 1);
	say(text, "  - { at: %ums, governor: %s }\n", between(rng, 200, 260), PICK(rng, writable));
	if (rng_below(rng, 2))
		say(text, "  - { at: %ums, set: limits.scaling_max_freq=%uMHz }\n",
			between(rng, 261, 290), between(rng, 900, 2500));
	if (way == 2)
		say_hotplug(text, rng, 291);
}

/* Half of them: limits that are reached, and turbo with and without its table. */
static void say_hardware(struct text *text, struct rng *rng)
{
	if (rng_below(rng, 2))
		return;
	say(text, "hardware: { turbo: %u", rng_below(rng, 2));
	say(text, ", limit_power: %u", rng_below(rng, 2));
	say(text, ", power_limit: %uW", between(rng, 1, 90));
	say(text, ", power_window: %ums", between(rng, 1, 400));
	say(text, ", limit_temperature: %u", rng_below(rng, 2));
	say(text, ", pressure: %u", rng_below(rng, 2));
	say(text, ", thermal_resistance: %u", between(rng, 100, 9000));
	say(text, ", heat_capacity: %u", between(rng, 1, 900));
	say(text, ", trip: %uC", between(rng, 20, 70));
	say(text, ", limit_period: %uus }\n", between(rng, 100, 30000));
}

static void draw(struct text *text, struct rng *rng)
{
	*text = (struct text){ .len = 0 };
	say(text, "machine: %s\n", PICK(rng, machines));
	say_kernel(text, rng);
	say_driver(text, rng);
	say(text, "governor: { name: %s }\n", governor_name(rng));
	say_workload(text, rng);
	say_hardware(text, rng);
	say_events(text, rng);
	say(text, "run: { seed: %u", rng_below(rng, 1000000));
	say(text, ", duration: %ums", between(rng, 20, 900));
	say(text, ", sample_interval: %ums }\n", between(rng, 1, 40));
}

/* The fault: at the first change of a clock after 5 ms a busy CPU loses a cycle. */
static struct {
	struct run *run;
	void (*settle)(void *arg);
	void *arg;
	int64_t changes;
	bool done;
} fault;

static int64_t clock_changes(const struct machine *machine)
{
	int64_t changes = 0;

	for (int i = 0; i < machine->nr_domains; i++)
		changes += machine->domains[i].changes;
	return changes;
}

static void lose_cycle(struct machine *machine)
{
	for (int i = 0; i < machine->nr_cpus && !fault.done; i++) {
		struct cpu *cpu = &machine->cpus[i];

		if (cpu->mode != CPU_RUN || cpu->burst->work <= WORK_PER_CYCLE)
			continue;
		cpu->burst->work -= WORK_PER_CYCLE;
		fault.done = true;
	}
}

static void faulty_settle(void *arg)
{
	struct machine *machine = &fault.run->machine;
	int64_t changes = clock_changes(machine);

	fault.settle(fault.arg);
	if (changes != fault.changes && !fault.done)
		lose_cycle(machine);
	fault.changes = changes;
	(void)arg;
}

/* Under the watch, so that this looks like the simulator itself. */
static void plant(struct run *run)
{
	fault.run = run;
	fault.settle = run->watch.settle;
	fault.arg = run->watch.settle_arg;
	fault.changes = 0;
	fault.done = false;
	run->watch.settle = faulty_settle;
}

struct outcome {
	int ran, refused, broken, planted;
	uint64_t checks, events;
};

/* 0: ran; 1: refused; -1: broken. */
static int run_text(struct text *text, bool planted, struct outcome *outcome)
{
	static struct arena arena;
	static struct scenario scenario;
	static struct run run;
	const struct catalog catalog = { governors, drivers, workloads };
	struct error err = { 0 };
	struct node *root;
	int result = 0;

	arena = (struct arena){ 0 };
	if (arena_try(&arena)) {
		fprintf(stderr, "swarm: out of memory\n");
		exit(1);
	}
	if (yaml_read_text(&arena, "configs/scenarios/swarm.yaml", text->buf, &root, &err) < 0 ||
		scenario_from_tree(&arena, &catalog, root, &scenario, &err) < 0 ||
		run_build_watched(&run, &scenario, 0, &err) < 0) {
		arena_free(&arena);
		return 1;
	}
	if (planted)
		plant(&run);
	run_execute(&run, &err);
	outcome->checks += run.watch.checks;
	outcome->events += run.engine.fired;
	outcome->planted += planted && fault.done;
	if (run.watch.broken[0]) {
		result = -1;
		if (!planted)
			printf("broken %s\n%s", run.watch.broken, text->buf);
	}
	run_free(&run);
	arena_free(&arena);
	return result;
}

static void count(struct outcome *outcome, int result)
{
	outcome->ran += result <= 0;
	outcome->refused += result > 0;
	outcome->broken += result < 0;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
	int wanted = argc > 2 ? (int)strtol(argv[2], NULL, 10) : DEFAULT_COUNT;
	bool planted = argc > 3 && strcmp(argv[3], "planted") == 0;
	bool print = argc > 3 && strcmp(argv[3], "print") == 0;
	struct outcome outcome = { 0 };
	struct text text;
	struct rng rng;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("seed %" PRIu64 "\n", seed);
	for (uint64_t i = 0; outcome.ran < wanted && outcome.refused < wanted * REFUSALS_MAX; i++) {
		rng_set(&rng, seed, i + 1);
		draw(&text, &rng);
		if (print)
			puts(text.buf);
		count(&outcome, run_text(&text, planted, &outcome));
	}
	printf("%d scenarios ran, %d were refused; %" PRIu64 " events, %" PRIu64 " checks\n",
		outcome.ran, outcome.refused, outcome.events, outcome.checks);
	if (planted) {
		printf("%d faults planted, %d found\n", outcome.planted, outcome.broken);
		return outcome.planted == 0 || outcome.broken != outcome.planted;
	}
	printf("%d broken\n", outcome.broken);
	return outcome.broken != 0 || outcome.ran < wanted;
}
