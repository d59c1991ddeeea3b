#include "sim/report/stats_tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/report/state.h"
#include "sim/run.h"

#define PATH_LENGTH 1024

static int make_folders(char *path, struct error *err)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			return error_set(
				err, ERROR_RUN, "%s cannot be made: %s", path, strerror(errno));
		*slash = '/';
	}
	return 0;
}

static FILE *open_file(
	const char *dir, const struct policy *policy, const char *name, struct error *err)
{
	char path[PATH_LENGTH];
	int len = snprintf(path, sizeof(path), "%s/devices/system/cpu/cpufreq/policy%d/%s", dir,
		policy->id, name);

	if (len < 0 || (size_t)len >= sizeof(path)) {
		error_set(err, ERROR_RUN, "%.60s...: the path is too long", dir);
		return NULL;
	}
	if (make_folders(path, err) < 0)
		return NULL;
	FILE *file = fopen(path, "wb");
	if (!file)
		error_set(err, ERROR_RUN, "%s cannot be written: %s", path, strerror(errno));
	return file;
}

static int close_file(FILE *file, const char *dir, struct error *err)
{
	bool failed = ferror(file);

	failed |= fclose(file) != 0;
	return failed ? error_set(err, ERROR_RUN, "%s: a file could not be written", dir) : 0;
}

static int put_text(const char *dir, const struct policy *policy, const char *name,
	const char *text, struct error *err)
{
	FILE *file = open_file(dir, policy, name, err);

	if (!file)
		return -1;
	fprintf(file, "%s\n", text);
	return close_file(file, dir, err);
}

static int put_number(const char *dir, const struct policy *policy, const char *name,
	int64_t number, struct error *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	return put_text(dir, policy, name, text, err);
}

static int put_time(const char *dir, const struct policy *policy, struct error *err)
{
	FILE *file = open_file(dir, policy, "stats/time_in_state", err);

	if (!file)
		return -1;
	for (int s = 0; s < policy->stats.nr_states; s++)
		fprintf(file, "%lld %lld\n", (long long)state_khz(policy, s),
			(long long)(cpufreq_time_in_state_ns(policy, s) / STATS_TICK_NS));
	return close_file(file, dir, err);
}

/* Columns of nine characters, as show_trans_table() of Linux 6.1 prints them. */
static int put_table(const char *dir, const struct policy *policy, struct error *err)
{
	FILE *file = open_file(dir, policy, "stats/trans_table", err);
	int nr = policy->stats.nr_states;

	if (!file)
		return -1;
	fputs("   From  :    To\n         : ", file);
	for (int s = 0; s < nr; s++)
		fprintf(file, "%9lld ", (long long)state_khz(policy, s));
	fputc('\n', file);
	for (int from = 0; from < nr; from++) {
		fprintf(file, "%9lld: ", (long long)state_khz(policy, from));
		for (int to = 0; to < nr; to++)
			fprintf(file, "%9lu ",
				(unsigned long)cpufreq_stats_trans(&policy->stats, from, to));
		fputc('\n', file);
	}
	return close_file(file, dir, err);
}

static int put_cpus(const char *dir, const struct policy *policy, struct error *err)
{
	FILE *file = open_file(dir, policy, "related_cpus", err);

	if (!file)
		return -1;
	for (int i = 0; i < policy->nr_cpus; i++)
		fprintf(file, "%s%d", i ? " " : "", policy->first_cpu + i);
	fputc('\n', file);
	return close_file(file, dir, err);
}

static int put_policy(
	const char *dir, const struct run *run, const struct policy *policy, struct error *err)
{
	if (put_text(dir, policy, "scaling_driver", run->scenario->driver->name, err) ||
		put_text(dir, policy, "scaling_governor", run->governor_name, err) ||
		put_cpus(dir, policy, err) ||
		put_number(dir, policy, "scaling_cur_freq", policy->cur_khz, err) ||
		put_number(dir, policy, "scaling_min_freq", policy->min_khz, err) ||
		put_number(dir, policy, "scaling_max_freq", policy->max_khz, err) ||
		put_number(dir, policy, "cpuinfo_min_freq", policy->cpuinfo_min_khz, err) ||
		put_number(dir, policy, "cpuinfo_max_freq", policy->cpuinfo_max_khz, err))
		return -1;
	/* Where a driver has no table Linux keeps no statistics of states. */
	if (!policy->has_table)
		return 0;
	if (put_number(dir, policy, "stats/total_trans", cpufreq_stats_total(&policy->stats), err))
		return -1;
	return put_time(dir, policy, err) || put_table(dir, policy, err) ? -1 : 0;
}

int stats_tree_write(const char *dir, const struct run *run, struct error *err)
{
	for (int i = 0; i < run->kernel.nr_policies; i++)
		if (put_policy(dir, run, &run->kernel.policies[i], err) < 0)
			return -1;
	return 0;
}
