#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/cmd_machine.h"
#include "sim/cmd_scenario.h"
#include "sim/kernel/components.h"
#include "sim/run.h"

enum { OPT_SET, OPT_MAP };

static const struct cmd_option options[] = {
	CMD_OPTION_SET,
	{ "--map", 0, NULL, "the whole load-to-frequency map, loads 0 to 100" },
	{ .name = NULL },
};

#define MAP_PREFIX "map load "
#define MAX_LOAD 100
#define LABEL 30

static void print_line(void *arg, const char *name, const char *value)
{
	(void)arg;
	printf("  %-*s %s\n", LABEL, name, value);
}

static void print_rows(const struct param *params, const void *object)
{
	char value[4096];

	for (const struct param *p = params; p && p->type != PARAM_TYPE_END; p++) {
		param_print(p, object, value, sizeof(value));
		print_line(NULL, p->name, value);
	}
}

/* The files of a policy's directory in sysfs, except those that name its CPUs. */
static void print_files(FILE *out, const struct policy *policy)
{
	fprintf(out, "  %-*s %s\n", LABEL, "scaling_driver", policy->driver->name);
	fprintf(out, "  %-*s %s\n", LABEL, "scaling_governor", policy->governor_name);
	fprintf(out, "  %-*s %" PRId64 "\n", LABEL, "cpuinfo_min_freq", policy->cpuinfo_min_khz);
	fprintf(out, "  %-*s %" PRId64 "\n", LABEL, "cpuinfo_max_freq", policy->cpuinfo_max_khz);
	fprintf(out, "  %-*s %" PRId64 "\n", LABEL, "cpuinfo_transition_latency",
		policy->transition_latency_ns);
	fprintf(out, "  %-*s %" PRId64 "\n", LABEL, "scaling_min_freq", policy->min_khz);
	fprintf(out, "  %-*s %" PRId64 "\n", LABEL, "scaling_max_freq", policy->max_khz);
	fprintf(out, "  %-*s %" PRId64 "\n", LABEL, "scaling_cur_freq", policy->cur_khz);
	if (policy->driver->get)
		fprintf(out, "  %-*s %" PRId64 "\n", LABEL, "cpuinfo_cur_freq",
			cpufreq_get(policy));
	if (policy->kernel->spec->invariance == INVARIANCE_CPUFREQ)
		fprintf(out, "  %-*s %" PRIu64 "\n", LABEL, "arch_scale_freq_capacity",
			kernel_freq_scale(policy->kernel, policy->first_cpu));
	if (!policy->has_table)
		return;
	fprintf(out, "  %-*s", LABEL, "scaling_available_frequencies");
	for (int i = 0; i < policy->table.nr; i++)
		if (policy->table.entries[i].khz != FREQ_ENTRY_INVALID &&
			!policy->table.entries[i].boost)
			fprintf(out, " %" PRIu32, policy->table.entries[i].khz);
	fputc('\n', out);
}

static bool same_table(const struct policy *a, const struct policy *b)
{
	if (a->has_table != b->has_table || (a->has_table && a->table.nr != b->table.nr))
		return false;
	for (int i = 0; a->has_table && i < a->table.nr; i++)
		if (a->table.entries[i].khz != b->table.entries[i].khz)
			return false;
	return true;
}

static bool same_files(const struct policy *a, const struct policy *b)
{
	return a->nr_cpus == b->nr_cpus && a->cpuinfo_min_khz == b->cpuinfo_min_khz &&
		a->cpuinfo_max_khz == b->cpuinfo_max_khz && a->min_khz == b->min_khz &&
		a->max_khz == b->max_khz && a->cur_khz == b->cur_khz &&
		a->transition_latency_ns == b->transition_latency_ns && same_table(a, b);
}

static void print_group(const struct policy *first, const struct policy *last)
{
	printf("\npolicy%d", first->id);
	if (last != first)
		printf("%spolicy%d", last - first == 1 ? ", " : "..", last->id);
	printf(":\n");
	print_files(stdout, first);
	printf("  %-*s", LABEL, "affected_cpus");
	if (last != first)
		printf(" %d..%d, %d per policy", first->first_cpu,
			last->first_cpu + last->nr_cpus - 1, first->nr_cpus);
	for (int i = 0; last == first && i < first->nr_cpus; i++)
		printf(" %d", first->first_cpu + i);
	putchar('\n');
}

static void print_policies(const struct kernel *kernel)
{
	for (int i = 0, next; i < kernel->nr_policies; i = next) {
		next = i + 1;
		while (next < kernel->nr_policies &&
			same_files(&kernel->policies[i], &kernel->policies[next]))
			next++;
		print_group(&kernel->policies[i], &kernel->policies[next - 1]);
	}
}

/* What the governor says of itself; lines of a map are kept apart. */
struct map {
	bool whole;
	char value[MAX_LOAD + 1][32];
	int nr;
};

static void take_line(void *arg, const char *name, const char *value)
{
	struct map *map = arg;

	if (strncmp(name, MAP_PREFIX, strlen(MAP_PREFIX)) != 0 || map->nr > MAX_LOAD) {
		print_line(NULL, name, value);
		return;
	}
	snprintf(map->value[map->nr++], sizeof(map->value[0]), "%s", value);
}

/* Short form: where the value stays for several loads the range, elsewhere every tenth load. */
static void print_map(const struct map *map)
{
	if (map->nr == 0)
		return;
	printf("\nfrequency asked for at a load, kHz:\n");
	for (int i = 0, next; i < map->nr; i = next) {
		char loads[32];

		next = i + 1;
		while (!map->whole && next < map->nr &&
			strcmp(map->value[next], map->value[i]) == 0)
			next++;
		if (!map->whole && next == i + 1 && i % 10 != 0 && next != map->nr)
			continue;
		if (next > i + 1)
			snprintf(loads, sizeof(loads), "%d..%d", i, next - 1);
		else
			snprintf(loads, sizeof(loads), "%d", i);
		printf("  load %-8s %s\n", loads, map->value[i]);
	}
}

/* Which source each part of this kernel follows, and how well that is known. */
static void print_rules(const struct scenario *s)
{
	const struct component *component;
	char range[64];

	printf("\nrules of this kernel (list kernels has all):\n");
	for (size_t i = 0; (component = component_at(i)); i++) {
		const struct component_row *row = component_row(
			component, (unsigned)s->kernel.version, s->kernel.patches);

		if (!row ||
			(!component_used_by(component, s->governor->name) &&
				!component_used_by(component, s->driver->name)))
			continue;
		component_range(row, range, sizeof(range));
		printf("  %-*s %s, as in %s: %s%s%s%s\n", LABEL, component->name, range,
			row->source, component_basis_name(row->basis), *row->change ? " (" : "",
			row->change, *row->change ? ")" : "");
	}
}

static void print_effective(const struct run *run, bool whole_map)
{
	const struct scenario *s = run->scenario;
	struct map map = { .whole = whole_map };

	cmd_machine_print(&s->machine);
	printf("\nkernel:\n");
	print_rows(kernel_params, &s->kernel);
	print_policies(&run->kernel);
	print_rules(s);
	printf("\ngovernor %s:\n", run->governor->name);
	if (run->note)
		print_line(NULL, "note", run->note);
	print_rows(run->governor->params, run->kernel.policies[0].tunables);
	if (run->governor->describe)
		run->governor->describe(&run->kernel.policies[0], take_line, &map);
	printf("\ndriver %s:\n", s->driver->name);
	print_rows(s->driver->params, run->driver_ctx.params);
	if (s->driver->describe)
		s->driver->describe(&run->driver_ctx, print_line, NULL);
	printf("\nworkload %s:\n", s->workload->name);
	print_rows(s->workload->params, s->workload_params);
	if (s->workload->describe)
		s->workload->describe(&run->workload_ctx, print_line, NULL);
	for (size_t i = 0; i < s->nr_beside; i++) {
		printf("\nbeside it, workload %s:\n", s->beside[i].workload->name);
		print_rows(s->beside[i].workload->params, s->beside[i].params);
	}
	printf("\nhardware:\n");
	print_rows(hardware_params, &s->machine.hardware);
	printf("\nrun:\n");
	print_rows(run_params, &s->run);
	print_map(&map);
}

static int show(struct cmd_env *env, int argc, char **argv)
{
	struct cmd_args args = { .command = &cmd_show, .argc = argc, .argv = argv };
	struct cmd_overrides overrides;
	const char *path = NULL;
	bool whole_map = false;
	struct run built;

	cmd_overrides_init(&overrides, env->arena, argc);
	for (int opt; (opt = cmd_next(&args, env->err)) != CMD_END;) {
		if (opt == CMD_BAD)
			return -1;
		if (opt == OPT_SET)
			cmd_overrides_add(&overrides, args.value);
		else if (opt == OPT_MAP)
			whole_map = true;
		else if (cmd_operand(&args, &path, env->err) < 0)
			return -1;
	}
	if (!path)
		return cmd_missing(&cmd_show, "the scenario", env->err);
	const char *machine = cmd_machine_path(env, path);
	if (machine)
		return cmd_machine_show(env, machine);
	const struct scenario *scenario = cmd_load_scenario(env, path, &overrides);
	if (!scenario || run_build(&built, scenario, 0, env->err) < 0)
		return -1;
	print_effective(&built, whole_map);
	run_free(&built);
	return 0;
}

const struct command cmd_show = {
	.name = "show",
	.operands = "SCENARIO|MACHINE",
	.summary = "everything in effect before a run starts, as sysfs would show it; or a machine",
	.options = options,
	.run = show,
};
