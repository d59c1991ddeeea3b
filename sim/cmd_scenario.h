/*
 * What several commands do with a scenario: the options that change it, and loading it with them.
 */
#pragma once

#include "sim/cmd.h"
#include "sim/scenario/scenario.h"

#define CMD_OPTION_SET                                                                        \
	{                                                                                     \
		"--set", 0, "PATH=VALUE", "change one value of the scenario; may be repeated" \
	}

/* Overrides in the order given; the room for them is made once. */
struct cmd_overrides {
	const char **texts;
	size_t nr, max;
};

/* Room for as many as there can be among @argc arguments, and a few more. */
void cmd_overrides_init(struct cmd_overrides *overrides, struct arena *arena, int argc);
void cmd_overrides_add(struct cmd_overrides *overrides, const char *text);

/* A file, or one of those that come along by its path or its bare name. */
const char *cmd_scenario_path(struct arena *arena, const char *name);
struct scenario *cmd_load_scenario(
	struct cmd_env *env, const char *path, const struct cmd_overrides *overrides);
