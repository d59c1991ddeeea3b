#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/report/result.h"
#include "sim/run.h"

/* A finished run written by hand: two CPUs, one package, two policies. */
struct silicon {
	struct machine_spec spec;
	struct cpus_spec cpus;
	struct policy_spec policy;
	struct opp_table table;
	struct opp_spec opp;
	struct cstate_spec cstate;
	struct policy policies[2];
	struct power_sample samples[3];
	double scratch[9];
	struct arena arena;
	struct run run;
};

static const int64_t clocks_khz[] = { 1470000, 2941000 };

static void build_policies(struct silicon *s)
{
	for (int i = 0; i < 2; i++)
		s->policies[i] = (struct policy){ .id = i, .first_cpu = i, .nr_cpus = 1 };
	s->policies[0].requests = 613;
	s->policies[0].suppressed = 211;
	s->policies[0].commands = 402;
	s->policies[0].driver_busy_ns = 205020000;
	s->policies[1].commands = 17;
	s->policies[1].failed = 5;
	s->policies[1].driver_wait_ns = 31000;
	s->policies[1].work_runs = 919;
	s->run.kernel.policies = s->policies;
	s->run.kernel.nr_policies = 2;
	s->run.kernel.engine = &s->run.engine;
}

static void build(struct silicon *s)
{
	*s = (struct silicon){ .cpus = { .first = 0, .last = 1, .capacity = 1024 },
		.policy = { .first = 0, .last = 1 },
		.opp = { .clock_khz = 1470000, .uv = 800000, .power_uw = 3000000 },
		.cstate = { .name = "C1", .power_uw = 500000 } };
	s->table = (struct opp_table){ .points = &s->opp, .nr_points = 1 };
	s->spec = (struct machine_spec){ .nr_cpus = 2,
		.nr_packages = 1,
		.cpus = &s->cpus,
		.nr_cpu_ranges = 1,
		.policies = &s->policy,
		.nr_policies = 1,
		.clock_scope = CLOCK_CPU,
		.tables = &s->table,
		.nr_tables = 1,
		.cstates = &s->cstate,
		.nr_cstates = 1,
		.power = { .package_uw = 7000000 } };
	if (arena_try(&s->arena))
		abort();
	struct machine *machine = &s->run.machine;
	machine_build(machine, &s->spec, &s->run.engine, &s->arena);
	for (int i = 0; i < 2; i++)
		domain_set_clocks(&machine->domains[i], clocks_khz, 2, 1470000, &s->arena);
	s->run.engine.now_ns = s->run.elapsed_ns = INT64_C(4000000000);
	for (int i = 0; i < 2; i++) {
		machine->cpus[i].since_ns = machine->cpus[i].idle_from_ns = s->run.engine.now_ns;
		machine->cpus[i].idle_ns[0] = INT64_C(4000000000);
	}
	machine->cpus[1].idle_ns[0] = INT64_C(1000000000);
	machine->cpus[1].busy_ns[0] = INT64_C(1000000000);
	machine->cpus[1].busy_ns[1] = INT64_C(2000000000);
	machine->cpus[1].cycles = 7352000000;
	machine->domains[1].changes = 23;
	machine->stalls = 419;
	machine->stall_ns = 144555000;
	s->run.kernel.gone_user_ns = s->run.kernel.user_ns = INT64_C(2300000000);
	s->run.kernel.gone_sys_ns = s->run.kernel.sys_ns = INT64_C(450000000);
	s->run.kernel.switches = 4391;
	build_policies(s);
	s->samples[0].watts = 11.5;
	s->samples[1].watts = 13.25;
	s->samples[2].watts = 12.0;
	s->run.samples = s->samples;
	s->run.scratch = s->scratch;
	s->run.nr_samples = 3;
}

Test(metric, names_are_unique_found_and_end_in_their_unit)
{
	for (int i = 0; i < METRIC_NR; i++)
		cr_assert(eq(int, metric_find(metric_infos[i].name), i));
	cr_assert(eq(int, metric_find("elapsed"), METRIC_NR));
}

Test(metric, time_is_what_the_kernel_charged)
{
	double v[METRIC_NR];
	struct silicon s;

	build(&s);
	metric_collect(&s.run, v);
	cr_assert(epsilon_eq(dbl, v[METRIC_cpu_seconds_s], 2.75, 1e-12));
	cr_assert(epsilon_eq(dbl, v[METRIC_cpu_pct], 68.75, 1e-9));
	cr_assert(eq(dbl, v[METRIC_switches], 4391));
	arena_free(&s.arena);
}

Test(metric, the_mean_clock_weighs_busy_time_only)
{
	double v[METRIC_NR];
	struct silicon s;

	build(&s);
	metric_collect(&s.run, v);
	cr_assert(epsilon_eq(dbl, v[METRIC_freq_avg_ghz], (1.47 + 2 * 2.941) / 3, 1e-9));
	cr_assert(eq(dbl, v[METRIC_busy_s], 3));
	cr_assert(eq(dbl, v[METRIC_total_cycles], 7352000000));
	cr_assert(eq(dbl, v[METRIC_clock_changes], 23));
	arena_free(&s.arena);
}

Test(metric, policies_are_summed)
{
	double v[METRIC_NR];
	struct silicon s;

	build(&s);
	metric_collect(&s.run, v);
	cr_assert(eq(dbl, v[METRIC_transitions], 419));
	cr_assert(epsilon_eq(dbl, v[METRIC_transitions_per_10s], 1047.5, 1e-9));
	cr_assert(eq(dbl, v[METRIC_suppressed], 211));
	cr_assert(eq(dbl, v[METRIC_transitions_failed], 5));
	cr_assert(epsilon_eq(dbl, v[METRIC_driver_wait_s], 31e-6, 1e-15));
	cr_assert(epsilon_eq(dbl, v[METRIC_stall_s], 0.144555, 1e-12));
	arena_free(&s.arena);
}

Test(metric, energy_and_the_sampler_are_told_apart)
{
	double v[METRIC_NR], joules = 4 * 7 + 5 * 0.5 + 3.0 + 2 * 3.0 * 2941 / 1470;
	struct silicon s;

	build(&s);
	metric_collect(&s.run, v);
	cr_assert(epsilon_eq(dbl, v[METRIC_energy_pkg_j], joules, 1e-9));
	cr_assert(epsilon_eq(dbl, v[METRIC_power_avg_w], joules / 4, 1e-9));
	cr_assert(epsilon_eq(dbl, v[METRIC_power_sample_mean_w], 12.25, 1e-12));
	cr_assert(eq(dbl, v[METRIC_power_sample_min_w], 11.5));
	cr_assert(eq(dbl, v[METRIC_power_sample_max_w], 13.25));
	cr_assert(eq(dbl, v[METRIC_power_samples], 3));
	cr_assert(eq(dbl, v[METRIC_power_sample_median_w], 12));
	cr_assert(eq(dbl, v[METRIC_power_sample_mad_w], 0.5));
	cr_assert(eq(dbl, v[METRIC_power_sample_outliers], 0));
	arena_free(&s.arena);
}

Test(metric, a_run_of_no_length_has_no_infinite_numbers)
{
	double v[METRIC_NR];
	struct silicon s;

	build(&s);
	s.run.elapsed_ns = s.run.engine.now_ns = 0;
	s.run.nr_samples = 0;
	metric_collect(&s.run, v);
	cr_assert(eq(dbl, v[METRIC_cpu_pct], 0));
	cr_assert(eq(dbl, v[METRIC_power_avg_w], 0));
	cr_assert(eq(dbl, v[METRIC_power_sample_mean_w], 0));
	arena_free(&s.arena);
}

Test(metric, a_result_keeps_samples_and_residencies_of_the_run)
{
	struct result result = { .repeat = 0 };
	struct error err = { .code = ERROR_NONE };
	struct silicon s;

	build(&s);
	cr_assert(eq(int, result_collect(&result, &s.run, 7, &err), 0));
	cr_assert(eq(i64, result.repeat, 7));
	cr_assert(eq(sz, result.nr_samples, 3));
	cr_assert(eq(dbl, result.samples[1].watts, 13.25));
	/* CPU 0 was idle throughout; CPU 1 has two clocks and the rest. */
	cr_assert(eq(sz, result.nr_residencies, 4));
	cr_assert(eq(i64, result.residencies[0].ns, INT64_C(4000000000)));
	cr_assert(eq(i64, result.residencies[2].khz, 2941000));
	cr_assert(eq(i64, result.residencies[3].ns, INT64_C(1000000000)));
	result_free(&result);
	arena_free(&s.arena);
}
