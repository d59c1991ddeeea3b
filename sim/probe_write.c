/*
 * The facts of a probe as a machine file. What the tree does not say gets a value all the same,
 * since a machine has to have one, and its key stands under "assumed".
 */
#include <inttypes.h>
#include <string.h>

#include "sim/base/units.h"
#include "sim/hw/machine_spec.h"
#include "sim/probe.h"

#define NO_CLOCK_KHZ 1000000
#define ASSUMED_MAX 16

struct writer {
	FILE *out;
	struct probe *probe;
	const char *assumed[ASSUMED_MAX];
	int nr_assumed;
};

static void assume(struct writer *w, const char *key)
{
	for (int i = 0; i < w->nr_assumed; i++)
		if (strcmp(w->assumed[i], key) == 0)
			return;
	if (w->nr_assumed < ASSUMED_MAX)
		w->assumed[w->nr_assumed++] = key;
}

static int64_t top_khz(const struct probe_policy *policy)
{
	if (policy->nr_points)
		return policy->points[policy->nr_points - 1].khz;
	return policy->max_khz > 0 ? policy->max_khz : NO_CLOCK_KHZ;
}

/* Names come from files: nothing but what YAML takes as a plain word. */
static const char *plain(const struct probe *probe, const char *name)
{
	char *word = arena_printf(probe->sysfs.arena, "%.40s", name);

	for (char *c = word; *c; c++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-",
			    *c))
			*c = '-';
	return word;
}

static bool same_table(const struct probe_policy *a, const struct probe_policy *b)
{
	if (a->nr_points != b->nr_points || a->table != b->table || top_khz(a) != top_khz(b) ||
		a->min_khz != b->min_khz)
		return false;
	for (size_t i = 0; i < a->nr_points; i++)
		if (a->points[i].khz != b->points[i].khz ||
			a->points[i].power_uw != b->points[i].power_uw)
			return false;
	return true;
}

/* The first policy with this one's table. */
static int table_of(const struct probe *probe, int policy)
{
	for (int i = 0; i < policy; i++)
		if (same_table(&probe->policies[i], &probe->policies[policy]))
			return i;
	return policy;
}

static bool one_table(const struct probe *probe)
{
	for (int i = 1; i < probe->nr_policies; i++)
		if (table_of(probe, i) != 0)
			return false;
	return true;
}

/* Compute power per MHz, 1024 the best: cpu_capacity is at the top clock of each CPU. */
static double per_mhz(const struct probe *probe, const struct probe_cpu *cpu)
{
	return cpu->capacity > 0
		? (double)cpu->capacity / (double)top_khz(&probe->policies[cpu->policy])
		: 0;
}

static int dmips_of(const struct probe *probe, const struct probe_cpu *cpu)
{
	double best = 0, own = per_mhz(probe, cpu);

	for (int i = 0; i < probe->nr_cpus; i++)
		best = per_mhz(probe, &probe->cpus[i]) > best ? per_mhz(probe, &probe->cpus[i])
							      : best;
	int dmips = own > 0 && best > 0 ? (int)(1024 * own / best + 0.5) : 1024;
	return dmips < 1 ? 1 : dmips;
}

static void write_cpus(struct writer *w)
{
	const struct probe *probe = w->probe;
	int end;

	fprintf(w->out, "\ncpus:%s\n",
		probe->has_capacity ? "  # dmips from cpu_capacity and the top clocks" : "");
	for (int first = 0, package = 0; first < probe->nr_cpus; first = end) {
		int dmips = dmips_of(probe, &probe->cpus[first]);

		package += first && probe->cpus[first].package != probe->cpus[first - 1].package;
		for (end = first + 1; end < probe->nr_cpus &&
			probe->cpus[end].package == probe->cpus[first].package &&
			dmips_of(probe, &probe->cpus[end]) == dmips;
			end++)
			;
		fprintf(w->out, "  - { cpus: \"%d-%d\", package: %d, dmips: %d", first, end - 1,
			package, dmips);
		if (probe->smt > 1 && (end - first) % probe->smt == 0)
			fprintf(w->out, ", smt: %d, siblings: %s", probe->smt,
				probe->adjacent ? "adjacent" : "apart");
		fprintf(w->out, " }\n");
	}
	if (!probe->has_topology)
		assume(w, "cpus.package");
}

static void write_policies(struct writer *w)
{
	const struct probe *probe = w->probe;
	bool tables = !one_table(probe);

	fprintf(w->out, "\npolicies:\n");
	for (int i = 0; i < probe->nr_policies; i++) {
		const struct probe_policy *policy = &probe->policies[i];

		fprintf(w->out, "  - { cpus: \"%d-%d\"", policy->first,
			policy->first + policy->nr - 1);
		if (tables)
			fprintf(w->out, ", table: policy%d",
				probe->policies[table_of(probe, i)].first);
		fprintf(w->out, " }\n");
	}
	fprintf(w->out, "clock: { scope: %s, vote: non-idle }%s\n",
		probe->scope == PROBE_SCOPE_PACKAGE && !tables ? "package" : "policy",
		probe->scope == PROBE_SCOPE_UNKNOWN ? "" : "  # freqdomain_cpus");
	if (probe->scope == PROBE_SCOPE_UNKNOWN)
		assume(w, "clock.scope");
	assume(w, "clock.vote");
}

/* A straight line from 0.8 V to 1.1 V stands for the curve nobody tells. */
static int64_t assumed_uv(int64_t khz, int64_t min_khz, int64_t max_khz)
{
	return max_khz <= min_khz
		? 1100000
		: 800000 + 300000 * (khz - min_khz) / (max_khz - min_khz) / 10000 * 10000;
}

static void write_point(struct writer *w, const char *indent, const struct probe_policy *policy,
	const struct probe_point *point)
{
	int64_t min_khz = policy->nr_points ? policy->points[0].khz : policy->min_khz;

	fprintf(w->out, "%s  - { freq: %" PRId64 "kHz", indent, point->khz);
	if (point->power_uw > 0)
		fprintf(w->out, ", power: %" PRId64 "uW", point->power_uw);
	else
		fprintf(w->out, ", voltage: %" PRId64 "uV",
			assumed_uv(point->khz, min_khz, top_khz(policy)));
	fprintf(w->out, "%s }\n", point->boost ? ", turbo: 1" : "");
}

static void write_points(struct writer *w, const char *indent, const struct probe_policy *policy)
{
	bool power = policy->nr_points > 0;
	const char *key = policy->table ? "frequency_table" : "voltage_points";

	if (!policy->table && policy->max_khz > 0)
		fprintf(w->out, "%slimits: { min: %" PRId64 "kHz, max: %" PRId64 "kHz }\n", indent,
			policy->min_khz, policy->max_khz);
	fprintf(w->out, "%s%s:\n", indent, key);
	for (size_t i = 0; i < policy->nr_points; i++) {
		write_point(w, indent, policy, &policy->points[i]);
		power &= policy->points[i].power_uw > 0;
	}
	if (policy->nr_points == 0) {
		const struct probe_point ends[] = { { policy->min_khz, -1, false },
			{ top_khz(policy), -1, false } };

		if (policy->min_khz > 0 && policy->min_khz < ends[1].khz)
			write_point(w, indent, policy, &ends[0]);
		write_point(w, indent, policy, &ends[1]);
		if (!w->probe->has_cpufreq && one_table(w->probe))
			assume(w, "voltage_points");
	}
	if (power)
		return;
	/* Of one table the key is in the section of its own. */
	fprintf(w->out, *indent ? "%sceff: 1000\n" : "%spower:\n  ceff: 1000\n", indent);
	if (!*indent)
		assume(w, "power.ceff");
	assume(w,
		one_table(w->probe)
			? (policy->table ? "frequency_table.voltage" : "voltage_points.voltage")
			: "tables");
}

static void write_tables(struct writer *w)
{
	const struct probe *probe = w->probe;

	fprintf(w->out, "\n");
	if (one_table(probe)) {
		write_points(w, "", &probe->policies[0]);
		return;
	}
	fprintf(w->out, "tables:\n");
	for (int i = 0; i < probe->nr_policies; i++) {
		if (table_of(probe, i) != i)
			continue;
		fprintf(w->out, "  policy%d:\n", probe->policies[i].first);
		write_points(w, "    ", &probe->policies[i]);
	}
}

static void write_idle(struct writer *w)
{
	const struct probe *probe = w->probe;

	fprintf(w->out, "\nidle:  # power is assumed\n");
	for (int i = 0; i < probe->nr_idle; i++)
		fprintf(w->out,
			"  - { name: \"%s\", exit_latency: %" PRId64
			"us, target_residency: %" PRId64 "us, power: 0W }\n",
			plain(probe, probe->idle[i].name), probe->idle[i].latency_us,
			probe->idle[i].residency_us);
	if (probe->nr_idle == 0) {
		fprintf(w->out,
			"  - { name: idle, exit_latency: 1us, target_residency: 1us, power: 0W "
			"}\n");
		assume(w, "idle");
	}
	assume(w, "idle.power");
}

static void write_mhz(FILE *out, const char *key, int64_t mhz)
{
	if (mhz > 0)
		fprintf(out, "    %s: %" PRId64 "MHz\n", key, mhz);
}

static void write_us(FILE *out, const char *key, int64_t us)
{
	if (us >= 0)
		fprintf(out, "    %s: %" PRId64 "us\n", key, us);
}

static void write_driver(struct writer *w, const char *driver)
{
	const struct probe_pcc *pcc = &w->probe->pcc;
	int64_t latency_ns = w->probe->policies[0].latency_ns;

	if (strcmp(driver, "pcc-cpufreq") == 0 && pcc->nominal_mhz > 0) {
		fprintf(w->out, "\ndrivers:\n  pcc-cpufreq:  # header of the boot log\n");
		write_mhz(w->out, "nominal_freq", pcc->nominal_mhz);
		write_mhz(w->out, "minimum_freq_unthrottled", pcc->unthrottled_mhz);
		write_mhz(w->out, "minimum_freq", pcc->minimum_mhz);
		write_us(w->out, "nominal_latency", pcc->latency_us);
		write_us(w->out, "min_time_between_commands", pcc->min_time_us);
		write_us(w->out, "max_time_between_commands", pcc->max_time_us);
	}
	if (strcmp(driver, "acpi-cpufreq") == 0 && latency_ns > 0 && latency_ns < NSEC_PER_SEC)
		fprintf(w->out,
			"\ndrivers:\n  acpi-cpufreq:\n    transition_latency: %" PRId64 "us\n",
			(latency_ns + NSEC_PER_USEC - 1) / NSEC_PER_USEC);
	if (strcmp(driver, "cpufreq-dt") == 0 && latency_ns >= 0 && latency_ns < NSEC_PER_SEC)
		fprintf(w->out,
			"\ndrivers:\n  cpufreq-dt:\n    transition_latency: %" PRId64 "ns\n",
			latency_ns);
}

/* The highest clock below turbo, where the table has turbo; 0: it has none. */
static int64_t below_turbo(const struct probe_policy *policy)
{
	int64_t khz = 0;

	if (policy->nr_points == 0 || !policy->points[policy->nr_points - 1].boost)
		return 0;
	for (size_t i = 0; i < policy->nr_points && !policy->points[i].boost; i++)
		khz = policy->points[i].khz;
	return khz;
}

/* Works given as time are at the base clock, where there is one. */
static void write_reference(struct writer *w)
{
	const struct probe *probe = w->probe;
	int64_t base_khz = probe->policies[0].base_khz, most_khz = 0;

	for (int i = 0; i < probe->nr_policies; i++)
		most_khz = max_i64(most_khz, top_khz(&probe->policies[i]));
	if (base_khz < 1000 && probe->pcc.nominal_mhz > 0)
		base_khz = probe->pcc.nominal_mhz * 1000;
	if (base_khz < 1000)
		base_khz = below_turbo(&probe->policies[0]);
	if (base_khz >= 1000) {
		fprintf(w->out, "reference: %" PRId64 "kHz  # base clock\n", base_khz);
		return;
	}
	fprintf(w->out, "reference: %" PRId64 "kHz  # top clock: no base_frequency\n", most_khz);
	assume(w, "reference");
}

void probe_write(FILE *out, struct probe *probe, const char *name, const char *driver)
{
	struct writer w = { .out = out, .probe = probe };
	const char *linux_driver = probe->policies[0].driver;

	fprintf(out,
		"# What sysfs says of a machine, as cpufreq-sim probe read it. Keys under\n"
		"# \"assumed\" are not in there.\n");
	for (int i = 0; i < probe->nr_notes; i++)
		fprintf(out, "# %s.\n", probe->notes[i]);
	fprintf(out, "name: \"%s\"\nsummary: \"%d CPUs, probed\"\n", plain(probe, name),
		probe->nr_cpus);
	fprintf(out, "driver: \"%s\"  # scaling_driver: %s\n", driver,
		linux_driver ? plain(probe, linux_driver) : "none");
	if (!linux_driver || strcmp(linux_driver, driver) != 0)
		assume(&w, "driver");
	write_reference(&w);
	write_cpus(&w);
	write_policies(&w);
	write_tables(&w);
	write_idle(&w);
	write_driver(&w, driver);
	fprintf(out, "\nassumed: [");
	for (int i = 0; i < w.nr_assumed; i++)
		fprintf(out, "%s%s", i ? ", " : "", w.assumed[i]);
	fprintf(out, "]\n");
}
