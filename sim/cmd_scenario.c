#include "sim/cmd_scenario.h"

#include <assert.h>
#include <string.h>

#include "sim/scenario/search.h"

/* --seed, --repeats and what else a command turns into an override of its own. */
#define EXTRA 8

void cmd_overrides_init(struct cmd_overrides *overrides, struct arena *arena, int argc)
{
	overrides->max = (size_t)argc + EXTRA;
	overrides->nr = 0;
	overrides->texts = arena_array(arena, overrides->max, sizeof(*overrides->texts));
}

void cmd_overrides_add(struct cmd_overrides *overrides, const char *text)
{
	assert(overrides->nr < overrides->max);
	overrides->texts[overrides->nr++] = text;
}

const char *cmd_scenario_path(struct arena *arena, const char *name)
{
	const char *path = search_file(arena, NULL, name);

	if (!path && !strchr(name, '/'))
		path = search_file(arena, NULL, arena_printf(arena, "scenarios/%s.yaml", name));
	return path ? path : name;
}

struct scenario *cmd_load_scenario(
	struct cmd_env *env, const char *path, const struct cmd_overrides *overrides)
{
	struct scenario *scenario = arena_alloc(env->arena, sizeof(*scenario));

	if (scenario_load(env->arena, env->catalog, cmd_scenario_path(env->arena, path),
		    overrides->texts, overrides->nr, scenario, env->err) < 0)
		return NULL;
	return scenario;
}
