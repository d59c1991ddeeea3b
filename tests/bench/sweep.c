/*
 * Measures what a sweep costs beside its runs: the CPU time of the program on many short runs less
 * that of the same runs one after the other in one loop here; and whether its memory grows, by
 * looking at it while the first and the last thousand runs are done.
 *
 * usage: bench_sweep PROGRAM [RUNS]
 */
#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <sqlite3.h>
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
#include "sim/sweep/runner.h"
#include "workloads/workloads.h"

/* POSIX asks programs to declare it themselves. */
extern char **environ;

#define LOOK_NS 2000000
#define PHASE 1000

static const struct catalog catalog = { governors, drivers, workloads };
static const char
	scenario[] = "machine: generic-2cpu\ngovernor: ondemand\n"
		     "workload: { name: periodic, tasks: 2, period: 43ms, run: 7ms, loops: 3 }\n";

/* Most memory seen while the first and the last runs were done, in pages. */
struct memory {
	long first, last;
};

static double cpu_s(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void fail(const char *what)
{
	fprintf(stderr, "bench_sweep: %s\n", what);
	exit(1);
}

static void write_scenario(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file || fputs(scenario, file) < 0 || fclose(file) != 0)
		fail("the scenario cannot be written");
}

/* Every run of the plan in this process. Returns its CPU time. */
static double loop(const char *path, const char *axis, size_t *nr)
{
	static struct arena arena;
	static struct plan plan;
	const struct plan_request request = {
		.path = path, .sweeps = &axis, .nr_sweeps = 1, .design = -1
	};
	struct error err = { .code = ERROR_NONE };
	struct outcome outcome;
	struct runner runner;

	if (arena_try(&arena) || plan_load(&plan, &arena, &catalog, &request, &err) < 0)
		fail(err.text);
	double start_s = cpu_s(RUSAGE_SELF);
	runner_start(&runner, &plan);
	for (size_t i = 0; i < plan.nr_points; i++) {
		runner_run(&runner, i, 0, &outcome);
		if (outcome.failed)
			fail(outcome.message);
	}
	runner_end(&runner);
	*nr = plan.nr_points;
	return cpu_s(RUSAGE_SELF) - start_s;
}

static long pages_of(pid_t pid)
{
	char path[64];
	long size, resident = 0;

	snprintf(path, sizeof(path), "/proc/%ld/statm", (long)pid);
	FILE *file = fopen(path, "r");
	if (file && fscanf(file, "%ld %ld", &size, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return resident;
}

/* Runs in the store, of which a reader sees those that have been committed; -1: not there yet. */
static int64_t count_runs(const char *path)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *statement = NULL;
	int64_t nr = -1;

	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
		sqlite3_prepare_v2(db, "SELECT count(*) FROM run", -1, &statement, NULL) ==
			SQLITE_OK &&
		sqlite3_step(statement) == SQLITE_ROW)
		nr = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return nr;
}

/* Looks at the process until it has ended. */
static void watch(pid_t pid, const char *store, int64_t runs, struct memory *memory)
{
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		int64_t done = count_runs(store);
		long pages = pages_of(pid);

		if (done > 0 && done <= PHASE && pages > memory->first)
			memory->first = pages;
		if (done > runs - PHASE && done < runs && pages > memory->last)
			memory->last = pages;
		nanosleep(&(const struct timespec){ .tv_nsec = LOOK_NS }, NULL);
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail("the sweep failed");
}

static double sweep(const char *program, const char *top, const char *path, const char *axis,
	int64_t runs, struct memory *memory)
{
	char out[256], store[300];
	pid_t pid;

	snprintf(out, sizeof(out), "%s/out", top);
	snprintf(store, sizeof(store), "%s/out/results.sqlite", top);
	const char *const argv[] = { program, "sweep", path, "--sweep", axis, "--jobs", "1", "-o",
		out, NULL };
	double start_s = cpu_s(RUSAGE_CHILDREN);
	if (posix_spawnp(&pid, program, NULL, NULL, (char *const *)(const void *)argv, environ))
		fail("the program cannot be started");
	watch(pid, store, runs, memory);
	return cpu_s(RUSAGE_CHILDREN) - start_s;
}

static void clean_up(const char *top)
{
	static const char *const files[] = { "out/results.sqlite", "out/runs.csv", "out/.lock",
		"out", "short.yaml", "." };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s/%s", top, files[i]);
		if (remove(path) < 0)
			remove(top);
	}
}

int main(int argc, char **argv)
{
	char top[] = "/tmp/bench_sweep_XXXXXX", path[64], axis[64];
	struct memory memory = { 0 };
	size_t nr;

	if (argc < 2 || !mkdtemp(top))
		fail("usage: bench_sweep PROGRAM [RUNS]");
	gsl_set_error_handler_off();
	long runs = argc > 2 ? strtol(argv[2], NULL, 10) : 10000;
	snprintf(path, sizeof(path), "%s/short.yaml", top);
	snprintf(axis, sizeof(axis), "run.seed=1:%ld", runs);
	write_scenario(path);
	double alone_s = loop(path, axis, &nr);
	double whole_s = sweep(argv[1], top, path, axis, runs, &memory);
	double page_mb = (double)sysconf(_SC_PAGESIZE) / 1e6;
	printf("%zu runs: %.3f ms CPU each in a loop, %.3f ms in a sweep: %.3f ms beside the run\n",
		nr, 1e3 * alone_s / (double)nr, 1e3 * whole_s / (double)nr,
		1e3 * (whole_s - alone_s) / (double)nr);
	printf("memory: %.2f MB at most in the first %d runs, %.2f MB in the last: %+.2f %%\n",
		page_mb * (double)memory.first, PHASE, page_mb * (double)memory.last,
		memory.first ? 100 * (double)(memory.last - memory.first) / (double)memory.first
			     : 0);
	clean_up(top);
	return 0;
}
