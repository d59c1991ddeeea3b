#include "sim/sweep/runner.h"

#include <string.h>
#include <time.h>

#include "sim/run.h"

void runner_start(struct runner *runner, const struct plan *plan)
{
	*runner = (struct runner){ .plan = plan };
}

void runner_end(struct runner *runner)
{
	arena_free(&runner->arena);
	runner->loaded = false;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Repeats of one point follow each other more often than not: its scenario is kept. */
static int load(struct runner *runner, size_t point, struct error *err)
{
	if (runner->loaded && runner->point == point)
		return 0;
	runner_end(runner);
	if (arena_try(&runner->arena))
		return error_set(err, ERROR_RUN, "out of memory for a scenario");
	if (plan_scenario(runner->plan, point, &runner->arena, &runner->scenario, err) < 0)
		return -1;
	runner->point = point;
	runner->loaded = true;
	return 0;
}

static int run_one(
	struct runner *runner, int64_t repeat, struct outcome *outcome, struct error *err)
{
	struct run run;

	if (run_build(&run, &runner->scenario, repeat, err) < 0)
		return -1;
	int result = run_execute(&run, err);
	if (result == 0) {
		machine_account(&run.machine);
		metric_collect(&run, outcome->metrics);
	}
	run_free(&run);
	return result;
}

void runner_run(struct runner *runner, size_t point, int64_t repeat, struct outcome *outcome)
{
	struct error err = { .code = ERROR_NONE };
	double start = now_s();

	*outcome = (struct outcome){ .point = point, .repeat = repeat };
	if (load(runner, point, &err) < 0 || run_one(runner, repeat, outcome, &err) < 0) {
		outcome->failed = 1;
		snprintf(outcome->message, sizeof(outcome->message), "%.500s", err.text);
	}
	outcome->wall_s = now_s() - start;
}
