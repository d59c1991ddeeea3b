/*
 * Every effective value of a run as a scenario that reproduces it: defaults filled in, tunables as
 * the kernel's rules made them, the machine spelled out. Knows rows and the machine's tree, no
 * behaviour; says nothing of host, date or duration.
 */
#pragma once

#include <stdio.h>

#include "sim/scenario/scenario.h"

struct manifest {
	const struct scenario *scenario;
	const void *tunables; /* after tune() */
	const char *version;  /* of this program */
};

void manifest_write(FILE *out, const struct manifest *manifest);
