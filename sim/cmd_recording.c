#include "sim/cmd_recording.h"

#include <string.h>

#include "sim/scenario/yaml.h"

#define ANY_MACHINE "generic-desktop"

static int set(struct cmd_env *env, struct node *root, const char *key, const char *value)
{
	return value ? yaml_override(env->arena, root,
			       arena_printf(env->arena, "%s=%s", key, value), env->err)
		     : 0;
}

/* "1.2s,3s" */
static int set_window(struct cmd_env *env, struct node *root, const char *window)
{
	if (!window)
		return 0;
	const char *comma = strchr(window, ',');
	if (!comma)
		return error_set(env->err, ERROR_USAGE,
			"--window: \"%.60s\" is not FROM,TO, such as 1.2s,3s", window);
	const char *from = arena_printf(env->arena, "%.*s", (int)(comma - window), window);
	if ((from[0] && set(env, root, "workload.from", from)) ||
		(comma[1] && set(env, root, "workload.to", comma + 1)))
		return -1;
	return 0;
}

/* Work per clock of each CPU of a machine, where they differ. */
static const char *per_clock(struct arena *arena, const struct machine_spec *machine)
{
	const char *text = NULL;

	for (size_t i = 0; i < machine->nr_cpu_ranges; i++) {
		const struct cpus_spec *cpus = &machine->cpus[i];
		int64_t dmips = cpus->dmips ? cpus->dmips : cpus->capacity;

		for (int cpu = cpus->first; cpu <= cpus->last; cpu++)
			text = arena_printf(arena, "%s%s%lld", text ? text : "", text ? " " : "",
				(long long)dmips);
	}
	return text;
}

struct scenario *recording_scenario(struct cmd_env *env, const struct recording_request *request)
{
	struct scenario *scenario = arena_alloc(env->arena, sizeof(*scenario));
	struct node *root;

	if (yaml_read_text(env->arena, "command line",
		    "machine: " ANY_MACHINE "\ngovernor: schedutil\nworkload: { name: trace }\n",
		    &root, env->err) ||
		set(env, root, "machine", request->machine) ||
		set(env, root, "governor", request->governor) ||
		set(env, root, "driver", request->driver) ||
		set(env, root, "workload.file", request->trace) ||
		set(env, root, "workload.root", request->root) ||
		set_window(env, root, request->window))
		return NULL;
	for (size_t i = 0; i < request->overrides.nr; i++)
		if (yaml_override(env->arena, root, request->overrides.texts[i], env->err))
			return NULL;
	if (scenario_from_tree(env->arena, env->catalog, root, scenario, env->err))
		return NULL;
	if (!request->recorded_there)
		return scenario;
	/* What the machine says of its CPUs, now that it has been read. */
	if (set(env, root, "workload.per_clock", per_clock(env->arena, &scenario->machine)) ||
		scenario_from_tree(env->arena, env->catalog, root, scenario, env->err))
		return NULL;
	return scenario;
}
