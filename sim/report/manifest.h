/*
 * Every effective value of a run as a scenario that reproduces it: defaults filled in, tunables as
 * the kernel's rules made them, the machine spelled out. Knows rows and the machine's tree, no
 * behaviour; says nothing of host, date or duration.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "sim/scenario/scenario.h"

struct manifest {
	const struct scenario *scenario;
	const void *tunables; /* after tune() */
	const char *version;  /* of this program */
	bool identity;        /* only what results depend on: no names, files by their content */
};

void manifest_write(FILE *out, const struct manifest *manifest);

/* A value of the tree in YAML's flow style: "{ name: ondemand, up_threshold: 80 }". */
void manifest_write_value(FILE *out, const struct node *node);
