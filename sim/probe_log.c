/*
 * The header of the Processor Clocking Control interface as pcc-cpufreq prints it into the kernel
 * log when debugging is on (pcc_cpufreq_probe() of Linux 4.8).
 */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/probe.h"

#define LINE_SIZE 1024
#define VALUE_MAX 100000000

static const struct {
	const char *label;
	size_t field;
} labels[] = {
	{ "nominal latency", offsetof(struct probe_pcc, latency_us) },
	{ "min_time_between_commands", offsetof(struct probe_pcc, min_time_us) },
	{ "max_time_between_commands", offsetof(struct probe_pcc, max_time_us) },
	{ "nominal CPU frequency", offsetof(struct probe_pcc, nominal_mhz) },
	{ "minimum CPU frequency without throttling", offsetof(struct probe_pcc, unthrottled_mhz) },
	{ "minimum CPU frequency", offsetof(struct probe_pcc, minimum_mhz) },
};

static const char *find(const char *line, const char *label)
{
	size_t len = strlen(label);

	for (; *line; line++)
		if (strncasecmp(line, label, len) == 0)
			return line + len;
	return NULL;
}

/* ": 2800 MHz" after a label; -1: no number there. */
static int64_t value_at(const char *s)
{
	int64_t v = 0;

	s += strspn(s, " :=");
	if (!isdigit((unsigned char)*s))
		return -1;
	for (; isdigit((unsigned char)*s); s++) {
		v = v * 10 + (*s - '0');
		if (v > VALUE_MAX)
			return -1;
	}
	return v;
}

static void take_line(struct probe_pcc *pcc, const char *line)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		const char *at = find(line, labels[i].label);
		int64_t value = at ? value_at(at) : -1;

		if (value >= 0)
			memcpy((char *)pcc + labels[i].field, &value, sizeof(value));
	}
}

int probe_read_log(struct probe *probe, const char *path, struct error *err)
{
	char line[LINE_SIZE];
	FILE *file = fopen(path, "rb");

	if (!file)
		return error_set(err, ERROR_SCENARIO, "--dmesg: %s cannot be opened: %s", path,
			strerror(errno));
	while (fgets(line, sizeof(line), file))
		take_line(&probe->pcc, line);
	bool failed = ferror(file);
	fclose(file);
	if (failed)
		return error_set(err, ERROR_SCENARIO, "--dmesg: %s cannot be read", path);
	if (probe->pcc.nominal_mhz <= 0)
		probe_note(probe,
			"the log has no PCC header (\"nominal CPU frequency: ... MHz\"; boot with "
			"pcc_cpufreq.dyndbg=+p)");
	return 0;
}
