#include "sim/sampler.h"

#include <inttypes.h>

#include "sim/base/str.h"
#include "sim/base/units.h"
#include "sim/hw/ceiling.h"
#include "sim/run.h"

#define SAMPLES_MAX 4000000

static const struct power_spec *spec_of(const struct run *run)
{
	return &run->machine.spec->power;
}

static double read_counters(struct run *run)
{
	double joules = 0;

	machine_account(&run->machine);
	for (int p = 0; p < run->machine.nr_packages; p++) {
		struct counter_reading *reading = &run->sampler.packages[p];
		uint64_t value = power_counter_update(&reading->counter, &run->machine, p);

		joules += power_counter_passed_j(spec_of(run), reading->seen, value);
		reading->seen = value;
	}
	return joules;
}

static void plan_reading(struct run *run)
{
	struct sampler *sampler = &run->sampler;

	sampler->reading_ns += run->scenario->run.sample_interval_ns;
	timer_arm(&sampler->timer, power_counter_updated_ns(spec_of(run), sampler->reading_ns));
}

/* One reading; it also notices a run in which nothing is left to happen. */
static void sample_power(struct timer *timer)
{
	struct run *run = container_of(timer, struct run, sampler.timer);
	double seconds = (double)run->scenario->run.sample_interval_ns / (double)NSEC_PER_SEC;
	double joules = read_counters(run);

	if (run->nr_samples < run->max_samples)
		run->samples[run->nr_samples++] = (struct power_sample){
			.t_ns = run->sampler.reading_ns,
			.watts = joules / seconds,
		};
	if (engine_pending(&run->engine) == ceilings_pending(&run->machine) &&
		run->kernel.leading > 0) {
		run->stuck = true;
		return;
	}
	plan_reading(run);
}

static double top_uw(const struct opp_table *table)
{
	size_t nr = table->nr_points;

	return power_busy_uw(table, nr ? table->points[nr - 1].clock_khz : table->max_khz);
}

/* No package takes more: everything busy at the highest point. */
static double most_watts(const struct machine *machine)
{
	const struct power_spec *power = &machine->spec->power;
	double most = 0;

	for (int p = 0; p < machine->nr_packages; p++) {
		const struct package *package = &machine->packages[p];
		double uw = (double)(power->package_uw + power->uncore_uw);

		for (int i = package->first_cpu; i < package->first_cpu + package->nr_cpus; i++)
			uw += top_uw(machine->cpus[i].table);
		most = uw > most ? uw : most;
	}
	return most / 1e6;
}

static int check_wrap(const struct run *run, struct error *err)
{
	const struct scenario *scenario = run->scenario;
	double seconds = power_counter_range_j(spec_of(run)) / most_watts(&run->machine);
	double interval = (double)scenario->run.sample_interval_ns / (double)NSEC_PER_SEC;
	char text[32];

	if (interval <= seconds)
		return 0;
	str_from_i64(scenario->run.sample_interval_ns, UNIT_NS, text, sizeof(text));
	return error_at(err, ERROR_SCENARIO, scenario_where(scenario, "run.sample_interval"),
		"sample_interval: in %s this machine's energy counter may wrap more than once; "
		"expected at most %.3g s",
		text, seconds);
}

int sampler_build(struct run *run, struct error *err)
{
	int64_t nr = run_limit_ns(run->scenario) / run->scenario->run.sample_interval_ns + 1;

	if (nr > SAMPLES_MAX)
		return error_at(err, ERROR_SCENARIO,
			scenario_where(run->scenario, "run.sample_interval"),
			"sample_interval: up to %" PRId64 " readings; expected at most %d", nr,
			SAMPLES_MAX);
	if (check_wrap(run, err) < 0)
		return -1;
	run->max_samples = (size_t)nr;
	run->samples = arena_array(&run->arena, run->max_samples, sizeof(*run->samples));
	run->scratch = arena_array(&run->arena, 3 * run->max_samples, sizeof(*run->scratch));
	run->sampler.packages = arena_array(
		&run->arena, (size_t)run->machine.nr_packages, sizeof(*run->sampler.packages));
	timer_init(&run->engine, &run->sampler.timer, ORDER_PROBE, sample_power);
	return 0;
}

void sampler_start(struct run *run)
{
	plan_reading(run);
}
