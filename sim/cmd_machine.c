#include "sim/cmd_machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/hw/power.h"
#include "sim/kernel/energy_model.h"
#include "sim/kernel/version.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/search.h"

#define LABEL 30
#define MAX_LINE 256

const char *cmd_machine_path(struct cmd_env *env, const char *name)
{
	const char *path = search_file(env->arena, NULL, name);
	struct error unread = { 0 };
	struct node *root;

	if (path) {
		/* What cannot be read is for the reader of scenarios to complain about. */
		if (yaml_read_file(env->arena, path, &root, &unread) < 0)
			return NULL;
		return node_get(root, "cpus") ? path : NULL;
	}
	if (strchr(name, '/') ||
		search_file(env->arena, NULL, arena_printf(env->arena, "scenarios/%s.yaml", name)))
		return NULL;
	return search_file(env->arena, NULL, arena_printf(env->arena, "machines/%s.yaml", name));
}

static void print_text(const char *label, const char *text)
{
	printf("  %-*s %s\n", LABEL, label, text);
}

static void print_value(const char *label, int64_t value, enum unit unit)
{
	char text[32];

	str_from_i64(value, unit, text, sizeof(text));
	print_text(label, text);
}

static const char *plural(int64_t nr, const char *one, const char *many)
{
	return nr == 1 ? one : many;
}

static void print_state(const struct cstate_spec *state, const char *of)
{
	char watts[32], label[96];

	str_from_i64(state->power_uw, UNIT_UW, watts, sizeof(watts));
	snprintf(label, sizeof(label), "idle state %s%s%s", state->name, *of ? " of " : "", of);
	printf("  %-*s exit %" PRId64 " us, target residency %" PRId64 " us, %s\n", LABEL, label,
		state->exit_latency_us, state->target_residency_us, watts);
}

static void print_idle(const struct cstate_spec *states, size_t nr, const char *of)
{
	for (size_t i = 0; i < nr; i++)
		print_state(&states[i], of);
}

void cmd_machine_print(const struct machine_spec *machine)
{
	static const char *const scopes[] = { [CLOCK_CPU] = "one clock per CPU",
		[CLOCK_POLICY] = "one clock per policy",
		[CLOCK_PACKAGE] = "one clock per package",
		[CLOCK_GROUP] = "one clock per group of CPUs" };

	printf("machine %s: %s\n", machine->name ? machine->name : machine->path,
		machine->summary ? machine->summary : "");
	printf("  %-*s %d in %d package%s, %zu polic%s\n", LABEL, "CPUs", machine->nr_cpus,
		machine->nr_packages, plural(machine->nr_packages, "", "s"), machine->nr_policies,
		plural((int64_t)machine->nr_policies, "y", "ies"));
	print_text("clocks", scopes[machine->clock_scope]);
	print_idle(machine->cstates, machine->nr_cstates, "");
	for (size_t i = 0; i < machine->nr_tables; i++)
		print_idle(machine->tables[i].cstates, machine->tables[i].nr_cstates,
			machine->tables[i].name);
	print_text("power model", machine->power.assumed ? "assumed" : "sourced");
}

static void print_topology(const struct machine_spec *machine)
{
	static const char *const votes[] = { [VOTE_RUNNING] = "CPUs that run a task",
		[VOTE_NON_IDLE] = "CPUs that are not idle",
		[VOTE_ALL] = "all CPUs, idle or not" };

	print_text("votes for a shared clock", votes[machine->clock_vote]);
	if (machine->clock_scope == CLOCK_GROUP)
		print_value("CPUs per clock", machine->clock_group, UNIT_NONE);
	print_value("reference clock", machine->reference_khz, UNIT_KHZ);
	print_text("usual driver",
		machine->default_driver ? machine->default_driver : "none: the scenario names one");
	for (size_t i = 0; i < machine->nr_cpu_ranges; i++) {
		const struct cpus_spec *cpus = &machine->cpus[i];
		char label[64];

		snprintf(label, sizeof(label), "CPUs %d-%d", cpus->first, cpus->last);
		printf("  %-*s package %d, %" PRId64 "/1024 per MHz, capacity %" PRId64 ", %" PRId64
		       " thread%s per core\n",
			LABEL, label, cpus->package, cpus->dmips, cpus->capacity, cpus->smt,
			plural(cpus->smt, "", "s"));
	}
}

static void print_power(const struct machine_spec *machine)
{
	print_value("uncore of a busy package", machine->power.uncore_uw, UNIT_UW);
	print_value("package, always", machine->power.package_uw, UNIT_UW);
	print_value("energy counter's unit", machine->power.rapl_unit_nj, UNIT_NJ);
	print_value("energy counter's period", machine->power.rapl_period_ns, UNIT_NS);
	print_value("energy counter's bits", machine->power.rapl_bits, UNIT_NONE);
}

static void print_hardware(const struct machine_spec *machine)
{
	for (size_t i = 0; i < machine->nr_turbo; i++) {
		char label[64];

		snprintf(label, sizeof(label), "turbo, %d-%d busy cores", machine->turbo[i].first,
			machine->turbo[i].last);
		print_value(label, machine->turbo[i].khz, UNIT_KHZ);
	}
	for (const struct param *p = hardware_params; p->type != PARAM_TYPE_END; p++) {
		char value[64];

		param_print(p, &machine->hardware, value, sizeof(value));
		print_text(p->name, value);
	}
}

/* Policies that share a table, neighbours put together. */
static void print_users(const struct machine_spec *machine, size_t table)
{
	printf("  %-*s", LABEL, "policies");
	for (size_t i = 0, next; i < machine->nr_policies; i = next) {
		const struct policy_spec *first = &machine->policies[i];

		next = i + 1;
		if (first->table != table)
			continue;
		while (next < machine->nr_policies && machine->policies[next].table == table)
			next++;
		printf(" %zu of CPUs %d-%d", next - i, first->first,
			machine->policies[next - 1].last);
	}
	putchar('\n');
}

static void print_point(const struct opp_table *table, const struct opp_spec *point)
{
	char freq[32], clock[32], volts[32];
	double watts = power_busy_uw(table, point->clock_khz) / 1e6;

	str_from_i64(point->khz, UNIT_KHZ, freq, sizeof(freq));
	str_from_i64(point->clock_khz, UNIT_KHZ, clock, sizeof(clock));
	str_from_i64(point->uv, UNIT_UV, volts, sizeof(volts));
	printf("  %12s %12s %12s %12.6f %12.6f%s\n", freq, clock, point->uv ? volts : "-", watts,
		watts / ((double)point->clock_khz / 1e6), point->turbo ? "  turbo" : "");
}

static void print_table(const struct machine_spec *machine, size_t index)
{
	const struct opp_table *table = &machine->tables[index];
	const struct opp_spec *points = table->has_table ? table->opps : table->points;
	size_t nr = table->has_table ? table->nr_opps : table->nr_points;

	printf("\n%s%s%s:\n", table->has_table ? "frequency table" : "points of the voltage curve",
		table->name ? " " : "", table->name ? table->name : "");
	print_users(machine, index);
	print_value("lowest without a table", table->min_khz, UNIT_KHZ);
	print_value("highest without a table", table->max_khz, UNIT_KHZ);
	print_value("ceff, uW per MHz per V^2", table->ceff_uw_per_mhz_v2, UNIT_NONE);
	print_value("leak of a busy CPU", table->leak_uw, UNIT_UW);
	printf("  %12s %12s %12s %12s %12s\n", "frequency", "clock", "voltage", "busy CPU W",
		"nJ a cycle");
	for (size_t i = 0; i < nr; i++)
		print_point(table, &points[i]);
}

static void print_drivers(const struct machine_spec *machine)
{
	for (const struct node *driver = machine->drivers ? machine->drivers->first : NULL; driver;
		driver = driver->next) {
		printf("\ndriver %s:\n", driver->key);
		for (const struct node *value = driver->first; value; value = value->next)
			print_text(value->key, node_describe(value));
	}
}

static void print_assumed(const struct machine_spec *machine)
{
	const struct node *assumed = node_get(machine->root, "assumed");

	printf("\nassumed, without a public source:");
	if (!assumed || (assumed->type == NODE_SEQ && !assumed->nr))
		printf(" nothing");
	else if (assumed->type == NODE_SCALAR)
		printf(" %s", assumed->text);
	else
		for (const struct node *entry = assumed->first; entry; entry = entry->next)
			printf(" %s", node_describe(entry));
	putchar('\n');
}

/* The comment at the top of the file says where its numbers come from. */
static void print_sources(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[MAX_LINE];

	if (!file)
		return;
	printf("\nsources, from %s:\n", path);
	while (fgets(line, sizeof(line), file) && line[0] == '#')
		printf("  %s", line[1] == ' ' ? line + 2 : line + 1);
	fclose(file);
}

int cmd_machine_show(struct cmd_env *env, const char *path)
{
	struct machine_spec machine;

	if (machine_load(env->arena, path, &machine, env->err) < 0)
		return -1;
	cmd_machine_print(&machine);
	print_topology(&machine);
	print_power(&machine);
	print_hardware(&machine);
	for (size_t i = 0; i < machine.nr_tables; i++)
		print_table(&machine, i);
	print_drivers(&machine);
	print_assumed(&machine);
	print_sources(path);
	cmd_machine_notes(env->arena, &machine);
	return 0;
}

static void note_table(
	struct arena *arena, const struct machine_spec *machine, const struct opp_table *table)
{
	struct em_state *states = arena_array(arena, table->nr_opps, sizeof(*states));
	struct em_domain domain = { .states = states,
		.nr = (int)table->nr_opps,
		.capacity = 1024,
		.version = KVER(6, 1, 0) };
	int nr = 0;

	for (size_t i = 0; i < table->nr_opps; i++) {
		int64_t clock_khz = table->opps[i].clock_khz;

		states[i] = (struct em_state){ .khz = (uint64_t)clock_khz,
			.power = (uint64_t)power_busy_uw(table, clock_khz) };
	}
	em_compute(&domain);
	for (int i = 0; i < domain.nr; i++)
		if (states[i].inefficient)
			nr++;
	if (!nr)
		return;
	printf("%s: note: %s%sinefficient, as a higher frequency costs no more per unit of work, "
	       "kHz:",
		machine->path, table->name ? table->name : "", table->name ? ": " : "");
	for (int i = 0; i < domain.nr; i++)
		if (states[i].inefficient)
			printf(" %" PRId64, table->opps[i].khz);
	putchar('\n');
}

void cmd_machine_notes(struct arena *arena, const struct machine_spec *machine)
{
	for (size_t i = 0; i < machine->nr_tables; i++)
		if (machine->tables[i].has_table)
			note_table(arena, machine, &machine->tables[i]);
}
