#include <stdio.h>
#include <string.h>

#include "sim/base/str.h"
#include "sim/scenario/rows.h"
#include "sim/scenario/scenario.h"

#define MAX_CPUS 1024
#define MAX_OPPS 256
#define MAX_CSTATES 16
#define MAX_KHZ 100000000

/* The file's sections, named once: rows cover the single values, each other has its reader. */
static const struct param machine_params[] = { PARAM_TEXT(struct machine_spec, name, "name", NULL,
						       "what the machine is called"),
	PARAM_TEXT(struct machine_spec, summary, "summary", "", "one line on what it is"),
	PARAM_TEXT(struct machine_spec, default_driver, "driver", NULL, "its usual driver"),
	PARAM_INT(struct machine_spec, reference_khz, "reference", UNIT_KHZ, 1000, MAX_KHZ, 0,
		"the clock at which work given as time was measured"),
	PARAM_END };

static const char *const machine_sections[] = { "cpus", "policies", "clock", "limits",
	"frequency_table", "voltage_points", "idle", "power", "memory", "drivers", "assumed",
	NULL };

struct machine_reader {
	struct arena *arena;
	struct machine_spec *spec;
	const struct node *root;
	struct error *err;
};

static int refuse(const struct machine_reader *r, const struct node *node, const char *what)
{
	return error_at(r->err, ERROR_SCENARIO, node->at, "%s", what);
}

/* "3" or "0-14". */
static int read_range(
	const struct machine_reader *r, const struct node *node, int *first, int *last)
{
	char text[32];
	int64_t from, to;

	if (node->type == NODE_SCALAR && strlen(node->text) < sizeof(text)) {
		snprintf(text, sizeof(text), "%s", node->text);
		char *dash = strchr(text, '-');

		if (dash)
			*dash = '\0';
		if (str_to_i64(text, UNIT_NONE, &from) == 0 &&
			str_to_i64(dash ? dash + 1 : text, UNIT_NONE, &to) == 0 && from >= 0 &&
			from <= to && to < MAX_CPUS) {
			*first = (int)from;
			*last = (int)to;
			return 0;
		}
	}
	return rows_mismatch(node, "cpus", "one CPU or a range like 0-14, at most 1023", r->err);
}

struct cpus_row {
	const char *cpus;
	int64_t package, capacity;
};

static const struct param cpus_params[] = { PARAM_TEXT(struct cpus_row, cpus, "cpus", NULL,
						    "first and last CPU"),
	PARAM_INT(struct cpus_row, package, "package", UNIT_NONE, 0, MAX_CPUS - 1, 0,
		"the socket they are in"),
	PARAM_INT(struct cpus_row, capacity, "capacity", UNIT_NONE, 1, 1024, 1024,
		"compute power at the top clock, 1024 for the largest CPUs"),
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

static int read_policy_list(struct machine_reader *r, const struct node *node)
{
	struct machine_spec *spec = r->spec;
	int next = 0;

	spec->policies = arena_array(r->arena, node->nr, sizeof(*spec->policies));
	for (const struct node *child = node->first; child; child = child->next) {
		struct policy_spec *policy = &spec->policies[spec->nr_policies++];

		if (read_range(r, child, &policy->first, &policy->last) < 0)
			return -1;
		if (policy->first != next || policy->last >= spec->nr_cpus)
			return error_at(r->err, ERROR_SCENARIO, child->at,
				"policies: found CPUs %d-%d; expected CPU %d next, at most CPU %d",
				policy->first, policy->last, next, spec->nr_cpus - 1);
		next = policy->last + 1;
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
	bool per_cpu = strcmp(node_describe(node), "per-cpu") == 0;
	if (!per_cpu && strcmp(node_describe(node), "shared") != 0)
		return rows_mismatch(node, "policies",
			"per-cpu, shared or a list of ranges like [0-3, 4-5]", r->err);
	spec->nr_policies = per_cpu ? (size_t)spec->nr_cpus : 1;
	spec->policies = arena_array(r->arena, spec->nr_policies, sizeof(*spec->policies));
	for (int i = 0; i < (int)spec->nr_policies; i++)
		spec->policies[i] = (struct policy_spec){ i, per_cpu ? i : spec->nr_cpus - 1 };
	return 0;
}

struct clock_row {
	int64_t scope, vote;
};

static const char *const scopes[] = {
	[CLOCK_CPU] = "cpu", [CLOCK_POLICY] = "policy", [CLOCK_PACKAGE] = "package", NULL
};
static const char *const votes[] = {
	[VOTE_RUNNING] = "running", [VOTE_NON_IDLE] = "non-idle", [VOTE_ALL] = "all", NULL
};

static const struct param clock_params[] = { PARAM_CHOICE(struct clock_row, scope, "scope", scopes,
						     CLOCK_POLICY,
						     "which CPUs really share a clock"),
	PARAM_CHOICE(struct clock_row, vote, "vote", votes, VOTE_NON_IDLE,
		"whose requests count for the shared clock"),
	PARAM_END };

static int read_clock(struct machine_reader *r, const struct node *node)
{
	struct machine_spec *spec = r->spec;
	struct clock_row row;

	param_defaults(clock_params, &row);
	if (rows_fill(clock_params, &row, node, NULL, "clock", r->err) < 0)
		return -1;
	spec->clock_scope = (enum clock_scope)row.scope;
	spec->clock_vote = (enum clock_vote)row.vote;
	for (size_t i = 0; spec->clock_scope == CLOCK_PACKAGE && i < spec->nr_policies; i++) {
		const struct policy_spec *policy = &spec->policies[i];

		if (package_of(spec, policy->first) != package_of(spec, policy->last))
			return error_at(r->err, ERROR_SCENARIO, node->at,
				"clock: policy %d-%d spans packages; expected one, as they share a "
				"clock",
				policy->first, policy->last);
	}
	return 0;
}

struct opp_row {
	struct opp_spec opp;
	int64_t turbo;
};

static const struct param opp_params[] = { PARAM_INT(struct opp_row, opp.khz, "freq", UNIT_KHZ,
						   1000, MAX_KHZ, 0,
						   "the frequency as Linux names it"),
	PARAM_INT(struct opp_row, opp.clock_khz, "clock", UNIT_KHZ, 1000, MAX_KHZ, PARAM_AUTO,
		"the clock that really runs"),
	PARAM_INT(struct opp_row, opp.uv, "voltage", UNIT_UV, 0, 5000000, 0,
		"voltage at that frequency"),
	PARAM_INT(struct opp_row, opp.power_uw, "power", UNIT_UW, 0, INT64_C(1000000000), 0,
		"of one fully busy CPU above idle; 0: from ceff and voltage"),
	PARAM_BOOL(struct opp_row, turbo, "turbo", 0, "hardware chooses the clock"), PARAM_END };

static int read_opps(struct machine_reader *r, const struct node *node)
{
	static const char *const required[] = { "freq", NULL };
	const struct rows_list list = { opp_params, sizeof(struct opp_row), required, node->key,
		MAX_OPPS };
	struct machine_spec *spec = r->spec;
	struct opp_row *rows;

	if (rows_fill_list(r->arena, &list, node, &rows, &spec->nr_opps, r->err) < 0)
		return -1;
	spec->opps = arena_array(r->arena, spec->nr_opps, sizeof(*spec->opps));
	const struct node *element = node->first;
	for (size_t i = 0; i < spec->nr_opps; i++, element = element->next) {
		struct opp_spec *opp = &spec->opps[i];

		*opp = rows[i].opp;
		opp->turbo = rows[i].turbo != 0;
		if (opp->clock_khz == PARAM_AUTO)
			opp->clock_khz = opp->khz;
		if (i && opp->khz <= opp[-1].khz)
			return refuse(r, element, "freq is not above the one before it");
		if (!opp->uv && !opp->power_uw)
			return refuse(r, element, "neither voltage nor power is given");
	}
	return 0;
}

/* A machine has either a table that its drivers offer, or points of a voltage curve under a driver
 * that takes any frequency. */
static int read_frequencies(struct machine_reader *r)
{
	const struct node *table = node_get(r->root, "frequency_table");
	const struct node *points = node_get(r->root, "voltage_points");

	if (table && points)
		return refuse(
			r, points, "both frequency_table and voltage_points; expected one of them");
	if (!table && !points)
		return error_at(r->err, ERROR_SCENARIO, (struct where){ .file = r->spec->path },
			"neither frequency_table nor voltage_points; expected one of them");
	r->spec->has_table = table != NULL;
	return read_opps(r, table ? table : points);
}

static const struct param cpuinfo_params[] = {
	PARAM_INT(struct machine_spec, cpuinfo_min_khz, "min", UNIT_KHZ, 1000, MAX_KHZ, 0,
		"lowest frequency of a driver without a table"),
	PARAM_INT(struct machine_spec, cpuinfo_max_khz, "max", UNIT_KHZ, 1000, MAX_KHZ, 0,
		"highest frequency of a driver without a table"),
	PARAM_END
};

static int read_limits(struct machine_reader *r)
{
	static const char *const required[] = { "min", "max", NULL };
	const struct node *node = node_get(r->root, "limits");
	struct machine_spec *spec = r->spec;

	spec->cpuinfo_min_khz = spec->opps[0].khz;
	spec->cpuinfo_max_khz = spec->opps[spec->nr_opps - 1].khz;
	if (!node)
		return 0;
	if (rows_fill(cpuinfo_params, spec, node, NULL, "limits", r->err) < 0 ||
		rows_require(node, required, "limits", r->err) < 0)
		return -1;
	if (spec->cpuinfo_min_khz > spec->cpuinfo_max_khz)
		return refuse(r, node, "limits: min is above max");
	return 0;
}

static const struct param cstate_params[] = { PARAM_TEXT(struct cstate_spec, name, "name", NULL,
						      "the state's name"),
	PARAM_INT(struct cstate_spec, exit_latency_us, "exit_latency", UNIT_US, 0, 1000000, 0,
		"time to leave it"),
	PARAM_INT(struct cstate_spec, target_residency_us, "target_residency", UNIT_US, 0, 10000000,
		0, "least stay that pays"),
	PARAM_INT(struct cstate_spec, power_uw, "power", UNIT_UW, 0, INT64_C(1000000000), 0,
		"of one CPU in that state"),
	PARAM_END };

static int read_idle(struct machine_reader *r, const struct node *node)
{
	static const char *const required[] = { "name", "exit_latency", "target_residency", NULL };
	const struct rows_list list = { cstate_params, sizeof(struct cstate_spec), required, "idle",
		MAX_CSTATES };
	struct machine_spec *spec = r->spec;

	if (rows_fill_list(r->arena, &list, node, &spec->cstates, &spec->nr_cstates, r->err) < 0)
		return -1;
	const struct node *element = node->first->next;
	for (size_t i = 1; i < spec->nr_cstates; i++, element = element->next)
		if (spec->cstates[i].target_residency_us < spec->cstates[i - 1].target_residency_us)
			return refuse(r, element,
				"idle: target_residency is below that of the state before");
	return 0;
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
	PARAM_INT(struct power_spec, rapl_unit_nj, "rapl_unit", UNIT_NJ, 1, 1000000000, 1,
		"quantum of the energy counter"),
	PARAM_END
};

static const struct param memory_params[] = {
	PARAM_INT(struct memory_spec, contention_ppm, "contention", UNIT_PPM, 0, 100000000, 0,
		"extra memory time when every CPU is busy, as a ratio"),
	PARAM_END
};

/* True when @map, or an element of a list of maps, has @key. */
static const struct node *find_below(const struct node *node, const char *key)
{
	const struct node *found = node_get(node, key);

	for (const struct node *child = node->type == NODE_SEQ ? node->first : NULL;
		child && !found; child = child->next)
		found = node_get(child, key);
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
		return strcmp(name, "frequency_table") == 0 || strcmp(name, "voltage_points") == 0;
	return strcmp(last, ".voltage") == 0 || strcmp(last, ".power") == 0;
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
		"idle", NULL };

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
	if (read_cpus(&r, node_get(root, "cpus")) < 0 ||
		read_policies(&r, node_get(root, "policies")) < 0 ||
		read_clock(&r, node_get(root, "clock")) < 0 || read_frequencies(&r) < 0 ||
		read_limits(&r) < 0 || read_idle(&r, node_get(root, "idle")) < 0)
		return -1;
	if (rows_fill(power_params, &spec->power, node_get(root, "power"), NULL, "power", err) <
			0 ||
		rows_fill(memory_params, &spec->memory, node_get(root, "memory"), NULL, "memory",
			err) < 0)
		return -1;
	if (read_optional(&r, read_assumed, "assumed") < 0)
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
