#include "sim/report/metric.h"

#include <string.h>

#include "sim/base/units.h"
#include "sim/hw/power.h"
#include "sim/kernel/cputime.h"
#include "sim/report/series.h"
#include "sim/report/stats.h"
#include "sim/run.h"

const struct metric_info metric_infos[METRIC_NR] = {
#define METRIC(name_, unit_, decimals_, scope_, better_, help_) \
	{ #name_, unit_, decimals_, scope_, better_, help_ },
#include "sim/report/metrics.def"
#undef METRIC
};

enum metric metric_find(const char *name)
{
	int i = 0;

	while (i < METRIC_NR && strcmp(metric_infos[i].name, name) != 0)
		i++;
	return (enum metric)i;
}

static double seconds(int64_t ns)
{
	return (double)ns / 1e9;
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static void collect_time(const struct run *run, double *v)
{
	const struct kernel *kernel = &run->kernel;
	int64_t user_ns, sys_ns;

	cputime_reported(kernel, &user_ns, &sys_ns);
	v[METRIC_elapsed_s] = seconds(run->elapsed_ns);
	v[METRIC_user_s] = seconds(user_ns);
	v[METRIC_sys_s] = seconds(sys_ns);
	v[METRIC_cpu_seconds_s] = seconds(kernel->user_ns + kernel->sys_ns);
	v[METRIC_cpu_pct] = 100 * ratio(v[METRIC_cpu_seconds_s], v[METRIC_elapsed_s]);
	v[METRIC_switches] = (double)kernel->switches;
	v[METRIC_wakeups] = (double)kernel->wakeups;
	v[METRIC_forks] = (double)kernel->forks;
	v[METRIC_migrations] = (double)kernel->migrations;
	v[METRIC_ticks] = (double)kernel->ticks;
	v[METRIC_worker_s] = seconds(kernel->worker_ns);
}

static void collect_samples(const struct run *run, double *v)
{
	double *watts = run->scratch;
	struct robust robust;
	struct stats stats;

	v[METRIC_power_samples] = (double)run->nr_samples;
	if (run->nr_samples == 0)
		return;
	for (size_t i = 0; i < run->nr_samples; i++)
		watts[i] = run->samples[i].watts;
	stats_of(watts, 1, run->nr_samples, &stats);
	series_robust(watts, run->nr_samples, watts + run->nr_samples, &robust);
	v[METRIC_power_sample_mean_w] = stats.mean;
	v[METRIC_power_sample_std_w] = stats.sd;
	v[METRIC_power_sample_min_w] = stats.min;
	v[METRIC_power_sample_max_w] = stats.max;
	v[METRIC_power_sample_median_w] = robust.median;
	v[METRIC_power_sample_mad_w] = robust.mad;
	v[METRIC_power_sample_outliers] = (double)series_outliers(watts, run->nr_samples, &robust);
}

static void collect_power(const struct run *run, double *v)
{
	v[METRIC_energy_pkg_j] = power_energy_j(&run->machine);
	v[METRIC_power_assumed] = run->machine.spec->power.assumed;
	v[METRIC_power_avg_w] = ratio(v[METRIC_energy_pkg_j], seconds(run->machine.engine->now_ns));
	collect_samples(run, v);
}

static void collect_latency(const struct log_histogram *latency, double *v)
{
	static const struct {
		enum metric metric;
		int64_t ppm;
	} quantiles[] = { { METRIC_wakeup_p50_us, 500000 }, { METRIC_wakeup_p90_us, 900000 },
		{ METRIC_wakeup_p99_us, 990000 } };

	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		v[quantiles[i].metric] = (double)log_histogram_quantile(latency, quantiles[i].ppm) /
			1e3;
	v[METRIC_wakeup_max_us] = (double)latency->max / 1e3;
	v[METRIC_wakeup_mean_us] = ratio((double)latency->sum, (double)latency->n) / 1e3;
}

static void collect_hwp(const struct machine *machine, double *v)
{
	for (int i = 0; i < machine->nr_cpus && machine->cpus[i].hwp; i++) {
		v[METRIC_hwp_writes] += (double)machine->cpus[i].hwp->writes;
		v[METRIC_hwp_choices] += (double)machine->cpus[i].hwp->choices;
	}
}

static void collect_clocks(const struct machine *machine, double *v)
{
	double busy_ns = 0, clock_sum = 0, cycles = 0;
	int64_t rest = 0;

	for (int i = 0; i < machine->nr_cpus; i++) {
		const struct cpu *cpu = &machine->cpus[i];

		for (int c = 0; c < cpu->domain->nr_clocks; c++) {
			busy_ns += (double)cpu->busy_ns[c];
			clock_sum += (double)cpu->busy_ns[c] * (double)cpu->domain->clocks_khz[c];
		}
		cycles += (double)cpu->cycles;
		rest += cpu->work_rest;
	}
	for (int i = 0; i < machine->nr_domains; i++)
		v[METRIC_clock_changes] += (double)machine->domains[i].changes;
	v[METRIC_busy_s] = busy_ns / 1e9;
	v[METRIC_freq_avg_ghz] = ratio(clock_sum, busy_ns) / 1e6;
	/* What is below one cycle on each CPU adds up to whole ones: however the work was spread,
	 * the same work gives the same total. */
	v[METRIC_total_cycles] = cycles + (double)(rest / WORK_PER_CYCLE);
	v[METRIC_stalls] = (double)machine->stalls;
	v[METRIC_stall_s] = seconds(machine->stall_ns);
}

static void collect_policies(const struct kernel *kernel, double *v)
{
	int64_t wait_ns = 0, driver_ns = 0;

	for (int i = 0; i < kernel->nr_policies; i++) {
		const struct policy *policy = &kernel->policies[i];

		v[METRIC_requests] += (double)policy->requests;
		v[METRIC_suppressed] += (double)policy->suppressed;
		v[METRIC_transitions] += (double)policy->commands;
		v[METRIC_transitions_failed] += (double)policy->failed;
		v[METRIC_work_runs] += (double)policy->work_runs;
		wait_ns += policy->driver_wait_ns;
		driver_ns += policy->driver_busy_ns;
	}
	v[METRIC_driver_wait_s] = seconds(wait_ns);
	v[METRIC_driver_busy_s] = seconds(driver_ns);
	v[METRIC_transitions_per_10s] = ratio(10 * v[METRIC_transitions], v[METRIC_elapsed_s]);
}

int metric_measures(const struct run *run, struct measure *out)
{
	const struct workload *workload = run->scenario ? run->scenario->workload : NULL;

	if (!workload || !workload->measure)
		return 0;
	return workload->measure(
		&run->workload_ctx, run->elapsed_ns - run->workload_ctx.start_ns, out);
}

static void collect_measures(const struct run *run, double *v)
{
	struct measure measures[MEASURES_MAX];

	if (metric_measures(run, measures) < 2)
		return;
	v[METRIC_workload_ops] = measures[0].value;
	v[METRIC_workload_ops_per_s] = measures[1].value;
}

static void collect_hooks(const struct hooks *hooks, double *v)
{
	struct hook_count total = hooks_total(hooks);

	v[METRIC_hook_calls] = (double)total.calls;
	v[METRIC_hook_dropped_rate_limit] = (double)total.rate_limited;
	v[METRIC_hook_dropped_other] = (double)total.dropped;
	v[METRIC_hook_changes] = (double)total.changes;
	v[METRIC_hook_contended] = (double)hooks->contended;
	v[METRIC_hook_cost_s] = seconds(hooks->cost_ns);
}

void metric_collect(const struct run *run, double *values)
{
	for (int i = 0; i < METRIC_NR; i++)
		values[i] = 0;
	collect_time(run, values);
	collect_power(run, values);
	collect_clocks(&run->machine, values);
	collect_policies(&run->kernel, values);
	collect_measures(run, values);
	collect_hooks(&run->kernel.hooks, values);
	collect_latency(&run->kernel.wakeup_latency, values);
	collect_hwp(&run->machine, values);
}
