/*
 * What commands say of a machine file: what is in it, and which of its operating points an energy
 * model would call inefficient. Knows the spec, builds nothing.
 */
#pragma once

#include "sim/cmd.h"

/* The machine file that @name means: a file that is one, or the name of one that comes along when
 * no scenario has that name; NULL when it is no machine. */
const char *cmd_machine_path(struct cmd_env *env, const char *name);

/* Everything a machine file says, with the comment at its top: its sources. */
int cmd_machine_show(struct cmd_env *env, const char *path);

/* The machine in a few lines, as `show` of a scenario begins. */
void cmd_machine_print(const struct machine_spec *machine);

/* Names the operating points that cost no less per unit of work than a higher one, if any. */
void cmd_machine_notes(struct arena *arena, const struct machine_spec *machine);
