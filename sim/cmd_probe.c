#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cmd.h"
#include "sim/probe.h"

enum { OPT_SYSFS, OPT_SOC, OPT_DMESG, OPT_OUT, OPT_NAME };

static const struct cmd_option options[] = {
	{ "--sysfs", 0, "DIR", "the tree to read (default: /sys), such as a copy of one" },
	{ "--soc", 0, "FILE", "instead of a tree: the table of a system on chip (JSON)" },
	{ "--dmesg", 0, "FILE", "a boot log that has the header of the PCC firmware interface" },
	{ "--output", 'o', "MACHINE", "the file to write; required" },
	{ "--name", 0, "NAME", "what the machine is called (default: probed)" },
	{ .name = NULL },
};

struct request {
	const char *sysfs, *soc, *dmesg, *out, *name;
};

static int take_option(struct cmd_env *env, struct request *request, struct cmd_args *args, int opt)
{
	const char *operand = NULL;

	switch (opt) {
	case OPT_SYSFS:
		request->sysfs = args->value;
		return 0;
	case OPT_SOC:
		request->soc = args->value;
		return 0;
	case OPT_DMESG:
		request->dmesg = args->value;
		return 0;
	case OPT_OUT:
		request->out = args->value;
		return 0;
	case OPT_NAME:
		request->name = args->value;
		return 0;
	}
	if (cmd_operand(args, &operand, env->err) < 0)
		return -1;
	return error_set(
		env->err, ERROR_USAGE, "probe: takes no operand, found \"%.60s\"", operand);
}

/* The simulator's driver for what the tree names. */
static const char *choose_driver(struct cmd_env *env, struct probe *probe)
{
	const char *named = probe->policies[0].driver;
	struct catalog_entry entry;

	if (!probe->has_cpufreq)
		return "null";
	if (named && catalog_find(env->catalog, ROOM_DRIVERS, named, &entry))
		return entry.name;
	/* Such as amd-pstate-epp: the same driver, in another mode. */
	if (named && strncmp(named, "amd-pstate", strlen("amd-pstate")) == 0)
		return "amd-pstate";
	const char *driver = probe->policies[0].table ? "cpufreq-dt" : "null";
	probe_note(probe, "scaling_driver %.40s%s: %s stands for it", named ? named : "is missing",
		named ? " is not simulated" : "", driver);
	return driver;
}

static int write_file(
	struct cmd_env *env, const struct request *request, struct probe *probe, const char *driver)
{
	const char *part = arena_printf(env->arena, "%s.partial", request->out);
	FILE *file = fopen(part, "wb");

	if (!file)
		return error_set(
			env->err, ERROR_RUN, "%s cannot be written: %s", part, strerror(errno));
	probe_write(file, probe, request->name ? request->name : "probed", driver);
	bool failed = ferror(file);
	failed |= fclose(file) != 0;
	if (!failed && rename(part, request->out) == 0)
		return 0;
	error_set(env->err, ERROR_RUN, "%s cannot be written: %s", request->out, strerror(errno));
	unlink(part);
	return -1;
}

static int run_probe(struct cmd_env *env, int argc, char **argv)
{
	struct cmd_args args = { .command = &cmd_probe, .argc = argc, .argv = argv };
	struct request request = { .sysfs = "/sys" };
	struct probe *probe = arena_alloc(env->arena, sizeof(*probe));
	int opt;

	while ((opt = cmd_next(&args, env->err)) != CMD_END)
		if (opt == CMD_BAD || take_option(env, &request, &args, opt) < 0)
			return -1;
	if (!request.out)
		return cmd_missing(&cmd_probe, "--output", env->err);
	if ((request.soc ? probe_read_soc(probe, env->arena, request.soc, env->err)
			 : probe_read(probe, env->arena, request.sysfs, env->err)) < 0 ||
		(request.dmesg && probe_read_log(probe, request.dmesg, env->err) < 0))
		return -1;
	const char *driver = choose_driver(env, probe);
	if (write_file(env, &request, probe, driver) < 0)
		return -1;
	printf("%s: %d CPUs, %d policies, %d idle states, driver %s\n", request.out, probe->nr_cpus,
		probe->nr_policies, probe->nr_idle, driver);
	for (int i = 0; i < probe->nr_notes; i++)
		printf("note: %s\n", probe->notes[i]);
	return 0;
}

const struct command cmd_probe = {
	.name = "probe",
	.operands = "",
	.summary = "write a machine file from what sysfs says of a machine",
	.notes =
		"Reads cpufreq, cpuidle, topology and, where debugfs is mounted and readable, the\n"
		"energy model. What is missing is named, and its keys stand under \"assumed\".\n",
	.options = options,
	.run = run_probe,
};
