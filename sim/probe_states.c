/*
 * What sysfs and debugfs say of the states of CPUs: idle states, and the power of performance
 * states in the energy model.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "sim/probe.h"

#define DOMAINS_MAX 4096
/* No state takes longer to leave, or a longer stay to pay. */
#define STATE_US_MAX 1000000

void probe_read_idle(struct probe *probe)
{
	struct sysfs *sysfs = &probe->sysfs;

	for (int i = 0; i < PROBE_IDLE_MAX; i++) {
		const char *dir = arena_printf(sysfs->arena,
			"devices/system/cpu/cpu%d/cpuidle/state%d", probe->cpus[0].linux_id, i);
		const char *name = sysfs_text(sysfs, "%s/name", dir);
		int64_t latency_us = sysfs_number(sysfs, "%s/latency", dir);
		int64_t residency_us = sysfs_number(sysfs, "%s/residency", dir);

		if (!name || latency_us < 0 || latency_us > STATE_US_MAX)
			break;
		if (residency_us < 0 || residency_us > STATE_US_MAX) {
			residency_us = latency_us;
			probe_note(probe,
				"cpuidle/state%d/residency is missing, or above 1 s: its exit "
				"latency",
				i);
		}
		probe->idle[probe->nr_idle++] = (struct probe_idle){ name, latency_us,
			residency_us };
	}
	if (probe->nr_idle == 0)
		probe_note(probe, "cpuidle is missing: one idle state, left in 1 us");
}

static struct probe_policy *policy_of(struct probe *probe, const bool *cpus)
{
	for (int i = 0; i < probe->nr_cpus; i++)
		if (cpus[probe->cpus[i].linux_id])
			return &probe->policies[probe->cpus[i].policy];
	return NULL;
}

static int compare_points(const void *a, const void *b)
{
	const struct probe_point *x = a, *y = b;

	return (x->khz > y->khz) - (x->khz < y->khz);
}

/* Directories "ps:KHZ" hold one performance state each. @scale: uW of its unit of power. */
static void read_domain(
	struct probe_policy *policy, const struct sysfs *sysfs, const char *dir, int64_t scale)
{
	DIR *states = opendir(arena_printf(sysfs->arena, "%s/%s", sysfs->root, dir));
	struct probe_point *points = arena_array(sysfs->arena, DOMAINS_MAX, sizeof(*points));
	struct dirent *d;
	size_t nr = 0;

	for (int seen = 0;
		states && nr < DOMAINS_MAX && seen < 4 * DOMAINS_MAX && (d = readdir(states));
		seen++) {
		if (strncmp(d->d_name, "ps:", 3) != 0)
			continue;
		int64_t khz = sysfs_number(sysfs, "%s/%s/frequency", dir, d->d_name);
		int64_t power = sysfs_number(sysfs, "%s/%s/power", dir, d->d_name);

		if (khz >= PROBE_KHZ_MIN && khz <= PROBE_KHZ_MAX && power > 0 &&
			power <= PROBE_UW_MAX / scale)
			points[nr++] = (struct probe_point){ khz, power * scale, false };
	}
	if (states)
		closedir(states);
	if (nr)
		qsort(points, nr, sizeof(*points), compare_points);
	/* Names of directories may differ where their frequencies do not. */
	size_t kept = 0;
	for (size_t i = 0; i < nr; i++)
		if (kept == 0 || points[i].khz > points[kept - 1].khz)
			points[kept++] = points[i];
	nr = kept < PROBE_POINTS_MAX ? kept : PROBE_POINTS_MAX;
	for (size_t i = 0; i < policy->nr_points; i++)
		for (size_t j = 0; j < nr; j++)
			if (policy->points[i].khz == points[j].khz)
				policy->points[i].power_uw = points[j].power_uw;
	if (policy->nr_points == 0 && nr) {
		policy->points = points;
		policy->nr_points = nr;
	}
}

void probe_read_energy_model(struct probe *probe)
{
	static const char model[] = "kernel/debug/energy_model";
	struct sysfs *sysfs = &probe->sysfs;
	DIR *domains = opendir(arena_printf(sysfs->arena, "%s/%s", sysfs->root, model));
	bool cpus[SYSFS_CPUS_MAX];
	struct dirent *d;
	int nr = 0;

	for (int seen = 0; domains && seen < DOMAINS_MAX && (d = readdir(domains)); seen++) {
		const char *dir = arena_printf(sysfs->arena, "%s/%.255s", model, d->d_name);
		struct probe_policy *policy;

		if (d->d_name[0] == '.' || !sysfs_cpus(sysfs_text(sysfs, "%s/cpus", dir), cpus))
			continue;
		policy = policy_of(probe, cpus);
		if (!policy)
			continue;
		/* From 5.19 on bit 0 of flags says microwatts; before it is milliwatts, or nothing
		 * real. */
		const char *flags = sysfs_text(sysfs, "%s/flags", dir);
		const char *units = sysfs_text(sysfs, "%s/units", dir);
		bool micro = flags && strtoul(flags, NULL, 0) & 1;
		if (units && strcmp(units, "bogoWatts") == 0)
			probe_note(probe, "energy_model/%.60s is in bogoWatts: taken for mW",
				d->d_name);
		read_domain(policy, sysfs, dir, micro ? 1 : 1000);
		nr++;
	}
	if (domains)
		closedir(domains);
	if (nr == 0)
		probe_note(probe,
			"kernel/debug/energy_model is missing (or not readable): power is assumed");
}
