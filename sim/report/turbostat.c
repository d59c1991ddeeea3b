#include "sim/report/turbostat.h"

#include "sim/base/units.h"
#include "sim/hw/power.h"
#include "sim/kernel/perf_counters.h"
#include "sim/run.h"

/* Of one CPU, or summed up over all. */
struct line {
	double aperf, mperf, tsc, seconds;
	double idle_ns[16];
};
#define STATES_MAX (sizeof(((struct line *)NULL)->idle_ns) / sizeof(double))

static void add_cpu(struct line *line, struct run *run, int cpu)
{
	const struct machine_spec *spec = run->machine.spec;
	struct perf_counters counters;

	perf_counters_read(&run->kernel, cpu, &counters);
	line->aperf += (double)counters.aperf;
	line->mperf += (double)counters.mperf;
	/* TSC counts at the base clock all the time. */
	line->tsc += (double)run->engine.now_ns * (double)perf_counters_base_khz(&run->kernel) /
		1e6;
	line->seconds += (double)run->engine.now_ns / 1e9;
	for (size_t s = 0; s < spec->nr_cstates && s < STATES_MAX; s++)
		line->idle_ns[s] += (double)cpu_idle_ns(&run->machine.cpus[cpu], (int)s);
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : 0;
}

/* Columns as turbostat has them: Avg_MHz over all the time, Bzy_MHz while busy. */
static void put_line(FILE *out, const struct run *run, const struct line *line)
{
	const struct machine_spec *spec = run->machine.spec;
	double base_mhz = (double)perf_counters_base_khz(&run->kernel) / 1e3;

	fprintf(out, "\t%.0f\t%.2f\t%.0f\t%.0f", ratio(line->aperf, line->seconds) / 1e6,
		100 * ratio(line->mperf, line->tsc), base_mhz * ratio(line->aperf, line->mperf),
		ratio(line->tsc, line->seconds) / 1e6);
	for (size_t s = 0; s < spec->nr_cstates && s < STATES_MAX; s++)
		fprintf(out, "\t%.2f", 100 * ratio(line->idle_ns[s], line->seconds * 1e9));
}

void turbostat_write(FILE *out, struct run *run)
{
	const struct machine_spec *spec = run->machine.spec;
	struct line all = { 0 };

	machine_account(&run->machine);
	fputs("Package\tCPU\tAvg_MHz\tBusy%\tBzy_MHz\tTSC_MHz", out);
	for (size_t s = 0; s < spec->nr_cstates && s < STATES_MAX; s++)
		fprintf(out, "\t%s%%", spec->cstates[s].name);
	fputs("\tPkgWatt\n", out);
	for (int cpu = 0; cpu < run->machine.nr_cpus; cpu++)
		add_cpu(&all, run, cpu);
	fputs("-\t-", out);
	put_line(out, run, &all);
	fprintf(out, "\t%.2f\n",
		ratio(power_energy_j(&run->machine), (double)run->engine.now_ns / 1e9));
	for (int cpu = 0; cpu < run->machine.nr_cpus; cpu++) {
		struct line line = { 0 };

		add_cpu(&line, run, cpu);
		fprintf(out, "%d\t%d", run->machine.cpus[cpu].package->id, cpu);
		put_line(out, run, &line);
		fputc('\n', out);
	}
}
