#include "sim/probe.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/units.h"

#define CPU "devices/system/cpu"
/* cpuinfo_transition_latency of a driver that does not know it. */
#define LATENCY_UNKNOWN INT64_C(4294967295)

void probe_note(struct probe *probe, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (probe->nr_notes < PROBE_NOTES_MAX)
		probe->notes[probe->nr_notes++] = arena_printf(probe->sysfs.arena, "%s", text);
}

static void read_topology(struct probe *probe)
{
	for (int i = 0; i < probe->nr_cpus; i++) {
		struct probe_cpu *cpu = &probe->cpus[i];
		int64_t package = sysfs_number(
			&probe->sysfs, CPU "/cpu%d/topology/physical_package_id", cpu->linux_id);
		int64_t core = sysfs_number(
			&probe->sysfs, CPU "/cpu%d/topology/core_id", cpu->linux_id);

		/* Arm kernels say -1 where firmware does not tell, which is no number here. */
		probe->has_topology |= package >= 0;
		cpu->package = package >= 0 && package < INT32_MAX ? (int)package
			: i                                        ? cpu[-1].package
								   : 0;
		cpu->core = core >= 0 && core < INT32_MAX ? (int)core : i;
		cpu->policy = -1;
		cpu->capacity = sysfs_number(
			&probe->sysfs, CPU "/cpu%d/cpu_capacity", cpu->linux_id);
		probe->has_capacity |= cpu->capacity > 0;
	}
	if (!probe->has_topology)
		probe_note(probe, "topology/physical_package_id is missing: one package");
}

static int read_cpus(struct probe *probe, struct error *err)
{
	struct arena *arena = probe->sysfs.arena;
	bool *present = arena_array(arena, SYSFS_CPUS_MAX, sizeof(*present));
	const char *text = sysfs_text(&probe->sysfs, CPU "/present");
	int nr = sysfs_cpus(text, present);

	if (nr == 0)
		return error_set(err, ERROR_SCENARIO,
			"%s/" CPU "/present %s%.40s%s; expected the root of a sysfs tree whose "
			"file lists at most %d CPUs, as 0-7",
			probe->sysfs.root, text ? "is \"" : "cannot be read", text ? text : "",
			text ? "\"" : "", SYSFS_CPUS_MAX);
	probe->cpus = arena_array(arena, (size_t)nr, sizeof(*probe->cpus));
	for (int i = 0; i < SYSFS_CPUS_MAX; i++)
		if (present[i])
			probe->cpus[probe->nr_cpus++].linux_id = i;
	read_topology(probe);
	return 0;
}

static bool is_khz(int64_t khz)
{
	return khz >= PROBE_KHZ_MIN && khz <= PROBE_KHZ_MAX;
}

static void read_table(struct probe *probe, struct probe_policy *policy, const char *dir)
{
	struct sysfs *sysfs = &probe->sysfs;
	int64_t *khz, *boost;
	size_t nr = sysfs_numbers(
		sysfs, sysfs_text(sysfs, "%s/scaling_available_frequencies", dir), &khz);
	size_t nr_boost = sysfs_numbers(
		sysfs, sysfs_text(sysfs, "%s/scaling_boost_frequencies", dir), &boost);

	policy->points = arena_array(sysfs->arena, nr + nr_boost, sizeof(*policy->points));
	for (size_t i = 0; i < nr + nr_boost; i++) {
		int64_t freq = i < nr ? khz[i] : boost[i - nr];

		if (freq < 1000 ||
			(policy->nr_points && freq <= policy->points[policy->nr_points - 1].khz))
			continue;
		policy->points[policy->nr_points++] = (struct probe_point){
			.khz = freq,
			.power_uw = -1,
			/* Firmware names the turbo state by the clock below it plus 1 MHz. */
			.boost = i >= nr || (i && i + 1 == nr && khz[i] == khz[i - 1] + 1000),
		};
	}
	policy->table = policy->nr_points > 0;
}

/* The CPUs of a policy directory that have no policy yet become its. */
static void read_policy(struct probe *probe, const char *dir)
{
	struct sysfs *sysfs = &probe->sysfs;
	struct probe_policy *policy = &probe->policies[probe->nr_policies];
	bool members[SYSFS_CPUS_MAX], domain[SYSFS_CPUS_MAX];
	int taken = 0;

	*policy = (struct probe_policy){ .driver = sysfs_text(sysfs, "%s/scaling_driver", dir) };
	policy->min_khz = sysfs_number(sysfs, "%s/cpuinfo_min_freq", dir);
	policy->max_khz = sysfs_number(sysfs, "%s/cpuinfo_max_freq", dir);
	policy->base_khz = sysfs_number(sysfs, "%s/base_frequency", dir);
	policy->latency_ns = sysfs_number(sysfs, "%s/cpuinfo_transition_latency", dir);
	if (policy->latency_ns == LATENCY_UNKNOWN)
		policy->latency_ns = -1;
	if (!is_khz(policy->base_khz))
		policy->base_khz = -1;
	if (!is_khz(policy->max_khz) || !is_khz(policy->min_khz) ||
		policy->min_khz > policy->max_khz)
		return;
	const char *related = sysfs_text(sysfs, "%s/related_cpus", dir);
	if (sysfs_cpus(related ? related : sysfs_text(sysfs, "%s/affected_cpus", dir), members) ==
		0)
		return;
	for (int i = 0; i < probe->nr_cpus; i++)
		if (members[probe->cpus[i].linux_id] && probe->cpus[i].policy < 0) {
			probe->cpus[i].policy = probe->nr_policies;
			taken++;
		}
	if (taken == 0)
		return;
	policy->nr = taken;
	read_table(probe, policy, dir);
	int in_domain = sysfs_cpus(sysfs_text(sysfs, "%s/freqdomain_cpus", dir), domain);
	if (in_domain && probe->nr_policies == 0)
		probe->scope = in_domain > taken ? PROBE_SCOPE_PACKAGE : PROBE_SCOPE_POLICY;
	probe->nr_policies++;
}

/* Directories of policies are named after their first CPU; kernels before 4.3 have one in each
 * CPU's own directory. */
static void read_policies(struct probe *probe)
{
	struct arena *arena = probe->sysfs.arena;
	int missing = 0;

	probe->policies = arena_array(arena, (size_t)probe->nr_cpus + 1, sizeof(*probe->policies));
	for (int i = 0; i < probe->nr_cpus; i++) {
		int id = probe->cpus[i].linux_id;

		if (probe->cpus[i].policy < 0)
			read_policy(probe, arena_printf(arena, CPU "/cpufreq/policy%d", id));
		if (probe->cpus[i].policy < 0)
			read_policy(probe, arena_printf(arena, CPU "/cpu%d/cpufreq", id));
	}
	probe->has_cpufreq = probe->nr_policies > 0;
	for (int i = 0; i < probe->nr_cpus; i++) {
		struct probe_policy *policy = &probe->policies[probe->nr_policies];

		if (probe->cpus[i].policy >= 0)
			continue;
		/* Like its neighbour, where that has a policy. */
		*policy = probe->nr_policies ? policy[-1] : (struct probe_policy){ 0 };
		policy->nr = 1;
		probe->cpus[i].policy = probe->nr_policies++;
		missing++;
	}
	if (!probe->has_cpufreq)
		probe_note(probe, "cpufreq is missing: no driver, one clock of an assumed 1 GHz");
	else if (missing)
		probe_note(probe, "%d CPUs have no cpufreq directory: as the CPU before them",
			missing);
}

/* By package, by policy, by number; then CPUs of one policy and package stand in a row. */
static int compare_cpus(const void *a, const void *b)
{
	const struct probe_cpu *x = a, *y = b;

	if (x->package != y->package)
		return (x->package > y->package) - (x->package < y->package);
	if (x->policy != y->policy)
		return (x->policy > y->policy) - (x->policy < y->policy);
	return (x->linux_id > y->linux_id) - (x->linux_id < y->linux_id);
}

static void order_cpus(struct probe *probe)
{
	struct probe_policy *sorted = arena_array(
		probe->sysfs.arena, (size_t)probe->nr_cpus, sizeof(*sorted));
	int nr = 0, before = -1;

	qsort(probe->cpus, (size_t)probe->nr_cpus, sizeof(*probe->cpus), compare_cpus);
	for (int i = 0; i < probe->nr_cpus; i++) {
		struct probe_cpu *cpu = &probe->cpus[i];
		bool next = cpu->policy != before || (i && cpu->package != cpu[-1].package);

		probe->renumbered |= cpu->linux_id != i;
		before = cpu->policy;
		if (next) {
			sorted[nr] = probe->policies[cpu->policy];
			sorted[nr].first = i;
			sorted[nr++].nr = 0;
		}
		sorted[nr - 1].nr++;
		cpu->policy = nr - 1;
	}
	if (nr > probe->nr_policies)
		probe_note(probe, "a policy spans packages: one in each");
	probe->policies = sorted;
	probe->nr_policies = nr;
	if (probe->renumbered)
		probe_note(probe,
			"CPUs are numbered anew, package by package and policy by policy: CPU %d "
			"here is Linux's %d",
			probe->nr_cpus - 1, probe->cpus[probe->nr_cpus - 1].linux_id);
}

static bool same_core(const struct probe_cpu *a, const struct probe_cpu *b)
{
	return a->package == b->package && a->core == b->core;
}

/* Threads of the cores of one package, from CPU @first to before @end; 0: not alike. */
static int threads_of(const struct probe *probe, int first, int end, bool *adjacent)
{
	const struct probe_cpu *cpus = probe->cpus;
	int smt = 0;

	for (int i = first; i < end; i++)
		smt += same_core(&cpus[first], &cpus[i]);
	if (smt < 2)
		smt = 1;
	if ((end - first) % smt)
		return 0;
	*adjacent = smt > 1 && same_core(&cpus[first], &cpus[first + 1]);
	int cores = (end - first) / smt;
	for (int i = first; i < end; i++) {
		int at = i - first;
		int like = *adjacent ? at / smt * smt : at % cores;

		if (!same_core(&cpus[i], &cpus[first + like]))
			return 0;
	}
	return smt;
}

static void find_threads(struct probe *probe)
{
	int end;

	for (int first = 0; first < probe->nr_cpus; first = end) {
		bool adjacent = false;

		for (end = first; end < probe->nr_cpus &&
			probe->cpus[end].package == probe->cpus[first].package;
			end++)
			;
		int smt = threads_of(probe, first, end, &adjacent);
		if (smt == 0 || (first && (smt != probe->smt || adjacent != probe->adjacent))) {
			probe->smt = 0;
			probe_note(probe,
				"cores have different numbers of threads, or in no known order: "
				"one thread each");
			return;
		}
		probe->smt = smt;
		probe->adjacent = adjacent;
	}
}

int probe_read(struct probe *probe, struct arena *arena, const char *root, struct error *err)
{
	*probe = (struct probe){ .sysfs = { .arena = arena, .root = root } };
	probe->pcc = (struct probe_pcc){ -1, -1, -1, -1, -1, -1 };
	if (read_cpus(probe, err))
		return -1;
	read_policies(probe);
	order_cpus(probe);
	find_threads(probe);
	probe_read_energy_model(probe);
	probe_read_idle(probe);
	return 0;
}
