#include <string.h>

#include "sim/base/units.h"
#include "sim/scenario/machine_reader.h"
#include "sim/scenario/rows.h"

#define MAX_CPUS 4096

/* The file's sections, named once: rows cover the single values, each other has its reader. */
static const struct param machine_params[] = { PARAM_TEXT(struct machine_spec, name, "name", NULL,
						       "what the machine is called"),
	PARAM_TEXT(struct machine_spec, summary, "summary", "", "one line on what it is"),
	PARAM_TEXT(struct machine_spec, default_driver, "driver", NULL, "its usual driver"),
	PARAM_INT(struct machine_spec, reference_khz, "reference", UNIT_KHZ, 1000, MACHINE_MAX_KHZ,
		0, "the clock at which work given as time was measured"),
	PARAM_END };

static const char *const machine_sections[] = { "cpus", "policies", "clock", "limits",
	"frequency_table", "voltage_points", "tables", "idle", "power", "memory", "turbo",
	"hardware", "drivers", "assumed", NULL };

int machine_refuse(const struct machine_reader *r, const struct node *node, const char *what)
{
	return error_at(r->err, ERROR_SCENARIO, node->at, "%s", what);
}

/* "3" or "0-14". */
static int read_range(
	const struct machine_reader *r, const struct node *node, int *first, int *last)
{
	if (rows_range(node, MAX_CPUS, first, last))
		return 0;
	return rows_mismatch(node, "cpus", "one CPU or a range like 0-14, at most 4095", r->err);
}

static const char *const sibling_rules[] = {
	[SIBLINGS_APART] = "apart",
	[SIBLINGS_ADJACENT] = "adjacent",
	NULL,
};

struct cpus_row {
	const char *cpus;
	int64_t package, capacity, dmips, smt, siblings, smt_yield_ppm, smt_power_ppm;
};

static const struct param cpus_params[] = { PARAM_TEXT(struct cpus_row, cpus, "cpus", NULL,
						    "first and last CPU"),
	PARAM_INT(struct cpus_row, package, "package", UNIT_NONE, 0, MAX_CPUS - 1, 0,
		"the socket they are in"),
	PARAM_INT(struct cpus_row, capacity, "capacity", UNIT_NONE, 1, 1024, PARAM_AUTO,
		"compute power at the top clock, 1024 for the largest CPUs; auto: from dmips"),
	PARAM_INT(struct cpus_row, dmips, "dmips", UNIT_NONE, 1, 1024, PARAM_AUTO,
		"compute power per MHz, 1024 for the best CPUs; auto: as capacity"),
	PARAM_INT(struct cpus_row, smt, "smt", UNIT_NONE, 1, 8, 1, "threads of each core"),
	PARAM_CHOICE(struct cpus_row, siblings, "siblings", sibling_rules, SIBLINGS_APART,
		"which CPUs share a core: apart is CPU modulo the number of cores"),
	PARAM_INT(struct cpus_row, smt_yield_ppm, "smt_yield", UNIT_PPM, PPM, 8 * PPM, PARAM_AUTO,
		"work of a core with all threads busy, of that with one; auto: threads are cores"),
	PARAM_INT(struct cpus_row, smt_power_ppm, "smt_power", UNIT_PPM, PPM, 8 * PPM, PPM,
		"power of a core with all threads busy, of that with one"),
	PARAM_END };

/* Ranges follow each other from CPU 0, packages count up: a package's CPUs are neighbours. */
static int read_cpus(struct machine_reader *r, const struct node *node)
{
	static const char *const required[] = { "cpus", NULL };
	const struct rows_list list = { cpus_params, sizeof(struct cpus_row), required, "cpus",
		MAX_CPUS };
	struct machine_spec *spec = r->spec;
	struct cpus_row *rows;

	if (rows_fill_list(r->arena, &list, node, &rows, &spec->nr_cpu_ranges, r->err) < 0)
		return -1;
	spec->cpus = arena_array(r->arena, spec->nr_cpu_ranges, sizeof(*spec->cpus));
	const struct node *element = node->first;
	for (size_t i = 0; i < spec->nr_cpu_ranges; i++, element = element->next) {
		struct cpus_spec *cpus = &spec->cpus[i];

		if (read_range(r, node_get(element, "cpus"), &cpus->first, &cpus->last) < 0)
			return -1;
		if (cpus->first != spec->nr_cpus)
			return error_at(r->err, ERROR_SCENARIO, element->at,
				"cpus: found CPU %d; expected CPU %d next", cpus->first,
				spec->nr_cpus);
		cpus->package = (int)rows[i].package;
		cpus->capacity = rows[i].capacity;
		cpus->dmips = rows[i].dmips;
		cpus->smt = rows[i].smt;
		cpus->siblings = rows[i].siblings;
		cpus->smt_yield_ppm = rows[i].smt_yield_ppm;
		cpus->smt_power_ppm = rows[i].smt_power_ppm;
		if ((cpus->last - cpus->first + 1) % cpus->smt)
			return error_at(r->err, ERROR_SCENARIO, element->at,
				"cpus: %d CPUs are no whole number of cores with %d threads",
				cpus->last - cpus->first + 1, (int)cpus->smt);
		if (cpus->package != spec->nr_packages && cpus->package != spec->nr_packages - 1)
			return error_at(r->err, ERROR_SCENARIO, element->at,
				"cpus: found package %d; expected packages in order, %d next",
				cpus->package, spec->nr_packages);
		spec->nr_packages = cpus->package + 1;
		spec->nr_cpus = cpus->last + 1;
	}
	return 0;
}

static int package_of(const struct machine_spec *spec, int cpu)
{
	size_t i = 0;

	while (cpu > spec->cpus[i].last)
		i++;
	return spec->cpus[i].package;
}

struct policies_row {
	const char *cpus, *table;
	int64_t each;
};

static const struct param policies_params[] = {
	PARAM_TEXT(struct policies_row, cpus, "cpus", NULL, "first and last CPU"),
	PARAM_INT(struct policies_row, each, "each", UNIT_NONE, 1, MAX_CPUS, PARAM_AUTO,
		"CPUs per policy; auto: one policy for all of them"),
	PARAM_TEXT(struct policies_row, table, "table", NULL, "which of the tables is theirs"),
	PARAM_END,
};

static int find_table(const struct machine_reader *r, const struct node *node, size_t *table)
{
	const struct machine_spec *spec = r->spec;

	for (*table = 0; *table < spec->nr_tables; (*table)++) {
		const char *name = spec->tables[*table].name;

		if (name && strcmp(name, node->text) == 0)
			return 0;
	}
	return error_at(r->err, ERROR_SCENARIO, node->at,
		"policies: no table \"%.60s\"; expected one that tables names", node->text);
}

/* "0-3", or { cpus: 0-3, table: little }, or { cpus: 0-127, each: 4 }. */
static int read_policy(
	struct machine_reader *r, const struct node *node, struct policy_spec *all, int *each)
{
	static const char *const required[] = { "cpus", NULL };
	struct policies_row row;

	*each = MAX_CPUS;
	all->table = 0;
	if (node->type == NODE_SCALAR && !r->spec->tables[0].name)
		return read_range(r, node, &all->first, &all->last);
	param_defaults(policies_params, &row);
	if (rows_fill(policies_params, &row, node, NULL, "policies", r->err) < 0 ||
		rows_require(node, required, "policies", r->err) < 0)
		return -1;
	if (row.each != PARAM_AUTO)
		*each = (int)row.each;
	if (r->spec->tables[0].name && !row.table)
		return machine_refuse(
			r, node, "policies: \"table\" is missing; the file has tables");
	if (row.table && find_table(r, node_get(node, "table"), &all->table) < 0)
		return -1;
	return read_range(r, node_get(node, "cpus"), &all->first, &all->last);
}

static int read_policy_list(struct machine_reader *r, const struct node *node)
{
	struct machine_spec *spec = r->spec;
	int next = 0;

	spec->policies = arena_array(r->arena, (size_t)spec->nr_cpus, sizeof(*spec->policies));
	for (const struct node *child = node->first; child; child = child->next) {
		struct policy_spec all;
		int each;

		if (read_policy(r, child, &all, &each) < 0)
			return -1;
		if (all.first != next || all.last >= spec->nr_cpus)
			return error_at(r->err, ERROR_SCENARIO, child->at,
				"policies: found CPUs %d-%d; expected CPU %d next, at most CPU %d",
				all.first, all.last, next, spec->nr_cpus - 1);
		for (; next <= all.last; next = spec->policies[spec->nr_policies++].last + 1) {
			int last = next + each - 1 < all.last ? next + each - 1 : all.last;

			spec->policies[spec->nr_policies] = (struct policy_spec){ next, last,
				all.table };
		}
	}
	if (next != spec->nr_cpus)
		return error_at(r->err, ERROR_SCENARIO, node->at,
			"policies: CPU %d has none; expected every CPU in one", next);
	return 0;
}

static int read_policies(struct machine_reader *r, const struct node *node)
{
	struct machine_spec *spec = r->spec;

	if (node->type == NODE_SEQ)
		return read_policy_list(r, node);
	if (spec->tables[0].name)
		return rows_mismatch(node, "policies",
			"a list of { cpus: 0-3, table: NAME }, as the file has tables", r->err);
	bool per_cpu = strcmp(node_describe(node), "per-cpu") == 0;
	if (!per_cpu && strcmp(node_describe(node), "shared") != 0)
		return rows_mismatch(node, "policies",
			"per-cpu, shared or a list of ranges like [0-3, 4-5]", r->err);
	spec->nr_policies = per_cpu ? (size_t)spec->nr_cpus : 1;
	spec->policies = arena_array(r->arena, spec->nr_policies, sizeof(*spec->policies));
	for (int i = 0; i < (int)spec->nr_policies; i++)
		spec->policies[i] = (struct policy_spec){ i, per_cpu ? i : spec->nr_cpus - 1, 0 };
	return 0;
}

static int64_t top_khz(const struct machine_spec *spec, const struct cpus_spec *cpus)
{
	size_t i = 0;

	while (cpus->first > spec->policies[i].last)
		i++;
	return machine_table(spec, (int)i)->max_khz;
}

/* What the file leaves open: compute power at the top clock is that per MHz times MHz, as part of
 * the largest such product; follows topology_normalize_cpu_scale() of
 * drivers/base/arch_topology.c. */
static void fill_capacities(struct machine_spec *spec)
{
	int64_t largest = 0;

	for (size_t i = 0; i < spec->nr_cpu_ranges; i++) {
		struct cpus_spec *cpus = &spec->cpus[i];

		if (cpus->dmips == PARAM_AUTO)
			cpus->dmips = cpus->capacity == PARAM_AUTO ? 1024 : cpus->capacity;
		largest = max_i64(largest, cpus->dmips * top_khz(spec, cpus));
	}
	for (size_t i = 0; i < spec->nr_cpu_ranges; i++) {
		struct cpus_spec *cpus = &spec->cpus[i];

		if (cpus->capacity == PARAM_AUTO)
			cpus->capacity = max_i64(
				cpus->dmips * top_khz(spec, cpus) * 1024 / largest, 1);
	}
}

struct clock_row {
	int64_t scope, vote, group;
};

static const char *const scopes[] = {
	[CLOCK_CPU] = "cpu",
	[CLOCK_POLICY] = "policy",
	[CLOCK_PACKAGE] = "package",
	[CLOCK_GROUP] = "group",
	NULL,
};
static const char *const votes[] = {
	[VOTE_RUNNING] = "running", [VOTE_NON_IDLE] = "non-idle", [VOTE_ALL] = "all", NULL
};

static const struct param clock_params[] = { PARAM_CHOICE(struct clock_row, scope, "scope", scopes,
						     CLOCK_POLICY,
						     "which CPUs really share a clock"),
	PARAM_CHOICE(struct clock_row, vote, "vote", votes, VOTE_NON_IDLE,
		"whose requests count for the shared clock"),
	PARAM_INT(struct clock_row, group, "group", UNIT_NONE, 1, MAX_CPUS, PARAM_AUTO,
		"scope group: CPUs per clock, neighbours in number"),
	PARAM_END };

/* The clock that a CPU shares, counted from 0; CPUs of a clock are neighbours in number. */
static int clock_of(const struct machine_spec *spec, int cpu)
{
	if (spec->clock_scope == CLOCK_PACKAGE)
		return package_of(spec, cpu);
	return cpu / (int)spec->clock_group;
}

/* Whoever shares a clock shares the list of clocks it can run at. */
static int check_clocks(const struct machine_reader *r, const struct node *node)
{
	const struct machine_spec *spec = r->spec;

	if (spec->clock_scope != CLOCK_PACKAGE && spec->clock_scope != CLOCK_GROUP)
		return 0;
	for (size_t i = 0; i < spec->nr_policies; i++) {
		const struct policy_spec *policy = &spec->policies[i];
		int clock = clock_of(spec, policy->first);

		if (clock != clock_of(spec, policy->last))
			return error_at(r->err, ERROR_SCENARIO, node->at,
				"clock: policy %d-%d spans %s; expected one, as they share a clock",
				policy->first, policy->last,
				spec->clock_scope == CLOCK_PACKAGE ? "packages" : "groups");
		if (i && clock == clock_of(spec, policy[-1].first) &&
			policy->table != policy[-1].table)
			return error_at(r->err, ERROR_SCENARIO, node->at,
				"clock: CPUs %d and %d share one and have different tables",
				policy[-1].last, policy->first);
	}
	return 0;
}

static int read_clock(struct machine_reader *r, const struct node *node)
{
	struct machine_spec *spec = r->spec;
	struct clock_row row;

	param_defaults(clock_params, &row);
	if (rows_fill(clock_params, &row, node, NULL, "clock", r->err) < 0)
		return -1;
	spec->clock_scope = (enum clock_scope)row.scope;
	spec->clock_vote = (enum clock_vote)row.vote;
	spec->clock_group = row.group;
	if ((spec->clock_scope == CLOCK_GROUP) != (row.group != PARAM_AUTO))
		return machine_refuse(
			r, node, "clock: group is given with scope group, and only then");
	return check_clocks(r, node);
}

static const struct param power_params[] = {
	PARAM_INT(struct power_spec, ceff_uw_per_mhz_v2, "ceff", UNIT_NONE, 0, 1000000000, 0,
		"switched capacitance of a busy CPU, uW per MHz per V^2"),
	PARAM_INT(struct power_spec, leak_uw, "leak", UNIT_UW, 0, INT64_C(1000000000), 0,
		"per busy CPU, whatever its clock"),
	PARAM_INT(struct power_spec, uncore_uw, "uncore", UNIT_UW, 0, INT64_C(1000000000), 0,
		"per package with a busy CPU"),
	PARAM_INT(struct power_spec, package_uw, "package", UNIT_UW, 0, INT64_C(1000000000), 0,
		"per package, always"),
	PARAM_INT(struct power_spec, rapl_unit_nj, "rapl_unit", UNIT_NJ, 1, 1000000000, 61035,
		"quantum of a package's energy counter"),
	PARAM_INT(struct power_spec, rapl_period_ns, "rapl_period", UNIT_NS, 1000, NSEC_PER_SEC,
		NSEC_PER_MSEC, "between two updates of the counter"),
	PARAM_INT(struct power_spec, rapl_bits, "rapl_bits", UNIT_NONE, 16, 64, 32,
		"width of the counter; beyond it wraps"),
	PARAM_END
};

static const struct param memory_params[] = {
	PARAM_INT(struct memory_spec, contention_ppm, "contention", UNIT_PPM, 0, 100000000, 0,
		"extra memory time when every CPU is busy, as a ratio"),
	PARAM_END
};

struct turbo_row {
	const char *cores;
	int64_t khz;
};

static const struct param turbo_params[] = {
	PARAM_TEXT(struct turbo_row, cores, "cores", NULL, "so many busy cores of a package"),
	PARAM_INT(struct turbo_row, khz, "freq", UNIT_KHZ, 1000, MACHINE_MAX_KHZ, 0,
		"the highest clock of each of them"),
	PARAM_END,
};

/* From one busy core upwards, ever lower; the last row holds for more cores than it names. */
static int read_turbo(struct machine_reader *r, const struct node *node)
{
	static const char *const required[] = { "cores", "freq", NULL };
	const struct rows_list list = { turbo_params, sizeof(struct turbo_row), required, "turbo",
		MAX_CPUS };
	struct machine_spec *spec = r->spec;
	struct turbo_row *rows;
	int next = 1;

	if (rows_fill_list(r->arena, &list, node, &rows, &spec->nr_turbo, r->err) < 0)
		return -1;
	spec->turbo = arena_array(r->arena, spec->nr_turbo, sizeof(*spec->turbo));
	const struct node *element = node->first;
	for (size_t i = 0; i < spec->nr_turbo; i++, element = element->next) {
		struct turbo_spec *turbo = &spec->turbo[i];

		if (read_range(r, node_get(element, "cores"), &turbo->first, &turbo->last) < 0)
			return -1;
		turbo->khz = rows[i].khz;
		if (turbo->first != next)
			return error_at(r->err, ERROR_SCENARIO, element->at,
				"turbo: found %d cores; expected %d next", turbo->first, next);
		if (i && turbo->khz >= turbo[-1].khz)
			return machine_refuse(
				r, element, "turbo: freq is not below the one before it");
		next = turbo->last + 1;
	}
	return 0;
}

/* What is called @key in @node or anywhere below it. */
static const struct node *find_below(const struct node *node, const char *key)
{
	const struct node *found = node_get(node, key);

	for (const struct node *child = node->type != NODE_SCALAR ? node->first : NULL;
		child && !found; child = child->next)
		found = find_below(child, key);
	return found;
}

/* "power.ceff": a section, or a key in it, that the file really has. */
static int check_assumed(const struct machine_reader *r, const struct node *entry)
{
	const char *name = node_describe(entry);
	const char *dot = strchr(name, '.');
	const struct node *section;

	if (entry->type != NODE_SCALAR)
		return rows_mismatch(entry, "assumed", "names of keys", r->err);
	section = node_get(
		r->root, dot ? arena_printf(r->arena, "%.*s", (int)(dot - name), name) : name);
	if (!section || (dot && !find_below(section, dot + 1)))
		return error_at(r->err, ERROR_SCENARIO, entry->at,
			"assumed: this file has no \"%.60s\"; expected a key like power or "
			"power.ceff",
			name);
	return 0;
}

/* Whether watts depend on the key: all of power, voltages and idle power. */
static bool is_power(const char *name)
{
	const char *last = strrchr(name, '.');

	if (strncmp(name, "power", 5) == 0 || strcmp(name, "idle") == 0)
		return true;
	if (!last)
		return strcmp(name, "frequency_table") == 0 ||
			strcmp(name, "voltage_points") == 0 || strcmp(name, "tables") == 0;
	return strcmp(last, ".voltage") == 0 || strcmp(last, ".power") == 0 ||
		strcmp(last, ".idle") == 0 || strcmp(last, ".ceff") == 0 ||
		strcmp(last, ".leak") == 0;
}

static int read_assumed(struct machine_reader *r, const struct node *node)
{
	if (strcmp(node_describe(node), "all") == 0) {
		r->spec->power.assumed = true;
		return 0;
	}
	if (node->type != NODE_SEQ)
		return rows_mismatch(node, "assumed", "all or a list of keys", r->err);
	for (const struct node *entry = node->first; entry; entry = entry->next) {
		if (check_assumed(r, entry) < 0)
			return -1;
		r->spec->power.assumed |= is_power(entry->text);
	}
	return 0;
}

static int read_drivers(struct machine_reader *r, const struct node *node)
{
	if (node->type != NODE_MAP)
		return rows_mismatch(node, "drivers", "a map from driver to its settings", r->err);
	r->spec->drivers = node;
	return 0;
}

static int read_optional(struct machine_reader *r,
	int (*read)(struct machine_reader *r, const struct node *node), const char *key)
{
	const struct node *node = node_get(r->root, key);

	return node ? read(r, node) : 0;
}

static int check_top(struct machine_reader *r)
{
	static const char *const required[] = { "name", "cpus", "policies", "clock", "reference",
		NULL };

	if (r->root->type != NODE_MAP)
		return rows_mismatch(
			r->root, "machine", "a machine file: a map of sections", r->err);
	if (node_get(r->root, "governor") || node_get(r->root, "workload"))
		return error_at(r->err, ERROR_SCENARIO, (struct where){ .file = r->spec->path },
			"is a scenario; expected a machine file");
	param_defaults(machine_params, r->spec);
	if (rows_fill(machine_params, r->spec, r->root, machine_sections, "a machine file",
		    r->err) < 0)
		return -1;
	return rows_require(r->root, required, "a machine file", r->err);
}

int machine_from_tree(
	struct arena *arena, const struct node *root, struct machine_spec *spec, struct error *err)
{
	struct machine_reader r = { .arena = arena, .root = root, .spec = spec, .err = err };

	*spec = (struct machine_spec){ .path = root->at.file, .root = root };
	if (check_top(&r) < 0)
		return -1;
	param_defaults(power_params, &spec->power);
	param_defaults(memory_params, &spec->memory);
	param_defaults(hardware_params, &spec->hardware);
	if (rows_fill(power_params, &spec->power, node_get(root, "power"), NULL, "power", err) <
			0 ||
		rows_fill(memory_params, &spec->memory, node_get(root, "memory"), NULL, "memory",
			err) < 0 ||
		rows_fill(hardware_params, &spec->hardware, node_get(root, "hardware"), NULL,
			"hardware", err) < 0)
		return -1;
	if (read_cpus(&r, node_get(root, "cpus")) < 0 || machine_tables(&r) < 0 ||
		read_policies(&r, node_get(root, "policies")) < 0)
		return -1;
	fill_capacities(spec);
	if (read_clock(&r, node_get(root, "clock")) < 0 || machine_idle(&r) < 0)
		return -1;
	if (read_optional(&r, read_turbo, "turbo") < 0 ||
		read_optional(&r, read_assumed, "assumed") < 0)
		return -1;
	return read_optional(&r, read_drivers, "drivers");
}

int machine_load(
	struct arena *arena, const char *path, struct machine_spec *spec, struct error *err)
{
	struct node *root;

	if (yaml_read_file(arena, arena_strdup(arena, path), &root, err) < 0)
		return -1;
	return machine_from_tree(arena, root, spec, err);
}
