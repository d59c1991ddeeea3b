#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <pthread.h>
#include <string.h>

#include "sim/base/units.h"
#include "tests/support/tiny.h"

#define YAML(run)                                                            \
	"machine: tests/data/machines/two-package.yaml\n"                    \
	"kernel: { version: \"4.8\" }\n"                                     \
	"driver: { name: pcc-cpufreq, command_time: 510us, stall: 345us }\n" \
	"governor: { name: ondemand, sampling_rate: 10ms }\n"                \
	"workload: { name: kernel-build, jobs: 3, units: 40 }\n" run

static struct tiny tiny;

static void teardown(void)
{
	tiny_free(&tiny);
}

TestSuite(run, .fini = teardown);

Test(run, the_same_scenario_and_seed_give_the_same_run)
{
	int64_t elapsed[2];
	uint64_t fired[2];

	for (int i = 0; i < 2; i++) {
		tiny_run(&tiny, YAML("run: { seed: 1885 }\n"), NULL, 0);
		elapsed[i] = tiny.run.elapsed_ns;
		fired[i] = tiny.run.engine.fired;
		tiny_free(&tiny);
	}
	cr_assert(eq(i64, elapsed[0], elapsed[1]));
	cr_assert(eq(u64, fired[0], fired[1]));
}

Test(run, another_repeat_has_other_draws)
{
	int64_t elapsed[2];

	tiny_run(&tiny, YAML(""), NULL, 0);
	elapsed[0] = tiny.run.elapsed_ns;
	run_free(&tiny.run);
	cr_assert(not(run_build(&tiny.run, &tiny.scenario, 1, &tiny.err)));
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	elapsed[1] = tiny.run.elapsed_ns;
	cr_assert(ne(i64, elapsed[0], elapsed[1]));
}

static void *execute(void *arg)
{
	struct error err = { 0 };

	return run_execute(arg, &err) ? arg : NULL;
}

Test(run, runs_go_in_parallel_threads)
{
	static struct run runs[2];
	pthread_t threads[2];
	void *failed;

	cr_assert(not(tiny_build(&tiny, YAML(""), NULL, 0)));
	for (int i = 0; i < 2; i++)
		cr_assert(not(run_build(&runs[i], &tiny.scenario, 0, &tiny.err)));
	for (int i = 0; i < 2; i++)
		cr_assert(not(pthread_create(&threads[i], NULL, execute, &runs[i])));
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], &failed);
		cr_assert(eq(ptr, failed, NULL));
	}
	cr_assert(eq(i64, runs[0].elapsed_ns, runs[1].elapsed_ns));
	for (int i = 0; i < 2; i++)
		run_free(&runs[i]);
}

Test(run, nothing_is_allocated_between_start_and_end)
{
	cr_assert(not(tiny_build(&tiny, YAML(""), NULL, 0)));
	size_t used = tiny.run.arena.used_bytes;
	cr_assert(not(run_execute(&tiny.run, &tiny.err)));
	cr_assert(eq(sz, tiny.run.arena.used_bytes, used));
}

Test(run, the_power_sampler_reads_once_an_interval)
{
	tiny_run(&tiny, YAML("run: { duration: 10s, sample_interval: 250ms }\n"), NULL, 0);
	int64_t expected = min_i64(tiny.run.elapsed_ns, 10000000000) / 250000000;
	cr_assert(ge(i64, (int64_t)tiny.run.nr_samples, expected - 1));
	cr_assert(le(i64, (int64_t)tiny.run.nr_samples, expected));
	/* Two packages at 2 W each, more when busy. */
	for (size_t i = 0; i < tiny.run.nr_samples; i++)
		cr_assert(gt(dbl, tiny.run.samples[i].watts, 3.9));
}

Test(run, a_duration_ends_a_run_that_would_go_on)
{
	tiny_run(&tiny, YAML("run: { duration: 123ms }\n"), NULL, 0);
	cr_assert(eq(i64, tiny.run.elapsed_ns, 123000000));
	cr_assert(gt(i64, tiny.run.kernel.leading, 0));
}

Test(run, a_mistake_in_a_tunable_names_its_place)
{
	cr_assert(lt(int,
		tiny_build(&tiny,
			"machine: tests/data/machines/two-package.yaml\n"
			"kernel: { version: \"6.1\" }\n"
			"driver: 'null'\n"
			"governor: { name: ondemand, sampling_rate: 1ms }\n"
			"workload: { name: idle }\nrun: { duration: 1s }\n",
			NULL, 0),
		0));
	cr_assert(eq(int, tiny.err.code, ERROR_SCENARIO));
	cr_assert(strstr(tiny.err.text, "tests/data/tiny.yaml:4:") != NULL);
	cr_assert(strstr(tiny.err.text, "sampling_rate") != NULL);
}
