/*
 * Measures how the cost of an event grows with the machine: 4096 CPUs with 20,000 tasks against 64
 * CPUs with 312 of the same kind and load. Each runs in a process of its own, so that peak memory is
 * its own; time is CPU time, so that what else runs on the host counts little.
 *
 * usage: scale [SECONDS]      simulated, 10 by default
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drivers/drivers.h"
#include "governors/governors.h"
#include "sim/base/units.h"
#include "sim/run.h"
#include "workloads/workloads.h"

#define PACKAGE 64
#define RATIO_MAX 2.5
#define MEMORY_MAX_KIB (2L * 1024 * 1024)

struct figures {
	double ns_per_event;
	double cpu_s;
	uint64_t events;
	double busy_share;
};

static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static void write_yaml(char *buf, size_t size, int cpus, int tasks, long seconds)
{
	size_t len = (size_t)snprintf(buf, size,
		"machine:\n"
		"  name: scale\n"
		"  summary: many CPUs\n"
		"  reference: 2GHz\n"
		"  policies: per-cpu\n"
		"  clock: { scope: cpu, vote: all }\n"
		"  frequency_table: [{ freq: 1GHz, voltage: 800mV }, { freq: 2GHz, voltage: 1V }]\n"
		"  idle: [{ name: C1, exit_latency: 1us, target_residency: 1us }]\n"
		"  power: { ceff: 1000 }\n"
		"  cpus:\n");

	for (int i = 0; i * PACKAGE < cpus; i++)
		len += (size_t)snprintf(buf + len, size - len,
			"    - { cpus: %d-%d, package: %d }\n", i * PACKAGE, (i + 1) * PACKAGE - 1,
			i);
	snprintf(buf + len, size - len,
		"kernel: { version: \"6.1\", hz: 250 }\n"
		"driver: 'null'\n"
		"governor: schedutil\n"
		"workload: { name: periodic, tasks: %d, period: 20ms, run: 2200us, jitter: 0.3,\n"
		"  loops: 1000000 }\n"
		"run: { duration: %lds }\n",
		tasks, seconds);
}

static double busy_share(const struct machine *machine)
{
	double ns = 0;

	for (int i = 0; i < machine->nr_cpus; i++)
		for (int c = 0; c < machine->cpus[i].domain->nr_clocks; c++)
			ns += (double)machine->cpus[i].busy_ns[c];
	return ns / (double)machine->engine->now_ns / machine->nr_cpus;
}

static struct figures measure(int cpus, int tasks, long seconds)
{
	static char yaml[16384];
	static struct arena arena;
	static struct scenario scenario;
	static struct run run;
	const struct catalog catalog = { governors, drivers, workloads };
	struct error err = { 0 };
	struct node *root;

	write_yaml(yaml, sizeof(yaml), cpus, tasks, seconds);
	if (arena_try(&arena)) {
		fprintf(stderr, "scale: out of memory\n");
		exit(1);
	}
	if (yaml_read_text(&arena, "scale.yaml", yaml, &root, &err) < 0 ||
		scenario_from_tree(&arena, &catalog, root, &scenario, &err) < 0 ||
		run_build(&run, &scenario, 0, &err) < 0) {
		fprintf(stderr, "scale: %s\n", err.text);
		exit(1);
	}
	int64_t from_ns = cpu_ns();
	if (run_execute(&run, &err) < 0) {
		fprintf(stderr, "scale: %s\n", err.text);
		exit(1);
	}
	double ns = (double)(cpu_ns() - from_ns);
	return (struct figures){ ns / (double)run.engine.fired, ns / 1e9, run.engine.fired,
		busy_share(&run.machine) };
}

/* In a child: the figures come back through a pipe, the peak of memory from the system. */
static struct figures measure_apart(int cpus, int tasks, long seconds, long *memory_kib)
{
	struct figures figures = { 0 };
	struct rusage usage;
	int ends[2], status;

	fflush(stdout);
	if (pipe(ends) < 0)
		exit(1);
	pid_t child = fork();
	if (child == 0) {
		figures = measure(cpus, tasks, seconds);
		exit(write(ends[1], &figures, sizeof(figures)) != sizeof(figures));
	}
	close(ends[1]);
	if (child < 0 || read(ends[0], &figures, sizeof(figures)) != sizeof(figures))
		exit(1);
	close(ends[0]);
	waitpid(child, &status, 0);
	/* The largest of all children so far: the large machine is measured last. */
	getrusage(RUSAGE_CHILDREN, &usage);
	*memory_kib = usage.ru_maxrss;
	printf("%5d CPUs %6d tasks: %9" PRIu64
	       " events, %7.2f s, %6.1f ns per event, %4.1f %% busy, "
	       "%ld MiB\n",
		cpus, tasks, figures.events, figures.cpu_s, figures.ns_per_event,
		100 * figures.busy_share, *memory_kib / 1024);
	return figures;
}

int main(int argc, char **argv)
{
	long seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 10, memory_kib;
	struct figures small = measure_apart(64, 312, seconds, &memory_kib);
	struct figures large = measure_apart(4096, 20000, seconds, &memory_kib);
	double ratio = large.ns_per_event / small.ns_per_event;

	printf("ratio %.2f (at most %.1f), memory %ld MiB (at most %ld)\n", ratio, RATIO_MAX,
		memory_kib / 1024, MEMORY_MAX_KIB / 1024);
	return ratio > RATIO_MAX || memory_kib > MEMORY_MAX_KIB;
}
