#include "sim/scenario/scenario.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/param.h"
#include "sim/base/str.h"
#include "sim/base/units.h"
#include "sim/driver.h"
#include "sim/governor.h"
#include "sim/kernel/version.h"
#include "sim/scenario/loader.h"
#include "sim/scenario/rows.h"
#include "sim/scenario/search.h"

#define MAX_PLUGINS 64

static const char *const invariances[] = {
	[INVARIANCE_NONE] = "none",
	[INVARIANCE_CPUFREQ] = "cpufreq",
	[INVARIANCE_COUNTERS] = "counters",
	[INVARIANCE_AMU] = "amu",
	[INVARIANCE_CPPC] = "cppc",
	NULL,
};
/* Nobody has measured them. CPPC: an interrupt to itself, a kernel thread's turn, and a call of
 * another CPU for each counter. The monitors: four reads of registers. */
static const int64_t tick_costs_ns[] = { [INVARIANCE_AMU] = 500, [INVARIANCE_CPPC] = 15000 };
static const char *const no_yes[] = { "no", "yes", NULL };
static const char *const balances[] = {
	[BALANCE_NEW_IDLE] = "new-idle",
	[BALANCE_PERIODIC] = "periodic",
	NULL,
};
static const char *const cputimes[] = {
	[CPUTIME_TICK] = "tick",
	[CPUTIME_PRECISE] = "precise",
	NULL,
};
static const char *const cpuidles[] = { "ideal", "teo", "menu", NULL };
static const char *const placements[] = {
	[PLACEMENT_SPREAD_RANDOM] = "spread-random",
	[PLACEMENT_IDLE_SIBLING] = "idle-sibling",
	[PLACEMENT_IDLEST_CPU] = "idlest-cpu",
	[PLACEMENT_FIRST_IDLE] = "first-idle",
	[PLACEMENT_LEAST_UTILISED] = "least-utilised",
	NULL,
};

const struct param kernel_params[] = { PARAM_TEXT(struct kernel_spec, version_text, "version",
					       "6.1",
					       "the kernel whose rules hold, e.g. 4.8 or 6.1.192"),
	PARAM_INT(struct kernel_spec, hz, "hz", UNIT_NONE, 100, 1000, 250,
		"ticks a second: 100, 250, 300 or 1000"),
	PARAM_INT(struct kernel_spec, tick_latency_ns, "tick_latency", UNIT_NS, 0, 100000, 0,
		"a tick's interrupt comes up to that much late, evenly spread"),
	PARAM_BOOL(struct kernel_spec, nohz, "nohz", 1, "the tick stops on an idle CPU"),
	PARAM_CHOICE(struct kernel_spec, cpuidle, "cpuidle", cpuidles, 0,
		"idle governor; ideal knows how long the CPU will idle, and leaves at once"),
	PARAM_INT(struct kernel_spec, exit_latency_ppm, "exit_latency", UNIT_PPM, 0, PPM, PPM,
		"share of an idle state's exit latency that a wake-up takes under teo and menu"),
	PARAM_CHOICE(struct kernel_spec, placement, "placement", placements, PARAM_AUTO,
		"which CPU a new task goes to; auto: as the version has it"),
	PARAM_CHOICE(struct kernel_spec, energy_aware, "energy_aware", no_yes, PARAM_AUTO,
		"a waking task goes where the energy model says; auto: schedutil, unequal CPUs, "
		"5.0"),
	PARAM_CHOICE(struct kernel_spec, balance, "balance", balances, BALANCE_PERIODIC,
		"who pulls fair tasks that wait: CPUs about to idle, or others too"),
	PARAM_CHOICE(struct kernel_spec, invariance, "invariance", invariances, PARAM_AUTO,
		"how load tracking learns the real speed; auto: not before 5.7, then counters"),
	PARAM_INT(struct kernel_spec, tick_cost_ns, "invariance_cost", UNIT_NS, 0, NSEC_PER_SEC,
		PARAM_AUTO, "CPU time of that at each tick; auto (assumed): 15us cppc, 0.5us amu"),
	PARAM_INT(struct kernel_spec, notifier_cost_ns, "notifier_cost", UNIT_NS, 0, NSEC_PER_SEC,
		0, "CPU time of one walk of one transition notifier"),
	PARAM_INT(struct kernel_spec, notifiers, "notifiers", UNIT_NONE, 0, 1000, 0,
		"registered transition notifiers"),
	PARAM_INT(struct kernel_spec, blocked_period_ns, "blocked_period", UNIT_NS, NSEC_PER_MSEC,
		10 * NSEC_PER_SEC, 32000000,
		"a busy CPU brings the load left on tickless idle ones up to date this often"),
	PARAM_INT(struct kernel_spec, rt_runtime_us, "sched_rt_runtime_us", UNIT_US, 1000, 1000000,
		950000, "what real-time tasks may have of each second on a CPU"),
	PARAM_BOOL(struct kernel_spec, remote_hook, "remote_hook", 0,
		"the governor hears of a task that another CPU enqueues as if its own CPU did"),
	PARAM_INT(struct kernel_spec, wake_local_ns, "wake_local", UNIT_NS, 0, NSEC_PER_SEC,
		PARAM_AUTO,
		"under ideal, from an idle CPU's interrupt until the task it wakes runs; auto: as "
		"recorded, else 0"),
	PARAM_INT(struct kernel_spec, wake_remote_ns, "wake_remote", UNIT_NS, 0, NSEC_PER_SEC,
		PARAM_AUTO, "the same where another CPU wakes the task"),
	PARAM_INT(struct kernel_spec, hook_cost_ns, "hook_cost", UNIT_NS, 0, NSEC_PER_SEC, 0,
		"CPU time of one call of the governor by the scheduler"),
	PARAM_INT(struct kernel_spec, work_cost_ns, "work_cost", UNIT_NS, 0, NSEC_PER_SEC, 0,
		"CPU time of a governor's deferred work itself"),
	PARAM_BOOL(struct kernel_spec, worker_load, "worker_load", 1,
		"load tracking sees the kworker that does a governor's deferred work"),
	PARAM_CHOICE(struct kernel_spec, cputime, "cputime", cputimes, CPUTIME_TICK,
		"how CPU time is split into user and sys: by where ticks fall, or precisely"),
	PARAM_END };

const struct param run_params[] = { PARAM_INT(struct run_spec, seed, "seed", UNIT_NONE, 0,
					    INT64_MAX, 1, "master seed of every random stream"),
	PARAM_INT(struct run_spec, repeats, "repeats", UNIT_NONE, 1, 100000, 1,
		"runs that differ in their seed only"),
	PARAM_INT(struct run_spec, duration_ns, "duration", UNIT_NS, NSEC_PER_MSEC,
		86400 * NSEC_PER_SEC, PARAM_AUTO, "simulated time; auto: until the workload ends"),
	PARAM_INT(struct run_spec, sample_interval_ns, "sample_interval", UNIT_NS, NSEC_PER_MSEC,
		3600 * NSEC_PER_SEC, NSEC_PER_SEC, "between two readings of the power sampler"),
	PARAM_END };

const struct param place_params[] = { PARAM_INT(struct workload_place, start_ns, "start", UNIT_NS,
					      0, 86400 * NSEC_PER_SEC, 0,
					      "when its first tasks start"),
	PARAM_END };

const struct param limits_params[] = {
	PARAM_INT(struct policy_limits_spec, min_khz, "scaling_min_freq", UNIT_KHZ, 1, 100000000,
		PARAM_AUTO, "lower limit of every policy; auto: what the hardware can do"),
	PARAM_INT(struct policy_limits_spec, max_khz, "scaling_max_freq", UNIT_KHZ, 1, 100000000,
		PARAM_AUTO, "upper limit of every policy; auto: what the hardware can do"),
	PARAM_END
};

static struct where whole_file(const struct scenario *scenario)
{
	return (struct where){ .file = scenario->path };
}

/* "pcc" of "scenarios/pcc.yaml". */
static const char *file_stem(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return arena_printf(
		arena, "%.*s", dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

static int check_sections(const struct loader *l)
{
	static const char *const sections[] = { "machine", "kernel", "limits", "hardware", "driver",
		"governor", "workload", "beside", "cpusets", "run", "events", NULL };
	static const struct param rows[] = { PARAM_TEXT(struct scenario, name, "name", NULL,
						     "as results call the scenario"),
		PARAM_TEXT(struct scenario, summary, "summary", NULL, "one line for list"),
		PARAM_END };
	const struct node *root = l->scenario->root;

	if (root->type != NODE_MAP)
		return rows_mismatch(
			root, "scenario", "sections machine, governor, workload, ...", l->err);
	if (node_get(root, "cpus"))
		return error_at(l->err, ERROR_SCENARIO, whole_file(l->scenario),
			"is a machine file; expected a scenario");
	if (rows_fill(rows, l->scenario, root, sections, "a scenario", l->err) < 0)
		return -1;
	if (!l->scenario->name)
		l->scenario->name = file_stem(l->arena, l->scenario->path);
	return 0;
}

static int read_machine(const struct loader *l)
{
	struct scenario *scenario = l->scenario;
	const struct node *node = node_get(scenario->root, "machine");

	if (!node)
		return error_at(l->err, ERROR_SCENARIO, whole_file(scenario),
			"section \"machine\" is missing; expected machine: FILE or the name of "
			"one");
	if (node->type == NODE_MAP)
		return machine_from_tree(l->arena, node, &scenario->machine, l->err);
	if (node->type != NODE_SCALAR)
		return rows_mismatch(node, "machine", "a file or the name of one", l->err);
	const char *path = search_machine(l->arena, scenario->path, node->text, node->at, l->err);
	return path ? machine_load(l->arena, path, &scenario->machine, l->err) : -1;
}

/* The names a list of patches may hold. */
static int read_patches(const struct loader *l, const struct node *list)
{
	static const char *const names[] = { "consolidate-v7", "consolidate-v7-no-preempt" };
	struct kernel_spec *kernel = &l->scenario->kernel;
	char suggestion[256];

	if (!list || (list->type == NODE_SCALAR && !*list->text))
		return 0;
	if (list->type != NODE_SEQ)
		return rows_mismatch(list, "patches", "a list such as [consolidate-v7]", l->err);
	for (const struct node *patch = list->first; patch; patch = patch->next) {
		bool scalar = patch->type == NODE_SCALAR;
		bool without = scalar && strcmp(patch->text, names[1]) == 0;

		if (!without && (!scalar || strcmp(patch->text, names[0]) != 0)) {
			str_suggest(scalar ? patch->text : "", names, 2, suggestion,
				sizeof(suggestion));
			return error_at(l->err, ERROR_SCENARIO, patch->at,
				"patches: unknown patch \"%.60s\"; %s", node_describe(patch),
				suggestion);
		}
		if (kernel->version >> 8 != KVER(6, 12, 0) >> 8)
			return error_at(l->err, ERROR_SCENARIO, patch->at,
				"patches: consolidate-v7 is for kernel 6.12, not %s",
				kernel->version_text);
		kernel->patches |= KERNEL_CONSOLIDATED;
		kernel->no_preempt_site |= without;
	}
	return 0;
}

/* Version, suffix and patches: which of several sources holds. */
static int read_version(const struct loader *l, const struct node *section)
{
	struct kernel_spec *kernel = &l->scenario->kernel;
	struct where at = scenario_where(l->scenario, "kernel.version");
	const char *suffix;
	unsigned version, release;

	if (kver_parse(kernel->version_text, &version, &suffix) < 0)
		return error_at(l->err, ERROR_SCENARIO, at,
			"version: \"%.60s\" is no kernel version; expected one like 4.8 or 6.1.192",
			kernel->version_text);
	if (version < KVER(2, 6, 0))
		return error_at(l->err, ERROR_SCENARIO, at,
			"version: Linux %.60s has no cpufreq; the first one is 2.6.0",
			kernel->version_text);
	kernel->version = version;
	kernel->patches = 0;
	kernel->no_preempt_site = false;
	if (*suffix) {
		release = version >> 8 << 8;
		if (release != KVER(5, 10, 0) && release != KVER(6, 1, 0) &&
			release != KVER(6, 12, 0))
			return error_at(l->err, ERROR_SCENARIO, at,
				"version: \"%.60s\": base is for 5.10, 6.1 and 6.12, whose stable "
				"releases changed rules",
				kernel->version_text);
		kernel->patches |= KERNEL_BASE;
	}
	return read_patches(l, section ? node_get(section, "patches") : NULL);
}

static int read_kernel(const struct loader *l)
{
	static const int rates[] = { 100, 250, 300, 1000 };
	static const char *const also[] = { "patches", NULL };
	struct scenario *scenario = l->scenario;
	struct kernel_spec *kernel = &scenario->kernel;
	const struct node *section = node_get(scenario->root, "kernel");
	bool known = false;

	param_defaults(kernel_params, kernel);
	if (rows_fill(kernel_params, kernel, section, also, "kernel", l->err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		known |= kernel->hz == rates[i];
	if (!known)
		return error_at(l->err, ERROR_SCENARIO, scenario_where(scenario, "kernel.hz"),
			"hz: %d is not one of 100, 250, 300, 1000", (int)kernel->hz);
	if (read_version(l, section) < 0)
		return -1;
	if (kernel->placement == PARAM_AUTO)
		kernel->placement = kernel->version < KVER(5, 5, 0) ? PLACEMENT_IDLEST_CPU
			: kernel->version < KVER(5, 9, 0)           ? PLACEMENT_FIRST_IDLE
								    : PLACEMENT_LEAST_UTILISED;
	/* x86 got its counter-based scale in 5.7 (arch_scale_freq_tick()). */
	if (kernel->invariance == PARAM_AUTO)
		kernel->invariance = kernel->version < KVER(5, 7, 0) ? INVARIANCE_NONE
								     : INVARIANCE_COUNTERS;
	if (kernel->tick_cost_ns == PARAM_AUTO)
		kernel->tick_cost_ns = tick_costs_ns[kernel->invariance];
	return 0;
}

static int read_limits(const struct loader *l)
{
	struct scenario *scenario = l->scenario;
	struct policy_limits_spec *limits = &scenario->limits;
	const struct node *node = node_get(scenario->root, "limits");

	param_defaults(limits_params, limits);
	if (rows_fill(limits_params, limits, node, NULL, "limits", l->err) < 0)
		return -1;
	if (limits->max_khz != PARAM_AUTO && limits->min_khz > limits->max_khz)
		return error_at(l->err, ERROR_SCENARIO, node->at,
			"limits: scaling_min_freq is above scaling_max_freq");
	return 0;
}

/* What the machine file says of turbo and limits, then what the scenario wants of them. */
static int read_hardware(const struct loader *l)
{
	struct scenario *scenario = l->scenario;
	struct machine_spec *machine = &scenario->machine;
	const struct node *node = node_get(scenario->root, "hardware");

	if (rows_fill(hardware_params, &machine->hardware, node, NULL, "hardware", l->err) < 0)
		return -1;
	if (!machine->hardware.turbo)
		machine->nr_turbo = 0;
	return hardware_check(
		&machine->hardware, node ? node->at : scenario_where(scenario, "machine"), l->err);
}

static int unknown_plugin(const struct loader *l, enum catalog_room room, const char *problem,
	const char *name, struct where at)
{
	const char *names[MAX_PLUGINS];
	size_t nr = catalog_names(l->catalog, room, names, MAX_PLUGINS);
	char suggestion[512];

	str_suggest(name, names, nr, suggestion, sizeof(suggestion));
	return error_at(l->err, ERROR_SCENARIO, at, "%s; %s", problem, suggestion);
}

static int find_plugin(const struct loader *l, enum catalog_room room, const char *name,
	struct where at, struct catalog_entry *out)
{
	if (catalog_find(l->catalog, room, name, out))
		return 0;
	return unknown_plugin(l, room,
		arena_printf(l->arena, "unknown %s \"%.60s\"", catalog_noun(room), name), name, at);
}

/* The plug-in a section names: by its key "name", or by being the name. */
static int name_plugin(const struct loader *l, enum catalog_room room, const struct node *section,
	const char *usual, struct catalog_entry *out)
{
	const struct node *name = section;

	if (section && section->type == NODE_MAP)
		name = node_get(section, "name");
	if (name && name->type != NODE_SCALAR)
		return rows_mismatch(
			name, catalog_noun(room), "a name or { name: NAME, ... }", l->err);
	if (name && *name->text)
		return find_plugin(l, room, name->text, name->at, out);
	if (usual)
		return find_plugin(l, room, usual, scenario_where(l->scenario, "machine"), out);
	if (section)
		return unknown_plugin(l, room,
			arena_printf(l->arena, "%s: \"name\" is missing", catalog_noun(room)), "",
			section->at);
	return unknown_plugin(l, room,
		arena_printf(l->arena, "section \"%s\" is missing", catalog_noun(room)), "",
		whole_file(l->scenario));
}

static int fill_plugin(const struct loader *l, const struct catalog_entry *entry,
	enum catalog_room room, const struct node *section, void *params)
{
	static const char *const of_governor[] = { "name", "policies", NULL };
	static const char *const of_workload[] = { "name", "cpuset", "start", NULL };
	static const char *const of_others[] = { "name", NULL };
	const char *const *also = room == ROOM_GOVERNORS ? of_governor
		: room == ROOM_WORKLOADS                 ? of_workload
							 : of_others;

	/* A bare name has no settings. */
	if (!section || section->type == NODE_SCALAR)
		return 0;
	return rows_fill(entry->params, params, section, also,
		arena_printf(l->arena, "%s %s", catalog_noun(room), entry->name), l->err);
}

static int read_plugin(
	const struct loader *l, enum catalog_room room, const void **plugin, void **params)
{
	const struct node *section = node_get(l->scenario->root, catalog_noun(room));
	struct catalog_entry entry;

	if (name_plugin(l, room, section, NULL, &entry) < 0)
		return -1;
	*plugin = entry.plugin;
	*params = arena_alloc(l->arena, entry.params_size);
	param_defaults(entry.params, *params);
	return fill_plugin(l, &entry, room, section, *params);
}

/* Every driver the machine file has settings for is checked, not only the one in use. */
static int check_presets(const struct loader *l)
{
	const struct node *drivers = l->scenario->machine.drivers;

	for (const struct node *preset = drivers ? drivers->first : NULL; preset;
		preset = preset->next) {
		struct catalog_entry entry;

		if (find_plugin(l, ROOM_DRIVERS, preset->key, preset->key_at, &entry) < 0)
			return -1;
		void *scratch = arena_alloc(l->arena, entry.params_size);
		if (preset->type != NODE_MAP)
			return rows_mismatch(
				preset, preset->key, "a map { key: value, ... }", l->err);
		if (fill_plugin(l, &entry, ROOM_DRIVERS, preset, scratch) < 0)
			return -1;
	}
	return 0;
}

/* Defaults, then what is true of the machine, then what the scenario asks. */
static int read_driver(const struct loader *l)
{
	struct scenario *scenario = l->scenario;
	const struct machine_spec *machine = &scenario->machine;
	const struct node *section = node_get(scenario->root, "driver");
	struct catalog_entry entry;

	if (check_presets(l) < 0 ||
		name_plugin(l, ROOM_DRIVERS, section, machine->default_driver, &entry) < 0)
		return -1;
	const struct node *preset = machine->drivers ? node_get(machine->drivers, entry.name)
						     : NULL;
	scenario->driver = entry.plugin;
	scenario->driver_params = arena_alloc(l->arena, entry.params_size);
	param_defaults(entry.params, scenario->driver_params);
	if (fill_plugin(l, &entry, ROOM_DRIVERS, preset, scenario->driver_params) < 0)
		return -1;
	return fill_plugin(l, &entry, ROOM_DRIVERS, section, scenario->driver_params);
}

/* A driver with policies of its own: performance, and powersave, behind which is its algorithm.
 * Follows cpufreq_parse_policy(). */
static int resolve_policy(
	const struct loader *l, const struct node *section, struct catalog_entry *entry)
{
	const struct scenario *scenario = l->scenario;
	const struct driver *driver = scenario->driver;
	const char *own = driver->powersave ? driver->powersave(scenario->driver_params) : NULL;

	if (!own || strcmp(entry->name, own) == 0 || strcmp(entry->name, "performance") == 0)
		return 0;
	if (strcmp(entry->name, "powersave") != 0)
		return error_at(l->err, ERROR_SCENARIO, section->at,
			"driver %s takes powersave and performance only, not governor %s",
			driver->name, entry->name);
	return find_plugin(l, ROOM_GOVERNORS, own, section->at, entry);
}

int loader_governor(const struct loader *l, const struct node *section, struct governor_choice *out)
{
	struct catalog_entry entry;

	if (name_plugin(l, ROOM_GOVERNORS, section, NULL, &entry) < 0)
		return -1;
	out->name = entry.name;
	if (resolve_policy(l, section, &entry) < 0)
		return -1;
	out->governor = entry.plugin;
	out->tunables = arena_alloc(l->arena, entry.params_size);
	param_defaults(entry.params, out->tunables);
	return fill_plugin(l, &entry, ROOM_GOVERNORS, section, out->tunables);
}

static int read_governor(const struct loader *l)
{
	struct scenario *scenario = l->scenario;
	const struct node *section = node_get(scenario->root, "governor");
	struct catalog_entry performance;
	struct governor_choice choice;

	if (catalog_find(l->catalog, ROOM_GOVERNORS, "performance", &performance))
		scenario->fallback = performance.plugin;
	if (loader_governor(l, section, &choice) < 0)
		return -1;
	scenario->governor_name = choice.name;
	scenario->governor = choice.governor;
	scenario->tunables = choice.tunables;
	return loader_policy_tunables(l, section);
}

/* "cpuset" and "start" in the section of a workload. */
static int read_place(
	const struct loader *l, const struct node *section, struct workload_place *place)
{
	const struct node *cpuset, *start;

	param_defaults(place_params, place);
	if (!section || section->type != NODE_MAP)
		return 0;
	cpuset = node_get(section, "cpuset");
	start = node_get(section, "start");
	if (cpuset && loader_cpuset_of(l, cpuset, &place->cpuset) < 0)
		return -1;
	return start ? param_set(place_params, place, node_describe(start), start->at, l->err) : 0;
}

/* Workloads beside the one that leads: background, or what it has to share the machine with. */
static int read_beside(const struct loader *l)
{
	struct scenario *scenario = l->scenario;
	const struct node *list = node_get(scenario->root, "beside");
	struct workload_use *uses;

	if (!list)
		return 0;
	if (list->type != NODE_SEQ)
		return rows_mismatch(
			list, "beside", "a list of workloads, each a name or a map", l->err);
	uses = arena_array(l->arena, list->nr, sizeof(*uses));
	scenario->beside = uses;
	for (const struct node *section = list->first; section; section = section->next) {
		struct workload_use *use = &uses[scenario->nr_beside++];
		struct catalog_entry entry;

		if (name_plugin(l, ROOM_WORKLOADS, section, NULL, &entry) < 0)
			return -1;
		use->workload = entry.plugin;
		use->params = arena_alloc(l->arena, entry.params_size);
		param_defaults(entry.params, use->params);
		if (fill_plugin(l, &entry, ROOM_WORKLOADS, section, use->params) < 0 ||
			read_place(l, section, &use->place) < 0)
			return -1;
	}
	return 0;
}

int scenario_from_tree(struct arena *arena, const struct catalog *catalog, struct node *root,
	struct scenario *scenario, struct error *err)
{
	const struct loader l = { arena, catalog, scenario, err };
	const void *workload;

	*scenario = (struct scenario){ .path = root->at.file, .root = root };
	param_defaults(run_params, &scenario->run);
	if (check_sections(&l) < 0 || read_machine(&l) < 0 || read_kernel(&l) < 0 ||
		read_limits(&l) < 0 || read_hardware(&l) < 0 || read_driver(&l) < 0 ||
		read_governor(&l) < 0)
		return -1;
	if (read_plugin(&l, ROOM_WORKLOADS, &workload, &scenario->workload_params) < 0)
		return -1;
	scenario->workload = workload;
	if (loader_cpusets(&l) < 0 ||
		read_place(&l, node_get(root, "workload"), &scenario->workload_place) < 0 ||
		read_beside(&l) < 0)
		return -1;
	if (rows_fill(run_params, &scenario->run, node_get(root, "run"), NULL, "run", err) < 0)
		return -1;
	return loader_events(&l);
}

#define MACHINE_PREFIX "machine."

/* What a value in the machine is set in: the machine's own file, in the place of its name. */
static int spell_machine_out(
	struct arena *arena, const char *path, const struct node *root, struct error *err)
{
	struct node *machine = node_get(root, "machine"), *tree;

	if (!machine || machine->type != NODE_SCALAR || !*machine->text)
		return 0;
	const char *file = search_machine(arena, path, machine->text, machine->at, err);
	if (!file || yaml_read_file(arena, arena_strdup(arena, file), &tree, err) < 0)
		return -1;
	machine->type = tree->type;
	machine->at = tree->at;
	machine->first = tree->first;
	machine->nr = tree->nr;
	return 0;
}

int scenario_load(struct arena *arena, const struct catalog *catalog, const char *path,
	const char *const *overrides, size_t nr_overrides, struct scenario *scenario,
	struct error *err)
{
	struct node *root;

	if (yaml_read_file(arena, path, &root, err) < 0)
		return -1;
	for (size_t i = 0; i < nr_overrides; i++) {
		if (strncmp(overrides[i], MACHINE_PREFIX, strlen(MACHINE_PREFIX)) == 0 &&
			spell_machine_out(arena, path, root, err) < 0)
			return -1;
		if (yaml_override(arena, root, overrides[i], err) < 0)
			return -1;
	}
	return scenario_from_tree(arena, catalog, root, scenario, err);
}

const char *scenario_resolve(struct arena *arena, const struct scenario *scenario, const char *path)
{
	const char *found = search_file(arena, scenario->path, path);

	return found ? found : path;
}

/* The child called by the first @len bytes of @key. */
static const struct node *child_named(const struct node *map, const char *key, size_t len)
{
	for (const struct node *child = map->type == NODE_MAP ? map->first : NULL; child;
		child = child->next)
		if (strncmp(child->key, key, len) == 0 && !child->key[len])
			return child;
	return NULL;
}

struct where scenario_where(const struct scenario *scenario, const char *key)
{
	const struct node *node = scenario->root;
	struct where at = whole_file(scenario);

	while (node && *key) {
		size_t len = strcspn(key, ".");

		node = child_named(node, key, len);
		if (node)
			at = node->at;
		key += len + (key[len] == '.');
	}
	return at;
}
