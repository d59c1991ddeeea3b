/*
 * What the commands that take a recording share: the scenario in which it is replayed. Knows
 * scenarios, no trace.
 */
#pragma once

#include "sim/cmd.h"
#include "sim/cmd_scenario.h"
#include "sim/scenario/scenario.h"

struct recording_request {
	const char *trace;
	const char *machine; /* NULL: one whose figures only matter where clocks are unknown */
	bool recorded_there; /* on @machine */
	const char *governor, *driver; /* NULL: schedutil; the machine's own */
	const char *root;              /* NULL: auto */
	const char *window;            /* "FROM,TO", either may be empty; NULL: all */
	struct cmd_overrides overrides;
};

/* NULL with env->err. */
struct scenario *recording_scenario(struct cmd_env *env, const struct recording_request *request);
